import { relative } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { buildSync } from 'esbuild';
import { describe, expect, test } from 'vitest';
import type * as Lua from '../../src/lua';

const SRC = `${__dirname}/../../src`;

/** What every browser has, and no more. */
const BROWSER = { performance, TextEncoder, TextDecoder };

describe('the Lua engine in a bundle for browsers', () => {
  const { outputFiles, metafile } = buildSync({
    entryPoints: [`${SRC}/lua/index.ts`],
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'lua',
    metafile: true,
    write: false,
    absWorkingDir: SRC,
  });

  test('has no code but its own', () => {
    const files = Object.keys(metafile.inputs).map((file) => relative('lua', file));
    expect(files.filter((file) => file.startsWith('..'))).toEqual([]);
  });

  test('runs scripts without any API of Node', () => {
    const context = createContext({ ...BROWSER });
    runInContext(outputFiles[0]!.text, context);
    const { runLua } = context.lua as typeof Lua;
    const script = `
      local parts = {}
      for word in obj.text:gmatch("%S+") do parts[#parts + 1] = word:upper() end
      local ok, message = pcall(function() return nil .. "x" end)
      return { text = table.concat(parts, "-"), at = obj.text:find("é", 1, true), bytes = string.format("%5.2f|%q", 2 / 3, "\\0"),
        loaded = loadstring("return 6 * 7")(), json = json.decode(json.encode({1, {a = "é"}}))[2].a, message = message }`;
    expect(runLua(script, { text: 'caf\u00e9 no\u00ebl' })).toEqual({
      ok: true,
      type: 'table',
      json: JSON.stringify({
        at: 4,
        bytes: ' 0.67|"\\x00"',
        json: '\u00e9',
        loaded: 42,
        message: '<string>:4: cannot perform concat operation between nil and string',
        text: 'CAF\u00c9-NO\u00cbL',
      })
        .replaceAll('<', '\\u003c')
        .replaceAll('>', '\\u003e'),
      returnedObj: false,
      stdout: '',
      globals: [],
      work: expect.any(Number),
    });
  });
});

describe('the whole library in a bundle for Node', () => {
  test('contains no import that a bundler cannot follow', () => {
    const { outputFiles, warnings } = buildSync({
      entryPoints: [`${SRC}/constructs/index.ts`],
      bundle: true,
      platform: 'node',
      external: ['cdk8s', 'constructs', '@pulumi/*', '@kubernetes/*', 'typescript'],
      write: false,
    });
    expect(warnings).toEqual([]);
    expect(outputFiles[0]!.text).toContain('attempt to call a non-function object');
  });
});
