/** Rehearses the releases of a World: the package's main question. */
import { ARGO_ROLLOUT } from '../argo/admission/findings';
import { ARGO_REVISION_LABEL, withIdleActions } from '../argo/controller';
import { type AbsentObject, collectFindings, type Finding, type Manifest, type World } from '../core';
import type { Rehearsal } from '../core/rehearsal-result';
import { DEFAULT_CONTROLLER_NAMESPACE, LUA_CONFIG_MAP_NAME } from '../kruise/api';
import { playRollout, playTrafficRouting, type RolloutPlay, RolloutScripts } from '../kruise/controller';
import { type RolloutSubject, type RouteSubject, rolloutsOf, trafficRoutingsOf } from '../kruise/rules/subject';
import { builtinScripts } from '../kruise/scripts/library';
import { KruiseRolloutVersion } from '../kruise/version';
import { type AllRouterOptions, allRouters, type Router } from '../routers';
import { argoFindings } from './argo/findings';
import { playArgo } from './argo/play';
import { type ArgoSubject, argoSubjectsOf } from './argo/subject';
import { type Contender, findCollisions } from './collisions';
import type { RehearsalRequest } from './request';
import { type Ending, rehearsalOf } from './result';
import { routersFor } from './routers';
import { rehearsalRules } from './rules';
import { type Run, runRehearsal } from './run';
import { Scopes } from './scope';
import { stopFinding } from './stops';
import { judge, type Verdicts } from './verdicts';
import { answerText } from './words';

/** How releases are rehearsed. */
export interface RehearseOptions extends AllRouterOptions {
  /**
   * The release of Kruise Rollouts.
   * @default KruiseRolloutVersion.LATEST
   */
  readonly kruiseVersion?: KruiseRolloutVersion;
  /**
   * The controller's namespace, where it looks for the ConfigMap of scripts.
   * @default 'kruise-rollout'
   */
  readonly controllerNamespace?: string;
  /**
   * Requests that are sent besides those that are derived.
   * @default - none
   */
  readonly probes?: readonly RehearsalRequest[];
  /**
   * The load balancers to ask.
   * @default - all that this library knows
   */
  readonly routers?: readonly Router[];
  /**
   * Which Rollouts are rehearsed.
   * @default - all
   */
  readonly only?: (manifest: Manifest) => boolean;
}

/**
 * Plays every Rollout, of Kruise and of Argo, and every TrafficRouting of a World through the controller and the load
 * balancers, and compares what requests meet with what is declared. Never throws; the same World always gives the same.
 *
 * @example
 * const { manifests } = readManifests(['deploy']);
 * for (const { rollout, findings } of rehearse(World.of(manifests))) console.log(rollout.name, findings.length);
 */
export function rehearse(world: World, options: RehearseOptions = {}): Rehearsal[] {
  const rehearsed = rehearseAll(world, options, rehearsalOf);
  return rehearsed.map(({ kept, findings }) => ({ ...kept, findings: collectFindings(findings) }));
}

/**
 * What `rehearse` finds, all together and sorted, without its reports: faster, and of each Rollout only its findings are
 * kept.
 *
 * @example
 * const errors = rehearsalFindings(World.of(manifests)).filter(({ severity }) => severity === 'error');
 */
export function rehearsalFindings(world: World, options: RehearseOptions = {}): Finding[] {
  return findingsOf(rehearseAll(world, options, () => undefined));
}

