import { describe, expect, test } from 'vitest';
import { annotationsOf, removeManagedRoutes, rulesOf, setHeaderRoute } from '../../../src/argo/controller';
import { actionOf, albRolloutOf, BOOKS, conditionsOf, forward, ingressOf, pathTo, SCHEME } from './manifests';

const NIL_POINTER = 'runtime error: invalid memory address or nil pointer dereference';
const MATCH = [{ headerName: 'X-Canary', headerValue: { exact: 'yes' } }];
const rollout = albRolloutOf({ managedRoutes: ['hr', 'hr2'] });
const shop = ingressOf({ annotations: SCHEME });

type Rule = { readonly http: { readonly paths: readonly ReturnType<typeof pathTo>[] } };

const servicesOf = (ingress: { readonly spec?: unknown } | undefined): string[][] =>
  (ingress!.spec as { rules: Rule[] }).rules.map(({ http }) => http.paths.map(({ backend }) => backend.service.name));

describe('setHeaderRoute', () => {
  test('writes action, conditions and path', () => {
    const [ingress] = setHeaderRoute(rollout, [shop], { name: 'hr', match: MATCH }).ingresses;
    expect(Object.fromEntries(annotationsOf(ingress!))).toEqual({
      ...SCHEME,
      [actionOf('hr')]: forward(['canary', 100]),
      [conditionsOf('hr')]:
        '[{"field":"http-header","httpHeaderConfig":{"httpHeaderName":"X-Canary","values":["yes"]}}]',
      [BOOKS]: `{"shop":["${actionOf('hr')}","${conditionsOf('hr')}"]}`,
    });
    expect(rulesOf(ingress!)).toEqual([
      { host: 'shop.example.com', http: { paths: [pathTo('hr'), pathTo('stable')] } },
    ]);
  });

  test('merges values of one name, in the order of their first use, case-sensitively', () => {
    const match = [
      ['X-B', 'b1'],
      ['X-A', 'a'],
      ['X-B', '<b2>'],
      ['x-b', 'other'],
    ].map(([headerName, exact]) => ({ headerName, headerValue: { exact } }));
    const [ingress] = setHeaderRoute(rollout, [shop], { name: 'hr', match }).ingresses;
    const config = (name: string, values: string) =>
      `{"field":"http-header","httpHeaderConfig":{"httpHeaderName":"${name}","values":[${values}]}}`;
    expect(annotationsOf(ingress!).get(conditionsOf('hr'))).toBe(
      `[${config('X-B', '"b1","\\u003cb2\\u003e"')},${config('X-A', '"a"')},${config('x-b', '"other"')}]`,
    );
  });

  test('puts the path first in every rule, or in none if one rule has it', () => {
    const other = { host: 'other.example.com', http: { paths: [pathTo('other', '/', { number: 80 })] } };
    const rules = [{ http: { paths: [pathTo('stable')] } }, other];
    const after = setHeaderRoute(rollout, [ingressOf({ annotations: SCHEME, rules })], { name: 'hr', match: MATCH });
    expect(servicesOf(after.ingresses[0])).toEqual([
      ['hr', 'stable'],
      ['hr', 'other'],
    ]);
    const half = [{ http: { paths: [pathTo('hr'), pathTo('stable')] } }, other];
    const kept = setHeaderRoute(rollout, [ingressOf({ annotations: SCHEME, rules: half })], {
      name: 'hr',
      match: MATCH,
    });
    expect(servicesOf(kept.ingresses[0])).toEqual([['hr', 'stable'], ['other']]);
  });

  test('sorts paths by managedRoutes, including existing ones', () => {
    const rules = [{ http: { paths: [pathTo('stable'), pathTo('hr')] } }];
    const after = setHeaderRoute(rollout, [ingressOf({ annotations: SCHEME, rules })], { name: 'hr2', match: MATCH });
    expect(servicesOf(after.ingresses[0])).toEqual([['hr', 'hr2', 'stable']]);
    const unlisted = setHeaderRoute(albRolloutOf(), [shop], { name: 'hr', match: MATCH });
    expect(servicesOf(unlisted.ingresses[0])).toEqual([['hr', 'stable']]);
  });

  test.each([[undefined], [null], [[]]])('with match %j removes the route', (match) => {
    const { ingresses } = setHeaderRoute(rollout, [shop], { name: 'hr', match: MATCH });
    const after = setHeaderRoute(rollout, ingresses, { name: 'hr', match });
    expect(after.ingresses).toEqual([ingressOf({ annotations: { ...SCHEME, [BOOKS]: '{"shop":[]}' } })]);
    expect(after.written).toEqual(['shop']);
  });

  test('has the stickiness of the Rollout, and its error', () => {
    const sticky = (durationSeconds: number) =>
      albRolloutOf({ alb: { stickinessConfig: { enabled: true, durationSeconds } } });
    const [ingress] = setHeaderRoute(sticky(60), [shop], { name: 'hr', match: MATCH }).ingresses;
    expect(annotationsOf(ingress!).get(actionOf('hr'))).toContain('"DurationSeconds":60');
    expect(setHeaderRoute(sticky(0), [shop], { name: 'hr', match: MATCH }).error?.class).toBe('stickiness');
  });

  test.each([
    ['no annotations', ingressOf(), MATCH, 'assignment to entry in nil map', 'metadata.annotations'],
    [
      'empty annotations',
      ingressOf({ annotations: {} }),
      MATCH,
      'assignment to entry in nil map',
      'metadata.annotations',
    ],
    ['no annotations, on removal', ingressOf(), undefined, 'assignment to entry in nil map', 'metadata.annotations'],
    ['no value', shop, [{ headerName: 'X' }], NIL_POINTER, 'match[0].headerValue'],
    [
      'a rule without http',
      ingressOf({ annotations: SCHEME, rules: [{ host: 'a' }] }),
      MATCH,
      NIL_POINTER,
      'spec.rules[0].http',
    ],
    [
      'empty paths',
      ingressOf({ annotations: SCHEME, rules: [{ http: { paths: [] } }] }),
      MATCH,
      'runtime error: slice bounds out of range [:1] with capacity 0',
      'spec.rules[0].http.paths',
    ],
  ])('ends on %s', (_name, ingress, match, message, path) => {
    const result = setHeaderRoute(rollout, [ingress], { name: 'hr', match });
    expect(result).toEqual({
      ingresses: [ingress],
      written: [],
      error: { class: 'panic', message, ingress: 'shop', path },
    });
  });
});

