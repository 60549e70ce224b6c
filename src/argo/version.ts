import { compareVersionNumbers, parseVersionNumber, type VersionNumber } from '../core/version-number';

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
   * Whether each Ingress is checked for the router that names it. Before, an ALB Ingress of a Rollout with `nginx` is
   * checked for nginx.
   */
  readonly ingressesCheckedByRouter: boolean;
  /** Whether `pingPong` works with routers of plugins; before, it needs `alb` or `istio`. */
  readonly pingPongWithPlugins: boolean;
  /** Whether `setMirrorRoute` works with routers of plugins; before, it needs `istio`. */
  readonly mirrorRouteWithPlugins: boolean;
  /** Whether `minPodsPerReplicaSet` counts for at most `spec.replicas`; before, it may require more pods. */
  readonly minPodsCappedAtReplicas: boolean;
  /** Whether header routes are removed while the canary has no pods; before, they lead to a Service without pods. */
  readonly removesRoutesWithoutPods: boolean;
  /** Whether a subset of Istio keeps the version before until the next one has pods; before, it selects no pod meanwhile. */
  readonly keepsSubsetUntilReady: boolean;
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

type Switch = {
  [Fact in keyof ArgoRolloutsFacts]: ArgoRolloutsFacts[Fact] extends boolean ? Fact : never;
}[keyof ArgoRolloutsFacts];

/** A fact, the first release for which it holds, and where that can be read. */
interface Change {
  readonly fact: Switch;
  readonly from: VersionNumber;
  readonly source: string;
}

const VALIDATION = 'pkg/apis/rollouts/validation';

const CHANGES: readonly Change[] = [
  { fact: 'stepPlugins', from: [1, 8, 0], source: `${VALIDATION}/validation.go` },
  { fact: 'removesRoutesWithoutPods', from: [1, 8, 0], source: 'rollout/trafficrouting.go' },
  { fact: 'keepsSubsetUntilReady', from: [1, 9, 0], source: 'rollout/trafficrouting/istio' },
  { fact: 'awsApiFlags', from: [1, 9, 0], source: 'cmd/rollouts-controller/main.go' },
  { fact: 'ingressesCheckedByRouter', from: [1, 9, 0], source: `${VALIDATION}/validation_references.go, #4460` },
  { fact: 'pingPongWithPlugins', from: [1, 10, 0], source: `${VALIDATION}/validation.go` },
  { fact: 'mirrorRouteWithPlugins', from: [1, 10, 0], source: `${VALIDATION}/validation.go, #4740` },
  { fact: 'minPodsCappedAtReplicas', from: [1, 10, 0], source: 'utils/replicaset/canary.go' },
];

/** Flags of the controller by the release that added them; see `cmd/rollouts-controller/main.go`. */
const FLAGS: readonly { readonly from: VersionNumber; readonly names: readonly string[] }[] = [
  {
    from: [0, 0, 0],
    names: [
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
    ],
  },
  { from: [1, 8, 0], names: ['enable-pprof-address'] },
  {
    from: [1, 9, 0],
    names: [
      'alb-tag-key-resource-id',
      'aws-target-group-binding-api-version',
      'ephemeral-metadata-threads',
      'ephemeral-metadata-update-pod-retries',
      'metricsPort',
    ],
  },
];

/** The facts of the release with this number. */
function factsOf(number: VersionNumber): ArgoRolloutsFacts {
  const isSince = (from: VersionNumber) => compareVersionNumbers(number, from) >= 0;
  const has = (fact: Switch) => CHANGES.some((change) => change.fact === fact && isSince(change.from));
  return {
    metricsPortFlag: isSince([1, 9, 0]) ? 'metricsPort' : 'metricsport',
    flags: FLAGS.filter(({ from }) => isSince(from)).flatMap(({ names }) => names),
    awsApiFlags: has('awsApiFlags'),
    stepPlugins: has('stepPlugins'),
    ingressesCheckedByRouter: has('ingressesCheckedByRouter'),
    pingPongWithPlugins: has('pingPongWithPlugins'),
    mirrorRouteWithPlugins: has('mirrorRouteWithPlugins'),
    minPodsCappedAtReplicas: has('minPodsCappedAtReplicas'),
    removesRoutesWithoutPods: has('removesRoutesWithoutPods'),
    keepsSubsetUntilReady: has('keepsSubsetUntilReady'),
  };
}

