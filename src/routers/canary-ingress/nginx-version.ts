import type { Histories } from '../../core/release-history';
import { knownRelease } from '../known-release';

/** The differences between releases of ingress-nginx. */
export interface IngressNginxFacts {
  /** Whether `--enable-annotation-validation` is the default: an annotation with a character that is not allowed there counts as empty. */
  readonly annotationValidation: boolean;
}

/** What each fact is, by release. */
export const INGRESS_NGINX_HISTORY: Histories<IngressNginxFacts> = {
  annotationValidation: [
    { from: '1.0.0', is: false, source: 'pkg/flags/flags.go' },
    { from: '1.12.0', is: true, source: 'pkg/flags/flags.go' },
  ],
};

/**
 * A release of ingress-nginx and its behaviour.
 *
 * @example
 * IngressNginxVersion.of('1.11.5').facts.annotationValidation; // false
 */
export class IngressNginxVersion {
  /** Release 1.11.5. */
  static readonly V1_11_5 = IngressNginxVersion.of('1.11.5');
  /** Release 1.12.0. */
  static readonly V1_12_0 = IngressNginxVersion.of('1.12.0');
  /** Release 1.14.0. */
  static readonly V1_14_0 = IngressNginxVersion.of('1.14.0');

  /** The newest release that this library knows: the default everywhere. */
  static readonly LATEST = IngressNginxVersion.V1_14_0;

  /**
   * Any release, with or without a leading `v`.
   * @param facts the differences of a custom build from the release of that number
   */
  static of(version: string, facts: Partial<IngressNginxFacts> = {}): IngressNginxVersion {
    const known = { title: 'ingress-nginx', example: '1.11.5', history: INGRESS_NGINX_HISTORY };
    const release = knownRelease(known, version, facts);
    return new IngressNginxVersion(release.version, release.facts);
  }

  private constructor(
    /** The number of the release, without `v`: `1.11.5`. */
    readonly version: string,
    /** The behaviour of this release. */
    readonly facts: IngressNginxFacts,
  ) {}

  /** The tag of the release: `v1.11.5`. */
  toString(): string {
    return `v${this.version}`;
  }
}
