/** The routing of a step read from odd manifests: what is kept, what is refused and why. */
import { describe, expect, it } from 'vitest';
import {
  readStrategy,
  routingOfRollout,
  routingOfTrafficRouting,
  stepsOfRollout,
  trafficWeight,
} from '../../src/kruise/routing';
import { KruiseRolloutVersion } from '../../src/kruise/version';
import { rollout, rolloutV1alpha1, trafficRouting } from './manifests';

const { V0_5_5 } = KruiseRolloutVersion;
const STEP = 'spec.strategy.canary.steps[0]';
const ROUTE = 'spec.strategy.canary.trafficRoutings[0]';

describe('a field of a step', () => {
  it.each<[step: unknown, strategy: object, refused: readonly string[]]>([
    [{ traffic: '20%' }, { traffic: '20%' }, []],
    [{ traffic: null, matches: null, requestHeaderModifier: null }, {}, []],
    [{ traffic: true }, {}, [`${STEP}.traffic is true: must be a string`]],
    [{ traffic: ['20%'] }, {}, [`${STEP}.traffic is a list: must be a string`]],
    [{ traffic: {} }, {}, [`${STEP}.traffic is an object: must be a string`]],
    ['text', {}, [`${STEP} is text: must be an object`]],
    [5, {}, [`${STEP} is 5: must be an object`]],
    [{ matches: 'x' }, {}, [`${STEP}.matches is x: must be a list`]],
    [{ matches: [] }, { matches: [] }, []],
    [{ matches: [5] }, { matches: [{}] }, [`${STEP}.matches[0] is 5: must be an object`]],
    [{ matches: [null] }, { matches: [{}] }, []],
    [{ matches: [{ headers: [] }] }, { matches: [{}] }, []],
    [{ matches: [{ headers: 5 }] }, { matches: [{}] }, [`${STEP}.matches[0].headers is 5: must be a list`]],
    [
      { matches: [{ headers: [null, 5, {}] }] },
      { matches: [{ headers: Array(3).fill({ type: 'Exact', name: '', value: '' }) }] },
      [`${STEP}.matches[0].headers[1] is 5: must be an object`],
    ],
    [
      { matches: [{ headers: [{ type: 1, name: 2, value: 3 }] }] },
      { matches: [{ headers: [{ type: 'Exact', name: '', value: '' }] }] },
      [
        `${STEP}.matches[0].headers[0].type is 1: must be a string`,
        `${STEP}.matches[0].headers[0].name is 2: must be a string`,
        `${STEP}.matches[0].headers[0].value is 3: must be a string`,
      ],
    ],
    [
      {
        matches: [
          { queryParams: [{ type: 'RegularExpression', name: 'a', value: 'b' }], path: { type: 'Exact', value: 5 } },
        ],
      },
      {
        matches: [
          { path: { type: 'Exact', value: '/' }, queryParams: [{ type: 'RegularExpression', name: 'a', value: 'b' }] },
        ],
      },
      [`${STEP}.matches[0].path.value is 5: must be a string`],
    ],
    [{ matches: [{ path: 'x' }] }, { matches: [{}] }, [`${STEP}.matches[0].path is x: must be an object`]],
    [{ requestHeaderModifier: {} }, { requestHeaderModifier: {} }, []],
    [{ requestHeaderModifier: { set: [], add: [], remove: [] } }, { requestHeaderModifier: {} }, []],
    [
      { requestHeaderModifier: { set: [{ name: 'a', value: 'b' }], add: [{ name: 'c' }], remove: ['d', 5] } },
      {
        requestHeaderModifier: { set: [{ name: 'a', value: 'b' }], add: [{ name: 'c', value: '' }], remove: ['d', ''] },
      },
      [`${STEP}.requestHeaderModifier.remove[1] is 5: must be a string`],
    ],
    [
      { requestHeaderModifier: { set: 'a', remove: 'b' } },
      { requestHeaderModifier: {} },
      [
        `${STEP}.requestHeaderModifier.remove is b: must be a list`,
        `${STEP}.requestHeaderModifier.set is a: must be a list`,
      ],
    ],
  ])('%j', (step, strategy, refused) => {
    const routing = routingOfRollout(rollout(step), 0)!;
    expect(routing.strategy).toStrictEqual(strategy);
    expect([...routing.refused].sort()).toEqual([...refused].sort());
  });

  it.each<[step: unknown, strategy: object, refused: readonly string[]]>([
    [{ weight: 20 }, { traffic: '20%' }, []],
    [{ weight: null }, {}, []],
    [{ weight: 2.5 }, {}, [`${STEP}.weight is 2.5: must be a whole number`]],
    [{ weight: '5' }, {}, [`${STEP}.weight is 5: must be a whole number`]],
    [{ traffic: '20%' }, {}, []],
    [{ matches: [] }, {}, []],
    [
      { matches: [{ path: 5, queryParams: 5, headers: [{ name: 'a', value: 'b' }] }] },
      { matches: [{ headers: [{ type: 'Exact', name: 'a', value: 'b' }] }] },
      [],
    ],
  ])('of v1alpha1: %j', (step, strategy, refused) => {
    const routing = routingOfRollout(rolloutV1alpha1(step), 0)!;
    expect(routing.strategy).toStrictEqual(strategy);
    expect(routing.refused).toEqual(refused);
  });

  it('has no path of its own without a Rollout', () => {
    const matches = [{ path: {}, headers: [{ name: 'a', value: 'b' }] }];
    expect(readStrategy({ matches }, { withoutCrdDefaults: false })).toStrictEqual({
      matches: [{ path: { type: 'PathPrefix', value: '/' }, headers: [{ type: 'Exact', name: 'a', value: 'b' }] }],
    });
    expect(readStrategy({ matches }, { withoutCrdDefaults: true })).toStrictEqual({
      matches: [{ path: {}, headers: [{ name: 'a', value: 'b' }] }],
    });
    expect(readStrategy({ matches, weight: 5 }, { v1alpha1: true })).toStrictEqual({
      traffic: '5%',
      matches: [{ headers: [{ type: 'Exact', name: 'a', value: 'b' }] }],
    });
    expect(readStrategy({ matches }, { version: V0_5_5 })).toStrictEqual({
      matches: [{ headers: [{ type: 'Exact', name: 'a', value: 'b' }] }],
    });
    expect(readStrategy(undefined)).toStrictEqual({});
  });
});

