import { describe, expect, it, test } from 'vitest';
import type { JsonObject } from '../../../src/core';
import { ensureGatewayRoutes, finaliseGateway, restoredHttpRoute } from '../../../src/kruise/controller/gateway';

const services = { stableService: 'web', canaryService: 'web-canary' };
const SLASH = { path: { type: 'PathPrefix', value: '/' } };
const X = { type: 'Exact', name: 'x', value: '1' };
const to = (name: string, more: object = {}) => ({ group: '', kind: 'Service', name, port: 80, weight: 1, ...more });
const routeOf = (...rules: object[]) =>
  ({ apiVersion: 'a/v1', kind: 'HTTPRoute', metadata: { name: 'web' }, spec: { hostnames: ['h'], rules } }) as never;
const whole = (...rules: object[]) => ({
  apiVersion: 'a/v1',
  kind: 'HTTPRoute',
  metadata: { name: 'web' },
  spec: { hostnames: ['h'], rules },
});
const ensure = (strategy: object, ...rules: object[]): JsonObject | undefined =>
  ensureGatewayRoutes(routeOf(...rules), { ...services, strategy: strategy as never });

describe('a step by weight writes', () => {
  test.each([
    ['0%', 100, 0],
    ['1%', 99, 1],
    ['50%', 50, 50],
    ['99%', 1, 99],
    ['100%', 0, 100],
  ])('%s as %i to %i, in a whole HTTPRoute', (traffic, stable, canary) => {
    expect(ensure({ traffic }, { name: 'r', backendRefs: [to('web', { weight: 7 })] })).toEqual(
      whole({
        name: 'r',
        matches: [SLASH],
        backendRefs: [to('web', { weight: stable }), to('web-canary', { weight: canary })],
      }),
    );
  });

  it('the canary with all that the backend of the stable Service has', () => {
    const filters = [{ type: 'RequestHeaderModifier' }];
    expect(
      ensure({ traffic: '20%' }, { backendRefs: [to('web', { namespace: 'n', port: 1, filters }), to('a')] }),
    ).toEqual(
      whole({
        matches: [SLASH],
        backendRefs: [
          to('web', { namespace: 'n', port: 1, filters, weight: 80 }),
          to('a'),
          to('web-canary', { namespace: 'n', port: 1, filters, weight: 20 }),
        ],
      }),
    );
  });

  it('the canary that is there with its own port, wherever it is', () => {
    expect(ensure({ traffic: '20%' }, { backendRefs: [to('web-canary', { port: 9 }), to('web')] })).toEqual(
      whole({
        matches: [SLASH],
        backendRefs: [to('web-canary', { port: 9, weight: 20 }), to('web', { weight: 80 })],
      }),
    );
  });

  it('only the first of two backends of one Service', () => {
    expect(ensure({ traffic: '20%' }, { backendRefs: [to('web'), to('web', { port: 81 })] })).toEqual(
      whole({
        matches: [SLASH],
        backendRefs: [to('web', { weight: 80 }), to('web', { port: 81 }), to('web-canary', { weight: 20 })],
      }),
    );
  });

  it('nothing to a rule of the canary alone, such as a step by matches leaves', () => {
    expect(ensure({ traffic: '20%' }, { matches: [SLASH], backendRefs: [to('web-canary')] })).toBeUndefined();
  });

  it('nothing where the defaults are all that lacks', () => {
    const shared = [
      { name: 'web', port: 80, weight: 80 },
      { name: 'web-canary', port: 80, weight: 20 },
    ];
    expect(ensure({ traffic: '20%' }, { backendRefs: shared })).toBeUndefined();
    expect(ensure({ traffic: '20%' }, { matches: [], backendRefs: shared })).toBeUndefined();
    expect(ensure({ traffic: '20%' }, { matches: [{ path: {} }], backendRefs: shared })).toBeUndefined();
    expect(ensure({ traffic: '20%' })).toBeUndefined();
  });

  it('one Service twice where both names are one', () => {
    const same = { stableService: 'web', canaryService: 'web' };
    const strategy = { traffic: '20%' } as never;
    expect(ensureGatewayRoutes(routeOf({ backendRefs: [to('web')] }), { ...same, strategy })).toEqual(
      whole({ matches: [SLASH], backendRefs: [to('web', { weight: 20 })] }),
    );
  });
});

