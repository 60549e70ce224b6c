import { describe, expect, it } from 'vitest';
import { nginxRouter } from '../../../src/routers';
import { app, ask, worldOf } from '../stack';
import { ignoredBy, routed, tableOf } from '../tables';

const router = nginxRouter();
const PREFIX = 'nginx.ingress.kubernetes.io';

type Annotations = Readonly<Record<string, string>>;

function ingress(name: string, annotations: Annotations = {}, spec = `rules: [${rule(name)}]`): string {
  const lines = Object.entries(annotations).map(([key, value]) => `${PREFIX}/${key}: ${JSON.stringify(value)}`);
  return `apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: ${name}, annotations: {${lines.join(', ')}}}\nspec: {ingressClassName: nginx, ${spec}}`;
}

const backend = (name: string, port = '{number: 80}') => `{service: {name: ${name}, port: ${port}}}`;
const path = (to: string, at = '/', pathType = 'Prefix') =>
  `{path: "${at}", pathType: ${pathType}, backend: ${to.startsWith('{') ? to : backend(to)}}`;
const rule = (to: string, at = '/', { host = 'a.com', pathType = 'Prefix' } = {}) =>
  `{host: "${host}", http: {paths: [${path(to, at, pathType)}]}}`;
const canary = (annotations: Annotations, spec?: string) =>
  ingress('web-canary', { canary: 'true', ...annotations }, spec);
const BUCKET = '{resource: {kind: Bucket, name: x}}';

const APPS = [app('web'), app('web-canary')];

