/** The differences between releases of the Kruise Rollouts controller. */
export interface KruiseRolloutFacts {
  /** How the controller encodes an empty table. */
  readonly emptyTable: 'null' | '[]';
  /** Ingress class types with a script in the controller's image. A ConfigMap entry for the same class takes precedence. */
  readonly builtinIngressScripts: readonly string[];
  /** Custom kinds, `<Kind>.<group>`, with a script in the controller's image. A ConfigMap entry cannot replace it. */
  readonly builtinCustomScripts: readonly string[];
  /** Whether `customNetworkRefs` and custom scripts exist. */
  readonly customNetworkRefs: boolean;
  /** Whether an ingress script gets `obj.requestHeaderModifier`. */
  readonly ingressRequestHeaderModifier: boolean;
  /** Whether a custom script gets `obj.requestHeaderModifier`. */
  readonly customRequestHeaderModifier: boolean;
  /** Whether a match may have `path` and `queryParams`; otherwise the API server silently drops them. */
  readonly pathAndQueryMatches: boolean;
  /** Whether `disableGenerateCanaryService` exists. */
  readonly disableGenerateCanaryService: boolean;
  /** Whether `strategy.blueGreen` exists. */
  readonly blueGreen: boolean;
  /** Whether a custom script also runs for traffic `0%`; otherwise the objects stay unchanged. */
  readonly customRunsAtZero: boolean;
  /** When the controller creates the canary Ingress: before the first step, or in the first step that routes traffic. */
  readonly canaryIngressCreatedIn: 'Initialize' | 'EnsureRoutes';
  /** The API version in which Rollouts are stored. */
  readonly storedApiVersion: 'v1alpha1' | 'v1beta1';
  /** The names that `--feature-gates` accepts; the controller exits for any other name. */
  readonly featureGates: readonly KruiseFeatureGate[];
  /** Whether the flag `--partition-percent-limit` exists; a controller without it exits if it is set. */
  readonly partitionPercentLimitFlag: boolean;
  /** Whether the controller serves webhooks for StatefulSets; otherwise it removes them from its configuration. */
  readonly statefulSetWebhooks: boolean;
  /** Custom kinds, `<Kind>.<group>`, that the install's own ClusterRole allows the controller to change. */
  readonly grantedCustomKinds: readonly string[];
  /**
   * Whether the first read of a custom kind starts a watch on all namespaces, which requires a ClusterRoleBinding. Without
   * that permission, the worker waits forever.
   */
  readonly watchesCustomKinds: boolean;
  /** Whether a Rollout may release an Advanced DaemonSet of OpenKruise. */
  readonly advancedDaemonSets: boolean;
  /**
   * Whether the controller puts the label `rollouts.kruise.io/workload-type` on the workloads of Rollouts. Otherwise its webhooks
   * must see every workload.
   */
  readonly labelsWorkloads: boolean;
  /** Whether the kind TrafficRouting exists. */
  readonly trafficRoutings: boolean;
  /** Whether replicas of the controller elect their leader with a ConfigMap beside the Lease. */
  readonly electsWithConfigMap: boolean;
  /** The version of the API: its fields and the CRDs' validation. */
  readonly api: '0.3' | '0.4' | '0.5' | '0.6' | 'next';
  /** Whether a Rollout may release a native DaemonSet. */
  readonly nativeDaemonSets: boolean;
  /**
   * Whether the stable Service selects only the old pods before the first step creates new ones. Otherwise requests reach
   * the new pods until routing starts.
   */
  readonly pinsStableServiceFirst: boolean;
  /**
   * Whether a step of partition style that replaces all pods skips routing, and lets the stable Service select all pods
   * before it.
   */
  readonly skipsRoutingWithoutOldPods: boolean;
  /**
   * Whether a Rollout may have several kinds of routes at once. Otherwise the first one of `customNetworkRefs`, `ingress`
   * and `gateway` counts.
   */
  readonly combinesProviders: boolean;
  /** Whether labels of `patchPodTemplateMetadata` replace those in the selector of the canary Service. */
  readonly patchesCanaryServiceSelector: boolean;
  /** Whether the canary Service has the labels and annotations of the stable Service. */
  readonly copiesServiceMetadata: boolean;
  /** Whether a route that gets weight 0 at the end keeps the matches of the current step. */
  readonly zeroWeightKeepsMatches: boolean;
  /** What the controller does when routing ends, in this order. */
  readonly finalising: KruiseFinalising;
  /** Whether `status.nextStepIndex` makes the controller jump to another step. */
  readonly jumps: boolean;
  /** The version of the Gateway API whose types the controller writes HTTPRoutes with. It removes every other field. */
  readonly gatewayApiTypes: GatewayApiTypes;
}

