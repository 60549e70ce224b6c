/** A cluster at every moment of a played release is what the release should have written by then. */
import { describe, expect, it } from 'vitest';
import { type JsonObject, type Manifest, Manifest as ManifestClass, parseManifests, World } from '../../src/core';
import { examine, LiveCluster } from '../../src/doctor';
import { playRollout, playTrafficRouting, RolloutScripts } from '../../src/kruise/controller';
import { builtinScripts } from '../../src/kruise/scripts/library';
import { rolloutsOf, trafficRoutingsOf } from '../../src/kruise/subject';
import { KruiseRolloutVersion } from '../../src/kruise/version';
import { item } from './examined';

const rollout = (
  routing: string,
  options: string,
  steps: string,
  workload: string,
) => `apiVersion: rollouts.kruise.io/v1beta1
kind: Rollout
metadata: {name: web, namespace: shop}
spec:
  workloadRef: ${workload}
  strategy: {${options} steps: [${steps}], trafficRoutings: [{service: web, ${routing}}]}}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {selector: {app: web}, ports: [{name: http, port: 80, targetPort: 8080}]}
`;
const WEIGHTS = '{traffic: 20%, replicas: 20%, pause: {}}, {traffic: 50%, replicas: 50%, pause: {}}';
const MATCH =
  '{matches: [{headers: [{type: Exact, name: user-agent, value: pc}]}], replicas: 20%, pause: {}}, {traffic: 40%, replicas: 40%, pause: {}}';
const EXTRA = 'canary: {enableExtraWorkloadForCanary: true,';
const DEPLOYMENT = '{apiVersion: apps/v1, kind: Deployment, name: web}';
const CLONE_SET = '{apiVersion: apps.kruise.io/v1alpha1, kind: CloneSet, name: web}';
const workload = (apiVersion: string, kind: string) => `apiVersion: ${apiVersion}
kind: ${kind}
metadata: {name: web, namespace: shop}
spec:
  replicas: 10
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: web}]}}
`;
const INGRESS = `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web, namespace: shop}
spec:
  ingressClassName: nginx
  rules:
    - host: shop.example.com
      http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}
`;
const HTTP_ROUTE = `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: web, namespace: shop}
spec:
  parentRefs: [{name: public}]
  hostnames: [shop.example.com]
  rules: [{backendRefs: [{group: '', kind: Service, name: web, port: 80, weight: 1}]}]
`;
const VIRTUAL_SERVICE = `apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: web, namespace: shop, labels: {team: shop}}
spec:
  hosts: [shop.example.com]
  gateways: [public]
  http: [{route: [{destination: {host: web}}]}]
`;
const ingress = 'ingress: {name: web, classType: nginx}';
const gateway = 'gateway: {httpRouteName: web}';
const custom = 'customNetworkRefs: [{apiVersion: networking.istio.io/v1, kind: VirtualService, name: web}]';

const CASES: readonly (readonly [name: string, objects: string])[] = [
  [
    'an Ingress, weights',
    [rollout(ingress, EXTRA, WEIGHTS, DEPLOYMENT), workload('apps/v1', 'Deployment'), INGRESS].join('---\n'),
  ],
  [
    'an Ingress, a match',
    [rollout(ingress, EXTRA, MATCH, DEPLOYMENT), workload('apps/v1', 'Deployment'), INGRESS].join('---\n'),
  ],
  [
    'partitions of a CloneSet',
    [rollout(ingress, 'canary: {', WEIGHTS, CLONE_SET), workload('apps.kruise.io/v1alpha1', 'CloneSet'), INGRESS].join(
      '---\n',
    ),
  ],
  [
    'an HTTPRoute',
    [rollout(gateway, EXTRA, WEIGHTS, DEPLOYMENT), workload('apps/v1', 'Deployment'), HTTP_ROUTE].join('---\n'),
  ],
  [
    'a VirtualService',
    [rollout(custom, EXTRA, WEIGHTS, DEPLOYMENT), workload('apps/v1', 'Deployment'), VIRTUAL_SERVICE].join('---\n'),
  ],
  [
    'a VirtualService, a match',
    [rollout(custom, EXTRA, MATCH, DEPLOYMENT), workload('apps/v1', 'Deployment'), VIRTUAL_SERVICE].join('---\n'),
  ],
  [
    'blue-green',
    [
      rollout(
        ingress,
        'blueGreen: {',
        '{traffic: 0%, replicas: 100%, pause: {}}, {traffic: 50%, replicas: 100%, pause: {}}',
        DEPLOYMENT,
      ),
      workload('apps/v1', 'Deployment'),
      INGRESS,
    ].join('---\n'),
  ],
];

const HASHES: Readonly<Record<string, string>> = { stable: 'aaa1', canary: 'bbb2' };
const OWNER = [{ apiVersion: 'rollouts.kruise.io/v1beta1', kind: 'Rollout', name: 'web', uid: 'u' }];

