/** Managed routes of a VirtualService, and the subsets of a DestinationRule, as the controller writes them. */
import { describe, expect, it } from 'vitest';
import {
  withHashes,
  withHeaderRoute,
  withMirrorRoute,
  withoutHashes,
  withoutManagedRoutes,
} from '../../../src/argo/controller/istio';
import type { JsonObject } from '../../../src/core';

const named = { name: 'web', namespace: 'shop', routes: [], tls: [], tcp: [] };
const rollout = {
  ...{ name: 'web', virtualServices: [], managedRoutes: ['first', 'second'], weighsOnlyRoute: true },
  ...{ stableService: 'stable', canaryService: 'canary' },
};
const SUBSETS = { name: 'rule', stable: 'v1', canary: 'v2', additional: [] };
const LABEL = 'rollouts-pod-template-hash';
const MANAGED_BY = 'argo-rollouts.argoproj.io/managed-by-rollouts';

const to = (host: string, weight: number, more: object = {}) => ({ destination: { host, ...more }, weight });
const PRIMARY = { route: [to('stable', 80, { port: { number: 8080 } }), to('canary', 20)] };
const object = (...http: object[]): JsonObject => ({ kind: 'VirtualService', spec: { hosts: ['web'], http } }) as never;
const httpOf = ({ spec }: JsonObject) => (spec as { http: object[] }).http;
const namesOf = (after: JsonObject) => httpOf(after).map((route) => (route as { name?: string }).name ?? 'primary');
const header = (name: string, ...headerValues: object[]): JsonObject =>
  ({ name, match: headerValues.map((headerValue) => ({ headerName: 'x-beta', headerValue })) }) as never;

describe('a header route in a VirtualService', () => {
  const set = (before: JsonObject, step: JsonObject, how: object = {}, rule?: JsonObject, routes: string[] = []) =>
    withHeaderRoute(before, { ...named, routes }, { ...rollout, ...how }, step, rule);

  it('leads to the canary Service, with the port of the first destination that gets a weight', () => {
    const after = set(object(PRIMARY), header('first', { exact: '1' }));
    expect(after).toStrictEqual(
      object(
        {
          name: 'first',
          match: [{ headers: { 'x-beta': { exact: '1' } } }],
          route: [{ destination: { host: 'canary', port: { number: 8080 } }, weight: 100 }],
        },
        PRIMARY,
      ),
    );
  });

  it('has an alternative for each match, with each way to compare', () => {
    const after = set(object(PRIMARY), header('first', { regex: 'a.*' }, { prefix: 'b', exact: '' }, { exact: 'c' }));
    expect(httpOf(after)[0]).toMatchObject({
      match: [
        { headers: { 'x-beta': { regex: 'a.*' } } },
        { headers: { 'x-beta': { prefix: 'b' } } },
        { headers: { 'x-beta': { exact: 'c' } } },
      ],
    });
    expect((httpOf(after)[0] as JsonObject).match).toStrictEqual([
      { headers: { 'x-beta': { regex: 'a.*' } } },
      { headers: { 'x-beta': { prefix: 'b' } } },
      { headers: { 'x-beta': { exact: 'c' } } },
    ]);
  });

  it('has no port where the destination has none, or where there is no destination', () => {
    const destination = (...http: object[]) =>
      (httpOf(set(object(...http), header('first', { exact: '1' })))[0] as { route: { destination: object }[] })
        .route[0]!.destination;
    expect(destination({ route: [to('stable', 100)] })).toStrictEqual({ host: 'canary' });
    expect(destination({ route: [to('stable', 100, { port: { number: 0 } })] })).toStrictEqual({ host: 'canary' });
    expect(destination()).toStrictEqual({ host: 'canary' });
    expect(destination({ name: 'a' }, { name: 'b' })).toStrictEqual({ host: 'canary' });
  });

  it('leads to the subset of the canary, and to the host of the DestinationRule', () => {
    const rule: JsonObject = { spec: { host: 'web.shop.svc' } };
    const destinationOf = (subsets: object, of: JsonObject | undefined) =>
      (
        httpOf(set(object(PRIMARY), header('first', { exact: '1' }), { subsets }, of))[0] as {
          route: { destination: object }[];
        }
      ).route[0]!.destination;
    const port = { number: 8080 };
    expect(destinationOf(SUBSETS, rule)).toStrictEqual({ host: 'web.shop.svc', port, subset: 'v2' });
    expect(destinationOf(SUBSETS, undefined)).toStrictEqual({ host: 'canary', port, subset: 'v2' });
    expect(destinationOf({ ...SUBSETS, canary: '' }, rule)).toStrictEqual({ host: 'web.shop.svc', port });
  });

  it('stands before all others, in the order of managedRoutes, and takes the place of its former self', () => {
    const second = set(object(PRIMARY, { name: 'own' }), header('second', { exact: '2' }), {}, undefined, ['own']);
    expect(namesOf(second)).toEqual(['second', 'primary', 'own']);
    const both = set(second, header('first', { exact: '1' }));
    expect(namesOf(both)).toEqual(['first', 'second', 'primary', 'own']);
    const again = set(both, header('first', { exact: '3' }));
    expect(namesOf(again)).toEqual(['first', 'second', 'primary', 'own']);
    expect(JSON.stringify(again)).toContain('"exact":"3"');
    expect(namesOf(set(object(PRIMARY), header('first', { exact: '1' }), { managedRoutes: [] }))).toEqual([
      'primary',
      'first',
    ]);
  });

  it('takes the port of the route that the Rollout names', () => {
    const other = { name: 'own', route: [to('stable', 100, { port: { number: 9090 } })] };
    const after = set(object(PRIMARY, other), header('first', { exact: '1' }), {}, undefined, ['own']);
    expect(JSON.stringify(httpOf(after)[0])).toContain('"port":{"number":9090}');
  });

  it('goes with a step that has no match', () => {
    const both = set(set(object(PRIMARY), header('second', { exact: '2' })), header('first', { exact: '1' }));
    expect(namesOf(set(both, { name: 'first' }))).toEqual(['second', 'primary']);
    expect(namesOf(set(both, { name: 'first', match: [] }))).toEqual(['second', 'primary']);
    expect(namesOf(set(both, { name: 'other' }))).toEqual(['first', 'second', 'primary']);
  });
});

