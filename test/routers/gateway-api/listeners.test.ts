import { describe, expect, it } from 'vitest';
import { gatewayApiRouter } from '../../../src/routers';
import { app, ask, worldOf } from '../stack';
import { ignoredBy, tableOf } from '../tables';

const router = gatewayApiRouter();
const API = 'apiVersion: gateway.networking.k8s.io/v1';

const gateway = (listeners: string, more = '', name = 'edge') =>
  `${API}\nkind: Gateway\nmetadata: {name: ${name}}\nspec: {gatewayClassName: istio, listeners: [${listeners}]${more}}`;
const set = (
  name: string,
  listeners: string,
  { parent = '{name: edge}', namespace = 'default', created = '', kind = 'ListenerSet' } = {},
) =>
  `apiVersion: ${kind === 'ListenerSet' ? 'gateway.networking.k8s.io/v1' : 'gateway.networking.x-k8s.io/v1alpha1'}\nkind: ${kind}\nmetadata: {name: ${name}, namespace: ${namespace}${created}}\nspec: {parentRef: ${parent}, listeners: [${listeners}]}`;
const route = (name: string, parents: string, { namespace = 'default', hostnames = '[]', to = 'a' } = {}) =>
  `${API}\nkind: HTTPRoute\nmetadata: {name: ${name}, namespace: ${namespace}}\nspec: {parentRefs: [${parents}], hostnames: ${hostnames}, rules: [{backendRefs: [{name: ${to}, port: 80}]}]}`;
const namespace = (name: string, labels: string) =>
  `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${name}, labels: {${labels}}}`;

const listener = (name: string, port: number, more = '') => `{name: ${name}, port: ${port}, protocol: HTTP${more}}`;
const ALLOWED = (from: string) => `, allowedListeners: {namespaces: ${from}}`;
const rulesIn = (...texts: readonly string[]) => tableOf(router, ...texts);

describe('the namespaces of routes that a listener allows', () => {
  const attached = (from: string, ...more: readonly string[]) => {
    const texts = [gateway(listener('http', 80, from === '' ? '' : `, allowedRoutes: {namespaces: ${from}}`)), ...more];
    return ['default', 'team'].filter(
      (each) =>
        ignoredBy(router, ...texts, route('r', '{name: edge, namespace: default}', { namespace: each })).length === 0,
    );
  };

  it.each<[string, readonly string[], string[]]>([
    ['', [], ['default']],
    ['{from: Same}', [], ['default']],
    ['{from: All}', [], ['default', 'team']],
    ['{from: None}', [], []],
    ['{from: Other}', [], ['default']],
    ['{}', [], ['default']],
    ['{from: Selector, selector: {matchLabels: {x: "1"}}}', [namespace('team', 'x: "1"')], ['team']],
    ['{from: Selector, selector: {matchLabels: {x: "1", z: "2"}}}', [namespace('team', 'x: "1"')], []],
    ['{from: Selector, selector: {matchLabels: {x: "1"}}}', [namespace('team', 'x: "2"')], []],
    ['{from: Selector, selector: {matchLabels: {kubernetes.io/metadata.name: team}}}', [], ['team']],
    ['{from: Selector, selector: {}}', [], ['default', 'team']],
  ])('%s and %j: %j', (from, more, expected) => expect(attached(from, ...more)).toEqual(expected));
});

describe('the parent of a route', () => {
  const two = gateway(`${listener('one', 80)}, ${listener('two', 81)}`);
  const ports = (parent: string) => {
    const { loadBalancers } = router.routes(worldOf(two, route('r', parent)));
    return loadBalancers
      .find(({ name }) => name === 'default/edge')!
      .listeners.flatMap(({ port, rules }) => (rules.length > 0 ? [port] : []));
  };

  it.each<[string, number[]]>([
    ['{name: edge}', [80, 81]],
    ['{name: edge, kind: Gateway}', [80, 81]],
    ['{name: edge, namespace: default}', [80, 81]],
    ['{name: edge, namespace: team}', []],
    ['{name: edge, kind: Other}', []],
    ['{name: edge, sectionName: two}', [81]],
    ['{name: edge, sectionName: three}', []],
    ['{name: edge, port: 80}', [80]],
    ['{name: edge, port: 82}', []],
    ['{name: edge, sectionName: one, port: 81}', []],
    ['{name: edge, sectionName: one}, {name: edge, port: 81}', [80, 81]],
    ['{name: other}', []],
  ])('%s gives the ports %j', (parent, expected) => expect(ports(parent)).toEqual(expected));

  it('that is not in the manifests has listeners of any name', () => {
    expect(rulesIn(route('r', '{name: gone, sectionName: any}'))).toEqual([
      'default/gone: r',
      '- HTTP on 80',
      '  r spec.rules[0]: HTTPRoute default/r rules[0]: path is under /',
      '- HTTPS on 443',
      '  r spec.rules[0]: HTTPRoute default/r rules[0]: path is under /',
    ]);
    expect(rulesIn(route('r', '{name: gone, port: 443}'))).toEqual([
      'default/gone: r',
      '- HTTP on 80',
      '- HTTPS on 443',
      '  r spec.rules[0]: HTTPRoute default/r rules[0]: path is under /',
    ]);
    expect(rulesIn(route('r', '{name: gone, kind: ListenerSet}'))).toEqual([
      'ListenerSet default/gone: r',
      '- HTTP on 80',
      '  r spec.rules[0]: HTTPRoute default/r rules[0]: path is under /',
      '- HTTPS on 443',
      '  r spec.rules[0]: HTTPRoute default/r rules[0]: path is under /',
    ]);
  });
});

