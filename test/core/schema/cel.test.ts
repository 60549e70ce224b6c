import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/core/json';
import { CelError, evaluateCel, isKnownCel } from '../../../src/core/schema/cel/evaluate';

const evaluate = (expression: string, self: Json = null) => evaluateCel(expression, { self });

describe('evaluateCel', () => {
  it.each<[string, Json, Json]>([
    ['self.a == 1', { a: 1 }, true],
    ["self.a != 'x'", { a: 'x' }, false],
    ["self['a b'] == 2", { 'a b': 2 }, true],
    ['self[1]', [1, 2], 2],
    ["self in ['a', 'b']", 'a', true],
    ["'a' in self", { a: 1 }, true],
    ['has(self.a) && self.a > 1', {}, false],
    ['self > 1 ? "more" : "less"', 2, 'more'],
    ['self < 0 ? 1 : self == 0 ? 2 : 3', 0, 2],
    ['!(self >= 2) || self <= 3 && true', 4, false],
    ['1 + 2 * 3 - 4 % 3', null, 6],
    ['7 / 2', null, 3],
    ['-self', 2, -2],
    ["self + 'b' == 'ab'", 'a', true],
    ['[1] + [2] == [1, 2]', null, true],
    ["self.startsWith('a') && self.endsWith('c') && self.contains('b')", 'abc', true],
    ['self.matches("^[a-z]+$")', 'abc', true],
    ["self.matches(r'^\\d+$')", '12', true],
    ['self.matches(r"""^[\'"]$""")', '"', true],
    ["self.lowerAscii() == 'abc'", 'ABC', true],
    ['size(self) == 2 && self.size() == 2', ['a', 'b'], true],
    ["size('🚀')", null, 1],
    ['self.all(x, x > 0)', [1, 2], true],
    ['self.exists(x, x > 1)', [1, 2], true],
    ['self.exists_one(x, x > 0)', [1, 2], false],
    ['self.map(x, x * 2) == [2, 4]', [1, 2], true],
    ['self.filter(x, x > 1) == [2]', [1, 2], true],
    ['self.all(key, key.startsWith("a"))', { a: 1, ab: 2 }, true],
    ["'it\\'s' == self", "it's", true],
  ])('%s of %j is %j', (expression, self, result) => {
    expect(evaluate(expression, self)).toEqual(result);
  });

  it.each<[string, Json, string]>([
    ['self.a == 1', {}, 'no such key: a'],
    ["self.startsWith('a')", 1, 'no such overload'],
    ['self && true', 1, 'no such overload'],
    ['self > 1', 'a', 'no such overload'],
    ['size(self)', 1, 'no such overload'],
    ["self.matches('(')", 'a', 'no such overload'],
    ['self.constructor == 1', {}, 'no such key: constructor'],
  ])('reports an error of %s on %j', (expression, self, message) => {
    expect(() => evaluate(expression, self)).toThrow(new CelError(message));
  });

  it('does not mind an error on one side where the other settles it', () => {
    expect(evaluate('self.a == 1 || true', {})).toBe(true);
    expect(evaluate('self.a == 1 && false', {})).toBe(false);
    expect(() => evaluate('self.a == 1 || false', {})).toThrow('no such key: a');
  });

  it.each(['self ==', 'self == {}', 'self.a(', "self == 'a", 'a b', 'self.split(",")', 'quantity("1") > 1', '', '$'])(
    'does not know %j',
    (expression) => {
      expect(isKnownCel(expression)).toBe(false);
      expect(evaluate(expression)).toBeUndefined();
    },
  );

  it('never fails otherwise, on any text', () => {
    const words = fc.constantFrom(
      'self',
      '.a',
      '[0]',
      '==',
      '(',
      ')',
      '1',
      "'x'",
      '&&',
      '!',
      '?',
      ':',
      'has',
      ',',
      'in',
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 8 }), fc.jsonValue() as fc.Arbitrary<Json>, (parts, self) => {
        try {
          evaluate(parts.join(' '), self);
        } catch (error) {
          expect(error).toBeInstanceOf(CelError);
        }
      }),
      { seed: 5, numRuns: 2000 },
    );
  });
});
