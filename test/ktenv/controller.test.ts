import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineage, playOperator, readRule, type ServicePlan, subsetName } from '../../src/ktenv/controller';
import { mergeRoute } from '../../src/ktenv/controller/route';

/** A namespace in short: the labels of Deployments as `app=env`, and Services that select one app each. */
function play(deployments: readonly string[], services: readonly object[], spec: object = {}) {
  return playOperator({
    virtualEnvironment: {
      apiVersion: 'env.alibaba.com/v1alpha2',
      kind: 'VirtualEnvironment',
      metadata: { name: 'env', namespace: 'shop' },
      spec: { envLabel: { defaultSubset: 'dev' }, ...spec },
    },
    services,
    deployments: deployments.map((text) => {
      const [app, env] = text.split('=') as [string, string];
      return {
        kind: 'Deployment',
        metadata: { name: `${app}-${env}` },
        spec: { template: { metadata: { labels: { app, 'virtual-env': env } } } },
      };
    }),
    statefulSets: [],
  });
}

function service(name: string, more: { ports?: object[]; annotations?: object; selector?: object } = {}) {
  const { ports = [{ name: 'http', port: 80 }], annotations = {}, selector = { app: name } } = more;
  return { metadata: { name, annotations }, spec: { selector, ports } };
}

// biome-ignore lint/suspicious/noExplicitAny: read as it comes
function httpOf({ virtualService }: ServicePlan): any[] {
  // biome-ignore lint/suspicious/noExplicitAny: read as it comes
  return (virtualService as any)?.spec.http;
}

const EXAMPLE_APP = [
  'js=dev',
  'js=dev.proj1',
  'go=dev',
  'go=dev.proj2',
  'java=dev',
  'java=dev.proj1',
  'java=dev.proj1.f1',
];

describe('the operator of KtEnv', () => {
  it('routes an environment to its own pods, or to those of its nearest parent', () => {
    const { services } = play(EXAMPLE_APP, [service('js'), service('go'), service('java')]);
    const routes = services.map(({ service: name, routes }) => [
      name,
      ...routes.map(({ environment, answeredBy, reason }) => `${environment} -> ${answeredBy} (${reason})`),
    ]);
    expect(routes).toEqual([
      ['go', 'dev.proj2 -> dev.proj2 (exact)'],
      ['java', 'dev.proj1 -> dev.proj1 (exact)', 'dev.proj1.f1 -> dev.proj1.f1 (exact)'],
      ['js', 'dev.proj1 -> dev.proj1 (exact)', 'dev.proj1.f1 -> dev.proj1 (parent)'],
    ]);
  });

  it('writes nothing for a Service with one route or without labelled pods', () => {
    const { services, virtualServices, destinationRules } = play(['a=dev'], [service('a'), service('b')]);
    expect(services.map(({ outcome }) => outcome)).toEqual(['too-few-routes', 'no-workload']);
    expect([virtualServices, destinationRules]).toEqual([[], []]);
  });

  it('ignores the Service of the API server', () => {
    expect(play(['a=dev', 'a=x'], [service('kubernetes', { selector: {} })]).services[0]!.outcome).toBe('ignored');
  });

  it('takes extra hosts and gateways unchanged, including spaces', () => {
    const annotations = { 'kt-virtual-environment/hosts': 'x, y', 'kt-virtual-environment/gateways': ' gw' };
    const [virtualService] = play(['a=dev'], [service('a', { annotations })]).virtualServices;
    expect(virtualService!.spec).toMatchObject({ hosts: ['a', 'x', ' y'], gateways: ['mesh', ' gw'] });
  });

  it('replaces every placeholder of an alias, but only an explicit one', () => {
    const aliases = [
      { name: 'A', pattern: '@|x-@', placeholder: '@' },
      { name: 'B', pattern: '.*(@).*' },
    ];
    const [plan] = play(['a=dev', 'a=p$&'], [service('a')], { envHeader: { name: 'H', aliases } }).services;
    expect(httpOf(plan!).map(({ match }) => match[0].headers)).toEqual([
      { H: { exact: 'p$&' } },
      { A: { regex: 'p$&|x-p$&' } },
      { B: { exact: 'p$&' } },
      undefined,
    ]);
  });

  it("writes an EnvoyFilter of the VirtualEnvironment's name with autoInject alone", () => {
    expect(play(EXAMPLE_APP, []).envoyFilters).toEqual([]);
    const [filter] = play([], [], { envHeader: { autoInject: true, name: 'H' } }).envoyFilters;
    expect(filter!.metadata).toEqual({
      name: 'env',
      namespace: 'shop',
      labels: { envHeader: 'H', envLabel: 'virtual-env' },
    });
    expect(JSON.stringify(filter)).toContain('os.getenv(\\"VIRTUAL_ENVIRONMENT_TAG\\")');
  });
});

