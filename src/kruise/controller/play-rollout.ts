/** Plays a complete release on a World, from before the first step until after the last. */

import type { JsonObject } from '../../core/json';
import { asObject, type StringMap, stringsOf } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import type { World } from '../../core/world';
import { type PodGroup, selectorOf } from '../../release';
import type { TrafficRoutingStrategy } from '../api';
import { readStrategy, routesTraffic } from '../routing';
import type { RolloutSubject, RouteSubject } from '../subject';
import { type ControllerError, MAX_PASSES } from './error';
import { canaryReplicas, podManifests, podsDuring, podsOnly, type Workload, workloadOf } from './pods';
import { type Provider, providersOf, type RolloutScripts, writtenFrom } from './providers';
import { canaryServiceOf, pinned, unpinned } from './services';

/** The part of a release that a moment belongs to. */
export type RolloutPhase = 'before' | 'prepare' | 'step' | 'finish' | 'abort';

/** A state of the cluster that lasts long enough to affect users. */
export interface RolloutMoment {
  readonly phase: RolloutPhase;
  /** Counted from 0, as in `steps[0]`. */
  readonly step?: number;
  /** The event that led to this state: `canary Ingress created`. */
  readonly event: string;
  readonly world: World;
  /** The pods of the workload; the World has one Pod of each version. */
  readonly pods: readonly PodGroup[];
  /**
   * The traffic that the settled step declares.
   * @default - none declared
   */
  readonly strategy?: TrafficRoutingStrategy;
  /** Whether a step without traffic is removing the routing: requests may then reach either version. */
  readonly isTakingBack?: boolean;
}

/** The result of playing a release. */
export interface RolloutPlay {
  readonly moments: readonly RolloutMoment[];
  /** The label that distinguishes the versions in Service selectors. */
  readonly revisionLabel: string;
  /**
   * The error that blocks the release.
   * @default - none: the release completed
   */
  readonly error?: ControllerError & { readonly step: number };
}

/**
 * Plays a Rollout: every step and the end, and separately a rollback after the first step that routes traffic. Never
 * throws: an error that stops the controller is part of the result.
 */
export function playRollout(world: World, rollout: RolloutSubject, scripts: RolloutScripts): RolloutPlay {
  return new Release(world, rollout, scripts).play();
}

/** Plays a TrafficRouting: applies its strategy and removes it again, without a canary Service. */
export function playTrafficRouting(world: World, route: RouteSubject, scripts: RolloutScripts): RolloutPlay {
  return new Release(world, subjectOf(route), scripts).play();
}

function subjectOf(route: RouteSubject): RolloutSubject {
  const { manifest, namespace } = route;
  const step = { index: 0, object: asObject(manifest.get('spec.strategy')), path: ['spec', 'strategy'] };
  return {
    manifest,
    namespace,
    v1alpha1: true,
    style: 'partition',
    strategy: { path: ['spec', 'strategy'], object: {} },
    steps: [{ ...step, hasMatches: false, routes: true }],
    route,
  };
}

/** The controller cannot continue. Thrown and caught only in this file. */
class Stopped extends Error {
  constructor(readonly error: ControllerError) {
    super(error.message);
  }
}

class Release {
  private readonly moments: RolloutMoment[] = [];
  private readonly workload: Workload;
  private readonly workloadManifest: Manifest | undefined;
  private readonly canaryLabels: StringMap;
  private pods: readonly PodGroup[];
  private step = 0;
  private readonly original: World;
  private abortFrom: { readonly world: World; readonly step: number } | undefined;

  constructor(
    private world: World,
    private readonly rollout: RolloutSubject,
    private readonly scripts: RolloutScripts,
  ) {
    const { workload, namespace, strategy } = rollout;
    this.original = world;
    this.workloadManifest = workload === undefined ? undefined : world.get({ ...workload.ref, namespace });
    this.workload = workloadOf(workload?.ref.kind ?? 'Deployment', this.workloadManifest);
    this.pods = podsOnly(this.workload, 'stable');
    this.canaryLabels = stringsOf(asObject(strategy.object.patchPodTemplateMetadata).labels);
  }

  play(): RolloutPlay {
    const { revisionLabel } = this.workload;
    this.record('before', 'before the release');
    try {
      this.prepare();
      for (const [index] of this.rollout.steps.entries()) this.runStep(index);
      this.finish();
      this.abort();
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      return { moments: this.moments, revisionLabel, error: { ...error.error, step: this.step } };
    }
    return { moments: this.moments, revisionLabel };
  }

