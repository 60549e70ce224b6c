import { describe, expect, it, test } from 'vitest';
import {
  hostOf,
  httpOf,
  readIstioRollout,
  streamsOf,
  subsetOf,
  weighedRoutes,
  weighedTcpRoutes,
  weighedTlsRoutes,
} from '../../src/argo/istio-rollout';
import type { JsonObject } from '../../src/core';

const rollout = (trafficRouting: JsonObject): JsonObject => ({
  metadata: { name: 'web' },
  spec: { strategy: { canary: { trafficRouting } } },
});
const read = (istio: object, more: object = {}) => readIstioRollout(rollout({ istio, ...more } as never), 'shop');
const PLAIN = { namespace: 'shop', routes: [], tls: [], tcp: [] };

describe('what a Rollout says about Istio', () => {
  it('is nothing without Istio', () => {
    expect(readIstioRollout(rollout({ nginx: {} }), 'shop')).toBeUndefined();
    expect(readIstioRollout({}, 'shop')).toBeUndefined();
  });

  it('is one VirtualService or several, and several count', () => {
    expect(read({ virtualService: { name: 'a' } })).toEqual({
      name: 'web',
      virtualServices: [{ ...PLAIN, name: 'a' }],
      managedRoutes: [],
    });
    const several: JsonObject[] = [{ name: 'b.other', routes: ['x', 'y'] }, { name: 'c.' }];
    expect(read({ virtualService: { name: 'a' }, virtualServices: several })?.virtualServices).toEqual([
      { ...PLAIN, name: 'b', namespace: 'other', routes: ['x', 'y'] },
      { ...PLAIN, name: 'c' },
    ]);
    expect(read({ virtualServices: [], virtualService: { name: 'a' } })?.virtualServices).toHaveLength(1);
    expect(read({})?.virtualServices).toEqual([]);
    expect(read({ virtualService: null })?.virtualServices).toEqual([]);
  });

  it('has routes for TLS and TCP, subsets and managed routes', () => {
    const virtualService: JsonObject = {
      name: 'a',
      tlsRoutes: [{ port: 443, sniHosts: ['a.example.com'] }, {}],
      tcpRoutes: [{ port: 3306 }, {}],
    };
    const destinationRule = {
      name: 'rule',
      stableSubsetName: 'stable',
      canarySubsetName: 'canary',
      additionalSubsetNames: ['x'],
    };
    expect(read({ virtualService, destinationRule }, { managedRoutes: [{ name: 'header' }] })).toMatchObject({
      virtualServices: [
        {
          tls: [
            { port: 443, sniHosts: ['a.example.com'] },
            { port: 0, sniHosts: [] },
          ],
          tcp: [3306, 0],
        },
      ],
      subsets: { name: 'rule', stable: 'stable', canary: 'canary', additional: ['x'] },
      managedRoutes: ['header'],
    });
    expect(read({ destinationRule: {} })?.subsets).toEqual({ name: '', stable: '', canary: '', additional: [] });
  });
});

describe('the routes that get weights', () => {
  const [named, other, nameless] = [{ name: 'a' }, { name: 'b' }, {}];

  it('of HTTP are those with a name, or the only one, or the first without a name', () => {
    expect([...weighedRoutes([named, other], ['b', 'a'])]).toEqual([1, 0]);
    expect([...weighedRoutes([named, other], ['x'])]).toEqual([-1]);
    expect([...weighedRoutes([named], [])]).toEqual([0]);
    expect([...weighedRoutes([named, nameless, nameless], [])]).toEqual([1]);
    expect([...weighedRoutes([named, other], [])]).toEqual([-1]);
  });

  it('of TLS are those with exactly the port and the hosts, or the first one', () => {
    const route = (port: number | undefined, ...sniHosts: string[]) => ({
      match: [{ ...(port !== undefined && { port }), sniHosts }],
    });
    const tls = [route(443, 'a'), route(443, 'a', 'b'), route(undefined, 'a'), { match: [{ port: 1 }, { port: 2 }] }];
    const weighed = (...some: Parameters<typeof weighedTlsRoutes>[1]) => [...weighedTlsRoutes(tls, some)];
    expect(weighed()).toEqual([0]);
    expect(weighed({ port: 443, sniHosts: ['a'] })).toEqual([0]);
    expect(weighed({ port: 443, sniHosts: ['b', 'a'] })).toEqual([1]);
    expect(weighed({ port: 0, sniHosts: ['a'] })).toEqual([2]);
    expect(weighed({ port: 443, sniHosts: ['c'] })).toEqual([]);
    expect(weighed({ port: 1, sniHosts: [] })).toEqual([]);
    expect(weighed({ port: 443, sniHosts: ['a'] }, { port: 0, sniHosts: ['a'] })).toEqual([0, 2]);
    expect([
      ...weighedTlsRoutes(
        [{ match: [{ sniHosts: ['a'] }, { sniHosts: ['a', 'b'] }] }],
        [{ port: 0, sniHosts: ['a', 'b'] }],
      ),
    ]).toEqual([0]);
  });

  it('of TCP are those of the ports, or the first one', () => {
    const tcp: JsonObject[] = [
      { match: [{ port: 1 }] },
      { match: [{ port: 2 }, { port: 2 }] },
      { match: [{ port: 1 }, { port: 3 }] },
      {},
    ];
    expect([...weighedTcpRoutes(tcp, [])]).toEqual([0]);
    expect([...weighedTcpRoutes(tcp, [2])]).toEqual([1]);
    expect([...weighedTcpRoutes(tcp, [1, 3])]).toEqual([0]);
    expect([...weighedTcpRoutes(tcp, [0])]).toEqual([3]);
  });
});

describe('a VirtualService', () => {
  it('has routes of three protocols', () => {
    const object = { spec: { http: [{ name: 'h' }], tls: [{ name: 's' }], tcp: [{ name: 't' }] } };
    expect([httpOf(object), streamsOf(object, 'tls'), streamsOf(object, 'tcp')]).toEqual([
      [{ name: 'h' }],
      [{ name: 's' }],
      [{ name: 't' }],
    ]);
    expect([httpOf({}), streamsOf({}, 'tls')]).toEqual([[], []]);
  });

  test.each([
    ['web', 'web'],
    ['web.shop.svc', 'web'],
    ['.shop', ''],
    ['', ''],
  ])('names a Service by its host %j', (host, name) => {
    expect(hostOf({ destination: { host } })).toBe(name);
  });

  it('names a subset, or none', () => {
    expect([subsetOf({ destination: { subset: 'v1' } }), subsetOf({ destination: {} }), subsetOf({})]).toEqual([
      'v1',
      '',
      '',
    ]);
  });
});
