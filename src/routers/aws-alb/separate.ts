/** Groups in which no Ingress takes, changes or hides anything of another. */
import type { Manifest, World } from '../../core';
import type { AlbOptions, Member } from './class';
import { BuildFailure } from './failure';
import { compareBytes, parseInt32 } from './go-values';
import { loadGroups } from './group';
import { AlbMemory } from './memory';
import type { AlbListener, Condition } from './model';
import { buildModel, settingsOf } from './model-builder';

/** An Ingress that has its hosts for itself. */
export interface SeparateMember {
  readonly manifest: Manifest;
  /** The hosts without which it takes no request. */
  readonly hosts: ReadonlySet<string>;
  /** Its place among the members: by order, then by key. */
  readonly order: number;
  readonly key: string;
  /** How many rules it has on each port. */
  readonly rules: ReadonlyMap<number, number>;
}

const HOST = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;

/**
 * The members of the one group of a World, in their order, where every rule is for exact hosts, none redirects, and none
 * would be different for what another member sets. Undefined where it is not so simple. Two of them may have the same
 * hosts.
 */
export function separateMembers(world: World, options: AlbOptions = {}): readonly SeparateMember[] | undefined {
  const memory = new AlbMemory();
  const { groups, ungrouped } = buildModel(world, options, memory);
  const [group] = groups;
  if (group === undefined || groups.length > 1 || ungrouped.length > 0 || group.failure !== undefined) return undefined;
  const { members } = loadGroups(world, options, memory).groups[0]!;
  if (members.some(({ params }) => params !== undefined) || !haveSettingsOfTheirOwn(members, memory)) return undefined;
  const separate: SeparateMember[] = [];
  for (const { ingress } of members) {
    const hosts = new Set(ingress.rules.map(({ host }) => host));
    const isSimple = hosts.size > 0 && [...hosts].every((host) => HOST.test(host));
    if (!isSimple || ingress.defaultBackend !== undefined) return undefined;
    const rules = new Map<number, number>();
    for (const listener of group.listeners) {
      const own = listener.rules.filter((rule) => rule.ingress === ingress);
      const isOwn = own.every(({ conditions, actions }) => {
        const host = exactHost(conditions);
        return host !== undefined && hosts.has(host) && actions.every(({ type }) => type !== 'redirect');
      });
      if (!isOwn) return undefined;
      rules.set(listener.port, own.length);
    }
    const order = parseInt32(ingress.annotations['alb.ingress.kubernetes.io/group.order'] ?? '0') ?? 0;
    separate.push({ manifest: ingress.manifest, hosts, order, key: ingress.key, rules });
  }
  return separate;
}

/** How many rules of a port come before those of an Ingress with this order and key; its own do not count. */
export function rulesBefore(
  members: readonly SeparateMember[],
  port: AlbListener['port'],
  { order, key, own }: { readonly order: number; readonly key: string; readonly own: Manifest },
): number {
  let count = 0;
  for (const member of members) {
    if (member.manifest === own) continue;
    const isBefore = member.order === order ? compareBytes(member.key, key) < 0 : member.order < order;
    if (isBefore) count += member.rules.get(port) ?? 0;
  }
  return count;
}

function exactHost(conditions: readonly Condition[]): string | undefined {
  const ofHosts = conditions.filter(({ field }) => field === 'host-header');
  const [condition] = ofHosts;
  if (condition?.field !== 'host-header' || ofHosts.length > 1) return undefined;
  const { values = [], regexValues } = condition;
  return values.length === 1 && regexValues === undefined ? values[0] : undefined;
}

/** Whether each member alone would have the load balancer that it has with the others. */
function haveSettingsOfTheirOwn(members: readonly Member[], memory: AlbMemory): boolean {
  const settings = (some: readonly Member[]) => memory.groupSettings(some, () => settingsOf(some));
  const common = settings(members);
  try {
    return members.every((member) => {
      const own = settings([member]);
      return (
        own.sslRedirectPort === common.sslRedirectPort &&
        own.loadBalancer.ipAddressType === common.loadBalancer.ipAddressType
      );
    });
  } catch (error) {
    if (!(error instanceof BuildFailure)) throw error;
    return false;
  }
}
