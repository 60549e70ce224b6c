import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runLua } from '../../src/lua';

/**
 * What gopher-lua 658193537a64, built with the sort of Go 1.19, answers to scripts and to generated programs. `pcall` calls them, and what they
 * return is shown as text, without the addresses of tables and functions.
 */
type Recorded =
  | { readonly script: string; readonly answer: string }
  | { readonly program: string; readonly answer: string };

const RECORDED = readFileSync(join(__dirname, 'answers.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

/** Calls a script, and shows what it returns. */
const ofScript = (script: string) =>
  'local function show(v) if type(v) == "table" then local o = {} for i = 1, #v do o[i] = tostring(v[i]) end ' +
  'return "{" .. table.concat(o, "|") .. "}" end return tostring(v) end ' +
  `local f, e = loadstring([====[${script}]====]) if not f then return e end local ok, r = pcall(f) return show(r)`;

/** Calls a generated program with variables that it uses, and shows what it logs. */
const ofProgram = (program: string) =>
  'local out = {} local function log(...) for i = 1, select("#", ...) do local v = select(i, ...) if #out < 60 then ' +
  'out[#out + 1] = type(v) == "table" and "table" or type(v) == "function" and "function" or tostring(v) end end end ' +
  'local function main(...) local a, b, c, n, s, t = 1, nil, false, 2, "str", {4, 5, k = "v"} local u = 3 ' +
  'local function f(x) return x end local function g() return 7, 8 end local function up() u = u + 1 return u end ' +
  `${program} log(a, b, c, n, s, t, u, up(), t[1], t[2], t.k, glob) end ` +
  'local ok, e = pcall(main, "va", nil) if not ok then out[#out + 1] = tostring(e) end return table.concat(out, " ")';

function answerTo(script: string): string {
  const result = runLua(script, {}, { timeLimit: 20_000 });
  return (result.ok ? JSON.parse(result.json) : `ERR ${result.error}`).replace(/0x[0-9a-f]{6,}/g, '0x');
}

const HUNDRED = 100;

/** Not a test for each: they take a millisecond. */
const parts = Array.from({ length: Math.ceil(RECORDED.length / HUNDRED) }, (_, part) => part * HUNDRED);

test.each(parts)('a script answers as in gopher-lua: from %i on', (from) => {
  const recorded = RECORDED.slice(from, from + HUNDRED);
  const found = recorded.map((each) => ({
    ...each,
    answer: answerTo('script' in each ? ofScript(each.script) : ofProgram(each.program)),
  }));
  expect(found).toEqual(recorded);
});
