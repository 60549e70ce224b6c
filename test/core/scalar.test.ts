import { describe, expect, it } from 'vitest';
import { parseManifests } from '../../src/core';

function read(text: string) {
  const { manifests, findings } = parseManifests(
    `apiVersion: v1\nkind: A\nmetadata: {name: a}\nvalue: ${text}\n`,
    'a.yaml',
  );
  return { value: manifests[0]?.get('value'), rules: findings.map(({ rule }) => rule) };
}

/** What sigs.k8s.io/yaml makes of a plain scalar: its table of words and its rules for numbers, both written out. */
describe('a plain scalar is read as kubectl reads it', () => {
  it.each<[string, unknown]>([
    ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((text): [string, unknown] => [
      text,
      true,
    ]),
    ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((text): [string, unknown] => [
      text,
      false,
    ]),
    ...['', '~', 'null', 'Null', 'NULL'].map((text): [string, unknown] => [text, null]),
    ...['yEs', 'tRUE', 'oN', 'nUll', 'nil', 'none', '=', '_1', '1_000_a'].map((text): [string, unknown] => [
      text,
      text,
    ]),
    ['0', 0],
    ['-0', 0],
    ['+12', 12],
    ['0755', 493],
    ['-017', -15],
    ['0o755', 493],
    ['0x1F', 31],
    ['0b101', 5],
    ['-0b101', -5],
    ['1_000', 1000],
    ['089', 89],
    ['1.50', 1.5],
    ['.5', 0.5],
    ['1.', 1],
    ['+.5', 0.5],
    ['1e3', 1000],
    ['1E-2', 0.01],
    ['1e400', '1e400'],
    ['0x', '0x'],
    ['0b2', '0b2'],
    ['1.2.3', '1.2.3'],
    ['12:30', '12:30'],
    ['190:20:30', '190:20:30'],
    ['2026-01-02', '2026-01-02'],
    ['2001-12-14t21:59:43.10-05:00', '2001-12-14t21:59:43.10-05:00'],
    ['-', '-'],
    ['.', '.'],
    ['100m', '100m'],
    ['20%', '20%'],
    ['infinity', 'infinity'],
  ])('%s is %j', (text, value) => {
    // A lone dash would begin a list.
    expect(read(text === '-' ? '[-,]' : text).rules).toEqual(text === '-' ? ['yaml-invalid'] : []);
    if (text !== '-') expect(read(text).value).toBe(value);
  });

  it.each([
    ['"yes"', 'yes'],
    ["'012'", '012'],
    ['!!str 12', '12'],
    ['! 12', '12'],
    ['!!int "12"', 12],
    ['!!float 3', 3],
    ['!!bool "true"', true],
    ['!!null ""', null],
    ['!!timestamp 2026-01-02', '2026-01-02'],
    ['!!binary aGVsbG8=', 'hello'],
    ['!custom 12', '12'],
    ['|\n  12\n', '12\n'],
    ['>-\n  on\n', 'on'],
  ])('%j is %j', (text, value) => {
    expect(read(text)).toEqual({ value, rules: [] });
  });

  it.each(['.inf', '-.INF', '+.Inf', '.NaN'])('%s is refused, as JSON cannot hold it', (text) => {
    expect(read(text)).toEqual({ value: undefined, rules: ['yaml-not-json'] });
  });

  it.each(['!!int x', '!!bool 1', '!!float yes', '!!null 0', '!!int 1.5'])('%s contradicts its tag', (text) => {
    expect(read(text)).toEqual({ value: undefined, rules: ['yaml-invalid'] });
  });

  it.each([
    ['9007199254740993', ['number-loses-precision']],
    ['-18446744073709551615', ['number-loses-precision']],
    ['9007199254740992', []],
    ['9007199254740991', []],
    ['1e20', []],
    ['"9007199254740993"', []],
  ])('%s: %j', (text, rules) => {
    expect(read(text).rules).toEqual(rules);
  });

  it('turns keys into strings, as JSON wants them', () => {
    expect(read('{1: a, on: b, 1.5: c, x: d, "~": e, 0x10: f}').value).toEqual({
      '1': 'a',
      true: 'b',
      '1.5': 'c',
      x: 'd',
      '~': 'e',
      '16': 'f',
    });
    expect(read('{~: a}').rules).toEqual(['yaml-not-json']);
    expect(read('{[a]: b}').rules).toEqual(['yaml-not-json']);
  });

  it('merges `<<` in the order of the lines, as kubectl does', () => {
    const base = '\nbase: &base {a: 1, b: 1}\nother: &other {b: 2, c: 2}\n';
    const merged = (text: string) =>
      parseManifests(`apiVersion: v1\nkind: A\nmetadata: {name: a}${base}merged: ${text}\n`, 'a').manifests[0]?.get(
        'merged',
      );
    expect(merged('{<<: *base, a: 9}')).toEqual({ a: 9, b: 1 });
    expect(merged('{a: 9, <<: *base}')).toEqual({ a: 1, b: 1 });
    expect(merged('{<<: [*base, *other]}')).toEqual({ a: 1, b: 1, c: 2 });
    expect(merged('{"<<": x}')).toEqual({ '<<': 'x' });
    expect(merged('{<<: 1}')).toBeUndefined();
  });
});
