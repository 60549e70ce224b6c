import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeRune, latin1Bytes, latin1Text, utf8Bytes, utf8Text } from '../../../src/lua/text/bytes';

describe('the text of bytes', () => {
  it('is UTF-8 there and back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(utf8Text(utf8Bytes(text))).toBe(text);
      }),
      { seed: 20220504, numRuns: 200 },
    );
  });

  it.each([
    ['a lone continuation byte', [0x61, 0x80, 0x62], 'a\ufffdb'],
    ['a truncated sequence, one mark per byte', [0xe2, 0x82], '\ufffd\ufffd'],
    ['an overlong form', [0xc0, 0x80], '\ufffd\ufffd'],
    ['a surrogate', [0xed, 0xa0, 0x80], '\ufffd\ufffd\ufffd'],
    ['a code point beyond Unicode', [0xf4, 0x90, 0x80, 0x80], '\ufffd\ufffd\ufffd\ufffd'],
    ['a byte order mark, which stays', [0xef, 0xbb, 0xbf, 0x61], '\ufeffa'],
  ])('marks %s', (_, bytes, text) => {
    expect(utf8Text(Uint8Array.from(bytes))).toBe(text);
  });

  it('is one character per byte in Latin-1', () => {
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    expect(latin1Text(all)).toHaveLength(256);
    expect(latin1Bytes(latin1Text(all))).toEqual(all);
  });

  it('decodes a character at a place', () => {
    expect(decodeRune(utf8Bytes('a😀'), 1)).toEqual({ codePoint: 0x1f600, size: 4 });
    expect(decodeRune(Uint8Array.of(0xff), 0)).toEqual({ codePoint: -1, size: 1 });
  });
});
