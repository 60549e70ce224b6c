import { inFreshProcess, type Measured } from './harness';

/** Loads what is shipped, and the stack of so many Rollouts through a loader, as it is no part of the library. */
const load = (count: number): string => `
  require('tsx/cjs');
  const { rolloutStack, applications, platform } = require('./bench/rollouts.ts');
  const { Manifest, World } = require('./lib/core');
  const { rehearse, rehearsalFindings } = require('./lib/rehearsal');
  const worldOf = (objects) => World.of(objects.map((object) => Manifest.of(object)));
  const count = ${count};`;

/**
 * Milliseconds of a synth of plain objects, one chart for each application, with or without a rehearsal of what was
 * synthesised. Each kind of run is first made with a few applications, so that none pays for loading.
 */
const synth = (count: number, isRehearsed: boolean): string => `${load(count)}
  const { ApiObject, App, Chart } = require('cdk8s');
  const { mkdtempSync, rmSync } = require('node:fs');
  const outdir = mkdtempSync(require('node:path').join(require('node:os').tmpdir(), 'rehearse-bench-'));
  const run = (count) => {
    const app = new App({ outdir });
    const put = (name, objects) => {
      const chart = new Chart(app, name);
      return objects.map((object, index) => new ApiObject(chart, 'object' + index, object));
    };
    const objects = [
      ...put('platform', platform()),
      ...applications(count).flatMap(({ name, objects }) => put(name, objects)),
    ];
    const start = performance.now();
    app.synth();
    if (${isRehearsed}) rehearsalFindings(worldOf(objects.map((object) => object.toJson())));
    return performance.now() - start;
  };
  run(20);
  console.log(run(count));
  rmSync(outdir, { recursive: true });`;

/** Microseconds for each Rollout. */
const timeEach = (count: number): string => `${load(count)}
  for (let round = 0; round < 3; round++) rehearsalFindings(worldOf(rolloutStack(100)));
  const world = worldOf(rolloutStack(count));
  const start = performance.now();
  rehearsalFindings(world);
  console.log(((performance.now() - start) * 1000) / count);`;

/** Kilobytes that the whole rehearsal of a Rollout keeps, with everything that reports show. */
const memoryEach = (count: number): string => `${load(count)}
  require('node:v8').setFlagsFromString('--expose-gc');
  const collect = require('node:vm').runInNewContext('gc');
  rehearse(worldOf(rolloutStack(20)));
  const world = worldOf(rolloutStack(count));
  const used = () => (collect(), process.memoryUsage().heapUsed);
  const before = used();
  const rehearsals = rehearse(world);
  const after = used();
  console.log((after - before) / 1024 / rehearsals.length);`;

const growth = (count: number): Measured => ({
  name: `rehearse: time of one Rollout among ${count}`,
  ours: { label: `each of ${count} Rollouts`, measure: () => inFreshProcess(timeEach(count)) },
  alternative: { label: 'each of 100 Rollouts', measure: () => inFreshProcess(timeEach(100)) },
  unit: 'us',
  goal: { kind: 'cost', than: 1.5 },
  rounds: 3,
});

/** Rehearsals beside the synth of the same manifests, and what each costs the more there are. */
export function rehearseBenchmarks(): Measured[] {
  return [
    {
      name: 'rehearse: synth of 1000 Rollouts with rehearsal',
      ours: { label: 'app.synth() and rehearsal', measure: () => inFreshProcess(synth(1000, true)) },
      alternative: { label: 'app.synth() of the same objects', measure: () => inFreshProcess(synth(1000, false)) },
      unit: 'ms',
      goal: { kind: 'cost', than: 1.5 },
      rounds: 3,
    },
    growth(10),
    growth(1000),
    growth(3000),
    {
      name: 'rehearse: memory of one Rollout among 1000',
      ours: { label: 'kept for each of 1000 Rollouts', measure: () => inFreshProcess(memoryEach(1000)) },
      alternative: { label: 'kept for each of 100 Rollouts', measure: () => inFreshProcess(memoryEach(100)) },
      unit: 'KB',
      goal: { kind: 'cost', than: 1.5 },
      rounds: 1,
    },
  ];
}