describe('a mirror route in a VirtualService', () => {
  const set = (before: JsonObject, step: JsonObject, how: object = {}) =>
    withMirrorRoute(before, named, { ...rollout, ...how }, step, undefined);

  it('sends requests where they went, and a copy of some to the canary', () => {
    const match: JsonObject[] = [
      { method: { exact: 'GET' }, path: { prefix: '/a' }, headers: { x: { exact: '1' } } },
      {},
    ];
    expect(set(object(PRIMARY), { name: 'first', percentage: 40, match })).toStrictEqual(
      object(
        {
          name: 'first',
          match: [{ method: { exact: 'GET' }, uri: { prefix: '/a' }, headers: { x: { exact: '1' } } }, {}],
          route: PRIMARY.route,
          mirror: { host: 'canary', port: { number: 8080 } },
          mirrorPercentage: { value: 40 },
        },
        PRIMARY,
      ),
    );
  });

  it('copies all requests without a percentage', () => {
    expect(httpOf(set(object(PRIMARY), { name: 'first', match: [] }))[0]).toMatchObject({
      match: [],
      mirrorPercentage: { value: 100 },
    });
  });

  it('stands where managedRoutes puts it, or first', () => {
    const before = object({ name: 'first' }, PRIMARY);
    expect(namesOf(set(before, { name: 'second', match: [] }))).toEqual(['first', 'second', 'primary']);
    expect(namesOf(set(before, { name: 'second', match: [] }, { managedRoutes: [] }))).toEqual([
      'second',
      'first',
      'primary',
    ]);
  });

  it('goes with a step that has no match', () => {
    const before = object({ name: 'first' }, { name: 'second' }, PRIMARY);
    expect(namesOf(set(before, { name: 'first' }))).toEqual(['second', 'primary']);
    expect(namesOf(set(before, { name: 'first', match: null }))).toEqual(['second', 'primary']);
  });
});

describe('managed routes', () => {
  it('go together, and other routes stay', () => {
    const before = object({ name: 'first' }, PRIMARY, { name: 'own' }, { name: 'second' });
    expect(withoutManagedRoutes(before, rollout)).toStrictEqual(object(PRIMARY, { name: 'own' }));
  });

  it('are left alone where there are none', () => {
    const before = object(PRIMARY, { name: 'own' });
    expect(withoutManagedRoutes(before, rollout)).toBe(before);
  });
});

describe('the subsets of a DestinationRule', () => {
  const rule: JsonObject = {
    kind: 'DestinationRule',
    metadata: { name: 'rule', annotations: { team: 'web' } },
    spec: {
      host: 'web',
      subsets: [{ name: 'v1', labels: { app: 'web' } }, { name: 'v2' }, { name: 'other', labels: { app: 'web' } }],
    },
  };
  const written = withHashes(rule, { ...rollout, subsets: SUBSETS }, { stable: 'aaa', canary: 'bbb' });

  it('get the hashes of the versions, and others go', () => {
    expect(written).toStrictEqual({
      kind: 'DestinationRule',
      metadata: { name: 'rule', annotations: { team: 'web', [MANAGED_BY]: 'web' } },
      spec: {
        host: 'web',
        subsets: [
          { name: 'v1', labels: { app: 'web', [LABEL]: 'aaa' } },
          { name: 'v2', labels: { [LABEL]: 'bbb' } },
        ],
      },
    });
  });

  it('are left alone without subsets', () => {
    expect(withHashes(rule, rollout, { stable: 'aaa', canary: 'bbb' })).toBe(rule);
  });

  it('lose the hashes with the Rollout, and keep their other labels', () => {
    expect(withoutHashes(written)).toStrictEqual({
      kind: 'DestinationRule',
      metadata: { name: 'rule', annotations: { team: 'web' } },
      spec: {
        host: 'web',
        subsets: [
          { name: 'v1', labels: { app: 'web' } },
          { name: 'v2', labels: {} },
        ],
      },
    });
    expect(withoutHashes(rule)).toBe(rule);
  });

  it('leave no empty annotations', () => {
    const own = { metadata: { name: 'rule', annotations: { [MANAGED_BY]: 'web' } }, spec: written.spec! };
    expect(withoutHashes(own).metadata).toStrictEqual({ name: 'rule' });
  });
});
