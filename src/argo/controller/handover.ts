/** People give a Rollout another kind of strategy: one kind of release hands over to the other. */
import type { World } from '../../core/world';
import type { PodGroup, StoryEnd } from '../../release';
import type { Edits } from './edited-rollout';
import type { KeepingBalancer } from './load-balancer';
import type { ArgoMoment, ArgoWorkload } from './play';

/** Where a release is when it hands over. */
export type HandoverPlace =
  /** No release runs. */
  | 'idle'
  /** No pod of the new version is ready. */
  | 'starting'
  /** As 'starting', and none becomes ready. */
  | 'broken'
  | 'aborted'
  /** At a pause of the canary. */
  | 'paused'
  /** New pods are ready. */
  | 'running';

/** What the next kind of release goes on with. */
export interface Handover {
  readonly world: World;
  /** The Rollout with its new strategy. */
  readonly workload: ArgoWorkload;
  readonly at: HandoverPlace;
  readonly end: StoryEnd | undefined;
  readonly pods: readonly PodGroup[];
  readonly hashes: { readonly stable: string; readonly canary: string };
  readonly versions: Readonly<Record<string, string>> | undefined;
  readonly moments: readonly ArgoMoment[];
  readonly did: readonly string[];
  /** Hashes that the weights in the status name. They stay there, and so do their pods. */
  readonly referenced: readonly string[];
  readonly edits: Edits;
  readonly balancer: KeepingBalancer | undefined;
  /** Whether `spec.paused` is true. */
  readonly isHalted: boolean;
}
