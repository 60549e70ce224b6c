import type { Json } from '../json';
import type { Path } from '../path';

/** The position of a value of a map or list in the text. */
export interface Place {
  /** Where its key or its `-` begins. */
  readonly key: number;
  readonly value: number;
}

/** The positions of all values, by the map or list that holds them. */
export type Places = Map<object, Map<string | number, Place>>;

/** A value, and where its first key or item begins. */
export interface PlacedDocument {
  readonly value: Json;
  readonly offset: number;
}

/** The place of the value at a path. If the path leaves the data, the place of the last key that exists. */
export function placeOf(value: Json, offset: number, path: Path, places: Places): number {
  let container = value;
  let place: Place = { key: offset, value: offset };
  for (const segment of path) {
    const next = typeof container === 'object' && container !== null ? places.get(container)?.get(segment) : undefined;
    if (next === undefined) return place.key;
    place = next;
    container = (container as Record<string | number, Json>)[segment]!;
  }
  return place.value;
}
