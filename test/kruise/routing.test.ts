import { describe, expect, test } from 'vitest';
import {
  readStrategy,
  routesTraffic,
  routingOfRollout,
  routingOfTrafficRouting,
  stepsOfRollout,
  trafficWeight,
} from '../../src/kruise/routing';
import { KruiseRolloutVersion } from '../../src/kruise/version';
import { rollout, rolloutV1alpha1, trafficRouting } from './manifests';

const { V0_5_0 } = KruiseRolloutVersion;
const header = { name: 'x-user', value: 'u1' };

describe('weight of a step', () => {
  test.each([
    [undefined, -1],
    ['20%', 20],
    ['100%', 100],
    ['0%', 0],
    ['+5%', 5],
    ['-5%', -5],
    ['007%', 7],
    ['20', 0],
    ['20.5%', 0],
    ['', 0],
    ['%', 0],
    ['a%', 0],
    [' 5%', 0],
    ['4294967297%', 1],
    ['99999999999999999999%', 0],
  ])('%j is %i', (traffic, weight) => {
    expect(trafficWeight({ traffic })).toBe(weight);
  });
});

describe('a Rollout in v1beta1', () => {
  test('names the Services and the Ingress', () => {
    const routing = routingOfRollout(rollout({ traffic: '20%' }), 0);
    expect(routing).toEqual({
      namespace: 'shop',
      stableService: 'web',
      canaryService: 'web-canary',
      ingress: { name: 'web', classType: 'demo' },
      strategy: { traffic: '20%' },
      refused: [],
    });
  });

  test('routes to the stable Service itself with disableGenerateCanaryService', () => {
    const manifest = rollout({ traffic: '20%' }, { strategy: { disableGenerateCanaryService: true } });
    expect(routingOfRollout(manifest, 0)?.canaryService).toBe('web');
    expect(routingOfRollout(manifest, 0, { version: V0_5_0 })?.canaryService).toBe('web-canary');
  });

  test('may be blue-green from 0.6 on', () => {
    const manifest = rollout({ traffic: '0%' }, { blueGreen: true });
    expect(routingOfRollout(manifest, 0)?.strategy).toEqual({ traffic: '0%' });
    expect(routingOfRollout(manifest, 0, { version: V0_5_0 })).toBeUndefined();
    expect(stepsOfRollout(manifest)).toBe(1);
  });

  test('has no routing without trafficRoutings or without such a step', () => {
    expect(routingOfRollout(rollout({}, { strategy: { trafficRoutings: [] } }), 0)).toBeUndefined();
    expect(routingOfRollout(rollout({ traffic: '20%' }), 1)).toBeUndefined();
    expect(routingOfRollout(rollout({ traffic: '20%' }), -1)).toBeUndefined();
    expect(routingOfRollout(null, 0)).toBeUndefined();
  });

  test('names the fields that the API server would reject', () => {
    const manifest = rollout({ traffic: 20, matches: {}, requestHeaderModifier: [] });
    const routing = routingOfRollout(manifest, 0);
    expect(routing?.strategy).toEqual({});
    expect(routing?.refused).toEqual([
      'spec.strategy.canary.steps[0].matches is an object: must be a list',
      'spec.strategy.canary.steps[0].traffic is 20: must be a string',
      'spec.strategy.canary.steps[0].requestHeaderModifier is a list: must be an object',
    ]);
  });

  test('fills in the defaults of the CRD', () => {
    const step = { matches: [{ headers: [header], queryParams: [header], path: { value: '/v2' } }, { path: {} }] };
    expect(readStrategy(step).matches).toEqual([
      {
        path: { type: 'PathPrefix', value: '/v2' },
        headers: [{ type: 'Exact', ...header }],
        queryParams: [{ type: 'Exact', ...header }],
      },
      { path: { type: 'PathPrefix', value: '/' } },
    ]);
    expect(readStrategy(step, { withoutCrdDefaults: true }).matches).toEqual([
      { path: { value: '/v2' }, headers: [header], queryParams: [header] },
      { path: {} },
    ]);
  });

  test('defaults a null like an absent field', () => {
    const step = { matches: [{ headers: [{ ...header, type: null }], path: null }], requestHeaderModifier: null };
    expect(readStrategy(step)).toEqual({ matches: [{ headers: [{ type: 'Exact', ...header }] }] });
  });

  test('loses path and queryParams before 0.6', () => {
    const step = { matches: [{ headers: [header], path: { value: '/v2' }, queryParams: [header] }] };
    expect(readStrategy(step, { version: V0_5_0 }).matches).toEqual([{ headers: [{ type: 'Exact', ...header }] }]);
  });

  test('loses fields that the API does not have', () => {
    const step = { traffic: '5%', weight: 7, matches: [{ method: 'GET', headers: [{ ...header, exact: true }] }] };
    expect(readStrategy(step)).toEqual({ traffic: '5%', matches: [{ headers: [{ type: 'Exact', ...header }] }] });
  });
});

