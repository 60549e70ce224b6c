/** Findings on the order that the library assigned to an Ingress. Its manifest alone does not show them. */
import type { Finding } from '../../core/finding';
import type { Manifest } from '../../core/manifest';
import { applySuppressions, type Suppression } from '../../core/suppression';
import type { World } from '../../core/world';
import { kruiseCatalogue } from '../catalogue';
import type { AliyunOrders } from './aliyun-order';
import { aliyunOrderRules } from './aliyun-orders';

/** The findings on the order of one Ingress, without suppressed ones. */
export function aliyunOrderFindings(
  world: World,
  ingress: Manifest,
  orders: AliyunOrders,
  alb: string,
  suppressions: readonly Suppression[] = [],
): readonly Finding[] {
  const rules = Object.values(aliyunOrderRules);
  const found = findingsOf(ingress, `${world.namespaceOf(ingress)}/${ingress.name}`, orders, alb);
  const own = suppressions.filter(({ rule }) => rules.some(({ id }) => id === rule));
  const { findings } = applySuppressions(found, {
    world,
    catalogue: kruiseCatalogue(),
    checked: rules,
    suppressions: own,
  });
  // Other checks report what is wrong with other suppressions.
  return findings.filter((finding) => found.includes(finding));
}

function findingsOf(ingress: Manifest, key: string, { orders, moved, unplaced }: AliyunOrders, alb: string): Finding[] {
  if (unplaced.includes(key)) {
    return [
      ingress.finding(aliyunOrderRules['kruise-aliyun-order-exhausted'], {
        message: `the ALB "${alb}" has no pair of orders left for this Ingress; ${orders.size} Ingresses have one`,
        path: 'metadata.annotations',
      }),
    ];
  }
  const order = orders.get(key);
  if (!moved.has(key) || order === undefined) return [];
  const { stable, canary } = order;
  return [
    ingress.finding(aliyunOrderRules['kruise-aliyun-order-moves'], {
      message: `another Ingress of the ALB "${alb}" has the order derived from ${key}, which gets ${stable} and ${canary} instead`,
      path: 'metadata.annotations',
      fix: `pin the orders: order: { stable: ${stable}, canary: ${canary} }`,
    }),
  ];
}
