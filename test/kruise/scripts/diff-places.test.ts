/** The differences of two values, one by one. */
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/core/json';
import { diff } from '../../../src/kruise/scripts/diff';

const shown = (expected: Json | undefined, actual: Json | undefined, path?: string) =>
  diff(expected, actual, path).map(({ kind, path: place, ...rest }) => {
    const { expected: left, actual: right, jsonPath } = rest as { expected?: Json; actual?: Json; jsonPath?: string };
    const inside = jsonPath === undefined ? '' : ` > ${jsonPath}`;
    return `${kind} ${place}${inside}: ${JSON.stringify(left)} ${JSON.stringify(right)}`;
  });

describe('a difference', () => {
  it.each<[expected: Json | undefined, actual: Json | undefined, differences: readonly string[]]>([
    [undefined, undefined, []],
    [null, null, []],
    [undefined, 1, ['unexpected p: undefined 1']],
    [undefined, null, ['unexpected p: undefined null']],
    [1, undefined, ['missing p: 1 undefined']],
    [null, undefined, ['missing p: null undefined']],
    [1, 2, ['changed p: 1 2']],
    [1, '1', ['changed p: 1 "1"']],
    [0, false, ['changed p: 0 false']],
    ['a', 'b', ['changed p: "a" "b"']],
    [null, {}, ['changed p: null {}']],
    [[], {}, ['changed p: [] {}']],
    [{}, [], ['changed p: {} []']],
    [{ a: 1 }, { a: 2 }, ['changed p.a: 1 2']],
    [{ a: 1, b: 2 }, { b: 3, a: 1 }, ['changed p.b: 2 3']],
    [{ b: 1, a: 1 }, { a: 2, b: 2 }, ['changed p.b: 1 2', 'changed p.a: 1 2']],
    [{ a: 1 }, { c: 1, b: 1, a: 1 }, ['unexpected p.c: undefined 1', 'unexpected p.b: undefined 1']],
    [{ 'a/b': 1 }, { 'a/b': 2 }, ['changed p["a/b"]: 1 2']],
    [{ a: { 'b.c': [1] } }, { a: { 'b.c': [2] } }, ['changed p.a["b.c"][0]: 1 2']],
  ])('of %j and %j', (expected, actual, differences) => {
    expect(shown(expected, actual, 'p')).toEqual(differences);
  });

  it('at the top has no dot before its path', () => {
    expect(shown({ a: { b: 1 } }, { a: { b: 2 } })).toEqual(['changed a.b: 1 2']);
    expect(shown({ 'a/b': 1 }, { 'a/b': 2 })).toEqual(['changed ["a/b"]: 1 2']);
    expect(shown([1], [2])).toEqual(['changed [0]: 1 2']);
    expect(shown(1, 2)).toEqual(['changed : 1 2']);
  });
});

describe('a list', () => {
  it.each<[expected: readonly Json[], actual: readonly Json[], differences: readonly string[]]>([
    [[1, 2], [2, 1], ['reordered p: [1,2] [2,1]']],
    [[1, 1, 2], [2, 1, 1], ['reordered p: [1,1,2] [2,1,1]']],
    [[1, 1, 2], [1, 2, 2], ['changed p[1]: 1 2']],
    [
      [1, 2, 3],
      [3, 2, 4],
      ['changed p[0]: 1 3', 'changed p[2]: 3 4'],
    ],
    [['a'], ['a', 'b'], ['unexpected p[1]: undefined "b"']],
    [['a', 'b'], ['a'], ['missing p[1]: "b" undefined']],
    [[], ['a'], ['unexpected p[0]: undefined "a"']],
    [['a', 'b', 'c'], ['c'], ['missing p[0]: "a" undefined', 'missing p[1]: "b" undefined']],
    [
      ['a', 'x', 'c'],
      ['a', 'b', 'y', 'c'],
      ['changed p[1]: "x" "b"', 'unexpected p[2]: undefined "y"'],
    ],
    [
      ['a', 'b', 'y', 'c'],
      ['a', 'x', 'c'],
      ['changed p[1]: "b" "x"', 'missing p[2]: "y" undefined'],
    ],
    [
      ['a', 'b'],
      ['b', 'a', 'c'],
      ['missing p[0]: "a" undefined', 'unexpected p[1]: undefined "a"', 'unexpected p[2]: undefined "c"'],
    ],
    [
      ['b', 'a', 'c'],
      ['a', 'b'],
      ['missing p[0]: "b" undefined', 'changed p[2]: "c" "b"'],
    ],
    [
      ['a', 'b', 'c', 'd'],
      ['b', 'd', 'x'],
      ['missing p[0]: "a" undefined', 'missing p[2]: "c" undefined', 'unexpected p[2]: undefined "x"'],
    ],
    [
      [{ n: 1, w: 1 }, { n: 2 }],
      [{ n: 1, w: 2 }, { n: 2 }, { n: 3 }],
      ['changed p[0].w: 1 2', 'unexpected p[2]: undefined {"n":3}'],
    ],
  ])('of %j and %j', (expected, actual, differences) => {
    expect(shown(expected, actual, 'p')).toEqual(differences);
  });

  it.each([
    [200, 1],
    [201, 200],
  ])('of %i items in another order has %i differences', (length, count) => {
    const list = Array.from({ length }, (_, index) => index);
    expect(diff(list, [...list].reverse())).toHaveLength(count);
  });

  it.each([
    [199, 1],
    [200, 201],
  ])('of %i items is aligned with one more, up to 200: %i differences', (length, count) => {
    const list = Array.from({ length }, (_, index) => index);
    expect(diff(list, [-1, ...list])).toHaveLength(count);
    expect(diff([-1, ...list], list)).toHaveLength(count);
  });
});

describe('text that holds JSON', () => {
  it.each<[expected: string, actual: string, differences: readonly string[]]>([
    ['{"a":1}', '{"a":2}', ['changed p > a: 1 2']],
    ['{"a":1}', '{"a":1,"b":2}', ['unexpected p > b: undefined 2']],
    ['[1,2]', '[1]', ['missing p > [1]: 2 undefined']],
    [' [1]', '\n{"a":1}', ['changed p > : [1] {"a":1}']],
    ['{"a":1}', '{ "a": 1 }', ['changed p: "{\\"a\\":1}" "{ \\"a\\": 1 }"']],
    ['{"a":1}', '{"a":', ['changed p: "{\\"a\\":1}" "{\\"a\\":"']],
    ['{"a":', '{"a":1}', ['changed p: "{\\"a\\":" "{\\"a\\":1}"']],
    ['{"a":1}', 'x', ['changed p: "{\\"a\\":1}" "x"']],
    ['1', '2', ['changed p: "1" "2"']],
    ['"a"', '"b"', ['changed p: "\\"a\\"" "\\"b\\""']],
    ['null', '[]', ['changed p: "null" "[]"']],
    ['x[1]', 'x[2]', ['changed p: "x[1]" "x[2]"']],
    ['{"a":"{\\"b\\":1}"}', '{"a":"{\\"b\\":2}"}', ['changed p > a > b: 1 2']],
    ['{"a":"[\\"[1]\\"]"}', '{"a":"[\\"[2]\\"]"}', ['changed p > a > [0] > [0]: 1 2']],
  ])('%s and %s', (expected, actual, differences) => {
    expect(shown(expected, actual, 'p')).toEqual(differences);
  });
});
