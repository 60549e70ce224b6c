import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ALIYUN_SLOTS,
  type AliyunOrderRequest,
  allocateAliyunOrders,
  fnv1a,
} from '../../../src/kruise/alb/aliyun-order';

const of = (...keys: string[]): AliyunOrderRequest[] => keys.map((key) => ({ key }));
const numbered = (count: number) => of(...Array.from({ length: count }, (_, index) => `shop/web-${index}`));

describe('the orders of an ALB', () => {
  it('follow from the name by FNV-1a', () => {
    // The published test vectors of the hash.
    expect(fnv1a('')).toBe(0x811c9dc5);
    expect(fnv1a('a')).toBe(0xe40c292c);
    expect(fnv1a('foobar')).toBe(0xbf9cf968);

    const slot = (fnv1a('foo/echoserver') % 499) + 1;
    expect(allocateAliyunOrders(of('foo/echoserver')).orders.get('foo/echoserver')).toEqual({
      canary: slot,
      stable: slot + 500,
    });
  });

  it('stay as they are when another Ingress comes that does not meet them', () => {
    const before = allocateAliyunOrders(of('foo/echoserver', 'shop/web'));
    const after = allocateAliyunOrders(of('foo/echoserver', 'foo/another', 'shop/web'));
    expect(after.orders.get('foo/echoserver')).toEqual(before.orders.get('foo/echoserver'));
    expect(after.orders.get('shop/web')).toEqual(before.orders.get('shop/web'));
    expect(after.moved.size).toBe(0);
  });

  it('do not depend on the order of the requests', () => {
    const requests = numbered(300);
    expect([...allocateAliyunOrders([...requests].reverse()).orders]).toEqual([
      ...allocateAliyunOrders(requests).orders,
    ]);
  });

  it('that are given are kept, and are taken for the others', () => {
    const own = allocateAliyunOrders(of('shop/web')).orders.get('shop/web')!;
    const { orders, moved } = allocateAliyunOrders([{ key: 'shop/api', order: own }, { key: 'shop/web' }]);
    expect(orders.get('shop/api')).toEqual(own);
    expect(orders.get('shop/web')).toEqual({ canary: own.canary + 1, stable: own.stable + 1 });
    expect([...moved]).toEqual(['shop/web']);
  });

  it('that are reserved are not given, whether they are of a canary or of a stable Ingress', () => {
    const own = allocateAliyunOrders(of('shop/web')).orders.get('shop/web')!;
    for (const reserved of [own.canary, own.stable]) {
      const { orders, moved } = allocateAliyunOrders(of('shop/web'), [reserved]);
      expect(orders.get('shop/web')).toEqual({ canary: own.canary + 1, stable: own.stable + 1 });
      expect([...moved]).toEqual(['shop/web']);
    }
  });

  it('go round at the end of the band', () => {
    const key = Array.from({ length: 5000 }, (_, index) => `shop/x${index}`).find((each) => fnv1a(each) % 499 === 498)!;
    expect(allocateAliyunOrders(of(key)).orders.get(key)).toEqual({ canary: 499, stable: 999 });
    expect(allocateAliyunOrders(of(key), [499]).orders.get(key)).toEqual({ canary: 1, stable: 501 });
  });

  it('are 499 pairs: who comes later gets none', () => {
    expect(allocateAliyunOrders(numbered(ALIYUN_SLOTS)).unplaced).toEqual([]);
    const { orders, unplaced } = allocateAliyunOrders(numbered(ALIYUN_SLOTS + 2));
    expect(orders.size).toBe(ALIYUN_SLOTS);
    expect(unplaced).toHaveLength(2);
  });

  it('are always distinct, in their bands, and with the canary before the stable one', () => {
    const key = fc
      .tuple(fc.stringMatching(/^[a-z]{1,3}$/), fc.stringMatching(/^[a-z]{1,3}$/))
      .map((parts) => parts.join('/'));
    const input = fc.tuple(
      fc.uniqueArray(key, { maxLength: 120 }),
      fc.array(fc.integer({ min: 1, max: 1000 }), { maxLength: 200 }),
    );
    fc.assert(
      fc.property(input, ([keys, reserved]) => {
        const { orders, unplaced } = allocateAliyunOrders(of(...keys), reserved);
        const all = [...orders.values()].flatMap(({ stable, canary }) => [stable, canary]);
        expect(orders.size + unplaced.length).toBe(keys.length);
        expect(new Set([...all, ...reserved]).size).toBe(all.length + new Set(reserved).size);
        for (const { stable, canary } of orders.values()) {
          expect(canary).toBeGreaterThanOrEqual(1);
          expect(canary).toBeLessThanOrEqual(499);
          expect(stable).toBe(canary + 500);
        }
      }),
      { seed: 20_260_817, numRuns: 100 },
    );
  });
});
