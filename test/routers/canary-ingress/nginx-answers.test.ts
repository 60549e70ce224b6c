import { describe, expect, it } from 'vitest';
import { nginxRouter } from '../../../src/routers';
import { app, ask, deployment, service, worldOf } from '../stack';
import { answered, ignoredBy, routed, tableOf } from '../tables';

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
const TLS = 'tls: [{hosts: [A.com], secretName: s}]';
const APPS = [app('web'), app('web-canary')];

describe('the answers of nginx', () => {
  it('have whole destinations, weights and stickiness', () => {
    const sticky = ingress('web', { affinity: 'cookie' });
    expect(routed(router, [...APPS, sticky, canary({ 'canary-weight': '30', 'canary-by-header': 'x-c' })])).toEqual({
      answer: {
        kind: 'services',
        destinations: [
          {
            service: { namespace: 'default', name: 'web' },
            port: 80,
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
        sticky: true,
      },
      rule: 'web spec.rules[0].http.paths[0]: HTTP a.com, path /*',
      isDefault: false,
      passedOver: [
        'HTTP a.com, path /*, header x-c is "always": not told',
        'HTTP a.com, path /*, header x-c is "never": not told',
      ],
    });
    expect(
      routed(router, [...APPS, sticky, canary({ 'canary-weight': '30', 'canary-by-header': 'x-c' })], {
        headers: { 'x-c': 'always' },
      }),
    ).toEqual({
      answer: {
        kind: 'services',
        destinations: [
          {
            service: { namespace: 'default', name: 'web-canary' },
            port: 80,
            weight: 1,
            share: 1,
            workloads: ['Deployment web-canary'],
          },
        ],
        sticky: true,
      },
      rule: 'web-canary metadata.annotations["nginx.ingress.kubernetes.io/canary-by-header"]: HTTP a.com, path /*, header x-c is "always"',
      isDefault: false,
      passedOver: [],
    });
    expect(
      routed(router, [...APPS, sticky, canary({ 'canary-by-header': 'x-c' })], { headers: { 'x-c': 'never' } }),
    ).toEqual({
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
        sticky: true,
      },
      rule: 'web-canary metadata.annotations["nginx.ingress.kubernetes.io/canary-by-header"]: HTTP a.com, path /*, header x-c is "never"',
      isDefault: false,
      passedOver: ['HTTP a.com, path /*, header x-c is "always": not told'],
    });
    expect(answered(router, [...APPS, ingress('web', { affinity: 'ip' })])).toEqual({
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
    });
  });

  it.each<[Annotations, string]>([
    [{ 'canary-weight': '-1' }, 'web'],
    [{ 'canary-weight': '0' }, 'web'],
    [{ 'canary-weight': '1' }, 'web 99%, web-canary 1%'],
    [{ 'canary-weight': '100' }, 'web 0%, web-canary 100%'],
    [{ 'canary-weight': '101' }, 'web 0%, web-canary 100%'],
    [{ 'canary-weight': '50', 'canary-weight-total': '99' }, 'web 50%, web-canary 50%'],
    [{ 'canary-weight': '50', 'canary-weight-total': '100' }, 'web 50%, web-canary 50%'],
    [{ 'canary-weight': '50', 'canary-weight-total': '200' }, 'web 75%, web-canary 25%'],
    [{ 'canary-weight': '50', 'canary-weight-total': 'x' }, 'web 50%, web-canary 50%'],
  ])('%j: %s', (annotations, expected) => {
    expect(ask(router, worldOf(...APPS, ingress('web'), canary(annotations)), {})).toBe(expected);
  });

  it.each<[string, Annotations, object]>([
    [
      'an address',
      { 'permanent-redirect': 'https://x.com:8443/y' },
      { kind: 'redirect', statusCode: '301', protocol: 'HTTPS', host: 'x.com', port: '8443', path: '/y' },
    ],
    [
      'an address without a port',
      { 'temporal-redirect': 'http://x.com' },
      { kind: 'redirect', statusCode: '302', protocol: 'HTTP', host: 'x.com', path: '/' },
    ],
    ['a path', { 'permanent-redirect': '/y' }, { kind: 'redirect', statusCode: '301', path: '/y' }],
    ['a path, for now', { 'temporal-redirect': '/y' }, { kind: 'redirect', statusCode: '302', path: '/y' }],
    [
      'both',
      { 'temporal-redirect': '/t', 'permanent-redirect': '/p' },
      { kind: 'redirect', statusCode: '301', path: '/p' },
    ],
    [
      'a code',
      { 'permanent-redirect': '/y', 'permanent-redirect-code': '308', 'temporal-redirect-code': '307' },
      { kind: 'redirect', statusCode: '308', path: '/y' },
    ],
    [
      'a code, for now',
      { 'temporal-redirect': '/y', 'permanent-redirect-code': '308', 'temporal-redirect-code': '307' },
      { kind: 'redirect', statusCode: '307', path: '/y' },
    ],
    [
      'HTTPS before an address',
      { 'permanent-redirect': '/y', 'force-ssl-redirect': 'true' },
      { kind: 'redirect', statusCode: '308', protocol: 'HTTPS' },
    ],
  ])('redirect to %s', (_, annotations, expected) => {
    expect(answered(router, [...APPS, ingress('web', annotations)])).toEqual(expected);
  });

  it.each<[string, Annotations, string, string, string]>([
    ['a certificate', {}, TLS, 'redirect 308 HTTPS', 'web'],
    ['a certificate without a redirect', { 'ssl-redirect': 'false' }, TLS, 'web', 'web'],
    ['a certificate for no host', {}, 'tls: [{secretName: s}]', 'web', 'web'],
    ['a certificate for another host', {}, 'tls: [{hosts: [b.com]}]', 'web', 'web'],
    ['a redirect without a certificate', { 'ssl-redirect': 'true' }, 'tls: []', 'web', 'web'],
    ['a redirect that is forced', { 'force-ssl-redirect': 'true' }, 'tls: []', 'redirect 308 HTTPS', 'web'],
  ])('with %s', (_, annotations, tls, http, https) => {
    const world = worldOf(...APPS, ingress('web', annotations, `${tls}, rules: [${rule('web')}]`));
    expect([ask(router, world, {}), ask(router, world, { port: 443 })]).toEqual([http, https]);
  });

  it('with a certificate for a canary do not change', () => {
    const world = worldOf(
      ...APPS,
      ingress('web'),
      canary({ 'canary-weight': '100' }, `${TLS}, rules: [${rule('web-canary')}]`),
    );
    expect(ask(router, world, {})).toBe('web 0%, web-canary 100%');
  });

  it('of the rest of a host redirect by the certificate of that host', () => {
    const rules = `rules: [${rule('web', '/x')}, ${rule('web', '/x', { host: 'b.com' })}]`;
    const texts = [...APPS, ingress('all', {}, `${TLS}, defaultBackend: ${backend('web')}, ${rules}`)];
    const hosts = ['a.com', 'b.com', 'c.com'];
    expect(hosts.map((host) => ask(router, worldOf(...texts), { host, path: '/y' }))).toEqual([
      'redirect 308 HTTPS',
      'web',
      '404',
    ]);
    expect(hosts.map((host) => routed(router, texts, { host, path: '/y' }).rule)).toEqual([
      'all spec.defaultBackend: HTTP a.com, path /*',
      'all spec.defaultBackend: HTTP b.com, path /*',
      undefined,
    ]);
  });

  it('of the host of nobody never redirect', () => {
    const all = ingress(
      'all',
      { 'ssl-redirect': 'true' },
      `${TLS.replace('A.com', '""')}, rules: [${rule('web', '/', { host: '' })}]`,
    );
    expect(ask(router, worldOf(...APPS, all), {})).toBe('web');
  });

  it.each<[string, string, string]>([
    ['{number: 80}', 'the port', 'web'],
    ['{name: http}', 'the name of the port', 'web'],
    ['{number: 8080}', 'the port of the pods', 'web'],
    ['{name: "8080"}', 'the port of the pods as a text', 'web'],
    ['{number: 81}', 'another port', 'web (503 port-not-found)'],
  ])('a backend with %s, %s: %s', (port, _, expected) => {
    expect(ask(router, worldOf(...APPS, ingress('web', {}, `rules: [${rule(backend('web', port))}]`)), {})).toBe(
      expected,
    );
  });

  it('a backend by the name of a port of the pods', () => {
    const named = service('web').replace('targetPort: 8080', 'targetPort: main');
    const pods = deployment('web').replace(
      "image: 'demo:1'",
      "image: 'demo:1', ports: [{name: main, containerPort: 1}]",
    );
    const text = ingress('web', {}, `rules: [${rule(backend('web', '{name: main}'))}]`);
    expect(ask(router, worldOf(named, pods, text), {})).toBe('web');
  });

  it('of one port of a Service have the canary, and not those of another port', () => {
    const other = rule(backend('web', '{number: 9000}'), '/admin');
    const texts = [
      ...APPS,
      ingress('web', {}, `rules: [${rule('web')}, ${other}]`),
      canary({ 'canary-weight': '100' }, `rules: [${rule('web-canary')}]`),
    ];
    expect(['/', '/admin'].map((path) => ask(router, worldOf(...texts), { path }))).toEqual([
      'web 0%, web-canary 100%',
      'web',
    ]);
  });

  it('of a canary on two paths of a Service have it once', () => {
    const two = (to: string) => `rules: [${rule(to, '/a')}, ${rule(to, '/b')}]`;
    const texts = [...APPS, ingress('web', {}, two('web')), canary({ 'canary-weight': '50' }, two('web-canary'))];
    expect(ignoredBy(router, ...texts)).toEqual([]);
    expect(['/a', '/b'].map((path) => ask(router, worldOf(...texts), { path }))).toEqual([
      'web 50%, web-canary 50%',
      'web 50%, web-canary 50%',
    ]);
  });

  it('of a path that only looks like an expression are known', () => {
    const text = ingress('web', {}, `rules: [${rule('web', '/(a)\\\\1')}]`);
    expect(ask(router, worldOf(...APPS, text), { path: '/(a)\\1/x' })).toBe('web');
  });

  it('keep clients on a Service where any of its Ingresses says so', () => {
    const texts = [...APPS, ingress('web'), ingress('x', { affinity: 'cookie' }, `rules: [${rule('web', '/x')}]`)];
    expect(['/', '/x'].map((path) => answered(router, texts, { path }))).toEqual([
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
        sticky: true,
      },
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
        sticky: true,
      },
    ]);
  });

  it('of a canary on a port of the pods is that of the Service', () => {
    const spec = (port: string) => `rules: [${rule(backend('web-canary', port))}]`;
    const by = (port: string) =>
      ask(router, worldOf(...APPS, ingress('web'), canary({ 'canary-weight': '50' }, spec(port))), {});
    expect([by('{number: 80}'), by('{number: 8080}'), by('{number: 1}')]).toEqual([
      'web 50%, web-canary 50%',
      'web 50%, web-canary 50%',
      'web',
    ]);
  });

  it.each<[string, readonly string[]]>([
    ['the canary has no pods', [app('web'), service('web-canary')]],
    ['the canary does not exist', [app('web')]],
  ])('are those of the stable version if %s', (_, apps) => {
    expect(ask(router, worldOf(...apps, ingress('web'), canary({ 'canary-weight': '50' })), {})).toBe('web');
  });
});

