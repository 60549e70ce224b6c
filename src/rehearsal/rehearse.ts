/** Rehearses the releases of a World. */
import { collectFindings, type Finding, type Manifest, type World } from '../core';
import { type Budget, BudgetSpent } from '../core/budget';
import type { Rehearsal } from '../core/rehearsal-result';
import type { Release, ReleaseController, ReleaseTraffic, Story, StoryRequest } from '../release';
import { type AllRouterOptions, allRouters, type Router } from '../routers';
import { budgetRules } from './budget-rules';
import { type Contender, findCollisions } from './collisions';
import { type AllReleaseOptions, controllers } from './controllers';
import { unlessRefused } from './refused';
import { releaseFindings } from './remarks';
import type { RehearsalRequest } from './request';
import { notRehearsed, rehearsalOf } from './result';
import { routersFor } from './routers';
import { type Run, runRehearsal } from './run';
import { Scopes } from './scope';
import { storyFindings } from './story-findings';
import { judge, type Verdicts } from './verdicts';
import { answerText } from './words';

/** How releases are rehearsed. */
export interface RehearseOptions extends AllReleaseOptions, AllRouterOptions {
  /**
   * The rollout controllers.
   * @default - all that this library knows
   */
  readonly controllers?: readonly ReleaseController<AllReleaseOptions>[];
  /**
   * Requests to send in addition to the derived ones.
   * @default - none
   */
  readonly probes?: readonly RehearsalRequest[];
  /**
   * The routers of the load balancers.
   * @default - all that this library knows
   */
  readonly routers?: readonly Router[];
  /**
   * Stories to play in addition to the straight road: `all` that a release can take, some by name (`roll-back` at every
   * step, `roll-back@1` at one), or stories of your own.
   * @default - none
   */
  readonly stories?: StoryRequest;
  /**
   * The release of Kubernetes, `1.34`: a Rollout is not rehearsed where its API server refuses one of the Rollout's objects.
   * @default - the release that this library has schemas of
   */
  readonly kubernetesVersion?: string;
  /**
   * Which Rollouts are rehearsed.
   * @default - all
   */
  readonly only?: (manifest: Manifest) => boolean;
  /**
   * How much time and memory may be spent. A Rollout for which nothing is left has a finding that says so.
   * @default - any amount
   */
  readonly budget?: Budget;
}

/**
 * Plays every release of a World through its controller and the load balancers, and compares where requests go with what
 * the release declares. Never throws. The same World always gives the same result.
 *
 * @example
 * const { manifests } = readManifests(['deploy']);
 * for (const { rollout, findings } of rehearse(World.of(manifests))) console.log(rollout.name, findings.length);
 */
export function rehearse(world: World, options: RehearseOptions = {}): Rehearsal[] {
  const rehearsed = rehearseAll(world, options, rehearsalOf);
  return rehearsed.map(({ left, kept, findings }) => ({
    ...(left === undefined ? kept! : notRehearsed(left)),
    findings: collectFindings(findings),
  }));
}

/**
 * The findings of `rehearse`, sorted, without the data for reports. Needs less memory.
 *
 * @example
 * const errors = rehearsalFindings(World.of(manifests)).filter(({ severity }) => severity === 'error');
 */
export function rehearsalFindings(world: World, options: RehearseOptions = {}): Finding[] {
  return findingsOf(rehearseAll(world, options, () => undefined));
}

function rehearseAll<Kept>(world: World, options: RehearseOptions, keep: Keep<Kept>): Rehearsed<Kept>[] {
  const { only = () => true, routers = allRouters(options), probes = [], stories = [], kubernetesVersion } = options;
  const played = options.controllers ?? controllers;
  const idle = played.reduce((before, controller) => controller.idle?.(before, options) ?? before, world);
  const scopes = new Scopes(idle, routers);
  const releases = played.flatMap((controller) => controller.releasesOf(world, options));
  const setting = { scopes, routers, probes, stories, kubernetesVersion, keep, budget: options.budget };
  const rehearsed = releases
    .filter(({ manifest }) => only(manifest))
    .flatMap((release) => rehearseWithin(release, setting));
  const contenders = rehearsed.flatMap(({ contender }) => contender ?? []);
  const collisions = findCollisions(contenders, routers);
  return rehearsed.map((each) => withFindings(each, collisions.get(each.manifest) ?? []));
}

/** The findings of all rehearsals, sorted and without duplicates. */
export function findingsOf(rehearsals: readonly Pick<Rehearsal, 'findings'>[]): Finding[] {
  return collectFindings(rehearsals.flatMap(({ findings }) => findings));
}

function withFindings<Kept>(rehearsed: Rehearsed<Kept>, more: readonly Finding[]): Rehearsed<Kept> {
  return more.length === 0 ? rehearsed : { ...rehearsed, findings: [...rehearsed.findings, ...more] };
}

