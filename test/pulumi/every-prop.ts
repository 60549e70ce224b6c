/** Every option of every construct and component, with a value that shows in the objects. */

import { ARGO_ALB_ROLLOUT_PROPS, type ArgoAlbRolloutOptions } from '../../src/argo/alb/options';
import { ARGO_INSTALL_PROPS, type ArgoInstallOptions } from '../../src/argo/install/options';
import {
  AlbAuth,
  AlbBackend,
  AlbCanaryMode,
  AlbListenPort,
  ArgoAlbStrategy,
  ArgoRolloutsVersion,
  ArgoStep,
  GatewayKind,
  HeaderMatch,
  KruiseRolloutStep,
  KruiseRolloutStrategy,
  KruiseRolloutVersion,
  LuaScripts,
} from '../../src/constructs';
import type { AnyPropTable, PropTable } from '../../src/core/props';
import {
  ALIYUN_ALB_CANARY_INGRESS_PROPS,
  type AliyunAlbCanaryIngressOptions,
} from '../../src/kruise/alb/aliyun-canary-ingress';
import { ALIYUN_ORDER_PROPS, type AliyunOrderOptions } from '../../src/kruise/alb/aliyun-order';
import { ALB_CANARY_INGRESS_PROPS, type AlbCanaryIngressOptions } from '../../src/kruise/alb/canary-ingress';
import { ALB_INGRESS_CLASS_PROPS, type AlbIngressClassOptions } from '../../src/kruise/alb/ingress-class';
import { GATEWAY_GRANT_PROPS, type GatewayGrantOptions } from '../../src/kruise/gateway-rbac';
import { KRUISE_INSTALL_PROPS, type KruiseInstallOptions } from '../../src/kruise/install/options';
import {
  KRUISE_ROLLOUT_PROPS,
  KRUISE_TRAFFIC_ROUTING_PROPS,
  type KruiseRolloutOptions,
  type KruiseTrafficRoutingOptions,
} from '../../src/kruise/objects';
import { ROUTING_CONFIG_MAP_PROPS, type RoutingConfigMapOptions } from '../../src/kruise/scripts/config-map';
import { KTENV_INSTALL_PROPS, type KtEnvInstallOptions } from '../../src/ktenv/install/options';
import { VIRTUAL_ENVIRONMENT_PROPS, type VirtualEnvironmentOptions } from '../../src/ktenv/manifests';

/** The options of one noun. */
export interface EveryProp {
  readonly props: AnyPropTable;
  /** Sets of options that go together; every option is in one of them. */
  readonly options: readonly Readonly<Record<string, unknown>>[];
  /** Options that do not show in the objects, each with the reason. */
  readonly unseen: Readonly<Record<string, string>>;
}

/** The compiler rejects a value of the wrong type, and an option that no set has is found by the test. */
function every<Options extends object>(
  props: PropTable<Options>,
  options: readonly Partial<Options>[],
  unseen: { readonly [Key in keyof Options]?: string } = {},
): EveryProp {
  return { props, options, unseen } as object as EveryProp;
}

const steps = [
  KruiseRolloutStep.matches([HeaderMatch.exact('user-agent', 'pc')], { replicas: 1 }),
  KruiseRolloutStep.traffic('100%'),
];

const pods = {
  labels: { team: 'a' },
  imagePullSecrets: ['registry'],
  nodeSelector: { disk: 'ssd' },
  tolerations: [{ key: 'dedicated', operator: 'Exists' }],
  affinity: { nodeAffinity: {} },
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway' },
  ],
  priorityClassName: 'system-cluster-critical',
  podLabels: { tier: 'control' },
  podAnnotations: { note: 'b' },
} as const;

const template = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: 'web:1', ports: [{ containerPort: 8080 }] }] },
};

