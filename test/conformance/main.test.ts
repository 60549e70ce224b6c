import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const ROOT = join(__dirname, '..', '..');
const RUNNER = `export default { check: ({ input, expect }) => input === expect
  ? { same: true } : { same: false, difference: 'expected ' + expect + ', got ' + input } };`;
const EXACT_RUNNER = `export default { check: ({ input }) => ({ same: true, exact: input === 1 }) };`;

let folder: string;
let sets: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  sets = join(folder, 'sets');
  mkdirSync(sets);
});

afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, ...lines: unknown[]): void {
  writeFileSync(
    join(folder, name),
    lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
  );
}

function vector(name: string, input: unknown, expected: unknown) {
  return { name, input, expect: expected };
}

function conformance(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', join(ROOT, 'test', 'conformance', 'main.ts'), ...args],
    { cwd: ROOT, encoding: 'utf8' },
  );
  return { status, stdout, stderr };
}

describe('npm run conformance', () => {
  it('counts and exits 0 when all vectors pass', () => {
    write('same.jsonl', vector('a', 1, 1), vector('b', 2, 2));
    write('sets/same.ts', RUNNER);
    expect(conformance(folder, '--sets', sets)).toEqual({
      status: 0,
      stdout: 'same: 2 passed, 0 failed\n',
      stderr: '',
    });
  });

  it('prints how many are exact where the set tells', () => {
    write('lua.jsonl', vector('a', 1, 1), vector('b', 2, 2));
    write('sets/lua.ts', EXACT_RUNNER);
    expect(conformance(folder, '--sets', sets).stdout).toBe('lua: 2 passed, 0 failed (exact 1)\n');
  });

  it('prints the first five differences and exits 1', () => {
    write('same.jsonl', ...Array.from({ length: 7 }, (_, index) => vector(`case ${index}`, index, -1)));
    write('sets/same.ts', RUNNER);
    const { status, stdout } = conformance(folder, '--sets', sets);
    expect(status).toBe(1);
    expect(stdout).toContain('same: 0 passed, 7 failed\n  case 0\n    expected -1, got 0\n');
    expect(stdout).toContain('case 4');
    expect(stdout).not.toContain('case 5');
    expect(stdout).toContain('  and 2 more\n');
  });

  it('says which set has no runner, runs the others and exits 2', () => {
    write('later.jsonl', vector('a', 1, 1));
    write('same.jsonl', vector('a', 1, 1));
    write('sets/same.ts', RUNNER);
    const { status, stdout } = conformance(folder, '--sets', sets);
    expect(status).toBe(2);
    expect(stdout).toContain('later: no runner yet, 1 vectors not run');
    expect(stdout).toContain('same: 1 passed, 0 failed');
  });

  it('exits 1 when one set fails and another has no runner', () => {
    write('later.jsonl', vector('a', 1, 1));
    write('same.jsonl', vector('a', 1, 2));
    write('sets/same.ts', RUNNER);
    expect(conformance(folder, '--sets', sets).status).toBe(1);
  });

  it('counts a runner that throws as a failure of that vector', () => {
    write('same.jsonl', vector('a', 1, 1));
    write('sets/same.ts', `export default { check() { throw new Error('boom'); } };`);
    const { status, stdout } = conformance(folder, '--sets', sets);
    expect(status).toBe(1);
    expect(stdout).toContain('same: 0 passed, 1 failed\n  a\n    the runner threw Error: boom');
  });

  it('names file and line of what is not a vector, and still runs the other sets', () => {
    write('bad.jsonl', vector('a', 1, 1), '{"name": ');
    write('list.jsonl', '[1]');
    write('empty.jsonl', '');
    write('same.jsonl', vector('a', 1, 1));
    write('sets/same.ts', RUNNER);
    const { status, stdout, stderr } = conformance(folder, '--sets', sets);
    expect(status).toBe(2);
    expect(stderr).toContain(`${join(folder, 'bad.jsonl')}:2: not a JSON document`);
    expect(stderr).toContain(`${join(folder, 'list.jsonl')}:1: expected a JSON object`);
    expect(stderr).toContain(`${join(folder, 'empty.jsonl')}: holds no vectors`);
    expect(stdout).toContain('same: 1 passed, 0 failed');
  });

  it('says so when a runner exports no check', () => {
    write('same.jsonl', vector('a', 1, 1));
    write('sets/same.ts', 'export default {};');
    const { status, stderr } = conformance(folder, '--sets', sets);
    expect(status).toBe(2);
    expect(stderr).toContain(`${join(sets, 'same.ts')}: its default export has no method check(vector)`);
  });

  it.each([
    [[], 'expected one folder of vectors, got 0'],
    [['a', 'b'], 'expected one folder of vectors, got 2'],
    [['does-not-exist'], 'does-not-exist: no such folder'],
    [['package.json'], 'package.json: not a folder'],
    [['src'], 'src: holds no .jsonl file'],
    [['--wrong'], 'unknown option --wrong'],
    [['src', '--sets'], '--sets needs a folder'],
  ])('explains wrong usage: %j', (args, message) => {
    const { status, stderr } = conformance(...args);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain('usage: npm run conformance');
    expect(stderr).not.toContain('    at ');
  });
});
