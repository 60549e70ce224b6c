/** The controller's calls at each point of a release, as a function of the release's state. */
import type { JsonObject } from '../../core/json';
import { asList, asObject, asText, isSet, numberOf, partOf } from '../../core/json';
import { ArgoRolloutsVersion } from '../version';
import type { WeightDestination } from './actions';
import { type PingPong, restingPingPongOf } from './alb-rollout';
import { lacksTemplate, NO_TEMPLATE } from './analysis';
import type { AlbCall } from './apply';
import { defaultServiceName, weightedTemplates } from './experiment';
import { waitsForPods } from './istio-waits';
import { NEVER_READY } from './play';
import { closestCounts, maxSurgeOf, maxUnavailableOf, type PodCounts } from './replicas';
import { areEnough, type Threshold, thresholdOf, thresholdText } from './threshold';

/** The default of `maxTrafficWeight`. */
const FULL_WEIGHT = 100;

/** The state of a release that determines the calls. */
export interface ReleaseState {
  /** `promoted`: only the stable version is desired. `promote-full`: all steps are skipped. */
  readonly phase: 'progressing' | 'promote-full' | 'promoted' | 'aborted';
  /** `status.currentStepIndex`; the number of steps once all are done. @default 0 */
  readonly step?: number;
  /** Available pods of the canary. @default 0 */
  readonly canaryPods?: number;
  /** The weight that the canary keeps in an abort or while all steps are skipped. @default 0 */
  readonly weight?: number;
  /** Whether the step has its desired number of pods. @default true */
  readonly isScaled?: boolean;
  /** Whether enough stable pods are available for their share of the traffic. @default true */
  readonly isStableAvailable?: boolean;
  /** Whether this is the first version, which sets no header routes. @default false */
  readonly isFirstRevision?: boolean;
  /** The Services of the running experiment, in the order of its templates. @default - none */
  readonly experiments?: readonly WeightDestination[];
}

/** One reconcile of the controller that can change an Ingress. */
export interface AlbPass {
  /**
   * - `idle`: before the release
   * - `step`: at a step, once for every change of its state
   * - `finish`: all steps are done, and all traffic goes to the canary
   * - `promoted`: the canary has become stable
   * - `abort`: the release is aborted at `step`
   */
  readonly phase: 'idle' | 'step' | 'finish' | 'promoted' | 'abort';
  /** Counted from 0, as in `steps[0]`. */
  readonly step?: number;
  /** Available pods of the canary. */
  readonly canaryPods: number;
  /** Whether the release has just begun again with other steps, and with the pods that it had. */
  readonly isAgain?: true;
  /** Whether the weighted experiment of the step runs, or is over. */
  readonly experiment?: 'running' | 'over';
  /** Why the controller goes on only after somebody skips the step: not enough pods are ready. */
  readonly waits?: string;
  /** The stable ping-pong Service in this pass, for `readAlbRollout`. */
  readonly stablePingPong: PingPong;
  readonly calls: readonly AlbCall[];
}

/** Options of a release that are not in the Rollout. */
export interface PassesOptions {
  /**
   * The name of the Service of an experiment's template.
   * @default - `service.name` of the template, else the names of Rollout, step and template; the controller puts hashes between them
   */
  readonly experimentService?: (template: JsonObject, step: number) => string;
  /**
   * The version of the controller.
   * @default ArgoRolloutsVersion.LATEST
   */
  readonly version?: ArgoRolloutsVersion;
  /**
   * Which of ping and pong is stable before the release.
   * @default - that of a new Rollout
   */
  readonly stablePingPong?: PingPong;
  /**
   * The step at which the release begins; the number of steps for one that skips them all.
   * @default 0
   */
  readonly from?: number;
  /**
   * The number of pods that the version already has when the release begins.
   * @default 0
   */
  readonly pods?: number;
  /**
   * Whether no pod of the version becomes ready.
   * @default false
   */
  readonly isNeverReady?: boolean;
  /**
   * The number of stable pods where they begin to come back.
   * @default - that of the step
   */
  readonly stablePods?: number;
}

