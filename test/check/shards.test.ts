import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rolloutStack } from '../../bench/rollouts';
import {
  checkObjects,
  checkStack,
  concludeShard,
  rehearseOptions,
  ruleGroups,
  type ShardResult,
  type StackCheckOptions,
  WorldCut,
} from '../../src/check';
import { type Finding, Manifest, parseManifests, World } from '../../src/core';
import { rehearsalFindings } from '../../src/rehearsal';

/** What each shard says, as the command line puts it together. */
function shardsOf(world: World, total: number, options: StackCheckOptions = {}): ShardResult[] {
  const checked = checkObjects(world, options);
  const cut = WorldCut.of(world, total);
  return cut.parts.map((part, at) => {
    const rehearsed = rehearsalFindings(part.world, rehearseOptions(world, options));
    return concludeShard({ world, cut, shard: { index: at + 1, total }, checked, rehearsed }, options);
  });
}

const texts = (findings: readonly Finding[]) => findings.map((finding) => JSON.stringify(finding)).sort();

/** The findings of all shards; what only all of them can tell counts once, if all of them do. */
function together(shards: readonly ShardResult[]): string[] {
  const agreed = texts(shards[0]!.ifAll).filter((text) => shards.every(({ ifAll }) => texts(ifAll).includes(text)));
  return [...texts(shards.flatMap(({ findings }) => findings)), ...agreed].sort();
}

function expectUnion(world: World, total: number, options: StackCheckOptions = {}): void {
  const whole = checkStack(world, options);
  const shards = shardsOf(world, total, options);
  expect(together(shards)).toEqual(texts(whole.findings));
  const suppressed = (results: readonly { readonly suppressed: ShardResult['suppressed'] }[]) =>
    results.flatMap((result) => result.suppressed.map((each) => JSON.stringify(each))).sort();
  expect(suppressed(shards)).toEqual(suppressed([whole]));
}

const examples = ruleGroups
  .flatMap(({ rules }) => rules)
  .flatMap(({ id, failing }) => (failing.language === 'yaml' ? [parseManifests(failing.text, `${id}.yaml`)] : []));

const SCRIPT = 'return obj.annotations';

/** An application of any kind of release, right or wrong, behind one of a few load balancers. */
const application = fc.record({
  namespace: fc.constantFrom('one', 'two', 'three'),
  kind: fc.constantFrom('alb', 'alb', 'class', 'nginx', 'gateway', 'istio', 'argo', 'routing', 'none'),
  group: fc.constantFrom('public', 'internal', undefined),
  host: fc.constantFrom('a.example.com', 'b.example.com', '*.example.com', undefined),
  order: fc.constantFrom('1', '2000'),
  other: fc.nat(7),
  hasService: fc.boolean(),
  accepts: fc.constantFrom(undefined, 'rehearsal-canary-unreached: known', 'rehearsal-incomplete: known', 'alb-scheme'),
  traffic: fc.constantFrom('10%', '200%'),
});

type Options = typeof application extends fc.Arbitrary<infer T> ? T : never;

