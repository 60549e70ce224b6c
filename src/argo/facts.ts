import type { Histories } from '../core/release-history';

/** The differences between releases of the Argo Rollouts controller. */
export interface ArgoRolloutsFacts {
  /** The flag for the metrics port. Flags are case-sensitive, and the controller exits for an unknown flag. */
  readonly metricsPortFlag: 'metricsport' | 'metricsPort';
  /**
   * Whether `--aws-target-group-binding-api-version` and `--alb-tag-key-resource-id` exist, which target group
   * verification needs in EKS Auto Mode.
   */
  readonly awsApiFlags: boolean;
  /** All flags of the controller, without dashes; the controller exits for any other flag. */
  readonly flags: readonly string[];
  /** Whether a canary step may have `plugin`, and whether experiments may have weights with routers of plugins. */
  readonly stepPlugins: boolean;
  /**
   * Fields of Argo's own kinds that the CRDs of the release do not have yet: the API server drops or refuses them. `*` is each
   * item of a list.
   */
  readonly lacksFields: readonly string[];
  /**
   * Whether a metric may have `consecutiveSuccessLimit`, and `failureLimit: -1` turns the limit of failures off. Both
   * limits together may not exceed `count`.
   */
  readonly consecutiveSuccessLimit: boolean;
  /**
   * Whether each Ingress is checked for the router that names it. Before, an ALB Ingress of a Rollout with `nginx` is
   * checked for nginx.
   */
  readonly ingressesCheckedByRouter: boolean;
  /** Whether `pingPong` works with routers of plugins; before, it needs `alb` or `istio`. */
  readonly pingPongWithPlugins: boolean;
  /** Whether `setMirrorRoute` works with routers of plugins; before, it needs `istio`. */
  readonly mirrorRouteWithPlugins: boolean;
  /**
   * Whether the controller reads that a container is privileged. Before, it refuses a mount with `mountPropagation: Bidirectional`, which
   * needs that.
   */
  readonly seesPrivileges: boolean;
  /** Whether `minPodsPerReplicaSet` counts for at most `spec.replicas`; before, it may require more pods. */
  readonly minPodsCappedAtReplicas: boolean;
  /** Whether header routes are removed while the canary has no pods; before, they lead to a Service without pods. */
  readonly removesRoutesWithoutPods: boolean;
  /** Whether the controller watches pods for its Jobs. It starts, and reads no pod of a Job, without the permission. */
  readonly watchesPods: boolean;
  /**
   * Whether the weight becomes 0 before the canary subset of Istio moves to a version without pods. Before, the subset selects no
   * pod while the weight still stands.
   */
  readonly takesWeightBeforeSubset: boolean;
  /**
   * Whether the weight of a canary falls only if enough stable pods are available for the rest. With `dynamicStableScale`, a version that
   * gave way then keeps its weight until its successor has a pod, unless the first step leaves all pods to the stable version.
   */
  readonly weightWaitsForStablePods: boolean;
  /** Whether old pods go whose delay is over. In 1.8.1 they get a new deadline each time that one has passed, and stay until the next release. */
  readonly removesDelayedPods: boolean;
  /**
   * Whether a weight counts the stable pods that it needs by `maxTrafficWeight`. From 1.8.1 to 1.8.5 it counts them by 100: with a higher
   * maximum it waits for more pods than there are, and writes none but the highest weights.
   */
  readonly countsStablePodsByMaxWeight: boolean;
  /** Whether the last part of `name.namespace` is the namespace of a VirtualService. Before, the second is, and names have no dots. */
  readonly virtualServiceNamesHaveDots: boolean;
  /** Whether a release within `rollbackWindow` needs no analysis. */
  readonly skipsAnalysisWithinWindow: boolean;
  /**
   * Whether a blue-green release within `rollbackWindow` becomes active at once. Before, the controller ends each pause as soon as it has
   * begun, and goes on waiting for it: the release ends only when somebody promotes it fully.
   */
  readonly rollsBackWithinWindowAtOnce: boolean;
  /**
   * Whether the controller scales the stable version of a blue-green Rollout while another one is active. Before, it waits for its pods and
   * adds none: a Rollout that is scaled during the analysis after the promotion stays there.
   */
  readonly scalesStableBesideActive: boolean;
  /**
   * Until when the controller does nothing for a Rollout with `istio` and without Services of its versions while a pod is not ready: it
   * reads no deadline and no analysis, and scales nothing. `until-abort`: an abort ends that. `always`: an abort waits, too.
   */
  readonly istioWaitsForPods: 'no' | 'until-abort' | 'always';
  /**
   * Whether another version has a deadline of its own where the controller waited for pods (`istioWaitsForPods`). Before, it is aborted at
   * once if the one before took too long.
   */
  readonly beginsDeadlineAnew: boolean;
  /**
   * Whether the only route of a VirtualService gets weights although it has a name and the Rollout does not name it. Before, none does, and
   * the canary gets no traffic.
   */
  readonly weighsOnlyRoute: boolean;
  /** Whether the Service of an experiment selects its pods by the labels of the pod template, too; before, by their hash alone. */
  readonly experimentServicesSelectLabels: boolean;
  /**
   * Whether a canary with more ready pods than `replicas` becomes stable. Before, the controller waits for exactly so many:
   * it removes pods that a step added first, and waits for ever where `minPodsPerReplicaSet` asks for more.
   */
  readonly promotesWithMorePods: boolean;
  /**
   * Whether an aborted release with `dynamicStableScale` goes back step by step, and a stable version that is released again in the middle
   * waits for all of its pods. Before, weights follow the stable pods, which come back all at once.
   */
  readonly dynamicAbortFollowsSteps: boolean;
  /**
   * Whether the controller scales while the new pods of an aborted release still stay. Before, a version that comes back then with
   * another number of pods waits for ever, until somebody retries or gives the old number.
   */
  readonly scalesAfterAbort: boolean;
  /**
   * Whether a blue-green release is promoted at once, without a pause and without an analysis, if its pods are still about to go: also a
   * retry soon after an abort, and a version that comes back soon after a roll-back. Later only a version older than the stable one is.
   */
  readonly fastTracksNewerVersions: boolean;
  /**
   * Whether the stable version, released again after the active Service has moved, becomes active at once. Before, it waits like any other
   * version: for a promotion, and for its analysis.
   */
  readonly rollsBackToStableAtOnce: boolean;
  /**
   * Whether the controller leaves the pods of a version between the stable and the new one alone. Before, it waits until they are scaled,
   * and does not scale them: one write of another version and another number of pods, in the middle of a release, waits for ever.
   */
  readonly ignoresMiddleVersion: boolean;
}

