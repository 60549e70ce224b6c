import { describe, expect, test } from 'vitest';
import { ORIGINAL_SPEC_ANNOTATION } from '../../../src/kruise/api';
import {
  type CustomScripts,
  customScripts,
  ensureCustomRoutes,
  finaliseCustom,
  playCustom,
  runCustomStep,
  targetOf,
} from '../../../src/kruise/controller';
import { scriptRunner } from '../../../src/kruise/scripts/contract';
import { NO_BUILTIN_SCRIPTS } from '../../../src/kruise/scripts/lookup';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { configMap, route } from '../manifests';

const routing = { namespace: 'shop', stableService: 'web', canaryService: 'web-canary', strategy: { traffic: '20%' } };

/** A script that writes the weight into the spec and keeps the rest. */
const WEIGHT = 'obj.data.spec.weight = obj.canaryWeight; return obj.data';

function scriptsOf(source: string): CustomScripts {
  const run = scriptRunner(source);
  return () => ({ ok: true, run });
}

function annotationsOf(object: unknown) {
  return (object as { metadata: { annotations?: Record<string, string> } }).metadata.annotations ?? {};
}

describe('one reconcile', () => {
  test('stores the original and writes what the script returns', () => {
    const pass = ensureCustomRoutes([targetOf(route({ a: 1 }, { labels: { l: '1' } }))], routing, scriptsOf(WEIGHT));
    expect(pass.done).toBe(false);
    expect(pass.written).toEqual([true]);
    expect(pass.calls.map(({ obj }) => obj)).toEqual([
      {
        data: { spec: { a: 1 }, labels: { l: '1' } },
        canaryWeight: 20,
        stableWeight: 80,
        canaryService: 'web-canary',
        stableService: 'web',
      },
    ]);
    expect(pass.targets[0].object).toEqual(
      route(
        { a: 1, weight: 20 },
        { labels: { l: '1' }, annotations: { [ORIGINAL_SPEC_ANNOTATION]: '{"spec":{"a":1},"labels":{"l":"1"}}' } },
      ),
    );
  });

  test('runs the script on the original, not on the current object', () => {
    const stored = '{"spec":{"a":1},"annotations":{"old":"1"}}';
    const object = route({ b: 2 }, { annotations: { [ORIGINAL_SPEC_ANNOTATION]: stored, edited: '1' } });
    const pass = ensureCustomRoutes([targetOf(object)], routing, scriptsOf(WEIGHT));
    expect(pass.calls[0].obj.data).toEqual({ spec: { a: 1 }, annotations: { old: '1' } });
    expect(pass.targets[0].object).toEqual(
      route({ a: 1, weight: 20 }, { annotations: { old: '1', [ORIGINAL_SPEC_ANNOTATION]: stored } }),
    );
  });

  test('runs the script with empty data if the stored original is not JSON', () => {
    const object = route({ a: 1 }, { annotations: { [ORIGINAL_SPEC_ANNOTATION]: 'oops' } });
    const pass = ensureCustomRoutes(
      [targetOf(object)],
      routing,
      scriptsOf('return {spec = {none = not obj.data.spec}}'),
    );
    expect(pass.calls[0].obj.data).toEqual({});
    expect(pass.targets[0].object).toMatchObject({ spec: { none: true } });
  });

  test('stops if the stored original is empty', () => {
    const object = route({ a: 1 }, { annotations: { [ORIGINAL_SPEC_ANNOTATION]: '' } });
    const pass = ensureCustomRoutes([targetOf(object)], routing, scriptsOf(WEIGHT));
    expect(pass.calls).toEqual([]);
    expect(pass.error).toMatchObject({
      class: 'original-missing',
      message: 'failed to get original spec from annotation for Route(shop/web)',
    });
  });

  test('also runs the script at weight 0, from 0.6', () => {
    const zero = { ...routing, strategy: { traffic: '0%' } };
    const targets = [targetOf(route({ a: 1 }))];
    expect(ensureCustomRoutes(targets, zero, scriptsOf(WEIGHT)).calls[0].obj.canaryWeight).toBe(0);
    const before = ensureCustomRoutes(targets, zero, scriptsOf(WEIGHT), KruiseRolloutVersion.V0_5_0);
    expect(before).toMatchObject({ done: true, calls: [], targets });
  });

  test('writes no object if one script fails, after storing every original', () => {
    const targets = [targetOf(route({ a: 1 })), targetOf(route({ fail: true }, { name: 'other' }))];
    const script = 'if obj.data.spec.fail then error("no") end\nobj.data.spec.x = 1 return obj.data';
    const pass = ensureCustomRoutes(targets, routing, scriptsOf(script));
    expect(pass.error).toMatchObject({
      class: 'lua',
      message: '<string>:1: no',
      log: 'failed to execute lua for Route(shop/other): <string>:1: no',
    });
    expect(pass.written).toEqual([false, false]);
    expect(pass.targets.map(({ object }) => object?.spec)).toEqual([{ a: 1 }, { fail: true }]);
    for (const { object } of pass.targets) expect(annotationsOf(object)).toHaveProperty([ORIGINAL_SPEC_ANNOTATION]);
  });

  test('fails on a missing object before it changes any other', () => {
    const { ref } = targetOf(route({}, { name: 'gone' }));
    const targets = [targetOf(route({ a: 1 })), { ref }];
    const pass = ensureCustomRoutes(targets, routing, scriptsOf(WEIGHT));
    expect(pass.targets).toBe(targets);
    expect(pass.error).toMatchObject({
      class: 'not-found',
      log: 'failed to get custom network provider Route(shop/gone): Route "gone" not found',
    });
  });

  test('fails without a script', () => {
    const scripts = customScripts({ builtins: NO_BUILTIN_SCRIPTS, configMap: configMap({}) });
    const pass = ensureCustomRoutes([targetOf(route({ a: 1 }))], routing, scripts);
    expect(pass.error).toMatchObject({
      class: 'script-not-found',
      message: 'expected script not found neither locally nor in ConfigMap',
      log: 'failed to get lua script for Route(shop/web): expected script not found neither locally nor in ConfigMap',
    });
  });

  test('runs an empty script of the ConfigMap, which returns nothing', () => {
    const scripts = customScripts({
      builtins: NO_BUILTIN_SCRIPTS,
      configMap: configMap({ 'lua.traffic.routing.Route.example.com': '' }),
    });
    const pass = ensureCustomRoutes([targetOf(route({ a: 1 }))], routing, scripts);
    expect(pass.error?.message).toBe('expect table output from Lua script, not nil');
  });

  test('fails if the original is too long for an annotation', () => {
    const pass = ensureCustomRoutes([targetOf(route({ a: 'x'.repeat(262144) }))], routing, scriptsOf(WEIGHT));
    expect(pass.error).toMatchObject({ class: 'rejected', object: { kind: 'Route', namespace: 'shop', name: 'web' } });
    expect(pass.calls).toEqual([]);
  });
});

