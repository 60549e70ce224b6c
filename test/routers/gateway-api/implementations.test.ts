import { describe, expect, it } from 'vitest';
import { gatewayApiRouter } from '../../../src/routers';
import { app, ask, service, worldOf } from '../stack';
import { answered, routed, tableOf } from '../tables';

const router = gatewayApiRouter();
const APPS = ['a', 'b', 'c'].map((name) => app(name));

const API = 'apiVersion: gateway.networking.k8s.io/v1';
const HTTP = '{name: http, port: 80, protocol: HTTP}';

const gateway = (className: string, listeners = HTTP, more = '') =>
  `${API}\nkind: Gateway\nmetadata: {name: edge}\nspec: {gatewayClassName: ${className}, listeners: [${listeners}]${more}}`;

function route(
  name: string,
  rules: string,
  { parents = '[{name: edge}]', hostnames = '[]', namespace = 'default' } = {},
): string {
  return `${API}\nkind: HTTPRoute\nmetadata: {name: ${name}, namespace: ${namespace}}\nspec: {parentRefs: ${parents}, hostnames: ${hostnames}, rules: [${rules}]}`;
}

const to = (name: string, matches = '', more = '') =>
  `{matches: [${matches}], backendRefs: [{name: ${name}, port: 80}]${more}}`;

