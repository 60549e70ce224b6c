/** Follows one release: looks at a cluster again and again, and says at each moment where it is and what comes next. */
import type { Manifest, ObjectRef, World } from '../core';
import type { CheckupRequest } from '../core/checkup';
import type { WatchedMoment, WatchedNext, WatchedState } from '../core/watched-release';
import type { LiveCluster, Progress } from '../doctor';
import { type AnswerOptions, type Answers, Asking } from './answers';
import { changesBetween, type Seen, seenOf } from './changes';
import { differencesOf, Settling, unknownOf } from './differences';
import type { LiveState } from './live-state';
import { nextOf } from './next';
import { podsBehind } from './pods';
import { placesOf, type Road, roadOf, type Sight } from './road';
import { FOLLOWED_SYSTEMS, type FollowedSystem, systemOf } from './state';
import { rehearsedTurn, StoryTeller, type ToldTurn } from './story';

/** Which release is followed, and how its stack is checked. */
export interface FollowOptions extends AnswerOptions {
  readonly namespace: string;
  readonly name: string;
  /**
   * The kind, where the namespace has Rollouts of both controllers with this name: `Rollout.argoproj.io`.
   * @default - whichever is there
   */
  readonly groupKind?: string;
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

/**
 * One release, followed.
 * @example
 * const follower = new Follower({ namespace: 'shop', name: 'web' });
 * follower.look({ cluster, at: new Date() }).next.text
 */
export class Follower {
  private readonly teller = new StoryTeller();
  private readonly settling = new Settling();
  private readonly asking: Asking;
  private seen: Seen | undefined;
  /** The moment of the road that was reached, while the status says the same. */
  private reached: { readonly key: string; readonly at: number } | undefined;
  private last: { readonly rollout: ObjectRef; readonly controller: string; readonly steps: number } | undefined;

  constructor(private readonly options: FollowOptions) {
    const { namespace: _namespace, name: _name, groupKind: _kind, ...stated } = options;
    this.asking = new Asking(stated);
  }

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
    const { namespace } = this.options;
    const answers = this.asking.about(manifest, system, cluster);
    const { state, progress, items, release, traffic, rehearsal } = answers;
    const turn = this.teller.look(state, JSON.stringify(manifest.get('spec.strategy') ?? null));
    const pods = podsBehind(cluster, release?.traffic, state);
    const isThere = (ref: ObjectRef) => cluster.world.get({ ...ref, namespace }) !== undefined;
    const { road, ends } = this.roadOf(answers, turn, { traffic, pods, isThere });
    const differences = this.settling.of(differencesOf(items, progress), at, state.isBehind);
    const unknown = unknownOf(items);
    const { loadBalancers = [], requests = [] } = traffic ?? {};
    this.last = { rollout: manifest.ref, controller: system.controller, steps: state.steps };
    return {
      at: at.toISOString(),
      rollout: { ...manifest.ref, namespace },
      controller: system.controller,
      state: this.stateOf(state, progress, turn),
      loadBalancers,
      // While the controller is at work, requests are not yet where they should be.
      requests: differences.some(({ id }) => id.endsWith('requests')) ? requests : requests.map(asGood),
      pods,
      road: road === undefined || rehearsal === undefined ? [] : placesOf(road, rehearsal),
      next: nextOf({ state, progress, road, rehearsal }),
      differences,
      story: {
        name: turn?.name ?? 'straight',
        ...(turn === undefined ? {} : { why: turn.why }),
        ...(ends === undefined ? {} : { ends }),
      },
      changes: this.changesOf(seenOf(cluster.world, namespace, release)),
      ...(unknown.length === 0 ? {} : { unknown }),
      ...(lost === undefined ? {} : { lost }),
    };
  }

  /** The moments of the current story; those of the straight story until the release takes another turn. */
  private roadOf({ rehearsal, state }: Answers, turn: ToldTurn | undefined, sight: Sight) {
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

  private changesOf(now: Seen) {
    const changes = this.seen === undefined ? [] : changesBetween(this.seen, now);
    this.seen = now;
    return changes;
  }

  /** There is no such Rollout, or no longer. */
  private gone({ at, lost, cluster }: Look): WatchedMoment {
    const { namespace, name } = this.options;
    const { last } = this;
    const text = last === undefined ? 'there is no such Rollout' : 'the Rollout was deleted';
    const changes = last === undefined ? [] : this.changesOf(seenOf(cluster.world, namespace));
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
