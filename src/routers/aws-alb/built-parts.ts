/**
 * Parts of load balancers that were built before. A rehearsal builds the same group many times while one Ingress in it
 * changes, and reuses the parts that do not depend on the change. Failures are not kept, because the order of the build
 * decides which of several mistakes the controller reports.
 */
import type { Manifest, World } from '../../core';
import { remembered, sameItems } from '../../core/remembered';
import { ALB_PREFIX } from '../ingress/alb-annotations';
import type { Ingress } from '../ingress/ingress';
import { sameForTargets } from '../services';
import type { Member } from './class';
import type { LoadBalancerSettings } from './load-balancer';
import type { Protocol } from './model';
import type { UnorderedRule } from './rules';

/** An Ingress and its group; undefined if it is in no group. */
export interface Membership {
  readonly ingress: Ingress;
  readonly member: Member | undefined;
  readonly group: string | undefined;
}

/** The merged settings of a group. */
export interface GroupSettings {
  /** Members by their index in the group. */
  readonly ports: readonly { readonly port: number; readonly protocol: Protocol; readonly users: readonly number[] }[];
  readonly loadBalancer: LoadBalancerSettings;
  readonly sslRedirectPort: number | undefined;
}

/** The rules of one member, and the Services that were looked up for them. */
export interface MemberRules {
  readonly rules: readonly UnorderedRule[];
  readonly services: ReadonlyMap<string, Manifest | undefined>;
  readonly ipAddressType: string;
}

/** The objects that determine the classes of Ingresses. */
interface Classes {
  readonly lists: readonly (readonly Manifest[])[];
  readonly defaultNamespace: string;
}

/** The parts for one router with its options. */
export class BuiltParts {
  private classes: Classes | undefined;
  private memberships = new WeakMap<Manifest, Membership>();
  private readonly idsByText = new Map<string, number>();
  private readonly settings = new Map<string, GroupSettings>();
  private readonly rules = new WeakMap<Member, MemberRules>();
  private ids = 0;

  /** Drops all memberships if the World has other classes than the previous one. */
  enter(world: World): void {
    const lists = CLASS_KINDS.map((kind) => world.list(kind));
    const { classes } = this;
    const isSame =
      classes !== undefined &&
      classes.defaultNamespace === world.defaultNamespace &&
      classes.lists.every((list, index) => sameItems(list, lists[index]!));
    if (isSame) return;
    this.classes = { lists, defaultNamespace: world.defaultNamespace };
    this.memberships = new WeakMap();
  }

  membership(manifest: Manifest, read: () => Membership): Membership {
    const known = this.memberships.get(manifest) ?? read();
    this.memberships.set(manifest, known);
    return known;
  }

  /** The settings of a group, reused from a group whose members have the same settings. */
  groupSettings(members: readonly Member[], read: () => GroupSettings): GroupSettings {
    const key = members.map((member) => this.settingsId(member)).join();
    const known = this.settings.get(key);
    if (known !== undefined) return known;
    const made = read();
    // A bound, because each new member of a group makes another entry.
    if (this.settings.size >= MAX_SETTINGS) this.settings.clear();
    this.settings.set(key, made);
    return made;
  }

  rulesOf(member: Member, ipAddressType: string, world: World, read: () => MemberRules): MemberRules {
    const known = this.rules.get(member);
    if (known?.ipAddressType === ipAddressType && hasSameServices(known, world, member.ingress)) return known;
    const made = read();
    this.rules.set(member, made);
    return made;
  }

  /** An id that is equal for members with the same settings of the load balancer. */
  private readonly settingsId = remembered(({ ingress, params }: Member): string => {
    const said = Object.entries(ingress.annotations).filter(([key]) => isSetting(key));
    const text = JSON.stringify(said);
    const id = this.idsByText.get(text) ?? ++this.ids;
    this.idsByText.set(text, id);
    return params === undefined ? `${id}` : `${id}/${this.paramsId(params)}`;
  });

  private readonly paramsId = remembered((_params: object): number => ++this.ids);
}

function hasSameServices({ services }: MemberRules, world: World, { namespace }: Ingress): boolean {
  for (const [name, service] of services) {
    if (!sameForTargets(world.find('Service', name, namespace), service)) return false;
  }
  return true;
}

const CLASS_KINDS = ['IngressClass.networking.k8s.io', 'IngressClassParams.elbv2.k8s.aws', 'Namespace'];
const MAX_SETTINGS = 1000;
const NO_SETTING = ['actions.', 'conditions.', 'transforms.', 'group.order'].map((suffix) => `${ALB_PREFIX}/${suffix}`);

/** Annotations for rules and for the order of Ingresses do not affect the load balancer itself. */
function isSetting(key: string): boolean {
  return key.startsWith(ALB_PREFIX) && !NO_SETTING.some((prefix) => key.startsWith(prefix));
}
