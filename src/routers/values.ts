/** Reads plain data of any shape. A value of the wrong type counts as absent, as after the API server's checks. */
import type { Json, Manifest, Path, World } from '../core';
import { asList as listOf, numberOf, ownValue, textOf } from '../core/json';
import { remembered } from '../core/remembered';

export { asList as listOf, entriesOf, numberOf, objectOf, textOf, textsOf } from '../core/json';

/** A text that is not empty. */
export function nameOf(value: Json | undefined): string | undefined {
  return textOf(value) || undefined;
}

/** The name or number of a port; undefined for other values. */
export function portOf(value: Json | undefined): number | string | undefined {
  return numberOf(value) ?? nameOf(value);
}

/** A nested value. */
export function valueIn(value: unknown, ...keys: readonly (string | number)[]): Json | undefined {
  return keys.reduce<unknown>(ownValue, value) as Json | undefined;
}

/** A value and its path in the manifest. */
export interface Placed {
  readonly value: Json;
  readonly at: Path;
}

/** The items of a list with their paths. */
export function placedItems(value: Json | undefined, at: Path): readonly Placed[] {
  return listOf(value).map((item, index) => ({ value: item, at: [...at, index] }));
}

/** `namespace/name` */
export function keyOf(world: World, manifest: Manifest): string {
  return `${world.namespaceOf(manifest)}/${manifest.name}`;
}

/**
 * Oldest first, then by namespace and name: the order in which most controllers resolve conflicts. Objects without a
 * creation time come last.
 */
export function byAge(world: World, manifests: readonly Manifest[]): readonly Manifest[] {
  if (manifests.length < 2) return manifests;
  return manifests
    .map((manifest) => ({ manifest, time: creationTimeOf(manifest), key: keyOf(world, manifest) }))
    .sort((a, b) => (a.time === b.time ? compareText(a.key, b.key) : a.time - b.time))
    .map(({ manifest }) => manifest);
}

const creationTimeOf = remembered(({ object }: Manifest): number => {
  const time = Date.parse(textOf(valueIn(object, 'metadata', 'creationTimestamp')) ?? '');
  return Number.isNaN(time) ? Number.MAX_SAFE_INTEGER : time;
});

/** Compares by code points, regardless of the locale. */
export function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
