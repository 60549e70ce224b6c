import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Json, sameJson } from '../../../src/core/json';
import { diff } from '../../../src/kruise/scripts/diff';

const json = () => fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;

describe('diff', () => {
  it('names the field of a changed value', () => {
    const route = (weight: number): Json => ({ http: [{ route: [{ host: 'a' }, { host: 'b', weight }] }] });
    expect(diff(route(50), route(20), 'spec')).toEqual([
      { kind: 'changed', path: 'spec.http[0].route[1].weight', expected: 50, actual: 20 },
    ]);
  });

  it('reports a missing or unexpected subtree as a whole', () => {
    expect(diff({ a: { b: 1 } }, { c: [1] })).toEqual([
      { kind: 'missing', path: 'a', expected: { b: 1 } },
      { kind: 'unexpected', path: 'c', actual: [1] },
    ]);
  });

  it('distinguishes a string from a number, and null from an absent field', () => {
    expect(diff({ weight: 20, gone: null }, { weight: '20' })).toEqual([
      { kind: 'changed', path: 'weight', expected: 20, actual: '20' },
      { kind: 'missing', path: 'gone', expected: null },
    ]);
  });

  it('reports an item inserted before equal items as one difference', () => {
    expect(diff([{ n: 1 }, { n: 2 }], [{ n: 0 }, { n: 1 }, { n: 2 }], 'http')).toEqual([
      { kind: 'unexpected', path: 'http[0]', actual: { n: 0 } },
    ]);
  });

  it('reports a missing item by its index in the expected list', () => {
    expect(diff(['a', 'b', 'c'], ['a', 'c'], 'list')).toEqual([{ kind: 'missing', path: 'list[1]', expected: 'b' }]);
  });

  it('reports when only the order differs', () => {
    expect(diff([1, 2, 2], [2, 1, 2], 'list')).toEqual([
      { kind: 'reordered', path: 'list', expected: [1, 2, 2], actual: [2, 1, 2] },
    ]);
  });

  it('compares JSON inside annotations', () => {
    const action = (weight: number) => JSON.stringify({ forwardConfig: { targetGroups: [{ weight }] } });
    const path = 'metadata.annotations["alb.ingress.kubernetes.io/actions.web"]';
    const key = 'alb.ingress.kubernetes.io/actions.web';
    expect(diff({ [key]: action(20) }, { [key]: action(30) }, 'metadata.annotations')).toEqual([
      { kind: 'changed', path, jsonPath: 'forwardConfig.targetGroups[0].weight', expected: 20, actual: 30 },
    ]);
  });

  it('still reports the same JSON in another spelling', () => {
    expect(diff('{"a":1}', '{"a": 1}', 'x')).toEqual([
      { kind: 'changed', path: 'x', expected: '{"a":1}', actual: '{"a": 1}' },
    ]);
  });

  it('compares strings as text if only one of them is JSON', () => {
    expect(diff('[a', '["a"]', 'x')).toEqual([{ kind: 'changed', path: 'x', expected: '[a', actual: '["a"]' }]);
  });

  it('handles keys that objects inherit', () => {
    expect(diff({ toString: 1 }, {})).toEqual([{ kind: 'missing', path: 'toString', expected: 1 }]);
    expect(diff({}, { constructor: {} })).toEqual([{ kind: 'unexpected', path: 'constructor', actual: {} }]);
  });

  it('is empty exactly when the values are equal', () => {
    const related = json().chain((value) => fc.tuple(fc.constant(value), fc.oneof(json(), changed(value))));
    fc.assert(
      fc.property(related, ([left, right]) => {
        expect(diff(left, right).length === 0).toBe(sameJson(left, right));
        expect(diff(left, left)).toEqual([]);
      }),
      { seed: 7, numRuns: 2000 },
    );
  });

  it('agrees with canonical JSON text on equality', () => {
    fc.assert(
      fc.property(json(), json(), (left, right) => {
        expect(sameJson(left, right)).toBe(canonical(left) === canonical(right));
        expect(sameJson(left, JSON.parse(JSON.stringify(left)))).toBe(true);
      }),
      { seed: 8, numRuns: 2000 },
    );
  });

  it('is fast on long lists', () => {
    const list = (from: number) => Array.from({ length: 5000 }, (_, index) => ({ index: index + from }));
    expect(diff(list(0), list(1).slice(1)).length).toBeGreaterThan(0);
  });
});

/** The value with one leaf replaced or a key dropped, so that most pairs are nearly equal. */
function changed(value: Json): fc.Arbitrary<Json> {
  return fc.tuple(fc.nat(), json()).map(([seed, other]) => replaceOne(value, seed, other));
}

function replaceOne(value: Json, seed: number, other: Json): Json {
  if (typeof value !== 'object' || value === null) return other;
  const keys = Object.keys(value);
  if (keys.length === 0) return other;
  const key = keys[seed % keys.length]!;
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      String(index) === key ? (seed % 2 ? [] : [replaceOne(item, seed >> 1, other)]) : [item],
    );
  }
  const entries = Object.entries(value as { [key: string]: Json });
  return Object.fromEntries(
    entries.flatMap(([name, item]) =>
      name !== key ? [[name, item]] : seed % 2 ? [] : [[name, replaceOne(item, seed >> 1, other)]],
    ),
  ) as Json;
}

function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`)}}`;
}
