/** The routes that a release has met so far, each with what its router has read to make them. */
import type { World } from '../core';
import { Reads } from '../core/world-reads';
import { type Router, type RouteTable, sameForRouters } from '../routers';

interface Made {
  readonly reads: Reads;
  readonly table: RouteTable;
}

/** A moment changes one or two objects: a router makes its routes anew only if it has read one of them. */
export class KnownRoutes {
  private readonly made = new Map<Router, Made[]>();
  /** Tables of earlier Worlds, with the number of their reads that are known to be the same in the latest one. */
  private reused = new Map<Made, number>();

  /** The routes of a World. */
  of(router: Router, world: World): RouteTable {
    const all = this.made.get(router) ?? [];
    const known = all.find(({ reads }) => reads.areSameIn(world));
    if (known !== undefined) {
      this.reused.set(known, known.reads.count);
      return known.table;
    }
    const reads = new Reads(sameForRouters);
    const table = router.routes(world.recordedBy(reads));
    this.made.set(router, [{ reads, table }, ...all]);
    return table;
  }

  /**
   * Whether the routes of a World are right also for the requests that were sent since: the answer to a new request may need what
   * nobody has read before. If not, everything is forgotten.
   */
  hold(world: World): boolean {
    const areRight = [...this.reused].every(([{ reads }, count]) => reads.count === count || reads.areSameIn(world));
    this.reused.clear();
    if (!areRight) this.made.clear();
    return areRight;
  }
}