/** The calls of one reconcile, in order. */
export function callsOf(
  rollout: unknown,
  state: ReleaseState,
  { version = ArgoRolloutsVersion.LATEST }: Pick<PassesOptions, 'version'> = {},
): AlbCall[] {
  const steps = stepsOf(rollout);
  const step = state.step ?? 0;
  const remove: AlbCall = { call: 'removeManagedRoutes' };
  const { weight, removes } = weightOf(rollout, steps, { ...state, step }, version);
  const experiments = takesExperiments(steps, step, state) ? (state.experiments ?? []) : [];
  const calls: AlbCall[] = removes ? [remove] : [];
  // Until the stable pods are available, the Ingress does not change, not even for a header route.
  if (state.isStableAvailable === false || asksForTooMany(rollout, weight, version)) return calls;
  const route = partOf(steps[step], 'setHeaderRoute');
  const mirror = partOf(steps[step], 'setMirrorRoute');
  const takesRoutes = state.phase === 'progressing' && state.isFirstRevision !== true;
  if (route !== undefined && takesRoutes) calls.push({ call: 'setHeaderRoute', route });
  if (mirror !== undefined && takesRoutes) calls.push({ call: 'setMirrorRoute', route: mirror });
  calls.push({ call: 'setWeight', weight, ...(experiments.length === 0 ? {} : { experiments }) });
  return calls;
}

/** Whether the controller takes `maxTrafficWeight` for 100 and waits for more stable pods than there are. */
export function asksForTooMany(rollout: unknown, weight: number, { facts }: ArgoRolloutsVersion): boolean {
  if (facts.countsStablePodsByMaxWeight) return false;
  const replicas = replicasOf(rollout);
  const left = maxTrafficWeightOf(rollout) - weight;
  const available = scalesStable(rollout) ? podsFor(rollout, left) : replicas;
  return Math.floor((left * replicas) / FULL_WEIGHT) > available;
}

/**
 * All reconciles of a release that may change an Ingress, from the idle Rollout until the canary is stable. Pauses and
 * analyses are steps too, with the previous weight. The last one is not `promoted` if the canary never becomes stable.
 */
export function passesOf(rollout: unknown, options: PassesOptions = {}): AlbPass[] {
  const { version = ArgoRolloutsVersion.LATEST, from = 0, isNeverReady = false } = options;
  const { promotesWithMorePods } = version.facts;
  const threshold = thresholdOf(canaryOf(rollout), version);
  const steps = stepsOf(rollout);
  const stable = options.stablePingPong ?? restingPingPongOf(rollout);
  const passes: AlbPass[] = [idlePass(rollout, 'idle', stable, options)];
  let { pods = 0 } = options;
  // After the last step, one more pass sends all traffic to the canary.
  for (let step = from; step <= steps.length; step++) {
    const next = canaryReplicasAt(rollout, step, options);
    // A reconcile that removes pods writes no route, and finds enough of them to end the release. For a threshold they are enough before.
    if (step === steps.length && pods > next && promotesWithMorePods && threshold === undefined) continue;
    const experiments = experimentsOf(rollout, steps[step], step, options);
    const at = step < steps.length ? ({ phase: 'step', step } as const) : ({ phase: 'finish' } as const);
    const counts = isNeverReady ? [0] : podsUntil(next, pods, lastSetWeight(steps, step - 1));
    // Before its first pods are ready, the canary gets no traffic, regardless of the step.
    for (const canaryPods of counts) {
      // Pods that have yet to go still count for a threshold.
      const ready = threshold === undefined || isNeverReady ? canaryPods : Math.max(canaryPods, pods);
      const isScaled = areEnough(ready, next, threshold);
      const state = { phase: 'progressing', step, canaryPods, experiments, isScaled } as const;
      const running = experiments.length > 0 ? ({ experiment: 'running' } as const) : {};
      const waits = canaryPods === counts.at(-1) ? whyItWaits(steps[step], ready, next, threshold) : undefined;
      passes.push({
        ...at,
        ...running,
        ...(waits !== undefined && { waits }),
        canaryPods,
        stablePingPong: stable,
        calls: callsOf(rollout, state, options),
      });
    }
    if (experiments.length > 0) {
      const calls = callsOf(rollout, { phase: 'progressing', step, canaryPods: next }, options);
      passes.push({ ...at, experiment: 'over', canaryPods: next, stablePingPong: stable, calls });
    }
    pods = isNeverReady ? 0 : next;
  }
  if (pods > replicasOf(rollout) && !promotesWithMorePods) return passes;
  return [...passes, idlePass(rollout, 'promoted', stable === 'ping' ? 'pong' : 'ping', options)];
}

/**
 * The reconciles of a release whose steps people change: it begins again at the first one, with the pods that it has. Until it has
 * those of that step, the canary gets nothing. It keeps its weight while too few stable pods are left for all requests.
 */
