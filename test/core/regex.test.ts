import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
