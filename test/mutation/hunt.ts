import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Instrumented, type Mutant, ROOT } from './mutants';
import type { Answer, Request } from './worker';

export interface Verdict {
  readonly mutant: Mutant;
  /** The test file and the test that noticed it. */
  readonly killedBy?: string;
  /** No test reaches it. */
  readonly uncovered?: boolean;
}

/** What a test file reaches without a mutant. */
interface Coverage extends Answer {
  readonly file: string;
  readonly suite?: string;
}

/** Tests of a file that reach a mutant. */
interface Tests {
  readonly file: string;
  readonly suite?: string;
  readonly tests: readonly string[];
  readonly hits: number;
  readonly seconds: number;
}

/** Seconds from which on a test is slow, and long: these of a file run apart from the others, each after the quicker ones. */
const [SLOW, LONG] = [0.1, 2];

/** A file whose tests take no longer is run as a whole: the modules have to be loaded for each part. */
const WHOLE = 1;

/** Seconds of the processor after which a test file counts as endless, without a mutant. */
const ENDLESS = 300;

const NO_END: Answer = { shared: {}, byTest: {}, secondsOf: {}, seconds: 0, failures: [], failed: 'does not end' };

/** Where what test files reach is kept. */
export const CACHE = join(ROOT, 'node_modules', '.cache', 'mutate');

/** Module caches and stacks of a worker grow with each run. */
const RUNS_OF_A_WORKER = 250;

/** Runs tests on mutants, in a worker that is replaced when it no longer answers. */
export class Hunt {
  private worker: ChildProcess | undefined;
  private runs = 0;
  private coverage: readonly Coverage[] = [];
  /** The test files that noticed a mutant of a source, the latest first. */
  private readonly noticed = new Map<string, string[]>();

  /** `patience` is how many seconds of the processor the tests of one mutant may take. */
  constructor(
    private readonly instrumented: Instrumented,
    private readonly patience: number,
  ) {}

  /** Runs each file without a mutant. Gives those that fail: what fails in them is not used. */
  async learn(files: readonly string[], progress: (file: string) => void): Promise<Coverage[]> {
    const coverage: Coverage[] = [];
    for (const file of files) {
      progress(file);
      coverage.push(await this.coverageOf(file));
    }
    this.coverage = coverage.filter(({ failed, failures }) => failed === undefined || failures.length > 0);
    return coverage.filter(({ failed }) => failed !== undefined);
  }

  /** Kept until the sources or the test file change. */
  private async coverageOf(name: string): Promise<Coverage> {
    const [file, suite] = name.split('#') as [string, string?];
    const parts = [join(__dirname, 'worker.ts'), join(ROOT, file)].map((part) => readFileSync(part, 'utf8'));
    const texts = [JSON.stringify(this.instrumented.sources), ...parts];
    const hash = createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 20);
    const kept = join(CACHE, `${name.replaceAll('/', '-')}-${hash}.json`);
    if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8')) as Coverage;
    const where = { file, ...(suite !== undefined && { suite }) };
    const answer = (await this.ask({ ...where, seconds: ENDLESS })) ?? NO_END;
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(kept, JSON.stringify({ ...answer, ...where }));
    return { ...answer, ...where };
  }

  async judge(mutant: Mutant): Promise<Verdict> {
    const reaching = this.reaching(mutant);
    let spent = 0;
    for (const { file, suite, tests, hits, seconds } of reaching) {
      if (spent > 0 && spent + seconds > this.patience) continue;
      spent += seconds;
      const limits = { hitLimit: hits * 100 + 1000, seconds: seconds * 5 + 10 };
      const where = { file, ...(suite !== undefined && { suite }) };
      const answer = await this.ask({ ...where, mutant: mutant.id, tests, ...limits });
      if (answer !== undefined && answer.failed === undefined) continue;
      const files = this.noticed.get(mutant.file) ?? [];
      this.noticed.set(mutant.file, [file, ...files.filter((other) => other !== file)]);
      return { mutant, killedBy: `${file}: ${answer?.failed?.split('\n')[0] ?? 'does not end'}` };
    }
    return { mutant, ...(reaching.length === 0 && { uncovered: true }) };
  }

  close(): void {
    this.worker?.kill('SIGKILL');
    this.worker = undefined;
  }

  /** Tests that reach a mutant: first those in files that noticed others of its source, then the quick ones. */
  private reaching(mutant: Mutant): Tests[] {
    const known = this.noticed.get(mutant.file) ?? [];
    const place = ({ file, seconds }: Tests): number =>
      known.includes(file) && seconds < LONG ? known.indexOf(file) : known.length;
    return this.coverage
      .flatMap((coverage) => reachingIn(coverage, mutant))
      .sort((a, b) => place(a) - place(b) || a.seconds - b.seconds);
  }

  /** The answer, or nothing if there is none in time or the process ends. */
  private async ask(request: Request): Promise<Answer | undefined> {
    if (this.worker === undefined || this.runs++ >= RUNS_OF_A_WORKER) await this.start();
    const worker = this.worker!;
    return new Promise((resolve) => {
      const end = (answer?: Answer): void => {
        worker.removeAllListeners('message').removeAllListeners('exit');
        if (answer === undefined) this.close();
        resolve(answer);
      };
      worker.once('message', (answer) => end(answer as Answer));
      worker.once('exit', () => end());
      worker.send(request);
    });
  }

  private async start(): Promise<void> {
    this.close();
    this.runs = 0;
    const worker = fork(join(__dirname, 'worker.ts'), [], {
      execArgv: ['--import', 'tsx', '--max-semi-space-size=64'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    worker.send(this.instrumented.sources);
    await new Promise((resolve) => worker.once('message', resolve));
    this.worker = worker;
  }
}

/** The quick tests, the slow and the long ones. What all tests share, as the loading of modules, costs both. */
function reachingIn({ file, suite, shared, byTest, secondsOf, seconds, failures }: Coverage, { id }: Mutant): Tests[] {
  const usable = Object.keys(secondsOf).filter((test) => !failures.includes(test));
  const tests = usable.filter((test) => shared[id] !== undefined || byTest[test]?.[id]);
  const costOf = (test: string): number => secondsOf[test] ?? 0;
  const total = (names: readonly string[], one: (name: string) => number): number =>
    names.reduce((sum, name) => sum + one(name), 0);
  const rest = Math.max(0, seconds - total(Object.keys(secondsOf), costOf));
  const between = (from: number, to: number): string[] =>
    tests.filter((test) => costOf(test) >= from && costOf(test) < to);
  const isQuick = total(tests, costOf) < WHOLE;
  return [
    isQuick ? tests : between(0, SLOW),
    isQuick ? [] : between(SLOW, LONG),
    isQuick ? [] : between(LONG, Infinity),
  ]
    .filter((names) => names.length > 0)
    .map((names) => ({
      file,
      ...(suite !== undefined && { suite }),
      tests: names,
      hits: total(names, (test) => byTest[test]?.[id] ?? 0) + (shared[id] ?? 0),
      seconds: total(names, costOf) + rest,
    }));
}
