/** Every moment of a release as the controller plays it: what it writes, which pods there are, and where it stops. */
import { describe, expect, it } from 'vitest';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { ingress, rollout, service } from '../rules/stack';
import { deployment, ONE_SERVICE, PARTITION, playOf, stack } from './moments';

const { V0_5_5 } = KruiseRolloutVersion;
const ONE_STEP = { ...PARTITION, steps: [{ traffic: '20%', replicas: '100%' }] };
const BOTH = {
  route: { service: 'web', gateway: { httpRouteName: 'web' }, ingress: { name: 'web', classType: 'nginx' } },
};
const UNROUTED = {
  steps: [
    { replicas: '10%' },
    { traffic: '20%', replicas: '20%' },
    { replicas: '30%' },
    { traffic: '40%', replicas: 5 },
  ],
};

describe('a release', () => {
  it('of canary style since 0.6', () => {
    const { lines, error } = playOf(stack());
    expect(lines).toEqual([
      'before: before the release | 10 stable',
      'prepare 0: canary Ingress created (goes on) | 10 stable, 2 canary | Service web, Service web-canary, Ingress web-canary',
      'step 0: settled ({"traffic":"20%"}) | 10 stable, 2 canary | Ingress web-canary',
      'step 1: settled ({"traffic":"100%"}) | 10 stable, 10 canary | Ingress web-canary',
      'finish: Service web selects all pods again | 10 stable, 10 canary | Service web',
      'finish: routes restored | 10 stable, 10 canary | Ingress web-canary',
      'finish: Service web-canary deleted | 10 stable, 10 canary | Service web-canary',
      'finish: released | 10 canary',
      'abort 0: routes restored | 10 stable, 2 canary | Ingress web-canary',
      'abort 0: Service web selects all pods again | 10 stable | Service web',
      'abort 0: Service web-canary deleted | 10 stable | Service web-canary',
    ]);
    expect(error).toBeUndefined();
  });

  it('of canary style before', () => {
    const { lines, error } = playOf(stack(), V0_5_5);
    expect(lines).toEqual([
      'before: before the release | 10 stable',
      'prepare 0: canary pods ready | 10 stable, 2 canary',
      'prepare 0: canary Ingress created (goes on) | 10 stable, 2 canary | Service web-canary, Service web, Ingress web-canary',
      'step 0: settled ({"traffic":"20%"}) | 10 stable, 2 canary | Ingress web-canary',
      'step 1: settled ({"traffic":"100%"}) | 10 stable, 10 canary | Ingress web-canary',
      'finish: Service web selects all pods again | 10 stable, 10 canary | Service web',
      'finish: the workload has only pods of the new version | 10 canary',
      'finish: the canary gets weight 0 | 10 canary | Ingress web-canary',
      'finish: routes restored, Service web-canary deleted | 10 canary | Ingress web-canary, Service web-canary',
      'finish: released | 10 canary',
      'abort 0: Service web selects all pods again | 10 stable, 2 canary | Service web',
      'abort 0: the canary gets weight 0 | 10 stable, 2 canary | Ingress web-canary',
      'abort 0: routes restored, Service web-canary deleted | 10 stable, 2 canary | Ingress web-canary, Service web-canary',
      'abort 0: only pods of the old version are left | 10 stable',
    ]);
    expect(error).toBeUndefined();
  });

  it('of partition style since 0.6', () => {
    const { lines, error } = playOf(stack(PARTITION));
    expect(lines).toEqual([
      'before: before the release | 10 stable',
      'prepare 0: canary Ingress created (goes on) | 8 stable, 2 canary | Service web, Service web-canary, Ingress web-canary',
      'step 0: settled ({"traffic":"20%"}) | 8 stable, 2 canary | Ingress web-canary',
      'step 1: all pods are replaced, routing stays as it was ({"traffic":"100%"}) | 0 stable, 10 canary | Service web',
      'finish: routes restored | 0 stable, 10 canary | Ingress web-canary',
      'finish: Service web-canary deleted | 0 stable, 10 canary | Service web-canary',
      'finish: released | 10 canary',
      'abort 0: routes restored | 8 stable, 2 canary | Ingress web-canary',
      'abort 0: Service web selects all pods again (mixed) | 8 stable, 2 canary | Service web',
      'abort 0: only pods of the old version are left | 10 stable',
      'abort 0: Service web-canary deleted | 10 stable | Service web-canary',
    ]);
    expect(error).toBeUndefined();
  });

  it('of partition style before', () => {
    const { lines, error } = playOf(stack(PARTITION), V0_5_5);
    expect(lines).toEqual([
      'before: before the release | 10 stable',
      'prepare 0: canary pods ready | 8 stable, 2 canary',
      'prepare 0: canary Ingress created (goes on) | 8 stable, 2 canary | Service web-canary, Service web, Ingress web-canary',
      'step 0: settled ({"traffic":"20%"}) | 8 stable, 2 canary | Ingress web-canary',
      'step 1: settled ({"traffic":"100%"}) | 0 stable, 10 canary | Ingress web-canary',
      'finish: Service web selects all pods again | 0 stable, 10 canary | Service web',
      'finish: the workload has only pods of the new version | 10 canary',
      'finish: the canary gets weight 0 | 10 canary | Ingress web-canary',
      'finish: routes restored, Service web-canary deleted | 10 canary | Ingress web-canary, Service web-canary',
      'finish: released | 10 canary',
      'abort 0: Service web selects all pods again | 8 stable, 2 canary | Service web',
      'abort 0: the workload has only pods of the old version | 10 stable',
      'abort 0: the canary gets weight 0 | 10 stable | Ingress web-canary',
      'abort 0: routes restored, Service web-canary deleted | 10 stable | Ingress web-canary, Service web-canary',
    ]);
    expect(error).toBeUndefined();
  });

  it('of blue-green style', () => {
    const { lines, error } = playOf(stack({ blueGreen: true }));
    expect(lines).toEqual([
      'before: before the release | 10 stable',
      'prepare 0: canary Ingress created (goes on) | 10 stable, 2 canary | Service web, Service web-canary, Ingress web-canary',
      'step 0: settled ({"traffic":"20%"}) | 10 stable, 2 canary | Ingress web-canary',
      'step 1: settled ({"traffic":"100%"}) | 10 stable, 10 canary | Ingress web-canary',
      'finish: Service web selects all pods again | 10 stable, 10 canary | Service web',
      'finish: the workload has only pods of the new version | 10 canary',
      'finish: routes restored | 10 canary | Ingress web-canary',
      'finish: Service web-canary deleted | 10 canary | Service web-canary',
      'finish: released | 10 canary',
      'abort 0: routes restored | 10 stable, 2 canary | Ingress web-canary',
      'abort 0: Service web selects all pods again | 10 stable | Service web',
      'abort 0: Service web-canary deleted | 10 stable | Service web-canary',
    ]);
    expect(error).toBeUndefined();
  });

  it('with two kinds of routes', () => {
    const { lines, error } = playOf(stack(BOTH));
    expect(lines).toEqual([
      'before: before the release | 10 stable',
      'prepare 0: canary Ingress created (mixed goes on) | 10 stable, 2 canary | Service web, Service web-canary, Ingress web-canary, HTTPRoute web',
      'step 0: settled ({"traffic":"20%"}) | 10 stable, 2 canary | Ingress web-canary',
      'step 1: settled ({"traffic":"100%"}) | 10 stable, 10 canary | Ingress web-canary, HTTPRoute web',
      'finish: Service web selects all pods again | 10 stable, 10 canary | Service web',
      'finish: routes restored | 10 stable, 10 canary | Ingress web-canary, HTTPRoute web',
      'finish: Service web-canary deleted | 10 stable, 10 canary | Service web-canary',
      'finish: released | 10 canary',
      'abort 0: routes restored | 10 stable, 2 canary | Ingress web-canary, HTTPRoute web',
      'abort 0: Service web selects all pods again | 10 stable | Service web',
      'abort 0: Service web-canary deleted | 10 stable | Service web-canary',
    ]);
    expect(error).toBeUndefined();
  });

  it('with steps that route nothing', () => {
    const { lines, error } = playOf(stack(UNROUTED));
    expect(lines).toEqual([
      'before: before the release | 10 stable',
      'step 0: no traffic is routed | 10 stable, 1 canary',
      'prepare 1: canary Ingress created (goes on) | 10 stable, 2 canary | Service web-canary, Service web, Ingress web-canary',
      'step 1: settled ({"traffic":"20%"}) | 10 stable, 2 canary | Ingress web-canary',
      'prepare 2: Service web selects all pods again (mixed) | 10 stable, 2 canary | Service web',
      'prepare 2: routes restored (mixed) | 10 stable, 2 canary | Ingress web-canary',
      'prepare 2: Service web-canary deleted (mixed) | 10 stable, 2 canary | Service web-canary',
      'step 2: no traffic is routed | 10 stable, 3 canary',
      'prepare 3: canary Ingress created (goes on) | 10 stable, 5 canary | Service web-canary, Service web, Ingress web-canary',
      'step 3: settled ({"traffic":"40%"}) | 10 stable, 5 canary | Ingress web-canary',
      'finish: Service web selects all pods again | 10 stable, 5 canary | Service web',
      'finish: routes restored | 10 stable, 5 canary | Ingress web-canary',
      'finish: Service web-canary deleted | 10 stable, 5 canary | Service web-canary',
      'finish: released | 10 canary',
      'abort 1: routes restored | 10 stable, 2 canary | Ingress web-canary',
      'abort 1: Service web selects all pods again | 10 stable | Service web',
      'abort 1: Service web-canary deleted | 10 stable | Service web-canary',
    ]);
    expect(error).toBeUndefined();
  });

  it('with steps that route nothing, before 0.6', () => {
    const { lines, error } = playOf(stack(UNROUTED), V0_5_5);
    expect(lines).toEqual([
      'before: before the release | 10 stable',
      'step 0: no traffic is routed | 10 stable, 1 canary',
      'prepare 1: canary Ingress created (goes on) | 10 stable, 2 canary | Service web-canary, Service web, Ingress web-canary',
      'step 1: settled ({"traffic":"20%"}) | 10 stable, 2 canary | Ingress web-canary',
      'prepare 2: Service web selects all pods again (mixed) | 10 stable, 2 canary | Service web',
      'prepare 2: the canary gets weight 0 (mixed) | 10 stable, 2 canary | Ingress web-canary',
      'prepare 2: routes restored, Service web-canary deleted (mixed) | 10 stable, 2 canary | Ingress web-canary, Service web-canary',
      'step 2: no traffic is routed | 10 stable, 3 canary',
      'prepare 3: canary Ingress created (goes on) | 10 stable, 5 canary | Service web-canary, Service web, Ingress web-canary',
      'step 3: settled ({"traffic":"40%"}) | 10 stable, 5 canary | Ingress web-canary',
      'finish: Service web selects all pods again | 10 stable, 5 canary | Service web',
      'finish: the workload has only pods of the new version | 10 canary',
      'finish: the canary gets weight 0 | 10 canary | Ingress web-canary',
      'finish: routes restored, Service web-canary deleted | 10 canary | Ingress web-canary, Service web-canary',
      'finish: released | 10 canary',
      'abort 1: Service web selects all pods again | 10 stable, 2 canary | Service web',
      'abort 1: the canary gets weight 0 | 10 stable, 2 canary | Ingress web-canary',
      'abort 1: routes restored, Service web-canary deleted | 10 stable, 2 canary | Ingress web-canary, Service web-canary',
      'abort 1: only pods of the old version are left | 10 stable',
    ]);
    expect(error).toBeUndefined();
  });

  it('without a canary Service', () => {
    const { lines, error } = playOf(stack(ONE_SERVICE));
    expect(lines).toEqual([
      'before: before the release | 10 stable',
      'prepare 0: canary Ingress created (goes on) | 10 stable, 2 canary | Ingress web-canary',
      'step 0: settled ({"traffic":"20%"}) | 10 stable, 2 canary | Ingress web-canary',
      'step 1: settled ({"traffic":"100%"}) | 10 stable, 10 canary | Ingress web-canary',
      'finish: routes restored | 10 stable, 10 canary | Ingress web-canary',
      'finish: released | 10 canary',
      'abort 0: routes restored | 10 stable, 2 canary | Ingress web-canary',
      'abort 0: only pods of the old version are left | 10 stable',
    ]);
    expect(error).toBeUndefined();
  });

  it('without routes', () => {
    const { lines, error } = playOf(stack({ route: null }));
    expect(lines).toEqual([
      'before: before the release | 10 stable',
      'step 0: no traffic is routed | 10 stable, 2 canary',
      'step 1: no traffic is routed | 10 stable, 10 canary',
      'finish: released | 10 canary',
    ]);
    expect(error).toBeUndefined();
  });

  it('without steps', () => {
    const { lines, error } = playOf(stack({ steps: [] }));
    expect(lines).toEqual(['before: before the release | 10 stable', 'finish: released | 10 canary']);
    expect(error).toBeUndefined();
  });

  it('whose first step replaces all pods', () => {
    const { lines, error } = playOf(stack(ONE_STEP));
    expect(lines).toEqual([
      'before: before the release | 10 stable',
      'prepare 0: Service web selects only the old pods | 10 stable | Service web',
      'prepare 0: Service web selects all pods again | 10 stable | Service web',
    ]);
    expect(error).toEqual({
      class: 'livelock',
      state: 'BeforeStepUpgrade',
      message:
        'the step replaces all pods, so the controller makes Service "web" select all pods, and as it is the first step, it makes the Service select only the old pods: the two writes undo each other every few seconds',
      says: 'Rollout is in Progressing',
      log: 'Bypass the ingress-nginx bug for partition-style',
      fix: 'let the first step replace fewer pods than the workload has; with a single pod, use canary style (enableExtraWorkloadForCanary: true), or leave out traffic and matches',
      step: 0,
    });
  });

  it('whose first step replaces all pods, before 0.6', () => {
    const { lines, error } = playOf(stack(ONE_STEP), V0_5_5);
    expect(lines).toEqual([
      'before: before the release | 10 stable',
      'prepare 0: canary pods ready | 0 stable, 10 canary',
      'prepare 0: canary Ingress created (goes on) | 0 stable, 10 canary | Service web-canary, Service web, Ingress web-canary',
      'step 0: settled ({"traffic":"20%"}) | 0 stable, 10 canary | Ingress web-canary',
      'finish: Service web selects all pods again | 0 stable, 10 canary | Service web',
      'finish: the workload has only pods of the new version | 10 canary',
      'finish: the canary gets weight 0 | 10 canary | Ingress web-canary',
      'finish: routes restored, Service web-canary deleted | 10 canary | Ingress web-canary, Service web-canary',
      'finish: released | 10 canary',
      'abort 0: Service web selects all pods again | 0 stable, 10 canary | Service web',
      'abort 0: the workload has only pods of the old version | 10 stable',
      'abort 0: the canary gets weight 0 | 10 stable | Ingress web-canary',
      'abort 0: routes restored, Service web-canary deleted | 10 stable | Ingress web-canary, Service web-canary',
    ]);
    expect(error).toBeUndefined();
  });

  it('of blue-green style without a canary Service', () => {
    const { lines, error } = playOf(stack({ blueGreen: true, ...ONE_SERVICE }));
    expect(lines).toEqual(['before: before the release | 10 stable']);
    expect(error).toEqual({
      class: 'waits',
      state: 'BeforeStepUpgrade',
      message: 'it waits for a write to the stable Service that disableGenerateCanaryService forbids',
      says: 'Rollout is in Progressing',
      log: 'Before the first batch, rollout',
      fix: 'remove disableGenerateCanaryService, or use canary style',
      step: 0,
    });
  });

  it('without a workload among the manifests', () => {
    const { lines, error } = playOf([rollout(), service(), ingress()]);
    expect(lines).toEqual([
      'before: before the release | 100 stable',
      'prepare 0: canary Ingress created (goes on) | 100 stable, 20 canary | Service web, Service web-canary, Ingress web-canary',
      'step 0: settled ({"traffic":"20%"}) | 100 stable, 20 canary | Ingress web-canary',
      'step 1: settled ({"traffic":"100%"}) | 100 stable, 100 canary | Ingress web-canary',
      'finish: Service web selects all pods again | 100 stable, 100 canary | Service web',
      'finish: routes restored | 100 stable, 100 canary | Ingress web-canary',
      'finish: Service web-canary deleted | 100 stable, 100 canary | Service web-canary',
      'finish: released | 100 canary',
      'abort 0: routes restored | 100 stable, 20 canary | Ingress web-canary',
      'abort 0: Service web selects all pods again | 100 stable | Service web',
      'abort 0: Service web-canary deleted | 100 stable | Service web-canary',
    ]);
    expect(error).toBeUndefined();
  });

  it('without its Service', () => {
    const { lines, error } = playOf([rollout(), deployment, ingress()]);
    expect(lines).toEqual(['before: before the release | 10 stable']);
    expect(error).toEqual({
      class: 'not-found',
      message: 'Service "web" not found',
      object: { kind: 'Service', namespace: 'shop', name: 'web' },
      step: 0,
    });
  });

  it('without its Ingress', () => {
    const { lines, error } = playOf([rollout(), deployment, service()]);
    expect(lines).toEqual(['before: before the release | 10 stable']);
    expect(error).toEqual({
      class: 'not-found',
      message: 'Ingress "web" not found',
      object: { kind: 'Ingress', namespace: 'shop', name: 'web' },
      step: 0,
    });
  });

  it('of a class without a script', () => {
    const { lines, error } = playOf(stack({ route: { service: 'web', ingress: { name: 'web', classType: 'other' } } }));
    expect(lines).toEqual(['before: before the release | 10 stable']);
    expect(error).toEqual({
      class: 'script-not-found',
      message: 'other lua script is not found',
      log: 'newNetworkProvider failed: other lua script is not found',
      step: 0,
    });
  });

  it('of a Service without a selector', () => {
    const { lines, error } = playOf([rollout(), deployment, service({ selector: {} }), ingress()]);
    expect(lines).toEqual([
      'before: before the release | 10 stable',
      'prepare 0: the controller gets no further (mixed) | 10 stable, 2 canary | Service web',
    ]);
    expect(error).toEqual({
      class: 'panic',
      message: 'runtime error: invalid memory address or nil pointer dereference',
      object: { kind: 'Service', namespace: 'shop', name: 'web' },
      path: 'spec.selector',
      step: 0,
    });
  });
});