describe('two objects, the second of which the API server rejects', () => {
  const targets = ['first', 'second', 'third'].map((name) => targetOf(route({ name, a: 1 }, { name })));
  const LONG = 'x'.repeat(262_144);

  test('keep only the original that was stored before the rejection', () => {
    const long = targetOf(route({ a: LONG }, { name: 'second' }));
    const pass = ensureCustomRoutes([targets[0], long, targets[2]], routing, scriptsOf(WEIGHT));
    expect(pass).toMatchObject({ error: { class: 'rejected', object: { name: 'second' } }, calls: [], done: false });
    expect(pass.written).toEqual([false, false, false]);
    expect(annotationsOf(pass.targets[0].object)).toHaveProperty([ORIGINAL_SPEC_ANNOTATION]);
    expect(pass.targets.slice(1)).toEqual([long, targets[2]]);
  });

  test('keep what was written before the rejection', () => {
    const script = `obj.data.spec.weight = obj.canaryWeight
      if obj.data.spec.name == "second" then obj.data.annotations = {long = string.rep("x", 262144)} end
      return obj.data`;
    const pass = ensureCustomRoutes(targets, routing, scriptsOf(script));
    expect(pass).toMatchObject({ error: { class: 'rejected', object: { name: 'second' } }, done: false });
    expect(pass.written).toEqual([true, false, false]);
    expect(pass.targets.map(({ object }) => object?.spec)).toEqual([
      { name: 'first', a: 1, weight: 20 },
      { name: 'second', a: 1 },
      { name: 'third', a: 1 },
    ]);
    for (const { object } of pass.targets) expect(annotationsOf(object)).toHaveProperty([ORIGINAL_SPEC_ANNOTATION]);
  });
});