describe('a Rollout in v1alpha1', () => {
  test('has its weight as a percentage', () => {
    expect(routingOfRollout(rolloutV1alpha1({ weight: 20 }), 0)?.strategy).toEqual({ traffic: '20%' });
    expect(routingOfRollout(rolloutV1alpha1({ weight: 0 }), 0)?.strategy).toEqual({ traffic: '0%' });
    expect(routingOfRollout(rolloutV1alpha1({ traffic: '20%' }), 0)?.strategy).toEqual({});
  });

  test('matches by headers only, and drops an empty list of matches', () => {
    const step = { weight: 5, matches: [{ headers: [header], path: { value: '/v2' }, queryParams: [header] }] };
    const strategy = routingOfRollout(rolloutV1alpha1(step), 0)?.strategy;
    expect(strategy).toEqual({ traffic: '5%', matches: [{ headers: [{ type: 'Exact', ...header }] }] });
    expect(routingOfRollout(rolloutV1alpha1({ weight: 5, matches: [] }), 0)?.strategy).toEqual({ traffic: '5%' });
  });

  test('loses disableGenerateCanaryService on conversion', () => {
    const manifest = rolloutV1alpha1({ weight: 5 }, { disableGenerateCanaryService: true });
    expect(routingOfRollout(manifest, 0)?.canaryService).toBe('web-canary');
  });

  test('reports an invalid weight', () => {
    expect(routingOfRollout(rolloutV1alpha1({ weight: '20%' }), 0)?.refused).toEqual([
      'spec.strategy.canary.steps[0].weight is 20%: must be a whole number',
    ]);
  });
});

describe('a TrafficRouting', () => {
  test('always routes to the stable Service', () => {
    expect(routingOfTrafficRouting(trafficRouting({ weight: 30 }))).toEqual({
      namespace: 'shop',
      stableService: 'web',
      canaryService: 'web',
      ingress: { name: 'web', classType: '' },
      strategy: { traffic: '30%' },
      refused: [],
    });
  });

  test('defaults the type of a header and loses an empty list of matches', () => {
    const strategy = (value: unknown) => routingOfTrafficRouting(trafficRouting(value))?.strategy;
    expect(strategy({ matches: [{ headers: [header] }] })?.matches).toEqual([
      { headers: [{ type: 'Exact', ...header }] },
    ]);
    expect(strategy({ weight: 1, matches: [] })).toEqual({ traffic: '1%' });
  });

  test('has no routing without objectRef', () => {
    expect(routingOfTrafficRouting({ spec: { strategy: { weight: 1 } } })).toBeUndefined();
  });
});

test('a step routes traffic if it has a weight or at least one match', () => {
  expect(routesTraffic({})).toBe(false);
  expect(routesTraffic({ matches: [] })).toBe(false);
  expect(routesTraffic({ requestHeaderModifier: {} })).toBe(false);
  expect(routesTraffic({ matches: [{}] })).toBe(true);
  expect(routesTraffic({ traffic: '0%' })).toBe(true);
});
