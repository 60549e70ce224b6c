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
  /** How often the App is made and synthesised; the last time counts. */
  readonly times?: number;
  /** Whether the script for the load balancer is one of the user's own, so that every Rollout is played. */
  readonly ownScript?: boolean;
}

/**
 * Milliseconds of processor time of a synth of plain objects, one chart for each application: what else the machine does
 * counts less than on the clock. Each kind of synth is first made with a few applications, so that none pays for loading.
 */
const synth = (count: number, { as, times = 1, ownScript = false }: Synth): string => `${load(count)}
  const { ApiObject, App, Chart } = require('cdk8s');
  const { StackCheck } = require('./lib/constructs');
  const { mkdtempSync, rmSync } = require('node:fs');
  const outdir = mkdtempSync(require('node:path').join(require('node:os').tmpdir(), 'rehearse-bench-'));
  const shared = platform();
  if (${ownScript}) {
    const { data } = shared.find(({ kind }) => kind === 'ConfigMap');
    for (const key of Object.keys(data)) data[key] = '-- ours\\n' + data[key];
  }
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
  let milliseconds;
  for (let time = 0; time < ${times}; time++) milliseconds = run(count);
  console.log(milliseconds);
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

const growth = (count: number): Measured => ({
  name: `rehearse: time of one Rollout among ${count}`,
  ours: { label: `each of ${count} Rollouts`, measure: () => inFreshProcess(timeEach(count)) },
  alternative: { label: 'each of 100 Rollouts', measure: () => inFreshProcess(timeEach(100)) },
  unit: 'us',
  goal: { kind: 'cost', than: 1.5 },
  rounds: 3,
});

type Side = readonly [label: string, synth: Synth];

interface Sides {
  readonly ours: Side;
  readonly alternative: Side;
}

const beside = (name: string, { ours, alternative }: Sides, than = 1.5): Measured => ({
  name: `rehearse: ${name}`,
  ours: { label: ours[0], measure: () => inFreshProcess(synth(1000, ours[1])) },
  alternative: { label: alternative[0], measure: () => inFreshProcess(synth(1000, alternative[1])) },
  unit: 'ms',
  goal: { kind: 'cost', than },
  rounds: 3,
});

/** Rehearsals beside the synth of the same manifests, and what each costs the more there are. */
export function rehearseBenchmarks(): Measured[] {
  return [
    beside('synth of 1000 Rollouts with the rehearsal', {
      ours: ['app.synth() with checks and rehearsal', { as: 'rehearsed' }],
      alternative: ['app.synth() with checks alone', { as: 'checked' }],
    }),
    beside('synth of 1000 Rollouts with checks and rehearsal', {
      ours: ['app.synth() with checks and rehearsal', { as: 'rehearsed' }],
      alternative: ['app.synth() of the same objects', { as: 'plain' }],
    }),
    beside(
      'second synth of 1000 Rollouts',
      {
        ours: ['second app.synth() with checks and rehearsal', { as: 'rehearsed', times: 2 }],
        alternative: ['second app.synth() of the same objects', { as: 'plain', times: 2 }],
      },
      1.2,
    ),
    beside('synth of 1000 Rollouts that are played one by one', {
      ours: ['app.synth() with a script of the user', { as: 'rehearsed', ownScript: true }],
      alternative: ['app.synth() with checks alone', { as: 'checked', ownScript: true }],
    }),
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
