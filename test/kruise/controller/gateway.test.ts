import { describe, expect, it, test } from 'vitest';
import type { JsonObject } from '../../../src/core';
import { asList, asObject } from '../../../src/core/json';
import { ensureGatewayRoutes, finaliseGateway, restoredHttpRoute } from '../../../src/kruise/controller/gateway';

const services = { stableService: 'web', canaryService: 'web-canary' };
const SLASH = { path: { type: 'PathPrefix', value: '/' } };
const to = (name: string, more: object = {}) => ({ group: '', kind: 'Service', name, port: 80, weight: 1, ...more });
const routeOf = (...rules: object[]) => ({ metadata: { name: 'web' }, spec: { parentRefs: [], rules } }) as never;
const rulesIn = (route: JsonObject | undefined) => route && asList(asObject(route.spec).rules);
const at = (traffic: string, ...rules: object[]) =>
  rulesIn(ensureGatewayRoutes(routeOf(...rules), { ...services, strategy: { traffic } as never }));
const matching = (matches: object[], ...rules: object[]) =>
  rulesIn(ensureGatewayRoutes(routeOf(...rules), { ...services, strategy: { matches } as never }));

describe('a step by weight', () => {
  it('shares the requests of each rule of the stable Service', () => {
    const other = { matches: [SLASH], backendRefs: [to('api')] };
    expect(at('20%', { backendRefs: [{ name: 'web', port: 80 }] }, other)).toEqual([
      { matches: [SLASH], backendRefs: [to('web', { weight: 80 }), to('web-canary', { weight: 20 })] },
      other,
    ]);
  });

  it('changes the weights of the step before, and keeps what else is there', () => {
    const rule = {
      matches: [SLASH],
      filters: [{ type: 'X' }],
      backendRefs: [to('api'), to('web', { weight: 80 }), to('web-canary', { weight: 20 })],
    };
    expect(at('50%', rule)).toEqual([
      { ...rule, backendRefs: [to('api'), to('web', { weight: 50 }), to('web-canary', { weight: 50 })] },
    ]);
    expect(at('20%', rule)).toBeUndefined();
  });

  it('leaves a rule without backends as it is', () => {
    const redirect = { matches: [SLASH], filters: [{ type: 'RequestRedirect' }] };
    const rules = at('20%', { backendRefs: [{ name: 'web', port: 80 }] }, redirect, { ...redirect, backendRefs: [] });
    expect(rules!.slice(1)).toEqual([redirect, redirect]);
    expect(rules!.slice(1).map((rule) => Object.keys(rule as object))).toEqual([
      Object.keys(redirect),
      Object.keys(redirect),
    ]);
  });

  it('knows Services only', () => {
    const foreign = { matches: [SLASH], backendRefs: [to('web', { kind: 'Other', group: 'x' })] };
    expect(at('20%', foreign)).toBeUndefined();
  });
});

describe('a step by matches', () => {
  const rule = { matches: [{ path: { type: 'Exact', value: '/a' } }, {}], backendRefs: [to('web')] };
  const header = { type: 'Exact', name: 'x', value: '1' };
  const query = { type: 'Exact', name: 'q', value: '2' };

  it('adds a rule with the matches of both', () => {
    expect(matching([{ headers: [header] }, { queryParams: [query] }], rule)!.slice(1)).toEqual([
      {
        matches: [
          { path: { type: 'Exact', value: '/a' }, headers: [header] },
          { path: { type: 'Exact', value: '/a' }, queryParams: [query] },
          { ...SLASH, headers: [header] },
          { ...SLASH, queryParams: [query] },
        ],
        backendRefs: [to('web-canary')],
      },
    ]);
  });

  it('adds to the headers and parameters of the rule', () => {
    const own = {
      matches: [{ headers: [{ name: 'a', value: 'b' }], queryParams: [{ name: 'c', value: 'd' }] }],
      backendRefs: [to('web')],
    };
    const [, canary] = matching([{ headers: [header], queryParams: [query] }], own)!;
    expect(asObject(canary).matches).toEqual([
      {
        ...SLASH,
        headers: [{ type: 'Exact', name: 'a', value: 'b' }, header],
        queryParams: [{ type: 'Exact', name: 'c', value: 'd' }, query],
      },
    ]);
  });

  it('adds a match on a path once, and reads the others by their place in the whole list', () => {
    const path = { path: { type: 'PathPrefix', value: '/v2' } };
    const second = { matches: [SLASH], backendRefs: [to('web')] };
    const rules = matching([{ ...path, headers: [header] }], rule, second)!;
    expect(rules).toHaveLength(3);
    expect(rules[2]).toMatchObject({ matches: [{ ...path, headers: [header] }] });
    const mixed = matching([path, { headers: [header] }], second)!;
    // The first match of the list is that of the path, which has no header.
    expect(mixed[1]).toMatchObject({ matches: [path, SLASH] });
  });

  it('replaces the rules of the step before', () => {
    const canary = { matches: [{ ...SLASH, headers: [header] }], backendRefs: [to('web-canary')] };
    const stable = { matches: [SLASH], backendRefs: [to('web')] };
    expect(matching([{ headers: [header] }], stable, canary)).toBeUndefined();
    expect(matching([{ headers: [{ ...header, value: '2' }] }], stable, canary)).toEqual([
      stable,
      { ...canary, matches: [{ ...SLASH, headers: [{ ...header, value: '2' }] }] },
    ]);
    const other = { matches: [SLASH], backendRefs: [to('api')] };
    expect(matching([{ headers: [header] }], other)).toBeUndefined();
  });
});

describe('the end of a release', () => {
  const shared = {
    matches: [SLASH],
    backendRefs: [to('web', { weight: 30 }), to('web-canary', { weight: 70 }), to('api')],
  };
  const canary = { matches: [SLASH], backendRefs: [to('web-canary')] };

  it('takes the canary out, and sets the weight to 1', () => {
    const restored = [{ matches: [SLASH], backendRefs: [to('web', { weight: 1 }), to('api')] }];
    expect(rulesIn(finaliseGateway(routeOf(shared, canary), services))).toEqual(restored);
    const { httpRoute, isEmptied } = restoredHttpRoute(routeOf(shared, canary), services);
    expect([rulesIn(httpRoute), isEmptied]).toEqual([restored, false]);
  });

  it('changes nothing where nothing is left of it', () => {
    const whole = { matches: [SLASH], backendRefs: [to('web')] };
    expect(restoredHttpRoute(routeOf(whole), services)).toEqual({ isEmptied: false });
  });

  it('wants no rule where the canary had them all, and the API server fills one in', () => {
    const { httpRoute, isEmptied } = restoredHttpRoute(routeOf(canary), services);
    expect([rulesIn(httpRoute), isEmptied]).toEqual([[{ matches: [SLASH] }], true]);
    expect(restoredHttpRoute(routeOf({ matches: [SLASH] }), services)).toEqual({ isEmptied: true });
  });

  test.each([[[to('web', { weight: 5 }), to('web', { weight: 5 })]]])(
    'sets only the first weight of a Service',
    (backendRefs) => {
      const { httpRoute } = restoredHttpRoute(routeOf({ matches: [SLASH], backendRefs }), services);
      expect(rulesIn(httpRoute)).toEqual([{ matches: [SLASH], backendRefs: [to('web'), to('web', { weight: 5 })] }]);
    },
  );
});