function rehearseAll<Kept>(world: World, options: RehearseOptions, keep: Keep<Kept>): Rehearsed<Kept>[] {
  const { kruiseVersion: version = KruiseRolloutVersion.LATEST, only = () => true } = options;
  const namespace = options.controllerNamespace ?? DEFAULT_CONTROLLER_NAMESPACE;
  const configMap = world.find('ConfigMap', LUA_CONFIG_MAP_NAME, namespace)?.object;
  const scripts = new RolloutScripts({
    builtins: builtinScripts(version),
    configMap,
    version,
    controllerNamespace: namespace,
  });
  const routers = options.routers ?? allRouters(options);
  // Neighbours on a load balancer answer what Argo has written for them, too.
  const scopes = new Scopes(withIdleActions(world, world.list(ARGO_ROLLOUT)), routers);
  const rehearsing = new Rehearsing(world, scopes, scripts, routers, options.probes ?? [], keep);
  const rollouts = rolloutsOf(world, version).filter(({ manifest }) => only(manifest) && !isDisabled(manifest));
  const routes = trafficRoutingsOf(world).filter(({ manifest }) => only(manifest));
  const rehearsed = [
    ...rollouts.flatMap((rollout) => rehearsing.rollout(rollout)),
    ...routes.map((route) => rehearsing.trafficRouting(route)),
    ...argoSubjectsOf(world)
      .filter(({ manifest }) => only(manifest))
      .flatMap((subject) => rehearsing.argo(subject)),
  ];
  const collisions = findCollisions(rehearsing.contenders, routers);
  return rehearsed.map((each) => withFindings(each, collisions.get(each.manifest) ?? []));
}

/** The findings of all rehearsals, each once, sorted. */
export function findingsOf(rehearsals: readonly Pick<Rehearsal, 'findings'>[]): Finding[] {
  return collectFindings(rehearsals.flatMap(({ findings }) => findings));
}

function isDisabled(manifest: Manifest): boolean {
  return manifest.get('spec.disabled') === true;
}

function withFindings<Kept>(rehearsed: Rehearsed<Kept>, more: readonly Finding[]): Rehearsed<Kept> {
  return more.length === 0 ? rehearsed : { ...rehearsed, findings: [...rehearsed.findings, ...more] };
}

/** What is kept of a rehearsal beside its findings. */
type Keep<Kept> = (run: Run, verdicts: Verdicts, ending: Ending) => Kept;

interface Rehearsed<Kept> {
  readonly manifest: Manifest;
  readonly findings: readonly Finding[];
  readonly kept: Kept;
}

/** What all Rollouts of a World share, and what is kept of each. */
class Rehearsing<Kept> {
  readonly contenders: Contender[] = [];

  constructor(
    private readonly world: World,
    private readonly scopes: Scopes,
    private readonly scripts: RolloutScripts,
    private readonly routers: readonly Router[],
    private readonly probes: readonly RehearsalRequest[],
    private readonly keep: Keep<Kept>,
  ) {}

  /** Without a route there is nothing to rehearse. */
  rollout(rollout: RolloutSubject): Rehearsed<Kept>[] {
    const { route, workload, namespace } = rollout;
    if (route === undefined) return [];
    const found = workload === undefined ? undefined : this.world.get({ ...workload.ref, namespace });
    const world = this.scopes.of(route, found === undefined ? [] : [found]);
    return [this.rehearsed(rollout, route, playRollout(world, rollout, this.scripts), rollout.style)];
  }

  trafficRouting(route: RouteSubject): Rehearsed<Kept> {
    const play = playTrafficRouting(this.scopes.of(route), route, this.scripts);
    const { manifest, namespace } = route;
    const step = { index: 0, object: {}, path: ['spec', 'strategy'], hasMatches: false, routes: true };
    const subject: RolloutSubject = {
      manifest,
      namespace,
      v1alpha1: true,
      style: 'partition',
      strategy: { path: ['spec', 'strategy'], object: {} },
      steps: [step],
      route,
    };
    return this.rehearsed(subject, route, play, 'traffic-routing');
  }

