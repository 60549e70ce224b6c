import { writeFileSync } from 'node:fs';
import { readOptions } from '../scripts/read-options';
import { checkBenchmarks } from './check.bench';
import { type Comparison, compare, describe, type Measured, reached } from './harness';
import { luaBenchmarks } from './lua.bench';
import { readerBenchmarks } from './reader.bench';
import { rehearseBenchmarks } from './rehearse.bench';
import { routerBenchmarks } from './routers.bench';
import { startUpBenchmarks } from './start-up.bench';
import { synthBenchmarks } from './synth.bench';
import { typeCheckBenchmarks } from './type-check.bench';

const usage = `npm run bench -- [name ...] [--json FILE]

Measures this library against a named alternative, both in turn in one run, and prints the ratios.
  name         only the benchmarks whose name contains one of these words
  --json FILE  write the figures there as well
`;

function main(): void {
  const { values, positionals } = readOptions(usage, {
    options: { json: { type: 'string' } },
    allowPositionals: true,
  });

  const all: Measured[] = [
    ...typeCheckBenchmarks(),
    ...luaBenchmarks(),
    ...startUpBenchmarks(),
    ...synthBenchmarks(),
    ...rehearseBenchmarks(),
    ...routerBenchmarks(),
    ...readerBenchmarks(),
    ...checkBenchmarks(),
  ];
  const chosen = all.filter(({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)));
  if (chosen.length === 0) {
    console.error(
      `no benchmark is named like ${positionals.join(', ')}; there are:\n${all.map((b) => `  ${b.name}`).join('\n')}`,
    );
    process.exitCode = 2;
    return;
  }
  const results: Comparison[] = [];
  for (const benchmark of chosen) {
    const missing = benchmark.missing?.();
    if (missing !== undefined) {
      console.log(`skip ${benchmark.name}: ${missing}`);
      continue;
    }
    const result = compare(benchmark);
    results.push(result);
    console.log(describe(result));
  }
  if (values.json) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
  const missed = results.filter((result) => !reached(result));
  console.log(`${results.length - missed.length} goals reached, ${missed.length} missed`);
  process.exitCode = missed.length > 0 ? 1 : 0;
}

main();
