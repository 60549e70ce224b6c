/**
 * `npm run fuzz -- --minutes 10 [--seed 1] [SUBJECT...]`: makes inputs of seeds until the time is over, and keeps those for which
 * something does not hold, as small as it gets them, in test/fuzz/found. A test runs all that was ever found.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOptions } from '../../scripts/read-options';
import { SUBJECTS, type Subject } from './subjects';

const FOUND = join(__dirname, 'found');
const USAGE = `usage: npm run fuzz -- --minutes N [--seed N] [${Object.keys(SUBJECTS).join('|')}...]\n`;

async function main(): Promise<number> {
  const { values, positionals } = readOptions(USAGE, {
    options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string', default: '1' } },
    allowPositionals: true,
  });
  const minutes = Number(values.minutes);
  const unknown = positionals.find((name) => !Object.hasOwn(SUBJECTS, name));
  if (!(minutes > 0) || unknown !== undefined) {
    process.stderr.write(USAGE);
    return 2;
  }
  // What is made odd warns a lot.
  const { write } = process.stderr;
  process.stderr.write = (() => true) as typeof write;
  const names = positionals.length > 0 ? positionals : Object.keys(SUBJECTS);
  const counts = new Map(names.map((name) => [name, 0]));
  const faults = new Set<string>();
  const end = Date.now() + minutes * 60_000;
  for (let seed = Number(values.seed); Date.now() < end; seed++) {
    for (const name of names) {
      const subject = SUBJECTS[name]!;
      const input = subject.make(seed);
      const fault = await faultOf(subject, input);
      counts.set(name, counts.get(name)! + 1);
      if (fault === undefined || faults.has(`${name} ${fault.slice(0, 60)}`)) continue;
      faults.add(`${name} ${fault.slice(0, 60)}`);
      const small = await minimised(subject, input);
      const file = join(FOUND, `${name}-${seed}.json`);
      writeFileSync(
        file,
        `${JSON.stringify({ subject: name, seed, fault: await faultOf(subject, small), input: small }, null, 2)}\n`,
      );
      process.stdout.write(`${name}, seed ${seed}: ${fault}\n`);
    }
  }
  process.stderr.write = write;
  const total = [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
  process.stdout.write(`from seed ${values.seed}: ${total}; ${faults.size} kinds of faults\n`);
  return faults.size === 0 ? 0 : 1;
}

async function faultOf({ fault }: Subject, input: string): Promise<string | undefined> {
  try {
    return await fault(input);
  } catch (error) {
    return `throws ${error instanceof Error ? error.stack?.split('\n').slice(0, 3).join(' ') : String(error)}`;
  }
}

/** The smallest input that still has a fault. */
async function minimised(subject: Subject, input: string): Promise<string> {
  for (const smaller of subject.smaller?.(input) ?? []) {
    if ((await faultOf(subject, smaller)) !== undefined) return minimised(subject, smaller);
  }
  return input;
}

void main().then((code) => {
  process.exitCode = code;
});
