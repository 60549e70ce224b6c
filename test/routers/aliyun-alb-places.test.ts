import { describe, expect, it } from 'vitest';
import { aliyunAlbRouter } from '../../src/routers';
import { app, ask, worldOf } from './stack';
import { answered, ignoredBy, routed, tableOf } from './tables';

const router = aliyunAlbRouter();

type Annotations = Readonly<Record<string, string>>;

const PREFIX = 'alb.ingress.kubernetes.io';

function ingress(name: string, annotations: Annotations = {}, spec = ''): string {
  const lines = Object.entries(annotations).map(([key, value]) => `${PREFIX}/${key}: ${JSON.stringify(value)}`);
  return `
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: ${name}, annotations: {${lines.join(', ')}}}
spec: {ingressClassName: alb, ${spec === '' ? `rules: [${rule(name)}]` : spec}}`;
}

const backend = (name: string, port = '{number: 80}') => `{service: {name: ${name}, port: ${port}}}`;
const path = (to: string, at = '/', pathType = 'Prefix') =>
  `{path: "${at}", pathType: ${pathType}, backend: ${to.startsWith('{') ? to : backend(to)}}`;
const rule = (to: string, at = '/', { host = 'a.com', pathType = 'Prefix' } = {}) =>
  `{host: "${host}", http: {paths: [${path(to, at, pathType)}]}}`;

const APPS = [app('web'), app('web-canary')];

describe('the rules of an ALB of Alibaba Cloud', () => {
  it('have numbers in the order of the Ingresses, and the place of their path', () => {
    const first = ingress(
      'b',
      { order: '2' },
      `rules: [${rule('b', '/x', { pathType: 'Exact' })}, {host: "", http: {paths: [${path('b', '')}, ${path('b', '/y')}]}}]`,
    );
    const second = ingress(
      'a',
      { order: '3', 'listen-ports': '[{"HTTPS": 443}, {"HTTP": 80}]' },
      `defaultBackend: ${backend('a')}, rules: [${rule('a')}]`,
    );
    expect(tableOf(router, app('a'), app('b'), second, first)).toEqual([
      'alb: b, a',
      '- HTTP on 80',
      '  b spec.rules[0].http.paths[0]: rule 1 of HTTP:80: host is a.com and path is /x',
      '  b spec.rules[1].http.paths[0]: rule 2 of HTTP:80: host is * and path is /*',
      '  b spec.rules[1].http.paths[1]: rule 3 of HTTP:80: host is * and path is /y*',
      '  a spec.rules[0].http.paths[0]: rule 4 of HTTP:80: host is a.com and path is /*',
      '  a spec.defaultBackend: rule 5 of HTTP:80: all requests',
      '- HTTPS on 443',
      '  a spec.rules[0].http.paths[0]: rule 1 of HTTPS:443: host is a.com and path is /*',
      '  a spec.defaultBackend: rule 2 of HTTPS:443: all requests',
    ]);
  });

  it('of a canary by header and by cookie are two, in front of the stable rule', () => {
    const canary = ingress(
      'web-canary',
      { canary: 'true', order: '1', 'canary-by-header': 'x-c', 'canary-by-header-value': 'v', 'canary-by-cookie': 'g' },
      `rules: [${rule('web-canary')}]`,
    );
    const present = canary.replace(`, ${PREFIX}/canary-by-header-value: "v"`, '');
    expect(tableOf(router, ...APPS, ingress('web'), canary)).toEqual([
      'alb: web-canary, web',
      '- HTTP on 80',
      '  web-canary spec.rules[0].http.paths[0]: rule 1 of HTTP:80: host is a.com and path is /* and header x-c is "v"',
      '  web-canary spec.rules[0].http.paths[0]: rule 2 of HTTP:80: host is a.com and path is /* and cookie g is "always"',
      '  web spec.rules[0].http.paths[0]: rule 3 of HTTP:80: host is a.com and path is /*',
    ]);
    expect(tableOf(router, ...APPS, ingress('web'), present)).toEqual([
      'alb: web-canary, web',
      '- HTTP on 80',
      '  web-canary spec.rules[0].http.paths[0]: rule 1 of HTTP:80: host is a.com and path is /* and header x-c is there',
      '  web-canary spec.rules[0].http.paths[0]: rule 2 of HTTP:80: host is a.com and path is /* and cookie g is "always"',
      '  web spec.rules[0].http.paths[0]: rule 3 of HTTP:80: host is a.com and path is /*',
    ]);
  });

  it('answer with the default backend where none matches, as a default', () => {
    const texts = [
      app('web'),
      app('all'),
      ingress('web', {}, `defaultBackend: ${backend('all')}, rules: [${rule('web', '/x')}]`),
    ];
    expect(routed(router, texts, { path: '/y' })).toEqual({
      answer: {
        kind: 'services',
        destinations: [
          {
            service: { namespace: 'default', name: 'all' },
            port: 80,
            weight: 100,
            share: 1,
            workloads: ['Deployment all'],
          },
        ],
        sticky: false,
      },
      rule: 'web spec.defaultBackend: rule 2 of HTTP:80: all requests',
      isDefault: true,
      passedOver: ['rule 1 of HTTP:80: host is a.com and path is /x*: not told'],
    });
    expect(routed(router, texts, { path: '/x' })).toEqual({
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
      rule: 'web spec.rules[0].http.paths[0]: rule 1 of HTTP:80: host is a.com and path is /x*',
      isDefault: false,
      passedOver: [],
    });
    expect(routed(router, [app('web'), ingress('web')], { host: 'b.com' })).toEqual({
      answer: { kind: 'fixed-response', statusCode: '503' },
      rule: undefined,
      isDefault: true,
      passedOver: [],
    });
  });

  it('of a canary include no default backend', () => {
    const canary = ingress('web-canary', { canary: 'true', order: '1' }, `defaultBackend: ${backend('web-canary')}`);
    expect(tableOf(router, ...APPS, ingress('web'), canary)).toEqual([
      'alb: web-canary, web',
      '- HTTP on 80',
      '  web spec.rules[0].http.paths[0]: rule 1 of HTTP:80: host is a.com and path is /*',
    ]);
  });

  it('are none for a default backend that is no Service', () => {
    const text = ingress('web', {}, `defaultBackend: {resource: {kind: Bucket, name: x}}, rules: [${rule('web')}]`);
    expect(tableOf(router, app('web'), text)).toEqual([
      'alb: web',
      '- HTTP on 80',
      '  web spec.rules[0].http.paths[0]: rule 1 of HTTP:80: host is a.com and path is /*',
      'ignored: web spec.defaultBackend, backend-without-service: custom actions (use-annotation) and backends other than Services are not modelled',
    ]);
  });
});