  /** A blue-green Rollout that no load balancer of AWS leads to has nothing to rehearse. */
  argo(subject: ArgoSubject): Rehearsed<Kept>[] {
    const { manifest, rollout, route, style } = subject;
    const workload = subject.workload === undefined ? undefined : this.world.get(subject.workload);
    const scope = this.scopes.of(route, workload === undefined ? [manifest] : [manifest, workload]);
    const played = playArgo(scope, subject);
    const run = runRehearsal({
      play: { moments: played.moments, revisionLabel: ARGO_REVISION_LABEL },
      rollout,
      route,
      // Of the traffic routers of Argo only this one is played.
      routers: this.routers.filter((router) => router.name === 'aws-alb'),
      probes: this.probes,
      version: this.scripts.version,
      style,
      argo: subject,
      otherServices: played.services,
    });
    const verdicts = judge(run);
    const ofRelease = argoFindings({ run, subject, play: played, world: this.world });
    const isReached = run.entries.length > 0 || ofRelease.some(({ severity }) => severity !== 'note');
    if (style === 'argo-blue-green' && !isReached) return [];
    const findings = [...verdicts.findings, ...ofRelease];
    // What several Rollouts write to one Ingress stands beside each other, so that none gets in the way of another.
    return [this.kept(run, verdicts, { style, findings, error: played.error })];
  }

  private rehearsed(
    rollout: RolloutSubject,
    route: RouteSubject,
    play: RolloutPlay,
    style: Rehearsal['style'],
  ): Rehearsed<Kept> {
    const { probes } = this;
    const routers = routersFor(route, play.moments[0]!.world, this.routers);
    const run = runRehearsal({ play, rollout, route, routers, probes, version: this.scripts.version, style });
    const verdicts = judge(run);
    const { error } = play;
    const stop = error === undefined ? [] : [stopFinding(error, play.moments[0]!.world, rollout, route)];
    const findings = [...verdicts.findings, ...stop, ...notReached(run, error !== undefined)];
    const contender = contenderOf(run, play);
    if (contender !== undefined) this.contenders.push(contender);
    return this.kept(run, verdicts, { style, findings, error });
  }

  private kept(run: Run, verdicts: Verdicts, ending: Ending): Rehearsed<Kept> {
    return { manifest: run.rollout.manifest, findings: ending.findings, kept: this.keep(run, verdicts, ending) };
  }
}

/** The objects that would lead requests to a Rollout's Service. */
function routeObjects({ namespace, service, ingress, gateway, customNetworkRefs }: RouteSubject): AbsentObject[] {
  const routes: AbsentObject[] = [
    { kind: 'Service', name: service },
    ...(ingress === undefined ? [] : [{ kind: 'Ingress' }]),
    ...(gateway === undefined ? [] : [{ kind: 'HTTPRoute' }]),
    ...customNetworkRefs.map(({ ref: { apiVersion, kind } }) => ({ apiVersion, kind })),
  ];
  return routes.map((route) => ({ ...route, namespace }));
}

function notReached({ rollout, route, entries, seen }: Run, isStopped: boolean): Finding[] {
  const isFrozen = [...seen[0]!.table.values()].some(({ frozen }) => frozen !== undefined);
  if (entries.length > 0 || isStopped || isFrozen) return [];
  return [
    rollout.manifest.finding(rehearsalRules['rehearsal-incomplete'], {
      message: `no load balancer in these manifests sends requests to Service "${route.service}", so only the controller was rehearsed`,
      path: [...route.path, 'service'],
      absent: routeObjects(route),
    }),
  ];
}

/** The first routed step, as far as it matters to other releases. */
function contenderOf(run: Run, { revisionLabel }: RolloutPlay): Contender | undefined {
  const seen = run.seen.find(({ moment }) => moment.phase === 'step' && moment.strategy !== undefined);
  if (seen === undefined || run.entries.length === 0) return undefined;
  const { world, pods } = seen.moment;
  return {
    manifest: run.rollout.manifest,
    entries: run.entries,
    backends: { world, pods, revisionLabel, route: run.route, known: new Map() },
    written: world.since(run.seen[0]!.moment.world),
    requests: run.requests.flatMap((sent, index) => {
      const cell = seen.cells[index]!;
      const isOwn = sent.class === 'no-match' || sent.class === 'match';
      return isOwn ? [{ sent, key: cell.key, text: answerText(cell.answer) }] : [];
    }),
  };
}