  /** The controller looks up the Service and the scripts before it replaces the first pod. */
  private prepare(): void {
    const { route } = this;
    if (route === undefined || this.rollout.steps.length === 0) return;
    this.requireStable(route);
    this.providers(route);
  }

  private runStep(index: number): void {
    this.step = index;
    const { style, steps, v1alpha1, workload } = this.rollout;
    const { object } = steps[index]!;
    const strategy = readStrategy(object, { version: this.scripts.version, v1alpha1 });
    const weight = typeof object.weight === 'number' ? `${object.weight}%` : undefined;
    const replicas = canaryReplicas(object.replicas ?? (v1alpha1 ? weight : undefined), this.workload.replicas);
    const upgraded = workload === undefined ? this.pods : podsDuring(this.workload, style, replicas, this.canaryLabels);
    if (this.route === undefined || !routesTraffic(strategy)) {
      this.takeBack();
      this.pods = upgraded;
      this.record('step', 'no traffic is routed');
      return;
    }
    // When no pod of the old version is left, the stable Service selects the new pods.
    if (style === 'partition' && workload !== undefined && replicas >= this.workload.replicas) {
      this.unpinStable();
      this.pods = upgraded;
      this.record('step', 'all pods are replaced, routing stays as it was', { strategy });
      return;
    }
    const { pinsBeforeFirstBatch } = this;
    if (index === 0 && pinsBeforeFirstBatch) this.pinStable();
    this.pods = upgraded;
    if (index === 0 && !pinsBeforeFirstBatch && this.makesCanaryService) this.record('prepare', 'canary pods ready');
    this.routeTraffic(this.route, strategy);
  }

  private routeTraffic(route: RouteSubject, strategy: TrafficRoutingStrategy): void {
    if (this.makesCanaryService) {
      this.makeCanaryService(route);
      this.pinStable();
    }
    const providers = this.providers(route);
    if (this.scripts.version.facts.canaryIngressCreatedIn === 'Initialize') this.initialise(providers);
    this.ensure(providers, strategy);
    this.abortFrom ??= { world: this.world, step: this.step };
    this.record('step', 'settled', { strategy });
  }

  private initialise(providers: readonly Provider[]): void {
    for (const provider of providers) {
      const pass = provider.initialise?.(this.world);
      if (pass === undefined) continue;
      this.world = pass.world;
      if (pass.error !== undefined) throw new Stopped(pass.error);
      if (pass.created === true) this.record('prepare', 'canary Ingress created');
    }
  }

  private ensure(providers: readonly Provider[], strategy: TrafficRoutingStrategy): void {
    for (let passes = 0; passes < MAX_PASSES; passes++) {
      let done = true;
      for (const provider of providers) {
        const pass = provider.ensure(this.world, strategy);
        this.world = pass.world;
        if (pass.error !== undefined) throw new Stopped(pass.error);
        done &&= pass.done;
        if (pass.created === true) this.record('prepare', 'canary Ingress created');
      }
      if (done) return;
    }
    const message = `the scripts still change their own output after ${MAX_PASSES} reconciles`;
    throw new Stopped({ class: 'never-settles', message });
  }

  /** A step without traffic and matches removes all routing for as long as it lasts. */
  private takeBack(): void {
    const { route } = this;
    if (route === undefined || this.world === this.original) return;
    const providers = this.providers(route);
    const record = (event: string) => this.record('prepare', event, { isTakingBack: true });
    if (this.unpinStable()) record(`Service ${route.service} selects all pods again`);
    if (this.restoreRoutes(providers)) record('routes restored');
    if (this.removeCanaryService()) record(`Service ${route.canaryService} deleted`);
  }

  private finish(): void {
    const { route, rollout } = this;
    const isBlueGreen = rollout.style === 'blueGreen';
    if (route !== undefined && this.world !== this.original) {
      const providers = this.providers(route);
      if (isBlueGreen) {
        this.ensure(providers, { traffic: '100%' });
        this.record('finish', 'all traffic routed to the new version');
      }
      if (this.unpinStable()) this.record('finish', `Service ${route.service} selects all pods again`);
      if (isBlueGreen) this.pods = podsOnly(this.workload, 'canary');
      if (this.restoreRoutes(providers)) this.record('finish', 'routes restored');
      if (this.removeCanaryService()) this.record('finish', `Service ${route.canaryService} deleted`);
    }
    if (rollout.workload !== undefined) this.pods = podsOnly(this.workload, 'canary');
    this.record('finish', 'released');
  }

