import type { World } from '../../core';
import type { AlbOptions, Member } from './class';
import { BuildFailure } from './failure';
import { type LoadedGroup, loadGroups } from './group';
import { listenPortsOf, sslRedirectPortOf } from './listeners';
import { loadBalancerSettings } from './load-balancer';
import type { AlbGroup, AlbListener, AlbModel } from './model';
import { buildListener } from './rules';
import { TargetGroups } from './target-group';

/**
 * Everything that the controller makes of the Ingresses of a World. Left out is what needs AWS (certificates that are
 * discovered, subnets, web ACLs) and what comes before a rule's action: authentication and JWT validation.
 */
export function buildModel(world: World, options: AlbOptions = {}): AlbModel {
  const { groups, ungrouped } = loadGroups(world, options);
  return { groups: groups.map((group) => buildGroup(world, group, options)), ungrouped };
}

/** A failure anywhere keeps the whole group as it was, with all its members. */
function buildGroup(world: World, { name, members, failure }: LoadedGroup, options: AlbOptions): AlbGroup {
  const group = { name, members: members.map(({ ingress }) => ingress), isOrdered: failure === undefined };
  if (failure !== undefined) return { ...group, failure, listeners: [] };
  try {
    return { ...group, failure: undefined, listeners: buildListeners(world, members, options) };
  } catch (error) {
    if (!(error instanceof BuildFailure)) throw error;
    return { ...group, failure: error, listeners: [] };
  }
}

/** In the controller's order, which decides which of several mistakes is reported. */
function buildListeners(world: World, members: readonly Member[], options: AlbOptions): readonly AlbListener[] {
  const listenPorts = listenPortsOf(members);
  const context = {
    targetGroups: new TargetGroups(world, loadBalancerSettings(members)),
    regexValues: options.regexValues ?? true,
  };
  const sslRedirectPort = sslRedirectPortOf(members, listenPorts);
  return listenPorts.map((listenPort) => buildListener(listenPort, context, sslRedirectPort));
}
