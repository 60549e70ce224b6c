/** How a Rollout of Argo is read, and what people tell its controller. */
import type { KubernetesObject } from '../cluster/api';
import { sorted } from '../sorted';
import type { Command, ControllerOnStage } from './controller';

/** What the controller, and not the API server, fills in. */
const DEFAULT_REPLICAS = 1;

/** How many pods a Rollout has at rest: before 1.10, `minPodsPerReplicaSet` of them even where `spec.replicas` says fewer. */
function possiblePods({ spec }: KubernetesObject): readonly number[] {
  const replicas = spec.replicas ?? DEFAULT_REPLICAS;
  return [replicas, Math.max(replicas, spec.strategy.canary?.minPodsPerReplicaSet ?? 0)];
}

export const argoRollouts: Omit<ControllerOnStage, 'name' | 'start'> = {
  workloadOf(rollout, objects) {
    const { workloadRef } = rollout.spec;
    if (workloadRef === undefined) return rollout;
    return objects.find(({ kind, metadata }) => kind === workloadRef.kind && metadata.name === workloadRef.name)!;
  },
  isSettled: (rollout) => isOver(rollout) && possiblePods(rollout).includes(rollout.status.readyReplicas ?? 0),
  isOver,
  isAt: ({ status }, { phase, step, state }) =>
    (phase === undefined || status?.phase === phase) &&
    (step === undefined || status?.currentStepIndex === step) &&
    (state === undefined || status?.pauseConditions?.[0]?.reason === state),
  isPaused,
  waitsForPeople: async (current) => {
    const { spec, status } = current();
    const { canary, blueGreen } = spec.strategy;
    const pause = canary?.steps?.[status.currentStepIndex]?.pause;
    return isPaused(current()) && pause?.duration === undefined && blueGreen?.autoPromotionSeconds === undefined;
  },
  approval: 'promote',
  // What `kubectl argo rollouts` patches.
  told(what, rollout) {
    // The command line resumes a Rollout that is paused as a whole.
    const resumed = rollout.spec.paused === true ? { spec: { paused: false } } : {};
    if (what === 'promote') return { ...promote(rollout), ...resumed };
    if (what === 'promote-full') return { status: { promoteFull: true }, ...resumed };
    if (what === 'abort' || what === 'retry') return { status: { abort: what === 'abort' } };
    throw new Error(`nobody can tell Argo Rollouts to ${JSON.stringify(what)}`);
  },
  // What comes while the controller writes a status can be lost: it then keeps its own, older object (#4073).
  nudge: () => ({ metadata: { annotations: { 'stage.rollout-constructs.io/nudge': String(Date.now()) } } }),
  placeOf({ status }) {
    if (status?.phase === undefined) return undefined;
    const { phase, currentStepIndex, abort, stableRS, canary, blueGreen } = status;
    return sorted({
      phase,
      step: currentStepIndex,
      ...(abort && { abort }),
      stable: stableRS,
      stablePingPong: canary?.stablePingPong,
      active: blueGreen?.activeSelector,
      preview: blueGreen?.previewSelector,
      verified: canary?.weights?.verified,
    });
  },
};

function promote({ spec, status }: KubernetesObject): Command {
  const next = Math.min((status.currentStepIndex ?? 0) + 1, spec.strategy.canary?.steps?.length ?? 0);
  const isPausedNow = status.pauseConditions?.length > 0;
  if (isPausedNow && status.canary?.currentStepAnalysisRunStatus?.status === 'Inconclusive') {
    return { status: { pauseConditions: null, controllerPause: false, currentStepIndex: next } };
  }
  if (isPausedNow || spec.strategy.canary === undefined) return { status: { pauseConditions: null } };
  return { status: { pauseConditions: null, currentStepIndex: next } };
}

/** True when the controller has seen the newest spec and has nothing more to do. */
function isOver({ metadata, spec, status }: KubernetesObject): boolean {
  // A blue-green Rollout that was a canary keeps its last weights.
  const weights = spec.strategy.canary && status?.canary?.weights;
  return (
    status?.phase === 'Healthy' &&
    status.stableRS === status.currentPodHash &&
    Number(status.observedGeneration) === metadata.generation &&
    !(weights?.canary?.weight > 0)
  );
}

function isPaused({ status }: KubernetesObject): boolean {
  return status?.phase === 'Paused' && status.pauseConditions?.length > 0;
}
