import { describe, expect, it } from 'vitest';
import { higressRouter, mseRouter, type Router } from '../../../src/routers';
import { app, ask, worldOf } from '../stack';
import { ignoredBy, routed, tableOf } from '../tables';

const higress = higressRouter();
const mse = mseRouter();

type Annotations = Readonly<Record<string, string>>;

const NGINX = 'nginx.ingress.kubernetes.io';
function ingress(
  name: string,
  annotations: Annotations = {},
  spec = `rules: [${rule(name)}]`,
  className = 'higress',
): string {
  const lines = Object.entries(annotations).map(
    ([key, value]) => `${key.includes('/') ? key : `${NGINX}/${key}`}: ${JSON.stringify(value)}`,
  );
  return `apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: ${name}, annotations: {${lines.join(', ')}}}\nspec: {ingressClassName: ${className}, ${spec}}`;
}

const backend = (name: string, port = '{number: 80}') => `{service: {name: ${name}, port: ${port}}}`;
const path = (to: string, at = '/', pathType = 'Prefix') =>
  `{path: "${at}", pathType: ${pathType}, backend: ${to.startsWith('{') ? to : backend(to)}}`;
const rule = (to: string, at = '/', { host = 'a.com', pathType = 'Prefix' } = {}) =>
  `{host: "${host}", http: {paths: [${path(to, at, pathType)}]}}`;
const canary = (annotations: Annotations, spec?: string) =>
  ingress('web-canary', { canary: 'true', ...annotations }, spec);
const TLS = 'tls: [{hosts: [A.com], secretName: s}]';
const BUCKET = '{resource: {kind: Bucket, name: x}}';

const APPS = [app('web'), app('web-canary')];