describe('the hosts of nginx', () => {
  const at = (texts: readonly string[], host: string) => ask(router, worldOf(...APPS, ...texts), { host });

  it.each<[string, string]>([
    ['a.b.com', 'web'],
    ['A_1-x.b.com', 'web'],
    ['a.x.b.com', '404'],
    ['b.com', '404'],
    ['.b.com', '404'],
    ['a+.b.com', '404'],
    ['xb.com', '404'],
  ])('a wildcard and %s: %s', (host, expected) => {
    expect(at([ingress('web', {}, `rules: [${rule('web', '/', { host: '*.b.com' })}]`)], host)).toBe(expected);
  });

  it('are names before wildcards before all', () => {
    const texts = [
      ingress('all', {}, `rules: [${rule('web', '/', { host: '' })}]`),
      ingress('wild', {}, `rules: [${rule('web-canary', '/', { host: '*.b.com' })}]`),
      ingress('name', { 'server-alias': 'c.b.com,, d.com ' }, `rules: [${rule('other', '/', { host: 'a.b.com' })}]`),
    ];
    expect(
      ['a.b.com', 'c.b.com', 'd.com', 'e.b.com', 'e.com', ''].map((host) => at([app('other'), ...texts], host)),
    ).toEqual(['other', 'other', 'other', 'web-canary', 'web', 'web']);
  });

  it('have the aliases of the first Ingress that names some', () => {
    const texts = [
      ingress('web'),
      ingress('x', { 'server-alias': 'b.com' }, `rules: [${rule('web', '/x')}]`),
      ingress('z', { 'server-alias': 'c.com' }, `rules: [${rule('web', '/z')}]`),
    ];
    expect(['a.com', 'b.com', 'c.com'].map((host) => at(texts, host))).toEqual(['web', 'web', '404']);
    expect(at([...texts.slice(0, 1), canary({ 'server-alias': 'd.com' })], 'd.com')).toBe('404');
  });

  it('that two Ingresses have as a name and as an alias belong to the name', () => {
    const texts = [
      ingress('a', { 'server-alias': 'b.com' }, `rules: [${rule('web')}]`),
      ingress('b', {}, `rules: [${rule('web-canary', '/', { host: 'b.com' })}]`),
    ];
    expect(at(texts, 'a.com')).toBe('web');
    expect(tableOf(router, ...texts)).toEqual([
      'nginx: a, b',
      '- HTTP on 80',
      '  a spec.rules[0].http.paths[0]: HTTP a.com, path /*',
      '  b spec.rules[0].http.paths[0]: HTTP b.com, path /*',
      '- HTTPS on 443',
      '  a spec.rules[0].http.paths[0]: HTTPS a.com, path /*',
      '  b spec.rules[0].http.paths[0]: HTTPS b.com, path /*',
    ]);
  });
});

