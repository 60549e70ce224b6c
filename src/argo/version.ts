import { factsOf } from '../core/release-history';
import { parseVersionNumber } from '../core/version-number';
import { ARGO_HISTORY, type ArgoRolloutsFacts } from './facts';

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
    return new ArgoRolloutsVersion(text, { ...factsOf(ARGO_HISTORY, number), ...facts });
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
