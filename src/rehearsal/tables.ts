/** The load balancers at each moment of a release. */
import type { Manifest, World } from '../core';
import {
  candidatesOf,
  type Frozen,
  type Listener,
  type LoadBalancer,
  type RequestCandidate,
  type Router,
  type RouteTable,
} from '../routers';

/** One load balancer at one moment. */
export interface LoadBalancerState {
  readonly router: string;
  readonly name: string;
  readonly expressions: Router['expressions'];
  readonly members: readonly Manifest[];
  /** Requests that are likely to meet different rules of a member. */
  readonly candidatesOf: (member: Manifest) => readonly RequestCandidate[];
  /** A frozen load balancer keeps the listeners of the last moment before it froze. */
  readonly listeners: readonly Listener[];
  readonly frozen?: Frozen;
}

/** All load balancers at one moment, by router and name. */
export type Table = ReadonlyMap<string, LoadBalancerState>;

/** The key of a load balancer in a table. */
export function tableKey({ router, name }: { readonly router: string; readonly name: string }): string {
  return `${router}\n${name}`;
}

/** Whether a load balancer keeps what it was told before it froze. */
export function isFrozen(table: Table): boolean {
  return [...table.values()].some(({ frozen }) => frozen !== undefined);
}

/** Makes the routes of a router. */
export type MakeRoutes = (router: Router, world: World) => RouteTable;

/**
 * The load balancers of a World. Frozen ones keep their state from the table before.
 * @param routesOf by default, all are made anew
 */
export function tableOf(
  world: World,
  routers: readonly Router[],
  before?: Table,
  routesOf: MakeRoutes = (router) => router.routes(world),
): Table {
  const table = new Map<string, LoadBalancerState>();
  for (const router of routers) {
    for (const loadBalancer of routesOf(router, world).loadBalancers) {
      const state = stateOf(router, loadBalancer, before);
      table.set(tableKey(state), state);
    }
  }
  return table;
}

function stateOf(
  router: Router,
  { name, members, listeners, frozen }: LoadBalancer,
  before?: Table,
): LoadBalancerState {
  const state = {
    router: router.name,
    name,
    expressions: router.expressions,
    members,
    candidatesOf: (member: Manifest) => candidatesOf(router, member),
  };
  if (frozen === undefined) return { ...state, listeners };
  return { ...state, listeners: before?.get(tableKey(state))?.listeners ?? [], frozen };
}
