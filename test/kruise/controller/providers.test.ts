/** The providers of a route: which ones a release uses, what they miss, and what each reconcile of them writes. */
import { describe, expect, it } from 'vitest';
import { Manifest, World } from '../../../src/core';
import { RolloutScripts } from '../../../src/kruise/controller';
import { type Provider, providersOf } from '../../../src/kruise/controller/providers';
import { NO_BUILTIN_SCRIPTS, type ScriptSources } from '../../../src/kruise/scripts/lookup';
import { readRollout } from '../../../src/kruise/subject';
import { KruiseRolloutVersion } from '../../../src/kruise/version';

const { V0_3_0, V0_4_4, V0_5_0, V0_5_5, V0_6_0, V0_6_2 } = KruiseRolloutVersion;

const WEIGHT = 'local a = obj.annotations or {}\na["weight"] = obj.weight\nreturn a';
const SUBSETS = 'obj.data.spec.weight = obj.canaryWeight\nreturn obj.data';
const scriptsOf = (version: KruiseRolloutVersion, sources: Partial<ScriptSources> = {}) =>
  new RolloutScripts({
    builtins: NO_BUILTIN_SCRIPTS,
    version,
    configMap: {
      data: {
        'lua.traffic.routing.ingress.demo': WEIGHT,
        'lua.traffic.routing.ingress.broken': 'error("no")',
        'lua.traffic.routing.Mesh.example.com': SUBSETS,
      },
    },
    ...sources,
  });

const rolloutOf = (route: object) =>
  Manifest.of({
    apiVersion: 'rollouts.kruise.io/v1beta1',
    kind: 'Rollout',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { strategy: { canary: { steps: [{}], trafficRoutings: [{ service: 'web', ...route }] } } },
  });
const lookup = (route: object, version = V0_6_2, sources: Partial<ScriptSources> = {}) =>
  providersOf(readRollout(rolloutOf(route), 'shop', version).route!, scriptsOf(version, sources));
const providers = (route: object, version = V0_6_2): readonly Provider[] => {
  const found = lookup(route, version);
  return found.ok ? found.providers : [];
};

const ref = (kind: string, name: string) => ({ apiVersion: 'example.com/v1', kind, name });
const INGRESS = { ingress: { name: 'front', classType: 'demo' } };
const GATEWAY = { gateway: { httpRouteName: 'front' } };
const CUSTOM = { customNetworkRefs: [ref('Mesh', 'a'), ref('Mesh', 'b')] };

const object = (apiVersion: string, kind: string, name: string, spec: object = {}, annotations?: object) => ({
  apiVersion,
  kind,
  metadata: { name, namespace: 'shop', ...(annotations && { annotations }) },
  spec,
});
const ingress = (name = 'front') => {
  const paths = [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: { number: 80 } } } }];
  return object('networking.k8s.io/v1', 'Ingress', name, { rules: [{ http: { paths } }] });
};
const httpRoute = (version = 'v1', rules: readonly object[] = [{ backendRefs: [{ name: 'web', port: 80 }] }]) =>
  object(`gateway.networking.k8s.io/${version}`, 'HTTPRoute', 'front', { rules });
/** As the API server fills it in. */
const BACKEND = { group: '', kind: 'Service', name: 'web', port: 80 };
const MATCHES = [{ path: { type: 'PathPrefix', value: '/' } }];
const mesh = (name: string) => object('example.com/v1', 'Mesh', name, { weight: 0 });
const worldOf = (...objects: readonly object[]) => World.of(objects.map((each) => Manifest.of(each)));
const missing = (kind: string, name: string) => ({
  class: 'not-found',
  message: `${kind} "${name}" not found`,
  object: { kind, namespace: 'shop', name },
});
const objectsOf = ({ written, ...rest }: { readonly written: readonly Manifest[] }) => ({
  ...rest,
  written: written.map(({ object: each }) => each),
});

