import type { World } from '../../core';
import { BuiltParts, type GroupSettings } from './built-parts';
import type { AlbOptions, Member } from './class';
import { BuildFailure } from './failure';
import { type LoadedGroup, loadGroups } from './group';
import { type ListenPort, listenPortsOf, sslRedirectPortOf } from './listeners';
import { loadBalancerSettings } from './load-balancer';
import type { AlbGroup, AlbListener, AlbModel } from './model';
import { buildListener } from './rules';
import { TargetGroups } from './target-group';
import { AwsLoadBalancerControllerVersion } from './version';

/**
 * Builds what the controller makes of the Ingresses of a World. It omits what needs AWS (discovered certificates,
 * subnets, web ACLs) and what precedes the action of a rule: authentication and JWT validation.
 */
export function buildModel(world: World, options: AlbOptions = {}, built = new BuiltParts()): AlbModel {
  const { groups, ungrouped } = loadGroups(world, options, built);
  return { groups: groups.map((group) => buildGroup(world, group, options, built)), ungrouped };
}

/** A failure anywhere leaves the whole group unchanged. */
function buildGroup(
  world: World,
  { name, members, failure }: LoadedGroup,
  options: AlbOptions,
  built: BuiltParts,
): AlbGroup {
  const group = { name, members: members.map(({ ingress }) => ingress), isOrdered: failure === undefined };
  if (failure !== undefined) return { ...group, failure, listeners: [] };
  try {
    return { ...group, failure: undefined, listeners: buildListeners(world, members, options, built) };
  } catch (error) {
    if (!(error instanceof BuildFailure)) throw error;
    return { ...group, failure: error, listeners: [] };
  }
}

function buildListeners(
  world: World,
  members: readonly Member[],
  options: AlbOptions,
  built: BuiltParts,
): readonly AlbListener[] {
  const { ports, loadBalancer, sslRedirectPort } = built.groupSettings(members, () => settingsOf(members));
  const context = {
    targetGroups: new TargetGroups(world, loadBalancer),
    facts: options.facts ?? AwsLoadBalancerControllerVersion.LATEST.facts,
    built,
  };
  return ports.map(({ port, protocol, users }) => {
    const listenPort: ListenPort = { port, protocol, members: users.map((index) => members[index]!) };
    return buildListener(listenPort, context, sslRedirectPort);
  });
}

/** Follows the controller's order, which decides which of several mistakes is reported. */
export function settingsOf(members: readonly Member[]): GroupSettings {
  const listenPorts = listenPortsOf(members);
  const loadBalancer = loadBalancerSettings(members);
  const sslRedirectPort = sslRedirectPortOf(members, listenPorts);
  const ports = listenPorts.map(({ port, protocol, members: using }) => ({
    port,
    protocol,
    users: using.map((member) => members.indexOf(member)),
  }));
  return { ports, loadBalancer, sslRedirectPort };
}
