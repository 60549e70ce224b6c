import type { Histories } from '../core/release-history';

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
  /**
   * The checks of the webhook for Rollouts. Before 0.6 it accepts a negative `gracePeriodSeconds`, traffic without `trafficRoutings` and any
   * weight of a v1alpha1 step, and the number of steps may change in the middle of a release.
   */
  readonly validation: '0.3' | '0.6';
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
  /** Whether the leader election of the controller needs a ConfigMap in addition to the Lease. */
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
  /** Whether the stable Service selects all pods again at the end, even where somebody has deleted the canary Service. */
  readonly unpinsWithoutCanaryService: boolean;
  /** What the controller does when routing ends, in this order. */
  readonly finalising: KruiseFinalising;
  /** Whether `status.nextStepIndex` makes the controller jump to another step. */
  readonly jumps: boolean;
  /** Whether only `Partition`, with a capital letter, is partition style in v1alpha1. Otherwise the case does not count. */
  readonly readsStyleByCase: boolean;
  /**
   * Whether a jump compares the pods of the step with those that are new. Otherwise it compares the steps, so a change of the pods of the current
   * step has no effect until the next one.
   */
  readonly countsPodsBeforeJump: boolean;
  /** Whether the controller looks at the current step first when people change the steps, and else from the first one on. */
  readonly keepsStepOfChangedPlan: boolean;
  /** Whether a step in blue-green style waits until the controller has labelled its pods. */
  readonly waitsForPodLabels: boolean;
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
const IN_ORDER_UNTIL_0_5: readonly KruiseFinalisingTask[] = [
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

const UNTIL_0_5: KruiseFinalising = {
  success: IN_ORDER_UNTIL_0_5,
  blueGreenSuccess: IN_ORDER_UNTIL_0_5,
  rollback: IN_ORDER_UNTIL_0_5,
  unroutedStep: ROUTES_UNTIL_0_5,
  continuous: [...ROUTES_UNTIL_0_5, 'ReleaseWorkloadControl'],
  deletion: IN_ORDER_UNTIL_0_5,
};

const ENDS = ['canary-nginx', 'canary-rollback-2', 'canary-third-2', 'canary-delete-2', 'partition-nginx'];
const endsIn = (release: string, ...more: readonly string[]) => [...ENDS, ...more].map((lab) => `${release}/${lab}`);

const INGRESS_SCRIPTS = 'lua_configuration/trafficrouting_ingress';
const CUSTOM_PROVIDER = 'pkg/trafficrouting/network/customNetworkProvider';
const MANAGER = 'pkg/trafficrouting/manager.go';
const PROGRESSING = 'pkg/controller/rollout/rollout_progressing.go';
const CANARY = 'pkg/controller/rollout/rollout_canary.go';
const LABELS = 'pkg/controller/batchrelease/control/bluegreenstyle/control_plane.go';
const CRDS = 'config/crd/bases';
const VALIDATION = 'pkg/webhook/rollout/validating/rollout_create_update_handler.go';
const GATES = 'pkg/feature/rollout_features.go';
/** The master branch after 0.6.2. */
const NEXT = '0.7.0';

/**
 * What each fact is, by release: the only place where releases differ. Facts of 0.3 and 0.4 that no recording shows were
 * read in the code of these releases.
 */
export const KRUISE_HISTORY: Histories<KruiseRolloutFacts> = {
  emptyTable: [
    { from: '0.3.0', is: '[]', source: 'pkg/util/luamanager/json.go' },
    { from: '0.6.0', is: 'null', source: 'pkg/util/luamanager/json.go, #209' },
  ],
  builtinIngressScripts: [
    { from: '0.3.0', is: ['aliyun-alb', 'higress', 'nginx'], source: INGRESS_SCRIPTS },
    {
      from: '0.4.0',
      is: ['aliyun-alb', 'higress', 'mse', 'nginx'],
      recordings: ['0.5.0/canary-mse', '0.5.0/alpha-canary-mse'],
      source: INGRESS_SCRIPTS,
    },
  ],
  builtinCustomScripts: [
    { from: '0.3.0', is: [], source: 'lua_configuration' },
    {
      from: '0.5.0',
      is: ISTIO_KINDS,
      recordings: ['0.5.0/canary-istio', '0.5.0/canary-istio-subsets'],
      source: 'lua_configuration/networking.istio.io',
    },
  ],
  customNetworkRefs: [
    { from: '0.3.0', is: false, source: CRDS },
    { from: '0.5.0', is: true, recordings: ['0.5.0/canary-istio'], source: CUSTOM_PROVIDER },
  ],
  ingressRequestHeaderModifier: [
    { from: '0.3.0', is: false, source: 'pkg/trafficrouting/network/ingress/ingress.go' },
    {
      from: '0.4.0',
      is: true,
      recordings: ['0.5.0/alpha-canary-aliyun-alb'],
      source: 'pkg/trafficrouting/network/ingress/ingress.go',
    },
  ],
  customRequestHeaderModifier: [
    { from: '0.5.0', is: false, source: CUSTOM_PROVIDER },
    { from: '0.6.0', is: true, source: `${CUSTOM_PROVIDER}, #223` },
  ],
  pathAndQueryMatches: [
    { from: '0.3.0', is: false, source: CRDS },
    { from: '0.6.0', is: true, source: `${CRDS}, #204` },
  ],
  disableGenerateCanaryService: [
    { from: '0.3.0', is: false, source: CRDS },
    { from: '0.6.0', is: true, recordings: ['0.6.0/canary-one-service', '0.6.0/partition-one-service'], source: CRDS },
  ],
  blueGreen: [
    { from: '0.3.0', is: false, source: CRDS },
    { from: '0.6.0', is: true, recordings: ['0.6.0/blueGreen-nginx'], source: `${CRDS}, #214` },
  ],
  customRunsAtZero: [
    { from: '0.5.0', is: false, recordings: ['0.5.0/canary-rollback-istio'], source: CUSTOM_PROVIDER },
    { from: '0.6.0', is: true, recordings: ['0.6.0/blueGreen-istio'], source: CUSTOM_PROVIDER },
  ],
  canaryIngressCreatedIn: [
    { from: '0.3.0', is: 'Initialize', source: 'pkg/trafficrouting/network/ingress/ingress.go' },
    {
      from: '0.4.0',
      is: 'EnsureRoutes',
      recordings: ['0.5.0/canary-nginx', '0.6.0/canary-nginx'],
      source: 'pkg/trafficrouting/network/ingress/ingress.go',
    },
  ],
  storedApiVersion: [
    { from: '0.3.0', is: 'v1alpha1', source: CRDS },
    { from: '0.5.0', is: 'v1beta1', source: `api/v1beta1/rollout_types.go` },
  ],
  featureGates: [
    { from: '0.3.0', is: ['RolloutHistory', 'AdvancedDeployment'], source: GATES },
    {
      from: '0.5.4',
      is: ['RolloutHistory', 'AdvancedDeployment', 'AppendPodSelector', 'KeepWorkloadPausedOnRolloutDeletion'],
      source: GATES,
    },
    { from: '0.6.0', is: ['RolloutHistory', 'AdvancedDeployment', 'AppendPodSelector'], source: GATES },
    {
      from: NEXT,
      is: ['RolloutHistory', 'AdvancedDeployment', 'AppendPodSelector', 'KeepWorkloadPausedOnRolloutDeletion'],
      source: GATES,
    },
  ],
  partitionPercentLimitFlag: [
    { from: '0.3.0', is: false, source: VALIDATION },
    { from: '0.6.0', is: true, source: `${VALIDATION}, #225` },
  ],
  validation: [
    {
      from: '0.3.0',
      is: '0.3',
      recordings: ['0.5.0/canary-edit-count', '0.5.5/canary-edit-count'],
      source: VALIDATION,
    },
    {
      from: '0.6.0',
      is: '0.6',
      recordings: ['0.6.2/canary-edit-count'],
      source: `${VALIDATION}, #226`,
    },
  ],
  statefulSetWebhooks: [
    { from: '0.3.0', is: true, source: 'pkg/webhook/workload/mutating/webhooks.go' },
    { from: '0.6.0', is: false, source: 'pkg/webhook/workload/mutating/webhooks.go' },
  ],
  grantedCustomKinds: [
    { from: '0.3.0', is: [], source: 'config/rbac/role.yaml' },
    { from: '0.5.0', is: ISTIO_KINDS, source: 'config/rbac/role.yaml' },
  ],
  watchesCustomKinds: [
    { from: '0.5.0', is: true, source: CUSTOM_PROVIDER },
    { from: NEXT, is: false, source: CUSTOM_PROVIDER },
  ],
  advancedDaemonSets: [
    { from: '0.3.0', is: false, source: 'config/webhook/manifests.yaml' },
    { from: '0.4.0', is: true, source: 'config/webhook/manifests.yaml' },
  ],
  labelsWorkloads: [
    { from: '0.3.0', is: false, source: 'config/webhook/patch_manifests.yaml' },
    { from: '0.4.0', is: true, source: 'pkg/controller/rollout/rollout_controller.go' },
  ],
  trafficRoutings: [
    { from: '0.3.0', is: false, source: 'api/v1alpha1' },
    { from: '0.4.0', is: true, source: 'api/v1alpha1/trafficrouting_types.go' },
  ],
  electsWithConfigMap: [
    { from: '0.3.0', is: true, source: 'go.mod: controller-runtime 0.10' },
    { from: '0.5.0', is: false, source: 'go.mod: controller-runtime 0.12' },
  ],
  api: [
    { from: '0.3.0', is: '0.3', source: CRDS },
    { from: '0.4.0', is: '0.4', source: CRDS },
    { from: '0.5.0', is: '0.5', source: CRDS },
    { from: '0.6.0', is: '0.6', source: CRDS },
    { from: NEXT, is: 'next', source: CRDS },
  ],
  nativeDaemonSets: [
    { from: '0.3.0', is: false, source: 'pkg/util/workloads_utils.go' },
    { from: NEXT, is: true, source: 'pkg/util/workloads_utils.go' },
  ],
  pinsStableServiceFirst: [
    { from: '0.3.0', is: false, recordings: ['0.5.0/canary-nginx', '0.5.5/canary-nginx'], source: CANARY },
    { from: '0.6.0', is: true, recordings: ['0.6.0/canary-nginx', '0.6.2/canary-nginx'], source: `${CANARY}, #226` },
  ],
  unpinsWithoutCanaryService: [
    { from: '0.3.0', is: false, recordings: ['0.5.5/canary-istio-canary-service-gone-back'], source: MANAGER },
    { from: '0.6.0', is: true, recordings: ['0.6.2/canary-istio-canary-service-gone-back'], source: MANAGER },
  ],
  skipsRoutingWithoutOldPods: [
    {
      from: '0.3.0',
      is: false,
      recordings: ['0.5.5/partition-one-pod', '0.5.5/partition-all-at-step'],
      source: CANARY,
    },
    { from: '0.6.0', is: true, recordings: ['0.6.0/partition-one-pod', '0.6.2/partition-all-at-step'], source: CANARY },
  ],
  combinesProviders: [
    {
      from: '0.3.0',
      is: false,
      recordings: ['0.5.5/canary-two-routes', '0.5.5/canary-nginx-and-gateway'],
      source: MANAGER,
    },
    {
      from: '0.6.0',
      is: true,
      recordings: ['0.6.0/canary-two-routes', '0.6.2/canary-nginx-and-gateway'],
      source: 'pkg/trafficrouting/network/composite.go, #224',
    },
  ],
  patchesCanaryServiceSelector: [
    { from: '0.3.0', is: false, recordings: ['0.5.5/canary-patched-selector'], source: MANAGER },
    { from: '0.6.0', is: true, recordings: ['0.6.0/canary-patched-selector'], source: `${MANAGER}, #243` },
  ],
  copiesServiceMetadata: [
    { from: '0.3.0', is: false, recordings: ['0.5.0/canary-nginx', '0.6.2/canary-nginx'], source: MANAGER },
    { from: NEXT, is: true, source: `${MANAGER}, #301` },
  ],
  zeroWeightKeepsMatches: [
    { from: '0.3.0', is: false, source: MANAGER },
    {
      from: '0.4.0',
      is: true,
      recordings: ['0.5.0/canary-only-matches', '0.5.5/canary-only-matches'],
      source: MANAGER,
    },
  ],
  finalising: [
    { from: '0.3.0', is: UNTIL_0_5, recordings: [...endsIn('0.5.0'), ...endsIn('0.5.5')], source: MANAGER },
    {
      from: '0.6.0',
      is: SINCE_0_6,
      recordings: endsIn('0.6.2', 'blueGreen-nginx', 'blueGreen-rollback-2', 'blueGreen-delete-2'),
      source: `${MANAGER}, #226`,
    },
  ],
  jumps: [
    { from: '0.3.0', is: false, recordings: ['0.5.5/canary-jump-back', '0.5.5/canary-jump-forward'], source: CANARY },
    {
      from: '0.6.0',
      is: true,
      recordings: ['0.6.0/canary-jump-back', '0.6.2/blueGreen-jump-forward'],
      source: `${CANARY}, #218`,
    },
  ],
  readsStyleByCase: [
    { from: '0.3.0', is: false, source: VALIDATION },
    { from: '0.5.0', is: true, recordings: ['0.5.0/alpha-partition-edit-later'], source: 'api/v1alpha1/conversion.go' },
    {
      from: '0.5.1',
      is: false,
      recordings: ['0.5.5/alpha-partition-edit-later'],
      source: 'api/v1alpha1/conversion.go',
    },
  ],
  waitsForPodLabels: [
    { from: '0.3.0', is: false, recordings: ['0.6.0/blueGreen-pod-template-hash'], source: LABELS },
    {
      from: '0.6.1',
      is: true,
      recordings: ['0.6.1/blueGreen-pod-template-hash', '0.6.2/blueGreen-pod-template-hash'],
      source: LABELS,
    },
  ],
  countsPodsBeforeJump: [
    { from: '0.3.0', is: false, recordings: ['0.6.0/canary-edit-more-pods'], source: CANARY },
    {
      from: '0.6.2',
      is: true,
      recordings: ['0.6.2/canary-edit-more-pods'],
      source: 'pkg/controller/rollout/rollout_status.go',
    },
  ],
  keepsStepOfChangedPlan: [
    {
      from: '0.3.0',
      is: false,
      recordings: ['0.5.0/canary-edit-later', '0.5.5/canary-edit-later'],
      source: PROGRESSING,
    },
    {
      from: '0.6.0',
      is: true,
      recordings: ['0.6.0/canary-edit-later', '0.6.2/canary-edit-later'],
      source: PROGRESSING,
    },
  ],
  gatewayApiTypes: [
    { from: '0.3.0', is: '0.4', source: 'go.mod' },
    { from: '0.5.0', is: '0.5', source: 'go.mod' },
    { from: '0.6.0', is: '0.7', source: 'go.mod, #237' },
  ],
};
