/** Follows one release: looks at a cluster again and again, and says at each moment where it is and what comes next. */
import { checkStack, type StackResult } from '../check';
import type { Manifest, ObjectRef, World } from '../core';
import type { Checkup, CheckupItem, CheckupRequest } from '../core/checkup';
import type { Rehearsal } from '../core/rehearsal-result';
import type { WatchedDifference, WatchedMoment, WatchedNext, WatchedState } from '../core/watched-release';
import { declaredOf, examine, type LiveCluster, type Progress, progressOf } from '../doctor';
import { externalOf } from '../doctor/external';
import { controllers } from '../rehearsal/controllers';
import type { Release } from '../release';
import { allRouters } from '../routers';
import { clusterOf } from '../settings/cluster';
import type { Versions } from '../settings/versions';
import { changesBetween, declaredText, type Seen, seenOf } from './changes';
import { differencesOf, unknownOf } from './differences';
import type { LiveState } from './live-state';
import { nextOf } from './next';
import { podsBehind } from './pods';
import { requestsOf } from './requests';
import { placesOf, type Road, roadOf, type Sight } from './road';
import { FOLLOWED_SYSTEMS, type FollowedSystem, systemOf } from './state';
import { rehearsedTurn, StoryTeller, type ToldTurn } from './story';

/** Which release is followed, and how its stack is checked. */
export interface FollowOptions extends Versions {
  readonly namespace: string;
  readonly name: string;
  /**
   * The kind, where the namespace has Rollouts of both controllers with this name: `Rollout.argoproj.io`.
   * @default - whichever is there
   */
  readonly groupKind?: string;
  /**
   * The namespace of the Kruise Rollouts controller.
   * @default - where it is found, or 'kruise-rollout'
   */
  readonly controllerNamespace?: string;
}

/** What is known of the cluster at a moment. */
export interface Look {
  readonly cluster: LiveCluster;
  readonly at: Date;
  /**
   * Since when the API server gives no news, and why.
   * @default - all watches are open
   */
  readonly lost?: WatchedMoment['lost'];
}

/** The check of the declared objects, kept while the same is declared. */
interface Checked {
  readonly text: string;
  readonly stack: StackResult;
}

/** A difference that is younger than this may be one watch ahead of another. */
const SETTLING_MS = 2000;

/** A controller that has not seen the newest objects writes what belongs to older ones, for as long as a few of its moves take. */
const SETTLING_BEHIND_MS = 15_000;

/**
 * One release, followed.
 * @example
 * const follower = new Follower({ namespace: 'shop', name: 'web' });
 * follower.look({ cluster, at: new Date() }).next.text
 */
export class Follower {
  private readonly teller = new StoryTeller();
  private checked: Checked | undefined;
  private seen: Seen | undefined;
  /** The moment of the road that was reached, while the status says the same. */
  private reached: { readonly key: string; readonly at: number } | undefined;
  private readonly firstSeen = new Map<string, Date>();
  private last: { readonly rollout: ObjectRef; readonly controller: string; readonly steps: number } | undefined;
  /** Whether a difference has just been seen, which the next look will report if it is still there. */
  isUnsure = false;

  constructor(private readonly options: FollowOptions) {}

  /** Looks at the cluster. */
  look(look: Look): WatchedMoment {
    const manifest = this.find(look.cluster.world);
    const system = manifest && systemOf(manifest);
    if (manifest === undefined || system === undefined) return this.gone(look);
    return this.moment(manifest, system, look);
  }

  private find(world: World): Manifest | undefined {
    const { namespace, name, groupKind } = this.options;
    const kinds = groupKind === undefined ? FOLLOWED_SYSTEMS.map((one) => one.groupKind) : [groupKind];
    return kinds.map((kind) => world.find(kind, name, namespace)).find((one) => one !== undefined);
  }

