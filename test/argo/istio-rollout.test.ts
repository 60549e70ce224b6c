import { describe, expect, it, test } from 'vitest';
import {
  hostOf,
  httpOf,
  possibleVirtualServices,
  readIstioRollout,
  streamsOf,
  subsetOf,
  weighedRoutes,
  weighedTcpRoutes,
  weighedTlsRoutes,
} from '../../src/argo/istio-rollout';
import { ArgoRolloutsVersion } from '../../src/argo/version';
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
      weighsOnlyRoute: true,
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

  it('has names with dots from 1.10 on', () => {
    const placesIn = (version: string, name: string) =>
      readIstioRollout(
        rollout({ istio: { virtualService: { name } } }),
        'shop',
        ArgoRolloutsVersion.of(version),
      )?.virtualServices.map((one) => `${one.namespace}/${one.name}`);
    expect(placesIn('1.9.3', 'web.example.com')).toEqual(['example/web']);
    expect(placesIn('1.10.0', 'web.example.com')).toEqual(['com/web.example']);
    expect(placesIn('1.10.0', 'web.other.cluster.local')).toEqual(['other/web']);
    for (const version of ['1.9.3', '1.10.0']) {
      expect(placesIn(version, 'web.other')).toEqual(['other/web']);
      expect(placesIn(version, 'web')).toEqual(['shop/web']);
      expect(placesIn(version, 'web.')).toEqual(['shop/web']);
    }
    const several = possibleVirtualServices(
      rollout({ istio: { virtualService: { name: 'web.example.com' } } }),
      'shop',
    );
    expect(several.map(({ name }) => name)).toEqual(['web', 'web.example']);
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
      weighsOnlyRoute: true,
    });
    expect(read({ destinationRule: {} })?.subsets).toEqual({ name: '', stable: '', canary: '', additional: [] });
  });
});

describe('the routes that get weights', () => {
  const [named, other, nameless] = [{ name: 'a' }, { name: 'b' }, {}];

  it('of HTTP are those with a name, or the only one, or the first without a name', () => {
    const weighed = (http: JsonObject[], names: string[], weighsOnlyRoute = true) => [
      ...weighedRoutes(http, names, { weighsOnlyRoute }),
    ];
    expect(weighed([named, other], ['b', 'a'])).toEqual([1, 0]);
    expect(weighed([named, other], ['x'])).toEqual([-1]);
    expect(weighed([named], [])).toEqual([0]);
    expect(weighed([named], [], false)).toEqual([]);
    expect(weighed([nameless], [], false)).toEqual([0]);
    expect(weighed([named, nameless, nameless], [])).toEqual([1]);
    expect(weighed([named, other], [])).toEqual([]);
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
