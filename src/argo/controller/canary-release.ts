/** One canary release, pass by pass: Services, pods, experiments and routes. */
import type { ObjectRef } from '../../core/finding';
import type { JsonObject } from '../../core/json';
import { asList, asObject, asText, numberOf, partOf } from '../../core/json';
import type { World } from '../../core/world';
import { type Delay, hashOf, type PassedState, type PodGroup, sameWorld } from '../../release';
import type { ArgoRolloutsVersion } from '../version';
import { type HeaderRoute, readHeaderRoute } from './actions';
import { canaryServicesOf, type PingPong, restingPingPongOf } from './alb-rollout';
import type { AlbCall } from './apply';
import { serviceNameOf, serviceOf, weightedTemplates } from './experiment';
import type { AlbFailure } from './failure';
import type { VersionServices } from './istio';
import { type KeepingBalancer, servedBy, weightOfPass } from './load-balancer';
import {
  type Abandoned,
  type ArgoMoment,
  type ArgoWorkload,
  delayOf,
  isForGood,
  podsOf,
  withPods,
  withSelector,
} from './play';
import { writeRoutes } from './routes';
import {
  type AlbPass,
  asksForTooMany,
  callsOf,
  countsAt,
  keepsOldPods,
  maxTrafficWeightOf,
  oldReplicasBefore,
  type PassesOptions,
  passesOf,
  restingReplicas,
  routesTraffic,
  stableReplicasAt,
  weightAt,
} from './steps';

/** The controller cannot continue. Thrown by a release, and caught where it is played. */
export class Stopped extends Error {
  constructor(
    readonly failure: AlbFailure,
    readonly step: number,
  ) {
    super(failure.message);
  }
}

/** The declaration while the old version gets all requests. */
export const NOTHING: ArgoMoment['declared'] = { weight: 0, headerRoutes: [] };

export const EXPERIMENT_GONE = 'the pods of the experiment are gone';

/** A canary that the controller releases: what it writes, pass by pass. */
export class CanaryRelease {
  protected readonly moments: ArgoMoment[] = [];
  protected canary!: JsonObject;
  protected steps!: readonly JsonObject[];
  protected readonly services = new Set<string>();
  /** The Worlds without pods, to continue from. */
  protected readonly states = new Map<
    ArgoMoment,
    { world: World; experimentServices: readonly string[]; experimentPods: readonly PodGroup[] }
  >();
  /** The Services of experiments, which stay as long as their pods. */
  protected experimentServices: readonly string[] = [];
  /** The pods of experiments, which stay for a while after them. */
  protected experimentPods: readonly PodGroup[] = [];
  protected routes: readonly HeaderRoute[] = [];
  /** What was written since the last moment. */
  protected readonly written: ObjectRef[] = [];
  /** Through what it went since the last moment. */
  protected readonly passed: PassedState[] = [];
  protected pods: readonly PodGroup[];
  /** What people did since the last moment. */
  protected did: string[] = [];
  /** The hash of each version's ReplicaSet. The stable version is the one that all users had before. */
  protected hashes: { readonly stable: string; readonly canary: string } = { stable: 'stable', canary: 'canary' };
  protected versions: Readonly<Record<string, string>> | undefined;
  protected stablePingPong: PingPong;
  /** A version that gave way to a later one, while its successor has no pod. */
  protected left: Abandoned | undefined;
  protected isNeverReady = false;
  /** The stable version has no ready pod, and the version that is released is the one before, whose pods serve. */
  protected isStableBroken = false;
  /** A load balancer that does not take over everything. */
  protected balancer: KeepingBalancer | undefined;

  constructor(
    protected world: World,
    protected workload: ArgoWorkload,
    protected readonly version: ArgoRolloutsVersion,
    /** Whether the controller verifies what an ALB has. */
    protected readonly verifies = false,
  ) {
    this.readStrategy();
    this.pods = [podsOf(workload, 'stable', this.resting)];
    this.stablePingPong = restingPingPongOf(workload.object);
    const { pingService, pongService } = asObject(this.canary.pingPong);
    for (const name of [asText(pingService), asText(pongService)]) if (name !== '') this.services.add(name);
  }

