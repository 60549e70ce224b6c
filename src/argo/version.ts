/** The differences between releases of the Argo Rollouts controller. */
export interface ArgoRolloutsFacts {
  /** The flag for the metrics port. Flags are case-sensitive, and the controller exits for an unknown flag. */
  readonly metricsPortFlag: 'metricsport' | 'metricsPort';
  /**
   * Whether `--aws-target-group-binding-api-version` and `--alb-tag-key-resource-id` exist, which target group
   * verification needs in EKS Auto Mode.
   */
  readonly awsApiFlags: boolean;
  /**
   * All flags of the controller, without dashes; the controller exits for any other flag. A flag whose first release is
   * unknown is in all lists, so that no valid flag is refused.
   */
  readonly flags: readonly string[];
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

const V1_8_FLAGS = [
  ...CLIENT_FLAGS,
  'alb-ingress-classes',
  'alb-verify-weight',
  'ambassador-api-version',
  'analysis-threads',
  'appmesh-crd-version',
  'aws-verify-target-group',
  'burst',
  'controllers',
  'enable-pprof-address',
  'ephemeral-metadata-threads',
  'ephemeral-metadata-update-pod-retries',
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

const V1_8: ArgoRolloutsFacts = { metricsPortFlag: 'metricsport', awsApiFlags: false, flags: V1_8_FLAGS };

const V1_9: ArgoRolloutsFacts = {
  metricsPortFlag: 'metricsPort',
  awsApiFlags: true,
  flags: [...V1_8_FLAGS, 'alb-tag-key-resource-id', 'aws-target-group-binding-api-version', 'metricsPort'],
};

/**
 * A release of the Argo Rollouts controller, with its behaviour.
 *
 * @example
 * const version = ArgoRolloutsVersion.V1_9_1;
 * version.facts.awsApiFlags; // true
 */
export class ArgoRolloutsVersion {
  /** Release 1.8.3. */
  static readonly V1_8_3 = new ArgoRolloutsVersion('1.8.3', V1_8);
  /** Release 1.9.0. */
  static readonly V1_9_0 = new ArgoRolloutsVersion('1.9.0', V1_9);
  /** Release 1.9.1. */
  static readonly V1_9_1 = new ArgoRolloutsVersion('1.9.1', V1_9);

  /** The newest release that this library knows: the default everywhere. */
  static readonly LATEST = ArgoRolloutsVersion.V1_9_1;

  /** Every release that this library knows, oldest first. */
  static readonly ALL: readonly ArgoRolloutsVersion[] = [
    ArgoRolloutsVersion.V1_8_3,
    ArgoRolloutsVersion.V1_9_0,
    ArgoRolloutsVersion.V1_9_1,
  ];

  /**
   * A release that is not in this class: a patch release, or a custom build.
   *
   * The facts are not checked. Start from those of the nearest release, and compare the flags in
   * `cmd/rollouts-controller/main.go` of both releases.
   *
   * @example
   * const { facts } = ArgoRolloutsVersion.V1_9_1;
   * ArgoRolloutsVersion.of('1.10.0', { ...facts, flags: [...facts.flags, 'configmap-name'] });
   */
  static of(version: string, facts: ArgoRolloutsFacts): ArgoRolloutsVersion {
    const number = withoutV(version);
    if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(number)) {
      throw new Error(`Argo Rollouts version "${version}" is not a version: write it as in "1.9.1"`);
    }
    return new ArgoRolloutsVersion(number, facts);
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
