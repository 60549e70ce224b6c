/** Listeners that try their rules one after the other, and the Services that clients of a mesh mean. */
import { describe, expect, it } from 'vitest';
import { Manifest } from '../../src/core';
import { routeOf, withShares } from '../../src/routers';
import { fixedResponse, listenerOf, once } from '../../src/routers/listener';
import { requestedService } from '../../src/routers/requested-service';
import { service, worldOf } from './stack';

const at = (host: string) => ({ host, path: '/' });
const asked = (path: string) => ({ host: 'a', path });

describe('the Service that a host means', () => {
  const world = worldOf(
    service('web'),
    service('web', 'team'),
    service('only', 'team'),
    service('two', 'a'),
    service('two', 'b'),
  );

  it.each<[string, string | undefined, string | undefined]>([
    ['web', undefined, 'default/web'],
    ['web', 'team', 'team/web'],
    ['web', 'other', undefined],
    ['only', undefined, 'team/only'],
    ['only', 'default', undefined],
    ['two', undefined, undefined],
    ['none', undefined, undefined],
    ['web.team', undefined, 'team/web'],
    ['web.team', 'default', 'team/web'],
    ['web.team.svc', undefined, 'team/web'],
    ['web.team.svc.cluster.local', undefined, 'team/web'],
    ['web.none', undefined, undefined],
    ['web.team.cluster.local', undefined, undefined],
    ['a.web.team', undefined, undefined],
    ['webxsvc', undefined, undefined],
  ])('%s to a client of %s is %s', (host, namespace, expected) => {
    const found = requestedService(world, host, namespace);
    expect(found && `${found.namespace}/${found.name}`).toBe(expected);
  });
});

describe('a listener', () => {
  const manifest = Manifest.of({ apiVersion: 'v1', kind: 'Service', metadata: { name: 's' } } as never);
  const rule = (description: string) => ({ description, manifest, path: ['spec'] });
  const candidate = (description: string, takes: boolean) => ({
    rule: rule(description),
    matches: () => takes,
    answer: fixedResponse(200),
  });

  it('makes its rules when they are first needed, once', () => {
    let made = 0;
    const listener = listenerOf({
      port: 1,
      protocol: 'HTTPS',
      candidates: () => {
        made++;
        return [candidate('a', false), { ...candidate('b', true), isDefault: true }];
      },
      otherwise: fixedResponse(404),
    });
    expect([made, listener.port, listener.protocol]).toEqual([0, 1, 'HTTPS']);
    expect(listener.route(at('a'))).toEqual({
      answer: { kind: 'fixed-response', statusCode: '200' },
      rule: rule('b'),
      isDefault: true,
    });
    expect(listener.rules.map(({ description }) => description)).toEqual(['a', 'b']);
    expect(listener.rules).toBe(listener.rules);
    expect(made).toBe(1);
  });

  it('tells what is tried before, each with its first condition that fails', () => {
    const conditions = [
      { words: 'one', test: () => true },
      { words: 'two', test: () => false },
      { words: 'three', test: () => false },
    ];
    const met = [{ words: 'four', test: () => true }];
    const listener = listenerOf({
      port: 1,
      protocol: 'HTTP',
      candidates: [
        { ...candidate('a', false), conditions },
        { ...candidate('b', false), conditions: met },
        candidate('c', true),
        candidate('d', true),
      ],
      otherwise: (request) => fixedResponse(404, request.host),
    });
    expect(listener.passedOver!(at('x'))).toEqual([{ rule: rule('a'), failed: 'two' }, { rule: rule('b') }]);
    expect(listener.route(at('x'))).toEqual({
      answer: { kind: 'fixed-response', statusCode: '200' },
      rule: rule('c'),
      isDefault: false,
    });
    const none = listenerOf({
      port: 1,
      protocol: 'HTTP',
      candidates: [],
      reachable: () => [candidate('a', false)],
      otherwise: (request) => fixedResponse(404, request.host),
    });
    expect(none.route(at('x'))).toEqual({
      answer: { kind: 'fixed-response', statusCode: '404', messageBody: 'x' },
      isDefault: true,
    });
    expect(none.passedOver!(at('x'))).toEqual([{ rule: rule('a') }]);
  });

  it('does not know the answer where a candidate does not', () => {
    const unknown = ({ path }: { readonly path: string }) => (path === '/' ? 'why' : undefined);
    const listener = listenerOf({
      port: 1,
      protocol: 'HTTP',
      candidates: [{ ...candidate('a', true), unknown }],
      otherwise: fixedResponse(404),
    });
    expect(listener.route(at('x'))).toEqual({
      answer: { kind: 'unknown', why: 'why' },
      rule: rule('a'),
      isDefault: false,
    });
    expect(listener.route(asked('/y')).answer).toEqual({ kind: 'fixed-response', statusCode: '200' });
  });

  it('is found by its port; a frozen load balancer answers with its reason', () => {
    const listener = listenerOf({
      port: 80,
      protocol: 'HTTP',
      candidates: [candidate('a', true)],
      otherwise: fixedResponse(404),
    });
    const frozen = { kind: 'frozen', reason: 'r', why: 'w' } as const;
    const loadBalancer = { name: 'x', members: [], listeners: [listener] };
    expect(routeOf(loadBalancer, 80, at('a'))?.rule).toEqual(rule('a'));
    expect(routeOf(loadBalancer, 81, at('a'))).toBeUndefined();
    expect(routeOf({ ...loadBalancer, frozen }, 81, at('a'))).toEqual({ answer: frozen, isDefault: false });
  });

  it('makes a value once, even one that is undefined', () => {
    let made = 0;
    const get = once(() => {
      made++;
      return undefined;
    });
    expect([get(), get(), made]).toEqual([undefined, undefined, 1]);
  });

  it('has fixed responses with and without a body', () => {
    expect([fixedResponse(503), fixedResponse(200, ''), fixedResponse(404, 'x')]).toEqual([
      { kind: 'fixed-response', statusCode: '503' },
      { kind: 'fixed-response', statusCode: '200', messageBody: '' },
      { kind: 'fixed-response', statusCode: '404', messageBody: 'x' },
    ]);
  });

  it.each<[number[], number[]]>([
    [[1], [1]],
    [
      [3, 1],
      [0.75, 0.25],
    ],
    [
      [0, 0],
      [0, 0],
    ],
    [
      [-1, 1],
      [0, 1],
    ],
    [
      [-1, -1],
      [0, 0],
    ],
    [[], []],
  ])('shares the weights %j as %j', (weights, shares) => {
    expect(withShares(weights.map((weight) => ({ target: 't', weight })))).toEqual(
      weights.map((weight, index) => ({ target: 't', weight, share: shares[index] })),
    );
  });
});
