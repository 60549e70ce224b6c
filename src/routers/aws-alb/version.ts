/** What one release of the AWS Load Balancer Controller does differently from another. */
export interface AwsLoadBalancerControllerFacts {
  /** Whether conditions may hold `regexValues`; where not, they are dropped and the condition is refused as empty. */
  readonly regexValues: boolean;
}

/** The first release that knows `regexValues`. */
const REGEX_VALUES_SINCE = [2, 14, 1];

/**
 * A release of the AWS Load Balancer Controller, and what an Ingress meets there.
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
   * @param facts what is different from the release of that number, in a build of one's own
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
    /** The release's number, without `v`: `2.14.1`. */
    readonly version: string,
    /** What this release does. */
    readonly facts: AwsLoadBalancerControllerFacts,
  ) {}

  /** The release as its tag has it: `v2.14.1`. */
  toString(): string {
    return `v${this.version}`;
  }
}

function isAtLeast(version: readonly number[], other: readonly number[]): boolean {
  const at = version.findIndex((part, index) => part !== other[index]);
  return at < 0 || version[at]! > other[at]!;
}