/** The tasks of the controller when routing ends, by the reason. */
export interface KruiseFinalising {
  /** After the last step. */
  readonly success: readonly KruiseFinalisingTask[];
  /** After the last step in blue-green style. */
  readonly blueGreenSuccess: readonly KruiseFinalisingTask[];
  /** When the workload gets its old version back. */
  readonly rollback: readonly KruiseFinalisingTask[];
  /** In a step that has neither traffic nor matches. */
  readonly unroutedStep: readonly KruiseFinalisingTask[];
  /** When another new version arrives in the middle; blue-green style then waits for a roll-back instead. */
  readonly continuous: readonly KruiseFinalisingTask[];
  /** When the Rollout is deleted or disabled in the middle. */
  readonly deletion: readonly KruiseFinalisingTask[];
}

/** One task when routing ends. After a task that changes something, the controller waits for `gracePeriodSeconds`. */
export type KruiseFinalisingTask =
  /** The stable Service selects the pods of all versions. */
  | 'RestoreStableService'
  /** All routes send everything to the canary Service. */
  | 'RouteTrafficToNew'
  /** All routes give the canary Service weight 0. */
  | 'RouteTrafficToStable'
  /** All routes are as before the release. */
  | 'RestoreGateway'
  | 'RemoveCanaryService'
  /** Without a wait between the two. */
  | 'RestoreGatewayAndRemoveCanaryService'
  /** The workload replaces its own pods. */
  | 'ResumeWorkload'
  /** The extra canary workload is deleted. */
  | 'ReleaseWorkloadControl';

/** The version of the Gateway API whose types a release of the controller is compiled with. */
export type GatewayApiTypes = '0.4' | '0.5' | '0.7';

/** A feature gate of the controller. All are off by default. */
export type KruiseFeatureGate =
  /** Record releases in RolloutHistory objects. */
  | 'RolloutHistory'
  /** Partition style for native Deployments: enabled in every install of this library and of the Helm chart. */
  | 'AdvancedDeployment'
  /** Add the labels of `patchPodTemplateMetadata` to the canary Service's selector. Since 0.5.4. */
  | 'AppendPodSelector'
  /** Keep the workload paused when its Rollout is deleted. In 0.5.4 and 0.5.5, not in 0.6. */
  | 'KeepWorkloadPausedOnRolloutDeletion';

const ISTIO_KINDS = ['DestinationRule.networking.istio.io', 'VirtualService.networking.istio.io'];

const ROUTES_UNTIL_0_5: readonly KruiseFinalisingTask[] = [
  'RestoreStableService',
  'RouteTrafficToStable',
  'RestoreGatewayAndRemoveCanaryService',
];
const UNTIL_0_5: readonly KruiseFinalisingTask[] = [
  'RestoreStableService',
  'ResumeWorkload',
  'RouteTrafficToStable',
  'RestoreGatewayAndRemoveCanaryService',
  'ReleaseWorkloadControl',
];
const IN_ORDER_SINCE_0_6: readonly KruiseFinalisingTask[] = [
  'RestoreStableService',
  'RestoreGateway',
  'RemoveCanaryService',
  'ResumeWorkload',
  'ReleaseWorkloadControl',
];
const SINCE_0_6: KruiseFinalising = {
  success: IN_ORDER_SINCE_0_6,
  blueGreenSuccess: [
    'RouteTrafficToNew',
    'RestoreStableService',
    'ResumeWorkload',
    'RestoreGateway',
    'RemoveCanaryService',
    'ReleaseWorkloadControl',
  ],
  rollback: [
    'RestoreGateway',
    'ResumeWorkload',
    'ReleaseWorkloadControl',
    'RestoreStableService',
    'RemoveCanaryService',
  ],
  unroutedStep: ['RestoreStableService', 'RestoreGateway', 'RemoveCanaryService'],
  continuous: ['RestoreGateway', 'ReleaseWorkloadControl', 'RemoveCanaryService'],
  deletion: IN_ORDER_SINCE_0_6,
};

