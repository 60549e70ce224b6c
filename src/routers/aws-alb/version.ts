/** The differences between releases of the AWS Load Balancer Controller. */
export interface AwsLoadBalancerControllerFacts {
  /** Whether conditions may have `regexValues`. Older releases drop them and reject the condition as empty. */
  readonly regexValues: boolean;
}

/** The first release that supports `regexValues`. */
const REGEX_VALUES_SINCE = [2, 14, 1];

/**
 * A release of the AWS Load Balancer Controller and its behaviour.
 *
 * @example
 * AwsLoadBalancerControllerVersion.of('2.13.4').facts.regexValues; // false
 */
export class AwsLoadBalancerControllerVersion {
  /** Release 2.13.4. */
  static readonly V2_13_4 = AwsLoadBalancerControllerVersion.of('2.13.4');
  /** Release 2.14.1. */
  static readonly V2_14_1 = AwsLoadBalancerControllerVersion.of('2.14.1');
  /** Release 3.5.0. */
  static readonly V3_5_0 = AwsLoadBalancerControllerVersion.of('3.5.0');

  /** The newest release that this library knows: the default everywhere. */
  static readonly LATEST = AwsLoadBalancerControllerVersion.V3_5_0;

  /**
   * Any release, with or without a leading `v`.
   * @param facts the differences of a custom build from the release of that number
   */
  static of(version: string, facts: Partial<AwsLoadBalancerControllerFacts> = {}): AwsLoadBalancerControllerVersion {
    const found = /^v?((\d+)\.(\d+)\.(\d+)(-[0-9A-Za-z.-]+)?)$/.exec(version);
    if (found === null) {
      throw new Error(`AWS Load Balancer Controller version "${version}" is not a version: write it as in "2.14.1"`);
    }
    const regexValues = isAtLeast([Number(found[2]), Number(found[3]), Number(found[4])], REGEX_VALUES_SINCE);
    return new AwsLoadBalancerControllerVersion(found[1]!, { regexValues, ...facts });
  }

  private constructor(
    /** The number of the release, without `v`: `2.14.1`. */
    readonly version: string,
    /** The behaviour of this release. */
    readonly facts: AwsLoadBalancerControllerFacts,
  ) {}

  /** The tag of the release: `v2.14.1`. */
  toString(): string {
    return `v${this.version}`;
  }
}

function isAtLeast(version: readonly number[], other: readonly number[]): boolean {
  const at = version.findIndex((part, index) => part !== other[index]);
  return at < 0 || version[at]! > other[at]!;
}
