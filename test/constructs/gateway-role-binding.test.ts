import { ApiObject, Chart, Testing } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import {
  GatewayKind,
  GatewayRoleBinding,
  type GatewayRoleBindingProps,
  IstioRoleBinding,
  KruiseRolloutInstall,
  KruiseRolloutVersion,
} from '../../src/constructs';

function bindingOf(props: GatewayRoleBindingProps) {
  const chart = Testing.chart();
  const binding = new GatewayRoleBinding(chart, 'Gateways', props);
  return { binding, objects: Testing.synth(chart) };
}

describe('GatewayRoleBinding', () => {
  test('is a ClusterRole and a ClusterRoleBinding for the controller of the install', () => {
    const { objects } = bindingOf({ kinds: [GatewayKind.CONTOUR_HTTP_PROXY] });
    expect(objects).toStrictEqual([
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: 'kruise-rollout-httpproxies.projectcontour.io' },
        rules: [
          { apiGroups: ['projectcontour.io'], resources: ['httpproxies'], verbs: ['get', 'list', 'update', 'watch'] },
        ],
      },
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: 'kruise-rollout-httpproxies.projectcontour.io' },
        roleRef: {
          apiGroup: 'rbac.authorization.k8s.io',
          kind: 'ClusterRole',
          name: 'kruise-rollout-httpproxies.projectcontour.io',
        },
        subjects: [{ kind: 'ServiceAccount', name: 'kruise-rollout-controller-manager', namespace: 'kruise-rollout' }],
      },
    ]);
  });

  test('is the same in whatever order the kinds are, with one rule per group', () => {
    const kinds = [GatewayKind.TRAEFIK_SERVICE, GatewayKind.KUMA_TRAFFIC_ROUTE, GatewayKind.TRAEFIK_INGRESS_ROUTE];
    const { objects } = bindingOf({ kinds });
    expect(bindingOf({ kinds: [...kinds].reverse() }).objects).toStrictEqual(objects);
    expect(objects[0].rules).toMatchObject([
      { apiGroups: ['kuma.io'], resources: ['trafficroutes'] },
      { apiGroups: ['traefik.io'], resources: ['ingressroutes', 'traefikservices'] },
    ]);
  });

  test('takes any kind, another install and a name', () => {
    const install = KruiseRolloutInstall.fromExisting({ namespace: 'rollouts', serviceAccountName: 'rollouts' });
    const kinds = [GatewayKind.of({ kind: 'Route', plural: 'routes', group: 'route.openshift.io' })];
    const { objects, binding } = bindingOf({ kinds, install, name: 'canary-routes' });
    expect(binding.name).toBe('canary-routes');
    expect(objects[1]).toMatchObject({
      metadata: { name: 'canary-routes' },
      roleRef: { name: 'canary-routes' },
      subjects: [{ name: 'rollouts', namespace: 'rollouts' }],
    });
  });

  test('creates nothing for permissions that the install already has', () => {
    const kinds = [GatewayKind.INGRESS, GatewayKind.ISTIO_VIRTUAL_SERVICE, GatewayKind.APISIX_ROUTE];
    const { objects, binding } = bindingOf({ kinds });
    expect(binding.kinds).toEqual([GatewayKind.APISIX_ROUTE]);
    expect(binding.alreadyGranted).toEqual([GatewayKind.INGRESS, GatewayKind.ISTIO_VIRTUAL_SERVICE]);
    expect(objects[0].rules).toHaveLength(1);
    expect(bindingOf({ kinds: [GatewayKind.INGRESS] })).toMatchObject({ objects: [], binding: { name: undefined } });
  });

  test('grants less to a release that only reads what it needs', () => {
    const { facts } = KruiseRolloutVersion.LATEST;
    const version = KruiseRolloutVersion.of('0.7.0', { ...facts, watchesCustomKinds: false });
    const install = KruiseRolloutInstall.fromExisting({ version });
    const { objects } = bindingOf({ kinds: [GatewayKind.CONTOUR_HTTP_PROXY], install });
    expect(objects[0].rules[0].verbs).toEqual(['get', 'update']);
  });

  test('has no namespace, whatever the chart’s is; the binding is the default child', () => {
    const chart = new Chart(Testing.app(), 'test', { namespace: 'shop' });
    const binding = new GatewayRoleBinding(chart, 'Gateways', { kinds: [GatewayKind.CONTOUR_HTTP_PROXY] });
    expect(Testing.synth(chart).map(({ metadata }) => metadata.namespace)).toEqual([undefined, undefined]);
    expect(ApiObject.of(binding).kind).toBe('ClusterRoleBinding');
  });

  test('without kinds is a mistake', () => {
    expect(() => bindingOf({ kinds: [] })).toThrow('test/Gateways: kinds is empty: name the kinds');
  });
});

describe('GatewayKind', () => {
  test.each([
    [{ kind: 'route', plural: 'routes', group: 'a.io' }, 'gateway kind "route" is not a valid kind: write it like'],
    [{ kind: 'Route', plural: 'Routes', group: 'a.io' }, 'plural "Routes" of gateway kind Route is not a valid plural'],
    [
      { kind: 'Route', plural: 'routes', group: 'a.io/v1' },
      'group "a.io/v1" of gateway kind Route is not an API group',
    ],
  ])('%j is a mistake', (options, message) => {
    expect(() => GatewayKind.of(options)).toThrow(message);
  });

  test('finds the kinds that it knows', () => {
    expect(GatewayKind.find('HTTPProxy.projectcontour.io')).toBe(GatewayKind.CONTOUR_HTTP_PROXY);
    expect(GatewayKind.find('HTTPProxy.example.com')).toBeUndefined();
    expect(new Set(GatewayKind.ALL.map(String)).size).toBe(GatewayKind.ALL.length);
    expect(Object.values(GatewayKind).filter((value) => value instanceof GatewayKind)).toEqual(
      expect.arrayContaining([...GatewayKind.ALL]),
    );
  });
});

describe('IstioRoleBinding', () => {
  test('makes nothing from 0.5 on, and says so', () => {
    const chart = Testing.chart();
    const binding = new IstioRoleBinding(chart, 'Istio');
    expect(binding.needed).toBe(false);
    expect(binding.reason).toBe(
      'the ClusterRole of the install (v0.6.2) names VirtualService and DestinationRule already',
    );
    expect(Testing.synth(chart)).toEqual([]);
  });

  test.each([
    ['an older install', () => KruiseRolloutInstall.fromExisting({ version: KruiseRolloutVersion.V0_4_0 })],
    [
      'an install with fewer permissions',
      () => new KruiseRolloutInstall(Testing.chart(), 'KruiseRollout', { permissions: { istio: false } }),
    ],
  ])('grants both kinds to %s', (_, install) => {
    const chart = Testing.chart();
    const binding = new IstioRoleBinding(chart, 'Istio', { install: install() });
    expect(binding.needed).toBe(true);
    expect(Testing.synth(chart)[0].rules).toEqual([
      {
        apiGroups: ['networking.istio.io'],
        resources: ['destinationrules', 'virtualservices'],
        verbs: ['get', 'list', 'update', 'watch'],
      },
    ]);
    expect(ApiObject.of(binding).kind).toBe('ClusterRoleBinding');
  });
});