  protected readStrategy(): void {
    this.canary = asObject(partOf(partOf(this.workload.object, 'spec'), 'strategy')?.canary);
    this.steps = asList(this.canary.steps).map(asObject);
  }

  protected passesOf(from = 0, pods = 0): AlbPass[] {
    return passesOf(this.workload.object, { ...this.passesOptions, from, pods });
  }

  protected get passesOptions(): PassesOptions {
    const { version, workload, stablePingPong, isNeverReady } = this;
    return {
      version,
      isNeverReady,
      experimentService: (template, step) => serviceNameOf(workload, template, step),
      stablePingPong,
    };
  }

  protected pass(pass: AlbPass, next: AlbPass | undefined): void {
    const { workload } = this;
    const isLast = !isSameStep(pass, next);
    this.point(canaryServicesOf(workload.object, pass.stablePingPong), pass);
    this.scale(pass);
    if (pass.experiment === 'running') this.experiment(pass.step!);
    this.call(this.left?.keepsWeight === true ? { ...pass, calls: pass.calls.filter(isRemoval) } : pass);
    if (pass.experiment === 'over') this.writeAgain(pass.calls, pass);
    if (isLast) this.declareRoute(pass);
    this.record(pass, isLast);
  }

  /** Updates the selectors of the Services, which the controller does in the same reconcile before it writes the weight. */
  protected point(rollout: VersionServices, { phase, canaryPods }: AlbPass): void {
    const { isPingPong } = this;
    const isStill = phase === 'idle';
    const { hashes } = this;
    const stable = phase === 'promoted' ? hashes.canary : hashes.stable;
    this.select(rollout.stableService, stable);
    if (isPingPong && (isStill || phase === 'promoted')) return;
    // Ping and pong change before pods exist; the canary Service selects the old pods until new ones are available.
    const moves = phase === 'promoted' || isPingPong || canaryPods > 0;
    if (isStill || moves) {
      this.select(rollout.canaryService, moves ? hashes.canary : hashes.stable);
    }
  }

  protected scale({ phase, canaryPods, step = this.steps.length }: AlbPass): void {
    const { workload, version } = this;
    if (phase === 'promoted') {
      this.pods = this.podsOfBoth(keepsOldPods(workload.object) ? workload.replicas : 0, this.resting);
      return;
    }
    if (canaryPods > 0) this.left = undefined;
    if (phase !== 'idle' && canaryPods === 0) {
      this.scaleBefore(step);
      return;
    }
    // The old pods follow the weight one reconcile later, and the last one moves the Services first.
    const isLast = phase === 'finish' && routesTraffic(workload.object);
    const [at, options] = isLast ? [this.steps.length - 1, { version, skipsSteps: true }] : [step, { version }];
    const stable = phase === 'idle' ? this.resting : stableReplicasAt(workload.object, at, canaryPods, options);
    this.pods = [...this.podsOfBoth(stable, canaryPods), ...this.leftPods];
  }

  /** The pods while none of the new version is ready. */
  protected scaleBefore(step: number): void {
    const { workload, version, stablePods } = this;
    const now = { stable: stablePods, left: this.left?.pods.replicas ?? 0 };
    const { stable, left, keepsWeight } = oldReplicasBefore(workload.object, step, now, { version });
    if (this.left !== undefined) this.left = { ...this.left, pods: { ...this.left.pods, replicas: left }, keepsWeight };
    this.pods = [...this.podsOfBoth(stable, 0), ...this.leftPods];
  }

  protected podsOfBoth(stable: number, canary: number): PodGroup[] {
    const { workload, hashes } = this;
    return [
      podsOf(workload, 'stable', this.isStableBroken ? 0 : stable, hashes.stable),
      podsOf(workload, 'canary', canary, hashes.canary),
    ];
  }

