/** Plays a canary release, from before the first step until after the last. */
import type { ObjectRef } from '../../core/finding';
import type { JsonObject } from '../../core/json';
import { asList, asObject, asText, isSet, numberOf, partOf } from '../../core/json';
import { Manifest } from '../../core/manifest';
import type { World } from '../../core/world';
import type { PodGroup } from '../../release';
import { placed } from '../admission/findings';
import { ArgoRolloutsVersion } from '../version';
import { type HeaderRoute, readHeaderRoute } from './actions';
import { canaryServicesOf, readAlbRollout, restingPingPongOf } from './alb-rollout';
import { applyCalls } from './apply';
import type { AlbFailure } from './failure';
import type { VersionServices } from './istio';
import {
  ARGO_REVISION_LABEL,
  type ArgoMoment,
  type ArgoPlay,
  type ArgoWorkload,
  argoWorkloadOf,
  podsOf,
  rewritten,
  withPods,
  withSelector,
} from './play';
import { type ResetOptions, resetAfterDeletion } from './reset';
import { ingressesOf, otherRouters, withIngresses, writeRoutes } from './routes';
import {
  type AlbPass,
  abortPassesOf,
  callsOf,
  countsAt,
  flapsAfterAbort,
  keepsOldPods,
  maxTrafficWeightOf,
  passesOf,
  routesTraffic,
  stableReplicasAt,
  weightAt,
} from './steps';

/**
 * Plays a Rollout with a canary: idle, every step, the end, and separately an abort. Never throws: an error that stops the
 * controller is part of the result. Undefined for any other Rollout, and for one with a traffic router that is not played.
 *
 * @example playArgoCanary(world, rollout)?.moments.map(({ event }) => event)
 */
export function playArgoCanary(
  world: World,
  manifest: Manifest,
  version = ArgoRolloutsVersion.LATEST,
): ArgoPlay | undefined {
  const workload = argoWorkloadOf(world, manifest);
  const { canary } = asObject(partOf(partOf(workload.object, 'spec'), 'strategy'));
  if (!isSet(canary) || otherRouters(workload.object).length > 0) return undefined;
  return new CanaryRelease(world, workload, version).play();
}

/** The World after the controller has processed idle Rollouts: their Ingresses have actions. */
export function withIdleActions(world: World, rollouts: readonly Manifest[]): World {
  const written = new Map<string, Manifest>();
  for (const manifest of rollouts) {
    const object = placed(manifest, world);
    const rollout = readAlbRollout(object, restingPingPongOf(object));
    if (rollout === undefined) continue;
    // Several Rollouts may write to one Ingress.
    const found = ingressesOf(world, rollout, world.namespaceOf(manifest), written);
    const { ingresses } = applyCalls(
      rollout,
      found.map((one) => one.object),
      callsOf(object, { phase: 'promoted' }),
    );
    for (const [index, { key, manifest: before, object: old }] of found.entries()) {
      if (ingresses[index] !== old) written.set(key, rewritten(before, ingresses[index]!));
    }
  }
  return written.size === 0 ? world : world.with(...written.values());
}

/** The World after the deletion of a Rollout. */
export interface ArgoDeletion {
  readonly world: World;
  /** Ingresses that keep their weights, with the message in the controller's log. */
  readonly givenUp: readonly { readonly ingress: string; readonly message: string }[];
}

/** Deletes a Rollout at a moment of its play. Its pods stay, as with `kubectl delete --cascade=orphan`. */
export function playArgoDeletion(
  moment: Pick<ArgoMoment, 'world'>,
  manifest: Manifest,
  options: ResetOptions = {},
): ArgoDeletion {
  const { world } = moment;
  const rollout = readAlbRollout(argoWorkloadOf(world, manifest).object);
  if (rollout === undefined) return { world, givenUp: [] };
  const found = ingressesOf(world, rollout, world.namespaceOf(manifest));
  const { ingresses, givenUp } = resetAfterDeletion(
    found.map(({ object }) => object),
    options,
  );
  return { world: withIngresses(world, found, ingresses).without(manifest), givenUp };
}

