/** What the status of a Rollout says, in words that hold for every controller. */

/** The state of a release. */
export interface LiveState {
  /** `Progressing, step 2 of 3, StepPaused` */
  readonly text: string;
  /** Whether no release is in progress. */
  readonly isIdle: boolean;
  /** Whether the controller has nothing left to do for now. */
  readonly isSettled: boolean;
  /** Whether the controller calls all well, and has seen the newest objects. */
  readonly isHealthy: boolean;
  /** Whether the controller has not seen the newest objects, so that its status is about older ones. */
  readonly isBehind: boolean;
  /** Whether all steps are done, and the controller takes the routes back. */
  readonly isEnding: boolean;
  /** Counted from 0; undefined outside of steps. */
  readonly step?: number;
  readonly steps: number;
  readonly message?: string;
  readonly stableHash?: string;
  readonly canaryHash?: string;
  /** What makes the story no longer the straight one. */
  readonly turn?: Turn;
  /** How the last release ended, where the status says so; otherwise the hashes do. */
  readonly ended?: 'released' | 'rolled back';
  /** The labels of the pods of the application; empty if they are not known. */
  readonly selector: Readonly<Record<string, string>>;
  /** The label that distinguishes the versions of pods; the first that a pod has. */
  readonly revisionLabels: readonly string[];
}

/** A turn that a story takes. */
export interface Turn {
  /** As in the stories of a rehearsal: `abort`, `roll-back`, `delete`, `disable`, `promote-full`, `third-revision`. */
  readonly name: string;
  /** What shows it: `status.abort is true`. */
  readonly why: string;
  /** Whether the old version is what remains. */
  readonly isBack: boolean;
}

/** The observed generation is older than what was declared last, so the status is about something else. */
export function isBehind(generation: unknown, observed: unknown): boolean {
  const [declared, seen] = [Number(generation), Number(observed)];
  return Number.isFinite(declared) && Number.isFinite(seen) && observed !== '' && seen < declared;
}
