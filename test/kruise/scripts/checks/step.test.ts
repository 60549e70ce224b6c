/** The steps that scripts are tried with: what they are, how messages name them, and which release knows them. */
import { describe, expect, it } from 'vitest';
import type { HttpRouteMatch } from '../../../../src/kruise/api';
import {
  byBothHeaders,
  byHeader,
  byPath,
  byPattern,
  byQuery,
  creation,
  describeRun,
  describeStep,
  header,
  isKnownTo,
  matching,
  pattern,
  type SampleStep,
  shapes,
  weight,
} from '../../../../src/kruise/scripts/checks/step';
import { KruiseRolloutVersion } from '../../../../src/kruise/version';

const exact = (name: string, value: string) => ({ type: 'Exact', name, value });
const user = exact('x-user', 'u1');
const agent = exact('user-agent', 'pc');
const query = exact('v', '2');
const path = { type: 'PathPrefix', value: '/v2' };
const canary = [{ name: 'x-canary', value: 'yes' }];

describe('the sample steps', () => {
  it('have every shape of input that the API server accepts', () => {
    expect(shapes.map((step) => [describeStep(step), step])).toEqual([
      ['a step with traffic 0%', { traffic: '0%' }],
      ['a step with traffic 20%', { traffic: '20%' }],
      ['a step with traffic 100%', { traffic: '100%' }],
      ['a step with a match on header x-user: u1', { matches: [{ headers: [user] }] }],
      [
        'a step with a match on header x-user (expression ^(user-[0-9]+)$)',
        { matches: [{ headers: [{ type: 'RegularExpression', name: 'x-user', value: '^(user-[0-9]+)$' }] }] },
      ],
      ['a step with a match on header x-user: u1 and header user-agent: pc', { matches: [{ headers: [user, agent] }] }],
      [
        'a step with 2 matches on header x-user: u1 or header user-agent: pc',
        { matches: [{ headers: [user] }, { headers: [agent] }] },
      ],
      ['a step with a match on path /v2', { matches: [{ path }] }],
      ['a step with a match on query parameter v: 2', { matches: [{ queryParams: [query] }] }],
      [
        'a step with a match on header x-user: u1 and path /v2 and query parameter v: 2',
        { matches: [{ headers: [user], path, queryParams: [query] }] },
      ],
      ['a step with a match on nothing', { matches: [{}] }],
      ['a step with traffic 20% and a match on header x-user: u1', { traffic: '20%', matches: [{ headers: [user] }] }],
      ['a step with traffic 20% and empty matches', { traffic: '20%', matches: [] }],
      [
        'a step with traffic 20% and a requestHeaderModifier with set only',
        { traffic: '20%', requestHeaderModifier: { set: canary } },
      ],
      [
        'a step with traffic 20% and a requestHeaderModifier with add only',
        { traffic: '20%', requestHeaderModifier: { add: canary } },
      ],
      [
        'a step with traffic 20% and a requestHeaderModifier with remove only',
        { traffic: '20%', requestHeaderModifier: { remove: ['x-internal'] } },
      ],
      ['a step with traffic 20% and an empty requestHeaderModifier', { traffic: '20%', requestHeaderModifier: {} }],
      [
        'a step with a match on header x-user: u1 and a requestHeaderModifier with set only',
        { matches: [{ headers: [user] }], requestHeaderModifier: { set: canary } },
      ],
    ]);
  });
});

