/** Where the requests of a release go, for releases about whose routes `doctor` has no question. */
import type { World } from '../core';
import type { CheckupItem } from '../core/checkup';
import type { LiveCluster } from '../doctor';
import { livePods, requestsNow, withoutPods } from '../doctor/requests';
import { routersFor } from '../rehearsal/routers';
import { Scopes } from '../rehearsal/scope';
import type { Moment, Release } from '../release';
import type { Router } from '../routers';
import type { LiveState } from './live-state';

/** What is looked at. */
export interface RequestsOf {
  readonly cluster: LiveCluster;
  readonly declared: World;
  readonly release: Release;
  readonly state: LiveState;
  readonly routers: readonly Router[];
}

/** Sends the derived requests to the live objects; undefined if nothing of the release answers requests. */
export function requestsOf({ cluster, declared, release, state, routers }: RequestsOf): CheckupItem | undefined {
  const { traffic, manifest, needs } = release;
  if (traffic === undefined || cluster.unread('Service', traffic.namespace) !== undefined) return undefined;
  const play = release.play(new Scopes(declared, routers).of(traffic, needs, release.matches));
  const [first] = play.moments;
  const end = play.moments.filter(({ phase }) => phase === 'finish').at(-1);
  const world = withoutPods(new Scopes(cluster.world, routers).of(traffic, [manifest], release.matches));
  const revisionOf = (hash: string) =>
    !state.isIdle && hash === state.canaryHash && hash !== state.stableHash ? 'canary' : 'stable';
  const pods = livePods(cluster, traffic.namespace, state.selector, play.revisionLabel, revisionOf);
  const step = play.moments.filter((one) => one.phase === 'step' && one.step === state.step).at(-1);
  const declares = state.isIdle ? { share: 0, matches: [] } : state.isSettled ? step?.declared : undefined;
  const now: Moment = {
    phase: state.isIdle ? 'finish' : 'step',
    event: 'now',
    world,
    pods: pods?.groups ?? [],
    ...(state.step === undefined ? {} : { step: state.step }),
    ...(declares === undefined ? {} : { declared: declares }),
    ...(step?.routesTraffic === undefined ? {} : { routesTraffic: step.routesTraffic }),
  };
  return requestsNow('requests', {
    before: { ...first!, world: end === undefined ? first!.world : atRest(first!.world, end.world) },
    now,
    isSettled: state.isSettled,
    revisionLabel: play.revisionLabel,
    ...(play.otherServices === undefined ? {} : { otherServices: play.otherServices }),
    release,
    traffic,
    routers: routersFor(traffic, world, routers),
  });
}

/** The routes as the controller leaves them, with the Services of the beginning: live routes may be those of a step. */
function atRest(first: World, end: World): World {
  return end.with(...first.list('Service'));
}