describe('removeManagedRoutes', () => {
  const routed = ['hr', 'hr2', 'mine'].reduce(
    (ingresses, name) => setHeaderRoute(rollout, ingresses, { name, match: MATCH }).ingresses,
    [shop] as readonly object[] as ReturnType<typeof setHeaderRoute>['ingresses'],
  );

  test('removes all managedRoutes, and no others', () => {
    const result = removeManagedRoutes(rollout, routed);
    expect(servicesOf(result.ingresses[0])).toEqual([['mine', 'stable']]);
    expect(Object.keys(Object.fromEntries(annotationsOf(result.ingresses[0]!))).sort()).toEqual(
      [...Object.keys(SCHEME), actionOf('mine'), conditionsOf('mine'), BOOKS].sort(),
    );
    expect(annotationsOf(result.ingresses[0]!).get(BOOKS)).toBe(
      `{"shop":["${actionOf('mine')}","${conditionsOf('mine')}"]}`,
    );
  });

  test('does nothing without managedRoutes, even where it would fail', () => {
    expect(removeManagedRoutes(albRolloutOf(), [ingressOf()])).toEqual({ ingresses: [ingressOf()], written: [] });
  });

  test('writes an empty list of managed annotations into an Ingress without a route', () => {
    const result = removeManagedRoutes(rollout, [shop]);
    expect(result.written).toEqual(['shop']);
    expect(annotationsOf(result.ingresses[0]!).get(BOOKS)).toBe('{"shop":[]}');
    expect(removeManagedRoutes(rollout, result.ingresses).written).toEqual([]);
  });

  test('panics on an Ingress without annotations', () => {
    expect(removeManagedRoutes(rollout, [ingressOf()]).error).toMatchObject({
      class: 'panic',
      message: 'assignment to entry in nil map',
    });
  });

  test('panics on a key that is listed twice at the end', () => {
    const noted = ingressOf({ annotations: { [BOOKS]: `{"shop":["x","${actionOf('hr')}","${actionOf('hr')}"]}` } });
    expect(removeManagedRoutes(rollout, [noted]).error).toMatchObject({
      class: 'panic',
      message: 'runtime error: slice bounds out of range [3:2]',
    });
  });
});
