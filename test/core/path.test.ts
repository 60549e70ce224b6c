import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatPath, parsePath, valueAt } from '../../src/core';
import { toPath } from '../../src/core/path';

const SEGMENT = fc.oneof(
  fc.nat(99_999),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('spec', 'a.b/c', '__proto__', '[0]', ''),
);

describe('a path', () => {
  it.each([
    [['spec', 'steps', 1, 'matches'], 'spec.steps[1].matches'],
    [['metadata', 'annotations', 'a.b/c'], 'metadata.annotations["a.b/c"]'],
    [['a.b', 'c'], '["a.b"].c'],
    [[0, 1], '[0][1]'],
    [[''], '[""]'],
    [[], ''],
    [['pod-template', '0'], 'pod-template["0"]'],
  ])('writes %j as %s', (path, text) => {
    expect(formatPath(path)).toBe(text);
    expect(parsePath(text)).toEqual(path);
  });

  it('reads back whatever it writes', () => {
    fc.assert(
      fc.property(fc.array(SEGMENT), (path) => {
        expect(parsePath(formatPath(path))).toEqual(path);
        expect(toPath(formatPath(path))).toEqual(path);
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it.each(['.spec', 'spec.', 'spec..a', 'a b', 'a[x]', 'a["x]', 'a[0]b'])('refuses %j and shows where', (text) => {
    expect(() => parsePath(text)).toThrow(/not a path: .* at character \d+; expected/);
    expect(() => toPath(text)).toThrow(/not a path: .* at character \d+; expected/);
  });

  it('finds own values only', () => {
    expect(valueAt({ a: [{ b: 1 }] }, ['a', 0, 'b'])).toBe(1);
    expect(valueAt({ a: null }, ['a', 'b'])).toBeUndefined();
    expect(valueAt({}, ['constructor', 'name'])).toBeUndefined();
    expect(valueAt('text', ['length'])).toBeUndefined();
  });
});