export function passesAgain(
  rollout: unknown,
  { canaryPods, stablePods }: { readonly canaryPods: number; readonly stablePods: number },
  options: PassesOptions = {},
): AlbPass[] {
  const [idle, ...passes] = passesOf(rollout, { ...options, pods: canaryPods });
  if (canaryPods === 0 || !routesTraffic(rollout)) return [idle!, ...passes];
  const { version = ArgoRolloutsVersion.LATEST } = options;
  const { facts } = version;
  if (facts.weightWaitsForStablePods && stablePods < replicasOf(rollout)) {
    const steps = stepsOf(rollout);
    const first = passes.findIndex(({ step = steps.length }) => asObject(steps[step]).setCanaryScale === undefined);
    return [idle!, ...passes.map((pass, index) => (index < first ? { ...pass, calls: [] } : pass))];
  }
  const isScaled = areEnough(
    canaryPods,
    canaryReplicasAt(rollout, 0, options),
    thresholdOf(canaryOf(rollout), version),
  );
  if (stepsOf(rollout).length === 0 || isScaled) return [idle!, ...passes];
  const { stablePingPong } = idle!;
  const calls = callsOf(rollout, { phase: 'progressing', canaryPods, isScaled: false }, options);
  return [idle!, { phase: 'step', step: 0, isAgain: true, canaryPods, stablePingPong, calls }, ...passes];
}

/** The numbers of ready canary pods that change what is routed. The first of several gets the weight of the steps before. */
function podsUntil(next: number, now: number, weight: number): number[] {
  if (now > 0 || next === 0) return [next];
  return next > 1 && weight > 0 ? [0, 1, next] : [0, next];
}

/** Why a step, or the end, does not go on with so many ready pods; undefined where it does. Only these steps wait for pods. */
function whyItWaits(
  step: JsonObject | undefined,
  ready: number,
  desired: number,
  threshold: Threshold | undefined,
): string | undefined {
  if (lacksTemplate(step?.analysis)) return NO_TEMPLATE;
  if (step !== undefined && !isSet(step.setWeight) && !isSet(step.setCanaryScale)) return undefined;
  // The end needs all pods, or enough of them.
  const isEnd = step === undefined && ready >= desired;
  if (isEnd || areEnough(ready, desired, threshold)) return undefined;
  if (threshold === undefined || ready < desired) return NEVER_READY;
  const pods = ready === 1 ? 'pod' : 'pods';
  return `the step has ${ready} ready ${pods}, and replicaProgressThreshold asks for ${thresholdText(threshold)}`;
}

/** Whether the old pods stay for a while after the end, for load balancers that still send them requests. */
export function keepsOldPods(rollout: unknown): boolean {
  const { dynamicStableScale, scaleDownDelayRevisionLimit, trafficRouting } = asObject(canaryOf(rollout));
  return isSet(trafficRouting) && dynamicStableScale !== true && scaleDownDelayRevisionLimit !== 0;
}

/** The release of the controller, which decides how many pods `minPodsPerReplicaSet` asks for. */
export type OfRelease = Pick<PassesOptions, 'version'>;

/** What the number of stable pods depends on. */
interface StableOptions extends OfRelease {
  /**
   * Whether a promotion skips all steps.
   * @default false
   */
  readonly skipsSteps?: boolean;
}

/** The number of pods of the only version: that of a release which is over counts as a new one, so `minPodsPerReplicaSet` holds. */
export function restingReplicas(rollout: unknown, options: OfRelease = {}): number {
  return withMinPods(rollout, replicasOf(rollout), options);
}

/**
 * The number of stable pods at a step: `replicas`, with `dynamicStableScale` those for the weight that the stable version has, or for
 * what the pods of the new version leave it, if that is more.
 */
export function stableReplicasAt(
  rollout: unknown,
  step: number,
  canaryPods: number,
  options: StableOptions = {},
): number {
  if (canaryPods > 0 && !routesTraffic(rollout)) return countsAt(rollout, step).stable;
  if (!scalesStable(rollout)) return replicasOf(rollout);
  if (canaryPods === 0) return restingReplicas(rollout, options);
  const { replicas, weight } = canaryScaleAt(rollout, options.skipsSteps === true ? stepsOf(rollout).length : step);
  const left = Math.min(weightAt(rollout, step), replicas === undefined ? weight : 0);
  return withMinPods(rollout, podsFor(rollout, maxTrafficWeightOf(rollout) - left), options);
}

