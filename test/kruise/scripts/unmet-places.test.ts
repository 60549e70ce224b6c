/** Which steps of a stack make a finding about a script matter. */
import { describe, expect, it } from 'vitest';
import { type Finding, Manifest, World } from '../../../src/core';
import { asMet, stepsIn } from '../../../src/kruise/scripts/unmet';
import { rollout, trafficRouting } from './cases';

const finding = (rule: string): Finding => ({ rule, severity: 'error', message: 'the script does that' }) as Finding;
const isMet = (rule: string, ...steps: readonly object[]) => {
  const found = finding(rule);
  const shown = asMet(found, steps as never);
  if (shown === found) return true;
  expect(shown).toEqual({
    ...found,
    severity: 'note',
    message: 'the script does that (no step of this stack has that)',
  });
  return false;
};
const match = (...matches: readonly object[]) => ({ matches });
const header = (name: unknown, value: unknown = 'v', type: unknown = 'Exact') =>
  match({ headers: [{ name, value, type }] });
const WEIGHT = { traffic: '20%' };

describe('a finding about steps', () => {
  it.each<[rule: string, met: readonly object[], unmet: readonly object[]]>([
    [
      'lua-path-ignored',
      [match({ path: { value: '/' } }), match({}, { path: {} })],
      [WEIGHT, match(), match({ headers: [{ name: 'path' }] }), match({ queryParams: [{ name: 'a' }] })],
    ],
    [
      'lua-query-ignored',
      [match({ queryParams: [{ name: 'a' }] }), match({}, { queryParams: [{}] })],
      [WEIGHT, match({ queryParams: [] }), match({ path: {} }), header('a')],
    ],
    [
      'lua-header-ignored',
      [header('a'), match({}, { headers: [{}] })],
      [WEIGHT, match({}), match({ headers: [] }), match({ path: {} })],
    ],
    ['lua-alternative-ignored', [match({}, {}), match({}, {}, {})], [WEIGHT, match(), match({}), header('a')]],
    [
      'lua-match-widened',
      [match({}), match({ path: {} }), match({ headers: [] }), match({ headers: [{}] }, {})],
      [WEIGHT, match(), header('a')],
    ],
    [
      'lua-header-modifier-ignored',
      [{ requestHeaderModifier: {} }, { ...WEIGHT, requestHeaderModifier: null }],
      [WEIGHT, header('a')],
    ],
    [
      'lua-weight-beside-matches',
      [
        { ...WEIGHT, ...match({}) },
        { weight: 5, ...match({}) },
        { weight: 0, ...match({}) },
      ],
      [WEIGHT, { weight: 5 }, match({}), { ...WEIGHT, ...match() }],
    ],
    [
      'lua-header-renamed',
      [
        header('x-cookie'),
        header('COOKIE-x'),
        header('cookies'),
        match({ headers: [{ name: 'a' }, { name: 'x-cookie' }] }),
      ],
      [WEIGHT, header('cookie'), header('Cookie'), header('cook'), header(undefined), match({})],
    ],
    [
      'lua-header-value-split',
      [header('a', 'x;y'), header('a', 'x,y'), header('a', ';')],
      [WEIGHT, header('a', 'x y'), header('a;b', 'x'), header('a', 5), match({})],
    ],
    [
      'lua-alb-regex-as-glob',
      [header('a', 'b', 'RegularExpression')],
      [WEIGHT, header('a'), header('a', 'b', undefined), match({ queryParams: [{ type: 'RegularExpression' }] })],
    ],
    [
      'lua-alb-wildcard-unescaped',
      [header('a', 'b*'), header('a', '?'), header('a', '*', undefined)],
      [WEIGHT, header('a', 'b'), header('a', 'b*', 'RegularExpression'), header('*', 'b')],
    ],
    [
      'lua-alb-cookie-whole-header',
      [header('cookie'), header('Cookie'), header('x-cookie')],
      [WEIGHT, header('cook'), header('a', 'cookie'), match({})],
    ],
  ])('of %s', (rule, met, unmet) => {
    for (const step of met) {
      expect(isMet(rule, step)).toBe(true);
      expect(isMet(rule, WEIGHT, step)).toBe(true);
      expect(isMet(rule, step, WEIGHT)).toBe(true);
    }
    for (const step of unmet) expect(isMet(rule, step)).toBe(false);
    expect(isMet(rule, ...unmet)).toBe(false);
    expect(isMet(rule)).toBe(true);
  });

  it('is never unmet for other rules', () => {
    for (const rule of ['lua-weight-ignored', 'lua-crash', 'lua-stale-annotation', 'toString']) {
      expect(isMet(rule, WEIGHT)).toBe(true);
    }
  });
});

describe('the steps of a stack', () => {
  const stepsOf = (...objects: readonly object[]) =>
    stepsIn(World.of(objects.map((object) => Manifest.of(object as never))));

  it('are those of Rollouts with routes', () => {
    const named = (name: string, object: ReturnType<typeof rollout>) => ({ ...object, metadata: { name } });
    expect(
      stepsOf(
        named('a', rollout([WEIGHT, { replicas: 1 }])),
        named('b', rollout([{ traffic: '5%' }], 'blueGreen')),
        named('c', rollout([{ traffic: '6%' }], 'canary', { trafficRoutings: [] })),
        named('d', rollout([{ traffic: '7%' }], 'canary', { trafficRoutings: undefined })),
        named('e', rollout([])),
      ),
    ).toEqual([WEIGHT, { replicas: 1 }, { traffic: '5%' }]);
  });

  it('are those of TrafficRoutings', () => {
    const named = (name: string, strategy: unknown) => ({ ...trafficRouting(strategy as object), metadata: { name } });
    expect(stepsOf(named('a', { weight: 5 }), named('b', undefined), named('c', 'text'))).toEqual([
      { weight: 5 },
      {},
      {},
    ]);
  });

  it('are none of other kinds', () => {
    expect(stepsOf({ ...rollout([WEIGHT]), apiVersion: 'argoproj.io/v1alpha1' })).toEqual([]);
    expect(stepsOf()).toEqual([]);
    expect(stepsOf({ ...rollout([WEIGHT]), spec: undefined })).toEqual([]);
    expect(stepsOf({ ...rollout([WEIGHT]), spec: { strategy: { canary: 'x' } } })).toEqual([]);
  });
});
