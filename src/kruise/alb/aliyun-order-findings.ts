/** Findings on the order that the library assigned to an Ingress. Its manifest alone does not show them. */
import type { Finding } from '../../core/finding';
import type { Manifest } from '../../core/manifest';
import type { World } from '../../core/world';
import type { AliyunOrders } from './aliyun-order';
import { aliyunOrderRules } from './aliyun-orders';

/** The findings on the order of one Ingress. */
export function aliyunOrderFindings(
  world: World,
  ingress: Manifest,
  { orders, moved, unplaced }: AliyunOrders,
  alb: string,
): Finding[] {
  const key = `${world.namespaceOf(ingress)}/${ingress.name}`;
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
