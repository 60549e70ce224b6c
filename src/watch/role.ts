/** The least rights with which a release can be followed, as objects to apply. */
import type { JsonObject } from '../core';
import type { WatchedKindPlace } from './kinds';

const VERBS = ['list', 'watch'];

/** A Role in each namespace, and a ClusterRole for kinds without a namespace. */
export function rolesFor(places: readonly WatchedKindPlace[], name: string): JsonObject[] {
  const namespaces = [...new Set(places.flatMap(({ namespace }) => namespace ?? []))];
  const roles = namespaces.map((namespace) =>
    role('Role', { name, namespace }, rulesOf(places.filter((one) => one.namespace === namespace))),
  );
  const whole = places.filter(({ namespace }) => namespace === undefined);
  return whole.length === 0 ? roles : [...roles, role('ClusterRole', { name }, rulesOf(whole))];
}

function role(kind: string, metadata: JsonObject, rules: JsonObject[]): JsonObject {
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata, rules };
}

/** One rule for each group. A kind has its own rule if `watch` reads only one object of it. */
function rulesOf(places: readonly WatchedKindPlace[]): JsonObject[] {
  const rules = new Map<
    string,
    { apiGroups: string[]; resources: string[]; resourceNames?: string[]; verbs: string[] }
  >();
  // Who may read all objects of a kind needs no right for one of them.
  const all = new Set(places.filter(({ name }) => name === undefined).map(({ group, plural }) => `${group}/${plural}`));
  for (const { group, plural, name } of places) {
    if (name !== undefined && all.has(`${group}/${plural}`)) continue;
    const key = JSON.stringify([group, name]);
    const rule = rules.get(key) ?? {
      apiGroups: [group],
      resources: [],
      ...(name === undefined ? {} : { resourceNames: [name] }),
      verbs: VERBS,
    };
    if (!rule.resources.includes(plural)) rule.resources.push(plural);
    rules.set(key, rule);
  }
  return [...rules.values()];
}
