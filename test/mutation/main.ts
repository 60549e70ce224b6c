/**
 * `npm run mutate -- FOLDER [--seed 1] [--sample 100] [--minutes 30]`: changes a folder of src at single points, and names the changes
 * that no test notices. `--survivors` tries only what survived the last run with this seed and sample.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { equivalentOf } from './equivalents';
import { CACHE, Hunt, type Verdict } from './hunt';
import { instrument, type Mutant, sampleOf, sourcesOf } from './mutants';
import { SUITES, testsOf } from './suites';

const USAGE = `usage: npm run mutate -- ${Object.keys(SUITES).join('|')} [--seed N] [--sample N] [--minutes N] [--survivors]\n`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      sample: { type: 'string', default: '100' },
      minutes: { type: 'string', default: '60' },
      survivors: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  const [folder = ''] = positionals;
  const [seed, size, minutes] = [values.seed, values.sample, values.minutes].map(Number) as [number, number, number];
  if (positionals.length !== 1 || !Object.hasOwn(SUITES, folder) || ![seed, size, minutes].every((n) => n > 0)) {
    process.stderr.write(USAGE);
    return 2;
  }
  // Others work on this machine.
  setPriority(15);
  const instrumented = await instrument(sourcesOf(folder));
  const store = join(CACHE, `${folder}-${seed}-${size}.json`);
  const sample = sampleOf(instrumented.mutants, seed, size).filter((mutant) => equivalentOf(mutant) === undefined);
  const wanted = values.survivors ? survivorsOf(store, sample) : sample;
  const hunt = new Hunt(instrumented);
  const unusable = await hunt.learn(testsOf(folder), (file) => progress(`${file} without a mutant`));
  for (const { file, failed } of unusable) process.stdout.write(`not used: ${file}: ${failed?.split('\n')[0]}\n`);
  const end = Date.now() + minutes * 60_000;
  const verdicts: Verdict[] = [];
  for (const mutant of wanted) {
    if (Date.now() > end) break;
    progress(`${verdicts.length + 1} of ${wanted.length}: ${mutant.file}:${mutant.line}`);
    const verdict = await hunt.judge(mutant);
    verdicts.push(verdict);
    if (verdict.killedBy === undefined) process.stdout.write(describe(verdict));
  }
  await hunt.close();
  progress('');
  remember(store, verdicts);
  const killed = verdicts.filter(({ killedBy }) => killedBy !== undefined).length;
  const equivalent = values.survivors ? 0 : sampleOf(instrumented.mutants, seed, size).length - sample.length;
  process.stdout.write(
    `${folder}, seed ${seed}: ${verdicts.length} of ${instrumented.mutants.length} mutants tried, ${killed} killed` +
      `, ${equivalent} equivalent ones left out: ${((100 * killed) / Math.max(verdicts.length, 1)).toFixed(1)} %\n`,
  );
  return 0;
}

function describe({ mutant, uncovered }: Verdict): string {
  const short = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 160);
  const how = uncovered ? 'no test reaches' : 'survived';
  return `${how}: ${mutant.file}:${mutant.line} ${mutant.mutator}\n  - ${short(mutant.original)}\n  + ${short(mutant.replacement)}\n`;
}

function survivorsOf(store: string, sample: readonly Mutant[]): Mutant[] {
  const keys = new Set(existsSync(store) ? (JSON.parse(readFileSync(store, 'utf8')) as string[]) : []);
  return sample.filter(({ key }) => keys.has(key));
}

function remember(store: string, verdicts: readonly Verdict[]): void {
  mkdirSync(dirname(store), { recursive: true });
  const keys = verdicts.filter(({ killedBy }) => killedBy === undefined).map(({ mutant }) => mutant.key);
  writeFileSync(store, JSON.stringify(keys));
}

function progress(text: string): void {
  // A log gets a line now and then.
  if (!process.stderr.isTTY && /^\d*0 of/.test(text)) process.stderr.write(`${text}\n`);
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text.slice(0, process.stderr.columns - 1)}`);
}

void main().then((code) => {
  process.exitCode = code;
});