  private abort(): void {
    const { route, abortFrom } = this;
    if (route === undefined || abortFrom === undefined || this.rollout.workload === undefined) return;
    this.world = abortFrom.world;
    this.step = abortFrom.step;
    const providers = this.providers(route);
    this.pods = this.moments.find(({ phase, step }) => phase === 'step' && step === abortFrom.step)!.pods;
    if (this.restoreRoutes(providers)) this.record('abort', 'routes restored');
    this.pods = podsOnly(this.workload, 'stable');
    this.unpinStable();
    this.record('abort', `Service ${route.service} selects all pods again`);
    if (this.removeCanaryService()) this.record('abort', `Service ${route.canaryService} deleted`);
  }

  private get route(): RouteSubject | undefined {
    return this.rollout.route;
  }

  private get makesCanaryService(): boolean {
    return this.route?.makesCanaryService ?? false;
  }

  /** Older releases change the stable Service only after the first pods of the new version are ready. */
  private get pinsBeforeFirstBatch(): boolean {
    return this.makesCanaryService && ['0.6', 'next'].includes(this.scripts.version.facts.api);
  }

  private providers(route: RouteSubject): readonly Provider[] {
    const found = providersOf(route, this.scripts);
    if (!found.ok) throw new Stopped(found.error);
    return found.providers;
  }

  private requireStable(route: RouteSubject): Manifest {
    const stable = this.world.find('Service', route.service, route.namespace);
    if (stable !== undefined) return stable;
    const { namespace, service: name } = route;
    const message = `Service "${name}" not found`;
    throw new Stopped({ class: 'not-found', message, object: { kind: 'Service', namespace, name } });
  }

  private makeCanaryService(route: RouteSubject): void {
    const { namespace, canaryService: name } = route;
    const stable = this.requireStable(route);
    if (this.world.find('Service', name, namespace) !== undefined) return;
    const { revisionLabel } = this.workload;
    const patches = ['0.6', 'next'].includes(this.scripts.version.facts.api);
    const patchedLabels = patches && this.rollout.style === 'canary' ? this.canaryLabels : {};
    // A label that the controller itself added does not count as a selector.
    const original = unpinned(stable.object, revisionLabel);
    const made = canaryServiceOf(original, { name, namespace, revisionLabel, patchedLabels });
    if (!made.ok) throw new Stopped(made.error);
    this.world = this.world.with(writtenFrom(stable, made.service));
  }

  private pinStable(): void {
    if (!this.makesCanaryService || this.route === undefined) return;
    const { revisionLabel } = this.workload;
    this.changeStable((service) =>
      selectorOf(service)[revisionLabel] === 'stable' ? service : pinned(service, revisionLabel, 'stable'),
    );
  }

  private unpinStable(): boolean {
    const { revisionLabel } = this.workload;
    return this.changeStable((service) =>
      selectorOf(service)[revisionLabel] === undefined ? service : unpinned(service, revisionLabel),
    );
  }

  private changeStable(change: (service: JsonObject) => JsonObject): boolean {
    const { route } = this;
    const stable = route && this.world.find('Service', route.service, route.namespace);
    if (stable === undefined) return false;
    const after = change(stable.object);
    if (after === stable.object) return false;
    this.world = this.world.with(writtenFrom(stable, after));
    return true;
  }

  private restoreRoutes(providers: readonly Provider[]): boolean {
    const before = this.world;
    for (const provider of providers) this.world = provider.finalise(this.world);
    return this.world !== before;
  }

  private removeCanaryService(): boolean {
    const { route } = this;
    if (route === undefined || !this.makesCanaryService) return false;
    const canary = this.world.find('Service', route.canaryService, route.namespace);
    if (canary === undefined) return false;
    this.world = this.world.without(canary);
    return true;
  }

  private record(
    phase: RolloutPhase,
    event: string,
    more: Pick<RolloutMoment, 'strategy' | 'isTakingBack'> = {},
  ): void {
    const { pods, workloadManifest } = this;
    const running = workloadManifest === undefined ? [] : podManifests(pods, workloadManifest, this.rollout.namespace);
    const world = running.length === 0 ? this.world : this.world.with(...running);
    const isStep = phase === 'prepare' || phase === 'step' || phase === 'abort';
    const step = isStep ? { step: this.step } : {};
    this.moments.push({ phase, ...step, event, world, pods, ...more });
  }
}