const V0_3: KruiseRolloutFacts = {
  emptyTable: '[]',
  builtinIngressScripts: ['aliyun-alb', 'higress', 'nginx'],
  builtinCustomScripts: [],
  customNetworkRefs: false,
  ingressRequestHeaderModifier: false,
  customRequestHeaderModifier: false,
  pathAndQueryMatches: false,
  disableGenerateCanaryService: false,
  blueGreen: false,
  customRunsAtZero: false,
  canaryIngressCreatedIn: 'Initialize',
  storedApiVersion: 'v1alpha1',
  featureGates: ['RolloutHistory', 'AdvancedDeployment'],
  partitionPercentLimitFlag: false,
  statefulSetWebhooks: true,
  grantedCustomKinds: [],
  watchesCustomKinds: true,
  advancedDaemonSets: false,
  labelsWorkloads: false,
  trafficRoutings: false,
  electsWithConfigMap: true,
  api: '0.3',
  nativeDaemonSets: false,
  pinsStableServiceFirst: false,
  skipsRoutingWithoutOldPods: false,
  combinesProviders: false,
  patchesCanaryServiceSelector: false,
  copiesServiceMetadata: false,
  zeroWeightKeepsMatches: false,
  finalising: {
    success: UNTIL_0_5,
    blueGreenSuccess: UNTIL_0_5,
    rollback: UNTIL_0_5,
    unroutedStep: ROUTES_UNTIL_0_5,
    continuous: [...ROUTES_UNTIL_0_5, 'ReleaseWorkloadControl'],
    deletion: UNTIL_0_5,
  },
  jumps: false,
  gatewayApiTypes: '0.4',
};

const V0_4: KruiseRolloutFacts = {
  ...V0_3,
  builtinIngressScripts: ['aliyun-alb', 'higress', 'mse', 'nginx'],
  ingressRequestHeaderModifier: true,
  canaryIngressCreatedIn: 'EnsureRoutes',
  advancedDaemonSets: true,
  labelsWorkloads: true,
  trafficRoutings: true,
  api: '0.4',
  zeroWeightKeepsMatches: true,
};

const V0_5: KruiseRolloutFacts = {
  ...V0_4,
  builtinCustomScripts: ISTIO_KINDS,
  customNetworkRefs: true,
  storedApiVersion: 'v1beta1',
  grantedCustomKinds: ISTIO_KINDS,
  electsWithConfigMap: false,
  api: '0.5',
  gatewayApiTypes: '0.5',
};

const V0_5_4: KruiseRolloutFacts = {
  ...V0_5,
  featureGates: [...V0_5.featureGates, 'AppendPodSelector', 'KeepWorkloadPausedOnRolloutDeletion'],
};

const V0_6: KruiseRolloutFacts = {
  ...V0_5,
  emptyTable: 'null',
  customRequestHeaderModifier: true,
  pathAndQueryMatches: true,
  disableGenerateCanaryService: true,
  blueGreen: true,
  customRunsAtZero: true,
  featureGates: ['RolloutHistory', 'AdvancedDeployment', 'AppendPodSelector'],
  partitionPercentLimitFlag: true,
  statefulSetWebhooks: false,
  api: '0.6',
  pinsStableServiceFirst: true,
  skipsRoutingWithoutOldPods: true,
  combinesProviders: true,
  jumps: true,
  patchesCanaryServiceSelector: true,
  finalising: SINCE_0_6,
  gatewayApiTypes: '0.7',
};