describe('the rule annotation', () => {
  const routes = (rule: unknown, spec: object = {}) => {
    const annotations = { 'kt-virtual-environment/rule': typeof rule === 'string' ? rule : JSON.stringify(rule) };
    return httpOf(play(['a=dev', 'a=x'], [service('a', { annotations })], spec).services[0]!);
  };

  it('gives its fields to every route, whatever their spelling', () => {
    const [first, last] = routes({ REWRITE: { URI: '/' }, timeout: '3s' });
    expect(first).toMatchObject({
      rewrite: { uri: '/' },
      timeout: '3s',
      match: [{ headers: { 'X-Virtual-Env': { exact: 'x' } } }],
    });
    expect(last).toMatchObject({ rewrite: { uri: '/' }, timeout: '3s', match: [{ port: 80 }] });
  });

  it('keeps its first match and its first route only, merged with the generated ones', () => {
    const [first, last] = routes({
      match: [{ port: 1, uri: { prefix: '/a' }, headers: { h: { exact: 'v' } } }, { uri: { prefix: '/b' } }],
      route: [{ destination: { host: 'other', port: { name: 'n' } }, weight: 1 }, { destination: { host: 'third' } }],
    });
    expect(first.match).toEqual([
      { uri: { prefix: '/a' }, headers: { h: { exact: 'v' }, 'X-Virtual-Env': { exact: 'x' } }, port: 80 },
    ]);
    expect(last.match).toEqual([{ uri: { prefix: '/a' }, headers: { h: { exact: 'v' } }, port: 80 }]);
    expect(last.route).toEqual([
      { destination: { host: 'a', subset: 'dev', port: { number: 80, name: 'n' } }, weight: 100 },
    ]);
  });

  it('gives its subset to the default route where there is no default subset', () => {
    const [, , last] = routes({ route: [{ destination: { subset: 'mine' } }] }, { envLabel: {} });
    expect(last.route[0].destination.subset).toBe('mine');
  });

  it('loses fields that the operator does not know or expects with another type, and everything if it is not JSON', () => {
    expect(readRule('{"timeout":5,"nope":1,"match":[{"uri":{"glob":"x"}}]}').dropped).toEqual([
      'timeout',
      'nope',
      'match[0].uri.glob',
    ]);
    expect(routes({ timeout: 5, websocketUpgrade: true })[0]).toMatchObject({ websocketUpgrade: true });
    expect(routes('oops')).toEqual(routes({}));
    expect(readRule('oops').problem).toBeDefined();
    expect(readRule('[]').problem).toBe('it is not an object');
  });
});

