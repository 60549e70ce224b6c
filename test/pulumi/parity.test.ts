/** Constructs and components create the same objects from the same properties. */
import { ApiObject, Chart, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import { describe, expect, test } from 'vitest';
import * as constructs from '../../src/constructs';
import { type Program, run } from './program';

const {
  AlbAuth,
  AlbBackend,
  AlbCanaryMode,
  AlbListenPort,
  ArgoAlbStrategy,
  ArgoMetric,
  ArgoStep,
  GatewayKind,
  HeaderMatch,
  KruiseRolloutStep,
  KruiseRolloutStrategy,
  KruiseRolloutVersion,
  LuaScripts,
} = constructs;

type Library = Program['library'];

interface Pair {
  /** Makes the construct; the objects of the chart are compared. */
  readonly construct: (chart: Chart) => void;
  /** Makes the component; the resources of Kubernetes are compared. */
  readonly component: (library: Library, pulumi: Program['pulumi']) => void;
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

const steps = [
  KruiseRolloutStep.matches([HeaderMatch.exact('user-agent', 'pc')], { replicas: 1 }),
  KruiseRolloutStep.traffic('20%', { pause: { duration: 60 } }),
  KruiseRolloutStep.traffic('100%'),
];
const strategy = KruiseRolloutStrategy.canary({ steps });
const workload = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
const metadata = { name: 'web', namespace: 'shop', labels: { team: 'a' }, annotations: { note: 'b' } };
const trafficRouting = { service: 'web', ingress: 'web', classType: 'nginx', gracePeriodSeconds: 5 };
const analysisMetrics = [
  ArgoMetric.istioSuccessRate({ namespace: 'shop', service: 'web-canary', minSuccessRate: 0.99 }),
];
const scripts = [LuaScripts.fromLibrary('aws-alb', 'Ingress.networking.k8s.io')];

const install = {
  namespace: 'rollouts',
  namespaceLabels: { team: 'a' },
  labels: { team: 'a' },
  replicas: 3,
  image: { repository: 'registry.example.com/kruise-rollout', tag: 'v0.6.2' },
  imagePullSecrets: ['registry'],
  metrics: { serviceMonitor: { labels: { release: 'prometheus' } } },
  networkPolicy: { apiServerCidrs: ['10.0.0.0/16'] },
  serviceAccountAnnotations: { a: 'b' },
  extraEnv: [{ name: 'A', value: 'b' }],
} as const;

const alb = {
  service: { name: 'web', port: 80 },
  rules: [
    {
      host: 'shop.example.com',
      paths: [
        { path: '/status', pathType: 'Exact', backend: AlbBackend.fixedResponse('status', { statusCode: 200 }) },
        { path: '/' },
      ],
    },
  ],
  certificates: ['arn:aws:acm:eu-west-1:123456789012:certificate/1'],
  listenPorts: [AlbListenPort.http(), AlbListenPort.https()],
  sslRedirect: true,
  scheme: 'internet-facing',
  healthCheck: { path: '/healthz', interval: 10 },
  auth: AlbAuth.cognito({ userPoolArn: 'arn:pool', clientId: 'id', domain: 'shop' }),
  stickiness: 60,
  metadata,
} as const;

const albClass = {
  metadata: { name: 'public', labels: { team: 'a' } },
  group: 'public',
  scheme: 'internet-facing',
  targetType: 'ip',
  inboundCidrs: ['10.0.0.0/8'],
  tags: { team: 'a' },
  namespaceSelector: { team: 'a' },
  isDefault: true,
} as const;

const ktenv = { namespace: 'ktenv', envLabels: ['stage'], replicas: 3, failurePolicy: 'Ignore' } as const;

const environment = {
  namespace: 'shop',
  name: 'shop',
  envHeader: { name: 'X-Stage', aliases: [{ name: 'X-Other', pattern: '(@)', placeholder: '(@)' }] },
  envLabel: { name: 'stage', defaultSubset: 'dev' },
  operatorImage: 'registry.example.com/operator:1',
} as const;

const argo = {
  namespace: 'argo',
  replicas: 1,
  trafficRouters: ['alb'],
  aws: { verifyTargetGroup: true, region: 'eu-west-1' },
  serviceAccountAnnotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/rollouts' },
  dashboard: {},
  labels: { team: 'a' },
} as const;

const argoRollout = {
  template: {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image: 'web:1', ports: [{ containerPort: 8080 }] }] },
  },
  replicas: 4,
  strategy: ArgoAlbStrategy.canary({ steps: [ArgoStep.setWeight(20), ArgoStep.pause()], stickiness: 60 }),
  ingress: {
    rules: [{ host: 'shop.example.com', paths: [{ path: '/cart' }] }],
    certificates: ['arn:aws:acm:eu-west-1:111122223333:certificate/1'],
  },
} as const;