describe('a Service with the name of the canary Service', () => {
  const there = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web-canary', namespace: 'shop', labels: { mine: 'yes' } },
    spec: { selector: { app: 'other' }, ports: [{ port: 81 }] },
  };

  it('selects the new pods during the release, keeps all else, and is deleted with it', () => {
    const { lines, moments, error } = playOf([...stack(), there]);
    const canaries = moments.map(({ world }) => world.find('Service', 'web-canary', 'shop')?.object);
    const during = lines.findIndex((line) => line.startsWith('step 0'));
    expect(canaries[0]).toEqual(there);
    expect(canaries[during]).toEqual({
      ...there,
      spec: { selector: { app: 'other', 'pod-template-hash': 'canary' }, ports: [{ port: 81 }] },
    });
    const end = lines.findIndex((line) => line.startsWith('finish: released'));
    expect(canaries[end]).toBeUndefined();
    expect(error).toBeUndefined();
  });

  it('in another namespace is none', () => {
    const elsewhere = { ...there, metadata: { ...there.metadata, namespace: 'other' } };
    const { moments } = playOf([...stack(), elsewhere]);
    const last = moments.at(-1)!.world;
    expect(last.find('Service', 'web-canary', 'other')?.object).toEqual(elsewhere);
    expect(last.find('Service', 'web-canary', 'shop')).toBeUndefined();
  });
});