/** The controller cannot continue. Thrown and caught only in this file. */
class Stopped extends Error {
  constructor(
    readonly failure: AlbFailure,
    readonly step: number,
  ) {
    super(failure.message);
  }
}

class CanaryRelease {
  private readonly moments: ArgoMoment[] = [];
  private readonly canary: JsonObject;
  private readonly steps: readonly JsonObject[];
  private readonly services = new Set<string>();
  /** The Worlds without pods, to continue from. */
  private readonly states = new Map<ArgoMoment, World>();
  /** The Services of the running experiment. */
  private readonly made: string[] = [];
  private routes: readonly HeaderRoute[] = [];
  /** What was written since the last moment. */
  private readonly written: ObjectRef[] = [];
  private pods: readonly PodGroup[];

  constructor(
    private world: World,
    private readonly workload: ArgoWorkload,
    private readonly version: ArgoRolloutsVersion,
  ) {
    this.canary = asObject(partOf(partOf(workload.object, 'spec'), 'strategy')?.canary);
    this.steps = asList(this.canary.steps).map(asObject);
    this.pods = [podsOf(workload, 'stable', workload.replicas)];
    const { pingService, pongService } = asObject(this.canary.pingPong);
    for (const name of [asText(pingService), asText(pongService)]) if (name !== '') this.services.add(name);
  }

  play(): ArgoPlay {
    const error = this.run();
    const { moments } = this;
    return { moments, services: [...this.services], ...(error === undefined ? {} : { error }) };
  }

  private run(): ArgoPlay['error'] {
    try {
      const passes = passesOf(this.workload.object, {
        version: this.version,
        experimentService: (template, step) => this.service(template, step),
      });
      for (const [index, pass] of passes.entries()) this.pass(pass, passes[index + 1]);
      this.abort();
      return undefined;
    } catch (stopped) {
      if (!(stopped instanceof Stopped)) throw stopped;
      if (this.moments.length === 0) this.add('before', 'idle');
      return { ...stopped.failure, step: stopped.step };
    }
  }

  private pass(pass: AlbPass, next: AlbPass | undefined): void {
    const { workload } = this;
    const isLast = next === undefined || next.phase !== pass.phase || next.step !== pass.step;
    this.point(canaryServicesOf(workload.object, pass.stablePingPong), pass);
    this.scale(pass);
    this.experiments(pass);
    this.call(pass);
    if (isLast) this.declareRoute(pass);
    this.record(pass, isLast);
  }

  /** Updates the selectors of the Services, which the controller does in the same reconcile before it writes the weight. */
  private point(rollout: VersionServices, { phase, canaryPods }: AlbPass): void {
    const { isPingPong } = this;
    const isStill = phase === 'idle';
    const stable = phase === 'promoted' ? 'canary' : 'stable';
    this.select(rollout.stableService, stable);
    if (isPingPong && (isStill || phase === 'promoted')) return;
    // Ping and pong change before pods exist; the canary Service selects the old pods until new ones are available.
    const moves = phase === 'promoted' || isPingPong || canaryPods > 0;
    if (isStill || moves) {
      this.select(rollout.canaryService, moves ? 'canary' : 'stable');
    }
  }

  private scale({ phase, canaryPods, step }: AlbPass): void {
    const { workload, steps } = this;
    if (phase === 'promoted') {
      const old = keepsOldPods(workload.object) ? workload.replicas : 0;
      this.pods = [podsOf(workload, 'stable', old), podsOf(workload, 'canary', workload.replicas)];
      return;
    }
    const stable = stableReplicasAt(workload.object, step ?? steps.length, canaryPods);
    this.pods = [podsOf(workload, 'stable', stable), podsOf(workload, 'canary', canaryPods)];
  }

