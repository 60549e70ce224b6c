import { describe, expect, it } from 'vitest';
import { AlbBackend } from '../../../src/routers/aws-alb/ingress-options';
import { redirectPortOf } from '../../../src/routers/aws-alb/load-balancer-annotations';
import { AlbListenPort } from '../../../src/routers/aws-alb/load-balancer-options';

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

describe('a Service as backend', () => {
  it.each([
    [80, { number: 80 }],
    ['http', { name: 'http' }],
  ])('has its port %j', (port, expected) => {
    expect(AlbBackend.service({ name: 'web', port })).toMatchObject({ name: 'web', port: expected, action: undefined });
  });
});