function objectsOf(options: Options, index: number): object[] {
  const { namespace, kind, group, host, order, accepts, traffic } = options;
  const name = `app-${index}`;
  const stable = options.other % 8 === 0 ? name : `app-${options.other}`;
  const annotations = accepts === undefined ? {} : { 'rollout-constructs.io/ignore': accepts };
  const metadata = { name, namespace, annotations };
  const labels = { app: name };
  const backend = { service: { name: stable, port: { number: 80 } } };
  const rules = [{ ...(host && { host }), http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }];
  const ingressOf = (ingressClassName: string, more: object) => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { ...metadata, annotations: { ...annotations, ...more } },
    spec: { ingressClassName, rules },
  });
  const alb = {
    'alb.ingress.kubernetes.io/target-type': 'ip',
    'alb.ingress.kubernetes.io/group.order': order,
    ...(group && { 'alb.ingress.kubernetes.io/group.name': group }),
  };
  const rolloutOf = (routing: object) => ({
    apiVersion: 'rollouts.kruise.io/v1beta1',
    kind: 'Rollout',
    metadata,
    spec: {
      workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
      strategy: {
        canary: {
          enableExtraWorkloadForCanary: true,
          steps: [
            { traffic, replicas: '10%' },
            { traffic: '100%', replicas: '100%' },
          ],
          trafficRoutings: [{ service: stable, ...routing }],
        },
      },
    },
  });
  const byKind: Record<Options['kind'], () => object[]> = {
    alb: () => [ingressOf('alb', alb), rolloutOf({ ingress: { name, classType: 'aws-alb' } })],
    class: () => [
      ingressOf('shared', { 'alb.ingress.kubernetes.io/group.order': order }),
      rolloutOf({ ingress: { name, classType: 'mine' } }),
    ],
    nginx: () => [ingressOf('nginx', {}), rolloutOf({ ingress: { name, classType: 'nginx' } })],
    gateway: () => [
      {
        apiVersion: 'gateway.networking.k8s.io/v1',
        kind: 'HTTPRoute',
        metadata,
        spec: {
          parentRefs: [{ name: group ?? 'public', namespace: 'one' }],
          ...(host && { hostnames: [host] }),
          rules: [{ backendRefs: [{ name: stable, port: 80 }] }],
        },
      },
      rolloutOf({ gateway: { httpRouteName: name } }),
    ],
    istio: () => [
      {
        apiVersion: 'networking.istio.io/v1beta1',
        kind: 'VirtualService',
        metadata,
        spec: {
          hosts: [host ?? stable],
          ...(group && { gateways: [group] }),
          http: [{ route: [{ destination: { host: stable } }] }],
        },
      },
      rolloutOf({ customNetworkRefs: [{ apiVersion: 'networking.istio.io/v1beta1', kind: 'VirtualService', name }] }),
    ],
    argo: () => [
      ingressOf('alb', alb),
      {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Rollout',
        metadata,
        spec: {
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: 'app', image: 'app:1' }] } },
          strategy: {
            canary: {
              stableService: stable,
              canaryService: name,
              trafficRouting: { alb: { ingress: name, servicePort: 80 } },
              steps: [{ setWeight: 10 }],
            },
          },
        },
      },
    ],
    routing: () => [
      ingressOf('alb', alb),
      {
        apiVersion: 'rollouts.kruise.io/v1alpha1',
        kind: 'TrafficRouting',
        metadata,
        spec: { objectRef: [{ service: stable, ingress: { name, classType: 'aws-alb' } }], strategy: { weight: 20 } },
      },
    ],
    none: () => [ingressOf('alb', alb)],
  };
  return [
    ...byKind[kind](),
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'app', image: 'app:1' }] } },
      },
    },
    ...(options.hasService
      ? [{ apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: labels, ports: [{ port: 80 }] } }]
      : []),
  ];
}

const platform = [
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    metadata: { name: 'alb' },
    spec: { controller: 'ingress.k8s.aws/alb' },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    metadata: { name: 'shared' },
    spec: {
      controller: 'ingress.k8s.aws/alb',
      parameters: { apiGroup: 'elbv2.k8s.aws', kind: 'IngressClassParams', name: 'shared' },
    },
  },
  {
    apiVersion: 'elbv2.k8s.aws/v1beta1',
    kind: 'IngressClassParams',
    metadata: { name: 'shared' },
    spec: { group: { name: 'public' } },
  },
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'kruise-rollout-configuration',
      namespace: 'kruise-rollout',
      annotations: { 'rollout-constructs.io/ignore': 'rehearsal-controller-stuck: known' },
    },
    data: { 'lua.traffic.routing.ingress.mine': SCRIPT },
  },
  {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name: 'public', namespace: 'one' },
    spec: {
      gatewayClassName: 'mine',
      listeners: [{ name: 'http', port: 80, protocol: 'HTTP', allowedRoutes: { namespaces: { from: 'All' } } }],
    },
  },
];

const environment = (namespace: string) => ({
  apiVersion: 'env.alibaba.com/v1alpha2',
  kind: 'VirtualEnvironment',
  metadata: { name: 'demo', namespace },
  spec: { envHeader: { name: 'x-env' }, envLabel: { name: 'virtual-env', splitter: '.' } },
});

const worldOf = (objects: readonly object[]) => World.of(objects.map((object) => Manifest.of(object)));