describe('a Gateway whose implementation is', () => {
  const classes: readonly (readonly [string, string])[] = [
    ['istio', 'istio.io/gateway-controller'],
    ['eg', 'gateway.envoyproxy.io/gatewayclass-controller'],
    ['traefik', 'traefik.io/gateway-controller'],
  ];
  const unknown =
    '{filters: [{type: ExtensionRef, extensionRef: {group: x.io, kind: Filter, name: f}}], backendRefs: [{name: a, port: 80}]}';

  it.each(classes)('%s is known by the name of its class, and by the controller %s', (name, controller) => {
    const declared = `${API}\nkind: GatewayClass\nmetadata: {name: mine}\nspec: {controllerName: ${controller}}`;
    const texts = (className: string) => [
      ...APPS,
      route('r', `${unknown}, ${to('b', '{path: {value: /b}}')}`),
      gateway(className),
      declared,
    ];
    const of = (className: string) => tableOf(router, ...texts(className));
    expect(of('mine')).toEqual(of(name));
    expect(of(name)).not.toEqual([]);
    const answers = (className: string) => ['/', '/b'].map((path) => answered(router, texts(className), { path }));
    expect(answers('mine')).toEqual(answers(name));
  });

  it('declared counts by its controller, not by its name', () => {
    const declared = `${API}\nkind: GatewayClass\nmetadata: {name: istio}\nspec: {controllerName: traefik.io/gateway-controller}`;
    const mirror =
      '{filters: [{type: RequestMirror, requestMirror: {backendRef: {name: b, port: 80}}}], backendRefs: [{name: a, port: 80}]}';
    expect(answered(router, [...APPS, gateway('istio'), declared, route('r', mirror)])).toEqual({
      kind: 'fixed-response',
      statusCode: '500',
      messageBody: 'the gateway does not support RequestMirror',
    });
    expect(answered(router, [...APPS, gateway('istio'), route('r', mirror)])).toEqual({
      kind: 'services',
      destinations: [
        { service: { namespace: 'default', name: 'a' }, port: 80, weight: 1, share: 1, workloads: ['Deployment a'] },
      ],
      sticky: false,
    });
  });

  it.each<[string, object]>([
    [
      'istio',
      {
        table: [
          'default/edge: ',
          '- HTTP on 80',
          'unserved: r',
          'ignored: r spec.parentRefs[0], not-attached: the gateway does not know the filter Filter f, and takes no rule of the route',
        ],
        answer: { kind: 'fixed-response', statusCode: '404' },
      },
    ],
    [
      'eg',
      {
        table: ['default/edge: r', '- HTTP on 80', '  r spec.rules[0]: HTTPRoute default/r rules[0]: path is under /'],
        answer: {
          kind: 'fixed-response',
          statusCode: '500',
          messageBody: 'the gateway does not know the filter Filter f',
        },
      },
    ],
    [
      'traefik',
      {
        table: ['default/edge: r', '- HTTP on 80', '  r spec.rules[0]: HTTPRoute default/r rules[0]: path is under /'],
        answer: {
          kind: 'fixed-response',
          statusCode: '500',
          messageBody: 'the gateway does not know the filter Filter f',
        },
      },
    ],
    [
      'mine',
      {
        table: ['default/edge: r', '- HTTP on 80', '  r spec.rules[0]: HTTPRoute default/r rules[0]: path is under /'],
        answer: {
          kind: 'services',
          destinations: [
            {
              service: { namespace: 'default', name: 'a' },
              port: 80,
              weight: 1,
              share: 1,
              workloads: ['Deployment a'],
            },
          ],
          sticky: false,
        },
      },
    ],
  ])('%s: a filter that is not known', (className, expected) => {
    expect({
      table: tableOf(router, gateway(className), route('r', unknown)),
      answer: answered(router, [...APPS, gateway(className), route('r', unknown)]),
    }).toEqual(expected);
  });

  it.each<[string, string, string]>([
    ['eg', 'gateway.envoyproxy.io', 'a'],
    ['traefik', 'traefik.io', 'a'],
    ['istio', 'networking.istio.io', '404'],
    ['eg', 'traefik.io', '500 the gateway does not know the filter Filter f'],
  ])('%s: a filter of the group %s', (className, group, expected) => {
    expect(ask(router, worldOf(...APPS, gateway(className), route('r', unknown.replace('x.io', group))), {})).toBe(
      expected,
    );
  });

  it.each<[string, string, string]>([
    ['istio', '{name: a, port: 80, weight: 1}, {name: a, port: 80, weight: 3}', 'a 25%, a 75%'],
    ['eg', '{name: a, port: 80, weight: 1}, {name: a, port: 80, weight: 3}, {name: b, port: 80}', 'a 50%, b 50%'],
    ['eg', '{name: a, port: 80, weight: 1}, {name: a, port: 9000, weight: 3}', 'a 25%, a 75%'],
    ['eg', '{name: none, port: 80}, {name: e, port: 80}', '500 Service default/none does not exist'],
    ['istio', '{name: none, port: 80}, {name: e, port: 80}', 'none 50% (500 service-not-found), e 50% (503 no-pods)'],
    ['eg', '{name: none, port: 80}, {name: a, port: 80}', 'none 50% (500 service-not-found), a 50%'],
    ['eg', '{name: none, port: 80}, {name: a, port: 80, weight: 0}', '500 Service default/none does not exist'],
    ['eg', '{name: e, port: 80}', 'e (503 no-pods)'],
    ['istio', '{name: a, port: 80, weight: 0}', '500'],
    ['eg', '{name: a, port: 80, weight: 0}', '500'],
    ['traefik', '{name: a, port: 80, weight: 0}', '503'],
    ['istio', '', '500'],
    ['traefik', '', '500'],
  ])('%s: the backends %s: %s', (className, refs, expected) => {
    expect(
      ask(router, worldOf(...APPS, service('e'), gateway(className), route('r', `{backendRefs: [${refs}]}`)), {}),
    ).toBe(expected);
  });

  it.each<[string, string, string]>([
    ['istio', 'none', 'a'],
    ['eg', 'none', '500 the filter RequestMirror has no backend: Service default/none does not exist'],
    ['eg', 'e', 'a'],
    ['eg', 'b', 'a'],
    ['traefik', 'b', '500 the gateway does not support RequestMirror'],
  ])('%s: a mirror to %s: %s', (className, mirrored, expected) => {
    const rule = `{filters: [{type: RequestMirror, requestMirror: {backendRef: {name: ${mirrored}, port: 80}}}], backendRefs: [{name: a, port: 80}]}`;
    expect(ask(router, worldOf(...APPS, service('e'), gateway(className), route('r', rule)), {})).toBe(expected);
  });

  it.each<[string, string, string]>([
    ['istio', '/a%2Fb', '404'],
    ['eg', '/a%2Fb', '307 the gateway redirects to the path without escapes'],
    ['eg', '/a%5cb', '307 the gateway redirects to the path without escapes'],
    ['eg', '/a/b', 'a'],
    ['traefik', '/a%2Fb', '404'],
  ])('%s: the path %s: %s', (className, target, expected) => {
    const texts = [...APPS, gateway(className), route('r', to('a', '{path: {value: /a/b}}'))];
    expect(ask(router, worldOf(...texts), { path: target, target })).toBe(expected);
  });

  it.each([
    ['istio', '404', 'a', '404', 'a'],
    ['eg', '404', 'a', '404', 'a'],
    ['traefik', 'a', 'a', 'b', 'b'],
  ])(
    '%s: a host with a dot, without one, a path of the wildcard alone, a longer path of the wildcard',
    (className, dotted, plain, fallen, longer) => {
      const exact = route('exact', to('a', '{path: {value: /x}}'), { hostnames: '[a.com]' });
      const wild = route(
        'wild',
        `${to('b', '{path: {value: /y}}')}, ${to('b', '{path: {type: Exact, value: /x/z}}')}`,
        { hostnames: "['*.com']" },
      );
      const at = (host: string, path: string) =>
        ask(router, worldOf(...APPS, gateway(className), exact, wild), { host, path });
      expect([at('a.com.', '/x'), at('a.com', '/x'), at('a.com', '/y'), at('a.com', '/x/z')]).toEqual([
        dotted,
        plain,
        fallen,
        longer,
      ]);
    },
  );

  it.each([
    ['istio', 'a', '404'],
    ['eg', 'a', '404'],
    ['traefik', 'a', 'b'],
  ])('%s: the first of equal rules is %s, and behind a listener without routes is %s', (className, first, behind) => {
    const equal = [gateway(className), route('r', `${to('a')}, ${to('b')}`)];
    expect(ask(router, worldOf(...APPS, ...equal), {})).toBe(first);
    const listeners = '{name: any, port: 80, protocol: HTTP}, {name: named, port: 80, protocol: HTTP, hostname: a.com}';
    const isolated = [
      gateway(className, listeners),
      route('r', to('b'), { parents: '[{name: edge, sectionName: any}]' }),
    ];
    expect(ask(router, worldOf(...APPS, ...isolated), {})).toBe(behind);
  });

  it.each<[string, boolean]>([
    ['istio', false],
    ['eg', true],
    ['traefik', false],
  ])('%s: pods behind two backends count once: %j', (className, countsPodsOnce) => {
    expect(answered(router, [...APPS, gateway(className), route('r', to('a'))])).toEqual({
      kind: 'services',
      destinations: [
        { service: { namespace: 'default', name: 'a' }, port: 80, weight: 1, workloads: ['Deployment a'], share: 1 },
      ],
      sticky: false,
      ...(countsPodsOnce && { countsPodsOnce }),
    });
  });

  it('not known says what the known ones answer', () => {
    const answer = (rules: string, request: object = {}) =>
      routed(router, [...APPS, service('e'), gateway('mine'), route('r', rules)], request);
    const regex = '{headers: [{name: x, type: RegularExpression, value: a+}]}';
    expect(
      answer(
        `{matches: [${regex}], backendRefs: [{name: a, port: 80, weight: 2}, {name: b, port: 80}, {name: c, port: 80, weight: 0}]}`,
        { headers: { x: 'aab' } },
      ),
    ).toEqual({
      answer: {
        kind: 'unknown',
        why: 'Istio and Envoy Gateway answer with 404, Traefik with 66.7 % a and 33.3 % b, and the implementation of this Gateway is not known',
        decidedBy: 'implementation',
      },
      rule: undefined,
      isDefault: true,
      passedOver: ['HTTPRoute default/r rules[0]: path is under / and header x matches a+: header x matches a+'],
    });
    expect(
      answer(`{matches: [${regex}], filters: [{type: RequestRedirect, requestRedirect: {}}]}`, {
        headers: { x: 'aab' },
      }).answer,
    ).toEqual({
      kind: 'unknown',
      why: 'Istio and Envoy Gateway answer with 404, Traefik with a redirect (302), and the implementation of this Gateway is not known',
      decidedBy: 'implementation',
    });
    expect(
      answer(`{matches: [${regex}], backendRefs: [{name: e, port: 80}]}`, { headers: { x: 'aab' } }).answer,
    ).toEqual({
      kind: 'unknown',
      why: 'Istio and Envoy Gateway answer with 404, Traefik with an error, and the implementation of this Gateway is not known',
      decidedBy: 'implementation',
    });
    expect(
      answer(`{matches: [${regex}], backendRefs: [{group: traefik.io, kind: TraefikService, name: t}]}`, {
        headers: { x: 'aab' },
      }).answer,
    ).toEqual({
      kind: 'unknown',
      why: 'Istio and Envoy Gateway answer with 404, Traefik with TraefikService default/t, and the implementation of this Gateway is not known',
      decidedBy: 'implementation',
    });
    expect(answer(to('a', '{path: {value: /a/b}}'), { path: '/a%2Fb', target: '/a%2Fb' }).answer).toEqual({
      kind: 'unknown',
      why: 'Istio and Traefik answer with 404, Envoy Gateway with 307, and the implementation of this Gateway is not known',
      decidedBy: 'implementation',
    });
    expect(answer(to('a', regex), { headers: { x: 'aa' } })).toEqual({
      answer: {
        kind: 'services',
        destinations: [
          { service: { namespace: 'default', name: 'a' }, port: 80, weight: 1, share: 1, workloads: ['Deployment a'] },
        ],
        sticky: false,
      },
      rule: 'r spec.rules[0]: HTTPRoute default/r rules[0]: path is under / and header x matches a+',
      isDefault: false,
      passedOver: [],
    });
    expect(answer(to('a', regex), {}).passedOver).toEqual([
      'HTTPRoute default/r rules[0]: path is under / and header x matches a+: header x matches a+',
    ]);
  });

  it('not known has the rules of the others once', () => {
    expect(
      tableOf(
        router,
        gateway('mine'),
        route('r', `${to('a')}, ${unknown}`),
        route('lost', to('a'), { parents: '[{name: edge, port: 1}]' }),
      ),
    ).toEqual([
      'default/edge: r',
      '- HTTP on 80',
      '  r spec.rules[0]: HTTPRoute default/r rules[0]: path is under /',
      '  r spec.rules[1]: HTTPRoute default/r rules[1]: path is under /',
      'unserved: lost',
      'ignored: lost spec.parentRefs[0], not-attached: no listener of Gateway default/edge takes the route: see its hostname, port, sectionName and allowedRoutes',
    ]);
  });
});