/** Flags of client-go for every program that reads a kubeconfig. */
const CLIENT_FLAGS = [
  'as',
  'as-group',
  'as-uid',
  'certificate-authority',
  'client-certificate',
  'client-key',
  'cluster',
  'context',
  'disable-compression',
  'insecure-skip-tls-verify',
  'kubeconfig',
  'namespace',
  'password',
  'proxy-url',
  'request-timeout',
  'server',
  'tls-server-name',
  'token',
  'user',
  'username',
];

const FLAGS_1_7 = [
  ...CLIENT_FLAGS,
  'alb-ingress-classes',
  'alb-verify-weight',
  'ambassador-api-version',
  'analysis-threads',
  'appmesh-crd-version',
  'aws-verify-target-group',
  'burst',
  'controllers',
  'experiment-threads',
  'healthzPort',
  'help',
  'ingress-api-version',
  'ingress-threads',
  'instance-id',
  'istio-api-version',
  'kloglevel',
  'leader-elect',
  'leader-election-lease-duration',
  'leader-election-renew-deadline',
  'leader-election-retry-period',
  'logformat',
  'loglevel',
  'metricsport',
  'namespaced',
  'nginx-ingress-classes',
  'qps',
  'rollout-resync',
  'rollout-threads',
  'self-service-notification-enabled',
  'service-threads',
  'traefik-api-group',
  'traefik-api-version',
  'traffic-split-api-version',
  'version',
];
const FLAGS_1_8 = [...FLAGS_1_7, 'enable-pprof-address'];
const FLAGS_1_9 = [
  ...FLAGS_1_8,
  'alb-tag-key-resource-id',
  'aws-target-group-binding-api-version',
  'ephemeral-metadata-threads',
  'ephemeral-metadata-update-pod-retries',
  'metricsPort',
];

