/** The state of a release of Kruise Rollouts by its status, and the moments of the played release that fit it. */

import { isJsonObject, type Json, type JsonObject, type Manifest, ownValue } from '../../core';
import { asObject, asText, numberOf } from '../../core/json';
import type { RolloutMoment, RolloutPlay } from '../../kruise/controller';
import type { RolloutSubject } from '../../kruise/subject';
import { lastIndexWhere } from '../last';

/** The state of a release by its status. */
export interface ReleaseState {
  /** `Progressing, step 2 of 3, StepPaused` */
  readonly text: string;
  /** Whether no release is in progress. */
  readonly isIdle: boolean;
  /** Whether the controller has nothing left to do for now. */
  readonly isSettled: boolean;
  /** Counted from 0, as in `steps[0]`; undefined outside of steps. */
  readonly step?: number;
  /** The time of the last change in the status. */
  readonly since?: string;
  readonly stableHash?: string;
  readonly canaryHash?: string;
  /** The controller's message. */
  readonly message?: string;
  /** `StepPaused`; empty outside of steps. */
  readonly stepState?: string;
  /** The possible moments of the played release, the most likely last. */
  possible(play: RolloutPlay): readonly RolloutMoment[];
}

const IDLE = new Set(['', 'Initial', 'Healthy', 'Disabled']);
const SETTLED = new Set(['StepMetricsAnalysis', 'StepPaused', 'StepReady']);
const BEFORE_ROUTING = new Set(['', 'BeforeStepUpgrade', 'StepUpgrade']);

/** Reads the status of a Rollout. */
export function releaseStateOf({ manifest, steps }: RolloutSubject): ReleaseState {
  const status = asObject(manifest.get('status'));
  const release = isJsonObject(status.canaryStatus) ? status.canaryStatus : asObject(status.blueGreenStatus);
  const phase = asText(status.phase);
  const stepState = asText(release.currentStepState ?? status.currentStepState);
  const index = numberOf(release.currentStepIndex ?? status.currentStepIndex);
  const step = index === undefined || index < 1 ? undefined : Math.min(index, Math.max(steps.length, 1)) - 1;
  const reason = reasonOf(status);
  const common = {
    ...optional('since', asText(release.lastUpdateTime)),
    ...optional('stableHash', asText(release.stableRevision)),
    ...optional('canaryHash', asText(release.podTemplateHash)),
    ...optional('message', asText(status.message) || asText(release.message)),
    ...optional('stepState', stepState),
  };
  if (IDLE.has(phase)) {
    const isIdle = { text: phase || 'no status yet', isIdle: true, isSettled: true };
    return { ...common, ...isIdle, possible: ({ moments }) => moments.slice(0, 1) };
  }
  const where = [phase, ...(reason === '' ? [] : [reason])].join(', ');
  if (phase !== 'Progressing' || reason === 'Cancelling') {
    return {
      ...common,
      text: where,
      isIdle: false,
      isSettled: false,
      possible: ({ moments }) => [...moments.filter(({ phase: one }) => one === 'abort'), ...moments.slice(0, 1)],
    };
  }
  if (step === undefined || reason === 'Initializing') {
    const isStarting = { text: where, isIdle: false, isSettled: false };
    return { ...common, ...isStarting, possible: ({ moments }) => moments.slice(0, 1) };
  }
  const at = `${phase}, step ${step + 1} of ${steps.length}${stepState === '' ? '' : `, ${stepState}`}`;
  const isEnding = stepState === 'Completed' || reason === 'Finalising' || reason === 'Completed';
  return {
    ...common,
    text: isEnding ? where : at,
    isIdle: false,
    isSettled: !isEnding && SETTLED.has(stepState),
    step,
    possible: ({ moments }) => {
      const last = lastIndexWhere(moments, (moment) => moment.phase === 'step' && moment.step === step);
      const before = lastIndexWhere(
        moments,
        (moment) => moment.phase === 'before' || (moment.phase === 'step' && (moment.step ?? 0) < step),
      );
      if (isEnding) return moments.filter(({ phase: one }, at) => one === 'finish' || at === last);
      if (SETTLED.has(stepState)) return moments.filter((_, at) => at === last);
      const end = BEFORE_ROUTING.has(stepState) ? last - 1 : last;
      return moments.slice(before, end + 1);
    },
  };
}

/** Reads the status of a TrafficRouting. Its one strategy is applied or not. */
export function routingStateOf(manifest: Manifest): ReleaseState {
  const phase = asText(manifest.get('status.phase'));
  const message = optional('message', asText(manifest.get('status.message')));
  const isIdle = phase === '' || phase === 'Initial' || phase === 'Healthy';
  return {
    ...message,
    text: phase || 'no status yet',
    isIdle,
    isSettled: isIdle,
    // While the controller restores the objects, any state is possible.
    possible: ({ moments }) =>
      moments.filter(({ phase: one }) => one === 'before' || (!isIdle && (one === 'step' || one === 'prepare'))),
  };
}

/** The reason of the condition `Progressing`. */
function reasonOf(status: JsonObject): string {
  const list = Array.isArray(status.conditions) ? status.conditions : [];
  const progressing = list.find((one: Json) => ownValue(one, 'type') === 'Progressing');
  return progressing === undefined ? '' : asText(ownValue(progressing, 'reason'));
}

function optional<K extends string>(key: K, value: string): { readonly [key in K]?: string } {
  return (value === '' ? {} : { [key]: value }) as { readonly [key in K]?: string };
}
