/** The state of a release of Argo Rollouts by its status, and the moments of the played release that fit it. */

import type { ArgoRollout } from '../../argo/release';
import { asObject, asText } from '../../core/json';
import type { Moment } from '../../release';
import { lastIndexWhere } from '../last';

/** The state of a release by its status. */
export interface ArgoState {
  /** `Paused, step 2 of 4 (pause)` */
  readonly text: string;
  readonly isIdle: boolean;
  /** Whether the controller has nothing left to do for now. */
  readonly isSettled: boolean;
  /** Counted from 0, as in `steps[0]`; undefined outside of steps. */
  readonly step?: number;
  /** Whether the active Service of a blue-green release selects the new version; undefined of a canary. */
  readonly isSwitched?: boolean;
  readonly stableHash?: string;
  readonly canaryHash?: string;
  readonly message?: string;
  /** The possible moments of the played release, the most likely last. */
  possible(moments: readonly Moment[]): readonly Moment[];
}

/** Reads the status of a Rollout. */
export function argoStateOf({ manifest, steps, style }: ArgoRollout): ArgoState {
  const status = asObject(manifest.get('status'));
  const phase = asText(status.phase) || 'no status yet';
  const stableHash = asText(status.stableRS);
  const canaryHash = asText(status.currentPodHash);
  const common = {
    ...(stableHash === '' ? {} : { stableHash }),
    ...(canaryHash === '' ? {} : { canaryHash }),
    ...(asText(status.message) === '' ? {} : { message: asText(status.message) }),
  };
  if (stableHash === canaryHash) {
    return { ...common, text: phase, isIdle: true, isSettled: true, possible: (moments) => moments.slice(0, 1) };
  }
  if (status.abort === true) {
    return {
      ...common,
      text: `${phase}, aborted`,
      isIdle: false,
      isSettled: true,
      possible: (moments) => moments.filter((one) => one.phase === 'abort'),
    };
  }
  if (style === 'argo-blue-green') {
    const active = asObject(status.blueGreen).activeSelector;
    const isSwitched = active === canaryHash;
    return {
      ...common,
      text: `${phase}, ${isSwitched ? 'the new version is active' : 'the old version is active'}`,
      isIdle: false,
      isSwitched,
      isSettled: status.controllerPause === true || isSwitched,
      possible: (moments) => moments.filter((one) => one.phase === (isSwitched ? 'finish' : 'prepare')),
    };
  }
  const index = typeof status.currentStepIndex === 'number' ? status.currentStepIndex : 0;
  if (index >= steps.length) {
    return {
      ...common,
      text: `${phase}, all ${steps.length} steps done`,
      isIdle: false,
      isSettled: false,
      possible: (moments) => moments.filter((one) => one.phase === 'finish'),
    };
  }
  const what = Object.keys(steps[index]!).join(' and ');
  return {
    ...common,
    text: `${phase}, step ${index + 1} of ${steps.length} (${what})`,
    isIdle: false,
    // A pause begins after everything before it is done.
    isSettled: Object.hasOwn(steps[index]!, 'pause') && Array.isArray(status.pauseConditions),
    step: index,
    possible: (moments) => {
      const last = lastIndexWhere(moments, (one) => one.phase === 'step' && one.step === index);
      const before = lastIndexWhere(
        moments,
        (one) => one.phase === 'before' || (one.phase === 'step' && (one.step ?? 0) < index),
      );
      return moments.slice(before, last + 1);
    },
  };
}
