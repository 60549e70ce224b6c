import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StringMap } from '../../../src/core/json';
import { PACKAGED_FOLDER, readScriptLibrary } from '../../../src/files/scripts/library';
import { proveScripts } from '../../../src/files/scripts/proof';
import { testScript } from '../../../src/files/scripts/script-tester';
import type { HttpRouteMatch, TrafficRoutingStrategy } from '../../../src/kruise/api';
import {
  customScriptObject,
  ingressScriptObject,
  returnedAnnotations,
  returnedData,
  type ScriptObject,
  scriptRunner,
} from '../../../src/kruise/scripts/contract';
import type { LibraryScript } from '../../../src/kruise/scripts/library';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { compileLua, type LuaData } from '../../../src/lua';
import { rejectedScripts } from './rejected/defects';

const library = readScriptLibrary(PACKAGED_FOLDER);
const shipped = [
  'ingress.aliyun-alb',
  'ingress.aws-alb',
  'ApisixRoute.apisix.apache.org',
  'HTTPProxy.projectcontour.io',
  'Ingress.networking.k8s.io',
  'IngressRoute.traefik.io',
  'MeshHTTPRoute.kuma.io',
  'TraefikService.traefik.io',
  'TrafficRoute.kuma.io',
];

function script(name: string): LibraryScript {
  const found = library.scripts.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no script ${name}`);
  return found;
}

describe('the shipped scripts', () => {
  it('are complete', () => {
    expect(library.scripts.map((each) => each.name).sort()).toEqual([...shipped].sort());
  });

  it.each(shipped)('%s passes its testdata, which runs every line', async (name) => {
    const { result } = await testScript(script(name), {
      version: KruiseRolloutVersion.LATEST,
      coverage: true,
      display: (file) => file,
    });
    const failed = result.cases.flatMap((each) =>
      each.steps.filter((step) => step.status !== 'passed').map((step) => ({ case: each.name, ...step })),
    );
    expect(failed).toEqual([]);
    expect(result.coverage?.uncovered).toEqual([]);
  });

  const older = KruiseRolloutVersion.ALL.filter((version) => ['v0.3.0', 'v0.4.4', 'v0.5.5'].includes(String(version)));

  it.each(older.map((version) => [String(version), version] as const))('have no error on %s', (_name, version) => {
    const errors = proveScripts(library.scripts, { version }).findings.filter(({ severity }) => severity === 'error');
    // A release without custom scripts never runs them, and says so.
    expect(errors.filter(({ rule }) => rule !== 'lua-script-shadowed')).toEqual([]);
  });

  it('leave out the cases that an older release cannot play, and no other one', async () => {
    const stepsOn = async (version: KruiseRolloutVersion) => {
      const { result } = await testScript(script('TraefikService.traefik.io'), { version, display: (file) => file });
      return new Map(result.cases.map(({ name, steps }) => [name, steps.map(({ status }) => status)]));
    };
    const [old, now] = [
      await stepsOn(older.find((version) => String(version) === 'v0.5.5')!),
      await stepsOn(KruiseRolloutVersion.LATEST),
    ];
    expect([...old.values()].flat()).not.toContain('failed');
    const left = [...old].filter(([, steps]) => steps.includes('skipped')).map(([name]) => name);
    expect(left.length).toBeGreaterThan(0);
    expect(left.length).toBeLessThan(old.size);
    for (const [name, steps] of old) if (!left.includes(name)) expect(steps).toEqual(now.get(name));
  });

  it.each(shipped)('%s makes no globals and needs no order of pairs', (name) => {
    const compiled = compileLua(script(name).source);
    const obj = name.startsWith('ingress.') ? ingressObject(name) : customObject(name);
    const results = [undefined, 1, 2, 3].map((mapOrderSeed) =>
      compiled.run(obj as unknown as LuaData, { mapOrderSeed }),
    );
    expect(results.map((result) => result.globals)).toEqual([[], [], [], []]);
    expect(new Set(results.map((result) => (result.ok ? result.json : result.error))).size).toBe(1);
  });
});

const alb = 'alb.ingress.kubernetes.io/';
const stableIngress = {
  [`${alb}group.name`]: 'demo',
  [`${alb}group.order`]: '10',
  'rollout-constructs.io/canary-group-order': '9',
  [`${alb}target-type`]: 'ip',
  [`${alb}actions.web`]:
    '{"type":"forward","forwardConfig":{"targetGroups":[{"serviceName":"web","servicePort":8080}]}}',
};

function ingressObject(name: string): ScriptObject {
  const annotations =
    name === 'ingress.aws-alb'
      ? stableIngress
      : { [`${alb}order`]: '501', 'rollout-constructs.io/canary-order': '1', owner: 'team-a' };
  return ingressScriptObject({ annotations, strategy: { traffic: '20%' }, canaryService: 'web-canary' });
}

const specs: { readonly [name: string]: { readonly [key: string]: unknown } } = {
  'ApisixRoute.apisix.apache.org': {
    http: [{ name: 'site', match: { paths: ['/*'] }, backends: [{ serviceName: 'web', servicePort: 80 }] }],
  },
  'HTTPProxy.projectcontour.io': {
    virtualhost: { fqdn: 'a.com' },
    routes: [{ services: [{ name: 'web', port: 80 }] }],
  },
  'Ingress.networking.k8s.io': {
    rules: [
      {
        host: 'a.com',
        http: {
          paths: [
            {
              path: '/',
              pathType: 'Prefix',
              backend: { service: { name: 'web', port: { name: 'use-annotation' } } },
            },
          ],
        },
      },
    ],
  },
  'IngressRoute.traefik.io': { routes: [{ match: 'Host(`a.com`)', services: [{ name: 'web', port: 80 }] }] },
  'MeshHTTPRoute.kuma.io': {
    to: [
      {
        targetRef: { kind: 'MeshService', name: 'web' },
        rules: [
          {
            matches: [{ path: { type: 'PathPrefix', value: '/' } }],
            default: { backendRefs: [{ kind: 'MeshService', name: 'web', port: 80 }] },
          },
        ],
      },
    ],
  },
  'TraefikService.traefik.io': { weighted: { services: [{ name: 'web', port: 80 }] } },
  'TrafficRoute.kuma.io': { conf: { destination: { 'kuma.io/service': 'web_default_svc_80' } } },
};

function customObject(name: string, strategy: TrafficRoutingStrategy = { traffic: '20%' }): ScriptObject {
  return customScriptObject({
    original: { spec: specs[name], labels: { app: 'web', tier: 'front' }, annotations: stableIngress },
    strategy,
    canaryService: 'web-canary',
    stableService: 'web',
  });
}

/** The weights of the two Services, from the fields of each kind. */
function weights(name: string, strategy: TrafficRoutingStrategy): { stable: unknown; canary: unknown } {
  const returned = returnedData(scriptRunner(script(name).source)(customObject(name, strategy)));
  if (!returned.ok) throw new Error(returned.error);
  const found = new Map<unknown, unknown>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { name, serviceName, destination, weight } = value as { readonly [key: string]: unknown };
    const service = name ?? serviceName ?? (destination as { [tag: string]: string } | undefined)?.['kuma.io/service'];
    if (weight !== undefined) found.set(String(service).replace('_default_svc_80', ''), weight);
    Object.values(value).forEach(visit);
  };
  const action = returned.data.annotations?.[`${alb}actions.web`];
  visit(name === 'Ingress.networking.k8s.io' ? JSON.parse(action ?? 'null') : returned.data.spec);
  return { stable: found.get('web'), canary: found.get('web-canary') };
}

describe('weights', () => {
  it.each(Object.keys(specs))('%s splits exactly as the step says', (name) => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 }), (weight) => {
        expect(weights(name, { traffic: `${weight}%` })).toEqual({ stable: 100 - weight, canary: weight });
      }),
      { seed: 1, numRuns: 25, examples: [[0], [1], [50], [99], [100]] },
    );
  });
});

const split = (canary: number) =>
  `{"forwardConfig":{"targetGroups":[{"serviceName":"web-canary","servicePort":8080,"weight":${canary}},{"serviceName":"web","servicePort":8080,"weight":${100 - canary}}]},"type":"forward"}`;
const header = (name: string, values: string) =>
  `[{"field":"http-header","httpHeaderConfig":{"httpHeaderName":"${name}",${values}}}]`;
type Test = { readonly type: 'Exact' | 'RegularExpression'; readonly name: string; readonly value: string };
const headers = (...list: Test[]): HttpRouteMatch => ({ headers: list });
const exact = (name: string, value: string): Test => ({ type: 'Exact', name, value });
const regex = (name: string, value: string): Test => ({ type: 'RegularExpression', name, value });

/** Strategy, action weight, conditions. The texts are compared exactly. */
const worked: readonly [string, TrafficRoutingStrategy | undefined, number, string | undefined][] = [
  ['weight 0 (creation, idle)', undefined, 0, header('x-kruise-canary-idle', '"values":["web-canary"]')],
  ['weight 20', { traffic: '20%' }, 20, undefined],
  ['weight 100', { traffic: '100%' }, 100, undefined],
  ['header exact', { matches: [headers(exact('user-agent', 'pc'))] }, 100, header('user-agent', '"values":["pc"]')],
  [
    'header regex',
    { matches: [headers(regex('x-user', 'user-[0-9]+'))] },
    100,
    header('x-user', '"regexValues":["^(user-[0-9]+)$"]'),
  ],
  [
    'two headers AND',
    { matches: [headers(exact('user-agent', 'pc'), regex('x-user', 'user-[0-9]+'))] },
    100,
    `${header('user-agent', '"values":["pc"]').slice(0, -1)},${header('x-user', '"regexValues":["^(user-[0-9]+)$"]').slice(1)}`,
  ],
  [
    'OR, same header',
    { matches: [headers(exact('user-agent', 'pc')), headers(exact('user-agent', 'mobile'))] },
    100,
    header('user-agent', '"values":["pc","mobile"]'),
  ],
  [
    'cookie by name',
    { matches: [headers(exact('canary-by-cookie', 'grey'))] },
    100,
    header('cookie', '"regexValues":["^(.*; ?)?grey=always(;.*)?$"]'),
  ],
  [
    'cookie',
    { matches: [headers(exact('cookie', 'grey=always'))] },
    100,
    header('cookie', '"regexValues":["^(.*; ?)?grey=always(;.*)?$"]'),
  ],
  [
    'header + weight 20',
    { traffic: '20%', matches: [headers(exact('user-agent', 'pc'))] },
    100,
    header('user-agent', '"values":["pc"]'),
  ],
  [
    'query v=2',
    { matches: [{ queryParams: [exact('v', '2')] }] },
    100,
    '[{"field":"query-string","queryStringConfig":{"values":[{"key":"v","value":"2"}]}}]',
  ],
  [
    'exact with * and ?',
    { matches: [headers(exact('x-range', '1*?'))] },
    100,
    header('x-range', '"regexValues":["^(1\\\\*\\\\?)$"]'),
  ],
];

describe('aws-alb: the worked examples', () => {
  const run = scriptRunner(script('ingress.aws-alb').source);
  const next = (annotations: StringMap | undefined, strategy?: TrafficRoutingStrategy) =>
    returnedAnnotations(run(ingressScriptObject({ annotations, strategy, canaryService: 'web-canary' })));

  it.each(worked)('%s', (_name, strategy, weight, conditions) => {
    const created = next(stableIngress);
    if (!created.ok) throw new Error(created.error);
    const expected = {
      ...stableIngress,
      [`${alb}group.order`]: '9',
      [`${alb}actions.web-canary`]: split(weight),
      ...(conditions === undefined ? {} : { [`${alb}conditions.web-canary`]: conditions }),
    };
    const stepped = strategy === undefined ? created : next(created.annotations, strategy);
    expect(stepped).toEqual({ ok: true, annotations: expected });
    // The controller runs the script again and again until it changes nothing.
    expect(next(expected, strategy)).toEqual({ ok: true, annotations: expected });
  });

  const refused: readonly [string, TrafficRoutingStrategy, string][] = [
    ['different headers', { matches: [headers(exact('a', '1')), headers(exact('b', '2'))] }, 'use customNetworkRefs'],
    ['a path', { matches: [{ path: { type: 'PathPrefix', value: '/v2' } }] }, 'use customNetworkRefs'],
    ['an empty match', { matches: [{}] }, 'matches every request'],
    ['a query regex', { matches: [{ queryParams: [regex('v', '.*')] }] }, 'use an exact value, or a header'],
  ];
  it.each(refused)('refuses %s', (_name, strategy, message) => {
    const result = next(stableIngress, strategy);
    expect(result.ok ? '' : result.error).toContain(message);
  });
});

describe('scripts kept as examples of defects', () => {
  it.each(rejectedScripts.map((each) => [each.library, each.name] as const))('%s %s is there', (folder, name) => {
    const names = readScriptLibrary(join(__dirname, 'rejected', folder)).scripts.map((each) => each.name);
    expect(names).toContain(name);
  });
});
