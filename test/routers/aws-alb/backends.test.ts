import { describe, expect, it } from 'vitest';
import { AlbBackend } from '../../../src/routers/aws-alb/ingress-options';
import { redirectPortOf } from '../../../src/routers/aws-alb/load-balancer-annotations';
import { AlbAuth, AlbListenPort } from '../../../src/routers/aws-alb/load-balancer-options';

describe('a redirect as backend', () => {
  it.each([
    [{ host: 'b.com' }, { host: 'b.com', statusCode: 'HTTP_302' }],
    [{ path: '/x' }, { path: '/x', statusCode: 'HTTP_302' }],
    [{ port: 8443 }, { port: '8443', statusCode: 'HTTP_302' }],
    [{ protocol: 'HTTPS', permanent: true } as const, { protocol: 'HTTPS', statusCode: 'HTTP_301' }],
  ])('with %j', (options, redirectConfig) => {
    const { name, port, action } = AlbBackend.redirect('r', options);
    expect({ name, port }).toEqual({ name: 'r', port: { name: 'use-annotation' } });
    expect(action).toEqual({ type: 'redirect', redirectConfig });
  });

  it('leads elsewhere', () => {
    expect(() => AlbBackend.redirect('r', { query: 'a=1' })).toThrow(
      'redirect "r" leads to where the request came from: give host, path, port or protocol',
    );
  });
});

describe('the port that ssl-redirect leads to', () => {
  it.each([
    [{ sslRedirect: true }, 443],
    [{ sslRedirect: true, listenPorts: [AlbListenPort.http(), AlbListenPort.https(8443)] }, 8443],
    [{ sslRedirect: true, listenPorts: [AlbListenPort.http()] }, undefined],
    [{}, undefined],
  ])('%#', (options, port) => expect(redirectPortOf(options)).toBe(port));
});

describe('a port to listen on', () => {
  it.each([0, 65536, 1.5])('is an integer in the range of ports, not %d', (port) => {
    expect(() => AlbListenPort.http(port)).toThrow(`HTTP port is ${port}: give an integer from 1 to 65535`);
    expect(() => AlbListenPort.https(port)).toThrow(`HTTPS port is ${port}: give an integer from 1 to 65535`);
  });

  it.each([1, 65535])('may be %i', (port) =>
    expect(AlbListenPort.http(port)).toMatchObject({ protocol: 'HTTP', port }),
  );
});

describe('authentication', () => {
  it('by a user pool of Cognito has its ARN, client and domain', () => {
    const { annotations } = AlbAuth.cognito({
      userPoolArn: 'arn:aws:cognito',
      clientId: 'c',
      domain: 'd',
      sessionTimeout: 60,
    });
    expect(JSON.parse(JSON.stringify(annotations))).toEqual({
      'auth-type': 'cognito',
      'auth-idp-cognito': '{"userPoolARN":"arn:aws:cognito","userPoolClientID":"c","userPoolDomain":"d"}',
      'auth-session-timeout': '60',
    });
  });

  it('by OpenID Connect has the addresses of the provider and the Secret', () => {
    const idp = {
      issuer: 'https://idp',
      authorizationEndpoint: 'https://idp/a',
      tokenEndpoint: 'https://idp/t',
      userInfoEndpoint: 'https://idp/u',
      secretName: 's',
    };
    const more = { scope: 'openid email', onUnauthenticatedRequest: 'deny', sessionCookie: 'c' } as const;
    expect(JSON.parse(JSON.stringify(AlbAuth.oidc({ ...idp, ...more }).annotations))).toEqual({
      'auth-type': 'oidc',
      'auth-idp-oidc': JSON.stringify(idp),
      'auth-scope': 'openid email',
      'auth-on-unauthenticated-request': 'deny',
      'auth-session-cookie': 'c',
    });
  });
});

describe('a Service as backend', () => {
  it.each([
    [80, { number: 80 }],
    ['http', { name: 'http' }],
  ])('has its port %j', (port, expected) => {
    expect(AlbBackend.service({ name: 'web', port })).toMatchObject({ name: 'web', port: expected, action: undefined });
  });
});