describe('the routes of Higress', () => {
  it('have the place of their path, sorted by kind and length, for the host and for HTTPS with a certificate', () => {
    const paths = [
      path('web'),
      path('web', '/x'),
      path('web', '/xx/', 'Exact'),
      path('web', '/y/'),
      path('web', '', 'ImplementationSpecific'),
    ];
    const regex = ingress(
      'regex',
      { 'use-regex': 'true' },
      `rules: [${rule('web', '/r.*')}, ${rule('web', '/', { host: '' })}]`,
    );
    expect(
      tableOf(
        higress,
        ...APPS,
        regex,
        ingress('one', {}, `${TLS}, rules: [{host: A.com, http: {paths: [${paths.join(', ')}]}}]`),
      ),
    ).toEqual([
      'higress: one, regex',
      '- HTTP on 80',
      '  one spec.rules[0].http.paths[2]: HTTP a.com, path = /xx/',
      '  one spec.rules[0].http.paths[1]: HTTP a.com, path /x',
      '  one spec.rules[0].http.paths[3]: HTTP a.com, path /y',
      '  regex spec.rules[0].http.paths[0]: HTTP a.com, path ~ /r.*',
      '  one spec.rules[0].http.paths[0]: HTTP a.com, path /',
      '  regex spec.rules[1].http.paths[0]: HTTP all hosts, path ~ /',
      '- HTTPS on 443',
      '  one spec.rules[0].http.paths[2]: HTTPS a.com, path = /xx/',
      '  one spec.rules[0].http.paths[1]: HTTPS a.com, path /x',
      '  one spec.rules[0].http.paths[3]: HTTPS a.com, path /y',
      '  regex spec.rules[0].http.paths[0]: HTTPS a.com, path ~ /r.*',
      '  one spec.rules[0].http.paths[0]: HTTPS a.com, path /',
      'ignored: one spec.rules[0].http.paths[4], path-taken: default/one has the path / of a.com already',
    ]);
  });

  it('of a canary have their condition in words, before the main route', () => {
    const main = ingress('web');
    const words = (annotations: Annotations) =>
      tableOf(higress, ...APPS, main, canary(annotations)).filter((line) => line.includes(' web-canary '));
    expect(words({ 'canary-by-header': 'h' })).toEqual([
      '  web-canary spec.rules[0].http.paths[0]: HTTP a.com, path /, header h is "always"',
    ]);
    expect(words({ 'canary-by-header': 'h', 'canary-by-header-value': 'v', 'canary-by-header-pattern': 'p' })).toEqual([
      '  web-canary spec.rules[0].http.paths[0]: HTTP a.com, path /, header h is "v" or "always"',
    ]);
    expect(words({ 'canary-by-header': 'h', 'canary-by-header-pattern': 'p' })).toEqual([
      '  web-canary spec.rules[0].http.paths[0]: HTTP a.com, path /, header h matches p',
    ]);
    expect(words({ 'canary-by-cookie': 'g', 'canary-weight': '5' })).toEqual([
      '  web-canary spec.rules[0].http.paths[0]: HTTP a.com, path /, cookie g is "always"',
    ]);
    expect(words({ 'canary-weight': '5' })).toEqual([]);
    expect(tableOf(higress, ...APPS, main, canary({ 'canary-by-header': 'h' }))).toEqual([
      'higress: web, web-canary',
      '- HTTP on 80',
      '  web-canary spec.rules[0].http.paths[0]: HTTP a.com, path /, header h is "always"',
      '  web spec.rules[0].http.paths[0]: HTTP a.com, path /',
      '- HTTPS on 443',
    ]);
  });

  it('of a default backend are those of the host and of all hosts', () => {
    const both = ingress(
      'both',
      {},
      `defaultBackend: ${backend('web-canary')}, rules: [${rule('web', '/x')}, ${rule('web', '/', { host: 'b.com' })}]`,
    );
    expect(tableOf(higress, ...APPS, both, ingress('second', {}, `defaultBackend: ${backend('web')}`))).toEqual([
      'higress: both, second',
      '- HTTP on 80',
      '  both spec.rules[0].http.paths[0]: HTTP a.com, path /x',
      '  both spec.defaultBackend: HTTP a.com, path /',
      '  both spec.rules[1].http.paths[0]: HTTP b.com, path /',
      '  both spec.defaultBackend: HTTP all hosts, path /',
      '- HTTPS on 443',
    ]);
    expect(routed(higress, [...APPS, both], { path: '/y' })).toEqual({
      answer: {
        kind: 'services',
        destinations: [
          {
            service: { namespace: 'default', name: 'web-canary' },
            port: 80,
            weight: 100,
            share: 1,
            workloads: ['Deployment web-canary'],
          },
        ],
        sticky: false,
      },
      rule: 'both spec.defaultBackend: HTTP a.com, path /',
      isDefault: true,
      passedOver: ['HTTP a.com, path /x: not told'],
    });
    expect(routed(higress, [...APPS, both], { path: '/x' })).toEqual({
      answer: {
        kind: 'services',
        destinations: [
          {
            service: { namespace: 'default', name: 'web' },
            port: 80,
            weight: 100,
            share: 1,
            workloads: ['Deployment web'],
          },
        ],
        sticky: false,
      },
      rule: 'both spec.rules[0].http.paths[0]: HTTP a.com, path /x',
      isDefault: false,
      passedOver: [],
    });
    expect(routed(higress, [...APPS, both], { host: 'x.com' })).toEqual({
      answer: {
        kind: 'services',
        destinations: [
          {
            service: { namespace: 'default', name: 'web-canary' },
            port: 80,
            weight: 100,
            share: 1,
            workloads: ['Deployment web-canary'],
          },
        ],
        sticky: false,
      },
      rule: 'both spec.defaultBackend: HTTP all hosts, path /',
      isDefault: true,
      passedOver: [],
    });
    expect(routed(higress, [...APPS, ingress('web')], { host: 'x.com' })).toEqual({
      answer: { kind: 'fixed-response', statusCode: '404' },
      rule: undefined,
      isDefault: true,
      passedOver: [],
    });
  });

  it('belong to the class of the gateway', () => {
    expect(tableOf(higress, ...APPS, ingress('web', {}, undefined, 'nginx'))).toEqual([]);
    const names = (router: Router, controller: string) => {
      const declared = `apiVersion: networking.k8s.io/v1\nkind: IngressClass\nmetadata: {name: mine}\nspec: {controller: ${controller}}`;
      return router
        .routes(worldOf(...APPS, declared, ingress('web', {}, undefined, 'mine')))
        .loadBalancers.map(({ name }) => name);
    };
    expect([names(higress, 'higress.io/higress-controller'), names(higress, 'mse.alibabacloud.com/ingress')]).toEqual([
      ['higress'],
      [],
    ]);
    expect([names(mse, 'mse.alibabacloud.com/ingress'), names(mse, 'higress.io/higress-controller')]).toEqual([
      ['mse'],
      [],
    ]);
    expect(
      ask(
        higressRouter({ withoutClass: true }),
        worldOf(...APPS, ingress('web').replace('ingressClassName: higress, ', '')),
        {},
      ),
    ).toBe('web');
    expect(ask(mseRouter({ ingressClass: 'x' }), worldOf(...APPS, ingress('web', {}, undefined, 'x')), {})).toBe('web');
  });
});

