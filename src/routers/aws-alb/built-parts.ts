/**
 * What has been built of Ingresses so far. A rehearsal asks for the same group again and again while one Ingress in it
 * changes; what does not depend on the change is then taken from here. Only what succeeded is kept: which of several
 * mistakes is reported depends on their order.
 */
import { isJsonObject, type Json, type Manifest, type World } from '../../core';
import { ALB_PREFIX } from '../ingress/alb-annotations';
import type { Member } from './class';
import type { Ingress } from './ingress';
import type { LoadBalancerSettings } from './load-balancer';
import type { Protocol } from './model';
import type { UnorderedRule } from './rules';

/** An Ingress and its group; undefined where it is in none. */
export interface Membership {
  readonly ingress: Ingress;
  readonly member: Member | undefined;
  readonly group: string | undefined;
}

/** What the members of a group have agreed on. */
export interface GroupSettings {
  /** Members by their place in the group. */
  readonly ports: readonly { readonly port: number; readonly protocol: Protocol; readonly users: readonly number[] }[];
  readonly loadBalancer: LoadBalancerSettings;
  readonly sslRedirectPort: number | undefined;
}

/** The rules of one member, and the Services that it looked for. */
export interface MemberRules {
  readonly rules: readonly UnorderedRule[];
  readonly services: ReadonlyMap<string, Manifest | undefined>;
  readonly ipAddressType: string;
}

/** What classes mean depends on these objects. */
interface Classes {
  readonly lists: readonly (readonly Manifest[])[];
  readonly defaultNamespace: string;
}

/** Kept for the options of one router. */
export class BuiltParts {
  private classes: Classes | undefined;
  private memberships = new WeakMap<Manifest, Membership>();
  private readonly orders = new WeakMap<Ingress, { readonly order: number; readonly key: Buffer }>();
  private readonly settingsIds = new WeakMap<Member, string>();
  private readonly idsByText = new Map<string, number>();
  private readonly idsOfParams = new WeakMap<object, number>();
  private readonly settings = new Map<string, GroupSettings>();
  private readonly rules = new WeakMap<Member, MemberRules>();
  private ids = 0;

  /** Forgets memberships where a World has other classes than the one before. */
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
    return remembered(this.memberships, manifest, read);
  }

  order(ingress: Ingress, read: () => number): { readonly order: number; readonly key: Buffer } {
    return remembered(this.orders, ingress, () => ({ order: read(), key: Buffer.from(ingress.key) }));
  }

  /** The settings of a group whose members say what others have said before. */
  groupSettings(members: readonly Member[], read: () => GroupSettings): GroupSettings {
    const key = members.map((member) => remembered(this.settingsIds, member, () => this.settingsId(member))).join();
    const known = this.settings.get(key);
    if (known !== undefined) return known;
    const made = read();
    // Groups that grow by one member at a time would be kept for ever.
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

  /** The same for members whose Ingresses say the same about the load balancer. */
  private settingsId({ ingress, params }: Member): string {
    const said = Object.entries(ingress.annotations).filter(([key]) => isSetting(key));
    const text = JSON.stringify(said);
    const id = this.idsByText.get(text) ?? ++this.ids;
    this.idsByText.set(text, id);
    return params === undefined ? `${id}` : `${id}/${remembered(this.idsOfParams, params, () => ++this.ids)}`;
  }
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

/** Annotations about rules, and about the order of Ingresses, say nothing about the load balancer itself. */
function isSetting(key: string): boolean {
  return key.startsWith(ALB_PREFIX) && !NO_SETTING.some((prefix) => key.startsWith(prefix));
}

/**
 * Whether target groups are the same with either of two Services: which pods it selects says nothing about them.
 */
export function sameForTargets(a: Manifest | undefined, b: Manifest | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  return a.object.metadata === b.object.metadata && sameBut('selector', a.object.spec, b.object.spec);
}

function sameBut(left: string, a: Json | undefined, b: Json | undefined): boolean {
  if (!isJsonObject(a) || !isJsonObject(b)) return a === b;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => key === left || a[key] === b[key]);
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a === b || (a.length === b.length && a.every((item, index) => item === b[index]));
}

function remembered<K extends object, V>(memory: WeakMap<K, V>, key: K, make: () => V): V {
  const known = memory.get(key);
  if (known !== undefined) return known;
  const made = make();
  memory.set(key, made);
  return made;
}
