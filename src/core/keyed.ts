import { addTo } from './grouped';
import { remembered } from './remembered';

/**
 * Looks items up by a key. The items of a list are put in order once, however often the list is looked into; do not change
 * the list afterwards.
 * @example
 * const byTeam = keyedBy((manifest: Manifest) => [manifest.labels.team ?? '']);
 * byTeam(world.list('Deployment.apps'), 'shop');
 */
export function keyedBy<Item, Key = string>(
  keysOf: (item: Item) => readonly Key[],
): (items: readonly Item[], key: Key) => readonly Item[] {
  const indexOf = remembered((items: readonly Item[]) => indexedBy(items, keysOf));
  return (items, key) => indexOf(items).get(key) ?? [];
}

/** The items of each key; an item with several keys is there several times. */
export function indexedBy<Item, Key>(
  items: readonly Item[],
  keysOf: (item: Item) => readonly Key[],
): ReadonlyMap<Key, readonly Item[]> {
  const index = new Map<Key, Item[]>();
  for (const item of items) {
    for (const key of new Set(keysOf(item))) addTo(index, key, item);
  }
  return index;
}
