/** Reads plain data of any shape: what has the wrong type counts as absent, as after the API server's checks. */
import { type Json, type Manifest, ownValue, type Path, type World } from '../core';
import { asList as listOf, numberOf, textOf } from '../core/json';

export { asList as listOf, entriesOf, numberOf, objectOf, textOf, textsOf } from '../core/json';

/** A text that is not empty. */
export function nameOf(value: Json | undefined): string | undefined {
  return textOf(value) || undefined;
}

/** The name or number of a port; undefined where it is neither. */
export function portOf(value: Json | undefined): number | string | undefined {
  return numberOf(value) ?? nameOf(value);
}

/** A value in an object's depth. */
export function valueIn(value: unknown, ...keys: readonly (string | number)[]): Json | undefined {
  return keys.reduce<unknown>(ownValue, value) as Json | undefined;
}

/** The value with its place: for objects of lists. */
export interface Placed {
  readonly value: Json;
  readonly at: Path;
}

/** The items of a list with their places. */
export function placedItems(value: Json | undefined, at: Path): readonly Placed[] {
  return listOf(value).map((item, index) => ({ value: item, at: [...at, index] }));
}

/** `namespace/name` */
export function keyOf(world: World, manifest: Manifest): string {
  return `${world.namespaceOf(manifest)}/${manifest.name}`;
}

/**
 * Oldest first, then by namespace and name: how most controllers settle which of two objects counts. Objects that were
 * never applied have no time and are younger than those that were.
 */
export function byAge(world: World, manifests: readonly Manifest[]): readonly Manifest[] {
  return manifests
    .map((manifest) => ({ manifest, time: creationTimeOf(manifest), key: keyOf(world, manifest) }))
    .sort((a, b) => (a.time === b.time ? compareText(a.key, b.key) : a.time - b.time))
    .map(({ manifest }) => manifest);
}

function creationTimeOf(manifest: Manifest): number {
  const time = Date.parse(textOf(valueIn(manifest.object, 'metadata', 'creationTimestamp')) ?? '');
  return Number.isNaN(time) ? Number.MAX_SAFE_INTEGER : time;
}

/** By code points, whatever the locale. */
export function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
