import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { LuaData } from '../src/lua';
import { type GopherLua, gopherLua } from './gopher-lua';
import { inFreshProcess, type Measured, root, timePerCall } from './harness';
import { type Subject as LibrarySubject, subjects as librarySubjects } from './lua-scripts';
import { runNaively } from './naive-fengari';

// What is measured is what is shipped: the package, not these sources through a loader.
const { compileLua } = require('rollout-constructs/lua') as typeof import('../src/lua');

interface Subject {
  readonly name: string;
  readonly source: string;
  readonly obj: LuaData;
}

function textOf(script: string): string {
  return readFileSync(join(root, 'lua_configuration', script), 'utf8');
}

const stableAction = '{"type":"forward","forwardConfig":{"targetGroups":[{"serviceName":"web","servicePort":8080}]}}';

const subjects: readonly Subject[] = [
  {
    name: 'aws-alb',
    source: textOf('trafficrouting_ingress/aws-alb.lua'),
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
    source: textOf('builtin/networking.istio.io/VirtualService/trafficRouting.lua'),
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

/** Checked runs of routing scripts, compiled once, with a fresh environment each. */
export function luaBenchmarks(): Measured[] {
  return [...besideFengari(), ...SCRIPTS.flatMap(besideGopherLua)];
}

function besideFengari(): Measured[] {
  return subjects.flatMap((subject) => {
    const { source } = subject;
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
        name: `lua: first 30 runs of ${subject.name} of a user`,
        ours: {
          label: '30 checked runs in a new process, compiling included',
          measure: () => first30(ofUser(subject), ours),
        },
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
const ours = `const { compileLua } = require('rollout-constructs/lua'); compileLua('');
  const begin = () => { const script = compileLua(source); return () => script.run(obj); };`;
const naive = `const { runNaively } = require('./bench/naive-fengari');
  const begin = () => () => runNaively(source, obj);`;

function first30({ source, obj }: Subject, side: string): number {
  return inFreshProcess(`${side}
    const source = ${JSON.stringify(source)};
    const obj = ${JSON.stringify(obj)};
    const start = performance.now();
    const run = begin();
    for (let i = 0; i < 30; i++) run();
    console.log(performance.now() - start);`);
}

/** The scripts of the library, by what their benchmarks are called. */
const SCRIPTS = [
  ...['aws-alb', 'aliyun-alb'].map((name) => `lua_configuration/trafficrouting_ingress/${name}.lua`),
  ...[
    'networking.k8s.io/Ingress',
    'apisix.apache.org/ApisixRoute',
    'projectcontour.io/HTTPProxy',
    'traefik.io/IngressRoute',
    'traefik.io/TraefikService',
    'kuma.io/MeshHTTPRoute',
    'kuma.io/TrafficRoute',
    'builtin/networking.istio.io/VirtualService',
    'builtin/networking.istio.io/DestinationRule',
  ].map((name) => `lua_configuration/${name}/trafficRouting.lua`),
  ...['nginx', 'higress', 'mse', 'aliyun-alb'].map(
    (name) => `lua_configuration/builtin/trafficrouting_ingress/${name}.lua`,
  ),
];

const gopherLabel = 'gopher-lua as the controller runs it (new state, parse and run each time)';

/** A script with the inputs of its testdata, from an object to the object that it returns. */
function besideGopherLua(file: string): Measured[] {
  const name = nameOf(file);
  const subject = () => librarySubjects().find((each) => each.file === file)!;
  const gopher = () => gopherLua() as GopherLua;
  const missing = () => {
    const found = gopherLua();
    return typeof found === 'string' ? found : undefined;
  };
  return [
    {
      name: `lua: throughput of ${name} beside gopher-lua`,
      ours: { label: 'checked run', measure: () => timeOfRun(subject()) },
      alternative: { label: gopherLabel, measure: () => gopher().throughput(subject()) },
      unit: 'us',
      goal: { kind: 'faster', than: 8 },
      rounds: 5,
      missing,
    },
    {
      name: `lua: first 30 runs of ${name} beside gopher-lua`,
      ours: {
        label: '30 checked runs in a new process, compiled with the package',
        measure: () => first30OfAll(subject()),
      },
      alternative: { label: gopherLabel, measure: () => gopher().first30(subject()) },
      unit: 'ms',
      // The aim is a tenth. JavaScript that has not run before is interpreted; this holds what is reached.
      goal: { kind: 'cost', than: 1.3 },
      rounds: 5,
      missing,
    },
    {
      name: `lua: first 30 runs of ${name} of a user beside gopher-lua`,
      ours: {
        label: '30 checked runs in a new process, compiling included',
        measure: () => first30OfAll(ofUser(subject())),
      },
      alternative: { label: gopherLabel, measure: () => gopher().first30(subject()) },
      unit: 'ms',
      goal: { kind: 'cost', than: 2 },
      rounds: 5,
      missing,
    },
  ];
}

/** `aws-alb`, `VirtualService`, `nginx of the controller` */
function nameOf(file: string): string {
  const name = basename(file) === 'trafficRouting.lua' ? basename(dirname(file)) : basename(file, '.lua');
  return file.includes('builtin') ? `${name} of the controller` : name;
}

function timeOfRun({ script, objs }: LibrarySubject): number {
  const all = () => {
    for (const obj of objs) answerOf(script.run(obj));
  };
  return timePerCall(all, 300) / objs.length;
}

function answerOf(result: { readonly ok: boolean; readonly json?: string }): unknown {
  return result.ok ? JSON.parse(result.json!) : undefined;
}

/** The package has what it compiled of its own scripts: this one has a line more. */
function ofUser<Script extends { readonly source: string }>(script: Script): Script {
  return { ...script, source: `${script.source}\n` };
}

function first30OfAll({ source, objs }: LibrarySubject): number {
  return inFreshProcess(`const { compileLua } = require('rollout-constructs/lua'); compileLua('');
    const source = ${JSON.stringify(source)};
    const objs = ${JSON.stringify(objs)};
    const start = performance.now();
    const script = compileLua(source);
    for (let i = 0; i < 30; i++) JSON.parse(script.run(objs[i % objs.length]).json);
    console.log(performance.now() - start);`);
}