describe('what Higress leaves out', () => {
  it.each<[string, readonly string[], string[]]>([
    [
      'a backend that is no Service',
      [ingress('web', {}, `rules: [${rule(BUCKET)}]`)],
      [
        'ignored: web spec.rules[0].http.paths[0], backend-without-service: only backends that are Services make routes',
      ],
    ],
    [
      'a default backend that is no Service, in silence',
      [ingress('web', {}, `defaultBackend: ${BUCKET}, rules: [${rule('web')}]`)],
      [],
    ],
    [
      'a port by a name that the Service does not have',
      [ingress('web', {}, `rules: [${rule(backend('web', '{name: grpc}'))}]`)],
      ['ignored: web spec.rules[0].http.paths[0], port-not-found: Service web has no port named grpc'],
    ],
    [
      'a default backend with such a port',
      [ingress('web', {}, `defaultBackend: ${backend('web', '{name: grpc}')}`)],
      ['ignored: web spec.defaultBackend, port-not-found: Service web has no port named grpc'],
    ],
    [
      'a path that the Ingress has twice',
      [ingress('web', {}, `rules: [{host: a.com, http: {paths: [${path('web', '/x')}, ${path('web', '/x/')}]}}]`)],
      ['ignored: web spec.rules[0].http.paths[1], path-taken: default/web has the path /x of a.com already'],
    ],
    [
      'a path of all hosts that another Ingress has',
      [
        ingress('a', {}, `rules: [${rule('web', '/', { host: '' })}]`),
        ingress('b', {}, `rules: [${rule('web', '/', { host: '' })}]`),
      ],
      ['ignored: b spec.rules[0].http.paths[0], path-taken: default/a has the path / of * already'],
    ],
    [
      'a canary without another Ingress',
      [canary({})],
      [
        'ignored: web-canary spec.rules[0].http.paths[0], canary-without-main: no other Ingress has the path /, with the same pathType, for a.com',
      ],
    ],
    [
      'a canary for another host',
      [ingress('web'), canary({}, `rules: [${rule('web-canary', '/', { host: '' })}]`)],
      [
        'ignored: web-canary spec.rules[0].http.paths[0], canary-without-main: no other Ingress has the path /, with the same pathType, for *',
      ],
    ],
    [
      'a canary for another type',
      [
        ingress('web', {}, `rules: [${rule('web', '/x')}]`),
        canary({}, `rules: [${rule('web-canary', '/x', { pathType: 'Exact' })}]`),
      ],
      [
        'ignored: web-canary spec.rules[0].http.paths[0], canary-without-main: no other Ingress has the path /x, with the same pathType, for a.com',
      ],
    ],
    [
      'a canary without a Service',
      [ingress('web'), canary({}, `rules: [${rule(BUCKET)}]`)],
      [
        'ignored: web-canary spec.rules[0].http.paths[0], backend-without-service: only backends that are Services make routes',
      ],
    ],
    [
      'nothing of two types of one path in an Ingress',
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
      'nothing of one path of two hosts',
      [
        ingress('a', {}, `rules: [${rule('web')}]`),
        ingress('b', {}, `rules: [${rule('web', '/', { host: 'b.com' })}]`),
      ],
      [],
    ],
    ['nothing of a port by number', [ingress('a', {}, `rules: [${rule(backend('web', '{number: 81}'))}]`)], []],
  ])('%s', (_, texts, expected) => expect(ignoredBy(higress, ...APPS, ...texts)).toEqual(expected));
});
