import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { stringify } from 'yaml';
import { inFreshProcess, type Measured, root } from './harness';
import { rolloutStack } from './rollouts';

const BIN = join(root, 'bin', 'rollout-constructs');

let folder: string | undefined;

const files = new Map<number, string>();

/** The file of a stack of so many Rollouts, written once; the cache of scripts is beside it. */
function stackFile(count: number): string {
  const known = files.get(count);
  if (known !== undefined) return known;
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'check-bench-'));
    folder = made;
    process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  }
  const file = join(folder, `${count}.yaml`);
  const text = rolloutStack(count).map((object) => stringify(object));
  writeFileSync(file, text.join('---\n'));
  files.set(count, file);
  return file;
}

/** Milliseconds of a whole process. */
function processTime(args: readonly string[]): number {
  const start = performance.now();
  execFileSync(process.execPath, args, {
    cwd: folder ?? root,
    env: { ...process.env, XDG_CACHE_HOME: folder },
    stdio: 'ignore',
  });
  return performance.now() - start;
}

const check =
  (count: number, ...options: string[]) =>
  () =>
    processTime([BIN, 'check', stackFile(count), '--format', 'json', ...options]);

/** Another process that only reads the file. */
const read = (count: number) => () => {
  const code = `
    const text = require('node:fs').readFileSync(${JSON.stringify(stackFile(count))}, 'utf8');
    require(${JSON.stringify(require.resolve('yaml'))}).parseAllDocuments(text).map((document) => document.toJS());`;
  return processTime(['-e', code]);
};

const whole = (count: number, than: number, rounds: number): Measured => ({
  name: `check: ${count} Rollouts`,
  ours: { label: 'check, rehearsal included', measure: check(count, '--no-cache') },
  alternative: { label: 'a process that reads the file with yaml', measure: read(count) },
  unit: 'ms',
  goal: { kind: 'cost', than },
  rounds,
});

/** Microseconds of the checks of objects for each Rollout, without scripts and without rehearsal. */
const timeEach = (count: number): string => `
  require('tsx/cjs');
  const { rolloutStack } = require('./bench/rollouts.ts');
  const { Manifest, World } = require('./lib/core');
  const { checkStack } = require('./lib/check');
  const worldOf = (count) => World.of(rolloutStack(count).map((object) => Manifest.of(object)));
  const options = { rehearsal: false, isProven: () => true };
  for (let round = 0; round < 3; round++) checkStack(worldOf(100), options);
  const world = worldOf(${count});
  const start = performance.now();
  checkStack(world, options);
  console.log(((performance.now() - start) * 1000) / ${count});`;

const growth = (count: number): Measured => ({
  name: `check: time of the objects of one Rollout among ${count}`,
  ours: { label: `each of ${count} Rollouts`, measure: () => inFreshProcess(timeEach(count)) },
  alternative: { label: 'each of 100 Rollouts', measure: () => inFreshProcess(timeEach(100)) },
  unit: 'us',
  goal: { kind: 'cost', than: 1.5 },
  rounds: 3,
});

/** Kilobytes at the end of the command for each Rollout, the process itself taken off. */
const memoryEach = (count: number): string => `
  const { main } = require('./lib/cli/main.js');
  const sink = new (require('node:stream').Writable)({ write: (_chunk, _encoding, done) => done() });
  const io = {
    stdin: process.stdin, stdout: sink, stderr: sink, env: {}, cwd: process.cwd(),
    isTTY: { stdin: false, stdout: false, stderr: false }, onInterrupt: () => () => {},
  };
  const run = (file) => main(['check', file, '--format', 'json', '--jobs', '1'], io);
  (async () => {
    await run(${JSON.stringify(stackFile(10))});
    const before = process.resourceUsage().maxRSS;
    await run(${JSON.stringify(stackFile(count))});
    console.log((process.resourceUsage().maxRSS - before) / ${count});
  })();`;

const startUp = (name: string, than: number, args: () => string[]): Measured => ({
  name: `start-up: rollout-constructs ${name}`,
  ours: { label: name, measure: () => processTime([BIN, ...args()]) },
  alternative: { label: 'node -e 0', measure: () => processTime(['-e', '0']) },
  unit: 'ms',
  goal: { kind: 'cost', than },
  rounds: 9,
});

/** The command as a user meets it: beside reading the file, with threads, with the cache, and its start. */
export function checkBenchmarks(): Measured[] {
  const jobs = check(300, '--jobs', '2');
  const cached = check(10);
  return [
    whole(10, 6, 5),
    whole(100, 9, 3),
    whole(300, 9, 3),
    growth(1000),
    growth(3000),
    {
      name: 'check: 300 Rollouts with --jobs 2',
      ours: { label: '--jobs 2', measure: jobs },
      alternative: { label: '--jobs 1', measure: check(300, '--jobs', '1') },
      unit: 'ms',
      goal: { kind: 'faster', than: 1.2 },
      rounds: 3,
    },
    {
      name: 'check: 10 Rollouts and a script that was checked before',
      ours: { label: 'from the cache', measure: cached },
      alternative: { label: '--no-cache', measure: check(10, '--no-cache') },
      unit: 'ms',
      goal: { kind: 'faster', than: 1.2 },
      rounds: 5,
    },
    {
      name: 'check: most memory for one Rollout among 300',
      ours: { label: 'for each of 300 Rollouts', measure: () => inFreshProcess(memoryEach(300)) },
      alternative: { label: 'for each of 100 Rollouts', measure: () => inFreshProcess(memoryEach(100)) },
      unit: 'KB',
      goal: { kind: 'cost', than: 1.5 },
      rounds: 1,
    },
    startUp('--help', 2, () => ['--help']),
    startUp('check --help', 3, () => ['check', '--help']),
    startUp('check of one Rollout', 4, () => ['check', stackFile(1)]),
  ];
}
