/** The errors of custom objects, in full, and what each leaves behind; and rollouts on custom objects as a whole. */
import { describe, expect, it } from 'vitest';
import {
  customScripts,
  ensureCustomRoutes,
  finaliseCustom,
  missingCustom,
  playCustom,
  runCustomStep,
  targetOf,
} from '../../../src/kruise/controller';
import { scriptRunner } from '../../../src/kruise/scripts/contract';
import { NO_BUILTIN_SCRIPTS } from '../../../src/kruise/scripts/lookup';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { configMap, route } from '../manifests';

const { V0_5_5, V0_6_2 } = KruiseRolloutVersion;
const KEY = 'rollouts.kruise.io/original-spec-configuration';
const WEIGHT = 'obj.data.spec.weight = obj.canaryWeight\nreturn obj.data';
const routing = (traffic = '20%') => ({
  namespace: 'shop',
  stableService: 'web',
  canaryService: 'web-canary',
  strategy: { traffic },
});
const of = (source: string) => {
  const run = scriptRunner(source);
  return () => ({ ok: true, run }) as const;
};
const absent = customScripts({ builtins: NO_BUILTIN_SCRIPTS, configMap: configMap({}) });
const unknown = customScripts({ builtins: NO_BUILTIN_SCRIPTS, assumed: NO_BUILTIN_SCRIPTS, controllerNamespace: 'c' });
const target = targetOf(route({ a: 1 }));
const gone = { ref: target.ref };
const object = { kind: 'Route', namespace: 'shop', name: 'web' };

const NOT_FOUND = {
  class: 'not-found',
  message: 'Route "web" not found',
  log: 'failed to get custom network provider Route(shop/web): Route "web" not found',
  object,
};
const UNKNOWN = {
  class: 'not-found',
  message: 'ConfigMap "kruise-rollout-configuration" not found',
  object: { kind: 'ConfigMap', namespace: 'c', name: 'kruise-rollout-configuration' },
};

describe('an error of a custom object', () => {
  it('is one that is not there, or whose script is not', () => {
    expect(missingCustom([target], 'shop', of(WEIGHT))).toBeUndefined();
    expect(missingCustom([], 'shop', absent)).toBeUndefined();
    expect(missingCustom([target, gone], 'shop', of(WEIGHT))).toStrictEqual(NOT_FOUND);
    expect(missingCustom([target], 'shop', unknown)).toStrictEqual(UNKNOWN);
    const error = missingCustom([target], 'shop', absent)!;
    expect(error).toStrictEqual({
      class: 'script-not-found',
      message: error.message,
      log: `failed to get lua script for Route(shop/web): ${error.message}`,
      object,
    });
    expect(ensureCustomRoutes([target], routing(), absent).error).toStrictEqual(error);
    expect(ensureCustomRoutes([target], routing(), unknown).error).toStrictEqual(UNKNOWN);
    expect(ensureCustomRoutes([gone], routing(), of(WEIGHT))).toStrictEqual({
      targets: [gone],
      written: [false],
      done: false,
      calls: [],
      error: NOT_FOUND,
    });
  });

  it('is an original that is empty', () => {
    const emptied = targetOf(route({ a: 1 }, { annotations: { [KEY]: '' } }));
    const message = 'failed to get original spec from annotation for Route(shop/web)';
    expect(ensureCustomRoutes([emptied], routing(), of(WEIGHT)).error).toStrictEqual({
      class: 'original-missing',
      message,
      log: message,
      object,
      path: `metadata.annotations["${KEY}"]`,
    });
  });

  it('is one of the script, with its line', () => {
    expect(ensureCustomRoutes([target], routing(), of('\nerror("no")')).error).toStrictEqual({
      class: 'lua',
      message: '<string>:2: no',
      log: 'failed to execute lua for Route(shop/web): <string>:2: no',
      line: 2,
      object,
    });
  });

  it('is one of the API server', () => {
    const { error, written, done } = ensureCustomRoutes(
      [target],
      routing(),
      of('obj.data.annotations = { ["a b"] = "c" }\nreturn obj.data'),
    );
    expect([written, done]).toEqual([[false], false]);
    expect(error).toStrictEqual({
      class: 'rejected',
      message: expect.stringMatching(/^metadata\.annotations: Invalid value: "a b": /),
      object,
      path: 'metadata.annotations',
    });
  });

  it('is a null that is never stored', () => {
    const step = runCustomStep(
      [target],
      routing(),
      of('obj.data.spec.list = {}\nobj.data.spec.deep = { list = {} }\nreturn obj.data'),
    );
    expect(step.passes).toHaveLength(20);
    expect(step.error).toStrictEqual({
      class: 'never-settles',
      message:
        'the controller writes Route(shop/web) in every reconcile: the script returned null at spec.deep.list, spec.list, ' +
        'because an empty table is encoded as null, and the API server does not store nulls',
      object,
      path: 'spec.deep.list',
    });
    const before = runCustomStep(
      [target],
      routing(),
      customScripts({ builtins: NO_BUILTIN_SCRIPTS, version: V0_5_5, configMap: configMap({}) }),
      V0_5_5,
    );
    expect(before.error?.class).toBe('script-not-found');
  });
});