const aliyun = {
  service: { name: 'echo', port: 'http' },
  rules: [{ host: 'echo.example.com', paths: [{ path: '/apis/echo', pathType: 'Exact' }] }],
  ingressClassName: 'alb-public',
  metadata: { name: 'echo', namespace: 'shop' },
} as const;

const pairs: Readonly<Record<string, readonly Pair[]>> = {
  KruiseRolloutInstall: [
    {
      construct: (chart) => new constructs.KruiseRolloutInstall(chart, 'x'),
      component: (library) => new library.KruiseRolloutInstall('x'),
    },
    {
      construct: (chart) => new constructs.KruiseRolloutInstall(chart, 'x', install),
      component: (library) => new library.KruiseRolloutInstall('x', install),
    },
    {
      construct: (chart) => {
        const map = new constructs.LuaRoutingConfigMap(chart, 's', { scripts });
        new constructs.KruiseRolloutInstall(chart, 'x', { scripts: map });
      },
      component: (library) => new library.KruiseRolloutInstall('x', { scripts }),
    },
    {
      construct: (chart) => new constructs.KruiseRolloutInstall(chart, 'x', { version: KruiseRolloutVersion.V0_5_0 }),
      component: (library) => new library.KruiseRolloutInstall('x', { version: KruiseRolloutVersion.V0_5_0 }),
    },
    ...(['keep', 'remove', 'skip'] as const).map((crds) => ({
      construct: (chart: Chart) => {
        new constructs.KruiseRolloutInstall(chart, 'x', { crds });
      },
      component: (library: Library) => {
        new library.KruiseRolloutInstall('x', { crds });
      },
    })),
  ],
  LuaRoutingConfigMap: [
    {
      construct: (chart) =>
        new constructs.LuaRoutingConfigMap(chart, 'x', { scripts, namespace: 'n', labels: { a: 'b' } }),
      component: (library) => new library.LuaRoutingConfigMap('x', { scripts, namespace: 'n', labels: { a: 'b' } }),
    },
  ],
  KruiseRollout: [
    {
      construct: (chart) => new constructs.KruiseRollout(chart, 'x', { metadata, workload, strategy, trafficRouting }),
      component: (library) => new library.KruiseRollout('x', { metadata, workload, strategy, trafficRouting }),
    },
    {
      construct: (chart) =>
        new constructs.KruiseRollout(chart, 'x', {
          metadata,
          workload,
          strategy: KruiseRolloutStrategy.blueGreen({ steps }),
          trafficRoutingRef: 'front',
          paused: true,
          disabled: true,
        }),
      component: (library) =>
        new library.KruiseRollout('x', {
          metadata,
          workload,
          strategy: KruiseRolloutStrategy.blueGreen({ steps }),
          trafficRoutingRef: 'front',
          paused: true,
          disabled: true,
        }),
    },
    {
      construct: (chart) =>
        new constructs.KruiseRollout(chart, 'x', {
          metadata,
          workload,
          strategy,
          trafficRouting: {
            service: 'web',
            gateway: 'web',
            customNetworkRefs: [{ apiVersion: 'networking.istio.io/v1', kind: 'VirtualService', name: 'web' }],
          },
        }),
      component: (library) =>
        new library.KruiseRollout('x', {
          metadata,
          workload,
          strategy,
          trafficRouting: {
            service: 'web',
            gateway: { httpRouteName: 'web' },
            customNetworkRefs: [{ apiVersion: 'networking.istio.io/v1', kind: 'VirtualService', name: 'web' }],
          },
        }),
    },
  ],
  ArgoAnalysisTemplate: [
    {
      construct: (chart) => new constructs.ArgoAnalysisTemplate(chart, 'x', { metadata, metrics: analysisMetrics }),
      component: (library) => new library.ArgoAnalysisTemplate('x', { metadata, metrics: analysisMetrics }),
    },
  ],
  KruiseTrafficRouting: [
    {
      construct: (chart) =>
        new constructs.KruiseTrafficRouting(chart, 'x', {
          metadata,
          trafficRouting: { service: 'front', ingress: { name: 'front', classType: 'mse' } },
          matches: [HeaderMatch.exact('user-agent', 'pc')],
          weight: 20,
          requestHeaderModifier: { set: [{ name: 'x-canary', value: 'backend' }] },
        }),
      component: (library) =>
        new library.KruiseTrafficRouting('x', {
          metadata,
          trafficRouting: { service: 'front', ingress: { name: 'front', classType: 'mse' } },
          matches: [HeaderMatch.exact('user-agent', 'pc')],
          weight: 20,
          requestHeaderModifier: { set: [{ name: 'x-canary', value: 'backend' }] },
        }),
    },
  ],
  AlbIngressClass: [
    {
      construct: (chart) => new constructs.AlbIngressClass(chart, 'x', albClass),
      component: (library) => new library.AlbIngressClass('x', albClass),
    },
  ],
  AlbCanaryIngress: [
    {
      construct: (chart) => new constructs.AlbCanaryIngress(chart, 'x', alb),
      component: (library) => new library.AlbCanaryIngress('x', alb),
    },
    {
      construct: (chart) => {
        const ingressClass = new constructs.AlbIngressClass(chart, 'c', albClass);
        const ingress = new constructs.AlbCanaryIngress(chart, 'x', {
          ...alb,
          scheme: undefined,
          ingressClass,
          mode: AlbCanaryMode.ingress({ order: 10 }),
        });
        new constructs.KruiseRollout(chart, 'r', {
          metadata,
          workload,
          strategy,
          trafficRouting: ingress.trafficRouting(45),
        });
      },
      component: (library) => {
        const ingressClass = new library.AlbIngressClass('c', albClass);
        const ingress = new library.AlbCanaryIngress('x', {
          ...alb,
          scheme: undefined,
          ingressClass,
          mode: AlbCanaryMode.ingress({ order: 10 }),
        });
        new library.KruiseRollout('r', { metadata, workload, strategy, trafficRouting: ingress.trafficRouting(45) });
      },
    },
    {
      construct: (chart) => {
        const ingress = new constructs.AlbCanaryIngress(chart, 'x', { ...alb, ingressClass: 'internal' });
        new constructs.KruiseRollout(chart, 'r', {
          metadata,
          workload,
          strategy,
          trafficRouting: ingress.trafficRouting(),
        });
      },
      component: (library) => {
        const ingress = new library.AlbCanaryIngress('x', { ...alb, ingressClass: 'internal' });
        new library.KruiseRollout('r', { metadata, workload, strategy, trafficRouting: ingress.trafficRouting() });
      },
    },
    {
      // Every text may be an Output, and the objects are the same.
      construct: (chart) => new constructs.AlbCanaryIngress(chart, 'x', { ...alb, ingressClass: 'internal' }),
      component: (library, { output }) =>
        new library.AlbCanaryIngress('x', {
          ...alb,
          ingressClass: output('internal'),
          service: { name: output('web'), port: 80 },
          rules: [
            {
              host: output('shop.example.com'),
              paths: [{ ...alb.rules[0].paths[0], path: output('/status') }, { path: output('/') }],
            },
          ],
          certificates: [output(alb.certificates[0])],
          healthCheck: { path: Promise.resolve('/healthz'), interval: 10 },
          metadata: {
            name: output('web'),
            namespace: output('shop'),
            labels: { team: output('a') },
            annotations: { note: output('b') },
          },
        }),
    },
  ],
  AliyunAlbCanaryIngress: [
    {
      construct: (chart) => {
        const ingress = new constructs.AliyunAlbCanaryIngress(chart, 'x', aliyun);
        new constructs.KruiseRollout(chart, 'r', {
          metadata,
          workload,
          strategy,
          trafficRouting: ingress.trafficRouting(),
        });
      },
      component: (library) => {
        const ingress = new library.AliyunAlbCanaryIngress('x', aliyun);
        new library.KruiseRollout('r', { metadata, workload, strategy, trafficRouting: ingress.trafficRouting() });
      },
    },
    {
      construct: (chart) =>
        new constructs.AliyunAlbCanaryIngress(chart, 'x', { ...aliyun, order: { stable: 700, canary: 7 } }),
      component: (library) => new library.AliyunAlbCanaryIngress('x', { ...aliyun, order: { stable: 700, canary: 7 } }),
    },
  ],
  ArgoRolloutsInstall: [
    {
      construct: (chart) => new constructs.ArgoRolloutsInstall(chart, 'x'),
      component: (library) => new library.ArgoRolloutsInstall('x'),
    },
    {
      construct: (chart) => new constructs.ArgoRolloutsInstall(chart, 'x', argo),
      component: (library) => new library.ArgoRolloutsInstall('x', argo),
    },
  ],
  ArgoAlbRollout: [
    {
      construct: (chart) => new constructs.ArgoAlbRollout(chart, 'x', { ...argoRollout, metadata }),
      component: (library) => new library.ArgoAlbRollout('x', { ...argoRollout, metadata }),
    },
    {
      construct: (chart) =>
        new constructs.ArgoAlbRollout(chart, 'x', {
          ...argoRollout,
          metadata,
          strategy: ArgoAlbStrategy.pingPong({ steps: [ArgoStep.setWeight(50), ArgoStep.pause()] }),
        }),
      component: (library, { output }) =>
        new library.ArgoAlbRollout('x', {
          ...argoRollout,
          metadata: { ...metadata, namespace: output('shop') },
          ingress: { ...argoRollout.ingress, certificates: [output(argoRollout.ingress.certificates[0])] },
          strategy: ArgoAlbStrategy.pingPong({ steps: [ArgoStep.setWeight(50), ArgoStep.pause()] }),
        }),
    },
  ],
  GatewayRoleBinding: [
    {
      construct: (chart) =>
        new constructs.GatewayRoleBinding(chart, 'x', {
          kinds: [GatewayKind.CONTOUR_HTTP_PROXY, GatewayKind.ISTIO_VIRTUAL_SERVICE],
          install: constructs.KruiseRolloutInstall.fromExisting({ namespace: 'n', serviceAccountName: 's' }),
        }),
      component: (library, { output }) =>
        new library.GatewayRoleBinding('x', {
          kinds: [GatewayKind.CONTOUR_HTTP_PROXY, GatewayKind.ISTIO_VIRTUAL_SERVICE],
          install: library.KruiseRolloutInstall.fromExisting({ namespace: output('n'), serviceAccountName: 's' }),
        }),
    },
  ],
  IstioRoleBinding: [
    {
      construct: (chart) => new constructs.IstioRoleBinding(chart, 'x'),
      component: (library) => new library.IstioRoleBinding('x'),
    },
    {
      construct: (chart) => {
        const made = new constructs.KruiseRolloutInstall(chart, 'i', { permissions: { istio: false } });
        new constructs.IstioRoleBinding(chart, 'x', { install: made, name: 'istio' });
      },
      component: (library) => {
        const made = new library.KruiseRolloutInstall('i', { permissions: { istio: false } });
        new library.IstioRoleBinding('x', { install: made, name: 'istio' });
      },
    },
  ],
  KtEnvInstall: [
    {
      construct: (chart) => new constructs.KtEnvInstall(chart, 'x'),
      component: (library) => new library.KtEnvInstall('x'),
    },
    {
      construct: (chart) =>
        new constructs.KtEnvInstall(chart, 'x', {
          ...ktenv,
          certificate: constructs.KtEnvWebhookCertificate.fromCertManager({ name: 'corp', kind: 'ClusterIssuer' }),
        }),
      component: (library, { output }) =>
        new library.KtEnvInstall('x', {
          ...ktenv,
          namespace: output('ktenv'),
          certificate: { from: 'cert-manager', issuer: { name: output('corp'), kind: 'ClusterIssuer' } },
        }),
    },
  ],
  KtVirtualEnvironment: [
    {
      construct: (chart) => new constructs.KtVirtualEnvironment(chart, 'x', environment),
      component: (library) => new library.KtVirtualEnvironment('x', environment),
    },
    {
      construct: (chart) => new constructs.KtVirtualEnvironment(chart, 'x', { ...environment, operator: false }),
      component: (library) => new library.KtVirtualEnvironment('x', { ...environment, operator: false }),
    },
  ],
};

