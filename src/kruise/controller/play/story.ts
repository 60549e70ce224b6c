/** Plays stories: what people do, one action after the other, and what the controller does then. */

import { sameJson } from '../../../core/json';
import { Manifest } from '../../../core/manifest';
import { mergePatch } from '../../../core/merge-patch';
import {
  deedText,
  type StoryAction,
  type StoryPatch,
  samePods,
  type Telling,
  type VersionWrite,
} from '../../../release';
import { refusedWrite } from '../../refused-write';
import { type RolloutSubject, readRollout } from '../../subject';
import { beginAgain, divisionResized, divisionTakenBack, knowsOldVersion, takeUnpaused } from './another-version';
import { hasBrokenPodsFor, hidesRollBack, isPassedBy, keepAbandonedPods, scaleBroken } from './broken';
import { dividerOf } from './division';
import { refusalOf, waitsForWrite } from './edited-rollout';
import { endRelease, finalise, OLD_PODS_LEFT, replaceAllPods, rollOutAlone } from './finalising';
import type { Journal } from './journal';
import { loosened, refusalOfHeld } from './loosened';
import { type Held, isForController } from './paused';
import { changesPlan, panicOfPlan, stepOfChangedPlan, takesPodsAsTheyAre } from './plan';
import { type Play, Stopped, waitsForScale } from './play';
import {
  approveAll,
  currentStep,
  goOn,
  isAtPause,
  isInStep,
  jump,
  noted,
  over,
  rolledOut,
  settle,
  toPause,
  until,
  untilStopped,
  withoutReadyPods,
} from './progress';
import { initialiseRoutes } from './routes';
import type { RolloutStory, State } from './state';
import { beforeUpgrade, divide, readStep, upgrade, WAITS_FOR_REVISION } from './steps';
import { podsOnly, type Workload } from './workload';
import { isOfPods, type WorkloadChange, workloadChangeOf } from './workload-change';

/** What is needed to read a Rollout again, after people have edited it. */
export interface Teller {
  playOf(rollout: RolloutSubject, journal: Journal, workload: Workload): Play;
}

/** A release before a story begins. */
export function beginning(play: Play, teller: Teller): Telling<RolloutStory> {
  const versions = { stable: 'v1', canary: 'v1' };
  return tellingOf({ play, journal: play.journal, phase: 'idle', step: -1, strategy: {}, versions }, teller);
}

function tellingOf(begin: State, teller: Teller): Telling<RolloutStory> {
  let state = begin;
  return {
    fork() {
      const journal = state.journal.fork();
      return tellingOf({ ...state, journal, play: { ...state.play, journal } }, teller);
    },
    act(action) {
      state = act(state, action, teller);
    },
    told: (name) => storyOf(name, state),
  };
}

function storyOf(name: string, state: State): RolloutStory {
  const { journal, end = 'stuck', waits, error, phase, refusal, held } = state;
  const awaited = held === undefined ? 'it waits for an approval' : 'the Rollout is paused';
  const stuck = end === 'stuck' ? (waits ?? (phase === 'progressing' ? awaited : undefined)) : undefined;
  // What hangs does so after a refused edit, too.
  const refused = error === undefined && waits === undefined ? refusal : undefined;
  const why = refused ?? stuck;
  return {
    name,
    end: refused !== undefined ? 'refused' : phase === 'idle' ? 'released' : end,
    moments: journal.moments,
    ...(why === undefined ? {} : { why }),
    ...(error === undefined ? {} : { error }),
  };
}

/** What the controller does after an action. */
function act(state: State, action: StoryAction, teller: Teller): State {
  const free = endsWait(state, action) ? { ...state, error: undefined } : state;
  if (free.error !== undefined && !isOfIdleWorkload(free, action)) return free;
  if (free.held !== undefined && free.phase === 'progressing' && isForController(action))
    return hold(free, free.held, action);
  return untilStopped(free, () => actionOf(action)(free, teller));
}

function hold(state: State, held: Held, action: StoryAction): State {
  if (action === 'finish') return state;
  state.journal.note(deedText(action));
  return { ...state, held: { ...held, actions: [...held.actions, action] } };
}

/** The controller finds what was done while the Rollout was paused. */
function catchUp(state: State, action: StoryAction): State {
  if (typeof action === 'string') return isAtPause(state) ? goOn(state) : state;
  if ('release' in action) return release(state, action);
  return 'jump' in action ? jump(state, action.jump) : state;
}

