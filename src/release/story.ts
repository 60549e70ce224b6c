/** Stories: what people do during a release, and what goes wrong, as data. One language for the model and for the stage. */
import { isJsonObject, type Json, type JsonObject } from '../core/json';
import type { Moment } from './moment';
import type { ReleaseStop } from './remark';

/** What people tell a controller. */
export type StoryDeed =
  /** Approve the step that waits. */
  | 'approve'
  /** Approve each step that waits, until the release is over. */
  | 'finish'
  /** Delete the Rollout. */
  | 'delete'
  /** Write `disabled: true` into the Rollout. */
  | 'disable'
  /** Take `disabled` away again. */
  | 'enable'
  /** Abort the release. */
  | 'abort'
  /** Begin an aborted release again. */
  | 'retry'
  /** Skip the pause. */
  | 'promote'
  /** Skip all steps that are left. */
  | 'promote-full';

/** One line of a story. */
export type StoryAction =
  | StoryDeed
  /**
   * Write the image of this version into the workload: `v2`, or `v1` to go back. Its pods become ready, or never do. With
   * `replicas`, the same write also gives the workload this many pods, as a commit does that changes both. With `creates`, the
   * Rollout does not exist before, and is created right after.
   */
  | { readonly release: string; readonly replicas?: number; readonly ready?: 'never'; readonly creates?: 'Rollout' }
  /** Wait until the Rollout is there. */
  | { readonly until: StoryPlace }
  /** Let the cluster run on for this many seconds, to see that nothing more happens. */
  | { readonly watch: number }
  /** Jump to a step, as the controller's status counts them. */
  | { readonly jump: number }
  /** Give the workload this many pods. */
  | { readonly scale: number }
  /** Change any object of the release's namespace, with a JSON merge patch, or delete it with `null`. */
  | { readonly patch: StoryPatch }
  /** An analysis of the release ends so. */
  | { readonly analysis: 'failed' | 'error' | 'inconclusive' }
  /** From now on the load balancer takes over only this of what the controller writes. */
  | { readonly loadBalancer: LoadBalancerState };

/** A new image in the workload, with or without another number of pods. */
export type VersionWrite = Extract<StoryAction, { release: string }>;

/**
 * What a load balancer takes over from the cluster.
 * - `follows`: everything
 * - `keeps-weights`: new pods, but no weight, as while a wrong Ingress of its group stops the load balancer controller
 * - `keeps-targets`: weights, but no pod, as while pods cannot be registered
 */
export type LoadBalancerState = 'follows' | 'keeps-weights' | 'keeps-targets';

/** Where a Rollout is, in the words of its status. */
export interface StoryPlace {
  /** @default - any */
  readonly phase?: string;
  /**
   * The current step, as the controller's status counts it.
   * @default - any
   */
  readonly step?: number;
  /** @default - any */
  readonly state?: string;
}

/** A change of an object. */
export interface StoryPatch {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** A JSON merge patch; `null` deletes the object. */
  readonly with: JsonObject | null;
}

/** A story: its name, and what happens in its order. */
export interface Story {
  /** `roll-back@1`: what happens, and the step at which it happens, counted as in `steps[1]`. */
  readonly name: string;
  readonly actions: readonly StoryAction[];
}

/** The stories that are asked for. */
export type StoryRequest = 'all' | readonly (string | Story)[];

/** The names of the stories that come with the library; those with a place in the release have `@` and a step behind it. */
export const STORY_NAMES: readonly string[] = [
  'straight',
  'roll-back',
  'third-revision',
  'delete',
  'disable',
  'jump-forward',
  'jump-back',
  'scale',
  'hpa',
  'edit-step',
  'edit-route',
  'sync',
  'never-ready',
  'abort',
  'retry',
  'undo',
  'rollback-window',
  'promote-full',
  'analysis-failed',
  'analysis-error',
  'analysis-inconclusive',
  'weights-kept',
  'targets-kept',
  'deadline',
];

