import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { goJsonSyntaxError } from '../../src/core/go-json-syntax';

describe('what Go says of a text that is no JSON', () => {
  test.each([
    ['', 'unexpected end of JSON input'],
    [' ', 'unexpected end of JSON input'],
    ['shop:x', "invalid character 's' looking for beginning of value"],
    ['{"a":[1,2]', 'unexpected end of JSON input'],
    ['{"a', 'unexpected end of JSON input'],
    ['{a', "invalid character 'a' looking for beginning of object key string"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b"}', `invalid character '"' after object key:value pair`],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['[1 2]', "invalid character '2' after array element"],
    ['[1}', "invalid character '}' after array element"],
    ['[] []', "invalid character '[' after top-level value"],
    ['01', "invalid character '1' after top-level value"],
    ['-', "invalid character ' ' in numeric literal"],
    ['1.x', "invalid character 'x' after decimal point in numeric literal"],
    ['1e+', "invalid character ' ' in exponent of numeric literal"],
    ['tru', "invalid character ' ' in literal true (expecting 'e')"],
    ['nil', "invalid character 'i' in literal null (expecting 'u')"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['"\n"', "invalid character '\\n' in string literal"],
    ["'a'", "invalid character '\\'' looking for beginning of value"],
    ['\ufeff1', "invalid character 'ï' looking for beginning of value"],
    ['\u00801', "invalid character 'Â' looking for beginning of value"],
  ])('%j: %s', (text, message) => {
    expect(goJsonSyntaxError(text)).toBe(message);
  });

  test.each(['null', ' {"a": [1, "x", {}]} ', '-0.5e+3', '"\\u00e9"'])('%s is JSON', (text) => {
    expect(goJsonSyntaxError(text)).toBeUndefined();
  });

  test('says something of every text that is none, however deep', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(goJsonSyntaxError(nested(10_000))).toBeUndefined();
    expect(goJsonSyntaxError(nested(10_001))).toBe("invalid character '[' exceeded max depth");
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:\\utrefalsn019.-+eE '), maxLength: 12 }), (text) => {
        const message = goJsonSyntaxError(text);
        const isJson = (() => {
          try {
            JSON.parse(text);
            return true;
          } catch {
            return false;
          }
        })();
        expect(message === undefined).toBe(isJson);
      }),
      { seed: 5, numRuns: 3000 },
    );
  });
});
