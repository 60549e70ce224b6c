/** How a Rollout of Kruise is read, and what people tell its controller. */
import type { StoryPlace } from '../../../src/release';
import type { KubernetesObject } from '../cluster/api';
import { sleep } from '../cluster/processes';
import { sorted } from '../sorted';
import type { ControllerOnStage } from './controller';

/** Longer than any pause that ends by itself, and than a pause that the controller passes through. */
const SECONDS_OF_A_PAUSE = 6;

export const kruiseRollouts: Omit<ControllerOnStage, 'name' | 'start'> = {
  workloadOf({ spec }, objects) {
    const { kind, name } = spec.workloadRef ?? spec.objectRef.workloadRef;
    return objects.find((object) => object.kind === kind && object.metadata.name === name)!;
  },
  isSettled: (rollout, workload) => isOver(rollout) && hasAllPods(workload),
  isOver,
  isAt,
  isPaused,
  async waitsForPeople(current) {
    const begin = JSON.stringify(stepOf(current()).currentStepIndex);
    for (const end = Date.now() + SECONDS_OF_A_PAUSE * 1000; Date.now() < end; await sleep(200)) {
      const now = current();
      if (!isPaused(now) || JSON.stringify(stepOf(now).currentStepIndex) !== begin) return false;
      if (/manually confirm/.test(now.status.message ?? '')) return true;
    }
    return true;
  },
  approval: 'approve',
  told(what, { status }) {
    const field = status?.blueGreenStatus === undefined ? 'canaryStatus' : 'blueGreenStatus';
    if (what === 'approve') return { status: { [field]: { currentStepState: 'StepReady' } } };
    if (what === 'disable' || what === 'enable') return { spec: { disabled: what === 'disable' } };
    if (typeof what === 'object') return { status: { [field]: { nextStepIndex: what.jump } } };
    throw new Error(`nobody can tell Kruise Rollouts to ${what}`);
  },
  placeOf(rollout) {
    const { status, spec } = rollout;
    if (status === undefined) return undefined;
    const step = stepOf(rollout);
    return sorted({
      ...(spec.disabled && { disabled: true }),
      phase: status.phase,
      step: step.currentStepIndex,
      state: step.currentStepState,
      ...(step.finalisingStep && { finalising: step.finalisingStep }),
    });
  },
};

function hasAllPods({ kind, spec, status }: KubernetesObject): boolean {
  if (kind !== 'DaemonSet') return status?.readyReplicas === spec.replicas;
  return status?.numberReady > 0 && status.numberReady === status.desiredNumberScheduled;
}

function isOver({ status }: KubernetesObject): boolean {
  return status?.phase === 'Healthy';
}

function isPaused(rollout: KubernetesObject): boolean {
  return isAt(rollout, { state: 'StepPaused' });
}

function isAt(rollout: KubernetesObject, { phase, step, state }: StoryPlace): boolean {
  const at = stepOf(rollout);
  return (
    (phase === undefined || rollout.status?.phase === phase) &&
    (step === undefined || at.currentStepIndex === step) &&
    (state === undefined || at.currentStepState === state)
  );
}

function stepOf({ status }: KubernetesObject): KubernetesObject {
  return status?.canaryStatus ?? status?.blueGreenStatus ?? {};
}
