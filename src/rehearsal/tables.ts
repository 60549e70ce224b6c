/** The load balancers at each moment of a release. */
import type { Manifest, World } from '../core';
import {
  candidatesOf,
  type Frozen,
  type Listener,
  type LoadBalancer,
  type RequestCandidate,
  type Router,
} from '../routers';

/** One load balancer at one moment. */
export interface LoadBalancerState {
  readonly router: string;
  readonly name: string;
  readonly members: readonly Manifest[];
  /** Requests that the rules of a member are likely to tell apart. */
  readonly candidatesOf: (member: Manifest) => readonly RequestCandidate[];
  /** Those of the last moment at which it was not frozen: a frozen load balancer keeps its routes. */
  readonly listeners: readonly Listener[];
  readonly frozen?: Frozen;
}

/** All load balancers at one moment, by router and name. */
export type Table = ReadonlyMap<string, LoadBalancerState>;

/** The key of a load balancer in a table. */
export function tableKey({ router, name }: { readonly router: string; readonly name: string }): string {
  return `${router}\n${name}`;
}

/** What the load balancers do with a World, after they did what the table before says. */
export function tableOf(world: World, routers: readonly Router[], before?: Table): Table {
  const table = new Map<string, LoadBalancerState>();
  for (const router of routers) {
    for (const loadBalancer of router.routes(world).loadBalancers) {
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
    members,
    candidatesOf: (member: Manifest) => candidatesOf(router, member),
  };
  if (frozen === undefined) return { ...state, listeners };
  return { ...state, listeners: before?.get(tableKey(state))?.listeners ?? [], frozen };
}
