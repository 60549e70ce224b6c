/** A release in a cluster as it goes on, moment by moment: plain data, so that reports need no cluster. */
import type { CheckupRequest } from './checkup';
import type { ObjectRef } from './finding';
import type { RehearsedChange, RehearsedLoadBalancer } from './rehearsal-result';

/** A release at one moment, and what comes next. */
export interface WatchedMoment {
  /** The time, in ISO format. */
  readonly at: string;
  readonly rollout: ObjectRef;
  /** `Kruise Rollouts` */
  readonly controller: string;
  readonly state: WatchedState;
  readonly loadBalancers: readonly RehearsedLoadBalancer[];
  /** Where each request goes now. */
  readonly requests: readonly CheckupRequest[];
  /** The ready pods behind each Service of the release. */
  readonly pods: readonly WatchedPods[];
  /** The moments that the rehearsal says, and which of them is reached. Empty if the release cannot be rehearsed. */
  readonly road: readonly WatchedPlace[];
  readonly next: WatchedNext;
  /** Where the cluster is not where the rehearsal says that it should be. */
  readonly differences: readonly WatchedDifference[];
  readonly story: WatchedStory;
  /** The objects of the release that differ from the moment before. */
  readonly changes: readonly RehearsedChange[];
  /**
   * What is not known, and which permission it needs.
   * @default - everything is known
   */
  readonly unknown?: readonly string[];
  /**
   * Since when the API server gives no news, and why.
   * @default - all watches are open
   */
  readonly lost?: { readonly since: string; readonly why: string };
}

/**
 * Where a release is.
 *
 * - `healthy`: no release is in progress, and the controller has seen the newest objects
 * - `releasing`: the controller is at work
 * - `waiting`: a person has to act, as the steps say
 * - `leaving`: the release is aborted, rolled back, disabled or deleted, and the controller takes its work back
 * - `stuck`: the release goes on only after somebody repairs something, or never
 * - `aborted`: the release is aborted, and the old version answers
 * - `disabled`: the Rollout is disabled
 * - `gone`: there is no such Rollout
 */
export type WatchedKind = 'healthy' | 'releasing' | 'waiting' | 'leaving' | 'stuck' | 'aborted' | 'disabled' | 'gone';

/** The state of a release by the status of its Rollout. */
export interface WatchedState {
  readonly kind: WatchedKind;
  /** `Progressing, step 2 of 3, StepPaused` */
  readonly text: string;
  /**
   * The step, counted from 0 as in `steps[0]`.
   * @default - the release is at no step
   */
  readonly step?: number;
  /** The number of steps. */
  readonly steps: number;
  /**
   * The controller's message.
   * @default - it says nothing
   */
  readonly message?: string;
  /**
   * How the last release ended that was watched.
   * @default - none has ended
   */
  readonly ended?: 'released' | 'rolled back';
}

/** The ready pods behind a Service. */
export interface WatchedPods {
  readonly service: string;
  /** The number of pods of each version: `{ old: 3, new: 1 }`. Pods of a third version have its hash as their name. */
  readonly versions: Readonly<Record<string, number>>;
}

/** A moment that the rehearsal says. */
export interface WatchedPlace {
  /** `steps[0]: 20%` */
  readonly title: string;
  /** `at`: it is reached. `towards`: the controller is on its way to it. */
  readonly is: 'done' | 'at' | 'towards' | 'later';
  /**
   * The share of plain requests that reach the new version then.
   * @default - no plain request is known
   */
  readonly share?: number;
  /**
   * Who ends it: `approve`, `60 s (pause.duration)`.
   * @default - the controller, as soon as it can
   */
  readonly until?: string;
}

/** What comes next, and who makes it. */
export interface WatchedNext {
  readonly who: 'controller' | 'person' | 'time' | 'analysis' | 'load balancer' | 'nobody';
  /** One sentence: `somebody approves steps[0]`. */
  readonly text: string;
  /**
   * The time at which it happens, in ISO format.
   * @default - nobody knows it
   */
  readonly at?: string;
  /**
   * What a person types, or does.
   * @default - nothing
   */
  readonly act?: string;
  /**
   * What follows: `steps[1]: 60%: 60% of plain requests reach the new version`.
   * @default - nothing follows
   */
  readonly then?: string;
}

/** Where the cluster is not where the rehearsal says that it should be. */
export interface WatchedDifference {
  /** The id of the question that `doctor` answers so: `kruise-expected`. */
  readonly id: string;
  readonly text: string;
  readonly details: readonly string[];
  /**
   * What to do.
   * @default - nothing is known
   */
  readonly fix?: string;
  /** The time at which it was seen first, in ISO format. */
  readonly since: string;
}

/** What people do during the release. */
export interface WatchedStory {
  /** `straight`, `third-revision`, `abort`, `roll-back`, … */
  readonly name: string;
  /**
   * What makes it no longer the straight one.
   * @default - it is straight
   */
  readonly why?: string;
  /**
   * How the rehearsal says that it ends.
   * @default - the rehearsal does not have it
   */
  readonly ends?: string;
}
