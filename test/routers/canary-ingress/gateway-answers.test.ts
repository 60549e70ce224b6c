import { describe, expect, it } from 'vitest';
import { higressRouter, mseRouter } from '../../../src/routers';
import { app, ask, service, worldOf } from '../stack';
import { answered, tableOf } from '../tables';

const higress = higressRouter();
const mse = mseRouter();

type Annotations = Readonly<Record<string, string>>;

const NGINX = 'nginx.ingress.kubernetes.io';
const MSE = 'mse.ingress.kubernetes.io';

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
const APPS = [app('web'), app('web-canary')];

describe('the answers of Higress', () => {
  it('have whole destinations, as percentages', () => {
    const second = ingress('x', { canary: 'true', 'canary-weight': '1' }, `rules: [${rule('web')}]`);
    expect(
      answered(higress, [
        ...APPS,
        ingress('web'),
        canary({ 'canary-weight': '1', 'canary-weight-total': '3' }),
        second,
      ]),
    ).toEqual({
      kind: 'services',
      destinations: [
        {
          service: { namespace: 'default', name: 'web' },
          port: 80,
          weight: 34,
          share: 0.34,
          workloads: ['Deployment web'],
        },
        {
          service: { namespace: 'default', name: 'web-canary' },
          port: 80,
          weight: 33,
          share: 0.33,
          workloads: ['Deployment web-canary'],
        },
        {
          service: { namespace: 'default', name: 'web' },
          port: 80,
          weight: 33,
          share: 0.33,
          workloads: ['Deployment web'],
        },
      ],
      sticky: false,
    });
    expect(
      answered(higress, [...APPS, ingress('web'), canary({ 'canary-by-header': 'h' })], { headers: { h: 'always' } }),
    ).toEqual({
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
    });
  });

  it.each<[Annotations, string]>([
    [{ 'canary-weight': '-1' }, 'web 100%, web-canary 0%'],
    [{ 'canary-weight': '1' }, 'web 99%, web-canary 1%'],
    [{ 'canary-weight': '29' }, 'web 71%, web-canary 29%'],
    [{ 'canary-weight': '57' }, 'web 43%, web-canary 57%'],
    [{ 'canary-weight': '100' }, 'web 0%, web-canary 100%'],
    [{ 'canary-weight': '200' }, 'web 0%, web-canary 100%'],
    [{ 'canary-weight': '1', 'canary-weight-total': '3' }, 'web 67%, web-canary 33%'],
    [{ 'canary-weight': '2', 'canary-weight-total': '3' }, 'web 34%, web-canary 66%'],
    [{ 'canary-weight': '1', 'canary-weight-total': '200' }, 'web 100%, web-canary 0%'],
    [{ 'canary-weight': '20', 'canary-weight-total': '0' }, 'web 80%, web-canary 20%'],
    [{ 'canary-weight': '20', 'canary-weight-total': '-9' }, 'web 80%, web-canary 20%'],
    [{ 'canary-weight': '20', 'canary-weight-total': '1' }, 'web 0%, web-canary 100%'],
    [{ canary: 'false', 'canary-weight': '20' }, 'web'],
  ])('%j: %s', (annotations, expected) => {
    expect(ask(higress, worldOf(...APPS, ingress('web'), canary(annotations)), {})).toBe(expected);
  });

  it('have the total of the first canary', () => {
    const second = ingress(
      'x',
      { canary: 'true', 'canary-weight': '10', 'canary-weight-total': '1000' },
      `rules: [${rule('other')}]`,
    );
    const texts = [
      ...APPS,
      app('other'),
      ingress('web'),
      canary({ 'canary-weight': '10', 'canary-weight-total': '40' }),
      second,
    ];
    expect(ask(higress, worldOf(...texts), {})).toBe('web 50%, web-canary 25%, other 25%');
  });

  it.each<[string, Annotations, string]>([
    ['the header before the cookie', { 'canary-by-header': 'h', 'canary-by-cookie': 'g' }, 'web'],
    ['the cookie before the weight', { 'canary-by-cookie': 'g', 'canary-weight': '100' }, 'web-canary'],
  ])('%s', (_, annotations, expected) => {
    expect(
      ask(higress, worldOf(...APPS, ingress('web'), canary(annotations)), { headers: { cookie: 'g=always' } }),
    ).toBe(expected);
  });

  it.each<[string, boolean]>([
    ['g=always', true],
    ['a=b; g=always', true],
    ['a=b;g=always;c=d', true],
    ['g=always; c=d', true],
    ['g=alwaysx', false],
    ['ag=always', false],
    ['g=never', false],
  ])('the cookie %s takes the canary: %j', (cookie, taken) => {
    expect(
      ask(higress, worldOf(...APPS, ingress('web'), canary({ 'canary-by-cookie': 'g' })), { headers: { cookie } }),
    ).toBe(taken ? 'web-canary' : 'web');
  });

  it.each<[Annotations, string, string]>([
    [{ 'ssl-redirect': 'true' }, 'redirect 308 HTTPS', 'web'],
    [{ 'force-ssl-redirect': 'true' }, 'redirect 308 HTTPS', 'web'],
    [{ 'ssl-redirect': 'false', 'force-ssl-redirect': 'false' }, 'web', 'web'],
    [{}, 'web', 'web'],
  ])('%j on HTTP: %s, on HTTPS: %s', (annotations, http, https) => {
    const world = worldOf(...APPS, ingress('web', annotations, `${TLS}, rules: [${rule('web')}]`));
    expect([ask(higress, world, {}), ask(higress, world, { port: 443 })]).toEqual([http, https]);
  });

  it('with a certificate for no host have HTTPS for all hosts only', () => {
    const all = ingress(
      'web',
      {},
      `tls: [{secretName: s}], rules: [${rule('web', '/', { host: '' })}, ${rule('web')}]`,
    );
    const world = worldOf(...APPS, all);
    expect(['b.com', 'a.com'].map((host) => ask(higress, world, { host, port: 443 }))).toEqual(['web', 'web']);
    expect(tableOf(higress, ...APPS, all).slice(-2)).toEqual([
      '- HTTPS on 443',
      '  web spec.rules[0].http.paths[0]: HTTPS all hosts, path /',
    ]);
  });

  it('fall back to the stable Service where the canary has no pods, but not from the stable Service', () => {
    const down = [service('web'), app('web-canary'), ingress('web')];
    expect(ask(higress, worldOf(...down, canary({ 'canary-weight': '50' })), {})).toBe(
      'web 50% (503 no-pods), web-canary 50%',
    );
    const texts = [app('web'), service('web-canary'), ingress('web')];
    expect(ask(higress, worldOf(...texts, canary({ 'canary-weight': '50' })), {})).toBe('web 50%, web 50%');
    expect(ask(higress, worldOf(...texts, canary({ 'canary-by-header': 'h' })), { headers: { h: 'always' } })).toBe(
      'web',
    );
  });
});

