/** How a canary behind an AWS load balancer gets its share of the traffic. */
export class AlbCanaryMode {
  /**
   * The controller edits the stable Ingress during a release and restores it afterwards (`customNetworkRefs`): one
   * Ingress, one rule, and any match that AWS supports. The script is `Ingress.networking.k8s.io`.
   */
  static customNetworkRefs(options: AlbGroupOptions = {}): AlbCanaryMode {
    return new AlbCanaryMode('customNetworkRefs', options.group, options.order, undefined);
  }

  /**
   * The controller creates a canary Ingress in addition to the stable one (`ingress`). Both need a group and different
   * orders, because the load balancer uses the first rule that matches. The script is `aws-alb`.
   */
  static ingress(options: AlbCanaryIngressModeOptions): AlbCanaryMode {
    const { group, order, canaryOrder = order - 1 } = options;
    for (const [name, value] of [
      ['order', order],
      ['canaryOrder', canaryOrder],
    ] as const)
      checkOrder(name, value);
    if (canaryOrder >= order) {
      throw new Error(
        `canaryOrder is ${canaryOrder} and order is ${order}: the lower order is evaluated first, so the canary needs the lower one`,
      );
    }
    return new AlbCanaryMode('ingress', group, order, canaryOrder);
  }

  private constructor(
    /** The field of `trafficRoutings`. */
    readonly kind: 'customNetworkRefs' | 'ingress',
    /** The group of both Ingresses. */
    readonly group: string | undefined,
    /** The order of the stable Ingress in its group. */
    readonly order: number | undefined,
    /** The order of the canary Ingress. */
    readonly canaryOrder: number | undefined,
  ) {
    if (order !== undefined) checkOrder('order', order);
  }
}

const MAX_ORDER = 1000;

function checkOrder(name: string, order: number): void {
  if (Number.isInteger(order) && Math.abs(order) <= MAX_ORDER) return;
  throw new Error(`${name} is ${order}: give an integer from -${MAX_ORDER} to ${MAX_ORDER}`);
}

/** The group of an Ingress, and its order there. */
export interface AlbGroupOptions {
  /**
   * The group: Ingresses of one group share a load balancer.
   * @default - that of the IngressClassParams, or a load balancer of its own
   */
  readonly group?: string;
  /**
   * The order of the Ingress in the group: the lower order is evaluated first.
   * @default 0
   */
  readonly order?: number;
}

/** The group and the orders of a canary Ingress and its stable one. */
export interface AlbCanaryIngressModeOptions {
  /**
   * The group that both Ingresses share.
   * @default - that of the IngressClassParams, which is then required
   */
  readonly group?: string;
  /** The order of the stable Ingress, from -999 to 1000. */
  readonly order: number;
  /**
   * The order of the canary Ingress: below `order`, and above that of every Ingress of the group with a more specific path.
   * @default - order - 1
   */
  readonly canaryOrder?: number;
}
