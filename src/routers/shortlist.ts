import { groupedBy } from '../core/grouped';

/**
 * Finds those of many items that may concern a key, without a walk through all: the items of the key, and those of any key.
 * They keep their order.
 * @example new Shortlist(rules, ({ host }) => host).of('shop.example.com')
 */
export class Shortlist<Item> {
  private readonly places: ReadonlyMap<string | undefined, readonly number[]>;
  private readonly known = new Map<string, readonly Item[]>();

  /** @param keyOf undefined for an item that may concern any key */
  constructor(
    private readonly items: readonly Item[],
    keyOf: (item: Item) => string | undefined,
  ) {
    this.places = groupedBy(items.keys(), (place) => keyOf(items[place]!));
  }

  of(key: string): readonly Item[] {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const places = [...(this.places.get(key) ?? []), ...(this.places.get(undefined) ?? [])];
    const found = places.sort((a, b) => a - b).map((place) => this.items[place]!);
    this.known.set(key, found);
    return found;
  }
}
