import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { DEFAULT_LIMITS, type Json, type Path } from '../../src/core';
import { type Places, placeOf } from '../../src/core/reader/places';
import { parsePlainYaml } from '../../src/core/reader/plain-yaml';
import { splitDocuments } from '../../src/core/reader/split';
import { parseYaml } from '../../src/core/reader/yaml-parser';

const EXAMPLES = join(__dirname, '../../examples');

/** Documents as people write them. */
const DOCUMENTS = readdirSync(EXAMPLES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yaml'))
  .flatMap((file) => [...splitDocuments(readFileSync(join(EXAMPLES, file), 'utf8'))].map(({ text }) => text));

const STYLES = ['a: 1', 'a:\n  b: c\n', 'a:\n- b\n- c: d\n  e: f\n', 'a: {b: [c, "d", {e: f}], g: {}}\nh: []\n'];

/** What somebody may type into a document. */
const TYPED = [
  ': ',
  '- ',
  '\n',
  '\n  ',
  ' # c',
  '\n# c\n',
  '"',
  "'",
  "''",
  '|\n',
  '>-\n',
  '{}',
  '[]',
  '{a: b, }',
  '- - ',
].concat([
  '\t',
  '\r\n',
  '? ',
  '&a ',
  '*a',
  '<<: *a\n',
  '~',
  'on',
  '1',
  '!!str ',
  '---\n',
  '...\n',
  '-\n',
  '  ',
  ',',
  ':',
  '__proto__: 1',
  '|-\n    ',
  '\\n',
  '\\x41',
  '\u00a0',
  '0755',
  '12345678901234567890',
  ' \n',
]);

/** Paths to all values, and ones that leave the value. */
function pathsIn(value: Json, path: Path = []): Path[] {
  const inner = typeof value === 'object' && value !== null ? value : {};
  const keys = Array.isArray(inner) ? [...inner.keys()] : Object.keys(inner);
  return [path, [...path, 'absent'], [...path, 7, 'a']].concat(
    keys.flatMap((key) => pathsIn((inner as Record<string | number, Json>)[key]!, [...path, key])),
  );
}

/** Whether a document needs no parser; where it needs none, its values and their places are those of the parser. */
function isPlain(text: string): boolean {
  const [places, ofParser]: Places[] = [new Map(), new Map()];
  const plain = parsePlainYaml(text, DEFAULT_LIMITS, places);
  if (plain === undefined) return false;
  const { values, problems } = parseYaml(text, DEFAULT_LIMITS, ofParser);
  const { value, offset } = plain;
  expect({ text, problems, values }).toStrictEqual({ text, problems: [], values: [{ value, offset }] });
  expect(JSON.stringify(value)).toBe(JSON.stringify(values[0]!.value));
  for (const path of pathsIn(value)) {
    const place = placeOf(values[0]!.value, offset, path, ofParser!);
    expect([path, placeOf(value, offset, path, places!), text]).toEqual([path, place, text]);
  }
  return true;
}

describe('plain YAML', () => {
  it.each([
    'a: 1',
    '---\na: 1\n',
    'a:\n  b: c # a comment\n\n  # another\n  d:   e\n',
    'a:\n- b\n-   c: d\n    e: f\n- - g\n  - h: i\nj: k\n',
    'a:\n  - b\n  - c\nd: e',
    'a: |\n  b: c\n\n  - d\n   e\nf: g\n',
    'a:\nb:\n  c:\n  d: null\n',
    '"<<": {a: b}\n',
    'a: -1\nb: .5\nc: http://d?e=f#g\nh: $(i)\n',
    'a: "one: # \\" two\\n \\u00e9 \\/"\n"b": \'it\'\'s\' # c\nd: \'\'\ne: ""\n',
    'a: {b: c, "d": [e:f, -1, "g", {}, []], h: {i: j }} # k\nl: [ m, n ]\n',
    'a: |- # b\n  c\n\n   d\n\ne:\n  - |\n    f\n  # g\n  - h: |\n      i\nj: k\n',
  ])('is read as with a parser: %j', (text) => {
    expect(isPlain(text)).toBe(true);
  });

  it.each([
    'a: &b c\nd: *b\n',
    'a: !!str 1\n',
    '<<: {a: b}\n',
    'on: 1\n',
    '1: a\n',
    '? a\n: b\n',
    'a:\tb\n',
    'a: b\r\nc:\r\n  d: e\r\n',
    'a: 1\n...\nb: 2\n',
    'a:\n  -\n    b: c\n',
    'a: [b: c]\n',
    'a: {b, c: d}\n',
    'a: [b, # c\n  d]\n',
    '"a\\n": b\n',
    'a b: c\n',
    'a:\n  - b c: d\n    e: f\n',
    'a:\n  - \u00a0: b\n',
    'a: >-\n  b\n',
    'a: |+\n  b\n\n',
    'a: |2\n    b\n',
    'a: |\n\n  b\n',
    'a: |\n  b',
    'a: one\n  two\n',
    'a: "one\n  two"\n',
    'a: "\\x41"\n',
    "a: 'b''\n",
    'a: [\n  b,\n]\n',
    'a: 12345678901234567890\n',
    'a: .inf\n',
    'a: 1\na: 2\n',
    'a: b: c\n',
    '__proto__: 1\n  b: 2\n',
    '# a comment\n',
    'a\n',
  ])('needs a parser: %j', (text) => {
    expect(isPlain(text)).toBe(false);
  });

  it('is read as with a parser in the examples, of which nearly all are plain', () => {
    const plain = DOCUMENTS.filter(isPlain);
    expect(plain.length).toBeGreaterThan(DOCUMENTS.length * 0.9);
  });

  it('is read as with a parser, whatever is written', () => {
    const spec = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }));
    const style = fc.record({
      indentSeq: fc.boolean(),
      lineWidth: fc.constantFrom(0, 20, 80),
      defaultStringType: fc.constantFrom('PLAIN' as const, 'QUOTE_DOUBLE' as const, 'QUOTE_SINGLE' as const),
      collectionStyle: fc.constantFrom('block' as const, 'flow' as const, 'any' as const),
    });
    fc.assert(
      fc.property(spec, style, (value, how) => void isPlain(stringify(value, how))),
      { seed: 5, numRuns: 500 },
    );
  });

  it('is read as with a parser where somebody edits documents', () => {
    const edit = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      removed: fc.constantFrom(0, 0, 1, 4),
      typed: fc.constantFrom('', ...TYPED),
    });
    const edits = fc.array(edit, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(
        fc.constantFrom(...STYLES, ...DOCUMENTS.filter((text) => text.length < 1_000)),
        edits,
        (text, all) => {
          const edited = all.reduce((before, { at, removed, typed }) => {
            const start = Math.floor(at * before.length);
            return before.slice(0, start) + typed + before.slice(start + removed);
          }, text);
          isPlain(edited);
        },
      ),
      { seed: 5, numRuns: 2_000 },
    );
  });

  it('may be of any length', () => {
    const text = `a: "${'x'.repeat(5_000_000)}"\nb: [${'y:'.repeat(500_000)}z]\nc: ${"''".repeat(500_000)}\nd: e\n`;
    const places: Places = new Map();
    const plain = parsePlainYaml(text, DEFAULT_LIMITS, places);
    expect(plain && placeOf(plain.value, plain.offset, ['d'], places)).toBe(text.length - 2);
  });
});