describe('a step', () => {
  it('settles in the second reconcile', () => {
    const step = runCustomStep([target], routing(), of(WEIGHT));
    expect(step.passes.map(({ written, done }) => [written, done])).toEqual([
      [[true], false],
      [[false], true],
    ]);
    expect(step).not.toHaveProperty('error');
    expect(finaliseCustom(step.targets)).toStrictEqual([target]);
    expect(finaliseCustom([gone])).toStrictEqual([gone]);
  });

  it('of weight 0 does nothing before 0.6, even where an object is not there', () => {
    expect(ensureCustomRoutes([gone], routing('0%'), of(WEIGHT), V0_5_5)).toStrictEqual({
      targets: [gone],
      written: [false],
      done: true,
      calls: [],
    });
    expect(ensureCustomRoutes([target], routing('0%'), of(WEIGHT), V0_6_2).calls).toHaveLength(1);
    expect(ensureCustomRoutes([target], routing('1%'), of(WEIGHT), V0_5_5).calls).toHaveLength(1);
  });
});

describe('a rollout on custom objects', () => {
  const SCRIPT = 'obj.data.spec.weight = obj.canaryWeight\nobj.data.spec.to = obj.canaryService\nreturn obj.data';
  const scripts = {
    builtins: NO_BUILTIN_SCRIPTS,
    configMap: configMap({ 'lua.traffic.routing.Route.example.com': SCRIPT }),
  };
  const custom = { ...route({ a: 1 }), apiVersion: 'example.com/v1' };
  const play = (options: object = {}) =>
    playCustom({
      objects: [custom],
      service: 'web',
      steps: [{ traffic: '20%' }, {}, { traffic: '100%' }],
      scripts,
      ...options,
    });
  const specs = (played: ReturnType<typeof play>) =>
    played.afterSteps.map((objects) => objects.map(({ spec }) => spec));

  it('has the objects after each step, and restores them', () => {
    const played = play();
    expect(specs(played)).toEqual([
      [{ a: 1, weight: 20, to: 'web-canary' }],
      [{ a: 1, weight: 20, to: 'web-canary' }],
      [{ a: 1, weight: 100, to: 'web-canary' }],
    ]);
    expect(played.restored).toStrictEqual([custom]);
    expect(played.calls).toHaveLength(4);
    expect(played).not.toHaveProperty('error');
  });

  it('has one Service where the canary Service is off, since 0.6', () => {
    const off = { disableGenerateCanaryService: true, steps: [{ traffic: '20%' }] };
    expect(specs(play(off))).toEqual([[{ a: 1, weight: 20, to: 'web' }]]);
    expect(specs(play({ ...off, version: V0_5_5 }))).toEqual([[{ a: 1, weight: 20, to: 'web-canary' }]]);
    expect(specs(play({ ...off, scripts: { ...scripts, version: V0_5_5 } }))).toEqual([
      [{ a: 1, weight: 20, to: 'web-canary' }],
    ]);
    expect(specs(play({ ...off, disableGenerateCanaryService: false }))).toEqual([
      [{ a: 1, weight: 20, to: 'web-canary' }],
    ]);
  });

  it('stops at the first error', () => {
    const failing = {
      ...scripts,
      configMap: configMap({
        'lua.traffic.routing.Route.example.com': 'if obj.canaryWeight > 50 then error("no") end\nreturn obj.data',
      }),
    };
    const played = play({ scripts: failing });
    expect(played.afterSteps).toHaveLength(2);
    expect(played.error).toMatchObject({ class: 'lua', step: 2, object: { namespace: 'shop', name: 'web' } });
    expect(played).not.toHaveProperty('restored');
    const { metadata: _metadata, ...nameless } = custom;
    expect(play({ objects: [nameless], scripts: failing }).error?.object).toEqual({
      kind: 'Route',
      namespace: 'default',
      name: '',
    });
  });

  it('may lack the defaults of the API server', () => {
    const matches = [{ headers: [{ name: 'a', value: 'b' }] }];
    const typeIn = (withoutCrdDefaults: boolean) =>
      play({ steps: [{ matches }], withoutCrdDefaults }).calls[0]!.obj.matches;
    expect(typeIn(false)).toEqual([{ headers: [{ type: 'Exact', name: 'a', value: 'b' }] }]);
    expect(typeIn(true)).not.toEqual(typeIn(false));
  });
});
