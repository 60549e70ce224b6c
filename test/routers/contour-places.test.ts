import { describe, expect, it } from 'vitest';
import { contourRouter } from '../../src/routers';
import { app, ask, service, worldOf } from './stack';
import { ignoredBy, routed, tableOf } from './tables';

const router = contourRouter();

function proxy(name: string, spec: string, namespace = 'default'): string {
  return `apiVersion: projectcontour.io/v1\nkind: HTTPProxy\nmetadata: {name: ${name}, namespace: ${namespace}}\nspec: {${spec}}`;
}

const HOST = 'virtualhost: {fqdn: a.com}';
const TLS = 'virtualhost: {fqdn: a.com, tls: {secretName: s}}';
const root = (routes: string, more = '') => proxy('root', `${HOST}, routes: [${routes}]${more}`);
const to = (name: string, conditions = '', more = '') =>
  `{services: [{name: ${name}, port: 80}], conditions: [${conditions}]${more}}`;

const APPS = ['a', 'b', 'c'].map((name) => app(name));

describe('the routes of Contour', () => {
  it('have the place of their route and its conditions in words, the most specific first', () => {
    const conditions = [
      '{exact: /x}',
      "{regex: '/y.*'}",
      '{prefix: /z}, {header: {name: h, exact: v}}, {queryParameter: {name: q, prefix: w}}',
      '{prefix: /z}, {queryParameter: {name: q, suffix: w}}',
      '',
    ];
    expect(
      tableOf(
        router,
        ...APPS,
        root(
          [...conditions]
            .reverse()
            .map((each) => to('a', each))
            .join(', '),
        ),
      ),
    ).toEqual([
      'contour: root',
      '- HTTP on 80',
      '  root spec.routes[4]: HTTPProxy default/root for a.com: path exact /x',
      '  root spec.routes[3]: HTTPProxy default/root for a.com: path regex /y.*',
      '  root spec.routes[2]: HTTPProxy default/root for a.com: path prefix /z and header h is "v" and query parameter q begins with "w"',
      '  root spec.routes[1]: HTTPProxy default/root for a.com: path prefix /z and query parameter q ends with "w"',
      '  root spec.routes[0]: HTTPProxy default/root for a.com: path prefix /',
      '- HTTPS on 443',
    ]);
  });

  it.each<[string, string]>([
    ['{header: {name: h, present: true}}', 'HTTPProxy default/root for a.com: path prefix / and header h is there'],
    [
      '{header: {name: h, notpresent: true}}',
      'HTTPProxy default/root for a.com: path prefix / and header h is not there',
    ],
    ['{header: {name: h, exact: v}}', 'HTTPProxy default/root for a.com: path prefix / and header h is "v"'],
    ['{header: {name: h, notexact: v}}', 'HTTPProxy default/root for a.com: path prefix / and header h is not "v"'],
    ['{header: {name: h, contains: v}}', 'HTTPProxy default/root for a.com: path prefix / and header h contains "v"'],
    [
      '{header: {name: h, notcontains: v}}',
      'HTTPProxy default/root for a.com: path prefix / and header h does not contain "v"',
    ],
    ['{header: {name: h, regex: v+}}', 'HTTPProxy default/root for a.com: path prefix / and header h matches v+'],
    ['{header: {exact: v}}', 'HTTPProxy default/root for a.com: path prefix / and header  is "v"'],
    [
      '{queryParameter: {name: q, present: true}}',
      'HTTPProxy default/root for a.com: path prefix / and query parameter q is there',
    ],
    [
      '{queryParameter: {name: q, exact: v}}',
      'HTTPProxy default/root for a.com: path prefix / and query parameter q is "v"',
    ],
    [
      '{queryParameter: {name: q, contains: v}}',
      'HTTPProxy default/root for a.com: path prefix / and query parameter q contains "v"',
    ],
    [
      '{queryParameter: {name: q, prefix: v}}',
      'HTTPProxy default/root for a.com: path prefix / and query parameter q begins with "v"',
    ],
    [
      '{queryParameter: {name: q, suffix: v}}',
      'HTTPProxy default/root for a.com: path prefix / and query parameter q ends with "v"',
    ],
    [
      '{queryParameter: {name: q, regex: v}}',
      'HTTPProxy default/root for a.com: path prefix / and query parameter q matches v',
    ],
    ['{queryParameter: {exact: v}}', 'HTTPProxy default/root for a.com: path prefix / and query parameter  is "v"'],
    ['{exact: /x}', 'HTTPProxy default/root for a.com: path exact /x'],
    ['{regex: /x}', 'HTTPProxy default/root for a.com: path regex /x'],
    ['{header: {name: h, present: false}}', 'HTTPProxy default/root for a.com: path prefix /'],
  ])('%s in words: %s', (conditions, words) => {
    const [rule] = router.routes(worldOf(...APPS, root(to('a', conditions)))).loadBalancers[0]!.listeners[0]!.rules;
    expect(rule!.description).toEqual(words);
  });

  it('tell the first condition that a request misses, the host among them', () => {
    const wildcard = proxy(
      'root',
      `virtualhost: {fqdn: '*.a.com'}, routes: [${to('a', '{prefix: /x}, {header: {name: h, exact: "1"}}')}]`,
    );
    const missed = (request: object) => routed(router, [...APPS, wildcard], request).passedOver;
    expect(missed({ host: 'b.a.com', path: '/x' })).toEqual([
      'HTTPProxy default/root for *.a.com: path prefix /x and header h is "1": header h is "1"',
    ]);
    expect(missed({ host: 'b.a.com', path: '/' })).toEqual([
      'HTTPProxy default/root for *.a.com: path prefix /x and header h is "1": path prefix /x',
    ]);
    expect(missed({ host: 'c.b.a.com', path: '/' })).toEqual([
      'HTTPProxy default/root for *.a.com: path prefix /x and header h is "1": host is one label under a.com',
    ]);
    expect(missed({ host: 'b.a.com', path: '/x', headers: { h: '1' } })).toEqual([]);
  });

  it('of two hosts have listeners of their own', () => {
    const second = proxy('second', `virtualhost: {fqdn: B.com, tls: {}}, routes: [${to('b')}]`);
    expect(tableOf(router, ...APPS, root(to('a')), second)).toEqual([
      'contour: root, second',
      '- HTTP on 80',
      '  root spec.routes[0]: HTTPProxy default/root for a.com: path prefix /',
      '  second spec.routes[0]: HTTPProxy default/second for b.com: path prefix /',
      '- HTTPS on 443',
      '  second spec.routes[0]: HTTPProxy default/second for b.com: path prefix /',
    ]);
  });

  it('are told with the whole answer', () => {
    const texts = [
      ...APPS,
      service('e'),
      root('{services: [{name: a, port: http, weight: 3}, {name: e, port: 80, weight: 1}]}'),
    ];
    expect(routed(router, texts)).toEqual({
      answer: {
        kind: 'services',
        destinations: [
          {
            service: { namespace: 'default', name: 'a' },
            port: 'http',
            weight: 3,
            share: 0.75,
            workloads: ['Deployment a'],
          },
          {
            service: { namespace: 'default', name: 'e' },
            port: 80,
            weight: 1,
            unavailable: {
              reason: 'no-pods',
              why: 'Service default/e selects no pods: no workload has pods with the labels app=e',
              statusCode: '503',
            },
            share: 0.25,
            workloads: [],
          },
        ],
        sticky: false,
      },
      rule: 'root spec.routes[0]: HTTPProxy default/root for a.com: path prefix /',
      isDefault: false,
      passedOver: [],
    });
    expect(routed(router, texts, { host: 'b.com' })).toEqual({
      answer: { kind: 'fixed-response', statusCode: '404' },
      rule: undefined,
      isDefault: true,
      passedOver: [],
    });
  });
});