describe('the providers of a route', () => {
  const missed = (route: object, version: KruiseRolloutVersion) =>
    providers(route, version).map((provider) => provider.missing(worldOf())?.object?.kind);

  it('are all of them since 0.6: custom objects, the Ingress, the HTTPRoute', () => {
    const all = { ...GATEWAY, ...INGRESS, ...CUSTOM };
    expect(missed(all, V0_6_0)).toStrictEqual(['Mesh', 'Ingress', 'HTTPRoute']);
    expect(missed({ ...GATEWAY, ...INGRESS }, V0_6_2)).toStrictEqual(['Ingress', 'HTTPRoute']);
    expect(missed(CUSTOM, V0_6_2)).toStrictEqual(['Mesh']);
  });

  it('are the first one before', () => {
    expect(missed({ ...GATEWAY, ...INGRESS, ...CUSTOM }, V0_5_5)).toStrictEqual(['Mesh']);
    expect(missed({ ...GATEWAY, ...INGRESS }, V0_5_5)).toStrictEqual(['Ingress']);
    expect(missed(GATEWAY, V0_5_5)).toStrictEqual(['HTTPRoute']);
  });

  const NONE = 'TrafficRouting current only supports Ingress, Gateway API and CustomNetworkRefs';
  it.each([V0_5_5, V0_6_2])('must be one, in %s', (version) => {
    const error = { class: 'rejected', message: NONE, log: NONE };
    expect(lookup({}, version)).toStrictEqual({ ok: false, error });
    expect(lookup({ customNetworkRefs: [] }, version)).toStrictEqual({ ok: false, error });
  });

  it('need the script of an Ingress, which may be unknown', () => {
    const other = { ingress: { name: 'front', classType: 'other' } };
    const message = 'other lua script is not found';
    const log = `newNetworkProvider failed: ${message}`;
    expect(lookup(other)).toStrictEqual({ ok: false, error: { class: 'script-not-found', message, log } });
    expect(lookup(other, V0_6_2, { assumed: NO_BUILTIN_SCRIPTS, controllerNamespace: 'rollouts' })).toStrictEqual({
      ok: false,
      error: {
        class: 'not-found',
        message: 'ConfigMap "kruise-rollout-configuration" not found',
        object: { kind: 'ConfigMap', namespace: 'rollouts', name: 'kruise-rollout-configuration' },
      },
    });
    expect(lookup({ ...other, ...GATEWAY })).toMatchObject({ ok: false, error: { class: 'script-not-found' } });
    expect(lookup({ ...other, ...CUSTOM }, V0_5_5)).toMatchObject({ ok: true });
  });

  it('need the name of an HTTPRoute', () => {
    expect(lookup({ gateway: {} })).toStrictEqual({
      ok: false,
      error: {
        class: 'panic',
        message: 'runtime error: invalid memory address or nil pointer dereference',
        object: { kind: 'Rollout', namespace: 'shop', name: 'web' },
        path: 'gateway.httpRouteName',
      },
    });
  });

  it('use scripts that are compiled once', () => {
    const scripts = scriptsOf(V0_6_2);
    expect(scripts.ingress('demo')).toBe(scripts.ingress('demo'));
    expect(scripts.ingress('demo')).toMatchObject({ ok: true, source: WEIGHT, from: 'ConfigMap' });
    expect(scripts.ingress('other')).toStrictEqual({ ok: false, error: 'other lua script is not found' });
    expect(scripts.version).toBe(V0_6_2);
    expect(new RolloutScripts({ builtins: NO_BUILTIN_SCRIPTS }).version).toBe(KruiseRolloutVersion.LATEST);
  });
});