  protected get stablePods(): number {
    return this.pods.find(({ revision }) => revision === 'stable')?.replicas ?? 0;
  }

  protected get leftPods(): readonly PodGroup[] {
    return this.left === undefined || this.left.pods.replicas === 0 ? [] : [this.left.pods];
  }

  /** The Services and pods of the weighted experiment of a step. */
  private experiment(step: number): void {
    const { workload, version } = this;
    for (const template of weightedTemplates(this.steps[step])) {
      const name = serviceNameOf(workload, template, step);
      const revision = asText(template.specRef) === 'stable' ? 'stable' : 'canary';
      // Without known labels, only the version distinguishes pods.
      const hash = workload.labels === undefined ? revision : `${revision}-${asText(template.name)}`;
      this.experimentPods = [
        ...this.experimentPods,
        podsOf(workload, revision, numberOf(template.replicas) ?? 1, hash),
      ];
      if (name === '') continue;
      this.services.add(name);
      this.experimentServices = [...this.experimentServices, name];
      this.world = this.world.with(serviceOf(workload, name, hash, version));
      this.written.push(this.serviceRef(name));
    }
  }

  /** After `scaleDownDelaySeconds` the pods of experiments go, with their Services. Returns whether there are any. */
  protected endExperiments(): boolean {
    const { experimentServices, experimentPods } = this;
    for (const name of experimentServices) this.removeService(name);
    this.experimentServices = [];
    this.experimentPods = [];
    return experimentPods.length > 0;
  }

  protected removeService(name: string): void {
    this.world = this.world.without(this.serviceRef(name));
    this.written.push(this.serviceRef(name));
  }

  protected serviceRef(name: string): ObjectRef {
    return { apiVersion: 'v1', kind: 'Service', name, namespace: this.workload.namespace };
  }

  /** The controller removes managed routes with a write of its own. */
  protected call({ calls, ...pass }: Omit<AlbPass, 'canaryPods'>): void {
    const { world } = this;
    this.write(calls.filter(isRemoval), pass);
    if (this.world !== world) this.passed.push({ world: this.world, written: this.written.splice(0) });
    const others = calls.filter((call) => !isRemoval(call));
    const { left } = this;
    const isLeftFirst = left !== undefined && (left.keepsWeight || this.version.facts.takesWeightBeforeSubset);
    this.write(others, pass, isLeftFirst ? hashOf(left.pods) : undefined);
    if (isLeftFirst && !left.keepsWeight) this.writeAgain(others, pass);
  }

  /** A write that finds something left to do, after one in the same reconcile or the one before. */
  private writeAgain(calls: readonly AlbCall[], pass: Omit<AlbPass, 'canaryPods' | 'calls'>): void {
    const { world } = this;
    const written = this.written.splice(0);
    this.write(calls, pass);
    if (this.world === world) this.written.push(...written);
    else this.passed.push({ world, written });
  }

  private write(
    calls: readonly AlbCall[],
    { stablePingPong, phase, step }: Omit<AlbPass, 'canaryPods' | 'calls'>,
    canary: string = this.hashes.canary,
  ): void {
    if (calls.length === 0) return;
    const stable = phase === 'promoted' ? this.hashes.canary : this.hashes.stable;
    const hashes = { stable, canary: phase === 'idle' ? stable : canary };
    const { version } = this;
    const { world, written, error } = writeRoutes(this.world, this.workload, {
      calls,
      stablePingPong,
      hashes,
      version,
    });
    this.world = world;
    this.written.push(...written);
    if (error !== undefined) throw new Stopped(error, step ?? 0);
  }

