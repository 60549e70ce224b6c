/** What a change does to releases: plain data, so that reports need no model of a controller or a load balancer. */
import type { Finding, ObjectRef, Severity, SourceLocation } from './finding';
import type { JsonObject } from './json';
import type { RehearsalPhase, RehearsedCell, RequestClass } from './rehearsal-result';
import type { SuppressedFinding } from './suppression';

/** The difference between two states of a stack. */
export interface StackDiff {
  readonly base: DiffedSide;
  readonly head: DiffedSide;
  /** What happens when the change is merged and applied, warnings first. */
  readonly effects: readonly MergeEffect[];
  /** The Rollouts that differ, by kind, namespace and name. */
  readonly releases: readonly ReleaseDiff[];
  /** The number of Rollouts in which nothing differs. */
  readonly unchanged: number;
  readonly findings: FindingsDiff;
}

/** One of the two states. */
export interface DiffedSide {
  /** As the user named it: `origin/main`, `deploy`. */
  readonly name: string;
  /**
   * The commit that the name stands for.
   * @default - the state was read from files
   */
  readonly commit?: string;
  /** The number of objects. */
  readonly objects: number;
}

/** The findings of both states, matched by rule, object and field. */
export interface FindingsDiff {
  /** Only the head has them; in report order. */
  readonly added: readonly Finding[];
  /** Only the base has them. */
  readonly fixed: readonly Finding[];
  /** The number of those in both. */
  readonly unchanged: number;
  /** Findings that are accepted in the head, and were not in the base. */
  readonly accepted: readonly SuppressedFinding[];
}

/** What an effect is about. */
export type MergeEffectKind =
  /** A release begins. */
  | 'starts-release'
  /** No release begins, although one might expect it. */
  | 'no-release'
  /** The pods change without steps, because nothing steers them yet or any more. */
  | 'no-canary'
  /** The pods change without steps, although a Rollout steers them. */
  | 'bypass'
  /** The webhook of the controller refuses the change: always, or while a release is in progress. */
  | 'refused'
  /** A release in progress takes another way. */
  | 'reroutes'
  /** A release in progress ends, and the controller stops steering. */
  | 'ends-release';

/** What happens when the change is merged and applied. */
export interface MergeEffect {
  readonly kind: MergeEffectKind;
  /** A `warning` where users would not expect it. */
  readonly severity: Exclude<Severity, 'error'>;
  readonly rollout: ObjectRef;
  /** What happens, in one sentence. */
  readonly message: string;
  /** Why: what the controller does. */
  readonly because: string;
  /**
   * What to do instead.
   * @default - nothing is wrong
   */
  readonly fix?: string;
  /** The object whose change has the effect. */
  readonly object: ObjectRef;
  readonly path?: string;
  readonly source?: SourceLocation;
}

/** What differs in one release. */
export interface ReleaseDiff {
  /** The Rollout or TrafficRouting. */
  readonly rollout: ObjectRef;
  readonly change: 'new' | 'gone' | 'changed';
  /** What a reviewer should know, the worst first. */
  readonly remarks: readonly ReleaseRemark[];
  /** The requests of both rehearsals, joined by their text. */
  readonly requests: readonly DiffedRequest[];
  /** The moments of both rehearsals, in order. */
  readonly moments: readonly DiffedMoment[];
  /** The Rollout before; undefined if it is new. */
  readonly before?: JsonObject;
  /** The Rollout after; undefined if it is gone. */
  readonly after?: JsonObject;
}

/** A sentence about a release. */
export interface ReleaseRemark {
  /** `worse` where users get an error that they did not get. */
  readonly tone: 'worse' | 'plain' | 'better';
  /** `step 2 now reaches /admin: 20% of it get the new version` */
  readonly text: string;
  /**
   * The index of the step in the head; in the base where only that has it.
   * @default - it is about no single step
   */
  readonly step?: number;
}

/** On which side something is. */
export type DiffedOn = 'both' | 'base' | 'head';

/** A request of either rehearsal. */
export interface DiffedRequest {
  readonly on: DiffedOn;
  readonly class: RequestClass;
  readonly label: string;
  /** `GET https://shop.example.com/cart -H "user-agent: pc"` */
  readonly text: string;
  /** `aws-alb shop, HTTPS:443` */
  readonly loadBalancer: string;
}

/** A moment of either rehearsal. */
export interface DiffedMoment {
  readonly on: DiffedOn;
  readonly phase: RehearsalPhase;
  /** The title in the base: `steps[0]: 20%`. */
  readonly before?: string;
  /** The title in the head. */
  readonly after?: string;
  /** One per request, in the order of `requests`. */
  readonly cells: readonly DiffedCell[];
}

/** Where a request goes at a moment; undefined on a side that has not both. */
export interface DiffedCell {
  readonly before?: RehearsedCell;
  readonly after?: RehearsedCell;
  /** Whether users meet something else. */
  readonly differs: boolean;
}
