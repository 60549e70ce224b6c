/** Releases of other workloads and through other routes, moment by moment; and releases that stop at a script. */
import { describe, expect, it } from 'vitest';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { ingress, object, rollout, rolloutV1alpha1, service } from '../rules/stack';
import { ONE_SERVICE, playOf, playOfRouting, stack, storyOf } from './moments';

const { LATEST, V0_4_4, V0_5_5 } = KruiseRolloutVersion;

const own = (script: string) =>
  playOf(stack({ route: { service: 'web', ingress: { name: 'web', classType: 'own' } } }), LATEST, {
    'lua.traffic.routing.ingress.own': script,
  });
const LABELLED = { template: { metadata: { labels: { app: 'web' } } } };
const daemonSet = [
  rollout({
    workloadRef: { apiVersion: 'apps.kruise.io/v1alpha1', kind: 'DaemonSet', name: 'web' },
    steps: [{ traffic: '20%', replicas: '20%' }, { replicas: '100%' }],
  }),
  object('apps.kruise.io/v1alpha1', 'DaemonSet', LABELLED),
  service(),
  ingress(),
];
const statefulSet = (spec: object = {}) => [
  rollout({
    workloadRef: { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web' },
    steps: [{ traffic: '20%', replicas: '20%', pause: {} }, { replicas: '100%' }],
  }),
  object('apps/v1', 'StatefulSet', { replicas: 10, ...LABELLED, ...spec }),
  service(),
  ingress(),
];
const GATEWAY = { route: { service: 'web', gateway: { httpRouteName: 'web' } } };
const MESH = {
  route: {
    service: 'web',
    customNetworkRefs: [{ apiVersion: 'networking.istio.io/v1', kind: 'VirtualService', name: 'web' }],
  },
};
const virtualService = object('networking.istio.io/v1', 'VirtualService', {
  hosts: ['web'],
  http: [{ route: [{ destination: { host: 'web' } }] }],
});
const routing = (strategy: object) => [
  object('rollouts.kruise.io/v1alpha1', 'TrafficRouting', {
    objectRef: [{ service: 'web', ingress: { name: 'web', classType: 'nginx' } }],
    strategy,
  }),
  service(),
  ingress(),
];
const NEVER = { release: 'v2', ready: 'never' } as const;
const BACK = { release: 'v1' } as const;

describe('a release', () => {
  it('with a script that fails later stops there', () => {
    const { lines, error } = own('if obj.weight == "100" then error("no") end\nreturn { weight = obj.weight }');
    expect(lines).toEqual([
      'before: before the release | 10 stable',
      'prepare 0: canary Ingress created (goes on) | 10 stable, 2 canary | Service web, Service web-canary, Ingress web-canary',
      'step 0: settled ({"traffic":"20%"}) | 10 stable, 2 canary | Ingress web-canary',
    ]);
    expect(error).toEqual({
      class: 'lua',
      message: '<string>:1: no',
      log: 'execute lua failed: <string>:1: no',
      line: 1,
      object: { kind: 'Ingress', namespace: 'shop', name: 'web-canary' },
      step: 1,
    });
  });

  it('with a script that writes a wrong annotation stops where it is written', () => {
    const { lines, error } = own('return { ["a b"] = "c" }');
    expect(lines).toEqual([
      'before: before the release | 10 stable',
      'prepare 0: the controller gets no further (mixed) | 10 stable, 2 canary | Service web, Service web-canary',
    ]);
    expect(error).toEqual({
      class: 'rejected',
      message:
        "metadata.annotations: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      object: { kind: 'Ingress', namespace: 'shop', name: 'web-canary' },
      path: 'metadata.annotations',
      step: 0,
    });
  });

  it('of a DaemonSet of OpenKruise never gets its routes', () => {
    const { lines, error } = playOf(daemonSet);
    expect(lines).toEqual(['before: before the release | 100 stable']);
    expect(error).toEqual({
      class: 'waits',
      state: 'StepTrafficRouting',
      says: 'Rollout is in step, and upgrade workload to new version',
      log: 'stableRevision or podTemplateHash can not be empty, and wait a moment',
      message: 'it waits for the revision of the old pods, which a DaemonSet of OpenKruise does not have in its status',
      fix: 'release the DaemonSet without trafficRoutings, or use another kind of workload',
      step: 0,
    });
  });

  it('of a DaemonSet of OpenKruise never gets its routes before 0.6 either', () => {
    const { lines, error } = playOf(daemonSet, V0_5_5);
    expect(lines).toEqual([
      'before: before the release | 100 stable',
      'prepare 0: canary pods ready | 80 stable, 20 canary',
    ]);
    expect(error).toEqual({
      class: 'waits',
      state: 'StepTrafficRouting',
      says: 'Rollout is in step, and upgrade workload to new version',
      log: 'stableRevision or podTemplateHash can not be empty, and wait a moment',
      message: 'it waits for the revision of the old pods, which a DaemonSet of OpenKruise does not have in its status',
      fix: 'release the DaemonSet without trafficRoutings, or use another kind of workload',
      step: 0,
    });
  });

  it('of a StatefulSet replaces its pods', () => {
    const { lines, error } = playOf(statefulSet());
    expect(lines).toEqual([
      'before: before the release | 10 stable',
      'prepare 0: canary Ingress created (goes on) | 8 stable, 2 canary | Service web, Service web-canary, Ingress web-canary',
      'step 0: settled ({"traffic":"20%"}) | 8 stable, 2 canary | Ingress web-canary',
      'prepare 1: Service web selects all pods again (mixed) | 8 stable, 2 canary | Service web',
      'prepare 1: routes restored (mixed) | 8 stable, 2 canary | Ingress web-canary',
      'prepare 1: Service web-canary deleted (mixed) | 8 stable, 2 canary | Service web-canary',
      'step 1: no traffic is routed | 0 stable, 10 canary',
      'finish: released | 10 canary',
      'abort 0: routes restored | 8 stable, 2 canary | Ingress web-canary',
      'abort 0: Service web selects all pods again (mixed) | 8 stable, 2 canary | Service web',
      'abort 0: only pods of the old version are left | 10 stable',
      'abort 0: Service web-canary deleted | 10 stable | Service web-canary',
    ]);
    expect(error).toBeUndefined();
  });

  it('of a StatefulSet whose pods never get ready goes back except for the broken pod', () => {
    const { lines, end } = storyOf(statefulSet(), [NEVER, BACK]);
    expect(lines).toEqual([
      'release v2, whose pods never become ready -> prepare 0: no pod of the new version becomes ready (stable=v1 canary=v2) | 9 stable | Service web',
      'release v1 -> abort 0: Service web selects all pods again (stable=v1 canary=v2) | 9 stable | Service web',
      'abort 0: the StatefulSet waits for its broken pod until somebody deletes it (stable=v1 canary=v2) | 9 stable',
    ]);
    expect(end).toBe('rolled back');
  });

  it('of a StatefulSet that replaces all pods at once goes back as a whole', () => {
    const { lines, end } = storyOf(statefulSet({ podManagementPolicy: 'Parallel' }), [NEVER, BACK]);
    expect(lines).toEqual([
      'release v2, whose pods never become ready -> prepare 0: no pod of the new version becomes ready (stable=v1 canary=v2) | 9 stable | Service web',
      'release v1 -> abort 0: Service web selects all pods again (stable=v1 canary=v2) | 9 stable | Service web',
      'abort 0: only pods of the old version are left (stable=v1 canary=v2) | 10 stable',
    ]);
    expect(end).toBe('rolled back');
  });

  it('through an HTTPRoute', () => {
    const { lines, error } = playOf(stack(GATEWAY));
    expect(lines).toEqual([
      'before: before the release | 10 stable',
      'step 0: settled ({"traffic":"20%"}) | 10 stable, 2 canary | Service web, Service web-canary, HTTPRoute web',
      'step 1: settled ({"traffic":"100%"}) | 10 stable, 10 canary | HTTPRoute web',
      'finish: Service web selects all pods again | 10 stable, 10 canary | Service web',
      'finish: routes restored | 10 stable, 10 canary | HTTPRoute web',
      'finish: Service web-canary deleted | 10 stable, 10 canary | Service web-canary',
      'finish: released | 10 canary',
      'abort 0: routes restored | 10 stable, 2 canary | HTTPRoute web',
      'abort 0: Service web selects all pods again | 10 stable | Service web',
      'abort 0: Service web-canary deleted | 10 stable | Service web-canary',
    ]);
    expect(error).toBeUndefined();
  });

  it('through an HTTPRoute without a canary Service never ends', () => {
    const { lines, error } = playOf(stack({ ...GATEWAY, ...ONE_SERVICE }));
    expect(lines).toEqual([
      'before: before the release | 10 stable',
      'step 0: settled ({"traffic":"20%"}) | 10 stable, 2 canary | HTTPRoute web',
      'step 1: settled ({"traffic":"100%"}) | 10 stable, 10 canary | HTTPRoute web',
      'finish: routes restored | 10 stable, 10 canary | HTTPRoute web',
    ]);
    expect(error).toEqual({
      class: 'never-settles',
      message:
        'the controller has taken the last rule out of the HTTPRoute, the API server fills in one that leads nowhere, and the controller tries to remove that for ever',
      object: { kind: 'HTTPRoute', namespace: 'shop', name: 'web' },
      path: 'spec.rules',
      fix: 'remove disableGenerateCanaryService if it is set, and apply the HTTPRoute again, with a rule whose backendRef is the stable Service',
      step: 1,
    });
  });

  it('through an HTTPRoute of v1 does not begin before 0.5', () => {
    const { lines, error } = playOf(
      [rolloutV1alpha1({ steps: [{ weight: 20 }], trafficRoutings: [GATEWAY.route] }), ...stack(GATEWAY).slice(1)],
      V0_4_4,
    );
    expect(lines).toEqual(['before: before the release | 10 stable']);
    expect(error).toEqual({
      class: 'rejected',
      message: 'no matches for kind "HTTPRoute" in version "gateway.networking.k8s.io/v1alpha2"',
      log: 'no matches for kind "HTTPRoute" in version "gateway.networking.k8s.io/v1alpha2"',
      object: { kind: 'HTTPRoute', namespace: 'shop', name: 'web' },
      fix: 'install Kruise Rollouts 0.5.0 or later: older releases read HTTPRoutes of v1alpha2 only, which Gateway API 1.0 removed',
      step: 0,
    });
  });

  it('through a mesh', () => {
    const { lines, error } = playOf([...stack(MESH), virtualService]);
    expect(lines).toEqual([
      'before: before the release | 10 stable',
      'step 0: settled ({"traffic":"20%"}) | 10 stable, 2 canary | Service web, Service web-canary, VirtualService web',
      'step 1: settled ({"traffic":"100%"}) | 10 stable, 10 canary | VirtualService web',
      'finish: Service web selects all pods again | 10 stable, 10 canary | Service web',
      'finish: routes restored | 10 stable, 10 canary | VirtualService web',
      'finish: Service web-canary deleted | 10 stable, 10 canary | Service web-canary',
      'finish: released | 10 canary',
      'abort 0: routes restored | 10 stable, 2 canary | VirtualService web',
      'abort 0: Service web selects all pods again | 10 stable | Service web',
      'abort 0: Service web-canary deleted | 10 stable | Service web-canary',
    ]);
    expect(error).toBeUndefined();
  });

  it('through a mesh before 0.6 changes nothing for weight 0', () => {
    const { lines, error } = playOf([...stack(MESH), virtualService], V0_5_5);
    expect(lines).toEqual([
      'before: before the release | 10 stable',
      'prepare 0: canary pods ready | 10 stable, 2 canary',
      'step 0: settled ({"traffic":"20%"}) | 10 stable, 2 canary | Service web-canary, Service web, VirtualService web',
      'step 1: settled ({"traffic":"100%"}) | 10 stable, 10 canary | VirtualService web',
      'finish: Service web selects all pods again | 10 stable, 10 canary | Service web',
      'finish: the workload has only pods of the new version | 10 canary',
      'finish: routes restored, Service web-canary deleted | 10 canary | VirtualService web, Service web-canary',
      'finish: released | 10 canary',
      'abort 0: Service web selects all pods again | 10 stable, 2 canary | Service web',
      'abort 0: routes restored, Service web-canary deleted | 10 stable, 2 canary | VirtualService web, Service web-canary',
      'abort 0: only pods of the old version are left | 10 stable',
    ]);
    expect(error).toBeUndefined();
  });

  it('through a mesh that is not there does not begin', () => {
    const { lines, error } = playOf(stack(MESH));
    expect(lines).toEqual(['before: before the release | 10 stable']);
    expect(error).toEqual({
      class: 'not-found',
      message: 'VirtualService "web" not found',
      log: 'failed to get custom network provider VirtualService(shop/web): VirtualService "web" not found',
      object: { kind: 'VirtualService', namespace: 'shop', name: 'web' },
      step: 0,
    });
  });
});

describe('a TrafficRouting', () => {
  it('splits requests of all pods', () => {
    const { lines, error } = playOfRouting(routing({ weight: 20 }));
    expect(lines).toEqual([
      'before: before the release | 100 stable',
      'prepare 0: canary Ingress created (goes on) | 100 stable | Ingress web-canary',
      'step 0: settled ({"traffic":"20%"}) | 100 stable | Ingress web-canary',
      'finish: routes restored | 100 stable | Ingress web-canary',
      'finish: released | 100 stable',
    ]);
    expect(error).toBeUndefined();
  });

  it('gives the canary weight 0 first, before 0.6', () => {
    const { lines, error } = playOfRouting(routing({ weight: 20 }), V0_5_5);
    expect(lines).toEqual([
      'before: before the release | 100 stable',
      'prepare 0: canary Ingress created (goes on) | 100 stable | Ingress web-canary',
      'step 0: settled ({"traffic":"20%"}) | 100 stable | Ingress web-canary',
      'finish: the canary gets weight 0 | 100 stable | Ingress web-canary',
      'finish: routes restored | 100 stable | Ingress web-canary',
      'finish: released | 100 stable',
    ]);
    expect(error).toBeUndefined();
  });

  it('without a strategy does nothing', () => {
    const { lines, error } = playOfRouting(routing({}));
    expect(lines).toEqual([
      'before: before the release | 100 stable',
      'step 0: no traffic is routed | 100 stable',
      'finish: released | 100 stable',
    ]);
    expect(error).toBeUndefined();
  });
});

describe('a script that changes its own output', () => {
  it('is run twenty times', () => {
    const { moments, error } = own('local a = obj.annotations or {}\na.x = (a.x or "") .. "y"\nreturn a');
    expect(error).toEqual({
      class: 'never-settles',
      message: 'the scripts still change their own output after 20 reconciles',
      step: 0,
    });
    expect(moments.map(({ event, written }) => [event, written.length])).toEqual([
      ['before the release', 0],
      ['canary Ingress created', 3],
      ['the controller gets no further', 19],
    ]);
  });
});
