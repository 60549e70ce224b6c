import { describe, expect, test } from 'vitest';
import { dataProblems, type PropTable, pickProps, propProblems, withPrototypes } from '../../src/core/props';

interface Options {
  readonly service: { readonly name: string };
  readonly rules?: readonly string[];
  readonly port?: number | string;
  readonly isOpen?: boolean;
}

const TABLE: PropTable<Options> = {
  service: 'object, required',
  rules: 'list',
  port: 'string or number',
  isOpen: 'boolean',
};

describe('a table of props', () => {
  test('is rejected by the compiler where it differs from the interface', () => {
    // @ts-expect-error isOpen is missing
    const missing: PropTable<Options> = { service: 'object, required', rules: 'list', port: 'number or string' };
    // @ts-expect-error tags is no prop
    const unknown: PropTable<Options> = { ...TABLE, tags: 'list' };
    // @ts-expect-error rules is a list
    const wrong: PropTable<Options> = { ...TABLE, rules: 'string' };
    // @ts-expect-error port may be a string as well
    const half: PropTable<Options> = { ...TABLE, port: 'number' };
    // @ts-expect-error service is required
    const optional: PropTable<Options> = { ...TABLE, service: 'object' };
    expect([missing, unknown, wrong, half, optional]).toHaveLength(5);
  });

  test('picks the options and nothing else', () => {
    const given = { service: { name: 'web' }, rules: undefined, warnings: 'fail', toString: 'own' };
    expect(pickProps(given, TABLE)).toEqual({ service: { name: 'web' } });
  });
});

describe('props that the compiler did not see', () => {
  test.each([
    [{ service: { name: 'web' }, port: 'http', rules: [], isOpen: false }, []],
    [{ service: { name: 'web' }, port: 80, rules: undefined }, []],
    [undefined, ['"service" is missing from the properties']],
    [null, ['"service" is missing from the properties']],
    [{ service: null }, ['"service" is missing from the properties']],
    [{ service: 'web' }, ['"service" is the string "web": give an object']],
    [{ service: ['web'] }, ['"service" is a list: give an object']],
    [{ service: {}, rules: {} }, ['"rules" is an object: give a list']],
    [{ service: {}, rules: null }, ['"rules" is null: give a list']],
    [{ service: {}, port: true }, ['"port" is the boolean true: give a string or a number']],
    [
      { service: {}, isOpen: 1, port: () => 80 },
      ['"port" is a function: give a string or a number', '"isOpen" is the number 1: give a boolean'],
    ],
  ])('%j', (given, problems) => {
    expect(propProblems(given, TABLE)).toEqual(problems);
  });

  test('name everything that is missing at once', () => {
    expect(propProblems({}, { a: 'list, required', b: 'string', c: 'object, required' })).toEqual([
      '"a" and "c" are missing from the properties',
    ]);
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
