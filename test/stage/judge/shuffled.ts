import { createHash } from 'node:crypto';

/** The items in another order, which the seed alone decides, whatever the other items are. */
export function shuffled<T>(items: readonly T[], seed: string): T[] {
  const keyed = items.map((item) => ({
    item,
    key: createHash('sha1')
      .update(`${seed} ${JSON.stringify(item)}`)
      .digest('hex'),
  }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ item }) => item);
}
