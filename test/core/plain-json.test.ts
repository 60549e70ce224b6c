import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/core';
import { parseDocument } from '../../src/core/reader/document';
import { type Places, placeOf } from '../../src/core/reader/places';
import { parsePlainJson } from '../../src/core/reader/plain-json';

describe('plain JSON', () => {
  it.each([
    '{"name": "app-0", "image": "app@sha256:e123e+456", "id": "1234567890123456"}',
    '{"a-0": -0.5, "b": 1e99, "c": [true, false, null, -1, 123456789012345]}',
    '{"a": "\\"-0", "b": 0, "c": 1.0e-5}',
  ])('is %s, alone or after a separator', (text) => {
    expect(parsePlainJson(text, 10)).toEqual(JSON.parse(text));
    expect(parsePlainJson(`---\n${text}`, 10)).toEqual(JSON.parse(text));
    expect(parsePlainJson(`--- \t\r\n ${text}\n`, 10)).toEqual(JSON.parse(text));
  });

  it.each([
    '{"a": -0}',
    '{"a": [-0, 1]}',
    '{"a": 1e400}',
    '{"a": 1E+999}',
    '{"a": 1234567890123456}',
    '{"a": "x", "b": 0.12345678901234567}',
    '{"a": 1, "a": 2}',
    '[1]',
    '--- {"a": 1}',
    '---\n---\n{"a": 1}',
    '---\n# a comment\n{"a": 1}',
    '---\n{"a": -0}',
    '{"a": 1}}',
    '{"a": {"b": {"c": {"d": 1}}}}',
  ])('is not %s, of which YAML may say something else', (text) => {
    expect(parsePlainJson(text, 3)).toBeUndefined();
  });
});

describe('places in plain JSON', () => {
  it.each([
    [undefined, ' '],
    [0, ' '],
    [1, ' '],
    ['\t', ' '],
    [1, '---\n'],
    [0, '--- \r\n'],
  ])('are those of the same text as YAML, indented with %j, after %j', (indent, before) => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), (spec) => {
        const text = `${before}${JSON.stringify({ kind: 'A', spec }, undefined, indent)}\n`;
        if (parsePlainJson(text, DEFAULT_LIMITS.depth) === undefined) return;
        const [json, yaml]: Places[] = [new Map(), new Map()];
        const plain = parseDocument(text, DEFAULT_LIMITS, json);
        // A comment at the end makes YAML of it.
        const { problems, values } = parseDocument(`${text}# no JSON`, DEFAULT_LIMITS, yaml);
        if (problems.length > 0) return;
        expect(plain.values).toEqual(values);
        const listed = (places: Places) =>
          [...places].map(([container, inner]) => JSON.stringify([container, ...inner])).sort();
        // YAML knows nothing of places in what is empty.
        const isFull = (entry: string) => !/^\[(\[\]|\{\})\]$/.test(entry);
        expect(listed(json).filter(isFull)).toEqual(listed(yaml).filter(isFull));
      }),
      { seed: 8, numRuns: 150 },
    );
  });

  it('end where the stack does, if the limit of depth was raised beyond it', () => {
    const depth = 100_000;
    const text = `{"kind": "A", "spec": ${'['.repeat(depth)}${']'.repeat(depth)}}`;
    const places: Places = new Map();
    const { values } = parseDocument(text, { ...DEFAULT_LIMITS, depth: depth + 10 }, places);
    expect(placeOf(values[0]!.value, values[0]!.offset, ['spec', ...Array(depth - 1).fill(0)], places)).toBeGreaterThan(
      20,
    );
    expect(placeOf(values[0]!.value, values[0]!.offset, ['spec', 0, 0], places)).toBe(text.indexOf('[') + 2);
  });
});
