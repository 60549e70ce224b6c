import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePattern, isExpression, isRefusedByRe2 } from '../../src/core/regex';
import { compileRegex } from '../../src/routers';

const matches = (expression: string, text: string, options = {}) => compileRegex(expression, options)?.(text);

describe('regular expressions', () => {
  it.each([
    ['^user-[0-9]+$', 'user-12', true],
    ['^user-[0-9]+$', 'user-', false],
    ['^(.*; ?)?grey=always(;.*)?$', 'a=b; grey=always', true],
    ['^(.*; ?)?grey=always(;.*)?$', 'notgrey=always', false],
    ['^[[:alpha:]]+$', 'ab', true],
    ['^[[:digit:]]+$', 'ab', false],
    ['^[]a]+$', ']a', true],
    ['^[^]a]$', ']', false],
    ['^[a[]$', '[', true],
    ['(?i)^AB$', 'ab', true],
    ['^(?P<name>a|b)$', 'b', true],
    ['^a{2,3}$', 'aaaa', false],
    ['^a{2,}$', 'aaaa', true],
    ['\\bcat\\b', 'a cat!', true],
    ['\\bcat\\b', 'concat', false],
    ['^\\x41$', 'A', true],
    ['^.$', '\u{1f600}', true],
    ['^.$', '\n', false],
    ['', 'anything', true],
    ['^(a*)*$', 'aaa', true],
    ['^(?i:a)b$', 'Ab', true],
    ['^(?i:a)b$', 'AB', false],
    ['^((?i)a)b$', 'AB', false],
    ['^(?i)a(?-i)b$', 'AB', false],
    ['^\\p{L}\\pN$', 'é1', true],
    ['^\\p{Greek}+$', 'αβ', true],
    ['^[\\p{L}-]+$', 'é-a', true],
    ['^\\P{L}$', 'é', false],
    ['^\\p{^L}$', '1', true],
  ])('%s on %j: %s', (expression, text, matched) => expect(matches(expression, text)).toBe(matched));

  it('match anywhere or the whole text', () => {
    expect(matches('b', 'abc')).toBe(true);
    expect(matches('b', 'abc', { whole: true })).toBe(false);
    expect(matches('a|abc', 'abc', { whole: true })).toBe(true);
  });

  it('can ignore case', () => expect(matches('^ab$', 'AB', { ignoreCase: true })).toBe(true));

  it.each([
    '(?=a)',
    '(?!a)',
    '(?<=a)b',
    '(a)\\1',
    '\\p{Nonsense}',
    '(',
    ')',
    '*',
    '[z-a]',
    'a{2,1}',
    'a{9999}',
    '(?>a)',
    '\\',
    '[a',
  ])('do not include %s', (expression) => expect(compileRegex(expression)).toBeUndefined());

  it('mean what they mean in JavaScript', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '(a|b)', '(ab)', '\\w', '^', '$', '(|a)');
    const quantified = fc.tuple(atom, fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,2}', '*?'));
    const expression = fc.array(
      quantified.map(([piece, quantifier]) => (/^[\^$]$/.test(piece) ? piece : piece + quantifier)),
      { maxLength: 5 },
    );
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), maxLength: 7 });
    fc.assert(
      fc.property(expression, fc.constantFrom('', '|'), expression, text, (left, bar, right, input) => {
        const source = left.join('') + bar + right.join('');
        expect(matches(source, input)).toBe(new RegExp(source).test(input));
      }),
      { seed: 7, numRuns: 1000 },
    );
  });

  it.each([
    ['^a(?=c)', 'ac', true],
    ['^a(?=c)', 'ab', false],
    ['^a(?!b)', 'ac', true],
    ['^a(?!b)', 'ab', false],
    ['(?<=a)b', 'ab', true],
    ['(?<=a)b', 'cb', false],
    ['(?<!a)b', 'cb', true],
    ['^(?!.*admin).*$', '/x/admin', false],
    ['^(?=.*\\d)(?=.*[a-z]).+$', 'a1', true],
    ['(?=(?!b).)a', 'ba', true],
  ])('may look around where PCRE reads them: %s on %j', (expression, text, matched) => {
    expect(matches(expression, text, { lookAround: true })).toBe(matched);
    expect(new RegExp(expression).test(text)).toBe(matched);
    expect(compileRegex(expression)).toBeUndefined();
  });

  it('look around no longer than a million steps', () => {
    expect(matches('(?=(?=(?=(a|b)*c)*d)*e)(a?){50}a{50}', 'a'.repeat(5000), { lookAround: true })).toBe(false);
  });

  it('are compiled or rejected, and never take long', () => {
    const piece = fc.constantFrom(
      'a',
      '(',
      ')',
      '[',
      ']',
      '{9}',
      '*',
      '+',
      '?',
      '|',
      '^',
      '\\',
      '-',
      ':',
      '[:x:]',
      '(?:',
      '{',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        expect([true, false, undefined]).toContain(matches(pieces.join(''), 'a'.repeat(30)));
      }),
      { seed: 9, numRuns: 500 },
    );
    expect(matches('^(a+)+$', `${'a'.repeat(5000)}b`)).toBe(false);
    expect(matches('^(a|a|aa)*$', `${'a'.repeat(5000)}b`)).toBe(false);
    expect(compileRegex('((a{1000}){1000}){1000}')).toBeUndefined();
    expect(compileRegex('('.repeat(10_000))).toBeUndefined();
  });
});