  private moment(manifest: Manifest, system: FollowedSystem, { cluster, at, lost }: Look): WatchedMoment {
    const { namespace, name, groupKind: _kind, ...stated } = this.options;
    const { world } = cluster;
    const versions = clusterOf(world, stated);
    const { kruiseVersion, argoVersion, awsLoadBalancerControllerVersion } = versions;
    const state = system.stateOf(manifest, cluster, kruiseVersion);
    const isMeant = (one: Manifest) =>
      one.groupKind === manifest.groupKind && one.name === name && world.namespaceOf(one) === namespace;
    const declared = declaredOf(world, kruiseVersion).world;
    const stack = this.check(declared, cluster, stated, isMeant);
    const { checkup } = examine(cluster, { ...stated, only: { namespace, name }, stack });
    const items = itemsOf(checkup, manifest);
    const [first] = progressOf(cluster, { kruiseVersion, findings: stack.findings, isMeant });
    const progress = first!.progress;
    const release = controllers
      .flatMap((controller) => controller.releasesOf(declared, { kruiseVersion, argoVersion }))
      .find((one) => isMeant(one.manifest));
    const asked = items.find(({ id }) => id.endsWith('-requests'));
    const routers = allRouters({ awsLoadBalancerControllerVersion });
    const requests = asked ?? (release && requestsOf({ cluster, declared, release, state, routers }));
    const { traffic } = requests ?? {};
    const turn = this.teller.look(state, JSON.stringify(manifest.get('spec.strategy') ?? null));
    const rehearsal = stack.rehearsals[0];
    const pods = podsBehind(cluster, release?.traffic, state);
    const sight: Sight = { traffic, pods, isThere: (ref) => world.get({ ...ref, namespace }) !== undefined };
    const { road, ends } = this.roadOf(rehearsal, state, turn, sight);
    const all = asked === undefined && requests !== undefined ? [...items, requests] : items;
    const differences = this.settled(
      differencesOf(all, progress),
      at,
      state.isBehind ? SETTLING_BEHIND_MS : SETTLING_MS,
    );
    const unknown = unknownOf(all);
    const { loadBalancers = [], requests: sent = [] } = traffic ?? {};
    this.last = { rollout: manifest.ref, controller: system.controller, steps: state.steps };
    return {
      at: at.toISOString(),
      rollout: { ...manifest.ref, namespace },
      controller: system.controller,
      state: this.stateOf(state, progress, turn),
      loadBalancers,
      // While the controller is at work, requests are not yet where they should be.
      requests: differences.some(({ id }) => id.endsWith('requests')) ? sent : sent.map(asGood),
      pods,
      road: road === undefined || rehearsal === undefined ? [] : placesOf(road, rehearsal),
      next: nextOf({ state, progress, road, rehearsal }),
      differences,
      story: {
        name: turn?.name ?? 'straight',
        ...(turn === undefined ? {} : { why: turn.why }),
        ...(ends === undefined ? {} : { ends }),
      },
      changes: this.changesOf(world, namespace, release),
      ...(unknown.length === 0 ? {} : { unknown }),
      ...(lost === undefined ? {} : { lost }),
    };
  }

  private check(
    declared: World,
    cluster: LiveCluster,
    stated: Versions,
    isMeant: (manifest: Manifest) => boolean,
  ): StackResult {
    const text = declaredText(declared);
    if (this.checked?.text === text) return this.checked.stack;
    const isKnown = (one: Manifest) => cluster.unread('Service', declared.namespaceOf(one)) === undefined;
    const stack = checkStack(declared, {
      ...stated,
      external: externalOf(cluster),
      rehearsal: { only: (one) => isMeant(one) && isKnown(one), stories: 'all' },
    });
    this.checked = { text, stack };
    return stack;
  }

  /** The road of the story that is told, or else the straight one. */
  private roadOf(rehearsal: Rehearsal | undefined, state: LiveState, turn: ToldTurn | undefined, sight: Sight) {
    const straight = rehearsal?.stories?.find(({ name }) => name === 'straight');
    // A rehearsal that stops at once has no road.
    if (rehearsal === undefined || straight === undefined || straight.moments.length < 2) return {};
    const told = turn === undefined ? undefined : rehearsedTurn(rehearsal, turn);
    if (turn !== undefined && told === undefined && !WITHIN_STRAIGHT.has(turn.name)) return {};
    const isOver = state.isIdle && this.teller.ended !== undefined;
    const { story, from } = told ?? { story: straight, from: 0 };
    const key = `${turn?.name ?? 'straight'}, step ${state.step ?? 'none'}`;
    const reached = this.reached?.key === key ? this.reached.at : 0;
    const road: Road = isOver
      ? { story, moments: story.moments, at: story.moments.length - 1, isMoving: false }
      : roadOf(rehearsal, story, state, sight, { from, reached });
    this.reached = { key, at: road.at };
    return { road, ends: story.end };
  }

