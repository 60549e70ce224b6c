import { ownValue, type World } from '../../core';
import { compareBytes } from '../../core/bytes';
import { addTo } from '../../core/grouped';
import { keyedBy } from '../../core/keyed';
import { remembered } from '../../core/remembered';
import { type Ingress, readIngress } from '../ingress/ingress';
import { INGRESS } from '../ingress/kinds';
import { nameOfKind } from '../kinds';
import { textOf } from '../values';
import { annotationPath, int32Annotation, textAnnotation } from './annotations';
import { BuiltParts } from './built-parts';
import { type ClassOptions, classify, type Member } from './class';
import { BuildFailure } from './failure';

/** The Ingresses of one group. */
export interface LoadedGroup {
  readonly name: string;
  /** In the order of their rules, unless the group fails. */
  readonly members: readonly Member[];
  /** Why the members have no order. */
  readonly failure: BuildFailure | undefined;
}

/** All Ingresses by group. */
export interface LoadedGroups {
  readonly groups: readonly LoadedGroup[];
  readonly ungrouped: readonly Ingress[];
}

/** Finds the group of an Ingress by the Ingress's key. */
export function groupOf(groups: readonly LoadedGroup[], key: string): LoadedGroup | undefined {
  return byMember(groups, key)[0];
}

const byMember = keyedBy<LoadedGroup>(({ members }) => members.map(({ ingress }) => ingress.key));

const MIN_ORDER = -1000;
const MAX_ORDER = 1000;
const MAX_NAME_LENGTH = 63;
const NAME = /^([a-z0-9][-a-z0-9.]*)?[a-z0-9]$/;

/** Groups the Ingresses of the World. */
export function loadGroups(world: World, options: ClassOptions = {}, built = new BuiltParts()): LoadedGroups {
  const membersByGroup = new Map<string, Member[]>();
  const ungrouped: Ingress[] = [];
  built.enter(world);
  for (const manifest of world.list(nameOfKind(INGRESS))) {
    const { ingress, member, group } = built.membership(manifest, () => {
      const read = readIngress(world, manifest);
      const classified = read.deleted ? undefined : classify(world, read, options);
      return { ingress: read, member: classified, group: classified && groupNameOf(classified) };
    });
    if (member === undefined || group === undefined) ungrouped.push(ingress);
    else addTo(membersByGroup, group, member);
  }
  const names = [...membersByGroup.keys()].sort(compareBytes);
  return {
    groups: names.map((name) => ({ name, ...inOrder(membersByGroup.get(name)!) })),
    ungrouped: ungrouped.sort((a, b) => compareBytes(a.key, b.key)),
  };
}

/** An Ingress with an invalid group name is in no group. It does not get its own group. */
function groupNameOf({ ingress, params }: Member): string | undefined {
  const paramsGroup = ownValue(params, 'group') ?? undefined;
  const explicit =
    paramsGroup === undefined
      ? textAnnotation(ingress.annotations, 'group.name')
      : (textOf(ownValue(paramsGroup, 'name')) ?? '');
  if (explicit === undefined) return ingress.key;
  return NAME.test(explicit) && explicit.length <= MAX_NAME_LENGTH ? explicit : undefined;
}

/** Sorts by `group.order`, then by the text `namespace/name`, so that `a-b/c` comes before `a/z`. */
function inOrder(members: readonly Member[]): Omit<LoadedGroup, 'name'> {
  try {
    const sorted = members
      .map((member) => ({ member, order: orderOf(member.ingress), key: member.ingress.key }))
      .sort((a, b) => a.order - b.order || compareBytes(a.key, b.key));
    return { members: sorted.map(({ member }) => member), failure: undefined };
  } catch (error) {
    if (error instanceof BuildFailure) return { members, failure: error };
    throw error;
  }
}

const orderOf = remembered((ingress: Ingress): number => {
  const order = parseOrder(ingress) ?? 0;
  if (order >= MIN_ORDER && order <= MAX_ORDER) return order;
  const message = `explicit Ingress group order must be within [${MIN_ORDER}:${MAX_ORDER}], Ingress: ${ingress.key}, order: ${order}`;
  throw new BuildFailure('group-order', message, ingress, annotationPath('group.order'));
});

function parseOrder(ingress: Ingress): number | undefined {
  try {
    return int32Annotation(ingress.annotations, 'group.order', 'group-order');
  } catch (error) {
    if (!(error instanceof BuildFailure)) throw error;
    const message = `failed to load Ingress group order for ingress: ${ingress.key}: ${error.message}`;
    throw new BuildFailure('group-order', message, ingress, error.path);
  }
}