/** Texts of a closed set, which decide how objects are built. */
const STRUCTURE = new Set(['crds', 'failurePolicy', 'imagePullPolicy', 'pathType', 'scheme', 'targetType']);

/** The same arguments with an Output in the place of every text that may be one. */
function withOutputs<T>(value: T, pulumi: Program['pulumi'], key = ''): T {
  if (typeof value === 'string') return (STRUCTURE.has(key) ? value : pulumi.output(value)) as T;
  if (Array.isArray(value)) return value.map((entry) => withOutputs(entry, pulumi)) as T;
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value).map(([name, entry]) => [name, withOutputs(entry, pulumi, name)]);
  return Object.fromEntries(entries) as T;
}

/** With Outputs in place of all texts, the objects are the same, without findings. */
const outputs: Readonly<Record<string, Pair>> = {
  KruiseRolloutInstall: {
    construct: (chart) => new constructs.KruiseRolloutInstall(chart, 'x', install),
    component: (library, pulumi) => new library.KruiseRolloutInstall('x', withOutputs(install, pulumi)),
  },
  KruiseRollout: {
    construct: (chart) => new constructs.KruiseRollout(chart, 'x', { metadata, workload, strategy, trafficRouting }),
    component: (library, pulumi) => {
      const { classType, ...named } = trafficRouting;
      new library.KruiseRollout('x', {
        metadata: withOutputs(metadata, pulumi),
        workload: { ...workload, name: pulumi.output(workload.name) },
        strategy,
        trafficRouting: { ...withOutputs(named, pulumi), classType },
      });
    },
  },
  AlbIngressClass: {
    construct: (chart) => new constructs.AlbIngressClass(chart, 'x', albClass),
    component: (library, pulumi) => new library.AlbIngressClass('x', withOutputs(albClass, pulumi)),
  },
  AlbCanaryIngress: {
    construct: (chart) => new constructs.AlbCanaryIngress(chart, 'x', alb),
    component: (library, pulumi) => new library.AlbCanaryIngress('x', withOutputs(alb, pulumi)),
  },
  AliyunAlbCanaryIngress: {
    construct: (chart) =>
      new constructs.AliyunAlbCanaryIngress(chart, 'x', { ...aliyun, order: { stable: 700, canary: 7 } }),
    component: (library, pulumi) =>
      new library.AliyunAlbCanaryIngress('x', {
        ...withOutputs(aliyun, pulumi),
        service: { name: pulumi.output('echo'), port: 'http' },
        order: { stable: 700, canary: 7 },
      }),
  },
  ArgoRolloutsInstall: {
    construct: (chart) => new constructs.ArgoRolloutsInstall(chart, 'x', argo),
    component: (library, pulumi) => {
      const { trafficRouters, ...rest } = argo;
      new library.ArgoRolloutsInstall('x', { ...withOutputs(rest, pulumi), trafficRouters });
    },
  },
  ArgoAlbRollout: {
    construct: (chart) => new constructs.ArgoAlbRollout(chart, 'x', { ...argoRollout, metadata }),
    component: (library, pulumi) =>
      new library.ArgoAlbRollout('x', {
        ...withOutputs(argoRollout, pulumi),
        metadata: { ...withOutputs(metadata, pulumi), name: metadata.name },
      }),
  },
  KtEnvInstall: {
    construct: (chart) => new constructs.KtEnvInstall(chart, 'x', ktenv),
    component: (library, pulumi) => new library.KtEnvInstall('x', withOutputs(ktenv, pulumi)),
  },
  KtVirtualEnvironment: {
    construct: (chart) => new constructs.KtVirtualEnvironment(chart, 'x', environment),
    component: (library, pulumi) => new library.KtVirtualEnvironment('x', withOutputs(environment, pulumi)),
  },
};

