/** The link that holds everything: what goes in comes out, and whatever else is in an address gets a sentence. */
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fragmentOf, inputOf, LARGEST_TEXT, LONGEST_LINK, ShareError } from '../../src/playground/share';
import { examples } from './examples';

const linkOf = (value: unknown) => `v1.${deflateRawSync(JSON.stringify(value)).toString('base64url')}`;

describe('a link', () => {
  it('holds what was written, whatever it is', async () => {
    const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...examples.map(({ text }) => text)));
    await fc.assert(
      fc.asyncProperty(texts, fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 5 }), async (text, requests) => {
        const fragment = await fragmentOf({ text, requests });
        // What an address may hold after its #, as it is.
        expect(fragment).toMatch(/^[\w.-]+$/);
        expect(await inputOf(fragment)).toEqual({ text, requests });
      }),
    );
  });

  it('of every example is short enough for a chat', async () => {
    for (const { text } of examples) expect((await fragmentOf({ text, requests: [] })).length).toBeLessThan(4000);
  });

  it('is read where Node packed it', async () => {
    expect(await inputOf(linkOf({ text: 'a: 1', requests: [] }))).toEqual({ text: 'a: 1', requests: [] });
    expect(await inputOf(linkOf({ text: 'a: 1' }))).toEqual({ text: 'a: 1', requests: [] });
    expect(await inputOf('')).toBeUndefined();
  });

  it('that would be cut off is refused with its size', async () => {
    const text = Array.from({ length: 30_000 }, (_, index) => ((index * 2654435761) % 2 ** 32).toString(36)).join('');
    await expect(fragmentOf({ text, requests: [] })).rejects.toThrow(
      /^These manifests make a link of \d+ kB, .* 32 kB/,
    );
  });

  it.each([
    ['of something else', 'section-2', 'it does not begin as a link'],
    [
      'that is cut off',
      linkOf({ text: 'kind: Rollout\n'.repeat(50), requests: [] }).slice(0, -9),
      'missing or changed',
    ],
    ['with another character', 'v1.%3Cscript%3E', 'characters that no such link has'],
    ['of nothing', 'v1.', 'missing or changed'],
    ['without manifests', linkOf({ requests: [] }), 'holds no manifests'],
    ['with a number', linkOf({ text: 3 }), 'holds no manifests'],
    ['with requests that are none', linkOf({ text: '', requests: [{}] }), 'holds no manifests'],
    ['that is a list', linkOf([]), 'holds no manifests'],
    ['that is longer than any', `v1.${'A'.repeat(LONGEST_LINK)}`, 'it has more than 32 kB'],
    ['that unfolds to a huge text', linkOf({ text: ' '.repeat(8 * LARGEST_TEXT) }), 'it unfolds to more than'],
  ])('%s gets a sentence', async (_, fragment, why) => {
    const error = await inputOf(fragment).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ShareError);
    expect(error.message).toContain(why);
    expect(error.message).toMatch(/^The link cannot be read: .*\. Ask for it again, as a whole\.$/);
  });

  it('never fails in another way', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: fc.constantFrom(...'abcXYZ019-_.') }), async (text) => {
        const outcome = await inputOf(`v1.${text}`).catch((error) => error);
        expect(outcome instanceof ShareError || typeof outcome.text === 'string').toBe(true);
      }),
    );
  });
});
