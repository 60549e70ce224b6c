/**
 * `npm run mutate -- FOLDER [--seed 1] [--sample 100] [--minutes 60] [--patience 60]`: changes a folder of src at single points, and names
 * the changes that no test notices. `FOLDER/PATH` takes the sources whose names begin so. `--patience` is how many seconds of the
 * processor the tests of one change may take. `--survivors` tries only what survived the last run with this seed and sample.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { readOptions } from '../../scripts/read-options';
import { equivalentOf } from './equivalents';
import { CACHE, Hunt, type Verdict } from './hunt';
import { type Instrumented, instrument, type Mutant, sampleOf, sourcesOf } from './mutants';
import { SUITES, testsOf } from './suites';

const USAGE = `usage: npm run mutate -- ${Object.keys(SUITES).join('|')} [--seed N] [--sample N] [--minutes N] [--patience N] [--survivors]\n`;

interface Options {
  /** `routers`, or `routers/istio`. */
  readonly target: string;
  readonly seed: number;
  readonly size: number;
  readonly minutes: number;
  readonly patience: number;
  readonly onlySurvivors: boolean;
}

async function main(): Promise<number> {
  const options = optionsOfRun();
  if (options === undefined) {
    process.stderr.write(USAGE);
    return 2;
  }
  // Others work on this machine.
  setPriority(15);
  const { target, seed, size } = options;
  const [folder] = target.split('/') as [string];
  const instrumented = await instrument(sourcesOf(folder).filter((file) => file.startsWith(`src/${target}`)));
  const store = join(CACHE, `${target.replaceAll('/', '-')}-${seed}-${size}.json`);
  const sample = sampleOf(instrumented.mutants, seed, size);
  const known = options.onlySurvivors ? survivorsIn(store) : undefined;
  const wanted = sample.filter(({ key }) => known?.has(key) ?? true);
  const { verdicts, equivalent } = await tryAll(wanted, instrumented, folder, options);
  const survivors = verdicts.filter(({ killedBy }) => killedBy === undefined);
  remember(
    store,
    survivors.map(({ mutant }) => mutant),
  );
  const killed = verdicts.length - survivors.length;
  const score = ((100 * killed) / Math.max(verdicts.length, 1)).toFixed(1);
  process.stdout.write(
    `${target}, seed ${seed}: of ${instrumented.mutants.length} mutants ${verdicts.length + equivalent} tried, ${equivalent} equivalent` +
      `, ${killed} of ${verdicts.length} killed: ${score} %\n`,
  );
  return survivors.length === 0 ? 0 : 1;
}

function optionsOfRun(): Options | undefined {
  const { values, positionals } = readOptions(USAGE, {
    options: {
      seed: { type: 'string', default: '1' },
      sample: { type: 'string', default: '100' },
      minutes: { type: 'string', default: '60' },
      patience: { type: 'string', default: '60' },
      survivors: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  const [target = ''] = positionals;
  const numbers = [values.seed, values.sample, values.minutes, values.patience].map(Number);
  const [seed, size, minutes, patience] = numbers as [number, number, number, number];
  const isKnown = positionals.length === 1 && Object.hasOwn(SUITES, target.split('/')[0]!);
  if (!isKnown || !numbers.every((value) => value > 0)) return undefined;
  return { target, seed, size, minutes, patience, onlySurvivors: values.survivors };
}

/** Tries mutants until the time is over, and names those that no test notices. */
async function tryAll(
  mutants: readonly Mutant[],
  instrumented: Instrumented,
  folder: string,
  { minutes, patience }: Options,
) {
  const hunt = new Hunt(instrumented, patience);
  const failing = await hunt.learn(testsOf(folder), (file) => progress(`${file} without a mutant`));
  for (const { file, failed } of failing) process.stdout.write(`not used: ${file}: ${failed?.split('\n')[0]}\n`);
  const end = Date.now() + minutes * 60_000;
  const verdicts: Verdict[] = [];
  let equivalent = 0;
  for (const [index, mutant] of mutants.entries()) {
    if (Date.now() > end) break;
    progress(`${index + 1} of ${mutants.length}: ${mutant.file}:${mutant.line}`);
    if (equivalentOf(mutant) !== undefined) {
      equivalent++;
      continue;
    }
    const verdict = await hunt.judge(mutant);
    verdicts.push(verdict);
    if (verdict.killedBy === undefined) process.stdout.write(describe(verdict));
  }
  hunt.close();
  progress('');
  return { verdicts, equivalent };
}

function describe({ mutant, uncovered }: Verdict): string {
  const short = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 160);
  const how = uncovered ? 'no test reaches' : 'survived';
  return `${how}: ${mutant.file}:${mutant.line} ${mutant.mutator}\n  - ${short(mutant.original)}\n  + ${short(mutant.replacement)}\n`;
}

function survivorsIn(store: string): ReadonlySet<string> {
  return new Set(existsSync(store) ? (JSON.parse(readFileSync(store, 'utf8')) as string[]) : []);
}

function remember(store: string, survivors: readonly Mutant[]): void {
  mkdirSync(dirname(store), { recursive: true });
  writeFileSync(store, JSON.stringify(survivors.map(({ key }) => key)));
}

/** One line that changes; a log gets a line now and then. */
function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text.slice(0, process.stderr.columns - 1)}`);
  else if (/^\d*0 of/.test(text)) process.stderr.write(`${text}\n`);
}

void main().then((code) => {
  process.exitCode = code;
});
