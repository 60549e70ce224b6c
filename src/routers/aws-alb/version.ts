import type { Histories } from '../../core/release-history';
import { knownRelease } from '../known-release';

/** The differences between releases of the AWS Load Balancer Controller. */
export interface AwsLoadBalancerControllerFacts {
  /** Whether conditions may have `regexValues`. Older releases drop them and reject the condition as empty. */
  readonly regexValues: boolean;
  /** Whether `transforms.<name>` rewrites requests. Older releases do not read the annotation. */
  readonly transforms: boolean;
  /** Whether `use-regex-path-match` makes expressions of paths. Older releases compare them as patterns with wildcards. */
  readonly regexPaths: boolean;
  /** Whether `jwt-validation` lets only requests with a valid token pass. Older releases do not read the annotation. */
  readonly jwtValidation: boolean;
}

const ANNOTATIONS = 'docs/guide/ingress/annotations.md';

/** What each fact is, by release. */
export const AWS_LOAD_BALANCER_CONTROLLER_HISTORY: Histories<AwsLoadBalancerControllerFacts> = {
  regexValues: [
    { from: '2.0.0', is: false, source: 'pkg/ingress/config_types.go' },
    { from: '2.14.1', is: true, source: 'pkg/ingress/config_types.go, commit 08cbc9de2' },
  ],
  transforms: [
    { from: '2.0.0', is: false, source: ANNOTATIONS },
    { from: '2.14.1', is: true, source: ANNOTATIONS },
  ],
  regexPaths: [
    { from: '2.0.0', is: false, source: ANNOTATIONS },
    { from: '2.15.0', is: true, source: ANNOTATIONS },
  ],
  jwtValidation: [
    { from: '2.0.0', is: false, source: ANNOTATIONS },
    { from: '2.15.0', is: true, source: ANNOTATIONS },
  ],
};

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
    const known = {
      title: 'AWS Load Balancer Controller',
      example: '2.14.1',
      history: AWS_LOAD_BALANCER_CONTROLLER_HISTORY,
    };
    const release = knownRelease(known, version, facts);
    return new AwsLoadBalancerControllerVersion(release.version, release.facts);
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
