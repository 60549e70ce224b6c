/** Which calls the controller makes at which point of a release: the state of a release in, calls out. */
import type { JsonObject } from '../../core/json';
import { asList, asObject, asText, numberOf, partOf } from '../../core/json';
import type { WeightDestination } from './actions';
import { type PingPong, stablePingPongOf } from './alb-rollout';
import type { AlbCall } from './apply';

/** Without `maxTrafficWeight`, which ALB does not take, weights are percentages. */
const FULL_WEIGHT = 100;

/** What of a release decides about calls. */
export interface ReleaseState {
  /** `promoted`: no other version is wanted than the stable one. `promote-full`: all steps are skipped. */
  readonly phase: 'progressing' | 'promote-full' | 'promoted' | 'aborted';
  /** `status.currentStepIndex`; the number of steps once all are done. @default 0 */
  readonly step?: number;
  /** Available pods of the canary. @default 0 */
  readonly canaryPods?: number;
  /** The weight that the canary has, which `promote-full` leaves it. @default 0 */
  readonly weight?: number;
  /** Whether the pods are as many as the step wants. @default true */
  readonly isScaled?: boolean;
  /** Whether enough stable pods are available for what is left to them. @default true */
  readonly isStableAvailable?: boolean;
  /** Whether this is the first version ever, at which no header route is set. @default false */
  readonly isFirstRevision?: boolean;
  /** Services of the experiment that runs, in the order of its templates. @default - none runs */
  readonly experiments?: readonly WeightDestination[];
}

/** One reconcile of the controller that can change an Ingress. */
export interface AlbPass {
  /**
   * - `idle`: before the release
   * - `step`: at a step, as often as its state changes
   * - `finish`: all steps are done, all traffic goes to the canary
   * - `promoted`: the canary has become stable
   * - `abort`: the release is given up at `step`
   */
  readonly phase: 'idle' | 'step' | 'finish' | 'promoted' | 'abort';
  /** Counted from 0, as in `steps[0]`. */
  readonly step?: number;
  /** Available pods of the canary. */
  readonly canaryPods: number;
  /** For `readAlbRollout`: which ping-pong Service is stable in this pass. */
  readonly stablePingPong: PingPong;
  readonly calls: readonly AlbCall[];
}

/** What of a release the Rollout does not say. */
export interface PassesOptions {
  /**
   * The name of the Service that an experiment makes for a template.
   * @default - `service.name` of the template, else the names of Rollout, step and template; the controller puts hashes between them
   */
  readonly experimentService?: (template: JsonObject, step: number) => string;
}

/** The calls of one reconcile, in order. */
export function callsOf(rollout: unknown, state: ReleaseState): AlbCall[] {
  const steps = stepsOf(rollout);
  const step = state.step ?? 0;
  const remove: AlbCall = { call: 'removeManagedRoutes' };
  const { weight, removes } = weightOf(steps, step, state);
  const experiments = takesExperiments(steps, step, state) ? (state.experiments ?? []) : [];
  const calls: AlbCall[] = removes ? [remove] : [];
  // Until stable has its pods the Ingress stays as it is, also for a header route.
  if (state.isStableAvailable === false) return calls;
  const route = partOf(steps[step], 'setHeaderRoute');
  const takesRoutes = state.phase === 'progressing' && state.isFirstRevision !== true;
  if (route !== undefined && takesRoutes) calls.push({ call: 'setHeaderRoute', route });
  calls.push({ call: 'setWeight', weight, ...(experiments.length === 0 ? {} : { experiments }) });
  return calls;
}

/**
 * A release from the idle Rollout until the canary is stable: every reconcile after which an Ingress may differ. Pauses
 * and analyses are steps like others, with the weight that was.
 */
export function passesOf(rollout: unknown, options: PassesOptions = {}): AlbPass[] {
  const steps = stepsOf(rollout);
  const stable = stablePingPongOf(rollout);
  const passes: AlbPass[] = [idlePass(rollout, 'idle', stable)];
  let pods = 0;
  // After the last step comes one more, at which the canary gets everything.
  for (let step = 0; step <= steps.length; step++) {
    const next = canaryReplicasAt(rollout, step);
    const experiments = experimentsOf(rollout, steps[step], step, options);
    // Before its first pods are there, the canary gets nothing, whatever the step says.
    for (const canaryPods of pods === 0 && next > 0 ? [0, next] : [next]) {
      const calls = callsOf(rollout, { phase: 'progressing', step, canaryPods, experiments });
      const at = step < steps.length ? ({ phase: 'step', step } as const) : ({ phase: 'finish' } as const);
      passes.push({ ...at, canaryPods, stablePingPong: stable, calls });
    }
    pods = next;
  }
  return [...passes, idlePass(rollout, 'promoted', stable === 'ping' ? 'pong' : 'ping')];
}