/** The objects of a moment as a cluster has them: with owners, hashes, and the status of the Rollout. */
function clusterAt(world: World, status: JsonObject): LiveCluster {
  const live = world.manifests
    .filter(({ kind }) => kind !== 'Pod')
    .map((manifest): Manifest => {
      const { metadata, spec } = manifest.object as { metadata: JsonObject; spec: JsonObject };
      const isMade = manifest.name === 'web-canary';
      const selector = spec.selector as Record<string, string> | undefined;
      const hashed = Object.fromEntries(
        Object.entries(selector ?? {}).map(([key, value]) => [
          key,
          /-hash$/.test(key) ? (HASHES[value] ?? value) : value,
        ]),
      );
      return ManifestClass.of({
        ...manifest.object,
        metadata: { ...metadata, ...(isMade ? { ownerReferences: OWNER } : {}) },
        spec: manifest.kind === 'Service' ? { ...spec, selector: hashed } : spec,
        ...(manifest.kind === 'Rollout' ? { status } : {}),
      });
    });
  return new LiveCluster({ from: 'test', manifests: live });
}

describe.each(CASES)('%s', (_name, objects) => {
  const version = KruiseRolloutVersion.LATEST;
  const declared = World.of(parseManifests(objects, 'test.yaml').manifests);
  const [subject] = rolloutsOf(declared, version);
  const scripts = new RolloutScripts({ builtins: builtinScripts(version), version });
  const play = playRollout(declared, subject!, scripts);
  const steps = play.moments.filter(({ phase }) => phase === 'step');
  const statusAt = (step: number, state: string): JsonObject => ({
    phase: 'Progressing',
    conditions: [{ type: 'Progressing', status: 'True', reason: 'InRolling' }],
    [subject!.style === 'blueGreen' ? 'blueGreenStatus' : 'canaryStatus']: {
      currentStepIndex: step + 1,
      currentStepState: state,
      stableRevision: 'aaa1',
      podTemplateHash: 'bbb2',
      canaryReadyReplicas: 2,
    },
  });

  it('is played to its end', () => {
    expect(play.error).toBeUndefined();
    expect(steps).toHaveLength(2);
  });

  it.each([0, 1])('is as it should be once step %d has settled, and is not after any other', (index) => {
    const { world } = steps[index]!;
    const own = examine(clusterAt(world, statusAt(index, 'StepPaused')));
    expect(item(own, 'kruise-expected')).toMatchObject({ status: 'ok' });
    const wrong = examine(clusterAt(world, statusAt(1 - index, 'StepPaused')));
    expect(item(wrong, 'kruise-expected').status).toBe('problem');
  });

  it('is as it should be before, and is not when anything is left over', () => {
    const idle = { phase: 'Healthy' };
    expect(item(examine(clusterAt(declared, idle)), 'kruise-expected').status).toBe('ok');
    expect(item(examine(clusterAt(steps[1]!.world, idle)), 'kruise-expected').status).toBe('problem');
  });

  it('is no problem while the controller works', () => {
    for (const moment of play.moments) {
      if (moment.phase !== 'step' && moment.phase !== 'prepare') continue;
      const result = examine(clusterAt(moment.world, statusAt(moment.step!, 'StepTrafficRouting')));
      expect(item(result, 'kruise-expected').status).not.toBe('problem');
    }
  });
});

describe('a TrafficRouting', () => {
  const routing = (phase: string) => `apiVersion: rollouts.kruise.io/v1alpha1
kind: TrafficRouting
metadata: {name: web, namespace: shop}
spec:
  objectRef: [{service: web, customNetworkRefs: [{apiVersion: networking.istio.io/v1, kind: VirtualService, name: web}]}]
  strategy: {matches: [{headers: [{type: Exact, name: user-agent, value: pc}]}]}
status: {phase: ${phase}}
`;
  const service =
    'apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec: {selector: {app: web}, ports: [{port: 80}]}\n';
  const worldOf = (phase: string) =>
    World.of(parseManifests([routing(phase), service, VIRTUAL_SERVICE].join('---\n'), 'test.yaml').manifests);
  const answer = (world: World) =>
    item(examine(new LiveCluster({ from: 'test', manifests: world.manifests })), 'kruise-expected').status;

  it('is as it should be before and while it holds, and not when its work is left over', () => {
    const version = KruiseRolloutVersion.LATEST;
    const [route] = trafficRoutingsOf(worldOf('Progressing'));
    const scripts = new RolloutScripts({ builtins: builtinScripts(version), version });
    const play = playTrafficRouting(worldOf('Progressing'), route!, scripts);
    const during = play.moments.find(({ phase }) => phase === 'step')!.world;
    expect(answer(worldOf('Healthy'))).toBe('ok');
    expect(answer(during)).toBe('ok');
    expect(answer(worldOf('Progressing'))).toBe('unknown');
    const healthy = worldOf('Healthy').list('TrafficRouting.rollouts.kruise.io');
    expect(answer(during.with(...healthy))).toBe('problem');
  });
});