/** A controller that waits before the first step, or for pods, has written nothing that keeps it from noticing what comes. */
function endsWait({ error, step }: State, action: StoryAction): boolean {
  if (error?.class !== 'waits' || error.state === 'Initial') return false;
  const isForPods = error.state === 'StepUpgrade';
  if (typeof action === 'string') return isForPods && (action === 'delete' || action === 'disable');
  return 'release' in action && (isForPods || step < 0);
}

/** A controller that waits before the first step leaves the workload alone: people scale it all the same, or end the release. */
function isOfIdleWorkload(state: State, action: StoryAction): boolean {
  const acts = typeof action === 'string' ? action === 'delete' || action === 'disable' : 'scale' in action;
  return acts && waitsBeforeUpgrade(state);
}

function waitsBeforeUpgrade({ error }: State): boolean {
  return error?.class === 'waits' && error.state === 'BeforeStepUpgrade';
}

/** The workload stays as the webhook has left it. */
function endBeforeUpgrade(state: State): State {
  const { error: _error, ...rest } = state;
  const { routing } = state.play;
  const place = { phase: 'finish', step: 0, strategy: state.strategy } as const;
  if (routing !== undefined) finalise({ ...state.play, keepsPods: true }, routing, 'deletion', place);
  state.journal.record('finish', undefined, 'the workload stays paused, and keeps the old pods');
  return { ...over(rest, 'stuck'), waits: 'the workload stays paused, and nobody resumes it' };
}

type Act = (state: State, teller: Teller) => State;

function actionOf(action: StoryAction): Act {
  if (typeof action === 'string') return DEEDS[action];
  if ('release' in action && action.creates !== undefined)
    return (state) => replaceWithoutRelease(noted(state, action), action.release, action.ready === 'never');
  if ('release' in action) return (state) => writeVersion(noted(state, action), action, action.replicas === 0);
  if ('until' in action) return (state) => until(state, action.until.step);
  if ('watch' in action) return toPause;
  if ('jump' in action) return (state) => jump(noted(state, action), action.jump);
  if ('scale' in action) return (state) => scale(noted(state, action), action.scale);
  if ('patch' in action) return (state, teller) => edit(noted(state, action), action.patch, teller);
  return (state) => state;
}

const DEEDS: Readonly<Record<Extract<StoryAction, string>, Act>> = {
  approve: (state) => (isAtPause(state) ? goOn(noted(state, 'approve')) : state),
  promote: (state) => (isAtPause(state) ? goOn(noted(state, 'promote')) : state),
  finish: approveAll,
  'promote-full': (state) => until(noted(state, 'promote-full'), undefined),
  delete: (state) => endEarly(noted(state, 'delete')),
  disable: (state) => disable(noted(state, 'disable')),
  enable: (state) => ({ ...noted(state, 'enable'), isDisabled: false }),
  // Kruise Rollouts has no such commands.
  abort: (state) => state,
  retry: (state) => state,
};

/** A new image in the workload: a new release, the way back, or another version in the middle. */
function release(state: State, { release: version, replicas, ready }: VersionWrite): State {
  const { play, phase, versions } = state;
  const { style } = play.rollout;
  const isNeverReady = ready === 'never';
  if (isInStep(state) && style === 'partition') return releaseAnother(state, version, isNeverReady, replicas);
  const scaled = replicas === undefined ? state : scaledWith(state, version, replicas);
  if (phase !== 'progressing' && isPassedBy(scaled)) return replaceWithoutRelease(scaled, version, isNeverReady);
  if (phase !== 'progressing') return begin(scaled, version, isNeverReady);
  if (style === 'canary' && waitsForScale(scaled.play)) return scaled;
  const isBack = version === versions.stable && knowsOldVersion(state) && !hidesRollBack(state);
  return isBack ? rollBack(scaled) : replaceVersion(scaled, version, isNeverReady);
}

/** One write of a version and of a number of pods. A CloneSet in blue-green style has no pod of another version, and adds none. */
function scaledWith(state: State, version: string, replicas: number): State {
  const { play, phase, versions } = state;
  const isOther = phase === 'progressing' && version !== versions.canary && version !== versions.stable;
  const addsNone = isOther && play.rollout.style === 'blueGreen' && play.workload.kind === 'CloneSet';
  return addsNone ? { ...state, play: { ...play, workload: { ...play.workload, replicas } } } : scale(state, replicas);
}

