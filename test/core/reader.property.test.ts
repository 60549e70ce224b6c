import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDocument as parseWithLibrary, stringify } from 'yaml';
import { type Json, type Manifest, type Path, parseManifests } from '../../src/core';
import { readManifests } from '../../src/files/manifests';

const SETTINGS = { seed: 5, numRuns: 200 };

/** Pieces that YAML gives a meaning to, so that random texts come near to documents. */
const PIECE = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'kind', 'apiVersion', 'v1', '<<', '1', 'on', '__proto__', 'metadata') },
  {
    weight: 5,
    arbitrary: fc.constantFrom(': ', '- ', '\n', '\n  ', '{', '}', '[', ']', ',', '"', "'", '&a ', '*a', '!!int '),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '|',
      '>',
      '#',
      '---\n',
      '...\n',
      '%YAML 1.1\n',
      '\t',
      '? ',
      '\r\n',
      '{{',
      '}}',
      '\ufeff',
      '\\',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }) },
);
const NEARLY_YAML = fc.array(PIECE, { maxLength: 60 }).map((pieces) => pieces.join(''));

describe('the reader never throws', () => {
  it('on text that is nearly YAML', () => {
    fc.assert(
      fc.property(NEARLY_YAML, (text) => {
        const { manifests, findings } = parseManifests(text, 'a.yaml');
        expect(manifests.length + findings.length).toBeGreaterThan(0);
        for (const manifest of manifests) expect(manifest.sourceOf('metadata.name')).toBeDefined();
        for (const { source } of findings) {
          if (source === undefined) continue;
          expect(source.line).toBeLessThanOrEqual(text.split('\n').length);
          expect(source.column).toBeGreaterThan(0);
        }
      }),
      { ...SETTINGS, numRuns: 2_000 },
    );
  });

  it('on nearly YAML within an object', () => {
    fc.assert(
      fc.property(NEARLY_YAML, (text) => {
        parseManifests(`apiVersion: v1\nkind: A\nmetadata:\n  name: ${text}\nx: {a: *a}`, 'a.yaml');
      }),
      { ...SETTINGS, numRuns: 1_000 },
    );
  });

  it('on any bytes', async () => {
    const { mkdtempSync, rmSync, writeFileSync } = await import('node:fs');
    const folder = mkdtempSync('/tmp/reader-');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        writeFileSync(`${folder}/a.yaml`, bytes);
        expect(readManifests([`${folder}/a.yaml`]).findings.length).toBeGreaterThan(0);
      }),
      SETTINGS,
    );
    rmSync(folder, { recursive: true });
  });
});

