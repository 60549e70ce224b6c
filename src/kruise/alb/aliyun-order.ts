/**
 * Assigns orders to the Ingresses of one ALB of Alibaba Cloud. The ALB evaluates the smaller order first, and every
 * Ingress needs a different one. A stable Ingress and its canary Ingress own a pair; the canary has the smaller order.
 */
import { utf8 } from '../../core/bytes';
import type { PropTable } from '../../core/props';

/** The orders of a stable Ingress and of its canary Ingress. */
export interface AliyunOrder {
  /** `alb.ingress.kubernetes.io/order` of the stable Ingress. */
  readonly stable: number;
  /** The order of the canary Ingress during a release, which is below that of the stable one. */
  readonly canary: number;
}

/** How an Ingress gets its pair. */
export interface AliyunOrderOptions {
  /**
   * The orders of this Ingress and of its canary Ingress, which no other Ingress of the ALB may have. Orders that are
   * given stay as they are, whatever else is added.
   * @default - orders that follow from namespace and name, or the next ones that are free
   */
  readonly order?: AliyunOrder;

  /**
   * The AlbConfig, and so the ALB, of the class. Orders are given for each ALB by itself.
   * @default - the class has an ALB of its own
   */
  readonly albConfig?: string;

  /**
   * Orders of Ingresses of the same ALB that this library does not make.
   * @default - none
   */
  readonly reservedOrders?: readonly number[];
}

/** The same at run time. */
export const ALIYUN_ORDER_PROPS: PropTable<AliyunOrderOptions> = {
  order: true,
  albConfig: true,
  reservedOrders: true,
};

/** A stable Ingress that needs a pair. */
export interface AliyunOrderRequest {
  /** `namespace/name` */
  readonly key: string;
  /**
   * A fixed pair.
   * @default - the library assigns one
   */
  readonly order?: AliyunOrder;
}

/** All pairs of one ALB. */
export interface AliyunOrders {
  /** By key; keys without a pair are absent. */
  readonly orders: ReadonlyMap<string, AliyunOrder>;
  /** Keys whose own pair was taken: their pair may change when Ingresses are added or removed. */
  readonly moved: ReadonlySet<string>;
  /** Keys that got no pair, because none was left. */
  readonly unplaced: readonly string[];
}

/** The number of pairs: canaries have the orders 1 to 499, stable Ingresses 501 to 999. */
export const ALIYUN_SLOTS = 499;

const STABLE_BAND = 500;

/**
 * Assigns a pair to every Ingress: its fixed pair, or one derived from its name, so that a new Ingress does not renumber
 * the others. If two names lead to the same pair, the second one in the order of keys takes the next free pair.
 *
 * @param reserved orders of Ingresses that are not among the requests
 */
export function allocateAliyunOrders(
  requests: readonly AliyunOrderRequest[],
  reserved: Iterable<number> = [],
): AliyunOrders {
  const given = requests.flatMap(({ order }) => (order === undefined ? [] : [order.stable, order.canary]));
  const taken = new Set([...reserved, ...given]);
  const orders = new Map<string, AliyunOrder>();
  const moved = new Set<string>();
  const unplaced: string[] = [];
  for (const { key, order } of [...requests].sort(byKey)) {
    const slot = order === undefined ? freeSlot(key, taken) : undefined;
    const pair = order ?? (slot === undefined ? undefined : pairOf(slot));
    if (pair === undefined) {
      unplaced.push(key);
      continue;
    }
    if (slot !== undefined && slot !== slotOf(key)) moved.add(key);
    orders.set(key, pair);
    taken.add(pair.stable).add(pair.canary);
  }
  return { orders, moved, unplaced };
}

function byKey(a: AliyunOrderRequest, b: AliyunOrderRequest): number {
  return a.key === b.key ? 0 : a.key < b.key ? -1 : 1;
}

function freeSlot(key: string, taken: ReadonlySet<number>): number | undefined {
  const first = slotOf(key) - 1;
  // A loop without a list of all slots, because an app calls this many times.
  for (let step = 0; step < ALIYUN_SLOTS; step++) {
    const slot = ((first + step) % ALIYUN_SLOTS) + 1;
    if (!taken.has(slot) && !taken.has(slot + STABLE_BAND)) return slot;
  }
  return undefined;
}

function pairOf(slot: number): AliyunOrder {
  return { stable: slot + STABLE_BAND, canary: slot };
}

function slotOf(key: string): number {
  return (fnv1a(key) % ALIYUN_SLOTS) + 1;
}

/** The hash FNV-1a of 32 bits, over the bytes of UTF-8. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of utf8(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