  /** All pods of the new version run, with the weight that it has at a step: without pods it has none. */
  protected skipSteps(step: number, last: AlbPass): void {
    const { workload, version, hashes, stablePingPong } = this;
    const { object } = workload;
    const { canaryPods } = last;
    const weight = weightOfPass(last);
    const state = { phase: 'promote-full', step: this.steps.length, canaryPods: this.resting, weight } as const;
    if (!this.isPingPong) this.select(this.versionServices.canaryService, hashes.canary);
    const isRouted = routesTraffic(object);
    const stable = isRouted ? stableReplicasAt(object, step, canaryPods, { version, skipsSteps: true }) : 0;
    this.pods = this.podsOfBoth(stable, this.resting);
    this.call({ phase: 'finish', calls: callsOf(object, state, { version }), stablePingPong });
    this.routes = [];
    this.add('finish', isRouted ? 'all new pods are ready' : 'the old pods are gone');
  }

  protected declareRoute({ phase, step }: AlbPass): void {
    const route = phase === 'step' ? partOf(this.steps[step!], 'setHeaderRoute') : undefined;
    if (phase !== 'step') this.routes = [];
    if (route === undefined) return;
    const read = readHeaderRoute(route, this.workload.object);
    const others = this.routes.filter(({ name }) => name !== read.name);
    this.routes = read.match === undefined ? others : [...others, read];
  }

  protected record({ phase, step, canaryPods, experiment, isAgain, waits }: AlbPass, isLast: boolean): void {
    const everything = { weight: 100, headerRoutes: [] };
    const ready = `${canaryPods === 0 ? 'no' : 'only one'} pod of the new version is ready`;
    const waiting = isAgain ? 'the steps begin again, and it does not have the pods of the first one' : ready;
    if (phase === 'idle') this.add('before', 'idle', NOTHING);
    if (waits !== undefined) {
      this.add(phase === 'step' ? 'prepare' : 'finish', canaryPods === 0 ? waiting : waits, undefined, step);
      return;
    }
    if (experiment === 'over') {
      const declared = { weight: this.shareAt(step!), headerRoutes: this.routes };
      this.add('step', 'the experiment is over', declared, step);
      return;
    }
    if (phase === 'step' && isLast) {
      this.add('step', eventOf(this.steps[step!]!), this.isNeverReady ? undefined : this.declaredAt(step!), step);
    }
    if (phase === 'step' && !isLast) this.add('prepare', waiting, undefined, step);
    if (phase === 'finish' && !isLast) this.add('finish', waiting);
    // Without steps, the traffic does not change until the new version is stable.
    if (phase === 'finish' && isLast && routesTraffic(this.workload.object)) {
      this.add('finish', 'all steps are done', this.steps.length > 0 ? everything : undefined);
    }
    // Without a router, the old pods go one reconcile before the stable Service moves.
    const isLeft = asText(this.canary.stableService) !== '' && !routesTraffic(this.workload.object);
    if (phase === 'finish' && isLast && isLeft) this.add('finish', 'the old pods are gone', everything);
    if (phase !== 'promoted') return;
    const delay = delayOf(this.canary, 'scaleDownDelaySeconds');
    const isKept = keepsOldPods(this.workload.object);
    if (isKept && this.waitsForTargets) {
      this.add('finish', 'the new version is stable, and the old pods stay until its pods are registered', everything);
      return;
    }
    // The status goes on naming them where the last weight is never taken back.
    if (isKept && (isForGood(delay, this.version) || asksForTooMany(this.workload.object, 0, this.version))) {
      this.add('finish', 'the new version is stable, and the old pods stay', everything);
      return;
    }
    this.add('finish', 'the new version is stable', everything, undefined, isKept ? delay : undefined);
    if (isKept) {
      this.pods = this.pods.filter(({ revision }) => revision === 'canary');
      this.add('finish', 'the old pods are gone', everything);
    }
    if (this.endExperiments()) this.add('finish', EXPERIMENT_GONE, everything);
  }

  /** The old pods stay until the target group of the stable Service has the new ones. */
  protected get waitsForTargets(): boolean {
    return this.isVerified && this.balancer?.state === 'keeps-targets';
  }

