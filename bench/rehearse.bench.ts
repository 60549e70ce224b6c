import { inFreshProcess, type Measured } from './harness';

/** Loads what is shipped, and the stack of so many Rollouts through a loader, as it is no part of the library. */
const load = (count: number): string => `
  require('tsx/cjs');
  const { rolloutStack, applications, platform } = require('./bench/rollouts.ts');
  const { Manifest, World } = require('./lib/core');
  const { rehearse, rehearsalFindings } = require('./lib/rehearsal');
  const worldOf = (objects) => World.of(objects.map((object) => Manifest.of(object)));
  const count = ${count};`;

/** How a stack is synthesised. */
interface Synth {
  /** `plain`: the objects alone; `checked`: with a StackCheck that plays nothing; `rehearsed`: with one that does. */
  readonly as: 'plain' | 'checked' | 'rehearsed';
  /**
   * Whether the same objects were synthesised before in the process, by another app.
   * @default false
   */
  readonly again?: boolean;
}

/**
 * Milliseconds of processor time of a synth of plain objects, one chart for each application: what else the machine does
 * counts less than on the clock. Each kind of synth is first made with a few applications, so that none pays for loading.
 */
const synth = (count: number, { as, again = false }: Synth): string => `${load(count)}
  const { ApiObject, App, Chart } = require('cdk8s');
  const { StackCheck } = require('./lib/constructs');
  const { mkdtempSync, rmSync } = require('node:fs');
  const outdir = mkdtempSync(require('node:path').join(require('node:os').tmpdir(), 'rehearse-bench-'));
  const shared = platform();
  const run = (count) => {
    const app = new App({ outdir });
    const put = (name, objects) => {
      const chart = new Chart(app, name);
      for (const [index, object] of objects.entries()) new ApiObject(chart, 'object' + index, object);
    };
    put('platform', shared);
    for (const { name, objects } of applications(count)) put(name, objects);
    if (${as !== 'plain'}) new StackCheck(app, 'check', { rehearsal: { enabled: ${as === 'rehearsed'} } });
    const before = process.cpuUsage();
    app.synth();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  run(30);
  if (${again}) run(count);
  console.log(run(count));
  rmSync(outdir, { recursive: true });`;

/** Microseconds of processor time for each Rollout. */
const timeEach = (count: number): string => `${load(count)}
  for (let round = 0; round < 3; round++) rehearsalFindings(worldOf(rolloutStack(100)));
  const world = worldOf(rolloutStack(count));
  const before = process.cpuUsage();
  rehearsalFindings(world);
  const { user, system } = process.cpuUsage(before);
  console.log((user + system) / count);`;

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

/** Milliseconds of processor time of the rehearsals of 60 Rollouts, with all stories or without. */
const timeOfStories = (options: string): string => `${load(60)}
  for (let round = 0; round < 2; round++) rehearse(worldOf(rolloutStack(40)), ${options});
  const world = worldOf(rolloutStack(count));
  const before = process.cpuUsage();
  rehearse(world, ${options});
  const { user, system } = process.cpuUsage(before);
  console.log((user + system) / 1000);`;

const growth = (count: number): Measured => ({
  name: `rehearse: time of one Rollout among ${count}`,
  ours: { label: `each of ${count} Rollouts`, measure: () => inFreshProcess(timeEach(count)) },
  alternative: { label: 'each of 100 Rollouts', measure: () => inFreshProcess(timeEach(100)) },
  unit: 'us',
  goal: { kind: 'cost', than: 1.5 },
  rounds: 3,
});

const SYNTHESISED = 200;

/** The processor time of a synth with checks and rehearsal, compared with a cheaper synth of the same objects. */
const synthBenchmark = (alternative: Measured['alternative']['label'], as: Synth['as'], than: number): Measured => ({
  name: `rehearse: synth of ${SYNTHESISED} Rollouts, compared with ${alternative}`,
  ours: {
    label: 'app.synth() with checks and rehearsal',
    measure: () => inFreshProcess(synth(SYNTHESISED, { as: 'rehearsed' })),
  },
  alternative: { label: alternative, measure: () => inFreshProcess(synth(SYNTHESISED, { as })) },
  unit: 'ms',
  goal: { kind: 'cost', than },
  rounds: 3,
});

/** What a synth costs in watch mode, and in a test that has made the same app before. */
const secondSynth: Measured = {
  name: `rehearse: second synth of ${SYNTHESISED} Rollouts`,
  ours: {
    label: 'app.synth() with checks and rehearsal',
    measure: () => inFreshProcess(synth(SYNTHESISED, { as: 'rehearsed', again: true })),
  },
  alternative: {
    label: 'app.synth() of the same objects',
    measure: () => inFreshProcess(synth(SYNTHESISED, { as: 'plain', again: true })),
  },
  unit: 'ms',
  goal: { kind: 'cost', than: 1.2 },
  rounds: 5,
};

/** What a rehearsal adds to a synth, and how its cost and memory grow with the number of Rollouts. */
export function rehearseBenchmarks(): Measured[] {
  return [
    synthBenchmark('app.synth() with checks alone', 'checked', 4),
    synthBenchmark('app.synth() of the same objects', 'plain', 10),
    secondSynth,
    {
      name: 'rehearse: all stories of 60 Rollouts',
      ours: { label: 'with all stories', measure: () => inFreshProcess(timeOfStories(`{ stories: 'all' }`)) },
      alternative: { label: 'the straight road alone', measure: () => inFreshProcess(timeOfStories('{}')) },
      unit: 'ms',
      goal: { kind: 'cost', than: 4 },
      rounds: 3,
    },
    growth(10),
    growth(300),
    {
      name: 'rehearse: memory of one Rollout among 300',
      ours: { label: 'kept for each of 300 Rollouts', measure: () => inFreshProcess(memoryEach(300)) },
      alternative: { label: 'kept for each of 100 Rollouts', measure: () => inFreshProcess(memoryEach(100)) },
      unit: 'KB',
      goal: { kind: 'cost', than: 1.5 },
      rounds: 1,
    },
  ];
}