describe('expressions of nginx', () => {
  const at = (paths: string, requested: string, annotations: Annotations = { 'use-regex': 'true' }) =>
    ask(router, worldOf(...APPS, ingress('web', annotations, `rules: [{host: a.com, http: {paths: [${paths}]}}]`)), {
      path: requested,
    });

  it.each<[string, string, string]>([
    ['/v[0-9]', '/V1x', 'web'],
    ['/v[0-9]', '/a/v1', '404'],
    ['/(', '/(', '404'],
  ])('%s on %s: %s', (at_, requested, expected) => expect(at(path('web', at_), requested)).toBe(expected));

  it('try the longest first', () => {
    const both = `${path('web', '/a.*')}, ${path('web-canary', '/a.*b.*')}`;
    expect([at(both, '/axb'), at(both, '/ax')]).toEqual(['web-canary', 'web']);
  });

  it.each<[string, string]>([
    ['/', 'web'],
    ['/other', 'web-canary'],
  ])('a rewrite of / to %s makes /X lead to %s', (target, expected) => {
    const texts = [
      ingress('web', { 'rewrite-target': target }),
      ingress('x', {}, `rules: [${rule('web-canary', '/x', { pathType: 'Exact' })}]`),
    ];
    expect(ask(router, worldOf(...APPS, ...texts), { path: '/X' })).toBe(expected);
  });

  it('that are not modelled end the search, with the reason', () => {
    const open = ingress(
      'web',
      { 'use-regex': 'true' },
      `rules: [{host: a.com, http: {paths: [${path('web', '/(a)\\\\1')}, ${path('web', '/')}]}}]`,
    );
    expect(routed(router, [...APPS, open], { path: '/aa' })).toEqual({
      answer: {
        kind: 'unknown',
        why: 'the regular expression "^/(a)\\\\1" has a part that is not modelled, such as a back-reference',
      },
      rule: 'web spec.rules[0].http.paths[0]: HTTP a.com, path ~* ^/(a)\\1',
      isDefault: false,
      passedOver: [],
    });
  });
});