describe('the locations of nginx', () => {
  it('have the place of their path, the most specific host and the longest path first, on both ports', () => {
    const paths = [
      path('a', '/x', 'Exact'),
      path('a', '/y'),
      path('a', '/long/'),
      path('a', ''),
      path('a', '/e', 'Exact'),
      path('a', '/e'),
    ];
    const texts = [
      ingress('any', {}, `rules: [${rule('a', '/', { host: '' })}]`),
      ingress('wild', {}, `rules: [${rule('a', '/', { host: '*.b.com' })}]`),
      ingress('one', {}, `rules: [{host: A.com, http: {paths: [${paths.join(', ')}]}}]`),
    ];
    expect(tableOf(router, ...texts)).toEqual([
      'nginx: any, one, wild',
      '- HTTP on 80',
      '  one spec.rules[0].http.paths[2]: HTTP a.com, path /long/*, without the slash',
      '  one spec.rules[0].http.paths[2]: HTTP a.com, path /long/*',
      '  one spec.rules[0].http.paths[2]: HTTP a.com, path = /long/, without the slash',
      '  one spec.rules[0].http.paths[2]: HTTP a.com, path = /long/',
      '  one spec.rules[0].http.paths[1]: HTTP a.com, path /y/*, without the slash',
      '  one spec.rules[0].http.paths[1]: HTTP a.com, path /y/*',
      '  one spec.rules[0].http.paths[1]: HTTP a.com, path = /y',
      '  one spec.rules[0].http.paths[0]: HTTP a.com, path = /x',
      '  one spec.rules[0].http.paths[4]: HTTP a.com, path = /e',
      '  one spec.rules[0].http.paths[5]: HTTP a.com, path /e/*, without the slash',
      '  one spec.rules[0].http.paths[5]: HTTP a.com, path /e/*',
      '  one spec.rules[0].http.paths[3]: HTTP a.com, path /*',
      '  wild spec.rules[0].http.paths[0]: HTTP *.b.com, path /*',
      '  any spec.rules[0].http.paths[0]: HTTP all hosts, path /*',
      '- HTTPS on 443',
      '  one spec.rules[0].http.paths[2]: HTTPS a.com, path /long/*, without the slash',
      '  one spec.rules[0].http.paths[2]: HTTPS a.com, path /long/*',
      '  one spec.rules[0].http.paths[2]: HTTPS a.com, path = /long/, without the slash',
      '  one spec.rules[0].http.paths[2]: HTTPS a.com, path = /long/',
      '  one spec.rules[0].http.paths[1]: HTTPS a.com, path /y/*, without the slash',
      '  one spec.rules[0].http.paths[1]: HTTPS a.com, path /y/*',
      '  one spec.rules[0].http.paths[1]: HTTPS a.com, path = /y',
      '  one spec.rules[0].http.paths[0]: HTTPS a.com, path = /x',
      '  one spec.rules[0].http.paths[4]: HTTPS a.com, path = /e',
      '  one spec.rules[0].http.paths[5]: HTTPS a.com, path /e/*, without the slash',
      '  one spec.rules[0].http.paths[5]: HTTPS a.com, path /e/*',
      '  one spec.rules[0].http.paths[3]: HTTPS a.com, path /*',
      '  wild spec.rules[0].http.paths[0]: HTTPS *.b.com, path /*',
      '  any spec.rules[0].http.paths[0]: HTTPS all hosts, path /*',
    ]);
  });

  it('of a host with an expression are expressions, to the last', () => {
    const regex = ingress('regex', { 'use-regex': 'true' }, `rules: [${rule('a', '/v[0-9]')}]`);
    expect(
      tableOf(
        router,
        regex,
        ingress(
          'plain',
          {},
          `rules: [${rule('a', '/x/', { pathType: 'Exact' })}, ${rule('a', '/y', { host: 'b.com' })}]`,
        ),
      ),
    ).toEqual([
      'nginx: plain, regex',
      '- HTTP on 80',
      '  regex spec.rules[0].http.paths[0]: HTTP a.com, path ~* ^/v[0-9]',
      '  plain spec.rules[0].http.paths[0]: HTTP a.com, path ~* ^/x/',
      '  plain spec.rules[0]: HTTP a.com, path ~* ^/',
      '  plain spec.rules[1].http.paths[0]: HTTP b.com, path /y/*, without the slash',
      '  plain spec.rules[1].http.paths[0]: HTTP b.com, path /y/*',
      '  plain spec.rules[1].http.paths[0]: HTTP b.com, path = /y',
      '  plain spec.rules[1]: HTTP b.com, path /*',
      '- HTTPS on 443',
      '  regex spec.rules[0].http.paths[0]: HTTPS a.com, path ~* ^/v[0-9]',
      '  plain spec.rules[0].http.paths[0]: HTTPS a.com, path ~* ^/x/',
      '  plain spec.rules[0]: HTTPS a.com, path ~* ^/',
      '  plain spec.rules[1].http.paths[0]: HTTPS b.com, path /y/*, without the slash',
      '  plain spec.rules[1].http.paths[0]: HTTPS b.com, path /y/*',
      '  plain spec.rules[1].http.paths[0]: HTTPS b.com, path = /y',
      '  plain spec.rules[1]: HTTPS b.com, path /*',
    ]);
  });

  it('of a canary have the place of its annotation, and the rest that of the path', () => {
    const all = { 'canary-by-header': 'x-c', 'canary-by-cookie': 'g', 'canary-weight': '20' };
    expect(tableOf(router, ...APPS, ingress('web'), canary(all))).toEqual([
      'nginx: web, web-canary',
      '- HTTP on 80',
      '  web-canary metadata.annotations["nginx.ingress.kubernetes.io/canary-by-header"]: HTTP a.com, path /*, header x-c is "always"',
      '  web-canary metadata.annotations["nginx.ingress.kubernetes.io/canary-by-header"]: HTTP a.com, path /*, header x-c is "never"',
      '  web-canary metadata.annotations["nginx.ingress.kubernetes.io/canary-by-cookie"]: HTTP a.com, path /*, cookie g is "always"',
      '  web-canary metadata.annotations["nginx.ingress.kubernetes.io/canary-by-cookie"]: HTTP a.com, path /*, cookie g is "never"',
      '  web spec.rules[0].http.paths[0]: HTTP a.com, path /*',
      '- HTTPS on 443',
      '  web-canary metadata.annotations["nginx.ingress.kubernetes.io/canary-by-header"]: HTTPS a.com, path /*, header x-c is "always"',
      '  web-canary metadata.annotations["nginx.ingress.kubernetes.io/canary-by-header"]: HTTPS a.com, path /*, header x-c is "never"',
      '  web-canary metadata.annotations["nginx.ingress.kubernetes.io/canary-by-cookie"]: HTTPS a.com, path /*, cookie g is "always"',
      '  web-canary metadata.annotations["nginx.ingress.kubernetes.io/canary-by-cookie"]: HTTPS a.com, path /*, cookie g is "never"',
      '  web spec.rules[0].http.paths[0]: HTTPS a.com, path /*',
    ]);
    expect(tableOf(router, ...APPS, ingress('web'), canary({ ...all, 'canary-by-header-pattern': 'a+' }))).toEqual([
      'nginx: web, web-canary',
      '- HTTP on 80',
      '  web-canary metadata.annotations["nginx.ingress.kubernetes.io/canary-by-header"]: HTTP a.com, path /*, header x-c matches a+',
      '  web-canary metadata.annotations["nginx.ingress.kubernetes.io/canary-by-cookie"]: HTTP a.com, path /*, cookie g is "always"',
      '  web-canary metadata.annotations["nginx.ingress.kubernetes.io/canary-by-cookie"]: HTTP a.com, path /*, cookie g is "never"',
      '  web spec.rules[0].http.paths[0]: HTTP a.com, path /*',
      '- HTTPS on 443',
      '  web-canary metadata.annotations["nginx.ingress.kubernetes.io/canary-by-header"]: HTTPS a.com, path /*, header x-c matches a+',
      '  web-canary metadata.annotations["nginx.ingress.kubernetes.io/canary-by-cookie"]: HTTPS a.com, path /*, cookie g is "always"',
      '  web-canary metadata.annotations["nginx.ingress.kubernetes.io/canary-by-cookie"]: HTTPS a.com, path /*, cookie g is "never"',
      '  web spec.rules[0].http.paths[0]: HTTPS a.com, path /*',
    ]);
    expect(
      tableOf(router, ...APPS, ingress('web'), canary({ 'canary-by-header': 'x-c', 'canary-by-header-pattern': '(' })),
    ).toEqual([
      'nginx: web, web-canary',
      '- HTTP on 80',
      '  web-canary metadata.annotations["nginx.ingress.kubernetes.io/canary-by-header"]: HTTP a.com, path /*, header x-c cannot be matched with (',
      '  web spec.rules[0].http.paths[0]: HTTP a.com, path /*',
      '- HTTPS on 443',
      '  web-canary metadata.annotations["nginx.ingress.kubernetes.io/canary-by-header"]: HTTPS a.com, path /*, header x-c cannot be matched with (',
      '  web spec.rules[0].http.paths[0]: HTTPS a.com, path /*',
    ]);
    expect(
      tableOf(
        router,
        ...APPS,
        ingress('web'),
        canary({ 'canary-by-header': 'x-c', 'canary-by-header-value': 'v', 'canary-by-header-pattern': '(' }),
      ),
    ).toEqual([
      'nginx: web, web-canary',
      '- HTTP on 80',
      '  web-canary metadata.annotations["nginx.ingress.kubernetes.io/canary-by-header"]: HTTP a.com, path /*, header x-c is "v"',
      '  web spec.rules[0].http.paths[0]: HTTP a.com, path /*',
      '- HTTPS on 443',
      '  web-canary metadata.annotations["nginx.ingress.kubernetes.io/canary-by-header"]: HTTPS a.com, path /*, header x-c is "v"',
      '  web spec.rules[0].http.paths[0]: HTTPS a.com, path /*',
    ]);
    expect(tableOf(router, ...APPS, ingress('web'), canary({}))).toEqual([
      'nginx: web, web-canary',
      '- HTTP on 80',
      '  web spec.rules[0].http.paths[0]: HTTP a.com, path /*',
      '- HTTPS on 443',
      '  web spec.rules[0].http.paths[0]: HTTPS a.com, path /*',
    ]);
  });

  it('are defaults where they exist for the host alone', () => {
    const all = ingress('all', {}, `defaultBackend: ${backend('web')}, rules: [${rule('web', '/x')}]`);
    const second = ingress(
      'second',
      {},
      `defaultBackend: ${backend('web-canary')}, rules: [${rule('web', '/x', { host: 'b.com' })}]`,
    );
    expect(tableOf(router, ...APPS, all, second)).toEqual([
      'nginx: all, second',
      '- HTTP on 80',
      '  all spec.rules[0].http.paths[0]: HTTP a.com, path /x/*, without the slash',
      '  all spec.rules[0].http.paths[0]: HTTP a.com, path /x/*',
      '  all spec.rules[0].http.paths[0]: HTTP a.com, path = /x',
      '  all spec.defaultBackend: HTTP a.com, path /*',
      '  second spec.rules[0].http.paths[0]: HTTP b.com, path /x/*, without the slash',
      '  second spec.rules[0].http.paths[0]: HTTP b.com, path /x/*',
      '  second spec.rules[0].http.paths[0]: HTTP b.com, path = /x',
      '  second spec.defaultBackend: HTTP b.com, path /*',
      '- HTTPS on 443',
      '  all spec.rules[0].http.paths[0]: HTTPS a.com, path /x/*, without the slash',
      '  all spec.rules[0].http.paths[0]: HTTPS a.com, path /x/*',
      '  all spec.rules[0].http.paths[0]: HTTPS a.com, path = /x',
      '  all spec.defaultBackend: HTTPS a.com, path /*',
      '  second spec.rules[0].http.paths[0]: HTTPS b.com, path /x/*, without the slash',
      '  second spec.rules[0].http.paths[0]: HTTPS b.com, path /x/*',
      '  second spec.rules[0].http.paths[0]: HTTPS b.com, path = /x',
      '  second spec.defaultBackend: HTTPS b.com, path /*',
    ]);
    expect(routed(router, [...APPS, all], { path: '/y' })).toEqual({
      answer: {
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
      rule: 'all spec.defaultBackend: HTTP a.com, path /*',
      isDefault: true,
      passedOver: [],
    });
    expect(routed(router, [...APPS, all], { path: '/x' })).toEqual({
      answer: {
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
      rule: 'all spec.rules[0].http.paths[0]: HTTP a.com, path = /x',
      isDefault: false,
      passedOver: [],
    });
    expect(routed(router, [...APPS, ingress('web', {}, `rules: [${rule('web', '/x')}]`)], { path: '/y' })).toEqual({
      answer: { kind: 'fixed-response', statusCode: '404' },
      rule: 'web spec.rules[0]: HTTP a.com, path /*',
      isDefault: true,
      passedOver: [],
    });
  });

  it('of all other hosts are the default backend of the first Ingress without rules', () => {
    const alone = (name: string, to: string, annotations: Annotations = {}) =>
      ingress(name, annotations, `defaultBackend: ${backend(to)}`);
    const any = ingress(
      'any',
      {},
      `rules: [${rule('other', '/', { host: '' })}, ${rule('other', '/z', { host: '' })}]`,
    );
    const apps = [...APPS, app('other')];
    const texts = [...apps, alone('c', 'web'), alone('d', 'web-canary'), any];
    expect(routed(router, texts, { host: 'x.com' })).toEqual({
      answer: {
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
      rule: 'c spec.defaultBackend: HTTP all hosts, path /*',
      isDefault: true,
      passedOver: [],
    });
    expect(ask(router, worldOf(...texts), { host: 'x.com', path: '/z' })).toBe('other');
    expect(ignoredBy(router, ...texts)).toEqual([
      'ignored: any spec.rules[0].http.paths[0], path-taken: default/c has the path / of all hosts already',
    ]);
    const moved = alone('c', 'web', { 'permanent-redirect': '/p', 'force-ssl-redirect': 'true', 'use-regex': 'true' });
    expect(ask(router, worldOf(...apps, moved, any), { host: 'x.com' })).toBe('web');
    expect(ask(router, worldOf(...apps, moved, any), { host: 'x.com', path: '/Z' })).toBe('web');
    expect(ask(router, worldOf(...apps, any), { host: 'x.com' })).toBe('other');
  });

  it('without an Ingress answer 404, and a path that leaves the root 400', () => {
    expect(routed(router, [...APPS, ingress('web')], { host: 'b.com' })).toEqual({
      answer: { kind: 'fixed-response', statusCode: '404' },
      rule: undefined,
      isDefault: true,
      passedOver: [],
    });
    expect(routed(router, [...APPS, ingress('web')], { path: '/../x' })).toEqual({
      answer: { kind: 'fixed-response', statusCode: '400' },
      rule: undefined,
      isDefault: true,
      passedOver: [],
    });
  });
});

describe('what nginx leaves out', () => {
  it.each<[string, readonly string[], string[]]>([
    [
      'a backend that is no Service',
      [ingress('web', {}, `rules: [${rule(BUCKET)}]`)],
      [
        'ignored: web spec.rules[0].http.paths[0], backend-without-service: ingress-nginx sends requests to Services only',
      ],
    ],
    [
      'a path that an older Ingress has',
      [ingress('a', {}, `rules: [${rule('web', '/x')}]`), ingress('b', {}, `rules: [${rule('web', '/x')}]`)],
      ['ignored: b spec.rules[0].http.paths[0], path-taken: default/a has the path /x of a.com already'],
    ],
    [
      'a path of all hosts that an older Ingress has',
      [
        ingress('a', {}, `rules: [${rule('web', '', { host: '' })}]`),
        ingress('b', {}, `rules: [${rule('web', '/', { host: '' })}]`),
      ],
      ['ignored: b spec.rules[0].http.paths[0], path-taken: default/a has the path / of all hosts already'],
    ],
    [
      'a path to the Service of an older canary',
      [canary({}, `rules: [${rule('web')}]`).replace('web-canary', 'a'), ingress('b', {}, `rules: [${rule('web')}]`)],
      [
        'ignored: b spec.rules[0].http.paths[0], backend-is-canary: the canary Ingress default/a has named web first, so no path leads there',
        'ignored: a spec.rules[0].http.paths[0], canary-without-main: no other Ingress has this path, with the same pathType, for a.com',
      ],
    ],
    [
      'a canary alone',
      [canary({ 'canary-weight': '1' })],
      ['ignored: web-canary as a whole, canary-without-main: there is no other Ingress at all'],
    ],
    [
      'two canaries alone',
      [canary({}), canary({}).replace('name: web-canary', 'name: x')],
      [
        'ignored: web-canary as a whole, canary-without-main: there is no other Ingress at all',
        'ignored: x as a whole, canary-without-main: there is no other Ingress at all',
      ],
    ],
    [
      'a canary for another host',
      [ingress('web'), canary({}, `rules: [${rule('web-canary', '/', { host: 'b.com' })}]`)],
      ['ignored: web-canary spec.rules[0].http.paths[0], canary-without-main: no other Ingress has the host b.com'],
    ],
    [
      'a canary for another path',
      [ingress('web'), canary({}, `rules: [${rule('web-canary', '/x')}]`)],
      [
        'ignored: web-canary spec.rules[0].http.paths[0], canary-without-main: no other Ingress has this path, with the same pathType, for a.com',
      ],
    ],
    [
      'a canary for another type of path',
      [ingress('web'), canary({}, `rules: [${rule('web-canary', '/', { pathType: 'Exact' })}]`)],
      [
        'ignored: web-canary spec.rules[0].http.paths[0], canary-without-main: no other Ingress has this path, with the same pathType, for a.com',
      ],
    ],
    [
      'a canary of all hosts for another path',
      [
        ingress('web', {}, `rules: [${rule('web', '/', { host: '' })}]`),
        canary({}, `rules: [${rule('web-canary', '/x', { host: '' })}]`),
      ],
      [
        'ignored: web-canary spec.rules[0].http.paths[0], canary-without-main: no other Ingress has this path, with the same pathType, for all hosts',
      ],
    ],
    [
      'a canary for its own Service',
      [
        ingress('web', {}, `rules: [${rule('web-canary')}]`).replace(
          'metadata: {',
          'metadata: {creationTimestamp: "2024-01-01T00:00:00Z", ',
        ),
        canary({}),
      ],
      [
        'ignored: web-canary spec.rules[0].http.paths[0], path-taken: default/web has the path / of a.com already',
        'ignored: web-canary spec.rules[0].http.paths[0], canary-without-main: default/web sends to the same Service web-canary',
      ],
    ],
    [
      'a canary for the Service of a default backend, which it names first',
      [ingress('z', {}, `defaultBackend: ${backend('web-canary')}, rules: [${rule('web', '/x')}]`), canary({})],
      [
        'ignored: web-canary spec.rules[0].http.paths[0], canary-without-main: default/z sends to the same Service web-canary',
      ],
    ],
    [
      'the second path of a canary that lost its first',
      [
        ingress('web'),
        canary({}, `rules: [{host: a.com, http: {paths: [${path('web-canary', '/x')}, ${path('web-canary', '/')}]}}]`),
      ],
      [
        'ignored: web-canary spec.rules[0].http.paths[0], canary-without-main: no other Ingress has this path, with the same pathType, for a.com',
        'ignored: web-canary spec.rules[0].http.paths[1], canary-without-main: another path of a canary Ingress with the Service web-canary fits no main path',
      ],
    ],
    [
      'the second of two canaries',
      [ingress('web'), canary({}), canary({}, `rules: [${rule('x')}]`).replace('name: web-canary', 'name: y1')],
      [
        'ignored: y1 spec.rules[0].http.paths[0], second-canary: default/web-canary is the canary of web already, and only one counts',
      ],
    ],
    [
      'a canary path that is no Service',
      [ingress('web'), canary({}, `rules: [${rule(BUCKET)}]`)],
      [
        'ignored: web-canary spec.rules[0].http.paths[0], backend-without-service: ingress-nginx sends requests to Services only',
      ],
    ],
    [
      'a default backend of a canary without another',
      [ingress('web'), canary({}, `defaultBackend: ${backend('web-canary')}`)],
      [
        'ignored: web-canary spec.defaultBackend, canary-without-main: no other Ingress has this path, with the same pathType, for all hosts',
      ],
    ],
    [
      'nothing of a default backend of a canary with another',
      [ingress('web', {}, `defaultBackend: ${backend('web')}`), canary({}, `defaultBackend: ${backend('web-canary')}`)],
      [],
    ],
    [
      'nothing of two types of one path',
      [
        ingress(
          'web',
          {},
          `rules: [{host: a.com, http: {paths: [${path('web', '/x')}, ${path('web', '/x', 'Exact')}]}}]`,
        ),
      ],
      [],
    ],
    [
      'nothing of a canary for a path without a type',
      [ingress('web'), canary({}, `rules: [${rule('web-canary').replace('pathType: Prefix, ', '')}]`)],
      [],
    ],
  ])('%s', (_, texts, expected) => expect(ignoredBy(router, ...APPS, ...texts)).toEqual(expected));

  it('a canary alone serves nothing, and is named', () => {
    expect(tableOf(router, ...APPS, canary({}))).toEqual([
      'nginx: web-canary',
      '- HTTP on 80',
      '- HTTPS on 443',
      'unserved: web-canary',
      'ignored: web-canary as a whole, canary-without-main: there is no other Ingress at all',
    ]);
    expect(tableOf(router, ...APPS, ingress('web').replace('ingressClassName: nginx', 'ingressClassName: x'))).toEqual(
      [],
    );
  });
});
