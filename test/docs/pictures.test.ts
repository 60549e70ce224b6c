/** The pictures of the README and of docs/ show what a run shows now. No browser is needed: each carries a digest of that. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { digestOf, FOLDER, outputOf, PAGE_PICTURES, TERMINAL_PICTURES } from '../../scripts/pictures/pictures';
import { carriedDigest, withDigest } from '../../scripts/pictures/png';
import { commandOf, terminalSvg } from '../../scripts/pictures/svg';
import { pagesIn, ROOT, textOf } from './pages';

const STALE = 'run "npm run pictures" and commit docs/images';
const isBuilt = existsSync(join(ROOT, 'lib', 'bundle', 'main.js'));

describe('docs/images', () => {
  it('has the pictures that npm run pictures makes, and no other', () => {
    const made = [...TERMINAL_PICTURES, ...PAGE_PICTURES].map(({ name }): string => name);
    expect(readdirSync(FOLDER).sort(), STALE).toEqual(made.sort());
  });

  it.runIf(isBuilt).each(TERMINAL_PICTURES)('$name shows what the command prints', (picture) => {
    const svg = terminalSvg(commandOf(picture.args), outputOf(picture));
    expect(readFileSync(join(FOLDER, picture.name), 'utf8'), STALE).toBe(svg);
  });

  it.runIf(isBuilt).each(PAGE_PICTURES)('$name shows the page that the command writes', (picture) => {
    expect(carriedDigest(readFileSync(join(FOLDER, picture.name))), STALE).toBe(digestOf(picture));
  });

  it('are each shown in a page', () => {
    const text = ['README.md', ...pagesIn('docs')].map(textOf).join('\n');
    for (const name of readdirSync(FOLDER)) expect(text, name).toContain(`images/${name})`);
  });
});

describe('a picture of a terminal', () => {
  it('has the colours, and every character in its column', () => {
    const svg = terminalSvg('x', '\u001b[31mno\u001b[39m  \u001b[1m<b>\u001b[22m');
    expect(svg).toContain('<tspan x="16" textLength="16.8" fill="#ff969f">no</tspan>');
    expect(svg).toContain('<tspan x="49.6" textLength="25.2" fill="#e5eaf0" font-weight="bold">&lt;b&gt;</tspan>');
  });

  it('goes on in the next line where a terminal ends', () => {
    const svg = terminalSvg('x', 'a'.repeat(113));
    expect(svg.match(/<text /g)).toHaveLength(3);
    expect(svg).toContain('>a</tspan>');
  });
});

describe('the digest of a picture', () => {
  const png = readFileSync(join(FOLDER, PAGE_PICTURES[0]!.name));

  it('is a chunk that readers of PNG skip', () => {
    expect(carriedDigest(png)).toMatch(/^[0-9a-f]{64}$/);
    // The first of two counts.
    expect(carriedDigest(withDigest(png, 'another'))).toBe('another');
    expect(carriedDigest(png.subarray(0, 33))).toBeUndefined();
  });
});