describe('listeners of a Gateway and of its ListenerSets', () => {
  const own = listener('own', 80, ', hostname: own.com');
  const toSet = '{kind: ListenerSet, name: extra}';

  it.each<[string, string, string, string[]]>([
    [
      'all namespaces',
      ALLOWED('{from: All}'),
      'team',
      ['default/edge: team/r', '- HTTP on 80', '  team/r spec.rules[0]: HTTPRoute team/r rules[0]: path is under /'],
    ],
    [
      'its own namespace',
      ALLOWED('{from: Same}'),
      'default',
      ['default/edge: r', '- HTTP on 80', '  r spec.rules[0]: HTTPRoute default/r rules[0]: path is under /'],
    ],
    [
      'another namespace',
      ALLOWED('{from: Same}'),
      'team',
      [
        'default/edge: ',
        '- HTTP on 80',
        'unserved: team/r',
        'ignored: team/r spec.parentRefs[0], not-attached: no listener of ListenerSet team/extra takes the route: see its hostname, port, sectionName and allowedRoutes, and allowedListeners of Gateway default/edge',
      ],
    ],
    [
      'none, as the default',
      '',
      'default',
      [
        'default/edge: ',
        '- HTTP on 80',
        'unserved: r',
        'ignored: r spec.parentRefs[0], not-attached: no listener of ListenerSet default/extra takes the route: see its hostname, port, sectionName and allowedRoutes, and allowedListeners of Gateway default/edge',
      ],
    ],
    [
      'none',
      ALLOWED('{from: None}'),
      'default',
      [
        'default/edge: ',
        '- HTTP on 80',
        'unserved: r',
        'ignored: r spec.parentRefs[0], not-attached: no listener of ListenerSet default/extra takes the route: see its hostname, port, sectionName and allowedRoutes, and allowedListeners of Gateway default/edge',
      ],
    ],
    [
      'chosen namespaces',
      ALLOWED('{from: Selector, selector: {matchLabels: {kubernetes.io/metadata.name: team}}}'),
      'team',
      ['default/edge: team/r', '- HTTP on 80', '  team/r spec.rules[0]: HTTPRoute team/r rules[0]: path is under /'],
    ],
  ])('of %s', (_, allowed, from, expected) => {
    const extra = set('extra', listener('shop', 80, ', hostname: a.com'), {
      namespace: from,
      parent: '{name: edge, namespace: default}',
    });
    expect(rulesIn(gateway(own, allowed), extra, route('r', toSet, { namespace: from }))).toEqual(expected);
  });

  it('that are equal belong to the Gateway, then to the older or first set', () => {
    const shop = listener('shop', 80, ', hostname: a.com');
    const all = ALLOWED('{from: All}');
    expect(rulesIn(gateway(shop, all), set('extra', shop), route('r', toSet), route('o', '{name: edge}'))).toEqual([
      'default/edge: o',
      '- HTTP on 80',
      '  o spec.rules[0]: HTTPRoute default/o rules[0]: path is under /',
      'unserved: r',
      'ignored: r spec.parentRefs[0], not-attached: no listener of ListenerSet default/extra takes the route: see its hostname, port, sectionName and allowedRoutes, and allowedListeners of Gateway default/edge',
    ]);
    const sets = [set('extra', shop), set('a-first', shop)];
    expect(
      rulesIn(gateway(own, all), ...sets, route('r', toSet), route('f', '{kind: ListenerSet, name: a-first}')),
    ).toEqual([
      'default/edge: f',
      '- HTTP on 80',
      '  f spec.rules[0]: HTTPRoute default/f rules[0]: path is under /',
      'unserved: r',
      'ignored: r spec.parentRefs[0], not-attached: no listener of ListenerSet default/extra takes the route: see its hostname, port, sectionName and allowedRoutes, and allowedListeners of Gateway default/edge',
    ]);
    const older = set('extra', shop, { created: ', creationTimestamp: "2024-01-01T00:00:00Z"' });
    expect(
      rulesIn(gateway(own, all), older, sets[1]!, route('r', toSet), route('f', '{kind: ListenerSet, name: a-first}')),
    ).toEqual([
      'default/edge: r',
      '- HTTP on 80',
      '  r spec.rules[0]: HTTPRoute default/r rules[0]: path is under /',
      'unserved: f',
      'ignored: f spec.parentRefs[0], not-attached: no listener of ListenerSet default/a-first takes the route: see its hostname, port, sectionName and allowedRoutes, and allowedListeners of Gateway default/edge',
    ]);
  });

  it('of different ports or hosts are all there', () => {
    const all = ALLOWED('{from: All}');
    const extra = set(
      'extra',
      `${listener('x', 81, ', hostname: own.com')}, ${listener('z', 80, ', hostname: z.com')}`,
    );
    expect(rulesIn(gateway(own, all), extra, route('r', toSet), route('o', '{name: edge}'))).toEqual([
      'default/edge: o, r',
      '- HTTP on 80',
      '  o spec.rules[0]: HTTPRoute default/o rules[0]: path is under /',
      '  r spec.rules[0]: HTTPRoute default/r rules[0]: path is under /',
      '- HTTP on 81',
      '  r spec.rules[0]: HTTPRoute default/r rules[0]: path is under /',
    ]);
  });

  it('of the experimental kind count as well, and of a Gateway elsewhere without asking', () => {
    const all = ALLOWED('{from: All}');
    const extra = set('extra', listener('x', 81), { kind: 'XListenerSet' });
    const toExtra = route('r', '{kind: XListenerSet, name: extra}');
    expect(rulesIn(gateway(own, all), extra, toExtra)).toEqual([
      'default/edge: r',
      '- HTTP on 80',
      '- HTTP on 81',
      '  r spec.rules[0]: HTTPRoute default/r rules[0]: path is under /',
    ]);
    expect(rulesIn(extra, toExtra)).toEqual([
      'default/edge: r',
      '- HTTP on 80',
      '- HTTP on 81',
      '  r spec.rules[0]: HTTPRoute default/r rules[0]: path is under /',
      '- HTTPS on 443',
    ]);
    expect(rulesIn(set('extra', listener('x', 81), { parent: '{}' }), route('r', toSet))).toEqual([
      'default/: r',
      '- HTTP on 80',
      '- HTTP on 81',
      '  r spec.rules[0]: HTTPRoute default/r rules[0]: path is under /',
      '- HTTPS on 443',
    ]);
  });
});

