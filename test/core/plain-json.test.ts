import { describe, expect, it } from 'vitest';
import { parsePlainJson } from '../../src/core/reader/plain-json';

describe('plain JSON', () => {
  it.each([
    '{"name": "app-0", "image": "app@sha256:e123e+456", "id": "1234567890123456"}',
    '{"a-0": -0.5, "b": 1e99, "c": [true, false, null, -1, 123456789012345]}',
    '{"a": "\\"-0", "b": 0, "c": 1.0e-5}',
  ])('is %s', (text) => {
    expect(parsePlainJson(text, 10)).toEqual(JSON.parse(text));
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
    '{"a": 1}}',
    '{"a": {"b": {"c": {"d": 1}}}}',
  ])('is not %s, of which YAML may say something else', (text) => {
    expect(parsePlainJson(text, 3)).toBeUndefined();
  });
});
