import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTable, tableText } from '../../src/bundle/table';

describe('a table of the bundle', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'table-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const writtenAndRead = (table: { readonly [member: string]: unknown }) => {
    const file = join(folder, 'a.table');
    writeFileSync(file, tableText(table));
    return JSON.parse(JSON.stringify(readTable(file)));
  };

  it('has what its JSON has', () => {
    const name = fc.stringMatching(/^[ -~]{1,12}$/);
    const value = fc.jsonValue().map((one) => JSON.parse(JSON.stringify(one)));
    const table = fc.dictionary(name, fc.oneof(value, fc.dictionary(fc.string(), value)), { minKeys: 1 });
    fc.assert(fc.property(table, (one) => void expect(writtenAndRead(one)).toEqual(one)));
  });

  it('is no list, which has no names to read it by', () => {
    expect(() => tableText(['a'] as unknown as { readonly [member: string]: unknown })).toThrow(TypeError);
  });

  it.each(['core/prop-shapes', 'argo/api/schemas', 'kruise/scripts/packaged', 'kubernetes/admission/custom-schemas'])(
    'has all entries of %s, in their order',
    (name) => {
      const json = require(`../../src/${name}.json`);
      expect(JSON.stringify(writtenAndRead(json))).toBe(JSON.stringify(json));
    },
  );
});