export const EVERY_PROP: Readonly<Record<string, EveryProp>> = {
  AlbCanaryIngress: every<AlbCanaryIngressOptions>(ALB_CANARY_INGRESS_PROPS, [
    {
      service: { name: 'web', port: 80 },
      rules: [
        {
          host: 'shop.example.com',
          paths: [{ path: '/', backend: AlbBackend.fixedResponse('s', { statusCode: 200 }) }],
        },
      ],
      mode: AlbCanaryMode.ingress({ group: 'shop', order: 10 }),
      targetType: 'instance',
      scheme: 'internet-facing',
      listenPorts: [AlbListenPort.http(8080), AlbListenPort.https()],
      certificates: ['arn:aws:acm:eu-west-1:123456789012:certificate/1'],
      sslPolicy: 'ELBSecurityPolicy-TLS13-1-2-2021-06',
      sslRedirect: true,
      healthCheck: { path: '/healthz' },
      wafAclArn: 'arn:aws:wafv2:eu-west-1:123456789012:regional/webacl/shop/1',
      stickiness: 60,
      auth: AlbAuth.cognito({ userPoolArn: 'arn:pool', clientId: 'id', domain: 'shop' }),
    },
  ]),
  AlbIngressClass: every<AlbIngressClassOptions>(ALB_INGRESS_CLASS_PROPS, [
    {
      group: 'shop',
      scheme: 'internal',
      targetType: 'ip',
      ipAddressType: 'dualstack',
      certificates: ['arn:aws:acm:eu-west-1:123456789012:certificate/1'],
      sslPolicy: 'ELBSecurityPolicy-TLS13-1-2-2021-06',
      inboundCidrs: ['10.0.0.0/8'],
      loadBalancerAttributes: { 'idle_timeout.timeout_seconds': '30' },
      tags: { team: 'a' },
      namespaceSelector: { team: 'a' },
      isDefault: true,
    },
  ]),
  AliyunAlbCanaryIngress: every<AliyunAlbCanaryIngressOptions & AliyunOrderOptions>(
    { ...ALIYUN_ALB_CANARY_INGRESS_PROPS, ...ALIYUN_ORDER_PROPS },
    [
      {
        service: { name: 'echo', port: 'http' },
        rules: [{ host: 'echo.example.com' }],
        ingressClassName: 'alb-public',
        order: { stable: 700, canary: 7 },
        albConfig: 'public',
        reservedOrders: [1],
      },
    ],
    {
      albConfig: 'decides which Ingresses share orders',
      reservedOrders: 'only moves an order that is not given',
    },
  ),
  ArgoAlbRollout: every<ArgoAlbRolloutOptions>(
    ARGO_ALB_ROLLOUT_PROPS,
    [
      {
        template,
        selector: { app: 'web' },
        replicas: 4,
        port: 8080,
        targetPort: 9090,
        strategy: ArgoAlbStrategy.canary({ steps: [ArgoStep.setWeight(20), ArgoStep.pause()] }),
        ingress: { rules: [{ host: 'shop.example.com' }] },
        migration: 'prepare',
        minReady: 5,
        progressDeadline: 700,
        progressDeadlineAbort: true,
        revisionHistoryLimit: 3,
        rollbackWindow: 2,
        paused: true,
      },
      {
        workloadRef: { name: 'web', scaleDown: 'never' },
        selector: { app: 'web' },
        strategy: ArgoAlbStrategy.canary({ steps: [ArgoStep.setWeight(20), ArgoStep.pause()] }),
        ingresses: [
          { metadata: { name: 'web-internal' }, scheme: 'internal' },
          { metadata: { name: 'web-public' }, scheme: 'internet-facing' },
        ],
      },
    ],
    { selector: 'the same as the labels of the template' },
  ),
  ArgoRolloutsInstall: every<ArgoInstallOptions>(ARGO_INSTALL_PROPS, [
    {
      version: ArgoRolloutsVersion.V1_8_3,
      namespace: 'argo',
      namespaceLabels: { zone: 'b' },
      namespaceAnnotations: { note: 'b' },
      aggregateRoles: false,
      replicas: 3,
      image: { repository: 'registry.example.com/argo-rollouts' },
      imagePullPolicy: 'Always',
      resources: { limits: { memory: '1Gi' } },

      serviceAccountAnnotations: { a: 'b' },
      trafficRouters: ['alb'],
      permissions: { analysisJobs: false },
      additionalRules: [{ apiGroups: ['example.com'], resources: ['things'], verbs: ['get'] }],
      aws: { verifyTargetGroup: true, region: 'eu-west-1' },
      albIngressClasses: ['internal'],
      nginxIngressClasses: ['public'],
      instanceId: 'one',
      logLevel: 'debug',
      logFormat: 'json',
      kubernetesLogLevel: 3,
      extraArgs: ['--rollout-threads=5'],
      extraEnv: [{ name: 'A', value: 'b' }],
      extraVolumes: [{ name: 'extra', emptyDir: {} }],
      extraVolumeMounts: [{ name: 'extra', mountPath: '/extra' }],
      initContainers: [{ name: 'init', image: 'init:1' }],
      healthPort: 9090,
      metrics: { serviceMonitor: {} },
      podDisruptionBudget: { maxUnavailable: 2 },
      plugins: {
        metricProviders: [{ name: 'example/metrics', location: 'https://example.com/plugin', sha256: 'a'.repeat(64) }],
      },
      notifications: { selfService: true },
      dashboard: {},
      ...pods,
    },
    { namespaced: true, namespace: 'argo', crds: 'keep' },
    { createNamespace: false, crds: 'remove', serviceAccountName: 'rollouts' },
  ]),
  GatewayRoleBinding: every<GatewayGrantOptions>(GATEWAY_GRANT_PROPS, [
    { kinds: [GatewayKind.CONTOUR_HTTP_PROXY], name: 'contour' },
  ]),
  KruiseRollout: every<KruiseRolloutOptions>(KRUISE_ROLLOUT_PROPS, [
    {
      workload: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      strategy: KruiseRolloutStrategy.canary({ steps }),
      trafficRouting: { service: 'web', ingress: 'web', classType: 'nginx', gracePeriodSeconds: 5 },
      trafficRoutingRef: 'front',
      paused: true,
      disabled: true,
    },
  ]),
  KruiseRolloutInstall: every<KruiseInstallOptions>(KRUISE_INSTALL_PROPS, [
    {
      namespace: 'rollouts',
      namespaceLabels: { zone: 'b' },
      crds: 'remove',
      replicas: 3,
      image: { repository: 'registry.example.com/kruise-rollout' },
      imagePullPolicy: 'Always',
      resources: { limits: { memory: '1Gi' } },
      featureGates: { AdvancedDeployment: false },
      partitionPercentLimit: 50,
      logLevel: 3,
      extraArgs: ['--sync-period=1h'],
      extraEnv: [{ name: 'A', value: 'b' }],
      webhookPort: 9877,
      healthPort: 9090,
      metrics: { serviceMonitor: {} },
      podDisruptionBudget: { maxUnavailable: 2 },
      networkPolicy: { apiServerCidrs: ['10.0.0.0/16'] },
      objectSelector: [{ key: 'team', operator: 'In', values: ['a'] }],
      serviceAccountAnnotations: { a: 'b' },
      permissions: { istio: false, upstream: true },
      ...pods,
    },
    { version: KruiseRolloutVersion.V0_5_0, createNamespace: false },
  ]),
  KruiseTrafficRouting: every<KruiseTrafficRoutingOptions>(KRUISE_TRAFFIC_ROUTING_PROPS, [
    {
      trafficRouting: { service: 'front', ingress: { name: 'front', classType: 'mse' } },
      matches: [HeaderMatch.exact('user-agent', 'pc')],
      weight: 20,
      requestHeaderModifier: { set: [{ name: 'x-canary', value: 'backend' }] },
    },
  ]),
  KtEnvInstall: every<KtEnvInstallOptions>(KTENV_INSTALL_PROPS, [
    {
      certificate: { from: 'cert-manager', issuer: { name: 'corp', kind: 'ClusterIssuer' } },
      namespace: 'ktenv',
      envLabels: ['stage'],
      image: 'registry.example.com/webhook:1',
      replicas: 3,
      failurePolicy: 'Ignore',
      logLevel: 'DEBUG',
    },
    { createNamespace: false, crd: false },
  ]),
  KtVirtualEnvironment: every<VirtualEnvironmentOptions & { namespace: string; name: string }>(
    { ...VIRTUAL_ENVIRONMENT_PROPS, namespace: true, name: true },
    [
      {
        namespace: 'shop',
        name: 'shop',
        envHeader: { name: 'X-Stage' },
        envLabel: { name: 'stage', defaultSubset: 'dev' },
        environments: ['dev', 'dev.proj1'],
        createNamespace: true,
        istioRevision: '1-24',
        tagInjection: true,
        operatorImage: 'registry.example.com/operator:1',
      },
      { namespace: 'shop', name: 'shop', operator: false },
    ],
  ),
  LuaRoutingConfigMap: every<RoutingConfigMapOptions>(ROUTING_CONFIG_MAP_PROPS, [
    {
      scripts: [LuaScripts.fromLibrary('aws-alb')],
      namespace: 'rollouts',
      labels: { a: 'b' },
      annotations: { c: 'd' },
    },
  ]),
};
