/**
 * Runs test files with one mutant after the other in one process. For each run all modules of this repository are evaluated anew, so
 * that nothing is left of the mutant before: that costs a fifth of a second, and a new process ten times as much. Vitest's own runner and
 * matchers run the tests.
 */
import { readFileSync } from 'node:fs';
import Module from 'node:module';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Test, VitestRunner } from '@vitest/runner';
import { transformSync } from 'esbuild';

/** What the worker is asked for: a run without a mutant, which tells the coverage, or one with it. */
export interface Request {
  readonly file: string;
  readonly mutant?: string;
  /** The tests to run; without it all. */
  readonly tests?: readonly string[];
  /** Runs those of this suite only. */
  readonly suite?: string;
  /** How often the mutant may be reached before that is an endless loop. */
  readonly hitLimit?: number;
  /** How many seconds of the processor the tests may take. Then the process ends without an answer. */
  readonly seconds: number;
}

export interface Answer {
  /** The first that failed, with its message. */
  readonly failed?: string;
  /** All tests that failed. Without a mutant these cannot be used: they need more of vitest, such as snapshots. */
  readonly failures: readonly string[];
  /** How often each mutant is reached outside of tests: while modules load, and by what tests share. */
  readonly shared: Readonly<Record<string, number>>;
  /** How often each mutant is reached by each test. */
  readonly byTest: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Seconds of the processor, and those of each test. */
  readonly seconds: number;
  readonly secondsOf: Readonly<Record<string, number>>;
}

/** Where Stryker's instrumented sources look. */
interface Switches {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> } | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
}

const ROOT = join(__dirname, '..', '..');
const OURS = ['src', 'test', 'examples', 'scripts'].map((folder) => `${join(ROOT, folder)}${sep}`);

interface Loader {
  _load(request: string, ...rest: unknown[]): unknown;
  _extensions: Record<string, (module: { _compile(code: string, path: string): void }, path: string) => void>;
}

async function main(): Promise<void> {
  const switches: Switches = {};
  Object.assign(globalThis, { __stryker__: switches });
  const { startTests, ...vitest } = await vitestApi();
  const sources = await new Promise<Record<string, string>>((resolve) => process.once('message', resolve));
  loadSources(sources, vitest);
  const { write } = process.stderr;
  process.stderr.write = (() => true) as typeof write;
  const limit = processorLimit();
  process.on('message', async (request: Request) => {
    limit(request.seconds);
    process.send!(await run(request, switches, startTests));
  });
  process.send!('ready');
}

/** Ends the process when it has used its time, also if it never comes back from a loop. */
function processorLimit(): (seconds: number) => void {
  const end = new Float64Array(new SharedArrayBuffer(8)).fill(Number.POSITIVE_INFINITY);
  const watch = `
    const { workerData } = require('node:worker_threads');
    setInterval(() => {
      const { user, system } = process.cpuUsage();
      if ((user + system) / 1e6 > workerData[0]) process.kill(process.pid, 'SIGKILL');
    }, 250);`;
  new Worker(watch, { eval: true, workerData: end, execArgv: [] });
  return (seconds) => {
    end[0] = processorSeconds() + seconds;
  };
}

function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

async function vitestApi() {
  const { startTests, getCurrentTest, ...runner } = await import('@vitest/runner');
  const vi = await import('@vitest/spy');
  const { chai, getState, setState, ...matchers } = await import('@vitest/expect');
  for (const plugin of [matchers.JestExtend, matchers.JestChaiExpect, matchers.JestAsymmetricMatchers])
    chai.use(plugin);
  const expect = ((value: unknown, message?: string) => {
    const assertion = chai.expect(value, message);
    const test = getCurrentTest();
    return test === undefined
      ? assertion
      : (assertion as unknown as { withTest(test: unknown): unknown }).withTest(test);
  }) as unknown as typeof chai.expect;
  const asymmetric = (globalThis as Record<symbol, unknown>)[matchers.ASYMMETRIC_MATCHERS_OBJECT];
  Object.assign(expect, chai.expect, asymmetric, { getState: () => getState(expect as never) });
  setState({ assertionCalls: 0 }, expect as never);
  Object.assign(globalThis, { [matchers.GLOBAL_EXPECT]: expect });
  return { ...runner, startTests, expect, vi };
}