describe('a step', () => {
  test('settles once nothing differs', () => {
    const step = runCustomStep([targetOf(route({ a: [{ b: 1.5 }] }))], routing, scriptsOf(WEIGHT));
    expect(step.passes.map(({ done }) => done)).toEqual([false, true]);
    expect(step.error).toBeUndefined();
  });

  test.each(['return obj', 'return {}', 'return obj.data.spec'])('%s settles with an empty object', (script) => {
    const object = route({ a: 1 }, { labels: { l: '1' }, annotations: { b: '2' } });
    const step = runCustomStep([targetOf(object)], routing, scriptsOf(script));
    expect(step.error).toBeUndefined();
    const stored = '{"spec":{"a":1},"labels":{"l":"1"},"annotations":{"b":"2"}}';
    expect(step.targets[0].object).toEqual(route(undefined, { annotations: { [ORIGINAL_SPEC_ANNOTATION]: stored } }));
  });

  test('never settles if an empty table became null, and names the field', () => {
    const object = route({ conf: { loadBalancer: { roundRobin: {} } } });
    const step = runCustomStep([targetOf(object)], routing, scriptsOf(WEIGHT));
    expect(step.error).toMatchObject({ class: 'never-settles', path: 'spec.conf.loadBalancer.roundRobin' });
    expect(step.error?.message).toBe(
      'the controller writes Route(shop/web) in every reconcile: the script returned null at ' +
        'spec.conf.loadBalancer.roundRobin, because an empty table is encoded as null, and the API server does not ' +
        'store nulls',
    );
  });

  test.each([
    ['first', 'second', 'first'],
    ['second', 'first', 'first'],
    ['first', 'second', 'second'],
    ['second', 'first', 'second'],
  ])('never settles for one of %s and %s: it is %s that is named', (one, other, bad) => {
    const object = (name: string) => {
      const { metadata, ...rest } = route(name === bad ? { conf: { empty: {} } } : { a: 1 });
      return targetOf({ ...rest, metadata: { ...metadata, name } });
    };
    const { error } = runCustomStep([object(one), object(other)], routing, scriptsOf(WEIGHT));
    expect(error).toMatchObject({ class: 'never-settles', path: 'spec.conf.empty', object: { name: bad } });
    expect(error?.message).toContain(`the controller writes Route(shop/${bad}) in every reconcile`);
  });
});

describe('the end of a rollout', () => {
  test('restores spec, labels and annotations, and discards every later edit', () => {
    const object = route({ a: 1, e: {} }, { labels: { l: '1' }, annotations: { b: '2' } });
    const script = 'return {spec = {x = 1}, labels = {y = "1"}, annotations = {z = "1"}}';
    const { targets } = runCustomStep([targetOf(object)], routing, scriptsOf(script));
    expect(finaliseCustom(targets)[0].object).toEqual(object);
  });

  test('does not change an object without a stored original', () => {
    const targets = [
      targetOf(route({ a: 1 })),
      targetOf(route({ a: 1 }, { annotations: { [ORIGINAL_SPEC_ANNOTATION]: '' } })),
    ];
    expect(finaliseCustom(targets)).toEqual(targets);
  });

  test('removes the spec if the stored original is not JSON', () => {
    const object = route({ a: 1 }, { annotations: { [ORIGINAL_SPEC_ANNOTATION]: 'oops' }, labels: { l: '1' } });
    expect(finaliseCustom([targetOf(object)])[0].object).toEqual(route(undefined));
  });
});

describe('a rollout on custom objects', () => {
  const scripts = {
    builtins: NO_BUILTIN_SCRIPTS,
    configMap: configMap({ 'lua.traffic.routing.Route.example.com': WEIGHT }),
  };

  test('is simulated step by step and rolled back', () => {
    const objects = [route({ a: 1 })];
    const steps = [{ traffic: '5%' }, {}, { traffic: '100%' }];
    const play = playCustom({ objects, service: 'web', steps, scripts });
    expect(play.afterSteps.map(([object]) => object.spec)).toEqual([
      { a: 1, weight: 5 },
      { a: 1, weight: 5 },
      { a: 1, weight: 100 },
    ]);
    expect(play.restored).toEqual(objects);
    expect(play.calls).toHaveLength(4);
  });

  test('stays at the first error', () => {
    const failing = {
      ...scripts,
      configMap: configMap({
        'lua.traffic.routing.Route.example.com': 'if obj.canaryWeight > 5 then error("no") end return obj.data',
      }),
    };
    const steps = [{ traffic: '5%' }, { traffic: '10%' }, { traffic: '5%' }];
    const play = playCustom({ objects: [route({ a: 1 })], service: 'web', steps, scripts: failing });
    expect(play.afterSteps).toHaveLength(1);
    expect(play.error).toMatchObject({ class: 'lua', step: 1 });
    expect(play.restored).toBeUndefined();
  });
});
