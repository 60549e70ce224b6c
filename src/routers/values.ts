/** Reads plain data of any shape: what has the wrong type counts as absent, as after the API server's checks. */
import { isJsonObject, type Json, type JsonObject, type Manifest, ownValue, type Path, type World } from '../core';

/** The value as a text; undefined where it is something else. */
export function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A text that is not empty. */
export function nameOf(value: Json | undefined): string | undefined {
  return textOf(value) || undefined;
}

/** The value as a list; an empty one where it is something else. */
export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** The texts of a list. */
export function textsOf(value: Json | undefined): readonly string[] {
  return listOf(value).filter((item) => typeof item === 'string');
}

/** The value as an object; undefined where it is something else. */
export function objectOf(value: Json | undefined): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

/** The value as a finite number; undefined where it is something else. */
export function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The name or number of a port; undefined where it is neither. */
export function portOf(value: Json | undefined): number | string | undefined {
  return numberOf(value) ?? nameOf(value);
}

/** The entries of an object whose values are texts. */
export function entriesOf(value: Json | undefined): readonly (readonly [key: string, value: string])[] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
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
