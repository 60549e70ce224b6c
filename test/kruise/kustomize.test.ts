/** Every field in which Kustomize renames what a Rollout, a TrafficRouting or a BatchRelease refers to. */
import { expect, it } from 'vitest';
import { KRUISE_KUSTOMIZE } from '../../src/kruise/kustomize';

const routed = (field: string) => [
  `Rollout spec/strategy/canary/trafficRoutings/${field}`,
  `Rollout spec/strategy/blueGreen/trafficRoutings/${field}`,
  `TrafficRouting spec/objectRef/${field}`,
];
const WORKLOAD = [
  'Rollout spec/workloadRef/name',
  'Rollout spec/objectRef/workloadRef/name',
  'BatchRelease spec/workloadRef/name',
  'BatchRelease spec/targetReference/workloadRef/name',
];
const CUSTOM = routed('customNetworkRefs/name');

it('knows these references of the kinds of Kruise', () => {
  expect(Object.keys(KRUISE_KUSTOMIZE)).toEqual(['nameReference']);
  const found = KRUISE_KUSTOMIZE.nameReference!.map(({ group, kind, fieldSpecs }) => {
    expect(new Set(fieldSpecs.map((field) => field.group))).toEqual(new Set(['rollouts.kruise.io']));
    return [`${kind}.${group ?? ''}`, fieldSpecs.map((field) => `${field.kind} ${field.path}`)];
  });
  expect(found).toEqual([
    ...['Deployment', 'StatefulSet', 'DaemonSet'].map((kind) => [`${kind}.apps`, WORKLOAD]),
    ...['CloneSet', 'StatefulSet', 'DaemonSet'].map((kind) => [`${kind}.apps.kruise.io`, WORKLOAD]),
    ['Service.', routed('service')],
    ['Ingress.networking.k8s.io', routed('ingress/name')],
    ['VirtualService.networking.istio.io', CUSTOM],
    ['DestinationRule.networking.istio.io', CUSTOM],
    ['HTTPProxy.projectcontour.io', CUSTOM],
    ['TraefikService.traefik.io', CUSTOM],
    ['IngressRoute.traefik.io', CUSTOM],
    ['ApisixRoute.apisix.apache.org', CUSTOM],
    ['HTTPRoute.gateway.networking.k8s.io', [...CUSTOM, ...routed('gateway/httpRouteName')]],
    [
      'TrafficRouting.rollouts.kruise.io',
      [
        'Rollout spec/strategy/canary/trafficRoutingRef',
        'Rollout spec/strategy/blueGreen/trafficRoutingRef',
        'Rollout metadata/annotations/rollouts.kruise.io\\/trafficrouting',
      ],
    ],
  ]);
});
