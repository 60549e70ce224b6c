/** What has changed in the objects of a release, without what servers keep for themselves. */
import { isJsonObject, type JsonObject, type Manifest, sameJson, type World } from '../core';
import type { RehearsedChange } from '../core/rehearsal-result';
import type { Release } from '../release';

/** What an API server keeps about an object. */
const OF_SERVER = new Set(['managedFields', 'resourceVersion', 'generation', 'uid', 'creationTimestamp', 'selfLink']);

/** The object without its status and without what a server writes into its metadata. */
export function withoutServerFields({ object }: Manifest): JsonObject {
  const { status: _status, metadata, ...rest } = object;
  if (!isJsonObject(metadata)) return { ...rest };
  const kept = Object.entries(metadata).filter(([name]) => !OF_SERVER.has(name));
  return { ...rest, metadata: Object.fromEntries(kept) };
}

/** A text that is equal for Worlds in which the same is declared. */
export function declaredText(world: World): string {
  return JSON.stringify(world.manifests.map(withoutServerFields));
}

/** The objects of a release at one moment, by their names. */
export type Seen = ReadonlyMap<string, Manifest>;

/**
 * Reads the objects that are shown: those of a release, without pods, which are counted.
 * @param release the release; all of the namespace without one
 */
export function seenOf(world: World, namespace: string, release?: Release): Seen {
  const names = release === undefined ? undefined : [release.manifest.name, ...(release.traffic?.names ?? [])];
  const own = world
    .inNamespace(namespace)
    .filter((one) => !NOT_SHOWN.has(one.kind) && (names === undefined || isOwn(one, names)));
  return new Map(own.map((one) => [`${one.groupKind}/${one.name}`, one]));
}

/** Whether an object has a name of a release, or names it. */
function isOwn({ name, object }: Manifest, names: readonly string[]): boolean {
  if (names.some((one) => name.startsWith(one))) return true;
  const text = JSON.stringify(object.spec ?? null);
  return names.some((one) => text.includes(JSON.stringify(one)));
}

const NOT_SHOWN = new Set(['Pod', 'ReplicaSet', 'ControllerRevision', 'AnalysisRun', 'Namespace', 'ConfigMap']);

/** What differs between two moments. */
export function changesBetween(before: Seen, after: Seen): RehearsedChange[] {
  const changes: RehearsedChange[] = [];
  for (const [name, manifest] of after) {
    const earlier = before.get(name);
    if (earlier === manifest) continue;
    const now = withoutServerFields(manifest);
    if (earlier === undefined) changes.push({ object: manifest.ref, action: 'created', after: now });
    else {
      const was = withoutServerFields(earlier);
      if (!sameJson(was, now)) changes.push({ object: manifest.ref, action: 'changed', before: was, after: now });
    }
  }
  for (const [name, manifest] of before) {
    if (!after.has(name)) {
      changes.push({ object: manifest.ref, action: 'deleted', before: withoutServerFields(manifest) });
    }
  }
  return changes;
}
