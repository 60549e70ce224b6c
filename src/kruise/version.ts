/** What one release of the Kruise Rollouts controller does differently from another. */
export interface KruiseRolloutFacts {
  /** How `json.encode`, and with it a returned empty table, is written. */
  readonly emptyTable: 'null' | '[]';
  /** Ingress class types with a script inside the controller's image. A ConfigMap entry of the same class wins. */
  readonly builtinIngressScripts: readonly string[];
  /** Custom kinds, `<Kind>.<group>`, with a script inside the controller's image. No ConfigMap entry can replace it. */
  readonly builtinCustomScripts: readonly string[];
  /** Whether `customNetworkRefs`, and with it custom scripts, exist. */
  readonly customNetworkRefs: boolean;
  /** Whether an ingress script is given `obj.requestHeaderModifier`. */
  readonly ingressRequestHeaderModifier: boolean;
  /** Whether a custom script is given `obj.requestHeaderModifier`. */
  readonly customRequestHeaderModifier: boolean;
  /** Whether a match may hold `path` and `queryParams`; where not, the API server drops them without a word. */
  readonly pathAndQueryMatches: boolean;
  /** Whether `disableGenerateCanaryService` exists. */
  readonly disableGenerateCanaryService: boolean;
  /** Whether `strategy.blueGreen` exists. */
  readonly blueGreen: boolean;
  /** Whether a custom script also runs for traffic `0%`; where not, the objects are left as they are. */
  readonly customRunsAtZero: boolean;
  /** When the canary Ingress is made: before the first step, or at the first step that sends traffic. */
  readonly canaryIngressCreatedIn: 'Initialize' | 'EnsureRoutes';
  /** The API version in which Rollouts are stored. */
  readonly storedApiVersion: 'v1alpha1' | 'v1beta1';
  /** The names that `--feature-gates` takes; with any other one the process ends at once. */
  readonly featureGates: readonly KruiseFeatureGate[];
  /** Whether the flag `--partition-percent-limit` exists; without the flag the process ends at once. */
  readonly partitionPercentLimitFlag: boolean;
  /** Whether the process serves webhooks for StatefulSets; where not, it takes them out of its configuration. */
  readonly statefulSetWebhooks: boolean;
  /** Custom kinds, `<Kind>.<group>`, that the install's own ClusterRole lets the controller change. */
  readonly grantedCustomKinds: readonly string[];
  /**
   * Whether the first read of a custom kind starts a watch on all namespaces, for which nothing but a ClusterRoleBinding
   * will do. Where that is not granted, the worker waits for ever.
   */
  readonly watchesCustomKinds: boolean;
  /** The stage of the API: which fields exist, and what the CRDs check of them. */
  readonly api: '0.3' | '0.4' | '0.5' | '0.6' | 'next';
  /** Whether a Rollout may steer a DaemonSet of Kubernetes itself. */
  readonly nativeDaemonSets: boolean;
}

/** A switch of `--feature-gates`. All are off unless set. */
export type KruiseFeatureGate =
  /** Keep what was released in RolloutHistory objects. */
  | 'RolloutHistory'
  /** Partition style on Deployments of Kubernetes itself: on in every install of ours and of the Helm chart. */
  | 'AdvancedDeployment'
  /** Add the labels of `patchPodTemplateMetadata` to the canary Service's selector. From 0.6 on. */
  | 'AppendPodSelector'
  /** Leave the workload paused when its Rollout is deleted. In 0.5.5, not in 0.6. */
  | 'KeepWorkloadPausedOnRolloutDeletion';

const ISTIO_KINDS = ['DestinationRule.networking.istio.io', 'VirtualService.networking.istio.io'];

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
  api: '0.3',
  nativeDaemonSets: false,
};

const V0_4: KruiseRolloutFacts = {
  ...V0_3,
  builtinIngressScripts: ['aliyun-alb', 'higress', 'mse', 'nginx'],
  ingressRequestHeaderModifier: true,
  canaryIngressCreatedIn: 'EnsureRoutes',
  api: '0.4',
};

const V0_5: KruiseRolloutFacts = {
  ...V0_4,
  builtinCustomScripts: ISTIO_KINDS,
  customNetworkRefs: true,
  storedApiVersion: 'v1beta1',
  grantedCustomKinds: ISTIO_KINDS,
  api: '0.5',
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
};

const NEXT: KruiseRolloutFacts = {
  ...V0_6,
  featureGates: [...V0_6.featureGates, 'KeepWorkloadPausedOnRolloutDeletion'],
  watchesCustomKinds: false,
  api: 'next',
  nativeDaemonSets: true,
};

/**
 * A release of the Kruise Rollouts controller, and what a script, a Rollout or an Ingress meets there.
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
  /** Release 0.5.0. */
  static readonly V0_5_0 = new KruiseRolloutVersion('0.5.0', V0_5);
  /** Release 0.6.0. */
  static readonly V0_6_0 = new KruiseRolloutVersion('0.6.0', V0_6);
  /** Release 0.6.1. */
  static readonly V0_6_1 = new KruiseRolloutVersion('0.6.1', V0_6);
  /** Release 0.6.2. */
  static readonly V0_6_2 = new KruiseRolloutVersion('0.6.2', V0_6);

  /** What the master branch holds on top of 0.6.2 (commit 9dd6279): not released, and not among `ALL`. */
  static readonly NEXT = new KruiseRolloutVersion('0.7.0-next', NEXT);

  /** The newest release that this library knows: the default everywhere. */
  static readonly LATEST = KruiseRolloutVersion.V0_6_2;

  /** Every release that this library knows, oldest first. */
  static readonly ALL: readonly KruiseRolloutVersion[] = [
    KruiseRolloutVersion.V0_3_0,
    KruiseRolloutVersion.V0_4_0,
    KruiseRolloutVersion.V0_5_0,
    KruiseRolloutVersion.V0_6_0,
    KruiseRolloutVersion.V0_6_1,
    KruiseRolloutVersion.V0_6_2,
  ];

  /**
   * A release that is not in the list: a patch release, a build of one's own.
   *
   * Nothing checks the facts. Start from those of the nearest release, and compare the scripts under
   * `lua_configuration` of that release with those of the one taken.
   *
   * @example
   * KruiseRolloutVersion.of('0.5.5', KruiseRolloutVersion.V0_5_0.facts);
   */
  static of(version: string, facts: KruiseRolloutFacts): KruiseRolloutVersion {
    const number = withoutV(version);
    if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(number)) {
      throw new Error(`Kruise Rollouts version "${version}" is not a version: write it as in "0.6.2"`);
    }
    return new KruiseRolloutVersion(number, facts);
  }

  /** The known release of that number, with or without a leading `v`; undefined when the library does not know it. */
  static find(version: string): KruiseRolloutVersion | undefined {
    const number = withoutV(version);
    return KruiseRolloutVersion.ALL.find((known) => known.version === number);
  }

  private constructor(
    /** The release's number, without `v`: `0.6.2`. */
    readonly version: string,
    /** What this release does. */
    readonly facts: KruiseRolloutFacts,
  ) {}

  /** The release as its tag has it: `v0.6.2`. */
  toString(): string {
    return `v${this.version}`;
  }
}

function withoutV(version: string): string {
  return version.replace(/^v/, '');
}
