import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Json, type JsonObject, Manifest, parseManifests } from '../../src/core';
import { examine, LiveCluster } from '../../src/doctor';
import { checkupReporters } from '../../src/report/doctor';
import { argoCluster } from './argo-cluster';
import { kruiseCluster } from './kruise-cluster';
import { ktenvCluster } from './ktenv-cluster';

const objects = [kruiseCluster(), argoCluster(), ktenvCluster()]
  .flatMap((text) => parseManifests(text, 'test.yaml').manifests)
  .map(({ object }) => object);

/** The ways to all values of an object. */
function pathsIn(value: Json, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...entries.flatMap(([key, item]) => pathsIn(item as Json, [...path, key]))];
}

function changed(value: Json, path: readonly (string | number)[], to: Json): Json {
  const [first, ...rest] = path;
  if (first === undefined) return to;
  if (Array.isArray(value)) return value.map((item, index) => (index === first ? changed(item, rest, to) : item));
  const object = value as JsonObject;
  return { ...object, [first]: changed(object[first]!, rest, to) };
}

const places = objects.flatMap((object, index) =>
  pathsIn(object)
    // Whatever an API server stores has these.
    .filter(([first]) => first !== undefined && first !== 'apiVersion' && first !== 'kind')
    .map((path) => ({ index, path })),
);

describe('whatever stands in a cluster', () => {
  it('is answered, and shown without control characters', () => {
    const value = fc.oneof(
      fc.constantFrom<Json>(null, '', 'web', '\u001b[2J', '__proto__', 0, -1, 1e9, true, [], {}, [null], ['web'], {
        name: 'web',
      }),
      fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
    );
    const changes = fc.array(fc.tuple(fc.constantFrom(...places), value), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(changes, (all) => {
        const mutated = [...objects];
        for (const [{ index, path }, to] of all) {
          if (pathsIn(mutated[index]!).some((one) => one.join('\n') === path.join('\n'))) {
            mutated[index] = changed(mutated[index]!, path, to) as JsonObject;
          }
        }
        const cluster = new LiveCluster({ from: 'test', manifests: mutated.map((object) => Manifest.of(object)) });
        const { checkup, stack } = examine(cluster);
        const context = { color: false, ascii: false };
        for (const reporter of Object.values(checkupReporters)) {
          expect(reporter(checkup, stack.findings, context)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f]/);
        }
      }),
      { seed: 8, numRuns: 20 },
    );
  });
});
