import { describe, expect, it } from 'vitest';
import { exactText } from '../../src/constructs/exact-text';
import { KruiseRolloutVersion } from '../../src/kruise/version';

class Point {
  constructor(readonly x: number) {}
}

class Place {
  constructor(readonly x: number) {}
}

class Corner extends Point {}

describe('a text that only equal values have', () => {
  it('is the same for equal values', () => {
    const value = () => ({ list: [1, 'a', null, undefined, { deep: [true] }], at: new Point(1) });
    expect(exactText(value())).toBe(exactText(value()));
    expect(exactText(KruiseRolloutVersion.LATEST)).toBe(exactText(KruiseRolloutVersion.LATEST));
  });

  it.each([
    [1, '1'],
    [0, -0],
    [null, undefined],
    [null, 'null'],
    [Number.NaN, 'NaN'],
    [1n, 1],
    [[], {}],
    [[undefined], []],
    [['a', 'b'], ['a,b']],
    [
      ['a', ['b']],
      ['a', 'b', []],
    ],
    [{ a: undefined }, {}],
    [{ a: '"},b' }, { a: '', b: '' }],
    [{ x: 1 }, new Point(1)],
    [new Place(1), new Point(1)],
    [new Point(2), new Point(1)],
  ])('tells %o from %o', (a, b) => {
    expect(exactText(a)).toBeDefined();
    expect(exactText(a)).not.toBe(exactText(b));
  });

  it('is none where a value may hold what it does not show', () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    const hidden = [() => 1, Symbol('a'), new Map(), new Set(), new Date(0), /a/, new Corner(1), circle];
    expect(hidden.map((value) => exactText({ value }))).toEqual(hidden.map(() => undefined));
    expect(exactText({ [Symbol('a')]: 1 })).toBeUndefined();
  });
});