describe('a slash at the end of a path of nginx', () => {
  const at = (requested: string, paths: string) =>
    routed(router, [...APPS, ingress('web', {}, `rules: [{host: a.com, http: {paths: [${paths}]}}]`)], {
      path: requested,
    });

  it('is added by a redirect where only that path has a location', () => {
    expect(at('/x', path('web', '/x/'))).toEqual({
      answer: { kind: 'redirect', statusCode: '301', path: '/x/' },
      rule: 'web spec.rules[0].http.paths[0]: HTTP a.com, path = /x/, without the slash',
      isDefault: false,
      passedOver: [],
    });
    expect(at('/x/y', path('web', '/x/'))).toEqual({
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
      rule: 'web spec.rules[0].http.paths[0]: HTTP a.com, path /x/*',
      isDefault: false,
      passedOver: ['HTTP a.com, path /x/*, without the slash: not told'],
    });
    expect(at('/x', path('web', '/x')).answer).toEqual({
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
    });
    expect(at('/x', path('web', '/x/', 'Exact')).answer).toEqual({ kind: 'redirect', statusCode: '301', path: '/x/' });
    expect(at('/x', `${path('web', '/x/')}, ${path('web-canary', '/x', 'Exact')}`).answer).toEqual({
      kind: 'services',
      destinations: [
        {
          service: { namespace: 'default', name: 'web-canary' },
          port: 80,
          weight: 1,
          share: 1,
          workloads: ['Deployment web-canary'],
        },
      ],
      sticky: false,
    });
  });
});