  /** The pods of the only version. */
  protected get resting(): number {
    return restingReplicas(this.workload.object, { version: this.version });
  }

  /** The Services of both versions as long as this one is stable. */
  protected get versionServices(): VersionServices {
    return canaryServicesOf(this.workload.object, this.stablePingPong);
  }

  /** The new version has all requests and never becomes stable: with `dynamicStableScale` the old pods follow the weight all the same. */
  protected standAtEnd(canaryPods: number): void {
    const { steps, version, workload } = this;
    const stable = stableReplicasAt(workload.object, steps.length, canaryPods, { version });
    if (stable === this.stablePods) return;
    this.pods = this.podsOfBoth(stable, canaryPods);
    this.add('finish', 'the old pods are gone', { weight: 100, headerRoutes: [] });
  }

  /** Why a canary with all its pods never becomes stable. */
  protected get tooManyPods(): string {
    const { replicas } = this.workload;
    return `the controller waits for exactly ${replicas} ready pods, and minPodsPerReplicaSet keeps ${this.resting}`;
  }

  protected get isVerified(): boolean {
    return this.verifies && partOf(this.canary, 'trafficRouting')?.alb !== undefined;
  }

  protected declaredAt(step: number): ArgoMoment['declared'] {
    const experiments = weightedTemplates(this.steps[step]).filter(({ specRef }) => asText(specRef) !== 'stable');
    const added = experiments.reduce((sum, { weight }) => sum + (numberOf(weight) ?? 0), 0);
    return { weight: Math.min(100, this.shareAt(step) + added), headerRoutes: this.routes };
  }

  /** The percentage of requests that a step declares. Without a router the pods decide, so the step declares their share. */
  protected shareAt(step: number): number {
    const { object } = this.workload;
    if (routesTraffic(object)) return (100 * weightAt(object, step)) / maxTrafficWeightOf(object);
    const { canary, stable } = countsAt(object, step);
    return (100 * canary) / (canary + stable);
  }

  protected get isPingPong(): boolean {
    return partOf(this.canary, 'pingPong') !== undefined;
  }

  protected select(service: string, hash: string): void {
    const after = withSelector(this.world, service, this.workload, hash);
    if (after !== this.world) this.written.push(this.serviceRef(service));
    this.world = after;
  }

  protected add(
    phase: ArgoMoment['phase'],
    event: string,
    declared?: ArgoMoment['declared'],
    step?: number,
    lasts?: Delay,
  ): void {
    const { workload, did, versions, balancer } = this;
    const pods = this.experimentPods.length === 0 ? this.pods : [...this.pods, ...this.experimentPods];
    const world = sameWorld(withPods(this.world, pods, workload), this.moments.at(-1)?.world);
    const moment: ArgoMoment = {
      phase,
      event,
      world,
      ...(balancer === undefined ? {} : { served: servedBy(balancer, world) }),
      written: this.written.splice(0),
      ...(this.passed.length === 0 ? {} : { passed: this.passed.splice(0) }),
      pods,
      ...(step === undefined ? {} : { step }),
      ...(declared === undefined ? {} : { declared }),
      ...(lasts === undefined ? {} : { lasts }),
      ...(did.length === 0 ? {} : { did }),
      ...(versions === undefined ? {} : { versions }),
    };
    this.did = [];
    this.states.set(moment, {
      world: this.world,
      experimentServices: this.experimentServices,
      experimentPods: this.experimentPods,
    });
    this.moments.push(moment);
  }
}

/** Whether the next pass goes on with the same step, or the same end. An experiment has two parts. */
export function isSameStep({ phase, step }: AlbPass, next: AlbPass | undefined): boolean {
  return next !== undefined && next.phase === phase && next.step === step && next.experiment !== 'over';
}

function isRemoval({ call }: AlbCall): boolean {
  return call === 'removeManagedRoutes';
}

/** The name of a step, from its fields. */
function eventOf(step: JsonObject): string {
  return Object.keys(step).join(' and ') || 'empty step';
}
