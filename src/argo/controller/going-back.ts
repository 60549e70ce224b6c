/**
 * How requests go back to the stable version, after an abort or when it is released again in the middle. With `dynamicStableScale` its
 * pods have to come back first.
 */
import { asList, asObject, asText, isSet, numberOf, partOf } from '../../core/json';
import { ArgoRolloutsVersion } from '../version';
import { restingPingPongOf } from './alb-rollout';
import {
  type AlbPass,
  callsOf,
  canaryOf,
  canaryReplicasAt,
  maxTrafficWeightOf,
  type OfRelease,
  type PassesOptions,
  podsFor,
  replicasOf,
  routesTraffic,
  scalesStable,
  stableReplicasAt,
  stepsOf,
  weightAt,
  withMinPods,
} from './steps';

/** The pods and the weight on the way back. */
export interface Place {
  readonly canaryPods: number;
  readonly stablePods: number;
  /** The weight of the canary. */
  readonly weight: number;
}

/** A reconcile on the way back, while stable pods are missing. */
export interface ReturningPass extends AlbPass, Place {
  /** Whether it goes back to the weight of a step; the weight follows the pods otherwise. */
  readonly isStep: boolean;
}

/** The way back after an abort. */
export interface WayBack {
  readonly returning: readonly ReturningPass[];
  /** The reconcile after which nothing goes to the canary; undefined if the controller never gets there. */
  readonly last: AlbPass | undefined;
  /** Whether the weight stands still until the delay is over, and the new pods go. */
  readonly isDelayed?: boolean;
}

/** The reconcile that ends an abort: nothing goes to the canary. */
export function abortedPass(rollout: unknown, step: number, options: PassesOptions = {}): AlbPass {
  return passAt(rollout, step, { canaryPods: canaryReplicasAt(rollout, step, options), weight: 0 }, options);
}

/**
 * The reconciles after an abort at a step; with `dynamicStableScale` there are several. Since 1.9 the weight goes back from step to
 * step, as soon as the stable pods for the lower one are there. Before, and after the last such step, it follows the stable pods.
 * @param from where it begins; by default at the pods and the weight of the step
 */
export function wayBackOf(
  rollout: unknown,
  step: number,
  options: PassesOptions = {},
  from = placeOf(rollout, step, options),
): WayBack {
  const last = abortedPass(rollout, step, options);
  if (!scalesStable(rollout)) return { returning: [], last };
  const { version = ArgoRolloutsVersion.LATEST } = options;
  const { places, standsStill = false } = version.facts.dynamicAbortFollowsSteps
    ? placesBySteps(rollout, from, { version })
    : { places: [] };
  const passOf = (place: Place, isStep = false) => ({ ...passAt(rollout, step, place, options), ...place, isStep });
  const bySteps = places.map((place) => passOf(place, true));
  const begun = standsStill || bySteps.length > 0 ? [passOf(from), ...bySteps] : [];
  const now = places.at(-1) ?? from;
  if (standsStill) {
    // The delay begins as soon as all stable pods are there.
    const isDelayed = delaysAfterAbort(rollout) && now.stablePods >= replicasOf(rollout);
    return { returning: begun, last: isDelayed ? { ...last, canaryPods: 0 } : undefined, isDelayed };
  }
  const byPods = placesByPods(rollout, now, { version }).filter(
    ({ stablePods, weight }) => places.length === 0 || stablePods > now.stablePods || weight < now.weight,
  );
  const { canaryPods } = byPods.at(-1) ?? now;
  return { returning: [...begun, ...byPods.map((place) => passOf(place))], last: { ...last, canaryPods } };
}

/** The field that keeps the new pods of an aborted release, and with them their requests. */
export function fieldThatKeepsPods(rollout: unknown): 'abortScaleDownDelaySeconds' | 'minPodsPerReplicaSet' {
  return delaysAfterAbort(rollout) ? 'abortScaleDownDelaySeconds' : 'minPodsPerReplicaSet';
}

/** The same until the stable version, which is released again in the middle, has its pods: since 1.9 its weight waits for all of them. */
export function passesUntilBack(rollout: unknown, step: number, options: PassesOptions = {}): readonly ReturningPass[] {
  const { version = ArgoRolloutsVersion.LATEST } = options;
  if (!version.facts.dynamicAbortFollowsSteps) return wayBackOf(rollout, step, options).returning;
  if (!scalesStable(rollout)) return [];
  const from = placeOf(rollout, step, options);
  if (from.stablePods >= replicasOf(rollout)) return [];
  return [{ ...passAt(rollout, step, from, options), ...from, isStep: false, calls: [] }];
}

function placeOf(rollout: unknown, step: number, options: PassesOptions): Place {
  const canaryPods = canaryReplicasAt(rollout, step, options);
  const { stablePods = stableReplicasAt(rollout, step, canaryPods, options) } = options;
  return { canaryPods, stablePods, weight: weightAt(rollout, step) };
}

