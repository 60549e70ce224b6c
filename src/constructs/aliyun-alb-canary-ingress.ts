import { ApiObject, type ApiObjectMetadata, Lazy } from 'cdk8s';
import type { Construct } from 'constructs';
import { type DurationLike, secondsOf } from '../core/duration';
import type { Finding } from '../core/finding';
import type { World } from '../core/world';
import {
  ALIYUN_ORDER_ANNOTATIONS,
  type AliyunAlbCanaryIngressOptions,
  aliyunAlbCanaryIngress,
  aliyunAlbTrafficRouting,
  aliyunOrderAnnotations,
  checkedAliyunOrder,
} from '../kruise/alb/aliyun-canary-ingress';
import {
  type AliyunOrder,
  type AliyunOrderOptions,
  type AliyunOrders,
  allocateAliyunOrders,
} from '../kruise/alb/aliyun-order';
import type { TrafficRoutingRef } from '../kruise/api';
import { CheckedObject } from './checked-object';
import { addChecks, type KruiseCheckProps } from './checks';
import { checkNamespace, checkProps } from './construct-errors';
import { addMainObject } from './objects';
import { OncePerSynth } from './once-per-synth';

/** Properties of an `AliyunAlbCanaryIngress`. */
export interface AliyunAlbCanaryIngressProps
  extends AliyunAlbCanaryIngressOptions,
    AliyunOrderOptions,
    KruiseCheckProps {
  /**
   * Name, namespace, labels and further annotations of the Ingress.
   * @default - a name made of the construct's path, in the namespace of the chart
   */
  readonly metadata?: ApiObjectMetadata;
}

/**
 * An Ingress on an ALB of Alibaba Cloud, for canary releases of its Service by Kruise Rollouts, several at the same time.
 *
 * The ALB accepts each order once, and the controller's built-in script gives every canary Ingress the order 1. Here each
 * Ingress has two orders of its own, and the script `aliyun-alb` of this library uses the second one for the canary: add it
 * to a `LuaRoutingConfigMap`.
 *
 * @example
 * const ingress = new AliyunAlbCanaryIngress(this, 'Ingress', {
 *   service: { name: 'echoserver', port: 80 },
 *   rules: [{ host: 'echoserver.example.com', paths: [{ path: '/apis/echo', pathType: 'Exact' }] }],
 * });
 * new KruiseRollout(this, 'Rollout', { workload, strategy, trafficRouting: ingress.trafficRouting() });
 */
export class AliyunAlbCanaryIngress extends CheckedObject {
  /** The Ingress itself. */
  readonly apiObject: ApiObject;

  constructor(
    scope: Construct,
    id: string,
    private readonly props: AliyunAlbCanaryIngressProps,
  ) {
    super(scope, id);
    checkProps(this, props);
    const { metadata = {}, order } = props;
    this.apiObject = addMainObject(this, () => {
      if (order !== undefined) checkedAliyunOrder(order);
      return aliyunAlbCanaryIngress(props, { ...metadata });
    });
    // The free orders are known only when the whole app is composed.
    for (const key of ALIYUN_ORDER_ANNOTATIONS) {
      const value = Lazy.any({ produce: () => this.order && aliyunOrderAnnotations(this.order)[key] });
      this.apiObject.metadata.addAnnotation(key, value);
    }
    checkNamespace(this, this.apiObject, props.service);
    addChecks(this, props, { further: (world) => this.orderFindings(world) });
  }

  /** The orders of the Ingress and its canary in the app as it is now; undefined if the ALB has no free orders. */
  get order(): AliyunOrder | undefined {
    return this.orders().orders.get(this.key);
  }

  /**
   * The `trafficRouting` of a `KruiseRollout` for this Ingress.
   * @param gracePeriodSeconds the time that the load balancer gets to apply a change; 30 seconds by default
   */
  trafficRouting(gracePeriodSeconds?: number | DurationLike): TrafficRoutingRef {
    const seconds = gracePeriodSeconds === undefined ? undefined : secondsOf(gracePeriodSeconds);
    return aliyunAlbTrafficRouting(this.props.service, this.name, seconds);
  }

  /** `namespace/name` */
  private get key(): string {
    return `${this.apiObject.metadata.namespace ?? 'default'}/${this.name}`;
  }

  private get alb(): string {
    return this.props.albConfig ?? this.props.ingressClassName ?? 'alb';
  }

  /** The orders of all Ingresses of the ALB, in all charts and namespaces of the app. Nothing in it changes while it is written. */
  private orders(): AliyunOrders {
    const byAlb = ordersOfSynth.of(this.node.root, () => new Map<string, AliyunOrders>());
    const orders = byAlb.get(this.alb) ?? this.allocated();
    byAlb.set(this.alb, orders);
    return orders;
  }

  private allocated(): AliyunOrders {
    const constructs = this.node.root.node.findAll();
    const siblings = constructs.filter((each) => each instanceof AliyunAlbCanaryIngress && each.alb === this.alb);
    const ingresses = siblings as AliyunAlbCanaryIngress[];
    const written = constructs.filter((each): each is ApiObject => ApiObject.isApiObject(each) && isIngress(each));
    const others = written.filter(({ node }) => !(node.scope instanceof AliyunAlbCanaryIngress));
    return allocateAliyunOrders(
      ingresses.map(({ key, props: { order } }) => (order === undefined ? { key } : { key, order })),
      [...ingresses.flatMap(({ props }) => props.reservedOrders ?? []), ...others.flatMap(ordersOf)],
    );
  }

  private orderFindings(world: World): readonly Finding[] {
    // Loaded on first use, because an app without a synth needs no rules.
    const { aliyunOrderFindings } =
      require('../kruise/alb/aliyun-order-findings') as typeof import('../kruise/alb/aliyun-order-findings');
    const { apiVersion, kind, name } = this;
    const { namespace } = this.apiObject.metadata;
    const ingress = world.get({ apiVersion, kind, name, ...(namespace !== undefined && { namespace }) });
    if (ingress === undefined) return [];
    return aliyunOrderFindings(world, ingress, this.orders(), this.alb);
  }
}

/** By ALB. */
const ordersOfSynth = new OncePerSynth<Map<string, AliyunOrders>>();

function isIngress({ apiVersion, kind }: ApiObject): boolean {
  return kind === 'Ingress' && apiVersion.startsWith('networking.k8s.io/');
}

/** The orders of an Ingress that is written by hand. On another ALB they only make a few orders unavailable. */
function ordersOf(ingress: ApiObject): number[] {
  const { annotations = {} } =
    (ingress.toJson() as { metadata?: { annotations?: Record<string, string> } }).metadata ?? {};
  return ALIYUN_ORDER_ANNOTATIONS.map((key) => Number(annotations[key])).filter(Number.isInteger);
}