describe('what an ALB of Alibaba Cloud leaves out', () => {
  it.each<[string, readonly string[], string[]]>([
    [
      'an order of 0',
      [ingress('web', { order: '0' })],
      [
        'ignored: web metadata.annotations["alb.ingress.kubernetes.io/order"], order: alb.ingress.kubernetes.io/order is "0", and must be an integer from 1 to 1000',
      ],
    ],
    [
      'an order that is no number',
      [ingress('web', { order: 'first' })],
      [
        'ignored: web metadata.annotations["alb.ingress.kubernetes.io/order"], order: alb.ingress.kubernetes.io/order is "first", and must be an integer from 1 to 1000',
      ],
    ],
    [
      'a second Ingress with the order',
      [ingress('a', { order: '7' }), ingress('b', { order: '7' })],
      [
        'ignored: b metadata.annotations["alb.ingress.kubernetes.io/order"], duplicate-order: default/a has the order 7 already, and orders of one ALB must differ',
      ],
    ],
    [
      'a canary by cookie with a weight',
      [ingress('web', { canary: 'true', 'canary-by-cookie': 'g', 'canary-weight': '1' })],
      [
        'ignored: web metadata.annotations["alb.ingress.kubernetes.io/canary-weight"], canary-combination: canary-weight and canary-by-header or canary-by-cookie are not allowed on one Ingress: use two Ingresses',
      ],
    ],
    [
      'a canary by header with a weight',
      [ingress('web', { canary: 'true', 'canary-by-header': 'g', 'canary-weight': '1' })],
      [
        'ignored: web metadata.annotations["alb.ingress.kubernetes.io/canary-weight"], canary-combination: canary-weight and canary-by-header or canary-by-cookie are not allowed on one Ingress: use two Ingresses',
      ],
    ],
    [
      'a canary by weight alone',
      [ingress('web', { canary: 'true', 'canary-weight': '1' }, `rules: [${rule('web', '', { host: '' })}]`)],
      [
        'ignored: web spec.rules[0].http.paths[0], canary-without-main: no other Ingress of this ALB has the host * and the path /',
      ],
    ],
    [
      'a canary by weight for a path',
      [ingress('web', { canary: 'true' }, `rules: [${rule('web', '/x')}]`)],
      [
        'ignored: web spec.rules[0].http.paths[0], canary-without-main: no other Ingress of this ALB has the host a.com and the path /x',
      ],
    ],
    [
      'a backend with an action',
      [ingress('web', {}, `rules: [${rule(backend('web', '{name: use-annotation}'))}]`)],
      [
        'ignored: web spec.rules[0].http.paths[0], backend-without-service: custom actions (use-annotation) and backends other than Services are not modelled',
      ],
    ],
    [
      'a backend that is no Service, said once for both ports',
      [
        ingress(
          'web',
          { 'listen-ports': '[{"HTTP": 80}, {"HTTP": 81}]' },
          `rules: [${rule('{resource: {kind: Bucket, name: x}}')}]`,
        ),
      ],
      [
        'ignored: web spec.rules[0].http.paths[0], backend-without-service: custom actions (use-annotation) and backends other than Services are not modelled',
      ],
    ],
    [
      'nothing of a stable Ingress with a weight and a header',
      [ingress('web', { canary: 'false', 'canary-by-header': 'x', 'canary-weight': '1' })],
      [],
    ],
    ['nothing with an order of 1', [ingress('web', { order: '1' })], []],
    ['nothing with an order of 1000', [ingress('web', { order: '1000' })], []],
    ['nothing of two Ingresses without an order', [ingress('a'), ingress('b')], []],
    ['nothing of an Ingress with the order that is the default', [ingress('a', { order: '10' }), ingress('b')], []],
  ])('%s', (_, texts, expected) => expect(ignoredBy(router, app('web'), ...texts)).toEqual(expected));
});