/**
 * A release of the Argo Rollouts controller, with its behaviour.
 *
 * @example
 * const version = ArgoRolloutsVersion.V1_9_1;
 * version.facts.awsApiFlags; // true
 */
export class ArgoRolloutsVersion {
  /** Release 1.8.3. */
  static readonly V1_8_3 = ArgoRolloutsVersion.of('1.8.3');
  /** Release 1.8.4. */
  static readonly V1_8_4 = ArgoRolloutsVersion.of('1.8.4');
  /** Release 1.8.5. */
  static readonly V1_8_5 = ArgoRolloutsVersion.of('1.8.5');
  /** Release 1.9.0. */
  static readonly V1_9_0 = ArgoRolloutsVersion.of('1.9.0');
  /** Release 1.9.1. */
  static readonly V1_9_1 = ArgoRolloutsVersion.of('1.9.1');
  /** Release 1.9.3. */
  static readonly V1_9_3 = ArgoRolloutsVersion.of('1.9.3');
  /** Release 1.10.2. */
  static readonly V1_10_2 = ArgoRolloutsVersion.of('1.10.2');

  /** The default everywhere: the release with which this library is compared. Newer releases differ in the facts that it lists. */
  static readonly LATEST = ArgoRolloutsVersion.V1_9_1;

  /** Every release that this library knows, oldest first. */
  static readonly ALL: readonly ArgoRolloutsVersion[] = [
    ...['1.7.0', '1.7.1', '1.7.2', '1.8.0', '1.8.1', '1.8.2'].map((version) => ArgoRolloutsVersion.of(version)),
    ArgoRolloutsVersion.V1_8_3,
    ArgoRolloutsVersion.V1_8_4,
    ArgoRolloutsVersion.V1_8_5,
    ArgoRolloutsVersion.V1_9_0,
    ArgoRolloutsVersion.V1_9_1,
    ArgoRolloutsVersion.of('1.9.2'),
    ArgoRolloutsVersion.V1_9_3,
    ...['1.10.0', '1.10.1'].map((version) => ArgoRolloutsVersion.of(version)),
    ArgoRolloutsVersion.V1_10_2,
  ];

  /**
   * Any release: a release candidate, a build of your own. Its facts are those of the release with the same number.
   * @param facts what differs from that release
   *
   * @example
   * ArgoRolloutsVersion.of('1.10.0-rc1').facts.pingPongWithPlugins; // true
   */
  static of(version: string, facts: Partial<ArgoRolloutsFacts> = {}): ArgoRolloutsVersion {
    const text = withoutV(version);
    const number = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(text) ? parseVersionNumber(text) : undefined;
    if (number === undefined) {
      throw new Error(`Argo Rollouts version "${version}" is not a version: write it as in "1.9.1"`);
    }
    return new ArgoRolloutsVersion(text, { ...factsOf(number), ...facts });
  }

  /** The known release with this number, with or without a leading `v`; undefined if the library does not know it. */
  static find(version: string): ArgoRolloutsVersion | undefined {
    const number = withoutV(version);
    return ArgoRolloutsVersion.ALL.find((known) => known.version === number);
  }

  private constructor(
    /** The release's number, without `v`: `1.9.1`. */
    readonly version: string,
    /** The behaviour of this release. */
    readonly facts: ArgoRolloutsFacts,
  ) {}

  /** The tag of the release: `v1.9.1`. */
  toString(): string {
    return `v${this.version}`;
  }
}

function withoutV(version: string): string {
  return version.replace(/^v/, '');
}
