/** What the controller does when people change the steps in the middle of a release. */
import { asObject, type JsonObject, sameJson } from '../../../core/json';
import { formatPath } from '../../../core/path';
import type { KruiseRolloutFacts } from '../../facts';
import type { RolloutSubject } from '../../subject';
import type { KruiseRolloutVersion } from '../../version';
import type { ControllerError } from '../error';
import { podsIn, type Share, shareOf } from './workload';

/** How many pods a step wants to be new. */
export function shareOfStep({ steps, v1alpha1 }: RolloutSubject, index: number): Share {
  const { replicas, weight } = steps[index]!.object;
  const percentage = v1alpha1 && typeof weight === 'number' ? `${weight}%` : undefined;
  return shareOf(replicas ?? percentage);
}

/** The new pods of each step, of those that a workload has. */
function podsOfSteps(rollout: RolloutSubject, replicas: number): number[] {
  return rollout.steps.map((_, index) => podsIn(shareOfStep(rollout, index), replicas));
}

/** Whether an edit changes the plan. How long a step pauses, and how many pods may fail, is no part of it. */
export function changesPlan(before: RolloutSubject, after: RolloutSubject): boolean {
  return !sameJson(planOf(before), planOf(after));
}

function planOf({ strategy, steps }: RolloutSubject): JsonObject {
  const { failureThreshold: _threshold, steps: _steps, ...others } = asObject(strategy.object);
  return { ...others, steps: steps.map(({ object: { pause: _pause, ...step } }) => step) };
}

/**
 * The step at which a changed plan goes on, whether or not somebody has approved the current one: the first that has enough pods for those
 * that the release has now, else the last one that the controller looks at. From 0.6 on it looks at the current step first.
 * @param current counted from 0
 */
export function stepOfChangedPlan(
  {
    before,
    after,
    replicas,
  }: { readonly before: RolloutSubject; readonly after: RolloutSubject; readonly replicas: number },
  current: number,
  { keepsStepOfChangedPlan }: KruiseRolloutFacts,
): number {
  const now = podsOfSteps(before, replicas)[current]!;
  const pods = podsOfSteps(after, replicas);
  const indices = [...pods.keys()];
  const isKept = keepsStepOfChangedPlan && current < pods.length;
  const order = isKept ? [current, ...indices.filter((index) => index !== current)] : indices;
  return order.find((index) => now <= pods[index]!) ?? order.at(-1)!;
}

/**
 * The panic of a controller that looks for the current step in a plan that has fewer steps, as only v1alpha1 allows. It exits, for all Rollouts, each
 * time that it starts.
 */
export function panicOfPlan(
  { steps, strategy }: RolloutSubject,
  current: number,
  { jumps, countsPodsBeforeJump }: KruiseRolloutFacts,
): ControllerError | undefined {
  if (!jumps || countsPodsBeforeJump || current < steps.length) return undefined;
  const message = `runtime error: index out of range [${current}] with length ${steps.length}`;
  return { class: 'panic', message, path: formatPath([...strategy.path, 'steps']) };
}

/** Whether the controller compares the step where it goes on with the current one, and then gives the release no other pods. */
export function takesPodsAsTheyAre(
  { steps }: RolloutSubject,
  { from, to }: { readonly from: number; readonly to: number },
  { facts }: KruiseRolloutVersion,
): boolean {
  return (
    !facts.countsPodsBeforeJump && facts.jumps && sameJson(steps[from]?.object.replicas, steps[to]?.object.replicas)
  );
}
