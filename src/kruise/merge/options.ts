import type { KruiseRolloutVersion } from '../version';

/** What the effects of a merge depend on besides the manifests. */
export interface MergeOptions {
  /**
   * The release of Kruise Rollouts.
   * @default KruiseRolloutVersion.LATEST
   */
  readonly kruiseVersion?: KruiseRolloutVersion;
  /**
   * The controller's flag `--partition-percent-limit`.
   * @default 50
   */
  readonly partitionPercentLimit?: number;
}