describe('what Contour leaves out', () => {
  const child = (conditions: string, name = 'child') => `, includes: [{name: ${name}, conditions: [${conditions}]}]`;
  const included = proxy('child', `routes: [${to('b', '{prefix: /c}')}]`);

  it.each<[string, readonly string[], string[]]>([
    [
      'two conditions on the path',
      [root(to('a', '{prefix: /x}, {exact: /y}'))],
      [
        'ignored: root spec.routes[0].conditions, invalid-conditions: there are 2 conditions on the path (prefix, exact, regex), and one is allowed, so the whole HTTPProxy is invalid and none of its routes exists',
      ],
    ],
    [
      'three conditions on the path in one',
      [root(to('a', '{prefix: /x, exact: /y, regex: /z}'))],
      [
        'ignored: root spec.routes[0].conditions, invalid-conditions: there are 3 conditions on the path (prefix, exact, regex), and one is allowed, so the whole HTTPProxy is invalid and none of its routes exists',
      ],
    ],
    [
      'a header that two conditions name',
      [root(to('a', '{header: {name: H, exact: a}}, {header: {name: h, exact: b}}'))],
      [
        'ignored: root spec.routes[0].conditions, invalid-conditions: two exact conditions name the header h, so the whole HTTPProxy is invalid and none of its routes exists',
      ],
    ],
    [
      'the second of two routes',
      [root(`${to('b')}, ${to('a', '{prefix: x}')}`)],
      [
        'ignored: root spec.routes[1].conditions, invalid-conditions: the prefix "x" does not start with a slash, so the whole HTTPProxy is invalid and none of its routes exists',
      ],
    ],
    [
      'two hosts of one name',
      [root(to('a')), proxy('other', `${HOST}, routes: []`, 'team')],
      [
        'ignored: root spec.virtualhost.fqdn, host-taken: default/root, team/other all have the fqdn a.com, so none is valid',
        'ignored: team/other spec.virtualhost.fqdn, host-taken: default/root, team/other all have the fqdn a.com, so none is valid',
      ],
    ],
    [
      'an include without an HTTPProxy',
      [root(to('a'), child('{prefix: /x}'))],
      [
        'ignored: root spec.includes[0], include: there is no HTTPProxy default/child without virtualhost to include, or it includes itself',
      ],
    ],
    [
      'an include without a name',
      [root(to('a'), ', includes: [{}]')],
      [
        'ignored: root spec.includes[0], include: there is no HTTPProxy default/ without virtualhost to include, or it includes itself',
      ],
    ],
    [
      'an include in another namespace',
      [root(to('a'), ', includes: [{name: child, namespace: team}]'), included],
      [
        'ignored: root spec.includes[0], include: there is no HTTPProxy team/child without virtualhost to include, or it includes itself',
      ],
    ],
    [
      'an include with two paths',
      [root(to('a'), child('{prefix: /x}, {prefix: /y}')), included],
      [
        'ignored: root spec.includes[0], include: there are 2 conditions on the path (prefix, exact, regex), and one is allowed',
      ],
    ],
    [
      'an include with a path that is none',
      [root(to('a'), child('{prefix: x}')), included],
      ['ignored: root spec.includes[0], include: the prefix "x" does not start with a slash'],
    ],
    [
      'an include of a root',
      [
        root(to('a'), child('{prefix: /x}', 'other')),
        proxy('other', `virtualhost: {fqdn: b.com}, routes: [${to('b')}]`),
      ],
      [
        'ignored: root spec.includes[0], include: there is no HTTPProxy default/other without virtualhost to include, or it includes itself',
      ],
    ],
    [
      'the second of two includes with the same conditions',
      [
        root(
          to('a'),
          ', includes: [{name: child, conditions: [{prefix: /x}]}, {name: child, conditions: [{prefix: /x}]}]',
        ),
        included,
      ],
      ['ignored: root spec.includes[1], include: an earlier include of this HTTPProxy has the same conditions'],
    ],
    [
      'an include that comes back',
      [root(to('a'), child('{prefix: /x}')), proxy('child', `includes: [{name: child}], routes: [${to('b')}]`)],
      [
        'ignored: child spec.includes[0], include: there is no HTTPProxy default/child without virtualhost to include, or it includes itself',
      ],
    ],
    [
      'an include with a header that its route repeats',
      [
        root(to('a'), child('{header: {name: h, exact: a}}')),
        proxy('child', `routes: [${to('b', '{header: {name: H, exact: a}}')}]`),
      ],
      [
        'ignored: child spec.routes[0].conditions, invalid-conditions: two exact conditions name the header h, so the whole HTTPProxy is invalid and none of its routes exists',
      ],
    ],
    [
      'a service without a port',
      [root('{services: [{name: a}]}')],
      [
        'ignored: root spec.routes[0].services[0], port-not-found: Service default/a has no port 0, so the service is left out',
      ],
    ],
    [
      'a service of tcpproxy',
      [proxy('root', `${TLS}, tcpproxy: {services: [{name: a, port: 80}, {name: x, port: 80}]}`)],
      [
        'ignored: root spec.tcpproxy.services[1], service-not-found: Service default/x does not exist, so the service is left out',
      ],
    ],
  ])('%s', (_, texts, expected) => expect(ignoredBy(router, ...APPS, ...texts)).toEqual(expected));

  it.each<[string, string]>([
    ['one condition on the path', '{prefix: /x}, {header: {name: h, exact: a}}'],
    ['exact conditions on two headers', '{header: {name: h, exact: a}}, {header: {name: i, exact: a}}'],
    ['an exact condition and another on a header', '{header: {name: h, exact: a}}, {header: {name: h, contains: a}}'],
    ['an empty exact condition', '{header: {name: h, exact: a}}, {header: {name: h, exact: ""}}'],
    ['an expression that does not begin with a slash', "{regex: '.*'}"],
    ['an empty prefix', '{prefix: ""}'],
  ])('nothing of %s', (_, conditions) => {
    expect(ignoredBy(router, ...APPS, root(to('a', conditions)))).toEqual([]);
    expect(ignoredBy(router, ...APPS, root(to('a'), child(conditions)), included)).toEqual([]);
  });

  it('has no load balancer without a root, and serves what no root includes nowhere', () => {
    expect(tableOf(router, ...APPS, included)).toEqual(['unserved: child']);
    expect(tableOf(router, ...APPS, root(to('a')), included)).toEqual([
      'contour: root',
      '- HTTP on 80',
      '  root spec.routes[0]: HTTPProxy default/root for a.com: path prefix /',
      '- HTTPS on 443',
      'unserved: child',
    ]);
    expect(tableOf(router, ...APPS, proxy('root', `virtualhost: {}, routes: [${to('a')}]`))).toEqual([
      'unserved: root',
    ]);
  });
});