const CANARY = 'spec.strategy.canary';
const PROVIDER = 'spec.metrics.*.provider';
const SINCE_1_9 = [
  `${CANARY}.replicaProgressThreshold`,
  `${CANARY}.steps.*.experiment.scaleDownDelaySeconds`,
  `${CANARY}.trafficRouting.istio.destinationRule.additionalSubsetNames`,
  `${PROVIDER}.job.spec.managedBy`,
  `${PROVIDER}.job.spec.successPolicy`,
  `${PROVIDER}.kayenta.lookback`,
];
const SINCE_1_8 = [
  `${CANARY}.steps.*.plugin`,
  `${CANARY}.trafficRouting.nginx.canaryIngressAnnotations`,
  'spec.metrics.*.consecutiveSuccessLimit',
  `${PROVIDER}.datadog.secretRef`,
  `${PROVIDER}.newRelic.timeout`,
  `${PROVIDER}.prometheus.rangeQuery`,
];
const CRDS = 'manifests/crds';

const MAIN = 'cmd/rollouts-controller/main.go';
const VALIDATION = 'pkg/apis/rollouts/validation';
const ISTIO = 'rollout/trafficrouting/istio/istio.go';

/** What each fact is, by release: the only place where releases differ. */
export const ARGO_HISTORY: Histories<ArgoRolloutsFacts> = {
  metricsPortFlag: [
    { from: '1.7.0', is: 'metricsport', source: MAIN },
    { from: '1.9.0', is: 'metricsPort', source: MAIN },
  ],
  awsApiFlags: [
    { from: '1.7.0', is: false, source: MAIN },
    { from: '1.9.0', is: true, source: MAIN },
  ],
  flags: [
    { from: '1.7.0', is: FLAGS_1_7, source: MAIN },
    { from: '1.8.0', is: FLAGS_1_8, source: MAIN },
    { from: '1.9.0', is: FLAGS_1_9, source: MAIN },
  ],
  stepPlugins: [
    { from: '1.7.0', is: false, source: `${VALIDATION}/validation.go` },
    { from: '1.8.0', is: true, source: `${VALIDATION}/validation.go` },
  ],
  lacksFields: [
    { from: '1.7.0', is: [...SINCE_1_8, ...SINCE_1_9], source: CRDS },
    { from: '1.8.0', is: SINCE_1_9, source: CRDS },
    { from: '1.9.0', is: [], source: CRDS },
  ],
  consecutiveSuccessLimit: [
    { from: '1.7.0', is: false, source: 'utils/analysis/factory.go' },
    { from: '1.8.0', is: true, source: 'utils/analysis/factory.go' },
  ],
  ingressesCheckedByRouter: [
    { from: '1.7.0', is: false, source: `${VALIDATION}/validation_references.go` },
    { from: '1.9.0', is: true, source: `${VALIDATION}/validation_references.go, #4460` },
  ],
  pingPongWithPlugins: [
    { from: '1.7.0', is: false, source: `${VALIDATION}/validation.go` },
    { from: '1.10.0', is: true, source: `${VALIDATION}/validation.go` },
  ],
  mirrorRouteWithPlugins: [
    { from: '1.7.0', is: false, source: `${VALIDATION}/validation.go` },
    { from: '1.10.0', is: true, source: `${VALIDATION}/validation.go, #4740` },
  ],
  seesPrivileges: [
    { from: '1.7.0', is: false, source: `${VALIDATION}/validation.go` },
    { from: '1.10.1', is: true, source: `${VALIDATION}/validation.go` },
  ],
  minPodsCappedAtReplicas: [
    { from: '1.7.0', is: false, recordings: ['1.9.1/alb-min-pods-above'], source: 'utils/replicaset/canary.go' },
    { from: '1.10.0', is: true, source: 'utils/replicaset/canary.go' },
  ],
  removesRoutesWithoutPods: [
    { from: '1.7.0', is: false, recordings: ['1.7.2/alb-header-first'], source: 'rollout/trafficrouting.go' },
    {
      from: '1.8.0',
      is: true,
      recordings: ['1.8.5/alb-header-first', '1.9.1/alb-header-third'],
      source: 'rollout/trafficrouting.go',
    },
  ],
  watchesPods: [
    { from: '1.7.0', is: false, source: 'cmd/rollouts-controller/main.go' },
    { from: '1.10.0', is: true, source: 'cmd/rollouts-controller/main.go' },
  ],
  weightWaitsForStablePods: [
    {
      from: '1.7.0',
      is: false,
      recordings: ['1.7.2/alb-dynamic-broken-later'],
      source: 'rollout/trafficrouting.go',
    },
    {
      from: '1.8.1',
      is: true,
      recordings: [
        '1.8.5/alb-dynamic-broken-later',
        '1.9.1/alb-dynamic-broken-later',
        '1.10.2/alb-dynamic-broken-later',
      ],
      source: 'rollout/trafficrouting.go',
    },
  ],
  takesWeightBeforeSubset: [
    {
      from: '1.7.0',
      is: false,
      recordings: ['1.7.2/istio-subsets-third-2', '1.8.5/istio-subsets-third-2'],
      source: ISTIO,
    },
    {
      from: '1.9.0',
      is: true,
      recordings: ['1.9.1/istio-subsets-third-2', '1.10.2/istio-subsets-third-2'],
      source: ISTIO,
    },
  ],
  removesDelayedPods: [
    { from: '1.7.0', is: true, recordings: ['1.7.2/alb-ping-pong-third-2'], source: 'rollout/replicaset.go' },
    { from: '1.8.1', is: false, recordings: ['1.8.1/alb-ping-pong-third-2'], source: 'rollout/replicaset.go' },
    { from: '1.8.2', is: true, recordings: ['1.8.5/alb-ping-pong-third-2'], source: 'rollout/replicaset.go' },
  ],
  countsStablePodsByMaxWeight: [
    { from: '1.7.0', is: true, recordings: ['1.7.2/nginx-max-weight-straight'], source: 'rollout/trafficrouting.go' },
    { from: '1.8.1', is: false, recordings: ['1.8.5/nginx-max-weight-straight'], source: 'rollout/trafficrouting.go' },
    { from: '1.9.0', is: true, recordings: ['1.9.1/nginx-max-weight-straight'], source: 'rollout/trafficrouting.go' },
  ],
  virtualServiceNamesHaveDots: [
    { from: '1.7.0', is: false, source: 'utils/istio/istio.go' },
    { from: '1.10.0', is: true, source: 'utils/istio/istio.go, #4709' },
  ],
  skipsAnalysisWithinWindow: [
    { from: '1.7.0', is: false, source: 'rollout/analysis.go' },
    {
      from: '1.7.2',
      is: true,
      recordings: ['1.9.1/bg-rollback-window-analysis-automatic'],
      source: 'rollout/analysis.go',
    },
  ],
  rollsBackWithinWindowAtOnce: [
    {
      from: '1.7.0',
      is: false,
      recordings: ['1.7.2/bg-rollback-window-late', '1.9.1/bg-rollback-window-late'],
      source: 'rollout/bluegreen.go',
    },
    { from: '1.10.0', is: true, recordings: ['1.10.2/bg-rollback-window-late'], source: 'rollout/sync.go' },
  ],
  scalesStableBesideActive: [
    { from: '1.7.0', is: false, recordings: ['1.7.1/bg-analysis-after-runs-scale'], source: 'rollout/bluegreen.go' },
    { from: '1.7.2', is: true, recordings: ['1.7.2/bg-analysis-after-runs-scale'], source: 'rollout/bluegreen.go' },
  ],
  istioWaitsForPods: [
    { from: '1.7.0', is: 'no', recordings: ['1.7.2/istio-subsets-broken-third'], source: ISTIO },
    { from: '1.8.0', is: 'always', recordings: ['1.8.1/istio-subsets-broken-abort'], source: ISTIO },
    { from: '1.8.3', is: 'no', recordings: ['1.8.5/istio-subsets-broken-third'], source: ISTIO },
    { from: '1.9.0', is: 'until-abort', recordings: ['1.9.1/istio-subsets-deadline-abort'], source: ISTIO },
  ],
  beginsDeadlineAnew: [
    { from: '1.7.0', is: false, recordings: ['1.9.1/istio-subsets-deadline-third'], source: 'rollout/sync.go' },
    { from: '1.10.0', is: true, recordings: ['1.10.2/istio-subsets-deadline-third'], source: 'rollout/sync.go' },
  ],
  weighsOnlyRoute: [
    { from: '1.7.0', is: false, recordings: ['1.7.2/istio-unnamed-straight'], source: ISTIO },
    { from: '1.8.3', is: true, recordings: ['1.8.5/istio-unnamed-straight'], source: ISTIO },
  ],
  experimentServicesSelectLabels: [
    {
      from: '1.7.0',
      is: false,
      recordings: ['1.8.5/alb-experiment-weight'],
      source: 'experiments/replicaset.go',
    },
    {
      from: '1.9.0',
      is: true,
      recordings: ['1.9.1/alb-experiment-weight'],
      source: 'experiments/replicaset.go',
    },
  ],
  promotesWithMorePods: [
    {
      from: '1.7.0',
      is: false,
      recordings: ['1.8.5/alb-scale-above', '1.8.5/alb-min-pods-above'],
      source: 'rollout/sync.go',
    },
    { from: '1.9.0', is: true, recordings: ['1.9.1/alb-scale-above'], source: 'rollout/sync.go' },
  ],
  dynamicAbortFollowsSteps: [
    {
      from: '1.7.0',
      is: false,
      recordings: ['1.8.5/alb-dynamic-back-abort-delay'],
      source: 'rollout/trafficrouting.go',
    },
    {
      from: '1.9.0',
      is: true,
      recordings: ['1.9.1/alb-dynamic-back-abort-delay', '1.10.2/alb-dynamic-back-abort-delay'],
      source: 'utils/replicaset/canary.go',
    },
  ],
  scalesAfterAbort: [
    {
      from: '1.7.0',
      is: false,
      recordings: ['1.8.5/alb-aborted-undo-scaled-back', '1.9.1/alb-aborted-undo-scaled-back'],
      source: 'rollout/replicaset.go',
    },
    {
      from: '1.10.0',
      is: true,
      recordings: ['1.10.2/alb-aborted-undo-scaled-back', '1.10.2/alb-aborted-undo-scaled-retry'],
      source: 'rollout/replicaset.go',
    },
  ],
  fastTracksNewerVersions: [
    {
      from: '1.7.0',
      is: true,
      recordings: ['1.7.2/bg-aborted-soon-retry', '1.9.1/bg-analysis-before-fails-retry'],
      source: 'rollout/bluegreen.go',
    },
    {
      from: '1.10.0',
      is: false,
      recordings: ['1.10.2/bg-analysis-before-fails-retry'],
      source: 'rollout/sync.go',
    },
  ],
  rollsBackToStableAtOnce: [
    {
      from: '1.7.0',
      is: false,
      recordings: ['1.7.2/bg-analysis-after-runs-undo', '1.9.1/bg-analysis-after-inconclusive-undo'],
      source: 'rollout/bluegreen.go',
    },
    {
      from: '1.10.0',
      is: true,
      recordings: ['1.10.2/bg-analysis-after-runs-undo'],
      source: 'rollout/sync.go',
    },
  ],
  ignoresMiddleVersion: [
    {
      from: '1.7.0',
      is: false,
      recordings: ['1.7.2/alb-undo-scaled-up', '1.7.2/bg-undo-scaled', '1.7.2/bg-third-scaled'],
      source: 'rollout/sync.go',
    },
    {
      from: '1.8.0',
      is: true,
      recordings: ['1.8.5/alb-undo-scaled-up', '1.8.5/bg-undo-scaled'],
      source: 'rollout/sync.go',
    },
  ],
};