/** How a story ends. */
export type StoryEnd =
  /** All users have the new version. */
  | 'released'
  /** All users have the old version. */
  | 'rolled back'
  /** Nothing more happens until somebody acts. */
  | 'stuck'
  /** The API server or a webhook refuses what the story does. */
  | 'refused';

/** A story as it was played. */
export interface ToldStory {
  readonly name: string;
  readonly end: StoryEnd;
  /** From before the release on. A story shares its first moments with every story that begins like it. */
  readonly moments: readonly Moment[];
  /**
   * Why nothing more happens.
   * @default - the story ends by itself
   */
  readonly why?: string;
  /**
   * The error at which the controller gets stuck.
   * @default - none
   */
  readonly stop?: ReleaseStop;
}

/**
 * Formats what was done, as recordings have it.
 * @example deedText({ release: 'v3' }) // 'release v3'
 */
export function deedText(action: StoryAction): string {
  if (typeof action === 'string') return DEEDS[action];
  if ('release' in action) {
    const { release, replicas, ready, creates } = action;
    const scaled = replicas === undefined ? '' : ` with ${replicas} pods`;
    return `release ${release}${scaled}${ready === undefined ? '' : ', whose pods never become ready'}${creates === undefined ? '' : ', and create the Rollout'}`;
  }
  if ('until' in action) return 'wait';
  if ('watch' in action) return `wait for ${action.watch} s`;
  if ('jump' in action) return `jump to step ${action.jump}`;
  if ('scale' in action) return `scale to ${action.scale} pods`;
  if ('analysis' in action) return ANALYSES[action.analysis];
  if ('loadBalancer' in action) return LOAD_BALANCERS[action.loadBalancer];
  return `${action.patch.with === null ? 'delete' : 'edit'} ${action.patch.kind} "${action.patch.name}"`;
}

const DEEDS: Readonly<Record<StoryDeed, string>> = {
  approve: 'approve',
  finish: 'approve every step',
  delete: 'delete the Rollout',
  disable: 'disable the Rollout',
  enable: 'enable the Rollout',
  abort: 'abort the Rollout',
  retry: 'retry the Rollout',
  promote: 'promote',
  'promote-full': 'fully promote the Rollout',
};

/** What people tell a controller, by name. */
export const STORY_DEEDS = Object.keys(DEEDS) as readonly StoryDeed[];

const ANALYSES = {
  failed: 'an analysis fails',
  error: 'an analysis ends with an error',
  inconclusive: 'an analysis is inconclusive',
} as const;

const LOAD_BALANCERS: Readonly<Record<LoadBalancerState, string>> = {
  follows: 'the load balancer takes over everything again',
  'keeps-weights': 'the load balancer takes over no weight any more',
  'keeps-targets': 'the load balancer registers no pod any more',
};

/** All states of a load balancer. */
export const LOAD_BALANCER_STATES = Object.keys(LOAD_BALANCERS) as readonly LoadBalancerState[];

/** Whether what was done is how an analysis ended: no person does that. */
export function isOfAnalysis(did: string): boolean {
  return Object.values<string>(ANALYSES).includes(did);
}

/** Whether what was done is what happened to the load balancer: no person does that. */
export function isOfLoadBalancer(did: string): boolean {
  return Object.values(LOAD_BALANCERS).includes(did);
}

/** Whether the pause of a step waits for people: it does not end by itself. */
export function waitsForPeople(pause: Json | undefined): boolean {
  return isJsonObject(pause) && pause.duration === undefined;
}

/**
 * The steps at which people act: those that wait for them, or else the first one.
 * @param pauses the `pause` of each step
 */
export function stepsToActAt(pauses: readonly (Json | undefined)[]): readonly number[] {
  const waiting = pauses.flatMap((pause, index) => (waitsForPeople(pause) ? [index] : []));
  return waiting.length > 0 ? waiting : pauses.slice(0, 1).map(() => 0);
}
