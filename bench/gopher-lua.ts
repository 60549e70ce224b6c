import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './harness';
import { type Subject, subjects } from './lua-scripts';

/** The controller's own Lua, which Go builds and runs. */
export interface GopherLua {
  /** Microseconds of a run. */
  throughput(subject: Subject): number;
  /** Milliseconds of the first 30 runs of a process. */
  first30(subject: Subject): number;
}

let known: GopherLua | string | undefined;

/** The controller's Lua, or why it is not here: only this comparison needs Go. */
export function gopherLua(): GopherLua | string {
  known ??= build();
  return known;
}

function build(): GopherLua | string {
  const folder = join(root, '.bench');
  const program = join(folder, 'gopher-lua');
  mkdirSync(folder, { recursive: true });
  const { error, status, stderr } = spawnSync('go', ['build', '-o', program, '.'], {
    cwd: join(__dirname, 'gopher-lua'),
    encoding: 'utf8',
    env: { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '-mod=mod' },
  });
  if (error !== undefined) return 'there is no Go here to build gopher-lua with';
  if (status !== 0) return `Go cannot build gopher-lua here: ${stderr.trim().split('\n').at(-1)}`;
  const scripts = join(folder, 'lua-scripts.json');
  writeFileSync(scripts, JSON.stringify(subjects()));
  const run = (...args: string[]) => execFileSync(program, [scripts, ...args], { encoding: 'utf8' });
  sameAnswers(run('answers').trim().split('\n'));
  return {
    throughput: ({ file }) => Number(run('throughput', file)),
    first30: ({ file }) => Number(run('first', file)),
  };
}

/** A benchmark of two things that answer differently would compare nothing. */
function sameAnswers(answers: readonly string[]): void {
  const ours = subjects().flatMap(({ file, objs, script }) => objs.map((obj) => ({ file, result: script.run(obj) })));
  for (const [index, { file, result }] of ours.entries()) {
    const json = result.ok ? result.json : result.error;
    if (json !== answers[index]) throw new Error(`${file}: ${json} here, ${answers[index]} by gopher-lua`);
  }
}
