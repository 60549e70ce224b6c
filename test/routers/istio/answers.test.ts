import { describe, expect, it } from 'vitest';
import { istioRouter } from '../../../src/routers';
import { app, ask, service, worldOf } from '../stack';
import { answered, routed } from '../tables';

const router = istioRouter();

function virtualService(
  name: string,
  http: string,
  { hosts = '[web]', more = '', namespace = 'default' } = {},
): string {
  return `apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {name: ${name}, namespace: ${namespace}}\nspec: {hosts: ${hosts}, http: [${http}]${more}}`;
}

const gateway = (servers: string, name = 'edge') =>
  `apiVersion: networking.istio.io/v1\nkind: Gateway\nmetadata: {name: ${name}}\nspec: {servers: [${servers}]}`;
const to = (host: string, more = '') => `route: [{destination: {host: ${host}${more}}}]`;
const APPS = [app('web'), app('b')];
const mesh = { loadBalancer: 'mesh', host: 'web' } as const;

describe('the answers of Istio', () => {
  const answer = (rule: string, ...texts: readonly string[]) =>
    answered(router, [...APPS, ...texts, virtualService('vs', `{${rule}}`)], mesh);

  it.each<[string, string, object]>([
    [
      'a redirect with every part',
      'redirect: {uri: /x, authority: a.com, scheme: https, port: 8443, redirectCode: 308}',
      { kind: 'redirect', statusCode: '308', protocol: 'HTTPS', host: 'a.com', port: '8443', path: '/x' },
    ],
    ['a redirect with nothing', 'redirect: {}', { kind: 'redirect', statusCode: '301' }],
    ['a redirect with the code 0', 'redirect: {redirectCode: 0}', { kind: 'redirect', statusCode: '301' }],
    [
      'a redirect before a response',
      `redirect: {uri: /x}, directResponse: {status: 200}, ${to('web')}`,
      { kind: 'redirect', statusCode: '301', path: '/x' },
    ],
    [
      'a response before a route',
      `directResponse: {status: 418}, ${to('web')}`,
      { kind: 'fixed-response', statusCode: '418' },
    ],
    [
      'a response without a status',
      'directResponse: {body: {string: hi}}',
      { kind: 'fixed-response', statusCode: '0', messageBody: 'hi' },
    ],
    [
      'an abort of every request',
      'fault: {abort: {httpStatus: 500, percentage: {value: 100}}}, redirect: {}',
      { kind: 'fixed-response', statusCode: '500' },
    ],
    [
      'a route beside an abort of some requests',
      `fault: {abort: {httpStatus: 500, percentage: {value: 99.9}}}, ${to('web')}`,
      {
        kind: 'services',
        destinations: [
          {
            service: { namespace: 'default', name: 'web' },
            port: 80,
            weight: 1,
            share: 1,
            workloads: ['Deployment web'],
          },
        ],
        sticky: false,
      },
    ],
    [
      'a route beside an abort without a share',
      `fault: {abort: {httpStatus: 500}}, ${to('web')}`,
      {
        kind: 'services',
        destinations: [
          {
            service: { namespace: 'default', name: 'web' },
            port: 80,
            weight: 1,
            share: 1,
            workloads: ['Deployment web'],
          },
        ],
        sticky: false,
      },
    ],
    [
      'a route beside an abort without a status',
      `fault: {abort: {percentage: {value: 100}}}, ${to('web')}`,
      {
        kind: 'services',
        destinations: [
          {
            service: { namespace: 'default', name: 'web' },
            port: 80,
            weight: 1,
            share: 1,
            workloads: ['Deployment web'],
          },
        ],
        sticky: false,
      },
    ],
    [
      'destinations with and without a weight',
      'route: [{destination: {host: web, port: {number: 80}}, weight: 3}, {destination: {host: b}, weight: 1}, {destination: {host: b}}]',
      {
        kind: 'services',
        destinations: [
          {
            service: { namespace: 'default', name: 'web' },
            port: 80,
            weight: 3,
            share: 0.75,
            workloads: ['Deployment web'],
          },
          {
            service: { namespace: 'default', name: 'b' },
            port: 80,
            weight: 1,
            share: 0.25,
            workloads: ['Deployment b'],
          },
          { service: { namespace: 'default', name: 'b' }, port: 80, weight: 0, share: 0, workloads: ['Deployment b'] },
        ],
        sticky: false,
      },
    ],
    [
      'a subset that nobody declares',
      to('web', ', subset: v2'),
      {
        kind: 'services',
        destinations: [
          {
            service: { namespace: 'default', name: 'web' },
            port: 80,
            subset: { name: 'v2', labels: {} },
            weight: 1,
            unavailable: {
              reason: 'subset-not-found',
              why: 'no DestinationRule for web.default.svc.cluster.local has a subset "v2"',
              statusCode: '503',
            },
            share: 1,
          },
        ],
        sticky: false,
      },
    ],
    [
      'a host that nobody declares',
      to('x.com', ', port: {number: 8080}'),
      {
        kind: 'services',
        destinations: [
          {
            target: 'x.com',
            port: 8080,
            weight: 1,
            unavailable: {
              reason: 'service-not-found',
              why: 'the mesh knows no host x.com; did you mean x.com.svc.cluster.local?',
              statusCode: '503',
            },
            share: 1,
          },
        ],
        sticky: false,
      },
    ],
    [
      'a Service that does not exist',
      to('x', ', port: {number: 8080}'),
      {
        kind: 'services',
        destinations: [
          {
            service: { namespace: 'default', name: 'x' },
            port: 8080,
            weight: 1,
            unavailable: {
              reason: 'service-not-found',
              why: 'the mesh knows no host x.default.svc.cluster.local',
              statusCode: '503',
            },
            share: 1,
          },
        ],
        sticky: false,
      },
    ],
    [
      'no destination',
      'route: [{}]',
      {
        kind: 'services',
        destinations: [
          {
            target: '.default.svc.cluster.local',
            weight: 1,
            unavailable: {
              reason: 'service-not-found',
              why: 'the mesh knows no host .default.svc.cluster.local',
              statusCode: '503',
            },
            share: 1,
          },
        ],
        sticky: false,
      },
    ],
    ['no route', 'name: x', { kind: 'services', destinations: [], sticky: false }],
  ])('can be %s', (_, rule, expected) => expect(answer(rule)).toEqual(expected));

  it('know the hosts of ServiceEntries, with their port', () => {
    const entry =
      'apiVersion: networking.istio.io/v1\nkind: ServiceEntry\nmetadata: {name: api}\nspec: {hosts: [api.com, b.com]}';
    expect(answer(to('b.com'), entry)).toEqual({
      kind: 'services',
      destinations: [{ target: 'b.com', weight: 1, share: 1 }],
      sticky: false,
    });
    expect(answer(to('api.com', ', port: {number: 443}'), entry)).toEqual({
      kind: 'services',
      destinations: [{ target: 'api.com', port: 443, weight: 1, share: 1 }],
      sticky: false,
    });
  });

  it('use the only port of a Service, or else that of the listener', () => {
    const single = service('one').replace(', {name: admin, port: 9000}', '').replace('port: 80,', 'port: 8080,');
    expect(answer(to('one'), single)).toEqual({
      kind: 'services',
      destinations: [
        {
          service: { namespace: 'default', name: 'one' },
          port: 8080,
          weight: 1,
          unavailable: {
            reason: 'no-pods',
            why: 'Service default/one selects no pods: no workload has pods with the labels app=one',
            statusCode: '503',
          },
          share: 1,
          workloads: [],
        },
      ],
      sticky: false,
    });
    expect(answered(router, [...APPS, virtualService('vs', `{${to('b')}}`)], { ...mesh, port: 9000 })).toEqual({
      kind: 'services',
      destinations: [
        { service: { namespace: 'default', name: 'b' }, port: 9000, weight: 1, share: 1, workloads: ['Deployment b'] },
      ],
      sticky: false,
    });
  });

  it.each<[string, string, string, string]>([
    ['its own namespace', 'default', 'web', 'web:v (503 no-pods)'],
    ['the namespace of the client', 'client', 'web.default.svc.cluster.local', 'web:v (503 no-pods)'],
    ['the root namespace', 'istio-system', 'web.default.svc.cluster.local', 'web:v (503 no-pods)'],
    ['a wildcard', 'default', "'*.default.svc.cluster.local'", 'web:v (503 no-pods)'],
    ['another namespace', 'team', 'web.default.svc.cluster.local', 'web:v (503 subset-not-found)'],
    ['another host', 'default', 'b', 'web:v (503 subset-not-found)'],
  ])('find the subsets of a DestinationRule of %s', (_, namespace, host, expected) => {
    const rule = `apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: {name: d, namespace: ${namespace}}\nspec: {host: ${host}, subsets: [{name: x}, {name: v, labels: {version: v2}}]}`;
    const vs = virtualService('vs', `{${to('web.default.svc.cluster.local', ', subset: v')}}`, {
      namespace: 'client',
      hosts: '[a.com]',
    });
    expect(ask(router, worldOf(...APPS, rule, vs), { loadBalancer: 'mesh', host: 'a.com' })).toBe(expected);
  });

  it('prefer the rules of the client to those of the Service to those of the mesh', () => {
    const rule = (namespace: string, version: string) =>
      `apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: {name: d, namespace: ${namespace}}\nspec: {host: web.default.svc.cluster.local, subsets: [{name: v, labels: {version: ${version}}}]}`;
    const vs = virtualService('vs', `{${to('web.default.svc.cluster.local', ', subset: v')}}`, {
      namespace: 'client',
      hosts: '[a.com]',
    });
    const labels = (...rules: readonly string[]) =>
      JSON.stringify(answered(router, [...APPS, ...rules, vs], { loadBalancer: 'mesh' })).match(
        /"labels":\{"version":"(\w+)"/,
      )?.[1];
    const [own, home, root] = [rule('client', 'own'), rule('default', 'home'), rule('istio-system', 'root')];
    expect([labels(root, home, own), labels(root, home), labels(root)]).toEqual(['own', 'home', 'root']);
  });

  it('without a VirtualService are the Service with its port, or the host', () => {
    expect(routed(router, APPS, { ...mesh, port: 9000 })).toEqual({
      answer: {
        kind: 'services',
        destinations: [
          {
            service: { namespace: 'default', name: 'web' },
            port: 9000,
            weight: 1,
            share: 1,
            workloads: ['Deployment web'],
          },
        ],
        sticky: false,
      },
      rule: undefined,
      isDefault: true,
      passedOver: [],
    });
    expect(routed(router, APPS, { ...mesh, host: 'API.com' })).toEqual({
      answer: { kind: 'services', destinations: [{ target: 'api.com', port: 80, weight: 1, share: 1 }], sticky: false },
      rule: undefined,
      isDefault: true,
      passedOver: [],
    });
  });
});

describe('requests to a Gateway', () => {
  const servers = "{port: {number: 80, protocol: HTTP}, hosts: ['team/a.com', './b.com', 'c.com', '*/d.com']}";
  const vs = (host: string, namespace = 'default') =>
    virtualService('vs', `{directResponse: {status: 418}}`, {
      hosts: `[${host}]`,
      namespace,
      more: ', gateways: [default/edge]',
    });
  const at = (texts: readonly string[], host: string) =>
    ask(router, worldOf(gateway(servers), ...texts), { loadBalancer: 'default/edge', host });

  it.each<[string, string, string]>([
    ['a.com', 'default', '404'],
    ['a.com', 'team', '418'],
    ['b.com', 'default', '418'],
    ['b.com', 'team', '404'],
    ['c.com', 'team', '418'],
    ['d.com', 'team', '418'],
    ['e.com', 'default', '404'],
  ])('for %s go to a VirtualService of the namespace %s: %s', (host, namespace, expected) => {
    expect(at([vs(host, namespace)], host)).toBe(expected);
  });

  it('are redirected for the hosts of the server alone', () => {
    const redirecting =
      "{port: {number: 80, protocol: HTTP}, hosts: ['./a.com'], tls: {httpsRedirect: true}}, {port: {number: 80, protocol: HTTP}, hosts: [b.com], tls: {httpsRedirect: false}}";
    const texts = [gateway(redirecting), vs('a.com'), vs('b.com').replace('name: vs', 'name: vs2')];
    expect(routed(router, texts, { loadBalancer: 'default/edge' })).toEqual({
      answer: { kind: 'redirect', statusCode: '301', protocol: 'HTTPS' },
      rule: undefined,
      isDefault: true,
      passedOver: [],
    });
    expect(routed(router, texts, { loadBalancer: 'default/edge', host: 'b.com' })).toEqual({
      answer: { kind: 'fixed-response', statusCode: '418' },
      rule: 'vs2 spec.http[0]: VirtualService default/vs2 http[0]: any request',
      isDefault: false,
      passedOver: [],
    });
    expect(routed(router, texts, { loadBalancer: 'default/edge', host: 'c.com' })).toEqual({
      answer: { kind: 'fixed-response', statusCode: '404' },
      rule: undefined,
      isDefault: true,
      passedOver: [],
    });
  });

  it('try rules that take everything last, where VirtualServices share a host', () => {
    const all = virtualService('a', `{directResponse: {status: 200}}`, {
      hosts: '[c.com]',
      more: ', gateways: [edge]',
    });
    const some = virtualService('b', `{match: [{uri: {exact: /x}}], directResponse: {status: 201}}`, {
      hosts: '[c.com]',
      more: ', gateways: [edge]',
    });
    expect(
      routed(router, [gateway(servers), all, some], { loadBalancer: 'default/edge', host: 'c.com', path: '/x' }),
    ).toEqual({
      answer: { kind: 'fixed-response', statusCode: '201' },
      rule: 'b spec.http[0]: VirtualService default/b http[0]: path is "/x"',
      isDefault: false,
      passedOver: [],
    });
    expect(routed(router, [gateway(servers), all, some], { loadBalancer: 'default/edge', host: 'c.com' })).toEqual({
      answer: { kind: 'fixed-response', statusCode: '200' },
      rule: 'a spec.http[0]: VirtualService default/a http[0]: any request',
      isDefault: false,
      passedOver: ['VirtualService default/b http[0]: path is "/x": path is "/x"'],
    });
  });

  it('have the scheme and the port of their listener, and no labels of clients', () => {
    const both =
      "{port: {number: 80, protocol: HTTP}, hosts: ['*']}, {port: {number: 443, protocol: HTTPS}, hosts: ['*']}";
    const matches = (match: string, request: object) =>
      ask(
        router,
        worldOf(
          gateway(both),
          virtualService('v', `{match: [${match}], directResponse: {status: 201}}`, {
            hosts: '[a.com]',
            more: ', gateways: [edge]',
          }),
        ),
        { loadBalancer: 'default/edge', ...request },
      );
    expect([80, 443].map((port) => matches('{scheme: {exact: https}}', { port }))).toEqual(['404', '201']);
    expect([80, 443].map((port) => matches('{scheme: {exact: http}}', { port }))).toEqual(['201', '404']);
    expect([80, 443].map((port) => matches('{port: 443}', { port }))).toEqual(['404', '201']);
    const source = { labels: { app: 'a' }, namespace: 'n' };
    expect(matches('{sourceLabels: {app: a}}', { source })).toBe('404');
    expect(matches('{sourceLabels: {app: a}, gateways: [edge]}', { source })).toBe('201');
    expect(matches('{gateways: [other]}', {})).toBe('404');
    expect(matches('{gateways: [mesh]}', {})).toBe('404');
    expect(matches('{gateways: [other, ./edge]}', {})).toBe('201');
  });
});
