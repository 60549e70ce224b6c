import { describe, expect, test } from 'vitest';
import {
  type AlbPass,
  annotationsOf,
  applyCalls,
  callsOf,
  canaryReplicasAt,
  passesOf,
  readAlbRollout,
  restingReplicas,
  stableReplicasAt,
  wayBackOf,
} from '../../../src/argo/controller';
import { ArgoRolloutsVersion } from '../../../src/argo/version';
import { actionOf, forward, ingressOf, pathTo, rolloutOf, SCHEME } from './manifests';

const route = { name: 'hr', match: [{ headerName: 'X', headerValue: { exact: 'y' } }] };
const withSteps = (steps: readonly object[], canary: object = {}, spec: object = {}) =>
  rolloutOf({ managedRoutes: ['hr'], canary: { ...rolloutOf().spec.strategy.canary, steps, ...canary }, spec });

/** A reconcile in one line: `step 0, 5 pods: remove, header, 20`. */
function lineOf({ phase, step, canaryPods, calls }: AlbPass): string {
  const words = calls.map((call) => {
    if (call.call === 'removeManagedRoutes') return 'remove';
    if (call.call === 'setHeaderRoute') return 'header';
    if (call.call === 'setMirrorRoute') return 'mirror';
    return [call.weight, ...(call.experiments ?? []).map((each) => `${each.serviceName} ${each.weight}`)].join(' + ');
  });
  return `${phase}${step === undefined ? '' : ` ${step}`}, ${canaryPods} pods: ${words.join(', ')}`;
}

const linesOf = (rollout: unknown) => passesOf(rollout).map(lineOf);