/** Another version in partition style. One write of it and of a number of pods has one effect. */
function releaseAnother(
  state: State,
  version: string,
  isNeverReady: boolean,
  replicas = state.play.workload.replicas,
): State {
  const { play, versions } = state;
  const isScaled = replicas !== play.workload.replicas;
  const scaled = { ...play, workload: { ...play.workload, replicas } };
  if (version === versions.stable && knowsOldVersion(state)) {
    if (isScaled) divide(scaled, { division: divisionTakenBack(state, scaled.workload) });
    return rollBack({ ...state, play: scaled });
  }
  const division = isScaled ? divisionResized(state, scaled.workload) : undefined;
  if (division === undefined) return replaceVersion(state, version, isNeverReady, scaled);
  divide(scaled, { division });
  state.journal.record('prepare', state.step, `scaled to ${replicas} pods`, { isMixed: true, goesOn: true });
  return replaceVersion({ ...state, play: scaled }, version, isNeverReady);
}

function begin(state: State, version: string, isNeverReady: boolean): State {
  const { journal, versions } = state;
  const play = { ...state.play, workload: { ...state.play.workload, releasesOldVersion: false } };
  const { routing, workload } = play;
  const next = { stable: versions.canary, canary: version };
  if (state.phase === 'over') {
    journal.replacePods(podsOnly(workload, 'stable'));
    journal.name(next);
    journal.record('before', undefined, 'before the release');
  }
  journal.name(next);
  const begun: State = { ...begunWith(state, next), play };
  return untilStopped(begun, () => {
    if (routing !== undefined) initialiseRoutes(play, routing);
    return isNeverReady ? withoutReadyPods(begun) : begun;
  });
}

function begunWith(state: State, versions: State['versions']): State {
  const { end: _end, waits: _waits, isBroken: _isBroken, ...rest } = state;
  return { ...rest, phase: 'progressing', step: -1, strategy: {}, versions };
}

/** The webhook lets the new image pass: the workload replaces its pods by itself, and the Rollout stays Healthy. */
function replaceWithoutRelease(state: State, version: string, isNeverReady = false): State {
  const { versions } = state;
  const next = { ...state, isBroken: isNeverReady, versions: { stable: versions.canary, canary: version } };
  state.journal.name(next.versions);
  rollOutAlone({ ...state.play, keepsPods: isNeverReady }, 'the workload replaces all pods, without a release');
  return rolledOut(next);
}

/**
 * A new release id without a new version begins a release all the same. Its new pods have the revision of the old ones. With
 * routes it waits for the revision of the old pods, which only canary style finds, at the next version.
 */
function beginWithoutVersion(state: State): State {
  const { play, journal, versions } = state;
  const { routing, rollout, workload } = play;
  const same = { stable: versions.canary, canary: versions.canary };
  journal.name(same);
  const begun = begunWith(state, same);
  if (routing === undefined || rollout.workload === undefined) return begun;
  const reason = 'by the release id alone';
  const isCanary = rollout.style === 'canary';
  const blind: Workload = { ...workload, lacksStableRevision: reason };
  const waiting = isCanary ? begun : { ...begun, play: { ...play, workload: blind } };
  return untilStopped(waiting, () => {
    const step = readStep(play, 0);
    beforeUpgrade(waiting.play, routing, step);
    upgrade(waiting.play, step);
    throw new Stopped(WAITS_FOR_REVISION[reason]);
  });
}

const BROKEN_PODS_STAY = 'the StatefulSet waits for its broken pod until somebody deletes it';

function rollBack(state: State): State {
  const { journal, strategy, step, versions } = state;
  const keepsPods = keepsBrokenPods(state);
  const play = { ...state.play, keepsPods };
  const { routing } = play;
  const at = Math.max(0, step);
  if (routing !== undefined) finalise(play, routing, 'rollback', { phase: 'abort', step: at, strategy });
  if (keepsPods) journal.record('abort', at, BROKEN_PODS_STAY);
  replaceAllPods(play, 'stable');
  if (!samePods(journal.pods, journal.moments.at(-1)!.pods)) {
    journal.record('abort', at, OLD_PODS_LEFT);
  }
  return over({ ...state, versions: { stable: versions.stable, canary: versions.stable } }, 'rolled back');
}

function keepsBrokenPods({ isBroken = false, play }: State): boolean {
  return isBroken && play.workload.keepsBrokenPods;
}

