/** A run that is killed while it writes: what it wrote is as it was or as it will be, and the next run does as ever. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ruleGroups } from '../../src/check';
import { BIN } from '../cli/built';
import { cli, folderWith } from '../cli/fixture';
import { CASE, library, ROUTE_CASE } from '../cli/library';

/** Runs the command line until the point at which it is to be killed; the signal that ended it. */
function killed(args: readonly string[], cwd: string, point: string): Promise<string | null> {
  const child = spawn(process.execPath, ['--require', join(__dirname, 'kill-switch.cjs'), BIN, ...args], {
    cwd,
    env: { ...process.env, CI: '', KILL_AT: point, KILL_IN: cwd },
    stdio: 'ignore',
  });
  return new Promise((resolve) => child.once('close', (_code, signal) => resolve(signal)));
}

const example = ruleGroups.flatMap(({ rules }) => rules).find(({ id }) => id === 'rehearsal-canary-gets-nothing')!;
const STACK = { 'deploy/stack.yaml': example.failing.text };

/** Each command that writes, and the file that it writes, which lies where the next run reads. */
const COMMANDS: readonly {
  readonly name: string;
  readonly args: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly written: string;
}[] = [
  {
    name: 'check --output',
    args: ['check', 'deploy', '--format', 'json', '--output', 'deploy/report.json'],
    files: { ...STACK, 'deploy/report.json': '"old"\n' },
    written: 'deploy/report.json',
  },
  {
    name: 'check --update-baseline',
    args: ['check', 'deploy', '--baseline', 'baseline.json', '--update-baseline'],
    files: { ...STACK, 'baseline.json': '{"version": 1, "findings": []}\n' },
    written: 'baseline.json',
  },
  {
    name: 'rehearse --output',
    args: ['rehearse', 'deploy', '--format', 'html', '--output', 'deploy/report.html'],
    files: { ...STACK, 'deploy/report.html': 'old\n' },
    written: 'deploy/report.html',
  },
  {
    name: 'test --update',
    args: ['test', '--no-checks', '--update', '--yes'],
    files: library({ 'example.com/Route/testdata/half.yaml': ROUTE_CASE.replace('weight: 50', 'weight: 60') }),
    written: CASE,
  },
];

const POINTS = ['in the middle of the write', 'before the rename', 'after the rename'];
// All of them write in the same way; the one that starts soonest tries every point.
const KILLS = COMMANDS.flatMap((command) =>
  POINTS.filter((_, at) => at === 0 || command.name === 'test --update').map((point) => ({ ...command, point })),
);

/** Without the name of the temporary folder that it lies in. */
function textOf(folder: string, file: string): string {
  const text = readFileSync(join(folder, file), 'utf8');
  return text.replaceAll(`${folder}/`, '').replace(/rollout-constructs-\w{6}\b/g, '');
}

describe('a run that is killed', () => {
  it.concurrent.each(KILLS)('$point, $name', async ({ args, files, written, point }) => {
    const whole = realpathSync(folderWith(files));
    const { code } = await cli(args, { cwd: whole });
    const after = textOf(whole, written);
    expect(after).not.toBe(files[written]);

    const cwd = realpathSync(folderWith(files));
    expect(await killed(args, cwd, point)).toBe('SIGKILL');
    expect(textOf(cwd, written)).toBe(point === 'after the rename' ? after : files[written]);

    const next = await cli(args, { cwd });
    expect(next.code).toBe(code);
    expect(textOf(cwd, written) === after).toBe(true);
    // What was left behind is hidden, and does not grow.
    const names = readdirSync(join(cwd, written, '..')).filter(
      (name) => !readdirSync(join(whole, written, '..')).includes(name),
    );
    expect(names.every((name) => /^\.rollout-constructs-[0-9a-f]+\.tmp$/.test(name))).toBe(true);
    expect(names.length).toBe(point === 'after the rename' ? 0 : 1);
  });

  it('would be told by these tests if it wrote in place', async () => {
    const cwd = realpathSync(folderWith({ 'half.txt': 'old' }));
    const script = join(cwd, 'script.cjs');
    writeFileSync(script, `require('node:fs').writeFileSync(${JSON.stringify(join(cwd, 'half.txt'))}, 'abcdef')`);
    const child = spawn(process.execPath, ['--require', join(__dirname, 'kill-switch.cjs'), script], {
      env: { ...process.env, KILL_AT: POINTS[0], KILL_IN: cwd },
      stdio: 'ignore',
    });
    const signal = await new Promise((resolve) => child.once('close', (_code, name) => resolve(name)));
    expect(signal).toBe('SIGKILL');
    expect(readFileSync(join(cwd, 'half.txt'), 'utf8')).toBe('abc');
  });
});

describe('what is no file', () => {
  it('is written to, and not replaced by one', async () => {
    const cwd = folderWith(STACK);
    const { code, stderr } = await cli(['check', 'deploy', '--format', 'json', '--output', '/dev/null'], { cwd });
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(existsSync('/dev/null') && readFileSync('/dev/null', 'utf8')).toBe('');
  });
});
