import { describe, expect, test } from 'vitest';
import { dataProblems, type PropTable, pickProps, withPrototypes } from '../../src/core/props';

interface Options {
  readonly service: { readonly name: string };
  readonly rules?: readonly string[];
  readonly port?: number | string;
  readonly isOpen?: boolean;
}

const TABLE: PropTable<Options> = { service: true, rules: true, port: true, isOpen: true };

describe('a table of props', () => {
  test('is rejected by the compiler where it differs from the interface', () => {
    // @ts-expect-error isOpen is missing
    const missing: PropTable<Options> = { service: true, rules: true, port: true };
    // @ts-expect-error tags is no prop
    const unknown: PropTable<Options> = { ...TABLE, tags: true };
    expect([missing, unknown]).toHaveLength(2);
  });

  test('picks the options and nothing else', () => {
    const given = { service: { name: 'web' }, rules: undefined, warnings: 'fail', toString: 'own' };
    expect(pickProps(given, TABLE)).toEqual({ service: { name: 'web' } });
  });
});

describe('data that cannot be written', () => {
  test('is named by its path', () => {
    const metadata: Record<string, unknown> = { labels: {} };
    const list: unknown[] = [1];
    list.push({ list });
    (metadata.labels as Record<string, unknown>).self = metadata;
    expect(dataProblems({ metadata, list, a: { b: Symbol('c') }, n: 1n })).toEqual([
      '"metadata.labels.self" refers back to an object that holds it: give plain data without cycles',
      '"list[1].list" refers back to an object that holds it: give plain data without cycles',
      '"a.b" is a symbol: give a string or a number',
      '"n" is a bigint: give a string or a number',
    ]);
  });

  test('is not what stands in two places, or what has a class', () => {
    const shared = { a: 1 };
    class Node {
      readonly self = this;
    }
    expect(dataProblems({ one: shared, two: [shared, shared], node: new Node() })).toEqual([]);
    expect(dataProblems(undefined)).toEqual([]);
  });
});

test('objects without a prototype get the usual one, at every depth', () => {
  const bare = Object.assign(Object.create(null), { labels: Object.assign(Object.create(null), { a: 'b' }) });
  const date = new Date(0);
  const copy = withPrototypes({ metadata: bare, list: [bare], date, nothing: null });
  expect(copy).toStrictEqual({
    metadata: { labels: { a: 'b' } },
    list: [{ labels: { a: 'b' } }],
    date,
    nothing: null,
  });
  expect(copy.date).toBe(date);
});