/** Another version arrives in the middle: the release begins again with it, except in blue-green style. */
function replaceVersion(state: State, version: string, isNeverReady: boolean, scaled = state.play): State {
  const {
    play,
    journal,
    strategy,
    step,
    versions,
    waits: _waits,
    isBroken: _isBroken,
    upgrading: _at,
    ...rest
  } = state;
  const { routing, rollout } = play;
  const at = Math.max(0, step);
  if (rollout.style === 'blueGreen') {
    // The pods of a release that began without a version are not held back.
    if (versions.canary === versions.stable) journal.name({ ...versions, canary: version });
    journal.record('step', at, 'the controller waits for a roll-back', { strategy });
    return { ...state, waits: 'another version arrived in the middle, and blue-green style first wants a roll-back' };
  }
  if (routing !== undefined) finalise(play, routing, 'continuous', { phase: 'prepare', step: at, strategy });
  const isBroken = isNeverReady || keepsBrokenPods(state);
  const { pods } = journal;
  const begun = beginAgain(state.isBroken ? { ...state, step: -1 } : state, version, scaled);
  journal.name(begun.versions);
  if (routing !== undefined) initialiseRoutes(begun.play, routing);
  const next: State = { ...rest, ...begun, journal, step: -1, strategy: {} };
  if (!isBroken) return next;
  keepAbandonedPods(begun.play, pods, versions.canary);
  return withoutReadyPods(next);
}

/** Deleting or disabling the Rollout rolls the new version out to everybody. */
function endEarly(state: State): State {
  if (state.phase !== 'progressing') return state;
  if (waitsBeforeUpgrade(state)) return endBeforeUpgrade(state);
  const { strategy, step, isBroken: keepsPods = false } = state;
  const play = { ...state.play, keepsPods };
  const { routing } = play;
  if (routing !== undefined) finalise(play, routing, 'deletion', { phase: 'finish', step, strategy });
  endRelease(play, 'the workload rolls the new version out to everybody');
  return rolledOut(state);
}

/** The controller leaves the workload alone until somebody enables the Rollout. */
function disable(state: State): State {
  return { ...endEarly(state), isDisabled: true };
}

function scale(state: State, replicas: number): State {
  const { play, journal, phase, step, strategy, versions } = state;
  if (replicas === play.workload.replicas) return state;
  const workload = { ...play.workload, replicas };
  const scaled = { ...play, workload };
  const event = `scaled to ${replicas} pods`;
  if (isInStep(state)) {
    const { share } = readStep(play, step);
    const divider = dividerOf(play.rollout.style, workload);
    divide(scaled, divider.scale(journal.divided, share, play.workload, workload));
    journal.record('step', step, event, { strategy });
  } else if (state.isBroken) {
    const at = phase === 'over' ? undefined : currentStep(state);
    scaleBroken(scaled, play.workload.replicas, at);
    journal.record(at === undefined ? 'before' : 'prepare', at, event);
  } else {
    const hasNewPods = phase === 'over' && versions.stable !== versions.canary;
    journal.replacePods(podsOnly(workload, hasNewPods ? 'canary' : 'stable'));
    journal.record('before', undefined, event);
  }
  return { ...state, play: scaled };
}

function edit(state: State, patch: StoryPatch, teller: Teller): State {
  const { play, journal } = state;
  const { apiVersion, kind, name } = patch;
  const { namespace } = play.rollout;
  const isRollout = kind === play.rollout.manifest.kind && name === play.rollout.manifest.name;
  const existing = isRollout ? play.rollout.manifest : journal.world.get({ apiVersion, kind, name, namespace });
  if (existing === undefined) return state;
  if (patch.with === null) return isRollout ? endEarly(state) : discard(state, existing);
  const object = mergePatch(existing.object, patch.with);
  const isWorkload = name === play.rollout.workload?.ref.name && kind === play.rollout.workload.ref.kind;
  const edited = Manifest.of(object);
  if (isRollout) return editRollout(state, existing, edited, teller);
  const isHere = state.phase === 'progressing' && state.step >= 0;
  const refusal = isWorkload && isHere ? refusalOfHeld(play, patch.with) : undefined;
  if (refusal !== undefined) return { ...state, refusal };
  journal.edit(edited);
  const next = isWorkload && isHere ? { ...state, play: loosened(play, patch.with, object) } : state;
  const change = isWorkload ? workloadChangeOf(patch.with, existing.object, object) : undefined;
  if (change !== undefined && isOfPods(change)) return changeWorkload(next, change);
  if (isHere) journal.record('step', state.step, `${kind} "${name}" edited`, { strategy: state.strategy });
  return next;
}