  /** The Services and pods of a weighted experiment, which exist only during its step. */
  private experiments({ phase, step }: AlbPass): void {
    const { workload } = this;
    const templates = phase === 'step' ? weighted(this.steps[step!]) : [];
    for (const name of this.made.splice(0)) this.removeService(name);
    for (const template of templates) {
      const name = this.service(template, step!);
      const revision = asText(template.specRef) === 'stable' ? 'stable' : 'canary';
      // Without known labels, only the version distinguishes pods.
      const hash = workload.labels === undefined ? revision : `${revision}-${asText(template.name)}`;
      this.pods = [...this.pods, podsOf(workload, revision, numberOf(template.replicas) ?? 1, hash)];
      if (name === '') continue;
      this.services.add(name);
      this.made.push(name);
      this.world = this.world.with(this.experimentService(name, hash));
      this.written.push(this.serviceRef(name));
    }
  }

  private removeService(name: string): void {
    this.world = this.world.without(this.serviceRef(name));
    this.written.push(this.serviceRef(name));
  }

  private serviceRef(name: string): ObjectRef {
    return { apiVersion: 'v1', kind: 'Service', name, namespace: this.workload.namespace };
  }

  private service(template: JsonObject, step: number): string {
    // Without a container port, the controller creates no Service.
    if (this.workload.containerPorts.length === 0) return '';
    const own = asText(partOf(template, 'service')?.name);
    return own || `${this.workload.manifest.name}-${step}-${asText(template.name)}`;
  }

