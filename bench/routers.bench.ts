import { type Hosts, STACKS } from '../test/speed/stacks';
import { inFreshProcess, type Measured } from './harness';

/** Rollouts of a stack; with fewer, what is done once for all counts too much. */
const ROLLOUTS = 200;

/** The stack of so many Rollouts as YAML, through a loader, as it is no part of the library. */
const textOf = (name: string, count: number, hosts: Hosts): string => `
  require('tsx/cjs');
  const { stringify, parseAllDocuments } = require('yaml');
  const { worldOf } = require('./test/speed/stacks.ts');
  const textOf = (count) =>
    worldOf(${JSON.stringify(name)}, count, ${JSON.stringify(hosts)}).manifests.map(({ object }) => stringify(object)).join('---\\n');
  const text = textOf(${count});
  const each = (run) => {
    for (let round = 0; round < 2; round++) run(textOf(40));
    const before = process.cpuUsage();
    run(text);
    const { user, system } = process.cpuUsage(before);
    console.log((user + system) / ${count});
  };`;

/** Microseconds of processor time for each Rollout: its checks and its rehearsal. */
const checked = (name: string, count: number, hosts: Hosts): string => `${textOf(name, count, hosts)}
  const { Manifest, parseManifests, World } = require('./lib/core');
  const { checkStack } = require('./lib/check');
  // What is read is not measured here, but the places that findings name are.
  const worlds = new Map([text, textOf(40)].map((each) => [each, World.of(parseManifests(each, 'stack.yaml').manifests)]));
  each((each) => checkStack(worlds.get(each), { isProven: () => true }));`;

/** Microseconds of processor time for each Rollout: its YAML alone, with the \`yaml\` package. */
const read = (name: string, count: number, hosts: Hosts): string => `${textOf(name, count, hosts)}
  each((each) => parseAllDocuments(each).map((document) => document.toJS()));`;

const besideReading = (name: string, hosts: Hosts): Measured => ({
  name: `routers: ${name}, ${hosts === 'own' ? 'a host each' : 'one host'}`,
  ours: { label: 'checks and rehearsal', measure: () => inFreshProcess(checked(name, ROLLOUTS, hosts)) },
  alternative: { label: 'reading the same with yaml', measure: () => inFreshProcess(read(name, ROLLOUTS, hosts)) },
  unit: 'us',
  // The aim is 1: a rehearsal that costs what the YAML costs. This holds what is reached.
  goal: { kind: 'cost', than: 9 },
  rounds: 1,
});

const amongMany = (name: string, hosts: Hosts): Measured => ({
  name: `routers: ${name}, ${hosts === 'own' ? 'a host each' : 'one host'}, one among ${4 * ROLLOUTS}`,
  ours: {
    label: `each of ${4 * ROLLOUTS} Rollouts`,
    measure: () => inFreshProcess(checked(name, 4 * ROLLOUTS, hosts)),
  },
  alternative: { label: `each of ${ROLLOUTS}`, measure: () => inFreshProcess(checked(name, ROLLOUTS, hosts)) },
  unit: 'us',
  goal: { kind: 'cost', than: 1.3 },
  rounds: 1,
});

/** Checks and rehearsals behind each router, beside reading the YAML of the same stack, and how they grow. */
export function routerBenchmarks(): Measured[] {
  const cases = Object.keys(STACKS).flatMap((name): (readonly [string, Hosts])[] => {
    // An ALB has at most 100 rules, so that there is no shared one of so many Rollouts.
    const isShared = STACKS[name]!.atPath !== undefined && !name.includes('alb');
    return [[name, 'own'], ...(isShared ? ([[name, 'shared']] as const) : [])];
  });
  return cases.flatMap(([name, hosts]) => [besideReading(name, hosts), amongMany(name, hosts)]);
}