describe('the answers of an ALB of Alibaba Cloud', () => {
  const canary = (annotations: Annotations, spec = '') =>
    ingress('web-canary', { canary: 'true', order: '1', ...annotations }, spec);

  it('split requests between the stable Service and the canary, each with its port', () => {
    const stable = ingress('web', {}, `rules: [${rule(backend('web', '{number: 9000}'))}]`);
    expect(answered(router, [...APPS, stable, canary({ 'canary-weight': '30' })])).toEqual({
      kind: 'services',
      destinations: [
        {
          service: { namespace: 'default', name: 'web' },
          port: 9000,
          weight: 70,
          share: 0.7,
          workloads: ['Deployment web'],
        },
        {
          service: { namespace: 'default', name: 'web-canary' },
          port: 80,
          weight: 30,
          share: 0.3,
          workloads: ['Deployment web-canary'],
        },
      ],
      sticky: false,
    });
  });

  it.each([
    ['-5', 'web 100%, web-canary 0%'],
    ['0', 'web 100%, web-canary 0%'],
    ['1', 'web 99%, web-canary 1%'],
    ['99', 'web 1%, web-canary 99%'],
    ['100', 'web 0%, web-canary 100%'],
    ['101', 'web 0%, web-canary 100%'],
    ['many', 'web 100%, web-canary 0%'],
  ])('a weight of %s: %s', (weight, expected) => {
    expect(ask(router, worldOf(...APPS, ingress('web'), canary({ 'canary-weight': weight })), {})).toBe(expected);
  });

  it.each<[string, string, string]>([
    ['the same host and path', rule('web', '/x'), 'web 50%, web-canary 50%'],
    ['another path', rule('web', '/y'), '503'],
    ['another host', rule('web', '/x', { host: 'b.com' }), '503'],
    ['another type of path', rule('web', '/x', { pathType: 'Exact' }), 'web'],
    ['no Service', rule('{resource: {kind: Bucket, name: x}}', '/x'), '503'],
  ])('a canary by weight beside an Ingress with %s', (_, stable, expected) => {
    const texts = [
      ...APPS,
      ingress('web', {}, `rules: [${stable}]`),
      canary({ 'canary-weight': '50' }, `rules: [${rule('web-canary', '/x')}]`),
    ];
    expect(ask(router, worldOf(...texts), { path: '/x' })).toBe(expected);
  });

  it('a canary is never the main Ingress of another canary', () => {
    const second = ingress('web', { canary: 'true', order: '2', 'canary-weight': '50' });
    expect(ignoredBy(router, ...APPS, canary({ 'canary-weight': '50' }), second)).toEqual([
      'ignored: web-canary spec.rules[0].http.paths[0], canary-without-main: no other Ingress of this ALB has the host a.com and the path /',
      'ignored: web spec.rules[0].http.paths[0], canary-without-main: no other Ingress of this ALB has the host a.com and the path /',
    ]);
  });

  it('of a canary go to the stable Service of another namespace', () => {
    const stable = ingress('web').replace('metadata: {', 'metadata: {namespace: team, ');
    const texts = [app('web', 'team'), app('web-canary'), stable, canary({ 'canary-weight': '50' })];
    expect(ask(router, worldOf(...texts), {})).toBe('team/web 50%, web-canary 50%');
  });

  it('of an Ingress without an order come with those of the order 10', () => {
    const order = (first: Annotations, second: Annotations) =>
      tableOf(router, ingress('a', first), ingress('b', second))[0];
    expect([order({}, { order: '10' }), order({}, { order: '9' }), order({ order: '11' }, {})]).toEqual([
      'alb: a, b',
      'alb: b, a',
      'alb: b, a',
    ]);
  });

  it('are tried in the order of the Ingresses, whatever their hosts', () => {
    const any = ingress('any', { order: '1' }, `rules: [${rule('web', '/', { host: '' })}]`);
    const named = ingress('named', { order: '2' }, `rules: [${rule('web-canary')}]`);
    expect(ask(router, worldOf(...APPS, any, named), {})).toBe('web');
    expect(ask(router, worldOf(...APPS, any.replace('order: "1"', 'order: "3"'), named), {})).toBe('web-canary');
  });

  it('name each backend that is none', () => {
    const bucket = '{resource: {kind: Bucket, name: x}}';
    const text = ingress('web', {}, `rules: [${rule(bucket, '/a')}, ${rule(bucket, '/b')}, ${rule('web')}]`);
    expect(ignoredBy(router, app('web'), text).map((line) => line.split(',')[0])).toEqual([
      'ignored: web spec.rules[0].http.paths[0]',
      'ignored: web spec.rules[1].http.paths[0]',
    ]);
  });

  it('of one order come by namespace and name', () => {
    const of = (name: string, namespace: string) =>
      ingress(name, {}, `rules: [${rule('web')}]`).replace('metadata: {', `metadata: {namespace: ${namespace}, `);
    expect(tableOf(router, of('a', 'z'), of('b', 'a'), of('c', 'a')).slice(0, 1)).toEqual(['alb: a/b, a/c, z/a']);
  });

  it('redirect to HTTPS on the port of HTTP only, also for a canary', () => {
    const ports = { 'listen-ports': '[{"HTTP": 80}, {"HTTPS": 443}]', 'ssl-redirect': 'true' };
    const texts = [...APPS, ingress('web', ports), canary({ ...ports, 'canary-by-header': 'x-c' })];
    expect(routed(router, texts)).toEqual({
      answer: { kind: 'redirect', statusCode: '308', protocol: 'HTTPS', port: '443' },
      rule: 'web-canary spec.rules[0].http.paths[0]: rule 1 of HTTP:80: host is a.com and path is /*',
      isDefault: false,
      passedOver: [],
    });
    expect(routed(router, texts, { port: 443, headers: { 'x-c': '1' } })).toEqual({
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
      rule: 'web-canary spec.rules[0].http.paths[0]: rule 1 of HTTPS:443: host is a.com and path is /* and header x-c is there',
      isDefault: false,
      passedOver: [],
    });
  });

  it.each<[string, Annotations, string, string, string]>([
    ['an expression', { 'use-regex': 'true' }, '/v[0-9]+', '/a/v1/x', 'web'],
    ['an expression that misses', { 'use-regex': 'true' }, '/v[0-9]+', '/vx', '503'],
    ['an expression that is none', { 'use-regex': 'true' }, '/(', '/(', '503'],
    ['a prefix that only looks like an expression', { 'use-regex': 'false' }, '/v[0-9]+', '/v1', '503'],
    ['an empty path', {}, '', '/any', 'web'],
  ])('%s as the path', (_, annotations, at, requested, expected) => {
    const text = ingress('web', annotations, `rules: [${rule('web', at, { pathType: 'ImplementationSpecific' })}]`);
    expect(ask(router, worldOf(app('web'), text), { path: requested })).toBe(expected);
  });
});