describe('the Ingress of a release', () => {
  const [provider] = providers(INGRESS) as [Provider];
  const [old] = providers(INGRESS, V0_3_0) as [Provider];
  const [broken] = providers({ ingress: { name: 'front', classType: 'broken' } }) as [Provider];
  const [oldBroken] = providers({ ingress: { name: 'front', classType: 'broken' } }, V0_3_0) as [Provider];
  const made = (weight?: string) => {
    const paths = [
      { path: '/', pathType: 'Prefix', backend: { service: { name: 'web-canary', port: { number: 80 } } } },
    ];
    return object('networking.k8s.io/v1', 'Ingress', 'front-canary', { rules: [{ http: { paths } }] }, { weight });
  };

  it('must exist', () => {
    expect(provider.missing(worldOf(ingress()))).toBeUndefined();
    expect(provider.missing(worldOf(ingress('other')))).toStrictEqual(missing('Ingress', 'front'));
    expect(provider.missing(worldOf({ ...ingress(), metadata: { name: 'front', namespace: 'a' } }))).toStrictEqual(
      missing('Ingress', 'front'),
    );
  });

  it('has a canary Ingress after the first reconcile, and its weight after the second', () => {
    const first = provider.ensure(worldOf(ingress()), { traffic: '20%' });
    expect(objectsOf(first)).toStrictEqual({ written: [made('0')], done: false, created: true });
    const second = provider.ensure(worldOf(ingress(), made('0')), { traffic: '20%' });
    expect(objectsOf(second)).toStrictEqual({ written: [made('20')], done: false });
    const third = provider.ensure(worldOf(ingress(), made('20')), { traffic: '20%' });
    expect(objectsOf(third)).toStrictEqual({ written: [], done: true });
  });

  it('may go away once its canary is there', () => {
    expect(objectsOf(provider.ensure(worldOf(made('0')), { traffic: '20%' }))).toStrictEqual({
      written: [made('20')],
      done: false,
    });
    expect(provider.ensure(worldOf(), { traffic: '20%' })).toStrictEqual({
      written: [],
      done: false,
      error: missing('Ingress', 'front'),
    });
  });

  it('has an error where the script has one', () => {
    expect(broken.ensure(worldOf(ingress()), { traffic: '20%' })).toMatchObject({
      written: [],
      done: false,
      error: { class: 'lua', line: 1 },
    });
    expect(broken.ensure(worldOf(ingress()), { traffic: '20%' })).not.toHaveProperty('created');
  });

  it('has its canary before the first step in 0.3, and no later', () => {
    expect(objectsOf(old.initialise!(worldOf(ingress())))).toStrictEqual({
      written: [made('0')],
      done: true,
      created: true,
    });
    expect(old.initialise!(worldOf(ingress(), made('0')))).toStrictEqual({ written: [], done: true });
    expect(old.initialise!(worldOf())).toStrictEqual({ written: [], done: false, error: missing('Ingress', 'front') });
    const failed = oldBroken.initialise!(worldOf(ingress()));
    expect(failed).toMatchObject({ written: [], done: true, error: { class: 'lua' } });
    expect(failed).not.toHaveProperty('created');
    const absent = { written: [], done: false, error: missing('Ingress', 'front-canary') };
    expect(old.ensure(worldOf(ingress()), { traffic: '20%' })).toStrictEqual(absent);
    expect(old.ensure(worldOf(ingress()), { matches: [] })).toStrictEqual(absent);
    expect(old.ensure(worldOf(ingress()), { traffic: '0%' })).toStrictEqual({ written: [], done: true });
  });

  it('loses its canary at the end', () => {
    const world = worldOf(ingress(), made('20'));
    expect(provider.finalise(world)).toStrictEqual({
      written: [],
      removed: [world.find('Ingress.networking.k8s.io', 'front-canary', 'shop')],
    });
    expect(provider.finalise(worldOf(ingress()))).toStrictEqual({ written: [], removed: [] });
  });
});

describe('the HTTPRoute of a release', () => {
  const [provider] = providers(GATEWAY) as [Provider];
  const share = (weight: number) => [
    {
      backendRefs: [
        { ...BACKEND, weight: 100 - weight },
        { ...BACKEND, name: 'web-canary', weight },
      ],
      matches: MATCHES,
    },
  ];

  it('must exist', () => {
    expect(provider.missing(worldOf(httpRoute()))).toBeUndefined();
    expect(provider.missing(worldOf())).toStrictEqual(missing('HTTPRoute', 'front'));
    const failed = { written: [], done: false, error: missing('HTTPRoute', 'front') };
    expect(provider.ensure(worldOf(), { traffic: '20%' })).toStrictEqual(failed);
    expect(provider.finalise(worldOf())).toStrictEqual({ written: [], removed: [] });
  });

  const message = 'no matches for kind "HTTPRoute" in version "gateway.networking.k8s.io/v1alpha2"';
  const unserved = {
    class: 'rejected',
    message,
    log: message,
    object: { kind: 'HTTPRoute', namespace: 'shop', name: 'front' },
    fix: expect.stringMatching(/^install Kruise Rollouts 0\.5\.0 or later: /),
  };
  it.each<[version: KruiseRolloutVersion, api: string, error: object | undefined]>([
    [V0_3_0, 'v1', unserved],
    [V0_4_4, 'v1', unserved],
    [V0_4_4, 'v1beta1', undefined],
    [V0_4_4, 'v1alpha2', undefined],
    [V0_5_0, 'v1', undefined],
    [V0_6_2, 'v1', undefined],
    [V0_6_2, 'v1beta1', undefined],
  ])('is read by %s in version %s', (version, api, error) => {
    expect(providers(GATEWAY, version)[0]!.missing(worldOf(httpRoute(api)))).toStrictEqual(error);
  });

  it('has the weights of a step, once', () => {
    const first = provider.ensure(worldOf(httpRoute()), { traffic: '20%' });
    expect(objectsOf(first)).toStrictEqual({ written: [httpRoute('v1', share(20))], done: false });
    expect(provider.ensure(worldOf(first.written[0]!.object), { traffic: '20%' })).toStrictEqual({
      written: [],
      done: true,
    });
  });

  it('loses fields that the controller does not know', () => {
    const rules = [{ name: 'main', backendRefs: [{ name: 'web', port: 80 }] }];
    const pass = provider.ensure(worldOf(httpRoute('v1', rules)), { traffic: '20%' });
    expect(objectsOf(pass).written).toStrictEqual([httpRoute('v1', share(20))]);
  });

  it('is refused with a filter that lost its configuration', () => {
    const filters = [{ type: 'CORS', cors: { allowOrigins: ['https://a.example'] } }];
    const world = worldOf(httpRoute('v1', [{ filters, backendRefs: [{ name: 'web', port: 80 }] }]));
    const text = 'spec.rules[0].filters[0]: filter.cors must be specified for CORS filter.type';
    expect(provider.ensure(world, { traffic: '20%' })).toStrictEqual({
      written: [],
      done: false,
      error: {
        class: 'rejected',
        message: text,
        object: { kind: 'HTTPRoute', namespace: 'shop', name: 'front' },
        path: 'spec.rules[0].filters[0].cors',
        log: text,
      },
    });
  });

  it('is as before at the end', () => {
    const end = provider.finalise(worldOf(httpRoute('v1', share(20))));
    const rules = [{ backendRefs: [{ ...BACKEND, weight: 1 }], matches: MATCHES }];
    expect(objectsOf(end)).toStrictEqual({ written: [httpRoute('v1', rules)], removed: [] });
    expect(provider.finalise(worldOf(httpRoute()))).toStrictEqual({ written: [], removed: [] });
  });

  it('is never done where the canary has every rule', () => {
    const end = provider.finalise(worldOf(httpRoute('v1', [{ backendRefs: [{ name: 'web-canary', port: 80 }] }])));
    expect(end.error).toStrictEqual({
      class: 'never-settles',
      message: expect.stringContaining('has taken the last rule out of the HTTPRoute'),
      object: { kind: 'HTTPRoute', namespace: 'shop', name: 'front' },
      path: 'spec.rules',
      fix: expect.stringContaining('remove disableGenerateCanaryService'),
    });
  });
});