test.each(Object.entries(outputs))('%s makes the same objects of Outputs', async (_, pair) => {
  const { resources, log } = await run(({ library, pulumi }) => pair.component(library, pulumi));
  const made = resources.filter(({ type }) => type.startsWith('kubernetes:')).map(({ inputs }) => inputs as Manifest);
  expect(sorted(made)).toEqual(constructObjects(pair));
  expect(log.filter(({ message }) => message.startsWith('error[pulumi-'))).toEqual([]);
});

/** Pulumi checks its stack without a component, and creates the role in AWS instead of a document. */
const ONLY_FOR_CDK8S = ['StackCheck', 'TargetGroupVerificationPolicy'];

function constructObjects({ construct }: Pair): Manifest[] {
  const app = Testing.app();
  const chart = new Chart(app, 'chart', { disableResourceNameHashes: true });
  construct(chart);
  // Skips validation: findings are not compared here.
  const objects = chart.node.findAll().filter((each): each is ApiObject => ApiObject.isApiObject(each));
  return sorted(objects.map((object) => object.toJson()));
}

async function componentObjects({ component }: Pair): Promise<Manifest[]> {
  const { resources } = await run(({ library, pulumi }) => component(library, pulumi));
  return sorted(resources.filter(({ type }) => type.startsWith('kubernetes:')).map(({ inputs }) => inputs as Manifest));
}

function sorted(manifests: Manifest[]): Manifest[] {
  const key = ({ apiVersion, kind, metadata: { name } }: Manifest) => `${apiVersion} ${kind} ${name}`;
  return manifests.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

describe.each(Object.entries(pairs))('%s', (_, list) => {
  test.each(list.map((pair, index) => [index, pair] as const))('makes the same objects (%i)', async (_index, pair) => {
    expect(await componentObjects(pair)).toEqual(constructObjects(pair));
  });
});

test('every construct is compared', () => {
  const classes = Object.entries(constructs).filter(
    ([, value]) => typeof value === 'function' && value.prototype instanceof Construct,
  );
  const names = classes.map(([name]) => name).filter((name) => !ONLY_FOR_CDK8S.includes(name));
  expect(names.sort()).toEqual(Object.keys(pairs).sort());
});