describe('the calls of a release', () => {
  test('follow the weights, which are set once the first pods are ready', () => {
    expect(linesOf(withSteps([{ setWeight: 20 }, { pause: {} }, { setWeight: 50 }]))).toEqual([
      'idle, 0 pods: remove, 0',
      'step 0, 0 pods: remove, 0',
      'step 0, 1 pods: 20',
      'step 1, 1 pods: 20',
      'step 2, 3 pods: 50',
      'finish, 5 pods: 100',
      'promoted, 0 pods: remove, 0',
    ]);
  });

  test('remove a header route that is set before the canary has pods', () => {
    expect(linesOf(withSteps([{ setHeaderRoute: route }, { setWeight: 20 }])).slice(1, 4)).toEqual([
      'step 0, 0 pods: remove, header, 0',
      'step 1, 0 pods: remove, 0',
      'step 1, 1 pods: 20',
    ]);
  });

  test('set a header route with the weight once the canary has pods, and remove it after promotion', () => {
    const steps = [{ setCanaryScale: { replicas: 1 } }, { setHeaderRoute: route }, { setHeaderRoute: { name: 'hr' } }];
    expect(linesOf(withSteps(steps))).toEqual([
      'idle, 0 pods: remove, 0',
      'step 0, 0 pods: remove, 0',
      'step 0, 1 pods: 0',
      'step 1, 1 pods: header, 0',
      'step 2, 1 pods: header, 0',
      'finish, 5 pods: 100',
      'promoted, 0 pods: remove, 0',
    ]);
  });

  test('remove header routes when the canary is scaled to zero', () => {
    const steps = [{ setWeight: 20 }, { setHeaderRoute: route }, { setWeight: 0 }];
    expect(linesOf(withSteps(steps)).slice(3)).toEqual([
      'step 1, 1 pods: header, 20',
      'step 2, 0 pods: remove, 0',
      'finish, 0 pods: remove, 0',
      'finish, 5 pods: 100',
      'promoted, 0 pods: remove, 0',
    ]);
  });

  test('give experiments their weight, during their step only', () => {
    const templates = [{ name: 'a', weight: 5 }, { name: 'none' }, { name: 'b', weight: 10, service: { name: 'own' } }];
    const rollout = withSteps([{ setWeight: 20 }, { experiment: { templates } }, { pause: {} }]);
    expect(linesOf(rollout).slice(3, 6)).toEqual([
      'step 1, 1 pods: 20 + shop-1-a 5 + own 10',
      'step 1, 1 pods: 20',
      'step 2, 1 pods: 20',
    ]);
    expect(
      passesOf(rollout, { experimentService: (template, step) => `${template.name}@${step}` }).map(lineOf)[3],
    ).toBe('step 1, 1 pods: 20 + a@1 5 + b@1 10');
    expect(linesOf(withSteps([{ experiment: { templates } }]))[1]).toBe(
      'step 0, 0 pods: remove, 0 + shop-0-a 5 + own 10',
    );
  });

  test('send all traffic to stable without steps', () => {
    expect(linesOf(withSteps([]))).toEqual([
      'idle, 0 pods: remove, 0',
      'finish, 0 pods: remove, 0',
      'finish, 5 pods: 0',
      'promoted, 0 pods: remove, 0',
    ]);
  });

  test('remove routes and weight on abort', () => {
    const rollout = withSteps([{ setWeight: 20 }, { setHeaderRoute: route }]);
    const { returning, last } = wayBackOf(rollout, 1);
    expect([...returning, last!].map(lineOf)).toEqual(['abort 1, 1 pods: remove, 0']);
  });

  test('swap ping and pong with the promotion', () => {
    const services = { stableService: undefined, canaryService: undefined };
    const pingPong = { pingService: 'ping', pongService: 'pong' };
    const trafficRouting = { alb: { ingress: 'shop', servicePort: 80, rootService: 'root' } };
    const rollout = rolloutOf({ canary: { ...services, pingPong, trafficRouting, steps: [{ setWeight: 20 }] } });
    let ingresses: readonly object[] = [
      ingressOf({ annotations: SCHEME, rules: [{ http: { paths: [pathTo('root')] } }] }),
    ];
    const actions = passesOf(rollout).map(({ calls, stablePingPong }) => {
      ingresses = applyCalls(readAlbRollout(rollout, stablePingPong)!, ingresses, calls).ingresses;
      return annotationsOf(ingresses[0] as never).get(actionOf('root'));
    });
    expect([...new Set(actions)]).toEqual([
      forward(['pong', 0], ['ping', 100]),
      forward(['pong', 20], ['ping', 80]),
      forward(['pong', 100], ['ping', 0]),
      forward(['ping', 0], ['pong', 100]),
    ]);
  });
});

describe('the calls of a canary without pods', () => {
  test.each([
    ['1.7.2', ['setHeaderRoute', 'setWeight']],
    ['1.8.0', ['removeManagedRoutes', 'setHeaderRoute', 'setWeight']],
  ])('%s: header routes are removed since 1.8', (release, calls) => {
    const rollout = withSteps([{ setHeaderRoute: route }]);
    const version = ArgoRolloutsVersion.of(release);
    expect(callsOf(rollout, { phase: 'progressing' }, { version }).map(({ call }) => call)).toEqual(calls);
  });
});

describe('the calls of one reconcile', () => {
  const rollout = withSteps([{ setWeight: 20 }, { setHeaderRoute: route }, { setWeight: 60 }]);
  const names = (state: Parameters<typeof callsOf>[1]) =>
    callsOf(rollout, state).map((call) => (call.call === 'setWeight' ? call.weight : call.call));

  test.each([
    ['keep the weight before while pods are missing', { step: 2, canaryPods: 2, isScaled: false }, [20]],
    ['start at 0 while pods are missing', { step: 0, canaryPods: 1, isScaled: false }, [0]],
    ['write nothing until stable has its pods', { step: 1, canaryPods: 1, isStableAvailable: false }, []],
    ['still remove until stable has its pods', { step: 1, isStableAvailable: false }, ['removeManagedRoutes']],
    ['set no header route at the first revision', { step: 1, canaryPods: 1, isFirstRevision: true }, [20]],
    ['set a header route before the weight', { step: 1, canaryPods: 1 }, ['setHeaderRoute', 20]],
  ] as const)('%s', (_name, state, calls) => {
    expect(names({ phase: 'progressing', ...state })).toEqual(calls);
  });

  test('keep the weight while all steps are skipped, and remove routes', () => {
    expect(names({ phase: 'promote-full', step: 1, canaryPods: 1, weight: 20 })).toEqual(['removeManagedRoutes', 20]);
    expect(names({ phase: 'promote-full', step: 1, weight: 20 })).toEqual(['removeManagedRoutes', 0]);
  });
});