/**
 * The number of stable pods while a version that gave way keeps its weight, because there are too few of them for all requests;
 * undefined where it loses the weight. The stable pods stay, and others are added as the step leaves them to the stable version.
 * @param stable the number of stable pods now
 */
function stableReplicasHeld(
  rollout: unknown,
  step: number,
  stable: number,
  { version = ArgoRolloutsVersion.LATEST }: OfRelease = {},
): number | undefined {
  if (!routesTraffic(rollout) || !scalesStable(rollout) || !version.facts.weightWaitsForStablePods) return undefined;
  const { replicas, weight } = canaryScaleAt(rollout, step);
  const left = maxTrafficWeightOf(rollout) - (replicas === undefined ? weight : 0);
  const held = Math.max(stable, withMinPods(rollout, podsFor(rollout, left), { version }));
  return held < replicasOf(rollout) ? held : undefined;
}

/** The weight after the steps up to this one. */
export function weightAt(rollout: unknown, step: number): number {
  return currentWeight(stepsOf(rollout), step, maxTrafficWeightOf(rollout));
}

/** Whether the canary has `trafficRouting`; without it, the numbers of pods are the weights. */
export function routesTraffic(rollout: unknown): boolean {
  return isSet(canaryOf(rollout)?.trafficRouting);
}

/** Whether the old version has fewer pods as the new one gets more. */
export function scalesStable(rollout: unknown): boolean {
  return canaryOf(rollout)?.dynamicStableScale === true;
}

/** The weight that means all requests. */
export function maxTrafficWeightOf(rollout: unknown): number {
  return numberOf(partOf(canaryOf(rollout), 'trafficRouting')?.maxTrafficWeight) ?? FULL_WEIGHT;
}

/** The step at which the analysis in the background starts; undefined if there is none. */
export function backgroundStart(rollout: unknown): number | undefined {
  const analysis = partOf(canaryOf(rollout), 'analysis');
  if (asList(analysis?.templates).length === 0) return undefined;
  return numberOf(analysis?.startingStep) ?? 0;
}

/** The pods of a canary without `trafficRouting` at a step. */
export function countsAt(rollout: unknown, step: number): PodCounts {
  const all = replicasOf(rollout);
  return closestCounts(all, weightAt(rollout, step), maxSurgeOf(asObject(canaryOf(rollout)), all));
}

/** The pods of the stable version, and those that are left of an abandoned one. */
export interface OldCounts {
  readonly stable: number;
  readonly left: number;
}

/** The same for the moments before a pod of the canary is ready. */
export interface OldCountsBefore extends OldCounts {
  /** The abandoned version keeps its weight, as there are too few stable pods for all requests. */
  readonly keepsWeight: boolean;
}

/** A canary Service keeps them as long as it selects them, and a controller that waits for the new pods with everything else does. */
function keepsAbandoned(rollout: unknown, { version = ArgoRolloutsVersion.LATEST }: OfRelease): boolean {
  const { pingPong, canaryService } = asObject(canaryOf(rollout));
  return (!isSet(pingPong) && asText(canaryService) !== '') || waitsForPods(asObject(rollout), version) !== 'no';
}

/**
 * The old pods while no pod of the canary is ready. Abandoned ones stay as long as a Service selects them, which no ping-pong
 * Service does; others go as far as pods may be unavailable, and without a router stable ones do, too.
 */
export function oldReplicasBefore(
  rollout: unknown,
  step: number,
  now: OldCounts,
  options: OfRelease = {},
): OldCountsBefore {
  const held = now.left === 0 ? undefined : stableReplicasHeld(rollout, step, now.stable, options);
  if (held !== undefined) return { stable: held, left: now.left, keepsWeight: true };
  const all = replicasOf(rollout);
  const least = all - maxUnavailableOf(asObject(canaryOf(rollout)), all);
  const isRouted = routesTraffic(rollout);
  const stable = isRouted ? stableReplicasAt(rollout, step, 0, options) : countsAt(rollout, step).stable;
  const left =
    isRouted && keepsAbandoned(rollout, options) ? now.left : Math.min(now.left, Math.max(0, least - stable));
  // More pods than the step leaves to the stable version stay, and are not added.
  const kept = Math.min(now.stable, least);
  return { stable: isRouted || left > 0 ? stable : Math.max(stable, kept), left, keepsWeight: false };
}

/** The desired number of canary pods of a step. */
export function canaryReplicasAt(rollout: unknown, step: number, options: OfRelease = {}): number {
  if (!routesTraffic(rollout)) return countsAt(rollout, step).canary;
  const { replicas, weight } = canaryScaleAt(rollout, step);
  if (replicas !== undefined && !scalesStable(rollout)) return replicas;
  return withMinPods(rollout, replicas ?? podsFor(rollout, weight), options);
}

