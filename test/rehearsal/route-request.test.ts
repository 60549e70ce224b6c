import { describe, expect, it } from 'vitest';
import { parseRequest } from '../../src/rehearsal';
import { routeRequest } from '../../src/rehearsal/route-request';
import { app, service, worldOf } from '../routers/stack';

const ingress = (name: string, rules: string, { className = 'nginx', annotations = '', more = '' } = {}) =>
  `{apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {name: ${name}, annotations: {${annotations}}}, spec: {ingressClassName: ${className}, rules: ${rules}${more}}}`;
const path = (name: string, at = '/', type = 'Prefix') =>
  `{path: ${at}, pathType: ${type}, backend: {service: {name: ${name}, port: {number: 80}}}}`;
const rule = (host: string, ...paths: string[]) => `{host: ${host}, http: {paths: [${paths.join(', ')}]}}`;
const ALB = 'alb.ingress.kubernetes.io';
const alb = (name: string, annotations: string, paths = path(name), host = 'a.com') =>
  ingress(name, `[${rule(host, paths)}]`, { className: 'alb', annotations: `${ALB}/target-type: ip, ${annotations}` });

const asked = (request: string, ...texts: string[]) => routeRequest(worldOf(...texts), parseRequest(request));

describe('where a request goes', () => {
  it('is the Service with its pods, by the rule that takes the request', () => {
    const [answer, ...others] = asked(
      'http://a.com/cart',
      app('web'),
      ingress('web', `[${rule('a.com', path('web'))}]`),
    );
    expect(others).toEqual([]);
    expect(answer).toMatchObject({
      request: 'GET http://a.com/cart',
      gateway: 'nginx',
      listener: 'HTTP:80',
      rule: { object: { kind: 'Ingress', name: 'web' }, source: { file: 'test.yaml' } },
      passedOver: [],
      status: null,
      answer: null,
    });
    expect(answer!.destinations).toEqual([
      {
        namespace: 'default',
        name: 'web',
        port: 80,
        share: 1,
        selector: { app: 'web' },
        workloads: ['Deployment default/web'],
        failure: null,
        status: null,
      },
    ]);
  });

  it('is several Services by their shares, the largest first', () => {
    const canary = ingress('canary', `[${rule('a.com', path('canary'))}]`, {
      annotations: 'nginx.ingress.kubernetes.io/canary: "true", nginx.ingress.kubernetes.io/canary-weight: "80"',
    });
    const texts = [app('web'), app('canary'), ingress('web', `[${rule('a.com', path('web'))}]`), canary];
    const [answer] = asked('http://a.com/', ...texts);
    expect(answer!.destinations.map(({ name, share }) => [name, share])).toEqual([
      ['canary', 0.8],
      ['web', 0.2],
    ]);
  });

  it('is an error for all, or only for some, as the destinations have it', () => {
    const to = (...hosts: string[]) => {
      const route = hosts.map((host) => `{destination: {host: ${host}}, weight: ${host === 'zero' ? 0 : 50}}`);
      return `{apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: {name: web}, spec: {hosts: [web], http: [{route: [${route}]}]}}`;
    };
    const status = (...hosts: string[]) =>
      asked('http://web/', app('web'), to(...hosts)).map((answer) => answer.status);
    expect(status('web', 'none')).toEqual([null]);
    expect(status('none', 'web')).toEqual([null]);
    expect(status('none', 'gone')).toEqual([503]);
    expect(status('none', 'zero')).toEqual([503]);
    const [answer] = asked('http://web/', app('web'), to('web', 'none'));
    expect(answer!.destinations.map(({ name, status, failure }) => [name, status, failure])).toEqual([
      ['web', null, null],
      ['none', 503, 'the mesh knows no host none.default.svc.cluster.local'],
    ]);
  });

  it.each([
    ['^http://a.com/.*', 'https://b.com/moved', 'redirect to https://b.com/moved'],
    ['^http://a.com/(.*)', 'https://b.com/$1', 'redirect to what redirectRegex makes of the URL: https://b.com/$1'],
    ['a.com', 'b.com', 'redirect to what redirectRegex makes of the URL: b.com'],
    ['^http://other.com', 'https://b.com', null],
  ])('is what an expression %s makes of the URL with %s', (regex, replacement, answer) => {
    const middleware = `{apiVersion: traefik.io/v1alpha1, kind: Middleware, metadata: {name: m}, spec: {redirectRegex: {regex: '${regex}', replacement: '${replacement}'}}}`;
    const services = '[{name: web, port: 80}]';
    const route = `{kind: Rule, match: 'Host(\`a.com\`)', services: ${services}, middlewares: [{name: m}]}`;
    const ingressRoute = `{apiVersion: traefik.io/v1alpha1, kind: IngressRoute, metadata: {name: r}, spec: {entryPoints: [web], routes: [${route}]}}`;
    expect(asked('http://a.com/x', app('web'), middleware, ingressRoute)).toMatchObject([{ answer }]);
  });

  it('is a redirect or an answer of the load balancer', () => {
    const action = (json: object) =>
      alb(
        'web',
        `${ALB}/actions.go: '${JSON.stringify(json)}'`,
        '{path: /, pathType: Prefix, backend: {service: {name: go, port: {name: use-annotation}}}}',
      );
    const redirect = (redirectConfig: object) => action({ type: 'redirect', redirectConfig });
    expect(
      asked(
        'http://a.com/x',
        redirect({ statusCode: 'HTTP_301', host: 'b.com', protocol: 'HTTPS', port: '8443', path: '/y' }),
      ),
    ).toMatchObject([{ answer: 'redirect to https://b.com:8443/y', destinations: [] }]);
    expect(asked('http://a.com/x', redirect({ statusCode: 'HTTP_302', host: 'b.com' }))).toMatchObject([
      { answer: 'redirect to http://b.com/x' },
    ]);
    const fixedResponseConfig = { contentType: 'text/plain', statusCode: '403', messageBody: 'no' };
    expect(asked('http://a.com/', action({ type: 'fixed-response', fixedResponseConfig }))).toMatchObject([
      { status: 403, answer: 'no', destinations: [] },
    ]);
    expect(
      asked('http://a.com/', action({ type: 'fixed-response', fixedResponseConfig: { statusCode: '403' } })),
    ).toMatchObject([{ status: 403, answer: null }]);
  });

  it('is not known where the controller applies nothing', () => {
    const [answer] = asked('http://a.com/', app('web'), alb('web', `${ALB}/group.order: x`));
    expect(answer).toMatchObject({ destinations: [], status: null });
    expect(answer!.answer).toMatch(/^not known: the controller applies none of this: /);
  });

  it('comes from the listener of the port, else of the scheme', () => {
    const both = alb(
      'web',
      `${ALB}/listen-ports: '[{"HTTP":80},{"HTTPS":8443}]', ${ALB}/certificate-arn: "arn:aws:acm:eu-west-1:1:certificate/1"`,
    );
    const listener = (request: string, text: string) => asked(request, app('web'), text)[0]!.listener;
    expect(listener('http://a.com/', both)).toBe('HTTP:80');
    expect(listener('https://a.com/', both)).toBe('HTTPS:8443');
    expect(listener('http://a.com:8443/', both)).toBe('HTTPS:8443');
    expect(listener('http://a.com:81/', both)).toBeNull();
    expect(asked('http://a.com:81/', app('web'), both)).toMatchObject([
      { rule: null, destinations: [], status: null, answer: 'nothing listens on this port' },
    ]);
    // TLS may end before the load balancer, but nothing makes TLS of HTTP.
    const plain = alb('web', `${ALB}/listen-ports: '[{"HTTP":80}]'`);
    expect(listener('https://a.com/', plain)).toBe('HTTP:80');
    const secure = alb(
      'web',
      `${ALB}/listen-ports: '[{"HTTPS":443}]', ${ALB}/certificate-arn: "arn:aws:acm:eu-west-1:1:certificate/1"`,
    );
    expect(listener('http://a.com/', secure)).toBeNull();
  });

  it('comes from each load balancer that serves the host, or from all if none does', () => {
    const texts = [app('web'), app('b'), alb('web', ''), alb('b', '', path('b'), '"*.b.com"')];
    const gateways = (request: string) => asked(request, ...texts).map(({ gateway }) => gateway);
    expect(gateways('http://a.com/')).toEqual(['aws-alb default/web']);
    expect(gateways('http://x.b.com/')).toEqual(['aws-alb default/b']);
    expect(gateways('http://c.com/')).toEqual(['aws-alb default/b', 'aws-alb default/web']);
  });

  it('passes over the rules before it, with the condition that failed', () => {
    const http =
      '[{match: [{headers: {x-u: {exact: a}}}], route: [{destination: {host: b}}]}, {route: [{destination: {host: web}}]}]';
    const text = `{apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: {name: web}, spec: {hosts: [web], http: ${http}}}`;
    const [answer] = asked('http://web/', service('b'), app('web'), text);
    expect(answer).toMatchObject({ gateway: 'istio mesh', destinations: [{ name: 'web' }] });
    expect(answer!.passedOver).toMatchObject([
      {
        object: { kind: 'VirtualService', name: 'web' },
        path: 'spec.http[0]',
        failed: expect.stringContaining('x-u'),
      },
    ]);
    expect(answer!.rule?.path).toBe('spec.http[1]');
  });
});
