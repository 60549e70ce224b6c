import { groupedBy } from '../core/grouped';

/** Things that are put together two and two, until no group has anything to do with another. */
export class Groups<T> {
  private readonly parents = new Map<T, T>();

  has(item: T): boolean {
    return this.parents.has(item);
  }

  /** Puts all of them into one group, with everything that they are in a group with already. */
  join(items: readonly T[]): void {
    for (const item of items) {
      const [first, other] = [this.leaderOf(items[0]!), this.leaderOf(item)];
      if (first !== other) this.parents.set(other, first);
    }
  }

  /** The groups, each with its items in the order in which they came. */
  all(): T[][] {
    return [...groupedBy(this.parents.keys(), (item) => this.leaderOf(item)).values()];
  }

  private leaderOf(item: T): T {
    if (!this.parents.has(item)) this.parents.set(item, item);
    let leader = item;
    for (let parent = this.parents.get(leader)!; parent !== leader; parent = this.parents.get(leader)!) {
      // Each look-up halves the way of the next one.
      this.parents.set(leader, this.parents.get(parent)!);
      leader = parent;
    }
    return leader;
  }
}
