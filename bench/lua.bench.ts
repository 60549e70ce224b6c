import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LuaData } from '../src/lua';
import { inFreshProcess, type Measured, root, timePerCall } from './harness';
import { runNaively } from './naive-fengari';

// What is measured is what is shipped: the compiled files, not these sources through a loader.
const { compileLua } = require('../lib/lua') as typeof import('../src/lua');

interface Subject {
  readonly name: string;
  readonly file: string;
  readonly obj: LuaData;
}

const stableAction = '{"type":"forward","forwardConfig":{"targetGroups":[{"serviceName":"web","servicePort":8080}]}}';

const subjects: readonly Subject[] = [
  {
    name: 'aws-alb',
    file: 'lua_configuration/trafficrouting_ingress/aws-alb.lua',
    obj: {
      annotations: {
        'alb.ingress.kubernetes.io/group.name': 'demo',
        'alb.ingress.kubernetes.io/group.order': '10',
        'rollout-constructs.io/canary-group-order': '9',
        'alb.ingress.kubernetes.io/target-type': 'ip',
        'alb.ingress.kubernetes.io/actions.web': stableAction,
      },
      weight: '-1',
      matches: [
        {
          headers: [
            { type: 'Exact', name: 'user-agent', value: 'pc' },
            { type: 'RegularExpression', name: 'x-user', value: 'user-[0-9]+' },
          ],
        },
      ],
      canaryService: 'web-canary',
    },
  },
  {
    name: 'VirtualService',
    file: 'lua_configuration/builtin/networking.istio.io/VirtualService/trafficRouting.lua',
    obj: {
      data: {
        spec: {
          hosts: ['*'],
          gateways: ['nginx-gateway'],
          http: [{ route: [{ destination: { host: 'svc-demo' } }] }],
        },
      },
      canaryWeight: -1,
      stableWeight: 101,
      matches: [
        { headers: [{ type: 'Exact', name: 'user-agent', value: 'pc' }] },
        { headers: [{ type: 'RegularExpression', name: 'name', value: '.*demo' }] },
      ],
      canaryService: 'svc-demo-canary',
      stableService: 'svc-demo',
    },
  },
];

const naiveLabel = 'naive fengari (new state, parse and run each time)';

/** Checked runs of a routing script (compiled once, fresh environment each) against fengari used naively. */
export function luaBenchmarks(): Measured[] {
  return subjects.flatMap((subject) => {
    const source = readFileSync(join(root, subject.file), 'utf8');
    const script = compileLua(source);
    sameAnswer(subject, JSON.parse(runNaively(source, subject.obj)), script.run(subject.obj));
    return [
      {
        name: `lua: throughput of ${subject.name}`,
        ours: { label: 'checked run', measure: () => timePerCall(() => script.run(subject.obj), 300) },
        alternative: { label: naiveLabel, measure: () => timePerCall(() => runNaively(source, subject.obj), 300) },
        unit: 'us',
        goal: { kind: 'faster', than: 6 },
        rounds: 7,
      },
      {
        name: `lua: first 30 runs of ${subject.name}`,
        ours: { label: '30 checked runs in a new process, compiling included', measure: () => first30(subject, ours) },
        alternative: { label: naiveLabel, measure: () => first30(subject, naive) },
        unit: 'ms',
        goal: { kind: 'faster', than: 5 },
        rounds: 7,
      },
    ] satisfies Measured[];
  });
}

/** A benchmark of two things that answer differently would compare nothing. */
function sameAnswer(subject: Subject, naive: unknown, ours: { ok: boolean; json?: string; error?: string }): void {
  const decoded = ours.ok ? JSON.parse(ours.json ?? 'null') : { error: ours.error };
  if (JSON.stringify(sorted(decoded)) !== JSON.stringify(sorted(naive))) {
    throw new Error(`${subject.name}: ${JSON.stringify(decoded)} here, ${JSON.stringify(naive)} by naive fengari`);
  }
}

/** Annotations hold JSON text, whose key order is the encoder's own: compare what it says. */
function sorted(value: unknown): unknown {
  if (typeof value === 'string' && /^[[{]/.test(value)) return sorted(JSON.parse(value));
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}

// Both have loaded their modules, and run nothing yet: what loading costs is a benchmark of its own.
const ours = `const { compileLua } = require('./lib/lua'); compileLua('');
  const begin = () => { const script = compileLua(source); return () => script.run(obj); };`;
const naive = `const { runNaively } = require('./bench/naive-fengari');
  const begin = () => () => runNaively(source, obj);`;

function first30(subject: Subject, side: string): number {
  return inFreshProcess(`${side}
    const source = require('node:fs').readFileSync(${JSON.stringify(subject.file)}, 'utf8');
    const obj = ${JSON.stringify(subject.obj)};
    const start = performance.now();
    const run = begin();
    for (let i = 0; i < 30; i++) run();
    console.log(performance.now() - start);`);
}