const TEXT = fc.oneof(
  fc.constantFrom(
    '',
    'on',
    'null',
    '12',
    '07',
    '1e3',
    '- x',
    'a: b',
    '# c',
    '*x',
    '&x',
    '---',
    '{{ x }}',
    ' x ',
    '"',
    "'",
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.stringMatching(/^[ -~\n]{0,30}$/),
);
const KEY = fc.oneof(fc.constantFrom('a', 'a.b/c', '__proto__', 'constructor', 'y', '1'), TEXT);
const { data: DATA } = fc.letrec<{ data: unknown }>((tie) => ({
  data: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    TEXT,
    fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e21, 12345678901),
    fc.array(tie('data'), { maxLength: 4 }),
    fc.dictionary(KEY, tie('data'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

// What YAML 1.1 reads as something else has to be in quotes, as Kubernetes' own tools write it.
const STYLES = [
  (value: unknown) => JSON.stringify(value),
  (value: unknown) => JSON.stringify(value, null, '\t'),
  (value: unknown) => stringify(value, { version: '1.1', aliasDuplicateObjects: false }),
  (value: unknown) =>
    stringify(value, { defaultStringType: 'QUOTE_DOUBLE', indentSeq: false, aliasDuplicateObjects: false }),
];

function* leavesOf(value: Json, path: Path = []): Generator<[Path, Json]> {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) yield [path, value];
  else if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* leavesOf(item, [...path, index]);
  else for (const [key, item] of Object.entries(value)) yield* leavesOf(item, [...path, key]);
}

/** What stands at a place of the text: the shortest piece from there that the reader takes for the value. */
function textAt(text: string, manifest: Manifest, path: Path): string {
  const { line, column } = manifest.sourceOf(path)!;
  const lines = text.split('\n');
  return [lines[line - 1]!.slice(column - 1), ...lines.slice(line)].join('\n');
}

function holdsAtItsStart(text: string, value: Json): boolean {
  if (typeof value !== 'string') return text.startsWith(JSON.stringify(value)) || text.startsWith(String(value));
  // A string may be written in several ways and over several lines; all of them start with the same first word.
  const style = text[0]!;
  if (style === '"') return text.startsWith(JSON.stringify(value).slice(0, 6).replace(/\\.*$/, ''));
  if (style === '|' || style === '>') return value.includes('\n') || value.length > 20;
  if (style === "'") return text.slice(1).startsWith(value.slice(0, 4).split(/['\n]/)[0]!);
  return text.startsWith(value.slice(0, 4).split('\n')[0]!);
}

describe('what is read', () => {
  for (const [index, write] of STYLES.entries()) {
    it(`is what was written, and stands where it is said to stand (style ${index})`, () => {
      fc.assert(
        fc.property(fc.array(DATA, { minLength: 1, maxLength: 3 }), (values) => {
          const objects = values.map((spec, at) => ({
            apiVersion: 'v1',
            kind: 'A',
            metadata: { name: `n${at}` },
            spec,
          }));
          const text = objects.map((object) => `${write(object).replace(/\n$/, '')}\n`).join('---\n');
          const { manifests, findings } = parseManifests(text, 'a.yaml');
          expect(findings).toEqual([]);
          expect(manifests.map(({ object }) => object)).toEqual(JSON.parse(JSON.stringify(objects)));
          for (const manifest of manifests) {
            for (const [path, leaf] of leavesOf(manifest.object)) {
              const at = textAt(text, manifest, path);
              expect([
                formatLeaf(leaf, at),
                index < 2 ? at.startsWith(JSON.stringify(leaf)) : holdsAtItsStart(at, leaf),
              ]).toEqual([formatLeaf(leaf, at), true]);
            }
          }
        }),
        SETTINGS,
      );
    });
  }

  it('is what the YAML library reads too, where YAML 1.2 and kubectl agree', () => {
    fc.assert(
      fc.property(DATA, (spec) => {
        const text = JSON.stringify({ apiVersion: 'v1', kind: 'A', metadata: { name: 'n' }, spec }, null, 1);
        expect(parseManifests(text, 'a').manifests[0]!.object).toEqual(
          parseWithLibrary(text, { uniqueKeys: false }).toJS(),
        );
      }),
      SETTINGS,
    );
  });
});

describe('JSON', () => {
  const TOKEN = fc.oneof(
    fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a":',
      '"a":',
      '"b":',
      '"\\u0041":',
      '1',
      '-0',
      '1e400',
      '9007199254740993',
      '"x"',
      'null',
      ' ',
      '\n',
    ),
    DATA.map((value) => JSON.stringify(value)),
  );
  const NEARLY_JSON = fc.oneof(
    fc.array(TOKEN, { maxLength: 12 }).map((tokens) => `{"x": ${tokens.join('')}}`),
    DATA.map((value) => JSON.stringify({ x: value })),
  );

  it('is read as the same text is as YAML, which has a comment and so goes another way', () => {
    const read = (text: string) => {
      const { manifests, findings } = parseManifests(text, 'a');
      return {
        objects: manifests.map(({ object }) => object),
        // The end of the text, where a missing bracket is missed, is not the same.
        findings: findings.map(({ rule, message }) => ({ rule, message })),
      };
    };
    fc.assert(
      fc.property(NEARLY_JSON, (spec) => {
        const text = `{"apiVersion": "v1", "kind": "A", "metadata": {"name": "a"}, "spec": ${spec}}`;
        expect(read(text)).toEqual(read(`${text} # no JSON`));
      }),
      { ...SETTINGS, numRuns: 2_000 },
    );
  });
});

function formatLeaf(leaf: Json, at: string): string {
  return `${JSON.stringify(leaf)} at ${JSON.stringify(at.slice(0, 20))}`;
}
