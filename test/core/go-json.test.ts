import { describe, expect, test } from 'vitest';
import { goJson, goMembers, omitEmpty, sameStringMap } from '../../src/core/go-json';

describe('JSON as Go writes it', () => {
  test.each([
    [{ b: 1, a: [true, null, 'x'] }, '{"a":[true,null,"x"],"b":1}'],
    ['<a & b>\u2028', '"\\u003ca \\u0026 b\\u003e\\u2028"'],
    ['\b\f\n\t\\b"', '"\\u0008\\u000c\\n\\t\\\\b\\""'],
    ['\ud800 é', '"\ufffd é"'],
    ['{"a":"\\b~"}', '"{\\"a\\":\\"\\\\b~\\"}"'],
    ['\u007f\u00a0', '"\u007f\u00a0"'],
    [1e21, '1e+21'],
    [1e-7, '1e-7'],
    [-0, '-0'],
    [9007199254740993n, '9007199254740993'],
    [undefined, 'null'],
    [{ a: undefined }, '{}'],
  ])('case %#', (value, json) => {
    expect(goJson(value)).toBe(json);
  });

  test('keys are in the order of their bytes, not of their UTF-16 units', () => {
    expect(goJson({ '\ud83d\ude00': 1, '\uff5e': 2, 10: 3, 9: 4 })).toBe('{"10":3,"9":4,"\uff5e":2,"\ud83d\ude00":1}');
  });

  test('a struct keeps the order of its fields and leaves out those that are absent', () => {
    const members = [
      ['spec', 1],
      ['labels', undefined],
      ['annotations', { a: '1' }],
    ] as const;
    expect(goMembers(members)).toBe('{"spec":1,"annotations":{"a":"1"}}');
  });
});

test('an empty map is left out', () => {
  expect(omitEmpty({})).toBeUndefined();
  expect(omitEmpty(undefined)).toBeUndefined();
  expect(omitEmpty({ a: '' })).toEqual({ a: '' });
});

test('a missing map is not an empty one', () => {
  expect(sameStringMap(undefined, undefined)).toBe(true);
  expect(sameStringMap(undefined, {})).toBe(false);
  expect(sameStringMap({ a: '1', b: '2' }, { b: '2', a: '1' })).toBe(true);
  expect(sameStringMap({ a: '1' }, { a: '2' })).toBe(false);
  expect(sameStringMap({ a: '1' }, { b: '1' })).toBe(false);
});