describe('the ALB of an Ingress', () => {
  const classOf = (name: string, more: string) =>
    `apiVersion: networking.k8s.io/v1\nkind: IngressClass\nmetadata: {name: ${name}${more}`;
  const CONTROLLER = 'controller: ingress.k8s.alibabacloud/alb';
  const names = (...texts: readonly string[]) =>
    router.routes(worldOf(app('web'), ...texts)).loadBalancers.map(({ name }) => name);
  const classless = ingress('web').replace('ingressClassName: alb, ', '');

  it.each<[string, readonly string[], string[]]>([
    ['the name of its class', [ingress('web'), classOf('alb', `}\nspec: {${CONTROLLER}}`)], ['alb']],
    [
      'the AlbConfig of its class',
      [ingress('web'), classOf('alb', `}\nspec: {${CONTROLLER}, parameters: {name: one}}`)],
      ['one'],
    ],
    [
      'the AlbConfig of the default class',
      [
        classless,
        classOf(
          'other',
          `, annotations: {ingressclass.kubernetes.io/is-default-class: 'true'}}\nspec: {${CONTROLLER}, parameters: {name: two}}`,
        ),
      ],
      ['two'],
    ],
    ['none without a class', [classless], []],
    ['none with a class of another controller', [ingress('web'), classOf('alb', '}\nspec: {controller: x}')], []],
    ['none with a class without a controller', [ingress('web'), classOf('alb', '}')], []],
  ])('is %s', (_, texts, expected) => expect(names(...texts)).toEqual(expected));

  it('has the name of the class where the router serves Ingresses without one', () => {
    const { loadBalancers } = aliyunAlbRouter({ withoutClass: true }).routes(worldOf(app('web'), classless));
    expect(loadBalancers.map(({ name }) => name)).toEqual(['alb']);
  });

  it('can have another class by option', () => {
    const { loadBalancers } = aliyunAlbRouter({ ingressClass: 'x' }).routes(
      worldOf(app('web'), ingress('a'), ingress('b').replace('ingressClassName: alb', 'ingressClassName: x')),
    );
    expect(loadBalancers.map(({ name, members }) => [name, members.map((member) => member.name)])).toEqual([
      ['x', ['b']],
    ]);
  });

  it('comes in the order of the names, each with its ports in order', () => {
    const other = ingress('b', { 'listen-ports': '[{"HTTP": 90}, {"HTTP": 9}, {"HTTPS": 443}]' }).replace(
      'ingressClassName: alb',
      'ingressClassName: a',
    );
    const texts = [app('a'), app('b'), ingress('a'), other, classOf('a', `}\nspec: {${CONTROLLER}}`)];
    expect(tableOf(router, ...texts)).toEqual([
      'a: b',
      '- HTTP on 9',
      '  b spec.rules[0].http.paths[0]: rule 1 of HTTP:9: host is a.com and path is /*',
      '- HTTP on 90',
      '  b spec.rules[0].http.paths[0]: rule 1 of HTTP:90: host is a.com and path is /*',
      '- HTTPS on 443',
      '  b spec.rules[0].http.paths[0]: rule 1 of HTTPS:443: host is a.com and path is /*',
      'alb: a',
      '- HTTP on 80',
      '  a spec.rules[0].http.paths[0]: rule 1 of HTTP:80: host is a.com and path is /*',
    ]);
  });
});