  private experimentService(name: string, hash: string): Manifest {
    const { workload } = this;
    const { matchLabels } = asObject(partOf(partOf(workload.object, 'spec'), 'selector'));
    return Manifest.of({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace: workload.namespace },
      spec: {
        selector: { ...asObject(matchLabels), [ARGO_REVISION_LABEL]: hash },
        ports: workload.containerPorts.map((port) => ({ name: `port-${port}`, port, targetPort: port })),
      },
    });
  }

  private call({ calls, stablePingPong, phase, step }: AlbPass): void {
    const stable = phase === 'promoted' ? 'canary' : 'stable';
    const hashes = { stable, canary: phase === 'idle' ? 'stable' : 'canary' };
    const { world, written, error } = writeRoutes(this.world, this.workload, { calls, stablePingPong, hashes });
    this.world = world;
    this.written.push(...written);
    if (error !== undefined) throw new Stopped(error, step ?? 0);
  }

  private declareRoute({ phase, step }: AlbPass): void {
    const route = phase === 'step' ? partOf(this.steps[step!], 'setHeaderRoute') : undefined;
    if (phase !== 'step') this.routes = [];
    if (route === undefined) return;
    const read = readHeaderRoute(route);
    const others = this.routes.filter(({ name }) => name !== read.name);
    this.routes = read.match === undefined ? others : [...others, read];
  }

  private record({ phase, step }: AlbPass, isLast: boolean): void {
    const nothing = { weight: 0, headerRoutes: [] };
    const everything = { weight: 100, headerRoutes: [] };
    const waiting = 'no pod of the new version is ready';
    if (phase === 'idle') this.add('before', 'idle', nothing);
    if (phase === 'step' && isLast) this.add('step', eventOf(this.steps[step!]!), this.declaredAt(step!), step);
    if (phase === 'step' && !isLast) this.add('prepare', waiting, undefined, step);
    if (phase === 'finish' && !isLast) this.add('finish', waiting);
    // Without steps, the traffic does not change until the new version is stable. Without a router, both come together.
    if (phase === 'finish' && isLast && routesTraffic(this.workload.object)) {
      this.add('finish', 'all steps are done', this.steps.length > 0 ? everything : undefined);
    }
    if (phase !== 'promoted') return;
    this.add('finish', 'the new version is stable', everything);
    if (!keepsOldPods(this.workload.object)) return;
    this.pods = this.pods.filter(({ revision }) => revision === 'canary');
    this.add('finish', 'the old pods are gone', everything);
  }

  private declaredAt(step: number): ArgoMoment['declared'] {
    const experiments = weighted(this.steps[step]).filter(({ specRef }) => asText(specRef) !== 'stable');
    const added = experiments.reduce((sum, { weight }) => sum + (numberOf(weight) ?? 0), 0);
    return { weight: Math.min(100, this.shareAt(step) + added), headerRoutes: this.routes };
  }

  /** The percentage of requests that a step declares. Without a router the pods decide, so the step declares their share. */
  private shareAt(step: number): number {
    const { object } = this.workload;
    if (routesTraffic(object)) return (100 * weightAt(object, step)) / maxTrafficWeightOf(object);
    const { canary, stable } = countsAt(object, step);
    return (100 * canary) / (canary + stable);
  }

  /** Aborts at the first step with header routes, or else with a weight. */
  private abort(): void {
    const settled = this.moments.filter(({ phase }) => phase === 'step');
    const from =
      settled.find(({ declared }) => (declared?.headerRoutes.length ?? 0) > 0) ??
      settled.find(({ declared }) => (declared?.weight ?? 0) > 0);
    if (from?.step === undefined) return;
    const { workload, version } = this;
    const [first, last = first] = abortPassesOf(workload.object, from.step, { version });
    this.world = this.states.get(from)!;
    this.written.length = 0;
    for (const template of weighted(this.steps[from.step])) this.removeService(this.service(template, from.step));
    if (first !== last) {
      this.scale(first!);
      this.call(first!);
      this.add('abort', 'aborted, and the stable pods are not back yet', undefined, from.step);
    }
    this.takeBack(last!, from.step);
  }

  /** The canary gets nothing any more; then its pods go. */
  private takeBack(pass: AlbPass, step: number): void {
    const { workload, isPingPong } = this;
    const rollout = canaryServicesOf(workload.object, pass.stablePingPong);
    const old = podsOf(workload, 'stable', workload.replicas);
    this.pods = [old, podsOf(workload, 'canary', pass.canaryPods)];
    if (!isPingPong) this.select(rollout.canaryService, 'stable');
    this.call(pass);
    // Without a router, the new pods go at once.
    if (routesTraffic(workload.object)) this.addAborted('aborted, and the steps begin again', step);
    if (flapsAfterAbort(workload.object)) {
      this.select(rollout.canaryService, 'canary');
      this.addAborted(`Service ${rollout.canaryService} goes to the new pods and back at each reconcile`, step);
      this.select(rollout.canaryService, 'stable');
    }
    this.pods = [old];
    this.addAborted('the new pods are gone', step);
  }

  private addAborted(event: string, step: number): void {
    this.add('abort', event, { weight: 0, headerRoutes: [] }, step);
  }

  private get isPingPong(): boolean {
    return partOf(this.canary, 'pingPong') !== undefined;
  }

  private select(service: string, hash: string): void {
    const after = withSelector(this.world, service, this.workload, hash);
    if (after !== this.world) this.written.push(this.serviceRef(service));
    this.world = after;
  }

  private add(phase: ArgoMoment['phase'], event: string, declared?: ArgoMoment['declared'], step?: number): void {
    const { pods, workload } = this;
    const world = withPods(this.world, pods, workload);
    const moment: ArgoMoment = {
      phase,
      event,
      world,
      written: this.written.splice(0),
      pods,
      ...(step === undefined ? {} : { step }),
      ...(declared === undefined ? {} : { declared }),
    };
    this.states.set(moment, this.world);
    this.moments.push(moment);
  }
}

/** The name of a step, from its fields. */
function eventOf(step: JsonObject): string {
  return Object.keys(step).join(' and ') || 'empty step';
}

/** The templates of an experiment that get traffic. */
function weighted(step: JsonObject | undefined): JsonObject[] {
  return asList(partOf(step, 'experiment')?.templates)
    .map(asObject)
    .filter(({ weight }) => numberOf(weight) !== undefined);
}
