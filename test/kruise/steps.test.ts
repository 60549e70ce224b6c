import { describe, expect, it } from 'vitest';
import { HeaderMatch, KruiseRolloutStep, PathMatch, QueryParamMatch, RouteMatch } from '../../src/kruise/steps';

describe('KruiseRolloutStep', () => {
  it('writes the step of the API', () => {
    expect(KruiseRolloutStep.traffic('20%')).toStrictEqual({ traffic: '20%', replicas: '20%' });
    expect(KruiseRolloutStep.traffic(20, { replicas: 3, pause: {} })).toStrictEqual({
      traffic: '20%',
      replicas: 3,
      pause: {},
    });
    expect(KruiseRolloutStep.replicas('50%', { pause: { duration: 60 } })).toStrictEqual({
      replicas: '50%',
      pause: { duration: 60 },
    });
    const requestHeaderModifier = { set: [{ name: 'x-canary', value: 'true' }] };
    expect(
      KruiseRolloutStep.matches([HeaderMatch.exact('user-agent', 'pc')], { replicas: 1, requestHeaderModifier }),
    ).toStrictEqual({
      matches: [{ headers: [{ type: 'Exact', name: 'user-agent', value: 'pc' }] }],
      requestHeaderModifier,
      replicas: 1,
    });
  });

  it('accepts a duration as pause', () => {
    const pause = { toSeconds: () => 90 };
    expect(KruiseRolloutStep.traffic('20%', { pause }).pause).toStrictEqual({ duration: 90 });
  });

  it.each([-1, 101, 0.5])('rejects %s percent of traffic', (share) => {
    expect(() => KruiseRolloutStep.traffic(share)).toThrow(
      `traffic is ${share}: use a whole percentage from 0 to 100, such as 20 or "20%"`,
    );
  });
});

describe('matches', () => {
  it('are the conditions of the API', () => {
    expect(HeaderMatch.regularExpression('a', 'b.*')).toStrictEqual({
      headers: [{ type: 'RegularExpression', name: 'a', value: 'b.*' }],
    });
    expect(QueryParamMatch.exact('v', '2')).toStrictEqual({ queryParams: [{ type: 'Exact', name: 'v', value: '2' }] });
    expect(QueryParamMatch.regularExpression('v', '2|3')).toStrictEqual({
      queryParams: [{ type: 'RegularExpression', name: 'v', value: '2|3' }],
    });
    expect(PathMatch.exact('/a')).toStrictEqual({ path: { type: 'Exact', value: '/a' } });
    expect(PathMatch.prefix('/a')).toStrictEqual({ path: { type: 'PathPrefix', value: '/a' } });
    expect(PathMatch.regularExpression('/a.*')).toStrictEqual({ path: { type: 'RegularExpression', value: '/a.*' } });
  });

  it('are merged into one', () => {
    expect(
      RouteMatch.allOf(
        HeaderMatch.exact('a', '1'),
        PathMatch.prefix('/cart'),
        HeaderMatch.exact('b', '2'),
        QueryParamMatch.exact('v', '2'),
      ),
    ).toStrictEqual({
      path: { type: 'PathPrefix', value: '/cart' },
      headers: [
        { type: 'Exact', name: 'a', value: '1' },
        { type: 'Exact', name: 'b', value: '2' },
      ],
      queryParams: [{ type: 'Exact', name: 'v', value: '2' }],
    });
  });

  it('have one path', () => {
    expect(() => RouteMatch.allOf(PathMatch.prefix('/a'), PathMatch.prefix('/b'))).toThrow(
      'a match can have one path, not "/a" and "/b": write two matches instead, because one of them is enough',
    );
  });
});
