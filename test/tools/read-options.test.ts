import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

function bench(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'bench/main.ts', ...args], {
    cwd: join(__dirname, '..', '..'),
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

it('a script tells its options', () => {
  const { status, stdout, stderr } = bench('--help');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('npm run bench -- [name ...] [--json FILE]');
});

it('a script names an option that it does not have, without a stack trace', () => {
  const { status, stdout, stderr } = bench('--jsn', 'figures.json');
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^Unknown option '--jsn'/);
  expect(stderr).toContain('npm run bench -- [name ...] [--json FILE]');
  expect(stderr).not.toContain('    at ');
});