/** The reconcile that gives a release up at a step. With `dynamicStableScale` this is what it comes to in the end. */
export function abortPassOf(rollout: unknown, step: number): AlbPass {
  return {
    phase: 'abort',
    step,
    canaryPods: canaryReplicasAt(rollout, step),
    stablePingPong: stablePingPongOf(rollout),
    calls: callsOf(rollout, { phase: 'aborted', step }),
  };
}

/** The weight that the steps up to this one ask for. */
export function weightAt(rollout: unknown, step: number): number {
  return currentWeight(stepsOf(rollout), step);
}

/** How many canary pods a step wants. */
export function canaryReplicasAt(rollout: unknown, step: number): number {
  const steps = stepsOf(rollout);
  const all = replicasOf(rollout);
  const scales = steps.slice(0, step + 1).flatMap((object) => partOf(object, 'setCanaryScale') ?? []);
  const { matchTrafficWeight, replicas, weight } = asObject(scales.at(-1));
  const isOwnScale = matchTrafficWeight !== true && step < steps.length;
  if (isOwnScale && typeof replicas === 'number') return replicas;
  const ownWeight = isOwnScale ? numberOf(weight) : undefined;
  const count = Math.ceil((all * (ownWeight ?? currentWeight(steps, step))) / FULL_WEIGHT);
  const least = numberOf(canaryOf(rollout)?.minPodsPerReplicaSet) ?? 0;
  return count === 0 ? 0 : Math.max(count, Math.min(least, all));
}

function weightOf(steps: readonly JsonObject[], step: number, state: ReleaseState) {
  if (state.phase === 'promoted' || state.phase === 'aborted') return { weight: 0, removes: true };
  if ((state.canaryPods ?? 0) === 0) return { weight: 0, removes: true };
  if (state.phase === 'promote-full') return { weight: state.weight ?? 0, removes: true };
  if (steps.length === 0) return { weight: 0, removes: false };
  // A weight waits for its pods.
  const weight = state.isScaled === false ? lastSetWeight(steps, step - 1) : currentWeight(steps, step);
  return { weight, removes: false };
}

/** The Services of an experiment are part of the action from the step on, whether or not the canary has pods. */
function takesExperiments(steps: readonly JsonObject[], step: number, { phase }: ReleaseState): boolean {
  return phase === 'progressing' && step < steps.length;
}

function currentWeight(steps: readonly JsonObject[], step: number): number {
  return step >= steps.length ? FULL_WEIGHT : lastSetWeight(steps, step);
}

function lastSetWeight(steps: readonly JsonObject[], step: number): number {
  return steps.slice(0, step + 1).reduce((weight, object) => numberOf(object.setWeight) ?? weight, 0);
}

function idlePass(rollout: unknown, phase: 'idle' | 'promoted', stablePingPong: PingPong): AlbPass {
  const calls = callsOf(rollout, { phase: 'promoted' });
  return { phase, canaryPods: 0, stablePingPong, calls };
}

function experimentsOf(
  rollout: unknown,
  step: JsonObject | undefined,
  index: number,
  { experimentService }: PassesOptions,
): WeightDestination[] {
  const name = asText(asObject(asObject(rollout).metadata).name);
  return asList(partOf(step, 'experiment')?.templates).flatMap((entry) => {
    const template = asObject(entry);
    const weight = numberOf(template.weight);
    // A template without weight gets no Service.
    if (weight === undefined) return [];
    const serviceName =
      experimentService?.(template, index) ??
      (asText(partOf(template, 'service')?.name) || `${name}-${index}-${asText(template.name)}`);
    return [{ serviceName, weight }];
  });
}

function stepsOf(rollout: unknown): readonly JsonObject[] {
  return asList(canaryOf(rollout)?.steps).map(asObject);
}

function canaryOf(rollout: unknown): JsonObject | undefined {
  return partOf(partOf(partOf(asObject(rollout), 'spec'), 'strategy'), 'canary');
}

function replicasOf(rollout: unknown): number {
  return numberOf(partOf(asObject(rollout), 'spec')?.replicas) ?? 1;
}
