/** Whatever a Rollout has, the text of its program writes it again. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import ts from 'typescript';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import * as library from '../../src/constructs';
import { importProgram } from '../../src/synthesis';
import { differencesBetween, manifestsOf } from './projects';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollout-constructs-import-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the text of a program in this process, and reads the file that it writes. */
function objectsWrittenBy(text: string): object[] {
  const { outputText } = ts.transpileModule(text, { compilerOptions: { module: ts.ModuleKind.CommonJS } });
  process.env.CDK8S_OUTDIR = folder;
  try {
    const load = (name: string) => (name === 'rollout-constructs' ? library : require(name));
    new Function('require', 'exports', outputText)(load, {});
  } finally {
    delete process.env.CDK8S_OUTDIR;
  }
  return manifestsOf(readFileSync(join(folder, 'imported.k8s.yaml'), 'utf8')).map(({ object }) => object);
}

/** What YAML may hold as text, including what would end a literal. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
  fc.constantFrom("'", '"', `\`$\{a}\``, '\\', '\n//', '\u2028'),
);
const word = fc.constantFrom('web', 'user-agent', 'x-1', 'true', '10');
const percent = fc.integer({ min: 0, max: 100 }).map((share) => `${share}%`);
const condition = fc.record({
  type: fc.constantFrom('Exact', 'RegularExpression'),
  name: word,
  value: text,
});
const match = fc.record(
  {
    headers: fc.array(condition, { maxLength: 2 }),
    queryParams: fc.array(condition, { maxLength: 1 }),
    path: fc.record({ type: fc.constantFrom('Exact', 'PathPrefix', 'RegularExpression'), value: text }),
  },
  { requiredKeys: [] },
);
const step = fc.record(
  {
    replicas: fc.oneof(percent, fc.integer({ min: 0, max: 9 })),
    traffic: percent,
    matches: fc.array(match, { maxLength: 2 }),
    pause: fc.record({ duration: fc.integer({ min: 0, max: 999 }) }, { requiredKeys: [] }),
    requestHeaderModifier: fc.record({ set: fc.array(fc.record({ name: word, value: text }), { maxLength: 1 }) }),
  },
  { requiredKeys: ['replicas'] },
);
const routing = fc.record(
  {
    service: word,
    ingress: fc.record({ name: word, classType: fc.constantFrom('nginx', '') }, { requiredKeys: ['name'] }),
    gateway: fc.record({ httpRouteName: word }),
    customNetworkRefs: fc.array(
      fc.record({ apiVersion: fc.constant('v1'), kind: fc.constant('Service'), name: word }),
      { maxLength: 1 },
    ),
    gracePeriodSeconds: fc.integer({ min: 0, max: 60 }),
  },
  { requiredKeys: ['service'] },
);
const common = {
  steps: fc.array(step, { minLength: 1, maxLength: 3 }),
  trafficRoutings: fc.array(routing, { minLength: 1, maxLength: 1 }),
  failureThreshold: percent,
  disableGenerateCanaryService: fc.boolean(),
};
const canary = fc.record(
  {
    ...common,
    // An explicit false is what no prop writes: such a Rollout stays an ApiObject.
    enableExtraWorkloadForCanary: fc.constantFrom(true, true, true, false),
    patchPodTemplateMetadata: fc.record({ labels: fc.dictionary(word, word, { minKeys: 1 }) }),
    trafficRoutingRef: fc.constant('front'),
  },
  { requiredKeys: ['steps'] },
);
const blueGreen = fc.record(common, { requiredKeys: ['steps'] });
const rollout = fc.record({
  apiVersion: fc.constant('rollouts.kruise.io/v1beta1'),
  kind: fc.constant('Rollout'),
  metadata: fc.record(
    {
      name: fc.constant('web'),
      namespace: fc.constant('shop'),
      labels: fc.dictionary(word, word, { minKeys: 1, maxKeys: 1 }),
      annotations: fc.record({ note: text, 'rollouts.kruise.io/trafficrouting': fc.constant('front') }),
    },
    { requiredKeys: ['name'] },
  ),
  spec: fc.record(
    {
      workloadRef: fc.record({ apiVersion: fc.constant('apps/v1'), kind: fc.constant('Deployment'), name: word }),
      strategy: fc.oneof(fc.record({ canary }), fc.record({ blueGreen, paused: fc.boolean() })),
      disabled: fc.boolean(),
    },
    { requiredKeys: ['workloadRef', 'strategy'] },
  ),
});

it('writes any Rollout again', () => {
  // The synth warns of what such Rollouts do.
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  let constructs = 0;
  fc.assert(
    fc.property(rollout, (object) => {
      const input = manifestsOf(JSON.stringify(object), 'rollout.json');
      const { text: program, plan } = importProgram(input, { target: 'cdk8s', inputs: ['rollout.json'] });
      if (plan.statements[0]!.class === 'KruiseRollout') constructs++;
      expect(differencesBetween(input, objectsWrittenBy(program))).toEqual([]);
    }),
    { numRuns: 40 },
  );
  stderr.mockRestore();
  expect(constructs).toBeGreaterThan(5);
});
