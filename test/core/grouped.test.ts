import { describe, expect, it } from 'vitest';
import { addTo, groupedBy } from '../../src/core/grouped';
import { indexedBy } from '../../src/core/keyed';

describe('addTo', () => {
  it('makes a list for a new key, and adds to the list of a known one', () => {
    const groups = new Map<string, number[]>();
    addTo(groups, 'odd', 1);
    addTo(groups, 'even', 2);
    addTo(groups, 'odd', 3);
    addTo(groups, 'odd', 3);
    expect([...groups]).toEqual([
      ['odd', [1, 3, 3]],
      ['even', [2]],
    ]);
  });

  it('keeps the list that a key has', () => {
    const empty: string[] = [];
    const groups = new Map([['mesh', empty]]);
    addTo(groups, 'mesh', 'web');
    expect(groups.get('mesh')).toBe(empty);
    expect(empty).toEqual(['web']);
  });

  it('takes undefined for a key and for an item', () => {
    const groups = new Map<string | undefined, (string | undefined)[]>();
    addTo(groups, undefined, undefined);
    addTo(groups, undefined, 'web');
    expect([...groups]).toEqual([[undefined, [undefined, 'web']]]);
  });
});

describe('groupedBy', () => {
  it('keeps the order of keys and items', () => {
    const groups = groupedBy(['web', 'cart', 'api', 'shop', 'wiki'], (name) => name.length);
    expect([...groups]).toEqual([
      [3, ['web', 'api']],
      [4, ['cart', 'shop', 'wiki']],
    ]);
  });

  it('asks for the key of each item once, also of an iterator', () => {
    const asked: number[] = [];
    const groups = groupedBy(['a', 'b', 'c'].keys(), (index) => {
      asked.push(index);
      return index % 2;
    });
    expect([...groups.values()]).toEqual([[0, 2], [1]]);
    expect(asked).toEqual([0, 1, 2]);
  });

  it('tells keys apart by identity, and has none without items', () => {
    const [a, b] = [{}, {}];
    expect(groupedBy([a, b, a], (item) => item).get(a)).toEqual([a, a]);
    expect(groupedBy([], String).size).toBe(0);
  });
});

describe('indexedBy', () => {
  it('has an item once under each of its keys', () => {
    const index = indexedBy(['ab', 'ba', 'aa', ''], (text) => [...text]);
    expect([...index]).toEqual([
      ['a', ['ab', 'ba', 'aa']],
      ['b', ['ab', 'ba']],
    ]);
  });
});