/** Selects what to keep of a rehearsal in addition to its findings. */
type Keep<Kept> = (run: Run, verdicts: Verdicts, findings: readonly Finding[]) => Kept;

interface Rehearsed<Kept> {
  readonly manifest: Manifest;
  readonly findings: readonly Finding[];
  /** Undefined if it was not rehearsed. */
  readonly kept: Kept | undefined;
  /** The release that was not rehearsed. */
  readonly left?: Release;
  /** The release as one of several on its load balancers. */
  readonly contender?: Contender;
}

/** What all releases of a World share. */
interface Setting<Kept> {
  readonly scopes: Scopes;
  readonly routers: readonly Router[];
  readonly probes: readonly RehearsalRequest[];
  readonly stories: StoryRequest;
  readonly kubernetesVersion: string | undefined;
  readonly keep: Keep<Kept>;
  readonly budget: Budget | undefined;
}

/** Rehearses a release, unless the budget is spent before it or in it. */
function rehearseWithin<Kept>(release: Release, setting: Setting<Kept>): Rehearsed<Kept>[] {
  try {
    setting.budget?.check();
    return rehearseOne(release, setting);
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error;
    const { manifest } = release;
    const message = `the Rollout "${manifest.name}" was not rehearsed: ${error.message} is spent`;
    const findings = [manifest.finding(budgetRules['rehearsal-budget-spent'], { message })];
    return [{ manifest, findings, kept: undefined, left: release }];
  }
}

/** Rehearses a release. Skips one that routes no traffic. */
function rehearseOne<Kept>(declared: Release, setting: Setting<Kept>): Rehearsed<Kept>[] {
  const { manifest, traffic, needs } = declared;
  if (traffic === undefined) return [];
  const objects = [...setting.scopes.objectsOf(traffic), ...needs];
  const release = unlessRefused(declared, objects, setting.kubernetesVersion);
  const run = runOf(release, traffic, setting);
  const verdicts = judge(run);
  const ofRelease = releaseFindings(run);
  const isReached = run.entries.length > 0 || ofRelease.some(({ severity }) => severity !== 'note');
  if (release.needsLoadBalancer === true && !isReached) return [];
  const findings = [...verdicts.findings, ...ofRelease, ...storyFindings(run)];
  const contender = release.coexists === true ? undefined : contenderOf(run);
  const kept = setting.keep(run, verdicts, findings);
  return [{ manifest, findings, kept, ...(contender === undefined ? {} : { contender }) }];
}

function runOf(
  release: Release,
  traffic: ReleaseTraffic,
  { scopes, routers, probes, stories, budget }: Omit<Setting<never>, 'keep'>,
): Run {
  const asked = storiesOf(release, stories);
  const named = scopes.namedIn(asked, traffic.namespace);
  const scope = scopes.of(traffic, [...release.needs, ...named], release.matches);
  const play = release.play(scope);
  return runRehearsal({
    release,
    traffic,
    play,
    routers: routersFor(traffic, play.moments[0]!.world, routers),
    probes,
    ...(budget && { budget }),
    stories: asked.length === 0 ? [] : release.tell!(scope, asked),
  });
}

/** The stories of a release that are asked for, the straight road first. A name without a step stands for every step. */
function storiesOf(release: Release, request: StoryRequest): readonly Story[] {
  const asked = request === 'all' ? [request] : request;
  if (asked.length === 0 || release.tell === undefined || release.notPlayed !== undefined) return [];
  const stories = release.stories?.() ?? [];
  const isAll = asked.includes('all');
  const own = asked.filter((each) => typeof each !== 'string');
  const isAsked = ({ name }: Story) =>
    isAll || name === 'straight' || asked.includes(name) || asked.includes(name.replace(/@.*/, ''));
  return [...stories.filter(isAsked), ...own];
}

/** The first routed step, for the comparison with other releases. */
function contenderOf({ release, traffic, play, entries, requests, seen }: Run): Contender | undefined {
  const routed = seen.find(({ moment }) => moment.phase === 'step' && moment.routesTraffic === true);
  if (routed === undefined || entries.length === 0) return undefined;
  const { world, pods } = routed.moment;
  return {
    manifest: release.manifest,
    entries,
    backends: { world, pods, revisionLabel: play.revisionLabel, traffic, known: new Map() },
    written: world.since(seen[0]!.moment.world),
    requests: requests.flatMap((sent, index) => {
      const cell = routed.cells[index]!;
      const isOwn = sent.class === 'no-match' || sent.class === 'match';
      return isOwn ? [{ sent, key: cell.key, text: answerText(cell.answer) }] : [];
    }),
  };
}
