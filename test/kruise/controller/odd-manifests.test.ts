import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { playCustom, playIngress } from '../../../src/kruise/controller';
import { routingOfRollout, routingOfTrafficRouting, stepsOfRollout } from '../../../src/kruise/routing';
import { NO_BUILTIN_SCRIPTS } from '../../../src/kruise/scripts/lookup';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { configMap } from '../manifests';

const INGRESS_SCRIPT = `
  local annotations = obj.annotations or {}
  annotations["weight"] = obj.weight
  return annotations`;

describe('odd manifests never throw', () => {
  const json = fc.jsonValue({ maxDepth: 5 });
  /** A value that has the field in half of the runs; the rest is arbitrary. */
  const sometimes = (model: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> =>
    fc.oneof({ weight: 4, arbitrary: fc.record(model, { requiredKeys: [] }) }, { weight: 1, arbitrary: json });
  const list = (item: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 4, arbitrary: fc.array(item, { maxLength: 3 }) }, { weight: 1, arbitrary: json });
  const odd = fc.constantFrom<unknown>(
    'web',
    '',
    0,
    null,
    '__proto__',
    { toString: 1, valueOf: 1 },
    '20%',
    ['x'],
    true,
  );
  const conditions = list(sometimes({ type: odd, name: odd, value: odd }));
  const step = sometimes({
    traffic: odd,
    weight: odd,
    matches: list(
      sometimes({ headers: conditions, queryParams: conditions, path: sometimes({ type: odd, value: odd }) }),
    ),
    requestHeaderModifier: sometimes({ set: conditions, add: conditions, remove: list(odd) }),
  });
  const backend = sometimes({
    service: sometimes({ name: odd, port: sometimes({ name: odd, number: odd }) }),
    resource: json,
  });
  const rule = sometimes({
    host: odd,
    http: sometimes({ paths: list(sometimes({ path: odd, pathType: odd, backend })) }),
  });
  const metadata = sometimes({
    name: odd,
    namespace: odd,
    labels: json,
    annotations: fc.dictionary(fc.string(), fc.oneof(fc.string(), json)),
  });
  const stable = sometimes({
    metadata,
    spec: sometimes({
      rules: list(rule),
      tls: list(sometimes({ hosts: list(odd), secretName: odd })),
      ingressClassName: odd,
    }),
  });
  const trafficRouting = sometimes({
    service: odd,
    ingress: sometimes({ name: odd, classType: odd }),
    customNetworkRefs: list(sometimes({ apiVersion: odd, kind: odd, name: odd })),
  });
  const strategy = sometimes({
    steps: list(step),
    trafficRoutings: list(trafficRouting),
    disableGenerateCanaryService: odd,
  });
  const apiVersion = fc.constantFrom('rollouts.kruise.io/v1beta1', 'rollouts.kruise.io/v1alpha1');
  const rollout = sometimes({
    apiVersion,
    metadata,
    spec: sometimes({ strategy: sometimes({ canary: strategy, blueGreen: strategy }) }),
  });
  const version = fc.constantFrom(...KruiseRolloutVersion.ALL);
  const ingressScripts = {
    builtins: NO_BUILTIN_SCRIPTS,
    configMap: configMap({ 'lua.traffic.routing.ingress.demo': INGRESS_SCRIPT }),
  };
  const runs = { seed: 20, numRuns: 150 };

  test('an Ingress and steps', () => {
    fc.assert(
      fc.property(stable, fc.array(step, { maxLength: 3 }), version, (stableIngress, steps, release) => {
        const play = playIngress({
          stableIngress,
          service: 'web',
          classType: 'demo',
          steps,
          scripts: ingressScripts,
          version: release,
        });
        expect(play.afterSteps.length === steps.length).toBe(play.error === undefined);
        expect(['panic', 'lua', 'rejected', undefined]).toContain(play.error?.class);
      }),
      runs,
    );
  });

  test('custom objects and steps', () => {
    const scripts = {
      builtins: NO_BUILTIN_SCRIPTS,
      configMap: configMap({ 'lua.traffic.routing.Route.example.com': 'return obj.data' }),
    };
    const object = fc
      .tuple(metadata, json)
      .map(([meta, spec]) => ({ apiVersion: 'example.com/v1', kind: 'Route', metadata: meta, spec }));
    fc.assert(
      fc.property(
        fc.array(fc.oneof(object, json), { maxLength: 2 }),
        fc.array(step, { maxLength: 2 }),
        version,
        (objects, steps, release) => {
          const play = playCustom({ objects, service: 'web', steps, scripts, version: release });
          expect(play.afterSteps.length === steps.length).toBe(play.error === undefined);
        },
      ),
      runs,
    );
  });

  test('Rollouts and TrafficRoutings', () => {
    fc.assert(
      fc.property(fc.oneof(rollout, json), fc.integer({ min: -1, max: 4 }), version, (manifest, at, release) => {
        expect(stepsOfRollout(manifest)).toBeGreaterThanOrEqual(0);
        const routings = [
          routingOfRollout(manifest, at, { version: release }),
          routingOfTrafficRouting(manifest, { version: release }),
        ];
        for (const routing of routings) expect(typeof (routing?.stableService ?? '')).toBe('string');
      }),
      runs,
    );
  });
});
