import { API_GROUP as ARGO_GROUP, API_KINDS as ARGO_KINDS, API_VERSION as ARGO_VERSION } from '../argo/api/names';
import { API_GROUP as KRUISE_GROUP } from '../kruise/api/names';
import { API_KINDS as KRUISE_KINDS } from '../kruise/api/schema';
import { API_GROUP as KTENV_GROUP } from '../ktenv/api/names';

/** The kinds of a group, each with every version that some release has served. */
export interface KnownGroup {
  readonly group: string;
  readonly kinds: Readonly<Record<string, readonly string[]>>;
  /** Further kinds of the group that resemble a kind which this library reads. */
  readonly others?: readonly string[];
  /** How wrong names in this group are reported elsewhere: all of them, or those of versions. */
  readonly checkedFor?: 'everything' | 'versions';
  /** Whether nobody else adds kinds to the group. */
  readonly isWhole?: true;
}

const kinds = (versions: readonly string[], ...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, versions]));

const ISTIO = ['v1', 'v1beta1', 'v1alpha3'];
const GATEWAY = ['v1', 'v1beta1', 'v1alpha2', 'v1alpha1'];

const APISIX = ['v2', 'v2beta3', 'v2beta2', 'v2beta1', 'v1'];
const TRAEFIK = [
  ...['IngressRoute', 'IngressRouteTCP', 'IngressRouteUDP', 'Middleware', 'MiddlewareTCP', 'ServersTransport'],
  ...['ServersTransportTCP', 'TLSOption', 'TLSStore', 'TraefikService'],
];

/** The API groups of releases, with the versions that people are to write first. */
export const KNOWN_GROUPS: readonly KnownGroup[] = [
  {
    group: KRUISE_GROUP,
    checkedFor: 'everything',
    kinds: { ...kinds(['v1beta1', 'v1alpha1'], ...KRUISE_KINDS), TrafficRouting: ['v1alpha1'] },
  },
  {
    group: ARGO_GROUP,
    checkedFor: 'versions',
    kinds: kinds([ARGO_VERSION], ...ARGO_KINDS),
    // Of Argo Events, where it is also a kind of others.
    others: ['Gateway'],
  },
  {
    group: KTENV_GROUP,
    checkedFor: 'versions',
    isWhole: true,
    kinds: kinds(['v1alpha2'], 'VirtualEnvironment'),
  },
  {
    group: 'apps.kruise.io',
    kinds: {
      ...kinds(['v1alpha1', 'v1beta1'], 'CloneSet', 'DaemonSet'),
      StatefulSet: ['v1beta1', 'v1alpha1'],
    },
  },
  {
    group: 'apps',
    kinds: {
      ...kinds(['v1', 'v1beta2', 'v1beta1'], 'ControllerRevision', 'Deployment', 'StatefulSet'),
      ...kinds(['v1', 'v1beta2'], 'DaemonSet', 'ReplicaSet'),
      Scale: ['v1beta2', 'v1beta1'],
    },
  },
  {
    group: '',
    kinds: kinds(
      ['v1'],
      'Binding',
      'ConfigMap',
      'Endpoints',
      'Event',
      'LimitRange',
      'List',
      'Namespace',
      'Node',
      'PersistentVolume',
      'PersistentVolumeClaim',
      'Pod',
      'PodTemplate',
      'ReplicationController',
      'ResourceQuota',
      'Secret',
      'Service',
      'ServiceAccount',
    ),
  },
  {
    group: 'networking.k8s.io',
    kinds: { ...kinds(['v1', 'v1beta1'], 'Ingress', 'IngressClass'), NetworkPolicy: ['v1'] },
  },
  { group: 'batch', kinds: { Job: ['v1'], CronJob: ['v1', 'v1beta1', 'v2alpha1'] } },
  { group: 'autoscaling', kinds: { HorizontalPodAutoscaler: ['v2', 'v1', 'v2beta2', 'v2beta1'] }, others: ['Scale'] },
  {
    group: 'policy',
    kinds: { PodDisruptionBudget: ['v1', 'v1beta1'] },
  },
  {
    group: 'rbac.authorization.k8s.io',
    kinds: kinds(['v1', 'v1beta1', 'v1alpha1'], 'ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'),
  },
  {
    group: 'gateway.networking.k8s.io',
    kinds: {
      ...kinds(GATEWAY, 'Gateway', 'GatewayClass', 'HTTPRoute'),
      ...kinds(['v1', 'v1alpha2'], 'GRPCRoute'),
    },
    others: ['TCPRoute'],
  },
  {
    group: 'networking.istio.io',
    kinds: kinds(ISTIO, 'DestinationRule', 'Gateway', 'ServiceEntry', 'Sidecar', 'VirtualService'),
  },
  {
    group: 'projectcontour.io',
    kinds: {
      ...kinds(['v1'], 'HTTPProxy', 'TLSCertificateDelegation'),
      ...kinds(['v1alpha1'], 'ContourConfiguration', 'ContourDeployment', 'ExtensionService'),
    },
  },
  ...['traefik.io', 'traefik.containo.us'].map((group) => ({ group, kinds: kinds(['v1alpha1'], ...TRAEFIK) })),
  {
    group: 'apisix.apache.org',
    kinds: {
      ...kinds(APISIX, 'ApisixClusterConfig', 'ApisixConsumer', 'ApisixPluginConfig', 'ApisixRoute', 'ApisixTls'),
      ...kinds(APISIX, 'ApisixUpstream'),
      ...kinds(['v2'], 'ApisixGlobalRule'),
      ...kinds(['v1alpha1'], 'BackendTrafficPolicy', 'Consumer', 'GatewayProxy', 'HTTPRoutePolicy', 'PluginConfig'),
    },
  },
];