/** Somebody deletes an object in the middle. */
function discard(state: State, existing: Manifest): State {
  const { journal, step, strategy, phase } = state;
  journal.discard(existing);
  if (phase === 'progressing' && step >= 0) {
    journal.record('step', step, `${existing.kind} "${existing.name}" deleted`, { strategy });
  }
  return state;
}

/** A change of the workload; only while no release goes on can one pass the webhook, or begin without a new version. */
function changeWorkload(state: State, change: WorkloadChange): State {
  const { version, replicas, bypasses, changesTemplate, changesReleaseId } = change;
  const { phase, isDisabled = false } = state;
  const isIdle = phase !== 'progressing';
  const { canary: current } = state.versions;
  if (changesTemplate && (isDisabled || (bypasses && isIdle))) return replaceWithoutRelease(state, current);
  if (changesTemplate) return isIdle ? begin(state, current, false) : replaceVersion(state, current, false);
  if (changesReleaseId && isIdle && !isDisabled) return beginWithoutVersion(state);
  if (version !== undefined) return writeVersion(state, { release: version, replicas }, bypasses);
  return replicas === undefined ? state : scale(state, replicas);
}

/** A new image, with or without another number of pods. While no release goes on, the webhook can let it pass, as it does of a disabled Rollout. */
function writeVersion(state: State, action: VersionWrite, bypasses: boolean): State {
  if (state.play.workload.waitsForDeletion) return withoutNewPods(state);
  const isPassed = bypasses || state.isDisabled === true;
  if (isPassed && isInStep(state)) takeUnpaused(state, action.release);
  if (!isPassed || state.phase === 'progressing') return release(state, action);
  const replaced = replaceWithoutRelease(state, action.release, action.ready === 'never');
  return action.replicas === undefined ? replaced : scale(replaced, action.replicas);
}

/** No release begins, and no pod changes. The webhook for a DaemonSet expects the fields of a rolling update, and panics. */
function withoutNewPods(state: State): State {
  if (state.play.workload.kind !== 'DaemonSet') return state;
  return {
    ...state,
    refusal: 'the webhook panics: it expects spec.updateStrategy.rollingUpdate, which OnDelete has not',
  };
}

/** The release goes on without an edit that is refused. */
function editRollout(state: State, old: Manifest, edited: Manifest, teller: Teller): State {
  const { play, journal } = state;
  const { version } = play;
  const refusal = refusalOf(old, edited, state.phase === 'progressing', version);
  if (refusal !== undefined) return { ...state, refusal };
  const refused = refusedWrite(edited, { version });
  if (refused !== undefined) throw new Stopped(waitsForWrite(refused.text));
  const isDisabled = edited.get('spec.disabled') === true;
  const rollout = readRollout(edited, play.rollout.namespace, play.version);
  const { held = { rollout: play.rollout, actions: [] }, ...free } = state;
  const next = { ...free, isDisabled, play: teller.playOf(rollout, journal, play.workload) };
  if (isDisabled && state.isDisabled !== true) return disable(next);
  if (edited.get('spec.strategy.paused') === true) return { ...next, held };
  return held.actions.reduce(catchUp, replan(next, held.rollout));
}

/** With another plan than before, the controller goes on at the step whose pods it has, and waits there. */
function replan(state: State, before: RolloutSubject): State {
  const { rollout: after, version, workload } = state.play;
  const step = currentStep(state);
  if (state.phase !== 'progressing' || step < 0 || !changesPlan(before, after)) return state;
  const panic = panicOfPlan(after, step, version.facts);
  if (panic !== undefined) throw new Stopped(panic);
  const goesOn = stepOfChangedPlan({ before, after, replicas: workload.replicas }, step, version.facts);
  const isSame = goesOn === step && sameJson(after.steps[step]!.object, before.steps[step]!.object);
  if (isSame && state.upgrading === undefined) return state;
  const places = { from: step, to: goesOn };
  const takesPods = state.isBroken ? hasBrokenPodsFor(state.play, places) : takesPodsAsTheyAre(after, places, version);
  return settle(state, goesOn, takesPods);
}