describe('a step by matches writes', () => {
  const path = { path: { type: 'Exact', value: '/v2' } };
  const api = { matches: [SLASH], backendRefs: [to('api')] };
  const web = {
    name: 'r',
    matches: [SLASH],
    filters: [{ type: 'F' }],
    backendRefs: [to('web', { weight: 3 }), to('api')],
  };

  it('the rules of the canary last, with the filters and only the one backend', () => {
    expect(ensure({ matches: [{ headers: [X] }] }, web, api)).toEqual(
      whole(web, api, {
        name: 'r',
        matches: [{ ...SLASH, headers: [X] }],
        filters: [{ type: 'F' }],
        backendRefs: [to('web-canary', { weight: 3 })],
      }),
    );
  });

  it('a path into the first rule of the stable Service, not the first rule', () => {
    const second = { matches: [SLASH], backendRefs: [to('web', { port: 81 })] };
    expect(ensure({ matches: [path] }, api, web, second)).toEqual(
      whole(api, web, second, {
        name: 'r',
        matches: [path],
        filters: [{ type: 'F' }],
        backendRefs: [to('web-canary', { weight: 3 })],
      }),
    );
  });

  it('a path first, then the match of each rule', () => {
    const first = { matches: [SLASH], backendRefs: [to('web')] };
    const second = { matches: [{ path: { type: 'Exact', value: '/b' } }], backendRefs: [to('web')] };
    expect(ensure({ matches: [{ headers: [X] }, path] }, first, second)).toEqual(
      whole(
        first,
        second,
        { matches: [path, { ...SLASH, headers: [X] }], backendRefs: [to('web-canary')] },
        { matches: [{ path: { type: 'Exact', value: '/b' }, headers: [X] }], backendRefs: [to('web-canary')] },
      ),
    );
  });

  it('the header of a match with a path twice, where that comes first', () => {
    const y = { ...X, name: 'y' };
    const first = { matches: [SLASH], backendRefs: [to('web')] };
    expect(ensure({ matches: [{ ...path, headers: [X] }, { headers: [y] }] }, first)).toEqual(
      whole(first, {
        matches: [
          { ...path, headers: [X] },
          { ...SLASH, headers: [X] },
        ],
        backendRefs: [to('web-canary')],
      }),
    );
  });

  it('keeps the method of a rule', () => {
    const first = { matches: [{ ...SLASH, method: 'GET' }], backendRefs: [to('web')] };
    expect(ensure({ matches: [{ headers: [X] }] }, first)).toEqual(
      whole(first, { matches: [{ ...SLASH, method: 'GET', headers: [X] }], backendRefs: [to('web-canary')] }),
    );
  });

  it('drops each rule that an earlier step by weight shared, and the API server fills one in', () => {
    const shared = { matches: [SLASH], backendRefs: [to('web', { weight: 80 }), to('web-canary', { weight: 20 })] };
    expect(ensure({ matches: [{ headers: [X] }] }, shared)).toEqual(whole({ matches: [SLASH] }));
    expect(ensure({ matches: [{ headers: [X] }] }, shared, api)).toEqual(whole(api));
    expect(ensure({ matches: [{ headers: [X] }] }, { matches: [SLASH] })).toBeUndefined();
  });

  it('before the weight of the same step', () => {
    const first = { matches: [SLASH], backendRefs: [to('web')] };
    expect(ensure({ traffic: '20%', matches: [{ headers: [X] }] }, first)).toEqual(
      whole(first, { matches: [{ ...SLASH, headers: [X] }], backendRefs: [to('web-canary')] }),
    );
    expect(ensure({ traffic: '20%', matches: [] }, first)).toEqual(
      whole({ matches: [SLASH], backendRefs: [to('web', { weight: 80 }), to('web-canary', { weight: 20 })] }),
    );
  });
});

describe('the end', () => {
  it('keeps a backend of another kind or group with the name of the canary Service', () => {
    const foreign = { group: 'g', kind: 'Other', name: 'web-canary', weight: 1 };
    expect(finaliseGateway(routeOf({ matches: [SLASH], backendRefs: [foreign] }), services)).toEqual(
      whole({ matches: [SLASH], backendRefs: [foreign] }),
    );
  });

  it('keeps the weights of other Services', () => {
    const rule = {
      matches: [SLASH],
      backendRefs: [to('api', { weight: 5 }), to('web', { weight: 0 }), to('web-canary')],
    };
    expect(restoredHttpRoute(routeOf(rule), services)).toEqual({
      isEmptied: false,
      httpRoute: whole({ matches: [SLASH], backendRefs: [to('api', { weight: 5 }), to('web')] }),
    });
  });

  it('drops a rule without backends, a redirect too', () => {
    const redirect = { matches: [SLASH], filters: [{ type: 'RequestRedirect' }] };
    const web = { matches: [SLASH], backendRefs: [to('web')] };
    expect(restoredHttpRoute(routeOf(redirect, web), services)).toEqual({ isEmptied: false, httpRoute: whole(web) });
    expect(restoredHttpRoute(routeOf(redirect), services)).toEqual({
      isEmptied: true,
      httpRoute: whole({ matches: [SLASH] }),
    });
  });

  it('of one Service for both takes out its rules', () => {
    const same = { stableService: 'web', canaryService: 'web' };
    const web = { matches: [SLASH], backendRefs: [to('web')] };
    expect(restoredHttpRoute(routeOf(web), same)).toEqual({
      isEmptied: true,
      httpRoute: whole({ matches: [SLASH] }),
    });
  });

  test.each([
    ['no rules', {}],
    ['an empty list of rules', { spec: { rules: [] } }],
    ['the rule that the API server fills in', { spec: { rules: [{ matches: [SLASH] }] } }],
  ])('never comes with %s, as the API server always has one', (_, route) => {
    expect(restoredHttpRoute(route, services)).toEqual({ isEmptied: true });
    expect(ensureGatewayRoutes(route, { ...services, strategy: { traffic: '20%' } as never })).toBeUndefined();
  });
});
