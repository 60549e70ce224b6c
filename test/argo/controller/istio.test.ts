import { describe, expect, it } from 'vitest';
import { withWeights } from '../../../src/argo/controller/istio';
import type { JsonObject } from '../../../src/core';

const to = (host: string, weight?: number, more: object = {}) => ({
  destination: { host, ...more },
  ...(weight !== undefined && { weight }),
});
const services = {
  ...{ name: 'web', virtualServices: [], managedRoutes: [], weighsOnlyRoute: true },
  ...{ stableService: 'stable', canaryService: 'canary' },
};
const named = { name: 'web', namespace: 'shop', routes: [], tls: [], tcp: [] };
const routes = (stable: number, canary: number) => ({ route: [to('stable', stable), to('canary', canary)] });
const object = (spec: object): JsonObject => ({ kind: 'VirtualService', spec }) as never;
const weighed = (spec: object, weight: number, how: object = {}) =>
  withWeights(object(spec), { ...named, ...how }, services, weight, []).spec;

describe('weights in a VirtualService', () => {
  it('are written into its routes of each protocol', () => {
    const spec = { http: [routes(100, 0)], tls: [routes(100, 0)], tcp: [routes(100, 0)], hosts: ['web'] };
    expect(weighed(spec, 20)).toEqual({
      http: [routes(80, 20)],
      tls: [routes(80, 20)],
      tcp: [routes(80, 20)],
      hosts: ['web'],
    });
    expect(weighed({ tcp: [routes(100, 0)] }, 100)).toMatchObject({ tcp: [routes(0, 100)] });
    expect(weighed({ tls: [routes(100, 0)] }, 30)).toMatchObject({ tls: [routes(70, 30)] });
  });

  it('are left as they are where they are right', () => {
    const right = object({ http: [routes(80, 20)], tcp: [routes(80, 20)] });
    expect(withWeights(right, named, services, 20, [])).toBe(right);
  });

  it('are those of named routes only', () => {
    const http = [
      { name: 'a', ...routes(100, 0) },
      { name: 'b', ...routes(100, 0) },
    ];
    expect(weighed({ http }, 20, { routes: ['b'] })).toEqual({ http: [http[0], { name: 'b', ...routes(80, 20) }] });
    const tcp = [
      { match: [{ port: 1 }], ...routes(100, 0) },
      { match: [{ port: 2 }], ...routes(100, 0) },
    ];
    expect(weighed({ tcp }, 20, { tcp: [2] })).toEqual({ tcp: [tcp[0], { match: [{ port: 2 }], ...routes(80, 20) }] });
  });

  it('may be those of subsets', () => {
    const subsets = { name: 'rule', stable: 'v1', canary: 'v2', additional: [] };
    const route = (stable: number, canary: number) => [
      to('web', stable, { subset: 'v1' }),
      to('web', canary, { subset: 'v2' }),
    ];
    const after = withWeights(object({ http: [{ route: route(100, 0) }] }), named, { ...services, subsets }, 40, []);
    expect(after.spec).toEqual({ http: [{ route: route(60, 40) }] });
  });

  it('leave subsets that are kept their share, and give experiments theirs', () => {
    const subsets = { name: 'rule', stable: 'v1', canary: 'v2', additional: ['v3'] };
    const route = [to('web', 90, { subset: 'v1' }), to('web', 0, { subset: 'v2' }), to('web', 10, { subset: 'v3' })];
    const kept = withWeights(object({ http: [{ route }] }), named, { ...services, subsets }, 40, []);
    expect(kept.spec).toEqual({
      http: [
        { route: [to('web', 50, { subset: 'v1' }), to('web', 40, { subset: 'v2' }), to('web', 10, { subset: 'v3' })] },
      ],
    });
    const tried = withWeights(object({ http: [routes(100, 0)] }), named, services, 20, [
      { serviceName: 'trial', weight: 5 },
    ] as never);
    expect(tried.spec).toEqual({ http: [{ route: [to('stable', 75), to('canary', 20), to('trial', 5)] }] });
    const others = [to('stable', 100), to('other', 10), to('idle'), to('.x', 3)];
    expect(weighed({ http: [{ route: others }] }, 100)).toEqual({
      http: [{ route: [to('stable', 0), to('idle'), to('.x', 3)] }],
    });
  });
});
