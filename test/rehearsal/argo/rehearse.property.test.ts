import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseManifests } from '../../../src/core';
import { rehearseObjects } from '../stack';
import { blueGreen, canary, HEADER, PING_PONG, service, VERIFYING } from './stack';

const RUNS = { seed: 20240817, numRuns: 80 };

/** What may stand in the place of a value: of a wrong type, or of the right one with another meaning. */
const value = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    20,
    101,
    2.5,
    '',
    'web-canary',
    'use-annotation',
    '/*',
    '*',
    'Prefix',
    [],
    {},
  ),
  fc.constantFrom<unknown>([null], [{}], { name: 'web-stable' }, { setWeight: 20 }, [{ setWeight: 20 }], {
    __proto__x: 1,
  }),
  fc.string({ maxLength: 6 }),
);

const STACKS = [
  canary(),
  canary({ ...HEADER, more: [service('web-stable'), service('web-canary'), VERIFYING] }),
  canary({ ...PING_PONG, ...HEADER }),
  canary({ steps: '[{ experiment: { templates: [{ name: a, specRef: canary, weight: 10 }] } }, { setWeight: 50 }]' }),
  blueGreen(),
].map((text) => parseManifests(text, 'stack.yaml').manifests.map(({ object }) => object as object));

function pathsOf(data: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof data !== 'object' || data === null) return [path];
  return [path, ...Object.entries(data).flatMap(([key, member]) => pathsOf(member, [...path, key]))];
}

function replaced(data: unknown, [key, ...rest]: readonly (string | number)[], by: unknown): unknown {
  if (key === undefined) return by;
  const copy = structuredClone(data) as Record<string | number, unknown>;
  copy[key] = replaced(copy[key], rest, by);
  return copy;
}

const oddStack = fc
  .tuple(fc.constantFrom(...STACKS), fc.array(fc.tuple(fc.nat(), fc.nat(), value), { minLength: 1, maxLength: 3 }))
  .map(([stack, changes]) => {
    const objects = [...stack];
    for (const [which, where, by] of changes) {
      const index = which % objects.length;
      const { spec } = objects[index] as { spec?: unknown };
      const paths = pathsOf(spec);
      objects[index] = { ...objects[index], spec: replaced(spec, paths[where % paths.length]!, by) } as object;
    }
    return objects;
  });

describe('a rehearsal of Argo', () => {
  it('never throws on odd manifests, and its shares make one', () => {
    const property = fc.property(oddStack, (objects) => {
      for (const { moments, requests } of rehearseObjects(objects)) {
        expect(moments.length).toBeGreaterThan(0);
        for (const { cells } of moments) {
          expect(cells).toHaveLength(requests.length);
          for (const { shares } of cells) {
            expect(shares.stable + shares.canary + shares.failed + shares.other).toBeCloseTo(1, 6);
          }
        }
      }
    });
    fc.assert(property, RUNS);
  });

  it('gives the same in whatever order the objects come', () => {
    const property = fc.property(oddStack, fc.nat(), (objects, turn) => {
      const at = turn % objects.length;
      const turned = [...objects.slice(at), ...objects.slice(0, at)];
      expect(JSON.stringify(rehearseObjects(turned))).toBe(JSON.stringify(rehearseObjects(objects)));
    });
    fc.assert(property, { ...RUNS, numRuns: 30 });
  });

  it('goes as declared for any weights that grow', () => {
    const weights = fc.uniqueArray(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 5 });
    const property = fc.property(weights, fc.constantFrom({}, PING_PONG), (some, options) => {
      const grown = [...some].sort((a, b) => a - b);
      const steps = `[${grown.map((weight) => `{ setWeight: ${weight} }`).join(', ')}]`;
      const { manifests } = parseManifests(canary({ ...options, steps }), 'stack.yaml');
      const [rehearsal] = rehearseObjects(manifests.map(({ object }) => object as object));
      expect(rehearsal!.findings.filter(({ severity }) => severity !== 'note')).toEqual([]);
      const settled = rehearsal!.moments.filter(({ phase }) => phase === 'step');
      expect(settled.map(({ cells }) => Math.round(cells[0]!.shares.canary * 100))).toEqual(grown);
    });
    fc.assert(property, { ...RUNS, numRuns: 20 });
  });
});