describe('expressions of Higress', () => {
  const at = (annotations: Annotations, text: string, requested: string, pathType = 'Prefix') =>
    ask(higress, worldOf(...APPS, ingress('web', annotations, `rules: [${rule('web', text, { pathType })}]`)), {
      path: requested,
    });

  it.each<[string, Annotations, string, string, string]>([
    ['use-regex', { 'use-regex': 'true' }, '/v[0-9]', '/v1/x', 'web'],
    ['use-regex, of the beginning', { 'use-regex': 'true' }, '/v[0-9]', '/a/v1', '404'],
    ['full-path-regex', { 'full-path-regex': 'true' }, '/v[0-9]', '/v1', 'web'],
    ['full-path-regex, of a part', { 'full-path-regex': 'true' }, '/v[0-9]', '/v1/x', '404'],
    ['neither', {}, '/v[0-9]', '/v1', '404'],
    ['a rewrite of a path with signs', { 'rewrite-target': '/y' }, '/v[0-9]', '/v1', 'web'],
    ['a rewrite of a plain path', { 'rewrite-target': '/y' }, '/x', '/xy', '404'],
    ['a rewrite with a group', { 'rewrite-target': '/$1' }, '/x', '/xy', 'web'],
    ['a rewrite with a backslash', { 'rewrite-target': '/\\1' }, '/x', '/xy', 'web'],
    ['an expression that is none', { 'use-regex': 'true' }, '/(', '/(', '404'],
  ])('%s', (_, annotations, text, requested, expected) => expect(at(annotations, text, requested)).toBe(expected));

  it.each([...'\\.+*?()|[]{}^$'])('a rewrite of a path with %s makes an expression', (sign) => {
    const table = tableOf(
      higress,
      ...APPS,
      ingress(
        'web',
        { 'rewrite-target': '/y' },
        `rules: [{host: a.com, http: {paths: [{path: '/${sign}', backend: ${backend('web')}}]}}]`,
      ),
    );
    expect(table[2]).toBe(`  web spec.rules[0].http.paths[0]: HTTP a.com, path ~ /${sign}`);
  });
});