const NEXT: KruiseRolloutFacts = {
  ...V0_6,
  featureGates: [...V0_6.featureGates, 'KeepWorkloadPausedOnRolloutDeletion'],
  watchesCustomKinds: false,
  api: 'next',
  nativeDaemonSets: true,
  copiesServiceMetadata: true,
};

/**
 * A release of the Kruise Rollouts controller, with its behaviour.
 *
 * @example
 * const version = KruiseRolloutVersion.V0_6_2;
 * version.facts.emptyTable; // 'null'
 */
export class KruiseRolloutVersion {
  /** Release 0.3.0. */
  static readonly V0_3_0 = new KruiseRolloutVersion('0.3.0', V0_3);
  /** Release 0.4.0. */
  static readonly V0_4_0 = new KruiseRolloutVersion('0.4.0', V0_4);
  /** Release 0.4.4. */
  static readonly V0_4_4 = new KruiseRolloutVersion('0.4.4', V0_4);
  /** Release 0.5.0. */
  static readonly V0_5_0 = new KruiseRolloutVersion('0.5.0', V0_5);
  /** Release 0.5.5. */
  static readonly V0_5_5 = new KruiseRolloutVersion('0.5.5', V0_5_4);
  /** Release 0.6.0. */
  static readonly V0_6_0 = new KruiseRolloutVersion('0.6.0', V0_6);
  /** Release 0.6.1. */
  static readonly V0_6_1 = new KruiseRolloutVersion('0.6.1', V0_6);
  /** Release 0.6.2. */
  static readonly V0_6_2 = new KruiseRolloutVersion('0.6.2', V0_6);

  /** The master branch after 0.6.2 (commit 9dd6279): not released, and not in `ALL`. */
  static readonly NEXT = new KruiseRolloutVersion('0.7.0-next', NEXT);

  /** The newest release that this library knows: the default everywhere. */
  static readonly LATEST = KruiseRolloutVersion.V0_6_2;

  /** Every release that this library knows, oldest first. */
  static readonly ALL: readonly KruiseRolloutVersion[] = [
    KruiseRolloutVersion.V0_3_0,
    KruiseRolloutVersion.V0_4_0,
    ...['0.4.1', '0.4.2', '0.4.3'].map((version) => new KruiseRolloutVersion(version, V0_4)),
    KruiseRolloutVersion.V0_4_4,
    KruiseRolloutVersion.V0_5_0,
    ...['0.5.1', '0.5.2', '0.5.3'].map((version) => new KruiseRolloutVersion(version, V0_5)),
    new KruiseRolloutVersion('0.5.4', V0_5_4),
    KruiseRolloutVersion.V0_5_5,
    KruiseRolloutVersion.V0_6_0,
    KruiseRolloutVersion.V0_6_1,
    KruiseRolloutVersion.V0_6_2,
  ];

  /**
   * A release that is not in this class: a patch release, or a custom build.
   *
   * The facts are not checked. Start from those of the nearest release, and compare the scripts in `lua_configuration` of
   * both releases.
   *
   * @example
   * KruiseRolloutVersion.of('0.6.3', KruiseRolloutVersion.V0_6_2.facts);
   */
  static of(version: string, facts: KruiseRolloutFacts): KruiseRolloutVersion {
    const number = withoutV(version);
    if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(number)) {
      throw new Error(`Kruise Rollouts version "${version}" is not a version: write it as in "0.6.2"`);
    }
    return new KruiseRolloutVersion(number, facts);
  }

  /** The known release with this number, with or without a leading `v`; undefined if the library does not know it. */
  static find(version: string): KruiseRolloutVersion | undefined {
    const number = withoutV(version);
    return KruiseRolloutVersion.ALL.find((known) => known.version === number);
  }

  private constructor(
    /** The release's number, without `v`: `0.6.2`. */
    readonly version: string,
    /** The behaviour of this release. */
    readonly facts: KruiseRolloutFacts,
  ) {}

  /** The tag of the release: `v0.6.2`. */
  toString(): string {
    return `v${this.version}`;
  }
}

function withoutV(version: string): string {
  return version.replace(/^v/, '');
}
