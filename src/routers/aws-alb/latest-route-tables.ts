import type { Manifest, World } from '../../core';
import type { RouteTable } from '../router';
import { sameForTargets } from './built-parts';

/** A table, and the World that it was made of. */
interface Made {
  readonly world: World;
  readonly table: RouteTable;
}

/** Kinds that the controller reads, beside Services. */
const READ = new Set([
  'Ingress.networking.k8s.io',
  'IngressClass.networking.k8s.io',
  'IngressClassParams.elbv2.k8s.aws',
  'Namespace',
]);

/** Of each World that others were made from: the table of the first one asked for, and a few of the latest. */
const LATEST = 3;

/**
 * The last tables. Of the Worlds through which a release goes many have the same, and the one before it is the same for
 * all releases on one load balancer.
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
