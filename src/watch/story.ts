/** Tells whether a release goes straight on, and which other story it is if not. Remembers what it saw before. */
import type { Rehearsal, RehearsedStory } from '../core/rehearsal-result';
import type { LiveState, Turn } from './live-state';

/** The story of a release, as far as it is known. */
export interface ToldTurn extends Turn {
  /** The step at which it happened, counted from 0; undefined if it was at no step. */
  readonly step?: number;
}

/** What is remembered of a release. */
export class StoryTeller {
  private before: LiveState | undefined;
  private turn: ToldTurn | undefined;
  private started: { readonly stable: string | undefined } | undefined;
  /** The version that was last on its way; between two versions, a status has none. */
  private canary: string | undefined;
  /** The step at which it was. */
  private lastStep: number | undefined;
  /** How the last release ended that was watched. */
  ended: 'released' | 'rolled back' | undefined;

  /**
   * Looks at the next state.
   * @param declared what the Rollout declares, as text, to notice edits
   */
  look(state: LiveState, declared: string): ToldTurn | undefined {
    const { before } = this;
    const isNew = !state.isIdle && (before === undefined || before.isIdle);
    if (isNew) {
      this.turn = undefined;
      this.ended = undefined;
      this.started = { stable: state.stableHash };
      this.canary = undefined;
      this.lastStep = undefined;
      this.declared = declared;
    }
    if (state.isIdle && before !== undefined && !before.isIdle) this.end(state, before);
    const turn = this.turnTo(state, declared);
    // Before the first step, a status can still have the version of the release before.
    if (!state.isIdle && state.canaryHash !== undefined && (state.step !== undefined || state.steps === 0)) {
      this.canary = state.canaryHash;
      this.lastStep = state.step ?? this.lastStep;
    }
    if (turn !== undefined) this.turn = turn;
    else if (this.turn !== undefined && before?.turn !== undefined && state.turn === undefined && !state.isIdle) {
      // What showed the turn is gone, and the release goes on: it was retried or enabled again.
      this.turn = { ...this.turn, name: before.turn.name === 'abort' ? 'retry' : 'straight' };
      if (this.turn.name === 'straight') this.turn = undefined;
    }
    this.before = state;
    return this.turn;
  }

  private declared = '';

  private turnTo(state: LiveState, declared: string): ToldTurn | undefined {
    const { before, started } = this;
    const place = state.step ?? before?.step;
    const at = (turn: Turn): ToldTurn => ({ ...turn, ...(place === undefined ? {} : { step: place }) });
    if (state.turn !== undefined) return this.turn?.name === state.turn.name ? undefined : at(state.turn);
    if (state.isIdle || before === undefined || before.isIdle || started === undefined) return undefined;
    const { canaryHash } = state;
    const known = this.canary;
    if (canaryHash !== undefined && known !== undefined && canaryHash !== known) {
      const step = this.lastStep;
      const why = `the version ${canaryHash} came while ${known} was on its way`;
      return { name: 'third-revision', why, isBack: false, ...(step === undefined ? {} : { step }) };
    }
    // While there is no hash, a lower step may be that of another version.
    if (canaryHash === undefined) return undefined;
    if (declared !== this.declared) {
      this.declared = declared;
      return this.turn === undefined
        ? at({ name: 'edit-step', why: 'the steps were edited', isBack: false })
        : undefined;
    }
    if (this.turn === undefined && state.step !== undefined && this.lastStep !== undefined) {
      const [to, from] = [state.step + 1, this.lastStep + 1];
      if (to < from)
        return at({ name: 'jump-back', why: `it went back from step ${from} to step ${to}`, isBack: false });
    }
    return undefined;
  }

  private end(state: LiveState, before: LiveState): void {
    // Whatever the pods run then, no release has ended.
    if (state.turn !== undefined && !state.turn.isBack) return;
    const old = this.started?.stable ?? before.stableHash;
    const { stableHash } = state;
    const isOld = stableHash !== undefined && stableHash === old && stableHash !== before.canaryHash;
    this.ended = state.ended ?? (isOld || this.turn?.isBack ? 'rolled back' : 'released');
    if (this.ended === 'rolled back' && this.turn === undefined) {
      const step = before.step;
      this.turn = {
        name: 'undo',
        why: 'the Rollout has the old pod template again',
        isBack: true,
        ...(step === undefined ? {} : { step }),
      };
    }
  }
}

/** The rehearsed story, and the index of its first moment behind what people did. */
export interface RehearsedTurn {
  readonly story: RehearsedStory;
  readonly from: number;
}

/** Finds a story in the rehearsal; undefined if it was not rehearsed. */
export function rehearsedTurn({ stories = [] }: Rehearsal, turn: ToldTurn): RehearsedTurn | undefined {
  const named = stories.filter(({ name }) => name === turn.name || name.replace(/@.*/, '') === turn.name);
  const story = named.find(({ name }) => name === `${turn.name}@${turn.step ?? 0}`) ?? named[0];
  if (story === undefined) return undefined;
  // The first deed begins the release; approvals lead to where the story turns.
  const deeds = story.moments.flatMap(({ did = [] }, index) => (did.some(isTurning) ? [index] : []));
  return { story, from: deeds[1] ?? deeds[0] ?? 0 };
}

function isTurning(deed: string): boolean {
  return deed !== 'approve' && deed !== 'promote';
}