  private stateOf(state: LiveState, progress: Progress, turn: ToldTurn | undefined): WatchedState {
    const { ended } = this.teller;
    return {
      kind: kindOf(state, progress, turn),
      text: state.text,
      ...(state.step === undefined || state.isIdle ? {} : { step: state.step }),
      steps: state.steps,
      ...(state.message === undefined ? {} : { message: state.message }),
      ...(ended === undefined || !state.isIdle ? {} : { ended }),
    };
  }

  /** Differences that have been there for a while. */
  private settled(found: readonly Omit<WatchedDifference, 'since'>[], at: Date, settling: number): WatchedDifference[] {
    const keys = new Set(found.map(({ id }) => id));
    for (const key of [...this.firstSeen.keys()]) if (!keys.has(key)) this.firstSeen.delete(key);
    const all = found.map((one): WatchedDifference => {
      const since = this.firstSeen.get(one.id) ?? at;
      this.firstSeen.set(one.id, since);
      return { ...one, since: since.toISOString() };
    });
    const old = all.filter(({ since }) => at.getTime() - Date.parse(since) >= settling);
    this.isUnsure = old.length < all.length;
    return old;
  }

  private changesOf(world: World, namespace: string, release: Release | undefined) {
    const named = new Set(release?.traffic?.names);
    const isOwn = (manifest: Manifest) =>
      release === undefined ||
      manifest.name.startsWith(release.manifest.name) ||
      [...named].some(
        (name) => JSON.stringify(manifest.object.spec ?? null).includes(JSON.stringify(name)) || manifest.name === name,
      );
    const now = new Map([...seenOf(world, namespace)].filter(([, manifest]) => isOwn(manifest)));
    const changes = this.seen === undefined ? [] : changesBetween(this.seen, now);
    this.seen = now;
    return changes;
  }

  /** There is no such Rollout, or no longer. */
  private gone({ at, lost, cluster }: Look): WatchedMoment {
    const { namespace, name } = this.options;
    const { last } = this;
    const text = last === undefined ? 'there is no such Rollout' : 'the Rollout was deleted';
    const changes = last === undefined ? [] : this.changesOf(cluster.world, namespace, undefined);
    const next: WatchedNext = { who: 'nobody', text: 'nothing acts on the release any more' };
    return {
      at: at.toISOString(),
      rollout: { ...(last?.rollout ?? { apiVersion: '', kind: 'Rollout', name }), namespace },
      controller: last?.controller ?? 'unknown',
      state: { kind: 'gone', text, steps: last?.steps ?? 0 },
      loadBalancers: [],
      requests: [],
      pods: [],
      road: [],
      next,
      differences: [],
      story: last === undefined ? { name: 'straight' } : { name: 'delete', why: text },
      changes,
      ...(lost === undefined ? {} : { lost }),
    };
  }
}

function asGood(request: CheckupRequest): CheckupRequest {
  return request.verdict === 'good' ? request : { ...request, verdict: 'good' };
}

/** Turns that leave the release on the straight road, at another place. */
const WITHIN_STRAIGHT = new Set(['jump-back', 'edit-step', 'retry', 'promote-full', 'third-revision']);

function kindOf(state: LiveState, progress: Progress, turn: ToldTurn | undefined): WatchedState['kind'] {
  if (turn?.name === 'disable') return 'disabled';
  if (state.turn?.name === 'delete') return 'leaving';
  if (state.turn?.name === 'abort') return 'aborted';
  if (state.turn?.isBack) return 'leaving';
  if (state.isIdle) return state.isHealthy ? 'healthy' : 'releasing';
  if (progress.state === 'stuck') return 'stuck';
  return progress.state === 'waiting' ? 'waiting' : 'releasing';
}

function itemsOf({ sections }: Checkup, { kind, name, apiVersion }: Manifest): readonly CheckupItem[] {
  const group = apiVersion.split('/')[0];
  const own = sections.filter(
    ({ object }) => object?.kind === kind && object.name === name && object.apiVersion?.split('/')[0] === group,
  );
  return own.flatMap(({ items }) => items);
}
