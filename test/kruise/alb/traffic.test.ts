/** What the Ingresses that are made here do with requests, by the models of both controllers. */
import { describe, expect, it } from 'vitest';
import { Manifest, World } from '../../../src/core';
import { type AlbCanaryIngressOptions, albCanaryIngress } from '../../../src/kruise/alb/canary-ingress';
import { AlbCanaryMode } from '../../../src/kruise/alb/canary-mode';
import { playCustom, playIngress } from '../../../src/kruise/controller';
import { packagedScripts } from '../../../src/kruise/scripts/library';
import { customScriptKey, ingressScriptKey } from '../../../src/kruise/scripts/lookup';
import { awsAlbRouter } from '../../../src/routers/aws-alb';
import { AlbBackend } from '../../../src/routers/aws-alb/ingress-options';

const HOST = 'shop.example.com';
const INGRESS_KIND = { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress' };
const STEPS = [
  { matches: [{ headers: [{ type: 'Exact', name: 'user-agent', value: 'pc' }] }] },
  { traffic: '20%' },
  { traffic: '100%' },
];

const script = (name: string) => packagedScripts().scripts.find((each) => each.name === name)!.source;
const scripts = {
  builtins: { find: () => undefined },
  configMap: {
    data: {
      [ingressScriptKey('aws-alb')]: script('ingress.aws-alb'),
      [customScriptKey(INGRESS_KIND)]: script('Ingress.networking.k8s.io'),
    },
  },
};

const services = ['web', 'web-canary', 'api'].map((name) =>
  Manifest.of({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'shop' },
    spec: { ports: [{ port: 80 }] },
  }),
);

function ingressOf(options: Partial<AlbCanaryIngressOptions>) {
  const paths = [{ path: '/api', backend: AlbBackend.service({ name: 'api', port: 80 }) }, { path: '/' }];
  return albCanaryIngress(
    { service: { name: 'web', port: 80 }, rules: [{ host: HOST, paths }], ...options },
    { name: 'web', namespace: 'shop' },
  );
}

/** Where requests go, in percent of each Service. */
function shares(ingresses: readonly object[], path = '/', headers: Record<string, string> = {}) {
  const world = World.of([...services, ...ingresses.map((ingress) => Manifest.of(ingress))]);
  const { loadBalancers } = awsAlbRouter().routes(world);
  expect(loadBalancers).toHaveLength(1);
  expect(loadBalancers[0]!.frozen).toBeUndefined();
  const { answer } = loadBalancers[0]!.listeners[0]!.route({ host: HOST, path, headers });
  if (answer.kind !== 'services') throw new Error(`the answer is a ${answer.kind}`);
  return Object.fromEntries(answer.destinations.map(({ service, share }) => [service!.name, Math.round(100 * share)]));
}

const PC = { 'user-agent': 'pc' };

describe('an Ingress that is edited in place', () => {
  const stable = ingressOf({});
  const { afterSteps, error, restored } = playCustom({ objects: [stable], service: 'web', steps: STEPS, scripts });
  const after = afterSteps.map(([object]) => [object!]);

  it('sends to the canary what each step says, and nothing else', () => {
    expect(error).toBeUndefined();
    expect(shares([stable])).toEqual({ web: 100 });
    expect([shares(after[0]!), shares(after[0]!, '/', PC)]).toEqual([
      { 'web-canary': 0, web: 100 },
      { 'web-canary': 100, web: 0 },
    ]);
    expect(shares(after[1]!)).toEqual({ 'web-canary': 20, web: 80 });
    expect(shares(after[2]!)).toEqual({ 'web-canary': 100, web: 0 });
    expect(shares(restored!)).toEqual({ web: 100 });
  });

  it('leaves the paths of other Services alone', () => {
    for (const objects of after) expect(shares(objects, '/api', PC)).toEqual({ api: 100 });
  });
});

describe('an Ingress that is cloned', () => {
  const mode = AlbCanaryMode.ingress({ group: 'shop', order: 10 });
  const stable = ingressOf({ mode, rules: [{ host: HOST }] });
  const { afterSteps, created, error } = playIngress({
    stableIngress: stable,
    service: 'web',
    classType: 'aws-alb',
    steps: STEPS,
    scripts,
  });

  it('shares a load balancer with its canary, which gets what each step says', () => {
    expect(error).toBeUndefined();
    expect(shares([stable, created!])).toEqual({ web: 100 });
    expect(shares([stable, afterSteps[0]!])).toEqual({ web: 100 });
    expect(shares([stable, afterSteps[0]!], '/', PC)).toEqual({ 'web-canary': 100, web: 0 });
    expect(shares([stable, afterSteps[1]!])).toEqual({ 'web-canary': 20, web: 80 });
    expect(shares([stable, afterSteps[2]!])).toEqual({ 'web-canary': 100, web: 0 });
  });
});
