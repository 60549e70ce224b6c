import { describe, expect, it } from 'vitest';
import { differencesOf } from '../../src/check';
import { parseManifests, World } from '../../src/core';
import type { StackCheckOptions } from '../../src/settings/check-options';
import { clusterOf } from '../../src/settings/cluster';

function stack(name: string, yaml: string, options: StackCheckOptions = {}) {
  const { manifests } = parseManifests(yaml, `${name}.yaml`);
  return { name, manifests, cluster: clusterOf(World.of(manifests), { kubernetesVersion: '1.34', ...options }) };
}

interface Kruise {
  readonly name?: string;
  readonly namespace?: string;
  readonly steps?: string;
  readonly routing?: string;
  readonly style?: string;
}

function kruise({
  name = 'web',
  namespace = 'shop',
  steps = '[{traffic: 50%}]',
  routing = '[{service: web, ingress: {name: web}}]',
  style = 'canary',
}: Kruise = {}): string {
  return `apiVersion: rollouts.kruise.io/v1beta1
kind: Rollout
metadata: {name: ${name}, namespace: ${namespace}}
spec: {workloadRef: {apiVersion: apps/v1, kind: Deployment, name: web}, strategy: {${style}: {steps: ${steps}, trafficRoutings: ${routing}}}}
`;
}

const argo = (strategy: string) => `apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: web}
spec: {strategy: ${strategy}}
`;

const between = (staging: string, prod: string) => differencesOf([stack('staging', staging), stack('prod', prod)]);
const stepsOf = (steps: string) => between(kruise(), kruise({ steps })).map((text) => text.replace(/^.*; /, ''));

describe('what differs between stacks', () => {
  it('is nothing where they are equal, or have nothing to release', () => {
    expect(between(kruise(), kruise())).toEqual([]);
    expect(differencesOf([])).toEqual([]);
    expect(between('', '')).toEqual([]);
    const map = (data: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {a: ${data}}\n`;
    expect(between(map('x'), map('y'))).toEqual([]);
  });

  it('is other steps', () => {
    const other = kruise({ steps: '[{traffic: 5%}, {traffic: 20%}, {traffic: 100%}]' });
    expect(between(kruise(), other)).toEqual(['Rollout web has other steps: 50% in staging; 5%, 20%, 100% in prod']);
    expect(differencesOf([stack('dev', kruise()), stack('staging', kruise()), stack('prod', other)])).toEqual([
      'Rollout web has other steps: 50% in dev and staging; 5%, 20%, 100% in prod',
    ]);
  });

  it.each([
    ['[]', 'no steps in prod'],
    ['[{weight: 20}]', '20% in prod'],
    ['[{traffic: 10%, matches: [{}]}]', '10% and 1 match in prod'],
    ['[{matches: [{}, {}]}]', '2 matches in prod'],
    ['[{replicas: 3}]', '3 replicas in prod'],
    ['[{replicas: 20%, pause: {}}]', '20% replicas in prod'],
    ['[{pause: {}}, {traffic: 7%}]', '7% in prod'],
    ['[{pause: {duration: 5}}]', 'no steps in prod'],
    ['[{analysis: {}}, {setWeight: 5}]', 'analysis, 5% in prod'],
  ])('says steps in a few words: %s', (steps, text) => {
    expect(stepsOf(steps)).toEqual([expect.stringMatching(new RegExp(`(^|: )${text}$`))]);
  });

  it('is another strategy, and then not also other steps', () => {
    const canary = argo('{canary: {steps: [{setWeight: 20}]}}');
    const blueGreen = argo('{blueGreen: {activeService: web}}');
    expect(between(canary, blueGreen)).toEqual([
      'Rollout web has another strategy: canary in staging; blue-green in prod',
    ]);
    expect(between(canary, argo('{canary: {steps: [{setWeight: 20}, {pause: {}}]}}'))).toEqual([]);
    expect(between(canary, argo('{canary: {steps: [{setWeight: 30}]}}'))).toEqual([
      'Rollout web has other steps: 20% in staging; 30% in prod',
    ]);
  });

  it('is other routes, by what routes them', () => {
    expect(between(kruise(), kruise({ routing: '[{service: web, gateway: {httpRouteName: web}}]' }))).toEqual([
      'Rollout web has other routes: ingress {"name":"web"} in staging; gateway {"httpRouteName":"web"} in prod',
    ]);
    expect(between(kruise(), kruise({ routing: '[]' }))).toEqual([
      'Rollout web has other routes: ingress {"name":"web"} in staging; none in prod',
    ]);
    const alb = (ingress: string) => argo(`{canary: {trafficRouting: {alb: {ingress: ${ingress}}}}}`);
    expect(between(alb('a'), alb('b'))).toEqual([
      'Rollout web has other routes: alb {"ingress":"a"} in staging; alb {"ingress":"b"} in prod',
    ]);
  });

  it('is not the name of the Service, nor how long the controller waits', () => {
    const routing = '[{service: other, gracePeriodSeconds: 9, ingress: {name: web}}]';
    expect(between(kruise(), kruise({ routing }))).toEqual([]);
  });

  it('is told of TrafficRoutings', () => {
    const routing = (name: string) =>
      `apiVersion: rollouts.kruise.io/v1alpha1\nkind: TrafficRouting\nmetadata: {name: web}\nspec: {objectRef: [{service: web, ingress: {name: ${name}}}]}\n`;
    expect(between(routing('a'), routing('b'))).toEqual([
      'TrafficRouting web has other routes: ingress {"name":"a"} in staging; ingress {"name":"b"} in prod',
    ]);
  });

  it('compares by name, also in other namespaces', () => {
    const [one, other] = [kruise({ namespace: 'staging' }), kruise({ namespace: 'prod', steps: '[{traffic: 7%}]' })];
    expect(between(one, other)).toHaveLength(1);
    expect(between(one, kruise({ name: 'api', steps: '[{traffic: 7%}]' }))).toEqual([]);
    // Two in one stack: which of them is the other's is not known.
    expect(between(`${one}---\n${other}`, other)).toEqual([]);
    expect(between(`${other}---\n${one}`, other)).toEqual([]);
  });

  it('is in the order of names, releases first', () => {
    const both = (steps: string) => `${kruise({ name: 'web', steps })}---\n${kruise({ name: 'api', steps })}`;
    const stacks = [
      stack('staging', both('[{traffic: 5%}]'), { kubernetesVersion: '1.33' }),
      stack('prod', both('[{traffic: 6%}]')),
    ];
    expect(differencesOf(stacks)).toEqual([
      'Kubernetes has other releases: 1.33 in staging; 1.34 in prod',
      'Rollout api has other steps: 5% in staging; 6% in prod',
      'Rollout web has other steps: 5% in staging; 6% in prod',
    ]);
  });
});