describe('a message', () => {
  it.each<[step: SampleStep, text: string]>([
    [matching({ path: { type: 'Exact' } }), 'a step with a match on path /'],
    [matching({ path: { type: 'Exact', value: '/a' } }), 'a step with a match on path /a'],
    [matching({ headers: [] }), 'a step with a match on nothing'],
    [matching({ queryParams: [] }), 'a step with a match on nothing'],
    [
      matching({ queryParams: [pattern('v', '2.*'), header('w', '3')] }),
      'a step with a match on query parameter v (expression 2.*) and query parameter w: 3',
    ],
    [matching({ ...byPath, ...byQuery }), 'a step with a match on path /v2 and query parameter v: 2'],
    [
      matching(byHeader, byPath, byQuery),
      'a step with 3 matches on header x-user: u1 or path /v2 or query parameter v: 2',
    ],
    [matching(), 'a step with empty matches'],
    [
      { requestHeaderModifier: { remove: ['a'], set: canary } },
      'a step with a requestHeaderModifier with set and remove only',
    ],
    [
      { requestHeaderModifier: { remove: [], add: [], set: [] } },
      'a step with a requestHeaderModifier with set and add and remove only',
    ],
    [
      { traffic: '5%', matches: [byHeader], requestHeaderModifier: {} },
      'a step with traffic 5% and a match on header x-user: u1 and an empty requestHeaderModifier',
    ],
  ])('names the step %j', (step, text) => {
    expect(describeStep(step)).toBe(text);
  });

  it.each<[step: SampleStep, ingress: string, custom: string]>([
    [creation, 'the run that creates the canary Ingress', 'a step with traffic 0%'],
    [weight(1), 'a step with traffic 1%', 'a step with traffic 1%'],
    [
      { traffic: '0%', matches: [] },
      'a step with traffic 0% and empty matches',
      'a step with traffic 0% and empty matches',
    ],
    [matching(byPath), 'a step with a match on path /v2', 'a step with a match on path /v2'],
    [
      { traffic: '0%', requestHeaderModifier: {} },
      'the run that creates the canary Ingress',
      'a step with traffic 0% and an empty requestHeaderModifier',
    ],
  ])('names the run of %j', (step, ingress, custom) => {
    expect(describeRun('ingress', step)).toBe(ingress);
    expect(describeRun('custom', step)).toBe(custom);
  });
});

describe('a release knows', () => {
  const { facts } = KruiseRolloutVersion.LATEST;
  const NONE = {
    ...facts,
    ingressRequestHeaderModifier: false,
    customRequestHeaderModifier: false,
    pathAndQueryMatches: false,
  };
  /** The facts that make a step known to each provider. */
  const needs = (step: SampleStep) =>
    (['ingressRequestHeaderModifier', 'customRequestHeaderModifier', 'pathAndQueryMatches'] as const).flatMap(
      (fact) => {
        const rest = { ...facts, [fact]: false };
        return (['ingress', 'custom'] as const).flatMap((provider) =>
          isKnownTo(rest, provider, step) ? [] : [`${fact} for ${provider}`],
        );
      },
    );
  const BOTH = ['pathAndQueryMatches for ingress', 'pathAndQueryMatches for custom'];
  const MODIFIERS = ['ingressRequestHeaderModifier for ingress', 'customRequestHeaderModifier for custom'];

  it.each<[match: HttpRouteMatch, needed: readonly string[]]>([
    [byHeader, []],
    [byPattern, []],
    [byBothHeaders, []],
    [{ headers: [] }, []],
    [byPath, BOTH],
    [byQuery, BOTH],
    [{}, BOTH],
    [{ ...byHeader, ...byPath }, BOTH],
    [{ ...byHeader, ...byQuery }, BOTH],
  ])('a match %j with %j', (match, needed) => {
    expect(needs(matching(match))).toEqual(needed);
    expect(needs(matching(byHeader, match))).toEqual(needed);
    expect(needs(matching(match, byHeader))).toEqual(needed);
    expect(needs({ ...weight(20), ...matching(match) })).toEqual(needed);
  });

  it.each<[step: SampleStep, needed: readonly string[]]>([
    [weight(20), []],
    [matching(), []],
    [{ traffic: '20%', requestHeaderModifier: {} }, MODIFIERS],
    [{ ...matching(byHeader), requestHeaderModifier: { remove: ['a'] } }, MODIFIERS],
    [{ ...matching(byPath), requestHeaderModifier: {} }, [...MODIFIERS, ...BOTH]],
  ])('the step %j with %j', (step, needed) => {
    expect(needs(step)).toEqual(needed);
    for (const provider of ['ingress', 'custom'] as const) {
      expect(isKnownTo(facts, provider, step)).toBe(true);
      expect(isKnownTo(NONE, provider, step)).toBe(needed.length === 0);
    }
  });
});
