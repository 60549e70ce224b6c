import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const ROOT = join(__dirname, '..', '..');
const LOADER = join(ROOT, 'lib', 'bundle', 'load.js');

const PROGRAM = `
const greeting = 'good day';
exports.greet = function greet() { return greeting; };
exports.fail = function fail() { throw new Error(__filename); };
exports.path = require('node:path');
exports.list = () => [];
`;

let folder: string;
let program: string;

/** Runs code in a process of its own, which prints JSON. */
function inProcess(code: string, ...options: string[]): unknown {
  const text = `const { load, keepCode } = require(${JSON.stringify(LOADER)}); const file = ${JSON.stringify(program)}; (async () => { ${code} })();`;
  return JSON.parse(execFileSync(process.execPath, [...options, '-e', text], { encoding: 'utf8' }));
}

const greeting = (...options: string[]) => inProcess('console.log(JSON.stringify(load(file).greet()))', ...options);

const codeFile = () => join(folder, readdirSync(folder).find((name) => name.endsWith('.code'))!);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  program = join(folder, 'program.js');
  writeFileSync(program, PROGRAM);
  inProcess('await keepCode(file, async ({ greet }) => greet()); console.log(0)');
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('a program that is loaded with its code', () => {
  it('runs as a module does', () => {
    expect(greeting()).toBe('good day');
    const code = `
      const { path, fail, list } = load(file);
      let error; try { fail(); } catch (thrown) { error = thrown; }
      console.log(JSON.stringify([path === require('node:path'), error instanceof Error, error.message, list() instanceof Array]));`;
    expect(inProcess(code)).toEqual([true, true, program, true]);
  });

  it('runs once', () => {
    expect(inProcess('console.log(JSON.stringify(load(file) === load(file)))')).toBe(true);
  });

  it('has code for one release of V8 and one processor', () => {
    expect(codeFile()).toBe(`${program}.${process.versions.v8}-${process.arch}.code`);
  });

  it('is the program as it is now, also where another text of the same length had the code', () => {
    writeFileSync(program, PROGRAM.replace('good day', 'hey there'.slice(0, 8)));
    expect(greeting()).toBe('hey ther');
  });

  it('runs without code that is damaged, cut off, of another program, or gone', () => {
    const whole = readFileSync(codeFile());
    for (const at of [0, 31, 32, 40, whole.length >> 1, whole.length - 1]) {
      const damaged = Buffer.from(whole);
      damaged[at]! ^= 1;
      writeFileSync(codeFile(), damaged);
      expect(greeting()).toBe('good day');
    }
    writeFileSync(codeFile(), whole.subarray(0, 100));
    expect(greeting()).toBe('good day');
    writeFileSync(codeFile(), '');
    expect(greeting()).toBe('good day');
    rmSync(codeFile());
    expect(greeting()).toBe('good day');
  });

  it('has the same names in stack traces in every folder', () => {
    const code = `
      let error; try { load(file).fail(); } catch (thrown) { error = thrown; }
      console.log(JSON.stringify(error.stack.split('\\n')[1].trim()));`;
    const here = inProcess(code);
    expect(here).toMatch(/^at Object\.fail \(rollout-constructs\/program\.js:\d+:\d+\)$/);
    const built = folder;
    folder = mkdtempSync(join(tmpdir(), 'bundle-'));
    program = join(folder, 'program.js');
    for (const name of readdirSync(built)) copyFileSync(join(built, name), join(folder, name));
    rmSync(built, { recursive: true });
    expect(inProcess(code)).toBe(here);
  });

  it('runs with other options of V8, for which the code is none', () => {
    expect(greeting('--max-old-space-size=512')).toBe('good day');
    expect(greeting('--no-opt')).toBe('good day');
  });

  it('has the classes of whoever loads it, in a context of its own', () => {
    const code = `
      const vm = require('node:vm');
      const { readFileSync } = require('node:fs');
      const context = vm.createContext({ require: (id) => id === ${JSON.stringify(program)} ? { greet: () => 'as the context loads it' } : require(id), exports: {} });
      vm.runInContext(readFileSync(${JSON.stringify(LOADER)}, 'utf8'), context);
      console.log(JSON.stringify(vm.runInContext('exports.load(' + JSON.stringify(file) + ').greet()', context)));`;
    expect(inProcess(code)).toBe('as the context loads it');
  });
});

describe('the bundles of this package', () => {
  it.each(['main', 'library'])('%s has the code of this release of Node', (name) => {
    const file = join(ROOT, 'lib', 'bundle', `${name}.js`);
    const code = readFileSync(`${file}.${process.versions.v8}-${process.arch}.code`);
    expect(code.includes(ROOT)).toBe(false);
    const text = readFileSync(file, 'utf8');
    expect([/[^\x00-\x7f]/.exec(text), /\bimport\(/.exec(text)]).toEqual([null, null]);
  });

  it('the library shares its classes among its entry points, and has their names', () => {
    const code = `
      const library = require('rollout-constructs');
      const { RolloutConstructsValidation } = require('rollout-constructs/validation');
      console.log(JSON.stringify([RolloutConstructsValidation === library.RolloutConstructsValidation, Object.entries(library).filter(([name, each]) => typeof each === 'function' && /^class/.test(each) && each.name !== name).map(([name, each]) => [name, each.name])]));`;
    expect(JSON.parse(execFileSync(process.execPath, ['-e', code], { cwd: ROOT, encoding: 'utf8' }))).toEqual([
      true,
      [],
    ]);
  });

  it('the library can be imported by name', () => {
    const code =
      "import { KruiseRollout, LuaScripts } from 'rollout-constructs'; console.log(KruiseRollout.name, LuaScripts.name)";
    const args = ['--input-type=module', '-e', code];
    expect(execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' })).toBe('KruiseRollout LuaScripts\n');
  });
});