describe('the pods of the canary', () => {
  test.each([
    [[{ setWeight: 1 }], {}, 1],
    [[{ setWeight: 50 }], {}, 3],
    [[{ setWeight: 1 }], { minPodsPerReplicaSet: 2 }, 2],
    [[{ setWeight: 0 }], { minPodsPerReplicaSet: 2 }, 0],
    [[{ setCanaryScale: { replicas: 4 }, setWeight: 20 }], {}, 4],
    [[{ setCanaryScale: { weight: 60 }, setWeight: 20 }], {}, 3],
    [[{ setCanaryScale: { replicas: 4 } }, { setCanaryScale: { matchTrafficWeight: true }, setWeight: 20 }], {}, 1],
    [[{ pause: {} }], {}, 0],
  ])('%j with %j: %d', (steps, canary, pods) => {
    expect(canaryReplicasAt(withSteps(steps, canary), steps.length - 1)).toBe(pods);
    expect(canaryReplicasAt(withSteps(steps, canary), steps.length)).toBe(5);
  });

  test('minPodsPerReplicaSet may require more pods than the Rollout has, up to 1.10', () => {
    const rollout = withSteps([{ setWeight: 1 }], { minPodsPerReplicaSet: 9 });
    expect(canaryReplicasAt(rollout, 0)).toBe(9);
    expect(canaryReplicasAt(rollout, 0, { version: ArgoRolloutsVersion.of('1.10.0-rc1') })).toBe(5);
  });

  test('of the only version are minPodsPerReplicaSet at least, up to 1.10 also where the Rollout asks for fewer', () => {
    const rollout = withSteps([], { minPodsPerReplicaSet: 9 });
    expect(restingReplicas(rollout)).toBe(9);
    expect(restingReplicas(rollout, { version: ArgoRolloutsVersion.of('1.10.0-rc1') })).toBe(5);
    expect(restingReplicas(withSteps([], { minPodsPerReplicaSet: 9, trafficRouting: undefined }))).toBe(5);
    expect(stableReplicasAt(withSteps([{ setWeight: 20 }], { minPodsPerReplicaSet: 9 }), 0, 9)).toBe(5);
  });

  // As Argo Rollouts 1.9.1 scaled both versions when it played these steps.
  test('of both versions, with dynamicStableScale', () => {
    const steps = [
      { setCanaryScale: { replicas: 2 } },
      { setWeight: 50 },
      { pause: {} },
      { setCanaryScale: { weight: 10 } },
      { pause: {} },
      { setCanaryScale: { matchTrafficWeight: true } },
      { pause: {} },
      { setWeight: 95 },
      { pause: {} },
    ];
    const rollout = withSteps(steps, { minPodsPerReplicaSet: 3, dynamicStableScale: true }, { replicas: 10 });
    const pods = [...steps.keys(), steps.length].map((step) => {
      const canary = canaryReplicasAt(rollout, step);
      return [canary, stableReplicasAt(rollout, step, canary)];
    });
    const [whole, part, half, last] = [
      [3, 10],
      [3, 9],
      [5, 5],
      [10, 3],
    ];
    expect(pods).toEqual([whole, whole, whole, part, part, half, half, last, last, [10, 0]]);
    expect(stableReplicasAt(rollout, 3, 3, { skipsSteps: true })).toBe(5);
  });

  test('one replica is the default', () => {
    expect(canaryReplicasAt(withSteps([{ setWeight: 1 }], {}, { replicas: undefined }), 0)).toBe(1);
  });
});