function passAt(
  rollout: unknown,
  step: number,
  { canaryPods, weight }: Pick<Place, 'canaryPods' | 'weight'>,
  options: PassesOptions,
): AlbPass {
  const { stablePingPong = restingPingPongOf(rollout) } = options;
  const calls = callsOf(rollout, { phase: 'aborted', step, weight }, options);
  return { phase: 'abort', step, canaryPods, stablePingPong, calls };
}

/**
 * From step to step, the last one first: each asks for fewer new pods than there are. New pods stay while their weight does, so it goes
 * no further where they stay longer.
 */
function placesBySteps(rollout: unknown, from: Place, options: OfRelease): { places: Place[]; standsStill?: boolean } {
  const places: Place[] = [];
  for (let now = from; ; ) {
    const missing = replicasOf(rollout) - now.stablePods;
    const below = weightBelow(rollout, Math.max(missing, now.canaryPods));
    if (below <= 0) return { places };
    const weight = Math.min(now.weight, below);
    const left = withMinPods(rollout, podsFor(rollout, maxTrafficWeightOf(rollout) - below), options);
    const stablePods = Math.max(now.stablePods, left);
    const canaryPods = delaysAfterAbort(rollout)
      ? now.canaryPods
      : withMinPods(rollout, podsFor(rollout, below), options);
    const isSame = weight === now.weight && stablePods === now.stablePods && canaryPods === now.canaryPods;
    if (isSame) return { places, standsStill: true };
    now = { canaryPods, stablePods, weight };
    places.push(now);
  }
}

/** The weight of the last step that asks for fewer pods; 0 if there is none. */
function weightBelow(rollout: unknown, pods: number): number {
  const weights = stepsOf(rollout).flatMap(({ setWeight }) => numberOf(setWeight) ?? []);
  return weights.filter((weight) => podsFor(rollout, weight) < pods).at(-1) ?? 0;
}

/** One stable pod after the other comes back; of many, some. They take back only what they can serve. */
function placesByPods(rollout: unknown, { stablePods: first, ...from }: Place, options: OfRelease): Place[] {
  const all = replicasOf(rollout);
  const full = maxTrafficWeightOf(rollout);
  const missing = Math.max(0, all - first);
  const moments = Math.min(missing, MOST_RETURNS);
  return Array.from({ length: moments }, (_, index): Place => {
    const stablePods = first + Math.floor((index * missing) / moments);
    const weight = Math.min(from.weight, full - Math.trunc((full * stablePods) / all));
    const isKept = delaysAfterAbort(rollout) || index === 0;
    const canaryPods = isKept ? from.canaryPods : withMinPods(rollout, podsFor(rollout, weight), options);
    return { canaryPods: Math.min(from.canaryPods, canaryPods), stablePods, weight };
  });
}

const MOST_RETURNS = 4;

/**
 * Whether the canary Service moves to the new pods and back after an abort, at every reconcile while they run: some hundred
 * times in the 30 seconds of `abortScaleDownDelaySeconds`. With 0 they go with the abort, or never do.
 */
export function flapsAfterAbort(rollout: unknown): boolean {
  const { pingPong, canaryService, trafficRouting } = asObject(canaryOf(rollout));
  if (!isSet(trafficRouting) || asText(canaryService) === '' || isSet(pingPong)) return false;
  return delaysAfterAbort(rollout) || (!scalesStable(rollout) && staysAfterAbort(rollout));
}

/** Whether the new pods of an aborted release stay for a while; with `dynamicStableScale` only if the Rollout says for how long. */
export function delaysAfterAbort(rollout: unknown): boolean {
  const { abortScaleDownDelaySeconds: seconds } = asObject(canaryOf(rollout));
  if (!routesTraffic(rollout) || numberOf(seconds) === 0) return false;
  return !scalesStable(rollout) || isSet(seconds);
}

/**
 * Whether the new pods stay for good after an abort: with `abortScaleDownDelaySeconds: 0` the controller still scales them
 * as the step that it is at declares, and after an abort that is the first one.
 */
export function staysAfterAbort(rollout: unknown): boolean {
  const { abortScaleDownDelaySeconds, trafficRouting, steps } = asObject(canaryOf(rollout));
  if (!isSet(trafficRouting) || numberOf(abortScaleDownDelaySeconds) !== 0) return false;
  const scale = partOf(asObject(asList(steps)[0]), 'setCanaryScale');
  return scale !== undefined && scale.matchTrafficWeight !== true;
}

/**
 * The stable pods for a moment, when one write brings back the old image with another number of pods: the controller scales
 * before it looks what is new, so it takes the old version for the new one and gives it the pods of the step.
 * @param step undefined if the release is aborted
 */
export function stableReplicasBack(
  rollout: unknown,
  step: number | undefined,
  stable: number,
  options: OfRelease = {},
): number {
  const { version = ArgoRolloutsVersion.LATEST } = options;
  if (step !== undefined) return canaryReplicasAt(rollout, step, options);
  if (staysAfterAbort(rollout)) return canaryReplicasAt(rollout, 0, options);
  if (!scalesStable(rollout) || !version.facts.dynamicAbortFollowsSteps) return 0;
  const below = weightBelow(rollout, Math.max(replicasOf(rollout) - stable, stable));
  return withMinPods(rollout, podsFor(rollout, below), options);
}