/** What a step asks for the new version: so many pods, or those for a weight. */
function canaryScaleAt(
  rollout: unknown,
  step: number,
): { readonly replicas: number | undefined; readonly weight: number } {
  const steps = stepsOf(rollout);
  const scales = steps.slice(0, step + 1).flatMap((object) => partOf(object, 'setCanaryScale') ?? []);
  const { matchTrafficWeight, replicas, weight } = asObject(scales.at(-1));
  const isOwnScale = matchTrafficWeight !== true && step < steps.length;
  return {
    replicas: isOwnScale ? numberOf(replicas) : undefined,
    weight: (isOwnScale ? numberOf(weight) : undefined) ?? weightAt(rollout, step),
  };
}

/** The number of pods for a weight. */
export function podsFor(rollout: unknown, weight: number): number {
  return Math.ceil((replicasOf(rollout) * weight) / maxTrafficWeightOf(rollout));
}

/** A number of pods of a version, which has `minPodsPerReplicaSet` at least if it has any. */
export function withMinPods(
  rollout: unknown,
  count: number,
  { version = ArgoRolloutsVersion.LATEST }: OfRelease,
): number {
  if (count === 0 || !routesTraffic(rollout)) return count;
  const least = numberOf(canaryOf(rollout)?.minPodsPerReplicaSet) ?? 0;
  return Math.max(count, version.facts.minPodsCappedAtReplicas ? Math.min(least, replicasOf(rollout)) : least);
}

function weightOf(
  rollout: unknown,
  steps: readonly JsonObject[],
  state: ReleaseState & { readonly step: number },
  { facts }: ArgoRolloutsVersion,
) {
  const { step } = state;
  if (state.phase === 'promoted') return { weight: 0, removes: true };
  if (state.phase === 'aborted') return { weight: state.weight ?? 0, removes: true };
  if ((state.canaryPods ?? 0) === 0) return { weight: 0, removes: facts.removesRoutesWithoutPods };
  if (state.phase === 'promote-full') {
    return { weight: scalesStable(rollout) ? FULL_WEIGHT : (state.weight ?? 0), removes: true };
  }
  if (steps.length === 0) return { weight: 0, removes: false };
  // The controller sets a weight only after its pods are ready.
  const weight =
    state.isScaled === false ? lastSetWeight(steps, step - 1) : currentWeight(steps, step, maxTrafficWeightOf(rollout));
  return { weight, removes: false };
}

/** Whether the action includes the Services of an experiment: from its step on, even if the canary has no pods. */
function takesExperiments(steps: readonly JsonObject[], step: number, { phase }: ReleaseState): boolean {
  return phase === 'progressing' && step < steps.length;
}

function currentWeight(steps: readonly JsonObject[], step: number, full: number): number {
  return step >= steps.length ? full : lastSetWeight(steps, step);
}

function lastSetWeight(steps: readonly JsonObject[], step: number): number {
  return steps.slice(0, step + 1).reduce((weight, object) => numberOf(object.setWeight) ?? weight, 0);
}

function idlePass(
  rollout: unknown,
  phase: 'idle' | 'promoted',
  stablePingPong: PingPong,
  options: PassesOptions,
): AlbPass {
  const calls = callsOf(rollout, { phase: 'promoted' }, options);
  return { phase, canaryPods: 0, stablePingPong, calls };
}

function experimentsOf(
  rollout: unknown,
  step: JsonObject | undefined,
  index: number,
  { experimentService }: PassesOptions,
): WeightDestination[] {
  const name = asText(asObject(asObject(rollout).metadata).name);
  // A template without weight gets no Service.
  return weightedTemplates(step).map((template) => ({
    serviceName: experimentService?.(template, index) ?? defaultServiceName(name, template, index),
    weight: numberOf(template.weight)!,
  }));
}

export function stepsOf(rollout: unknown): readonly JsonObject[] {
  return asList(canaryOf(rollout)?.steps).map(asObject);
}

export function canaryOf(rollout: unknown): JsonObject | undefined {
  return partOf(partOf(partOf(asObject(rollout), 'spec'), 'strategy'), 'canary');
}

/** The declared number of pods. */
export function replicasOf(rollout: unknown): number {
  return numberOf(partOf(asObject(rollout), 'spec')?.replicas) ?? 1;
}