describe('requests to listeners', () => {
  const APPS = [app('a'), app('b')];
  const at = (texts: readonly string[], host: string) => ask(router, worldOf(...APPS, ...texts), { host });

  it('go to the most specific hostname, whatever it has', () => {
    const texts = [
      gateway(
        `${listener('any', 80)}, ${listener('wild', 80, ", hostname: '*.com'")}, ${listener('name', 80, ', hostname: a.com')}`,
      ),
      route('r', '{name: edge, sectionName: any}'),
      route('w', '{name: edge, sectionName: wild}', { to: 'b' }),
    ];
    expect(['a.com', 'b.com', 'c.org'].map((host) => at(texts, host))).toEqual(['404', 'b', 'a']);
  });

  it('for a host that the route and the listener have in common', () => {
    const texts = [
      gateway(listener('wild', 80, ", hostname: '*.com'")),
      route('r', '{name: edge}', { hostnames: "['*.b.com', a.com, c.org]" }),
    ];
    expect(['x.b.com', 'a.com', 'b.com', 'c.org', 'x.com'].map((host) => at(texts, host))).toEqual([
      'a',
      'a',
      '404',
      '404',
      '404',
    ]);
  });

  it('of which two routes have the host go to the more specific one', () => {
    const texts = [
      gateway(listener('any', 80)),
      route('one', '{name: edge}', { hostnames: "['*.com']" }),
      route('two', '{name: edge}', { hostnames: '[a.com]', to: 'b' }),
    ];
    expect(['a.com', 'c.com', 'c.org'].map((host) => at(texts, host))).toEqual(['b', 'a', '404']);
  });
});
