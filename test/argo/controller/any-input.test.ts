import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyAlb, applyCalls, passesOf, readAlbRollout } from '../../../src/argo/controller';
import { actionOf, BOOKS, ingressOf, pathTo, rolloutOf } from './manifests';

const name = fc.constantFrom('stable', 'canary', 'root', 'hr', 'hr2', 'shop', 'other', '');
const anything = fc.jsonValue({ maxDepth: 3 });
const path = fc.oneof(
  { weight: 5, arbitrary: name.map((service) => pathTo(service)) },
  { weight: 1, arbitrary: fc.constant({ path: '/', backend: { resource: { kind: 'Bucket', name: 'b' } } }) },
);
const rule = fc.oneof(
  { weight: 5, arbitrary: fc.record({ http: fc.record({ paths: fc.array(path, { maxLength: 4 }) }) }) },
  { weight: 1, arbitrary: fc.constantFrom({ host: 'a' }, { http: {} }, { http: { paths: [] } }) },
);
const books = fc.oneof(
  fc.dictionary(name, fc.array(name.map(actionOf), { maxLength: 4 })).map((value) => JSON.stringify(value)),
  anything.map((value) => JSON.stringify(value)),
  fc.string(),
);
const ingress = fc
  .record({
    name: fc.constantFrom('shop', 'internal'),
    annotations: fc.option(fc.record({ [BOOKS]: books, [actionOf('hr')]: fc.string() }), { nil: undefined }),
    rules: fc.array(rule, { maxLength: 3 }),
  })
  .map(ingressOf);
const rollout = fc
  .record({
    alb: fc.record(
      {
        ingresses: fc.array(fc.constantFrom('shop', 'internal', 'absent'), { maxLength: 3 }),
        rootService: name,
        stickinessConfig: fc.record({ enabled: fc.boolean(), durationSeconds: fc.integer({ min: -1, max: 700_000 }) }),
      },
      { requiredKeys: [] },
    ),
    managedRoutes: fc.array(name, { maxLength: 3 }),
  })
  .map(rolloutOf);
const match = fc.array(
  fc.oneof(fc.record({ headerName: name, headerValue: fc.record({ exact: fc.string() }) }), anything),
  { maxLength: 3 },
);
const calls = fc.record(
  {
    removeManagedRoutes: fc.boolean(),
    headerRoute: fc.oneof(fc.record({ name, match }, { requiredKeys: ['name'] }), anything),
    desiredWeight: fc.integer({ min: 0, max: 100 }),
    experiments: fc.array(fc.record({ serviceName: name, weight: fc.nat(100) }), { maxLength: 2 }),
    rolloutDeleted: fc.boolean(),
  },
  { requiredKeys: [] },
);

test('never throws, changes no input, is deterministic, and reports what it writes', () => {
  const property = fc.property(rollout, fc.array(ingress, { maxLength: 2 }), calls, (manifest, ingresses, input) => {
    const before = structuredClone({ manifest, ingresses, input });
    const result = applyAlb({ ...input, rollout: manifest, ingresses });
    expect({ manifest, ingresses, input }).toEqual(before);
    expect(applyAlb({ ...input, rollout: manifest, ingresses })).toEqual(result);
    const changed = ingresses.filter((each, index) => JSON.stringify(each) !== JSON.stringify(result.ingresses[index]));
    // An Ingress can be written and restored, but every change is reported.
    for (const { metadata } of changed) expect(result.written).toContain(metadata.name);
    expect(result.written.length).toBe(new Set(result.written).size);
  });
  fc.assert(property, { seed: 5, numRuns: 1500 });
});

test('never throws on values that are not manifests', () => {
  const property = fc.property(
    anything,
    fc.array(anything, { maxLength: 2 }),
    anything,
    (manifest, ingresses, steps) => {
      applyAlb({ rollout: manifest, ingresses, removeManagedRoutes: true, headerRoute: steps, desiredWeight: 5 });
      const odd = rolloutOf({ canary: { ...rolloutOf().spec.strategy.canary, steps } });
      const passes = passesOf(odd);
      expect(passes[0]!.phase).toBe('idle');
      for (const each of passes) applyCalls(readAlbRollout(odd)!, ingresses, each.calls);
      expect(passesOf(manifest)).toEqual(passesOf(manifest));
    },
  );
  fc.assert(property, { seed: 5, numRuns: 500 });
});
