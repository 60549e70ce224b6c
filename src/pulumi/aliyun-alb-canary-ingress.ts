import type * as pulumi from '@pulumi/pulumi';
import { type DurationLike, secondsOf } from '../core/duration';
import {
  type AliyunAlbCanaryIngressOptions,
  aliyunAlbCanaryIngress,
  aliyunAlbTrafficRouting,
  aliyunOrderAnnotations,
  checkedAliyunOrder,
} from '../kruise/alb/aliyun-canary-ingress';
import { type AliyunOrder, type AliyunOrders, allocateAliyunOrders } from '../kruise/alb/aliyun-order';
import { aliyunOrderFindings } from '../kruise/alb/aliyun-order-findings';
import type { ObjectMeta } from '../kruise/api';
import type { ServiceArgs } from './alb-canary-ingress';
import type { KruiseCheckArgs } from './checks';
import { KubernetesComponent, nameOfResource } from './component';
import { Drawing } from './drawing';
import type { Inputs, MetadataArgs } from './inputs';
import { References } from './references';
import type { TrafficRoutingArgs } from './traffic-routing';
import { stackKey } from './watch';

/** Arguments of an `AliyunAlbCanaryIngress`. */
export interface AliyunAlbCanaryIngressArgs
  extends Inputs<Omit<AliyunAlbCanaryIngressOptions, 'service'>>,
    KruiseCheckArgs {
  /** The Service whose releases get a canary: the stable one. */
  readonly service: ServiceArgs;

  /**
   * Name, namespace, labels and further annotations of the Ingress.
   * @default - the name of the component, in the namespace of the provider
   */
  readonly metadata?: MetadataArgs;

  /**
   * The orders of this Ingress and of its canary Ingress, which no other Ingress of the ALB may have.
   * @default - orders that follow from namespace and name, or from the name of the component where these are Outputs
   */
  readonly order?: AliyunOrder;

  /**
   * The AlbConfig, and so the ALB, of the class. Orders are given for each ALB by itself.
   * @default - the class has an ALB of its own
   */
  readonly albConfig?: string;

  /**
   * Orders of Ingresses of the same ALB that are not made by such components.
   * @default - none
   */
  readonly reservedOrders?: readonly number[];
}

interface Options {
  readonly ingress: AliyunAlbCanaryIngressOptions;
  readonly metadata: Partial<ObjectMeta>;
}

/** The orders that the components of a stack have, by ALB. */
const taken = new WeakMap<object, Map<string, number[]>>();

/**
 * An Ingress on an ALB of Alibaba Cloud whose Service Kruise Rollouts can release by canary, also while others are
 * released. Use it with the script `aliyun-alb` of this library.
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

  /** The name as it was given: a plain string where it was one. */
  readonly objectName: pulumi.Input<string>;

  /** The orders that it has; undefined when the ALB has none left. */
  readonly order: AliyunOrder | undefined;

  constructor(
    name: string,
    private readonly args: AliyunAlbCanaryIngressArgs,
    options?: pulumi.ComponentResourceOptions,
  ) {
    const references = new References();
    const { service, metadata, rules, ingressClassName, order: given, albConfig, reservedOrders = [] } = args;
    const alb = albConfig ?? (typeof ingressClassName === 'string' ? ingressClassName : 'alb');
    const key = keyOf(name, metadata);
    const orders = ordersFor(key, alb, given, reservedOrders);
    const order = orders.orders.get(key);
    const drawing = new Drawing<Options>({
      type: 'AliyunAlbCanaryIngress',
      name,
      options: {
        ingress: {
          service: { name: references.nameAlone(service.name), port: service.port },
          ...(rules && { rules }),
          ...(ingressClassName === undefined ? {} : { ingressClassName }),
        },
        metadata: { name, ...metadata },
      },
      draw: (plain) => {
        if (given !== undefined) checkedAliyunOrder(given);
        const manifest = aliyunAlbCanaryIngress(plain.ingress, plain.metadata);
        const annotations = { ...plain.metadata.annotations, ...(order && aliyunOrderAnnotations(order)) };
        return [{ ...manifest, metadata: { ...plain.metadata, annotations } }];
      },
      findings: (world) =>
        world.list('Ingress.networking.k8s.io').flatMap((ingress) => {
          const known = renamed(orders, key, `${world.namespaceOf(ingress)}/${ingress.name}`);
          return aliyunOrderFindings(world, ingress, known, alb, args.suppressions);
        }),
    });
    super({ drawing, facts: args, references }, options);
    if (order !== undefined) take(alb, order);
    this.order = order;
    this.name = nameOfResource(this.resources[0]!);
    this.objectName = metadata?.name ?? name;
    this.registerOutputs({ name: this.name });
  }

  /**
   * The side of the Rollout that fits this Ingress, for the argument `trafficRouting` of a `KruiseRollout`.
   * @param gracePeriodSeconds how long the load balancer is given to follow a change; 30 seconds unless given
   */
  trafficRouting(gracePeriodSeconds?: number | DurationLike): TrafficRoutingArgs {
    const { service } = this.args;
    const seconds = gracePeriodSeconds === undefined ? undefined : secondsOf(gracePeriodSeconds);
    const { ingress, gracePeriodSeconds: grace } = aliyunAlbTrafficRouting(
      { name: '', port: service.port },
      '',
      seconds,
    );
    return {
      service: service.name,
      ingress: this,
      ...(ingress?.classType && { classType: ingress.classType }),
      ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
    };
  }
}

/** Orders follow from namespace and name; where these are Outputs, from the name of the component. */
function keyOf(component: string, metadata: MetadataArgs = {}): string {
  const { name = component, namespace = 'default' } = metadata;
  return typeof name === 'string' && typeof namespace === 'string' ? `${namespace}/${name}` : `component/${component}`;
}

/** A pair of orders that no other component of the stack has. */
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

/** The same for the name that the Ingress really has. */
function renamed({ orders, moved, unplaced }: AliyunOrders, from: string, to: string): AliyunOrders {
  const order = orders.get(from);
  return {
    orders: new Map(order === undefined ? [] : [[to, order]]),
    moved: new Set(moved.has(from) ? [to] : []),
    unplaced: unplaced.includes(from) ? [to] : [],
  };
}