describe('custom objects of a release', () => {
  const [provider] = providers(CUSTOM) as [Provider];
  const [first, second] = [mesh('a'), mesh('b')];
  const ORIGINAL = 'rollouts.kruise.io/original-spec-configuration';

  it('must exist, and have a script', () => {
    expect(provider.missing(worldOf(first, second))).toBeUndefined();
    expect(provider.missing(worldOf(first))).toMatchObject({ class: 'not-found', object: { kind: 'Mesh', name: 'b' } });
    const [other] = providers({ customNetworkRefs: [ref('Other', 'a')] }) as [Provider];
    expect(other.missing(worldOf(object('example.com/v1', 'Other', 'a')))).toMatchObject({ class: 'script-not-found' });
  });

  it('are written together, and not again', () => {
    const pass = provider.ensure(worldOf(first, second), { traffic: '20%' });
    expect(pass.done).toBe(false);
    expect(pass.written.map(({ name, object: { spec } }) => [name, spec])).toStrictEqual([
      ['a', { weight: 20 }],
      ['b', { weight: 20 }],
    ]);
    expect(pass.written.map(({ annotations }) => annotations[ORIGINAL])).toStrictEqual([
      '{"spec":{"weight":0}}',
      '{"spec":{"weight":0}}',
    ]);
    const again = provider.ensure(worldOf(...pass.written.map((each) => each.object)), { traffic: '20%' });
    expect(again).toStrictEqual({ written: [], done: true });
  });

  it('are written each where it differs', () => {
    const { written } = provider.ensure(worldOf(first, second), { traffic: '20%' });
    const edited = { ...written[0]!.object, spec: { weight: 30 } };
    const pass = provider.ensure(worldOf(edited, written[1]!.object), { traffic: '20%' });
    expect(pass.written.map(({ name }) => name)).toStrictEqual(['a']);
    const other = { ...written[1]!.object, spec: { weight: 30 } };
    const next = provider.ensure(worldOf(written[0]!.object, other), { traffic: '20%' });
    expect(next.written.map(({ name, object: { spec } }) => [name, spec])).toStrictEqual([['b', { weight: 20 }]]);
  });

  it('are not written where one of them is missing', () => {
    expect(provider.ensure(worldOf(second), { traffic: '20%' })).toMatchObject({
      written: [],
      done: false,
      error: { class: 'not-found', object: { kind: 'Mesh', name: 'a' } },
    });
  });

  it('are as before at the end, as far as they are there', () => {
    const { written } = provider.ensure(worldOf(first, second), { traffic: '20%' });
    const end = provider.finalise(worldOf(...written.map((each) => each.object)));
    expect(end.removed).toStrictEqual([]);
    expect(end.written.map(({ name, object: { spec } }) => [name, spec])).toStrictEqual([
      ['a', { weight: 0 }],
      ['b', { weight: 0 }],
    ]);
    expect(provider.finalise(worldOf(first, second))).toStrictEqual({ written: [], removed: [] });
    expect(provider.finalise(worldOf(written[1]!.object)).written.map(({ name }) => name)).toStrictEqual(['b']);
  });
});
