import type { Manifest, World } from '../../core';
import type { RouteTable } from '../router';
import { sameForTargets } from '../services';

/** A table and its World. */
interface Made {
  readonly world: World;
  readonly table: RouteTable;
}

/** Kinds that the controller reads, in addition to Services. */
const READ = new Set([
  'Ingress.networking.k8s.io',
  'IngressClass.networking.k8s.io',
  'IngressClassParams.elbv2.k8s.aws',
  'Namespace',
]);

/** How many of the latest tables of an origin are kept, in addition to the first. */
const LATEST = 3;

/**
 * The first and the latest tables of each origin of Worlds. Many moments of a release have the same table, and all
 * releases on one load balancer start from the same one.
 */
export class LatestRouteTables {
  private readonly made = new WeakMap<object, Made[]>();

  of(world: World, make: () => RouteTable): RouteTable {
    const all = this.made.get(world.base) ?? [];
    const known = all.find((each) => world.isLike(each.world, isSame));
    if (known !== undefined) return known.table;
    const table = make();
    const [first, ...later] = [...all, { world, table }];
    this.made.set(world.base, [first!, ...later.slice(-LATEST)]);
    return table;
  }
}

function isSame(a: Manifest | undefined, b: Manifest | undefined): boolean {
  const { groupKind } = (a ?? b)!;
  if (groupKind === 'Service') return sameForTargets(a, b);
  return !READ.has(groupKind);
}