describe('MSE', () => {
  const main = ingress('web', {}, undefined, 'mse');
  const gray = (annotations: Annotations) =>
    ingress('web-canary', { canary: 'true', ...annotations }, undefined, 'mse');
  const words = (annotations: Annotations) =>
    tableOf(mse, ...APPS, main, gray(annotations)).filter((line) => line.includes(' web-canary '));

  it('puts conditions on headers, parameters and cookies into words', () => {
    expect(words({ 'canary-by-header': 'h' })).toEqual([
      '  web-canary spec.rules[0].http.paths[0]: HTTP a.com, path /, header h is "always"',
    ]);
    expect(words({ 'canary-by-header': 'h', 'canary-by-header-value': 'v', 'canary-by-header-pattern': 'p' })).toEqual([
      '  web-canary spec.rules[0].http.paths[0]: HTTP a.com, path /, header h is "v"',
    ]);
    expect(
      words({ 'canary-by-header': 'h', 'canary-by-header-pattern': 'p', [`${MSE}/canary-by-query`]: 'q' }),
    ).toEqual([
      '  web-canary spec.rules[0].http.paths[0]: HTTP a.com, path /, header h matches p and query parameter q is "always"',
    ]);
    expect(words({ [`${MSE}/canary-by-query`]: 'q', [`${MSE}/canary-by-query-pattern`]: 'p' })).toEqual([
      '  web-canary spec.rules[0].http.paths[0]: HTTP a.com, path /, query parameter q matches p',
    ]);
    expect(words({ [`${MSE}/canary-by-cookie`]: 'g' })).toEqual([
      '  web-canary spec.rules[0].http.paths[0]: HTTP a.com, path /, cookie g is "always"',
    ]);
  });

  it.each<[string, string, boolean]>([
    ['b+', 'abc', true],
    ['^b', 'ab', false],
    ['^[0-9]+$', '12', true],
    ['(', '(', false],
  ])('finds the pattern %s in %s: %j', (pattern, value, taken) => {
    const by = (annotations: Annotations, request: object) =>
      ask(mse, worldOf(...APPS, main, gray(annotations)), request);
    expect(by({ 'canary-by-header': 'h', 'canary-by-header-pattern': pattern }, { headers: { h: value } })).toBe(
      taken ? 'web-canary' : 'web',
    );
    expect(
      by({ [`${MSE}/canary-by-query`]: 'q', [`${MSE}/canary-by-query-pattern`]: pattern }, { query: { q: value } }),
    ).toBe(taken ? 'web-canary' : 'web');
  });

  it.each<[string, Annotations, object]>([
    [
      'with labels',
      { [`${MSE}/service-subset`]: 'gray', [`${MSE}/subset-labels`]: 'version v2' },
      {
        kind: 'services',
        destinations: [
          {
            service: { namespace: 'default', name: 'web' },
            port: 80,
            subset: { name: 'gray', labels: { version: 'v2' } },
            weight: 100,
            unavailable: {
              reason: 'no-pods',
              why: 'Service default/web selects no pods: no workload has pods with the labels app=web,version=v2',
              statusCode: '503',
            },
            share: 1,
            workloads: [],
          },
        ],
        sticky: false,
      },
    ],
    [
      'with more labels than one',
      { [`${MSE}/service-subset`]: 'gray', [`${MSE}/subset-labels`]: 'version   v2 x' },
      {
        kind: 'services',
        destinations: [
          {
            service: { namespace: 'default', name: 'web' },
            port: 80,
            subset: { name: 'gray', labels: { version: 'v2' } },
            weight: 100,
            unavailable: {
              reason: 'no-pods',
              why: 'Service default/web selects no pods: no workload has pods with the labels app=web,version=v2',
              statusCode: '503',
            },
            share: 1,
            workloads: [],
          },
        ],
        sticky: false,
      },
    ],
    [
      'without labels',
      { [`${MSE}/service-subset`]: 'gray' },
      {
        kind: 'services',
        destinations: [
          {
            service: { namespace: 'default', name: 'web' },
            port: 80,
            subset: { name: 'gray', labels: { 'opensergo.io/canary': 'gray' } },
            weight: 100,
            unavailable: {
              reason: 'no-pods',
              why: 'Service default/web selects no pods: no workload has pods with the labels app=web,opensergo.io/canary=gray',
              statusCode: '503',
            },
            share: 1,
            workloads: [],
          },
        ],
        sticky: false,
      },
    ],
    [
      'with a label without a value',
      { [`${MSE}/service-subset`]: 'gray', [`${MSE}/subset-labels`]: 'version' },
      {
        kind: 'services',
        destinations: [
          {
            service: { namespace: 'default', name: 'web' },
            port: 80,
            subset: { name: 'gray', labels: { 'opensergo.io/canary': 'gray' } },
            weight: 100,
            unavailable: {
              reason: 'no-pods',
              why: 'Service default/web selects no pods: no workload has pods with the labels app=web,opensergo.io/canary=gray',
              statusCode: '503',
            },
            share: 1,
            workloads: [],
          },
        ],
        sticky: false,
      },
    ],
    [
      'under the prefix of nginx, which is not read',
      { 'service-subset': 'gray' },
      {
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
    ],
    [
      'that is empty',
      { [`${MSE}/service-subset`]: '' },
      {
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
    ],
  ])('narrows a Service to a subset %s', (_, annotations, expected) => {
    expect(answered(mse, [...APPS, ingress('web', annotations, undefined, 'mse')])).toEqual(expected);
  });
});