describe('shards', () => {
  it('tell together what one check tells, of any stack', () => {
    fc.assert(
      fc.property(
        fc.array(application, { minLength: 1, maxLength: 8 }),
        fc.subarray(['one', 'two'], { maxLength: 1 }),
        fc.integer({ min: 2, max: 4 }),
        (applications, environments, total) => {
          const world = worldOf([...platform, ...environments.map(environment), ...applications.flatMap(objectsOf)]);
          // What is found in scripts is the same in all of these stacks.
          expectUnion(world, total, { kubernetesVersion: '1.34', isProven: () => true });
        },
      ),
      { seed: 8, numRuns: 12 },
    );
  });

  it('tell together what one check tells of all examples of rules in one stack', () => {
    const manifests = examples.flatMap((read) => read.manifests);
    const earlier = examples.flatMap((read) => read.findings);
    expect(manifests.length).toBeGreaterThan(300);
    const world = World.of(manifests);
    for (const total of [2, 5]) expectUnion(world, total, { earlier, kubernetesVersion: '1.34' });
  });

  it('tell together what one check tells of each example alone', () => {
    for (const { manifests, findings } of examples) {
      if (manifests.length < 3) continue;
      const options = { earlier: findings, isProven: () => true };
      expect(together(shardsOf(World.of(manifests), 2, options))).toEqual(
        texts(checkStack(World.of(manifests), options).findings),
      );
    }
  });
});

describe('a cut', () => {
  const stack = worldOf(rolloutStack(200));

  it('gives each object to one part, and each load balancer', () => {
    const { parts } = WorldCut.of(stack, 4);
    const apps = parts.map(({ world }) => world.list('Rollout.rollouts.kruise.io').map(({ name }) => name));
    expect(apps.flat().sort()).toEqual(
      stack
        .list('Rollout.rollouts.kruise.io')
        .map(({ name }) => name)
        .sort(),
    );
    const balancers = parts.map(({ world }) => [
      ...new Set(
        world.list('Ingress.networking.k8s.io').map((one) => one.annotations['alb.ingress.kubernetes.io/group.name']!),
      ),
    ]);
    expect(balancers.flat().sort()).toEqual([...new Set(balancers.flat())].sort());
    expect(balancers.flat()).toHaveLength(10);
  });

  it('is balanced', () => {
    const counts = WorldCut.of(stack, 5).parts.map(({ rollouts }) => rollouts);
    expect(counts).toEqual([40, 40, 40, 40, 40]);
  });

  it('does not depend on the order of files', () => {
    const names = (world: World) =>
      WorldCut.of(world, 3).parts.map((part) => part.world.manifests.map(({ ref }) => ref));
    expect(names(worldOf([...rolloutStack(60)].reverse()))).toEqual(names(worldOf(rolloutStack(60))));
  });

  it('puts what has no namespace, the scripts and the controllers into every part', () => {
    const install = parseManifests(
      `apiVersion: apps/v1
kind: Deployment
metadata: {name: argo-rollouts, namespace: argo-rollouts}
spec: {template: {spec: {containers: [{name: argo-rollouts, image: "quay.io/argoproj/argo-rollouts:v1.8.0"}]}}}
`,
      'install.yaml',
    );
    const world = World.of([...stack.manifests, ...install.manifests]);
    const cut = WorldCut.of(world, 3);
    for (const part of cut.parts) {
      expect(part.world.list('IngressClass.networking.k8s.io')).toHaveLength(1);
      expect(part.world.list('ConfigMap')).toHaveLength(1);
      expect(part.world.find('Deployment.apps', 'argo-rollouts', 'argo-rollouts')).toBeDefined();
    }
    expect(
      cut.partOf({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        name: 'kruise-rollout-configuration',
        namespace: 'kruise-rollout',
      }),
    ).toBeUndefined();
  });

  it('keeps a namespace with a VirtualEnvironment together', () => {
    const world = worldOf([...rolloutStack(60), environment('shop')]);
    const holding = WorldCut.of(world, 3).parts.filter((part) => part.world.inNamespace('shop').length > 0);
    expect(holding).toHaveLength(1);
    expect(holding[0]!.world.inNamespace('shop')).toEqual(world.inNamespace('shop'));
  });

  it('leaves parts empty where there is nothing to cut', () => {
    const { parts } = WorldCut.of(worldOf(rolloutStack(5)), 3);
    expect(parts.map(({ rollouts }) => rollouts)).toEqual([5, 0, 0]);
  });
});