describe('a route', () => {
  const routed = (route: object) => {
    const { strategy: _strategy, ...rest } = routingOfRollout(rollout({}, { trafficRouting: route }), 0)!;
    return rest;
  };
  const base = { namespace: 'shop', stableService: 'web', canaryService: 'web-canary' };

  it.each<[route: object, routing: object, refused: readonly string[]]>([
    [{ service: 'web' }, base, []],
    [{}, { ...base, stableService: '', canaryService: '-canary' }, []],
    [
      { service: 5 },
      { ...base, stableService: '', canaryService: '-canary' },
      [`${ROUTE}.service is 5: must be a string`],
    ],
    [{ service: 'web', ingress: {} }, { ...base, ingress: { name: '', classType: '' } }, []],
    [{ service: 'web', ingress: null }, base, []],
    [{ service: 'web', ingress: 'web' }, base, [`${ROUTE}.ingress is web: must be an object`]],
    [
      { service: 'web', ingress: { name: 5, classType: 6 } },
      { ...base, ingress: { name: '', classType: '' } },
      [`${ROUTE}.ingress.name is 5: must be a string`, `${ROUTE}.ingress.classType is 6: must be a string`],
    ],
    [{ service: 'web', customNetworkRefs: [] }, { ...base, customNetworkRefs: [] }, []],
    [{ service: 'web', customNetworkRefs: {} }, base, [`${ROUTE}.customNetworkRefs is an object: must be a list`]],
    [
      { service: 'web', customNetworkRefs: [{ apiVersion: 'a/v1', kind: 'B', name: 'c' }, null, 5] },
      {
        ...base,
        customNetworkRefs: [
          { apiVersion: 'a/v1', kind: 'B', name: 'c' },
          { apiVersion: '', kind: '', name: '' },
          { apiVersion: '', kind: '', name: '' },
        ],
      },
      [`${ROUTE}.customNetworkRefs[2] is 5: must be an object`],
    ],
    [
      { service: 'web', customNetworkRefs: [{ apiVersion: 1, kind: 2, name: 3 }] },
      { ...base, customNetworkRefs: [{ apiVersion: '', kind: '', name: '' }] },
      [
        `${ROUTE}.customNetworkRefs[0].apiVersion is 1: must be a string`,
        `${ROUTE}.customNetworkRefs[0].kind is 2: must be a string`,
        `${ROUTE}.customNetworkRefs[0].name is 3: must be a string`,
      ],
    ],
  ])('%j', (route, routing, refused) => {
    expect(routed(route)).toStrictEqual({ ...routing, refused });
  });

  it('is in the default namespace where there is none', () => {
    const { metadata: _metadata, ...nameless } = rollout({ traffic: '20%' });
    expect(routingOfRollout(nameless, 0)!.namespace).toBe('default');
  });

  it('is that of blue-green where there is no canary', () => {
    const { spec, ...rest } = rollout({ traffic: '20%' }, { blueGreen: true });
    const both = { ...rest, spec: { ...spec, strategy: { ...spec.strategy, canary: { steps: [{}, {}] } } } };
    expect(stepsOfRollout(both)).toBe(2);
    expect(routingOfRollout(both, 0)).toBeUndefined();
    const odd = { ...rest, spec: { ...spec, strategy: { ...spec.strategy, canary: 5 } } };
    expect(stepsOfRollout(odd)).toBe(1);
    expect(routingOfRollout(odd, 0)!.refused).toEqual([]);
    expect(stepsOfRollout({ ...odd, apiVersion: 'rollouts.kruise.io/v1alpha1' })).toBe(0);
    const refused = routingOfRollout(rollout({ traffic: 5 }, { blueGreen: true }), 0)!.refused;
    expect(refused).toEqual(['spec.strategy.blueGreen.steps[0].traffic is 5: must be a string']);
  });

  it('of a TrafficRouting has paths of its own', () => {
    expect(routingOfTrafficRouting(trafficRouting({ weight: 'x' }))!.refused).toEqual([
      'spec.strategy.weight is x: must be a whole number',
    ]);
    const spec = { objectRef: [{ service: 5 }], strategy: { weight: 5 } };
    expect(routingOfTrafficRouting({ spec })).toStrictEqual({
      namespace: 'default',
      stableService: '',
      canaryService: '',
      strategy: { traffic: '5%' },
      refused: ['spec.objectRef[0].service is 5: must be a string'],
    });
  });
});

describe('the traffic in percent', () => {
  it.each<[traffic: string, weight: number]>([
    ['2147483647%', 2147483647],
    ['2147483648%', -2147483648],
    ['4294967296%', 0],
    ['-1%', -1],
    ['9223372036854775807%', -1],
    ['-9223372036854775808%', 0],
    ['9007199254740993%', 1],
    ['9223372036854775808%', 0],
    ['-0%', 0],
    ['x5%', 0],
    ['5%x', 0],
    ['5 %', 0],
  ])('%s is %i', (traffic, weight) => {
    expect(trafficWeight({ traffic })).toBe(weight);
  });
});
