/** What Kustomize has to know of the kinds of Kruise Rollouts. */
import { type KustomizeConfiguration, type KustomizeKind, nameReference } from '../core/kustomize';

const kindOf = (kind: string): KustomizeKind => ({ group: 'rollouts.kruise.io', kind });
const ROLLOUT = kindOf('Rollout');
const TRAFFIC_ROUTING = kindOf('TrafficRouting');
const BATCH_RELEASE = kindOf('BatchRelease');

const STYLES = ['spec/strategy/canary', 'spec/strategy/blueGreen'] as const;

/** A field of the routing of a Rollout, in each style, and of a TrafficRouting. */
function routed(field: string): readonly (readonly [KustomizeKind, readonly string[]])[] {
  return [
    [ROLLOUT, STYLES.map((style) => `${style}/trafficRoutings/${field}`)],
    [TRAFFIC_ROUTING, [`spec/objectRef/${field}`]],
  ];
}

/** The kinds of workloads that a Rollout can release. */
const WORKLOADS: readonly KustomizeKind[] = [
  { group: 'apps', kind: 'Deployment' },
  { group: 'apps', kind: 'StatefulSet' },
  { group: 'apps', kind: 'DaemonSet' },
  { group: 'apps.kruise.io', kind: 'CloneSet' },
  { group: 'apps.kruise.io', kind: 'StatefulSet' },
  { group: 'apps.kruise.io', kind: 'DaemonSet' },
];

/** Kinds of gateways for which this library has routing scripts. */
const CUSTOM_NETWORKS: readonly KustomizeKind[] = [
  { group: 'networking.istio.io', kind: 'VirtualService' },
  { group: 'networking.istio.io', kind: 'DestinationRule' },
  { group: 'projectcontour.io', kind: 'HTTPProxy' },
  { group: 'traefik.io', kind: 'TraefikService' },
  { group: 'traefik.io', kind: 'IngressRoute' },
  { group: 'apisix.apache.org', kind: 'ApisixRoute' },
  { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute' },
];

/** The configuration for Rollouts, TrafficRoutings and BatchReleases, of both API versions. */
export const KRUISE_KUSTOMIZE: KustomizeConfiguration = {
  nameReference: [
    ...WORKLOADS.map((workload) =>
      nameReference(
        workload,
        [ROLLOUT, ['spec/workloadRef/name', 'spec/objectRef/workloadRef/name']],
        [BATCH_RELEASE, ['spec/workloadRef/name', 'spec/targetReference/workloadRef/name']],
      ),
    ),
    nameReference({ kind: 'Service' }, ...routed('service')),
    nameReference({ group: 'networking.k8s.io', kind: 'Ingress' }, ...routed('ingress/name')),
    ...CUSTOM_NETWORKS.map((network) =>
      nameReference(
        network,
        ...routed('customNetworkRefs/name'),
        ...(network.kind === 'HTTPRoute' ? routed('gateway/httpRouteName') : []),
      ),
    ),
    nameReference(TRAFFIC_ROUTING, [
      ROLLOUT,
      [
        ...STYLES.map((style) => `${style}/trafficRoutingRef`),
        'metadata/annotations/rollouts.kruise.io\\/trafficrouting',
      ],
    ]),
  ],
};
