/**
 * Adds an item to those of a key.
 * @example addTo(byTeam, 'shop', manifest);
 */
export function addTo<Key, Item>(groups: Map<Key, Item[]>, key: Key, item: Item): void {
  const known = groups.get(key);
  if (known === undefined) groups.set(key, [item]);
  else known.push(item);
}

/**
 * The items by their key. Keys come in the order of their first items, and the items of a key in their own.
 * @example groupedBy(manifests, ({ namespace }) => namespace).get('shop')
 */
export function groupedBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) addTo(groups, keyOf(item), item);
  return groups;
}
