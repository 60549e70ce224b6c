/** How a release goes on: from step to step, until somebody must act or it gets no further. */
import { deedText, type StoryAction, type StoryEnd, waitsForPeople } from '../../../release';
import { honoursPause } from '../../subject';
import { hasBrokenPodsFor, NEVER_READY, playWithoutReadyPods } from './broken';
import { Stopped, waitsForScale } from './play';
import type { State } from './state';
import { finish, runStep } from './steps';

/** Runs the controller in a state, where it stays if it can not go on. */
export function untilStopped(state: State, run: () => State, step = Math.max(0, state.step)): State {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    const { journal } = state;
    if (journal.isNoticed) journal.record('prepare', step, 'the controller gets no further', { isMixed: true });
    return { ...state, end: 'stuck', waits: error.error.message, error: { ...error.error, step } };
  }
}

/** The controller waits at a step for pods that never become ready. */
export function withoutReadyPods(state: State, step = 0): State {
  playWithoutReadyPods(state.play, step);
  return { ...state, isBroken: true, upgrading: step, waits: NEVER_READY };
}

/** The controller takes the next step, or ends the release. */
export function goOn(state: State): State {
  if (!isMoving(state)) return state;
  const { play, step } = state;
  if (step + 1 < play.rollout.steps.length) return settle(state, step + 1);
  finish({ ...play, keepsPods: state.isBroken === true });
  // In canary style, the Rollout waits as well.
  return rolledOut(state, play.rollout.style === 'canary' ? undefined : 'the Rollout is Healthy');
}

/** The workload has the new version, or waits for its pods. */
export function rolledOut(state: State, meanwhile?: string): State {
  if (state.isBroken !== true) return over(state, 'released');
  const waits = 'the workload waits for pods of the new version, which never become ready';
  const why = meanwhile === undefined ? waits : `${meanwhile}, and ${waits}`;
  return { ...over(state, 'stuck'), isBroken: true, waits: why };
}

/** Whether the controller goes on by itself or after an approval. */
export function isMoving({ phase, waits, held, play }: State): boolean {
  return phase === 'progressing' && waits === undefined && held === undefined && !waitsForScale(play);
}

/**
 * The controller gives the release the pods and the routes of a step.
 * @param routesOnly it takes the pods as they are
 */
export function settle(state: State, step: number, routesOnly = false): State {
  if (state.isBroken && !routesOnly) return untilStopped(state, () => withoutReadyPods(state, step), step);
  const { waits: _waits, upgrading: _upgrading, ...settled } = state;
  return untilStopped(state, () => ({ ...settled, step, strategy: runStep(state.play, step, routesOnly) ?? {} }), step);
}

export function over(state: State, end: StoryEnd): State {
  const { waits: _waits, isBroken: _isBroken, upgrading: _upgrading, ...rest } = state;
  return { ...rest, phase: 'over', step: -1, end };
}

/** Runs until a step, counted from 1, has settled; without a step, until the end. */
export function until(state: State, step: number | undefined): State {
  let now = state;
  while (isMoving(now) && (step === undefined || now.step + 1 < step)) now = goOn(now);
  return now;
}

/** Approves every step that waits, until the end. */
export function approveAll(state: State): State {
  let now = toPause(state);
  while (isMoving(now)) {
    now.journal.note(deedText('approve'));
    now = toPause(goOn(now));
  }
  return now;
}

/** Runs until somebody must act. */
export function toPause(state: State): State {
  let now = state;
  while (isMoving(now) && !isAtPause(now)) now = goOn(now);
  return now;
}

/** Whether the release waits for people. */
export function isAtPause({ play: { rollout }, phase, step }: State): boolean {
  if (phase !== 'progressing' || step < 0) return false;
  return waitsForPeople(rollout.steps[step]!.object.pause) && honoursPause(rollout, step);
}

/** A jump to the step that comes next anyway is none: the release goes on to wait. */
export function jump(state: State, step: number): State {
  const { rollout, version } = state.play;
  const [from, to] = [currentStep(state), step - 1];
  const isThere = to >= 0 && to < rollout.steps.length;
  const goesOn = isMoving(state) || state.upgrading !== undefined;
  if (!version.facts.jumps || !isThere || to === from + 1 || !goesOn) return state;
  return settle(state, to, state.isBroken && hasBrokenPodsFor(state.play, { from, to }));
}

/** The step that has settled, or that waits for its pods. */
export function currentStep({ step, upgrading = step }: State): number {
  return upgrading;
}

/** Whether a step has settled, with all the pods that it wants. */
export function isInStep({ phase, step, isBroken = false }: State): boolean {
  return phase === 'progressing' && step >= 0 && !isBroken;
}

/** Notes an action at the pause before it. A release that has just begun gets there first. */
export function noted(state: State, action: StoryAction): State {
  const begun = isMoving(state) && state.step < 0 ? toPause(state) : state;
  begun.journal.note(deedText(action));
  return begun;
}
