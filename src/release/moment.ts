/** A release as a sequence of moments, and what it declares for its users at each of them. */
import type { ObjectRef } from '../core/finding';
import type { RehearsalPhase } from '../core/rehearsal-result';
import type { World } from '../core/world';
import type { Match } from './match';
import type { PodGroup } from './pods';
import type { ReleaseStop } from './remark';

/** What a release declares for the requests of its users. Shares are between 0 and 1. */
export interface DeclaredShare {
  /** The share of requests without any match that the canary gets. */
  readonly share: number;
  /** All requests that meet one of these matches go to the canary. */
  readonly matches: readonly Match[];
  /**
   * The share of the new version in requests through the preview Service.
   * @default - nothing is declared for them
   */
  readonly preview?: number;
}

/** A delay that the manifests declare, or that the controller has where they say nothing. */
export interface Delay {
  readonly seconds: number;
  /** The field that changes it: `pause.duration`. */
  readonly field: string;
}

/** A state of the cluster between two writes of one object. */
export interface PassedState {
  readonly world: World;
  /** The objects that the controller has written to get there, in its order. */
  readonly written: readonly ObjectRef[];
}

/** A state of the cluster that lasts long enough for users to meet it. */
export interface Moment {
  /** `abort` moments form a branch of their own, which starts at a step. */
  readonly phase: RehearsalPhase;
  /**
   * The index of the step, as in `steps[0]`.
   * @default - the moment belongs to no step
   */
  readonly step?: number;
  /** What has just happened: `canary Ingress created`. */
  readonly event: string;
  /** All objects, with what the controller has written. */
  readonly world: World;
  /**
   * The objects as load balancers have taken them over.
   * @default - as they are in the cluster
   */
  readonly served?: World;
  /**
   * The objects that the controller has written since the moment before, in its order.
   * @default - sorted by kind, namespace and name
   */
  readonly written?: readonly ObjectRef[];
  /**
   * Through what the controller went since the moment before, too fast for users to meet it.
   * @default - one write per object
   */
  readonly passed?: readonly PassedState[];
  /** The pods of the application. The World contains one Pod of each version. */
  readonly pods: readonly PodGroup[];
  /**
   * What the release declares for this moment.
   * @default - nothing: users may meet any mix of the versions
   */
  readonly declared?: DeclaredShare;
  /**
   * Whether the controller splits traffic at this moment.
   * @default false
   */
  readonly routesTraffic?: boolean;
  /**
   * The step in a few words: `20%`.
   * @default - the event
   */
  readonly summary?: string;
  /**
   * What was done since the moment before: `release v3`.
   * @default - nothing
   */
  readonly did?: readonly string[];
  /**
   * How long it lasts at least.
   * @default - as long as its step says, or the changes of routes
   */
  readonly lasts?: Delay;
  /**
   * The version that each value of the revision label stands for.
   * @default { stable: 'v1', canary: 'v2' }
   */
  readonly versions?: Readonly<Record<string, string>>;
}

/** What happens to a release from before its first step until after its last one. */
export interface ReleasePlay {
  /** The first moment is the state before the release. */
  readonly moments: readonly Moment[];
  /** The label that distinguishes the pods of the two versions. */
  readonly revisionLabel: string;
  /**
   * Services of the application in addition to the stable and the canary one.
   * @default - none
   */
  readonly otherServices?: readonly string[];
  /**
   * The error at which the controller gets stuck; the moments end there.
   * @default - the release completes
   */
  readonly stop?: ReleaseStop;
}

/** The World of a moment: that of the moment before, if it has the same objects. */
export function sameWorld(world: World, before: World | undefined): World {
  return before?.isLike(world, () => false) ? before : world;
}
