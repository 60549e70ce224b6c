import { describe, expect, it, test } from 'vitest';
import { fieldChanges, fieldChangeText } from '../../src/core/field-changes';
import type { Json } from '../../src/core/json';

const said = (before: Json | undefined, after: Json | undefined) =>
  fieldChanges(before, after).map((change) => fieldChangeText(change));

describe('fields that differ', () => {
  test.each<[Json | undefined, Json | undefined, string[]]>([
    [{ a: 1 }, { a: 1 }, []],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, []],
    [{ a: 1 }, { a: 2 }, ['a changes from 1 to 2']],
    [{}, { a: { b: 1 } }, ['a is new: {"b":1}']],
    [{ a: null }, {}, ['a is gone: null']],
    [{ a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, ['a.c changes from 2 to 3']],
    [{ a: 1 }, { a: [1] }, ['a changes from 1 to [1]']],
    [{ b: 1, a: 1 }, { c: 1, a: 2 }, ['c is new: 1', 'a changes from 1 to 2', 'b is gone: 1']],
    [{ a: [1, 2, 3] }, { a: [1, 4] }, ['a[1] changes from 2 to 4', 'a[2] is gone: 3']],
    [{ a: [] }, { a: ['x'] }, ['a[0] is new: "x"']],
  ])('%j and %j', (before, after, texts) => {
    expect(said(before, after)).toEqual(texts);
  });

  it('are found in items by their name, wherever they are', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ name, v: 1 }));
    expect(said([a!, b!], [b!, a!])).toEqual([]);
    expect(said([a!, b!], [{ name: 'b', v: 2 }, a!])).toEqual(['[0].v changes from 1 to 2']);
    expect(said([a!, b!], [c!, b!])).toEqual(['[0] is new: {"name":"c","v":1}', '[0] is gone: {"name":"a","v":1}']);
  });

  it('are found by place where not every item has a name of its own', () => {
    const twice = [
      { name: 'a', v: 1 },
      { name: 'a', v: 2 },
    ];
    expect(said(twice, [...twice].reverse())).toHaveLength(2);
    expect(said([{ name: 'a' }, { v: 1 }], [{ v: 1 }, { name: 'a' }])).toHaveLength(4);
    expect(said([{ name: 'a' }, { name: 'b' }], ['x'])).toEqual([
      '[0] changes from {"name":"a"} to "x"',
      '[1] is gone: {"name":"b"}',
    ]);
  });

  it('are said with their name, and with short values', () => {
    expect(fieldChangeText({ path: ['a'], before: 1, after: 2 }, 'the image')).toBe('the image changes from 1 to 2');
    const text = (length: number) => fieldChangeText({ path: ['a'], after: 'é'.repeat(length) });
    expect(text(78)).toBe(`a is new: "${'é'.repeat(78)}"`);
    expect(text(79)).toBe(`a is new: "${'é'.repeat(78)}…`);
    expect(fieldChanges(1, 1)).toEqual([]);
    expect(fieldChanges(undefined, 1, ['x'])).toEqual([{ path: ['x'], after: 1 }]);
    expect(Object.keys(fieldChanges(1, undefined)[0]!)).toEqual(['path', 'before']);
  });
});