describe('includes of Contour', () => {
  const child = proxy('child', `routes: [${to('b', '{prefix: /c}')}, ${to('c')}]`);
  const including = (conditions: string, name = 'child') =>
    root(to('a'), `, includes: [{name: ${name}, conditions: [${conditions}]}]`);

  it('give their place to nothing: the rules are those of the included HTTPProxy', () => {
    expect(tableOf(router, ...APPS, including('{prefix: /x/}, {header: {name: h, exact: v}}'), child)).toEqual([
      'contour: child, root',
      '- HTTP on 80',
      '  child spec.routes[0]: HTTPProxy default/child for a.com: path prefix /x/c and header h is "v"',
      '  child spec.routes[1]: HTTPProxy default/child for a.com: path prefix /x/ and header h is "v"',
      '  root spec.routes[0]: HTTPProxy default/root for a.com: path prefix /',
      '- HTTPS on 443',
    ]);
  });

  it('of themselves make no route', () => {
    const loop = proxy('loop', `includes: [{name: loop, conditions: [{prefix: /y}]}], routes: [${to('b')}]`);
    expect(tableOf(router, ...APPS, root('', ', includes: [{name: loop, conditions: [{prefix: /x}]}]'), loop)).toEqual([
      'contour: loop, root',
      '- HTTP on 80',
      '  loop spec.routes[0]: HTTPProxy default/loop for a.com: path prefix /x',
      '- HTTPS on 443',
      'ignored: loop spec.includes[0], include: there is no HTTPProxy default/loop without virtualhost to include, or it includes itself',
    ]);
  });

  it('of the same conditions are one, except those that take everything', () => {
    const includes = (first: string, second: string) =>
      ignoredBy(
        router,
        ...APPS,
        root('', `, includes: [{name: child, conditions: [${first}]}, {name: child, conditions: [${second}]}]`),
        child,
      ).length;
    const header = '{header: {name: h, exact: v}}';
    const caseless = '{header: {name: h, exact: v, ignoreCase: true}}';
    const query = '{queryParameter: {name: q, exact: v}}';
    expect([includes('', ''), includes('{prefix: /}', ''), includes('{prefix: /x}', '')]).toEqual([0, 0, 0]);
    expect([includes('{prefix: /x}', '{prefix: /x}'), includes(header, header), includes(query, query)]).toEqual([
      1, 1, 1,
    ]);
    expect([includes(header, caseless), includes(header, query)]).toEqual([0, 0]);
    expect(includes(`${header}, ${query}`, `${query}, ${header}`)).toBe(1);
  });

  it('that lead nowhere answer 502 where they have conditions', () => {
    expect(routed(router, [...APPS, including('{prefix: /x}', 'none')], { path: '/x' })).toEqual({
      answer: { kind: 'fixed-response', statusCode: '502' },
      rule: 'root spec.includes[0]: HTTPProxy default/root for a.com: path prefix /x',
      isDefault: false,
      passedOver: [],
    });
    expect(routed(router, [...APPS, root(to('a'), ', includes: [{name: none}]')], { path: '/x' })).toEqual({
      answer: {
        kind: 'services',
        destinations: [
          { service: { namespace: 'default', name: 'a' }, port: 80, weight: 1, share: 1, workloads: ['Deployment a'] },
        ],
        sticky: false,
      },
      rule: 'root spec.routes[0]: HTTPProxy default/root for a.com: path prefix /',
      isDefault: false,
      passedOver: [],
    });
    const loop = proxy('loop', `includes: [{name: loop, conditions: [{prefix: /y}]}], routes: [${to('b')}]`);
    expect(ask(router, worldOf(...APPS, including('{prefix: /x}', 'loop'), loop), { path: '/x/y' })).toBe('b');
  });

  it.each<[string, string, string]>([
    ['{prefix: /x}', '{prefix: /y}', 'prefix /x/y'],
    ['{prefix: /x/}', '{prefix: /y}', 'prefix /x/y'],
    ['{prefix: /x}', '{exact: /y}', 'exact /x/y'],
    ['{exact: /x}', '{prefix: /y}', 'prefix /x/y'],
    ['{exact: /x}', '{header: {name: h, present: true}}', 'prefix /x and header h is there'],
    ['{exact: /x}', '', 'exact /x'],
    ['{prefix: /x}', "{regex: '/y+'}", 'regex /x/y+'],
    ["{regex: '/x+'}", '{exact: /y}', 'regex /x+/y'],
    ['', '{prefix: //y///z}', 'prefix /y/z'],
    ['', '', 'prefix /'],
  ])('of %j and a route of %j: path %s', (outer, inner, words) => {
    const texts = [
      ...APPS,
      proxy('root', `${HOST}, includes: [{name: child, conditions: [${outer}]}]`),
      proxy('child', `routes: [${to('b', inner)}]`),
    ];
    const [rule] = router.routes(worldOf(...texts)).loadBalancers[0]!.listeners[0]!.rules;
    expect(rule!.description).toBe(`HTTPProxy default/child for a.com: path ${words}`);
  });
});