/** Loads the sources with the mutants, and gives test files the vitest of this process. */
function loadSources(sources: Readonly<Record<string, string>>, vitest: unknown): void {
  const loader = Module as unknown as Loader;
  const load = loader._load.bind(loader);
  loader._load = (request, ...rest) => {
    if (request === 'vitest') return vitest;
    return load(request.startsWith('file:') ? fileURLToPath(request) : request, ...rest);
  };
  // An import at run time would keep its modules, with the mutant before.
  const supported = { 'dynamic-import': false };
  const compiled = new Map<string, string>();
  loader._extensions['.ts'] = (module, path) => {
    let code = compiled.get(path);
    if (code === undefined) {
      const text = sources[path] ?? readFileSync(path, 'utf8');
      code = transformSync(text, { loader: 'ts', format: 'cjs', target: 'node20', supported, sourcefile: path }).code;
      compiled.set(path, code);
    }
    module._compile(code, path);
  };
}

async function run(
  { file, mutant, tests, suite, hitLimit }: Request,
  switches: Switches,
  startTests: typeof import('@vitest/runner').startTests,
): Promise<Answer> {
  for (const path of Object.keys(require.cache)) {
    if (OURS.some((folder) => path.startsWith(folder)) && path !== __filename) delete require.cache[path];
  }
  Object.assign(switches, { activeMutant: mutant, currentTestId: undefined, mutantCoverage: undefined });
  Object.assign(switches, { hitCount: 0, hitLimit: hitLimit ?? Number.POSITIVE_INFINITY });
  const wanted = tests && new Set(tests);
  // Vitest quotes the values in a name.
  const isMeant = (name: string) => suite === undefined || name.replaceAll("'", '') === suite;
  const failures: string[] = [];
  const secondsOf: Record<string, number> = {};
  let failed: string | undefined;
  const note = (name: string, errors: readonly { message?: string }[] | undefined): void => {
    failed ??= `${name}: ${errors?.[0]?.message ?? 'failed'}`;
  };
  const runner: VitestRunner = {
    config: configuration(),
    importFile: (path) => require(path),
    onBeforeRunTask: (test: Test) => {
      const isOther = (wanted && !wanted.has(test.id)) || !isMeant(test.suite?.name ?? '');
      if (isOther || (failed !== undefined && mutant !== undefined)) test.mode = 'skip';
      switches.currentTestId = test.id;
      if (!isOther) secondsOf[test.id] = -processorSeconds();
    },
    onAfterRunTask: (test: Test) => {
      switches.currentTestId = undefined;
      if (secondsOf[test.id] !== undefined) secondsOf[test.id]! += processorSeconds();
      if (test.result?.state !== 'fail') return;
      failures.push(test.id);
      note(test.name, test.result.errors);
    },
    onAfterRunSuite: ({ name, result }) => {
      if (!isMeant(name)) return;
      if (result?.state === 'fail' && result.errors?.length) note(name, result.errors);
    },
  };
  const before = processorSeconds();
  try {
    const [result] = await startTests([join(ROOT, file)], runner);
    const errors = result!.result?.errors;
    if (errors !== undefined && errors.length > 0) note(file, errors);
  } catch (error) {
    note(file, [error as Error]);
  }
  const { static: shared = {}, perTest: byTest = {} } = switches.mutantCoverage ?? {};
  return { ...(failed && { failed }), failures, shared, byTest, secondsOf, seconds: processorSeconds() - before };
}

function configuration(): VitestRunner['config'] {
  return {
    root: ROOT,
    setupFiles: [],
    name: undefined,
    passWithNoTests: false,
    testNamePattern: undefined,
    allowOnly: false,
    sequence: { seed: 1, hooks: 'stack', setupFiles: 'list' },
    chaiConfig: undefined,
    maxConcurrency: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    retry: 0,
    includeTaskLocation: false,
    tags: [],
    tagsFilter: undefined,
    strictTags: false,
  };
}

void main();