describe('repetitions', () => {
  it('are at most a thousand', () => {
    expect(matches('^a{1000}$', 'a'.repeat(1000))).toBe(true);
    expect(matches('^a{0,1000}$', 'a'.repeat(1000))).toBe(true);
    expect(matches('^a{1000,}$', 'a'.repeat(1001))).toBe(true);
    for (const refused of ['a{1001}', 'a{1001,}', 'a{0,1001}', '(abcdefghij){1000}{1000}']) {
      expect(compileRegex(refused)).toBeUndefined();
    }
  });

  it.each([
    ['^a{0}$', '', true],
    ['^a{0}$', 'a', false],
    ['^a{0,2}$', 'aa', true],
    ['^a{0,2}$', 'aaa', false],
    ['^a{1,1}$', 'a', true],
    ['^(ab){2}$', 'abab', true],
    ['^(ab){2}$', 'abaab', false],
    ['^a{,2}$', 'a{,2}', true],
    ['^a{x}$', 'a{x}', true],
  ])('%s on %j: %s', (expression, text, matched) => expect(matches(expression, text)).toBe(matched));
});

describe('an expression of a schema', () => {
  it.each([
    ['^a+$', 'aaa', true],
    ['^a+$', 'aab', false],
    ['b', 'abc', true],
  ])('%s on %j, and on a long text', (expression, text, matched) => {
    const test = compilePattern(expression)!;
    expect(test(text)).toBe(matched);
    expect(test(text.repeat(200))).toBe(new RegExp(expression).test(text.repeat(200)));
    expect(test(text.repeat(300))).toBe(new RegExp(expression).test(text.repeat(300)));
  });

  it('may ignore case', () => {
    const long = 'A'.repeat(400);
    expect([compilePattern('^a+$', true)!('A'), compilePattern('^a+$', true)!(long)]).toEqual([true, true]);
    expect([compilePattern('^a+$')!('A'), compilePattern('^a+$')!(long)]).toEqual([false, false]);
  });

  it('takes no longer for a long text', () => {
    const begun = performance.now();
    expect(compilePattern('^(a+)+$')!(`${'a'.repeat(5000)}!`)).toBe(false);
    expect(performance.now() - begun).toBeLessThan(2000);
  });

  it('is undefined where JavaScript cannot read it', () => expect(compilePattern('(')).toBeUndefined());
});

describe('what is an expression, and what RE2 refuses', () => {
  it.each([
    ['a+', true, false],
    ['(?P<name>a)', true, false],
    ['(?=a)', true, true],
    ['(?!a)', true, true],
    ['(?<=a)b', true, true],
    ['(?<!a)b', true, true],
    ['(a)\\1', true, true],
    ['\\(?=a', true, false],
    ['(', false, true],
    ['[a', false, true],
  ])('%s', (text, isOne, isRefused) => {
    expect(isExpression(text)).toBe(isOne);
    expect(isRefusedByRe2(text)).toBe(isRefused);
  });
});
