/** What the controller of each side leaves in the cluster at the end of each step. */
import type { ObjectRef } from '../core/finding';
import { type JsonObject, sameJson } from '../core/json';
import type { RehearsedMoment } from '../core/rehearsal-result';
import type { UpgradedValue, UpgradedWrite } from '../core/upgrade-result';
import { diff } from '../kruise/scripts/diff';
import { objectKey } from './outcome';

/** An object as a controller left it; undefined where it deleted the object. */
interface Left {
  readonly object: ObjectRef;
  readonly state: JsonObject | undefined;
}

type Cluster = ReadonlyMap<string, Left>;

/**
 * The objects that differ at the end of a step, each at the first step where it does. The order in which a controller
 * restores everything at the end is no difference of what it writes: the moments tell what users see of it.
 */
export function differentWrites(from: readonly RehearsedMoment[], to: readonly RehearsedMoment[]): UpgradedWrite[] {
  const [before, after] = [clustersOf(from), clustersOf(to)];
  const told = new Set<string>();
  return [...after].flatMap(([title, cluster]) => {
    const earlier = before.get(title);
    if (earlier === undefined) return [];
    return writesAt(title, earlier, cluster).filter(({ object }) => {
      const isNew = !told.has(objectKey(object));
      told.add(objectKey(object));
      return isNew;
    });
  });
}

/** The objects that were written, at the end of each step, by its title. */
function clustersOf(moments: readonly RehearsedMoment[]): ReadonlyMap<string, Cluster> {
  const left = new Map<string, Left>();
  const clusters = new Map<string, Cluster>();
  for (const { phase, title, changes } of moments) {
    for (const { object, after } of changes) left.set(objectKey(object), { object, state: after });
    if (phase === 'step') clusters.set(title, new Map(left));
  }
  return clusters;
}

function writesAt(title: string, from: Cluster, to: Cluster): UpgradedWrite[] {
  const keys = [...new Set([...from.keys(), ...to.keys()])].sort();
  return keys.flatMap((key): UpgradedWrite[] => {
    const [before, after] = [from.get(key)?.state, to.get(key)?.state];
    const { object } = (to.get(key) ?? from.get(key))!;
    if (sameJson(before, after)) return [];
    if (before === undefined) return [{ object, title, only: 'to', fields: [] }];
    if (after === undefined) return [{ object, title, only: 'from', fields: [] }];
    return [{ object, title, fields: valuesOf(before, after) }];
  });
}

function valuesOf(from: JsonObject, to: JsonObject): UpgradedValue[] {
  return diff(from, to).map(({ path, jsonPath, expected, actual }) => ({
    path: jsonPath === undefined ? path : `${path}: ${jsonPath}`,
    ...(expected === undefined ? {} : { from: expected }),
    ...(actual === undefined ? {} : { to: actual }),
  }));
}
