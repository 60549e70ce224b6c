import type * as pulumi from '@pulumi/pulumi';
import { type DurationLike, secondsOf } from '../core/duration';
import {
  ALIYUN_ALB_CANARY_INGRESS_PROPS,
  type AliyunAlbCanaryIngressOptions,
  aliyunAlbCanaryIngress,
  aliyunAlbTrafficRouting,
  aliyunOrderAnnotations,
  checkedAliyunOrder,
} from '../kruise/alb/aliyun-canary-ingress';
import {
  ALIYUN_ORDER_PROPS,
  type AliyunOrder,
  type AliyunOrderOptions,
  type AliyunOrders,
  allocateAliyunOrders,
} from '../kruise/alb/aliyun-order';
import { aliyunOrderFindings } from '../kruise/alb/aliyun-order-findings';
import { checkArgs } from './args';
import type { KruiseCheckArgs } from './checks';
import { KubernetesComponent, nameOfResource } from './component';
import { ComponentObjects } from './component-objects';
import type { Inputs, MetadataArgs, TrafficRoutingArgs } from './inputs';
import { stackKey } from './watch';

/** Arguments of an `AliyunAlbCanaryIngress`. */
export interface AliyunAlbCanaryIngressArgs
  extends Inputs<AliyunAlbCanaryIngressOptions>,
    AliyunOrderOptions,
    KruiseCheckArgs {
  /**
   * Name, namespace, labels and further annotations of the Ingress. If its name or namespace is an Output, its orders
   * follow from the name of the component.
   * @default - the name of the component, in the namespace of the provider
   */
  readonly metadata?: MetadataArgs;
}

/** The orders that the components of each stack use, by ALB. */
const taken = new WeakMap<object, Map<string, number[]>>();

/**
 * An Ingress on an ALB of Alibaba Cloud, for canary releases of its Service by Kruise Rollouts, several at the same time.
 * Use it with the script `aliyun-alb` of this library.
 *
 * @example
 * const ingress = new AliyunAlbCanaryIngress('echo', {
 *   service: { name: 'echoserver', port: 80 },
 *   rules: [{ host: 'echoserver.example.com', paths: [{ path: '/apis/echo', pathType: 'Exact' }] }],
 * });
 * new KruiseRollout('echo', { workload, strategy, trafficRouting: ingress.trafficRouting() });
 */
export class AliyunAlbCanaryIngress extends KubernetesComponent {
  /** API version of the Ingress. */
  readonly apiVersion = 'networking.k8s.io/v1';
  /** Kind of the object: Ingress. */
  readonly kind = 'Ingress';

  /** Name of the Ingress. */
  readonly name: pulumi.Output<string>;

  /** The name as given: a plain string stays one. */
  readonly objectName: pulumi.Input<string>;

  /** The orders of the Ingress and its canary; undefined if the ALB has no free orders. */
  readonly order: AliyunOrder | undefined;

  constructor(
    name: string,
    private readonly args: AliyunAlbCanaryIngressArgs,
    options?: pulumi.ComponentResourceOptions,
  ) {
    checkArgs('AliyunAlbCanaryIngress', name, args);
    const { metadata, ingressClassName, order: given, albConfig, reservedOrders = [], suppressions } = args;
    const alb = albConfig ?? (typeof ingressClassName === 'string' ? ingressClassName : 'alb');
    const key = keyOf(name, metadata);
    const orders = ordersFor(key, alb, given, reservedOrders);
    const order = orders.orders.get(key);
    const objects = new ComponentObjects<AliyunAlbCanaryIngressOptions & AliyunOrderOptions>({
      type: 'AliyunAlbCanaryIngress',
      name,
      args,
      props: { ...ALIYUN_ALB_CANARY_INGRESS_PROPS, ...ALIYUN_ORDER_PROPS },
      describe: (plain, known) => {
        if (given !== undefined) checkedAliyunOrder(given);
        const manifest = aliyunAlbCanaryIngress(plain, known);
        const annotations = { ...known.annotations, ...(order && aliyunOrderAnnotations(order)) };
        return [{ ...manifest, metadata: { ...known, annotations } }];
      },
      suppressions,
      findings: (world) =>
        world.list('Ingress.networking.k8s.io').flatMap((ingress) => {
          const known = renamed(orders, key, `${world.namespaceOf(ingress)}/${ingress.name}`);
          return aliyunOrderFindings(world, ingress, known, alb);
        }),
    });
    super({ objects, facts: args }, options);
    if (order !== undefined) take(alb, order);
    this.order = order;
    this.name = nameOfResource(this.resources[0]!);
    this.objectName = metadata?.name ?? name;
    this.registerOutputs({ name: this.name });
  }

  /**
   * The `trafficRouting` of a `KruiseRollout` for this Ingress.
   * @param gracePeriodSeconds the time that the load balancer gets to apply a change; 30 seconds by default
   */
  trafficRouting(gracePeriodSeconds?: number | DurationLike): TrafficRoutingArgs {
    const { service } = this.args;
    const seconds = gracePeriodSeconds === undefined ? undefined : secondsOf(gracePeriodSeconds);
    const { ingress, gracePeriodSeconds: grace } = aliyunAlbTrafficRouting({ name: '', port: '' }, '', seconds);
    return {
      service: service.name,
      ingress: this,
      ...(ingress?.classType && { classType: ingress.classType }),
      ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
    };
  }
}

/** Orders follow from namespace and name or, if one of these is an Output, from the name of the component. */
function keyOf(component: string, metadata: MetadataArgs = {}): string {
  const { name = component, namespace = 'default' } = metadata;
  return typeof name === 'string' && typeof namespace === 'string' ? `${namespace}/${name}` : `component/${component}`;
}

/** A pair of orders that no other component of the stack uses. */
function ordersFor(
  key: string,
  alb: string,
  order: AliyunOrder | undefined,
  reserved: readonly number[],
): AliyunOrders {
  return allocateAliyunOrders([{ key, ...(order && { order }) }], [...reserved, ...ordersOf(alb)]);
}

function ordersOf(alb: string): readonly number[] {
  return taken.get(stackKey())?.get(alb) ?? [];
}

function take(alb: string, { stable, canary }: AliyunOrder): void {
  const albs = taken.get(stackKey()) ?? new Map<string, number[]>();
  albs.set(alb, [...ordersOf(alb), stable, canary]);
  taken.set(stackKey(), albs);
}

/** The same orders by the final name of the Ingress. */
function renamed({ orders, moved, unplaced }: AliyunOrders, from: string, to: string): AliyunOrders {
  const order = orders.get(from);
  return {
    orders: new Map(order === undefined ? [] : [[to, order]]),
    moved: new Set(moved.has(from) ? [to] : []),
    unplaced: unplaced.includes(from) ? [to] : [],
  };
}