describe('a rule annotation decoded and written again as Go does it', () => {
  const decoded = (rule: object) => mergeRoute(readRule(JSON.stringify(rule)).base, {});
  const EMPTY_DESTINATION = { host: '', port: {} };

  it.each([
    ['an empty text', { timeout: '' }, {}],
    [
      'an empty text that has no omitempty',
      { retries: { perTryTimeout: '' } },
      { retries: { attempts: 0, perTryTimeout: '' } },
    ],
    ['an empty list', { match: [], corsPolicy: { allowOrigin: [] } }, { corsPolicy: {} }],
    ['an empty map', { appendHeaders: {} }, {}],
    ['an empty struct behind a pointer', { rewrite: {} }, { rewrite: {} }],
    ['an empty struct in place', { route: [{}] }, { route: [{ destination: EMPTY_DESTINATION, weight: 0 }] }],
    ['false', { websocketUpgrade: false }, {}],
    ['null for a map', { appendHeaders: null }, {}],
    ['null in a map of texts', { appendHeaders: { a: null } }, { appendHeaders: { a: '' } }],
    ['null in a map of structs', { match: [{ headers: { a: null } }] }, { match: [{ headers: { a: {} } }] }],
    [
      'null in a list of texts',
      { corsPolicy: { allowOrigin: [null, 'a'] } },
      { corsPolicy: { allowOrigin: ['', 'a'] } },
    ],
    ['null in a list of structs', { match: [null] }, { match: [{}] }],
    ['an empty text in a list', { corsPolicy: { allowOrigin: [''] } }, { corsPolicy: { allowOrigin: [''] } }],
  ])('%s', (_, rule, written) => expect(decoded(rule)).toEqual(written));

  it.each([
    ['a fraction', { match: [{ port: 80.5 }] }, 'match[0].port'],
    ['a number as text', { match: [{ port: '80' }] }, 'match[0].port'],
    ['a flag as text', { websocketUpgrade: 'true' }, 'websocketUpgrade'],
    ['a list as an object', { match: { uri: {} } }, 'match'],
    ['a map as a list', { appendHeaders: [] }, 'appendHeaders'],
    ['a struct as a text', { rewrite: '/' }, 'rewrite'],
    ['a text in a map as a number', { appendHeaders: { a: 1 } }, 'appendHeaders.a'],
  ])('drops %s', (_, rule, path) => expect(readRule(JSON.stringify(rule)).dropped).toEqual([path]));

  it('a null leaves plain values as they are, and empties what is behind a pointer', () => {
    const base = readRule(
      JSON.stringify({
        timeout: '3s',
        rewrite: { uri: '/' },
        route: [{ destination: { host: 'a', port: { number: 1 } }, weight: 7 }],
      }),
    ).base;
    const route = { timeout: null, rewrite: null, route: [{ destination: { host: null, port: null }, weight: null }] };
    expect(mergeRoute(base, route)).toEqual({
      timeout: '3s',
      route: [{ destination: { host: 'a', port: { number: 1 } }, weight: 7 }],
    });
  });

  it('a later value is decoded into what is there: fields of a struct and elements of a list, but not values of a map', () => {
    const base = readRule(
      JSON.stringify({
        match: [{ uri: { prefix: '/a' }, headers: { h: { exact: 'v' } } }, { uri: { prefix: '/b' } }],
        corsPolicy: { maxAge: '1s' },
      }),
    ).base;
    const route = { match: [{ headers: { h: { prefix: 'p' } } }], corsPolicy: { allowCredentials: true } };
    expect(mergeRoute(base, route)).toEqual({
      match: [{ uri: { prefix: '/a' }, headers: { h: { prefix: 'p' } } }],
      corsPolicy: { maxAge: '1s', allowCredentials: true },
    });
  });
});

describe('lineage', () => {
  it('cuts at the last splitter', () => {
    expect(lineage('dev.a.b', '.')).toEqual(['dev.a.b', 'dev.a', 'dev']);
    expect(lineage('dev.a', '/')).toEqual(['dev.a']);
  });

  it('ends at the text before the first splitter', () => {
    const label = fc.array(fc.stringMatching(/^[a-z]{1,3}$/), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(label, (levels) => {
        const names = lineage(levels.join('.'), '.');
        expect(names).toHaveLength(levels.length);
        expect(names.at(-1)).toBe(levels[0]);
      }),
      { seed: 6, numRuns: 50 },
    );
  });
});

it('every route of an environment leads to a workload of the Service, and never to the default subset', () => {
  const label = fc.constantFrom('dev', 'dev.a', 'dev.a.b', 'dev_a', 'test', 'test.x');
  const app = fc.constantFrom('a', 'b');
  const deployments = fc.uniqueArray(
    fc.tuple(app, label).map((pair) => pair.join('=')),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(deployments, label, (workloads, defaultSubset) => {
      const { services } = play(workloads, [service('a'), service('b')], { envLabel: { defaultSubset } });
      for (const { service: name, routes } of services) {
        for (const { answeredBy, environment, subset } of routes) {
          expect(workloads).toContain(`${name}=${answeredBy}`);
          expect(lineage(environment, '.')).toContain(answeredBy);
          expect(subset).not.toBe(subsetName(defaultSubset));
        }
      }
    }),
    { seed: 6, numRuns: 100 },
  );
});
