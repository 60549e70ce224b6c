/** What a pipeline waits for, and when there is nothing left to wait for. */
import type { WatchedMoment } from '../core/watched-release';

/**
 * `healthy`: the new version is released, nothing of the release is left, and the controller has seen the newest objects.
 * `waiting`: a person has to act, as the steps say.
 */
export type Goal = 'healthy' | 'waiting';

/** The end of a wait. */
export interface GoalReached {
  /** Whether it is what was waited for; otherwise it will not come by itself. */
  readonly isReached: boolean;
  /** One sentence. */
  readonly why: string;
}

/** Decides, moment by moment, whether the wait is over. */
export class Verdict {
  private stuckSince: number | undefined;

  /** @param patienceSeconds for how long a release may be stuck before it is given up */
  constructor(
    private readonly goal: Goal,
    private readonly patienceSeconds: number,
  ) {}

  /** The end of the wait; undefined if it goes on. What is seen without news from the API server decides nothing. */
  of(moment: WatchedMoment): GoalReached | undefined {
    if (moment.lost !== undefined) return undefined;
    const { state, next } = moment;
    const at = Date.parse(moment.at);
    if (state.kind !== 'stuck') this.stuckSince = undefined;
    switch (state.kind) {
      case 'healthy':
        return this.atHealthy(moment);
      case 'waiting':
        return this.goal === 'waiting' ? { isReached: true, why: next.text } : undefined;
      case 'gone':
        return { isReached: false, why: state.text };
      case 'aborted':
      case 'disabled':
        return { isReached: false, why: moment.story.why ?? state.text };
      case 'stuck':
        this.stuckSince ??= at;
        return at - this.stuckSince >= this.patienceSeconds * 1000 ? { isReached: false, why: next.text } : undefined;
      case 'leaving':
      case 'releasing':
        return undefined;
    }
  }

  private atHealthy({ state: { ended } }: WatchedMoment): GoalReached | undefined {
    if (ended === 'rolled back') return { isReached: false, why: 'the release was rolled back' };
    if (this.goal === 'healthy') {
      return {
        isReached: true,
        why: ended === undefined ? 'no release is in progress' : 'the new version is released',
      };
    }
    return ended === undefined
      ? undefined
      : { isReached: false, why: 'the new version is released, and nobody was asked' };
  }
}
