/** What the heart has of its own because a browser lacks it, compared with what Node has. */
import { createHash } from 'node:crypto';
import { BlockList, isIP as nodeIsIP } from 'node:net';
import { posix } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as ofNode from '../../src/bundle/sha256';
import {
  compareBytes,
  fromBase64,
  latin1,
  textOfUtf8,
  toBase64,
  utf8,
  utf8Fits,
  utf8Length,
} from '../../src/core/bytes';
import { baseName, folderName, joinedPath } from '../../src/core/file-name';
import { isIP } from '../../src/core/ip-address';
import { sha256, sha256Base64, sha256Hex } from '../../src/core/sha256';
import { parseCidr } from '../../src/routers/ip-address';

/** Any text, with halves of surrogate pairs. */
const anyText = fc.string({ unit: fc.oneof(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), halves()) });
const anyBytes = fc.uint8Array({ maxLength: 300 });

function halves() {
  return fc.integer({ min: 0xd7f0, max: 0xe010 }).map((code) => String.fromCharCode(code));
}

describe('bytes without Node', () => {
  it('are those of Buffer', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        const [left, right] = [Buffer.from(a), Buffer.from(b)];
        expect(utf8Length(a)).toBe(left.length);
        const both = left.length + right.length;
        expect([utf8Fits([a, b], both), utf8Fits([a, b], both - 1)]).toEqual([true, false]);
        expect(Buffer.from(utf8(a)).equals(left)).toBe(true);
        expect(compareBytes(a, b)).toBe(Buffer.compare(left, right));
      }),
    );
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        expect(textOfUtf8(bytes)).toBe(Buffer.from(bytes).toString('utf8'));
        expect(latin1(bytes)).toBe(Buffer.from(bytes).toString('latin1'));
        expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
        expect([...fromBase64(toBase64(bytes))]).toEqual([...bytes]);
      }),
    );
  });

  it('are read from base64 with line ends, with the digits of URLs, and without padding', () => {
    const unit = fc.constantFrom(...'ABCXYZabcz0189+/-_ \n.é');
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        expect([...fromBase64(text)]).toEqual([...Buffer.from(text, 'base64')]);
      }),
    );
    expect(textOfUtf8(fromBase64('aGk=aGk='))).toBe('hi');
  });
});

describe('SHA-256 without Node', () => {
  it('is that of node:crypto, for every length around a block and for texts', () => {
    const digest = (content: string | Uint8Array) => createHash('sha256').update(content);
    for (const length of [0, 1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 128, 100_000]) {
      const bytes = Uint8Array.from({ length }, (_, index) => index * 7);
      expect(sha256Hex(bytes)).toBe(digest(bytes).digest('hex'));
    }
    fc.assert(
      fc.property(anyText, anyBytes, (text, bytes) => {
        expect(sha256Base64(text)).toBe(digest(text).digest('base64'));
        expect(Buffer.from(sha256(bytes)).equals(digest(bytes).digest())).toBe(true);
      }),
    );
  });

  it('is what the bundles have in its place', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, anyBytes), (content) => {
        expect(ofNode.sha256Hex(content)).toBe(sha256Hex(content));
        expect(ofNode.sha256Base64(content)).toBe(sha256Base64(content));
        expect(ofNode.sha256(content)).toEqual(sha256(content));
      }),
    );
  });
});

describe('addresses without Node', () => {
  const nearly = fc.string({ unit: fc.constantFrom(...'0123456789abF:..::%g'), maxLength: 24 });
  const address = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    nearly,
    fc.ipV4().map((text) => `::ffff:${text}`),
  );

  it('are those of node:net', () => {
    fc.assert(
      fc.property(address, (text) => {
        expect(isIP(text), text).toBe(nodeIsIP(text));
      }),
      { numRuns: 2000 },
    );
    for (const text of [
      '::',
      '::1',
      '1::',
      '1:2:3:4:5:6:7::',
      '1:2:3:4:5:6:7:8::',
      'fe80::1%eth0',
      '01.2.3.4',
      '1.2.3',
    ])
      expect(isIP(text), text).toBe(nodeIsIP(text));
  });

  it('are in the ranges that node:net says', () => {
    const within = (version: 4 | 6) =>
      fc.tuple(version === 4 ? fc.ipV4() : fc.ipV6(), fc.integer({ min: 0, max: version === 4 ? 32 : 128 }));
    fc.assert(
      fc.property(fc.oneof(within(4), within(6)), fc.oneof(fc.ipV4(), fc.ipV6()), ([start, length], other) => {
        const family = (text: string) => (nodeIsIP(text) === 4 ? 'ipv4' : 'ipv6');
        const list = new BlockList();
        list.addSubnet(start, length, family(start));
        for (const each of [start, other]) {
          const expected = family(start) === family(each) && list.check(each, family(each));
          expect(parseCidr(`${start}/${length}`)!.contains(each), `${each} in ${start}/${length}`).toBe(expected);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('names of files without Node', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', '.', '/', 'c.lua'), minLength: 1, maxLength: 8 });

  it('are those of node:path', () => {
    fc.assert(
      fc.property(name, name, (a, b) => {
        expect(joinedPath(a, b)).toBe(posix.join(a, b).replace(/(?<=.)\/$/, ''));
      }),
    );
    for (const file of ['web.yaml', 'deploy/web.yaml', '/web.yaml', 'a/b/nginx.lua', '.lua']) {
      expect(baseName(file, '.lua')).toBe(posix.basename(file, '.lua'));
      expect(folderName(file)).toBe(posix.dirname(file));
    }
  });
});
