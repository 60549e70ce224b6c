import { factsOf } from '../core/release-history';
import { parseVersionNumber } from '../core/version-number';
import { KRUISE_HISTORY, type KruiseRolloutFacts } from './facts';

/**
 * A release of the Kruise Rollouts controller, with its behaviour.
 *
 * @example
 * const version = KruiseRolloutVersion.V0_6_2;
 * version.facts.emptyTable; // 'null'
 */
export class KruiseRolloutVersion {
  /** Release 0.3.0. */
  static readonly V0_3_0 = KruiseRolloutVersion.of('0.3.0');
  /** Release 0.4.0. */
  static readonly V0_4_0 = KruiseRolloutVersion.of('0.4.0');
  /** Release 0.4.4. */
  static readonly V0_4_4 = KruiseRolloutVersion.of('0.4.4');
  /** Release 0.5.0. */
  static readonly V0_5_0 = KruiseRolloutVersion.of('0.5.0');
  /** Release 0.5.5. */
  static readonly V0_5_5 = KruiseRolloutVersion.of('0.5.5');
  /** Release 0.6.0. */
  static readonly V0_6_0 = KruiseRolloutVersion.of('0.6.0');
  /** Release 0.6.1. */
  static readonly V0_6_1 = KruiseRolloutVersion.of('0.6.1');
  /** Release 0.6.2. */
  static readonly V0_6_2 = KruiseRolloutVersion.of('0.6.2');

  /** The master branch after 0.6.2 (commit 9dd6279): not released, and not in `ALL`. */
  static readonly NEXT = KruiseRolloutVersion.of('0.7.0-next');

  /** The newest release that this library knows: the default everywhere. */
  static readonly LATEST = KruiseRolloutVersion.V0_6_2;

  /** Every release that this library knows, oldest first. */
  static readonly ALL: readonly KruiseRolloutVersion[] = [
    KruiseRolloutVersion.V0_3_0,
    KruiseRolloutVersion.V0_4_0,
    ...['0.4.1', '0.4.2', '0.4.3'].map((version) => KruiseRolloutVersion.of(version)),
    KruiseRolloutVersion.V0_4_4,
    KruiseRolloutVersion.V0_5_0,
    ...['0.5.1', '0.5.2', '0.5.3', '0.5.4'].map((version) => KruiseRolloutVersion.of(version)),
    KruiseRolloutVersion.V0_5_5,
    KruiseRolloutVersion.V0_6_0,
    KruiseRolloutVersion.V0_6_1,
    KruiseRolloutVersion.V0_6_2,
  ];

  /**
   * Any release: a patch release, or a custom build. Its facts are those of the release with the same number.
   * @param facts what differs from that release
   *
   * @example
   * KruiseRolloutVersion.of('0.6.3').facts.blueGreen; // true
   */
  static of(version: string, facts: Partial<KruiseRolloutFacts> = {}): KruiseRolloutVersion {
    const text = withoutV(version);
    const number = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(text) ? parseVersionNumber(text) : undefined;
    if (number === undefined) {
      throw new Error(`Kruise Rollouts version "${version}" is not a version: write it as in "0.6.2"`);
    }
    return new KruiseRolloutVersion(text, { ...factsOf(KRUISE_HISTORY, number), ...facts });
  }

  /** The known release with this number, with or without a leading `v`; undefined if the library does not know it. */
  static find(version: string): KruiseRolloutVersion | undefined {
    const number = withoutV(version);
    return KruiseRolloutVersion.ALL.find((known) => known.version === number);
  }

  private constructor(
    /** The release's number, without `v`: `0.6.2`. */
    readonly version: string,
    /** The behaviour of this release. */
    readonly facts: KruiseRolloutFacts,
  ) {}

  /** The tag of the release: `v0.6.2`. */
  toString(): string {
    return `v${this.version}`;
  }
}

function withoutV(version: string): string {
  return version.replace(/^v/, '');
}
