/** A sidecar of Istio: what a pod of the mesh asks passes through it. */
import type { KubernetesObject } from '../cluster/api';
import type { ControlPlane } from '../cluster/control-plane';
import type { Running } from '../cluster/processes';
import { NAMESPACE } from './backends';
import { startEnvoy } from './envoy';
import { PILOT_PORT, startPilot } from './istio';

const POD = 'asking';
const ADDRESS = '10.244.250.2';

/** The pod of the sidecar, which is the Envoy of this machine. */
export const ASKING_POD: readonly KubernetesObject[] = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: POD, namespace: NAMESPACE, labels: { app: POD } },
    spec: { containers: [{ name: 'istio-proxy', image: 'x:1' }] },
  },
];

/** The local port that stands for a port of Services. A real sidecar takes all of them from iptables. */
export const localPort = (port: number): number => 20_000 + port;

/** Starts Istio's control plane and the sidecar, which takes requests to the ports of Services. */
export async function startSidecar(
  plane: ControlPlane,
  folder: string,
  ports: readonly number[],
): Promise<readonly Running[]> {
  const pilot = await startPilot(plane, folder);
  const envoy = await startEnvoy({
    node: `sidecar~${ADDRESS}~${POD}.${NAMESPACE}~${NAMESPACE}.svc.cluster.local`,
    cluster: `${POD}.${NAMESPACE}`,
    metadata: {
      LABELS: { app: POD },
      NAMESPACE,
      CLUSTER_ID: 'Kubernetes',
      ISTIO_VERSION: '1.31.0',
      INSTANCE_IPS: ADDRESS,
    },
    port: PILOT_PORT,
    listeners: ports.map(listener),
    folder,
  });
  return [pilot, envoy];
}

/** The routes of a port are those that istiod gives to the sidecar under the name of the port. */
function listener(port: number): object {
  const type = (name: string) => `type.googleapis.com/envoy.extensions.filters.${name}`;
  return {
    name: `port-${port}`,
    address: { socket_address: { address: '127.0.0.1', port_value: localPort(port) } },
    filter_chains: [
      {
        filters: [
          {
            name: 'envoy.filters.network.http_connection_manager',
            typed_config: {
              '@type': type('network.http_connection_manager.v3.HttpConnectionManager'),
              stat_prefix: `port-${port}`,
              rds: {
                route_config_name: String(port),
                config_source: { ads: {}, resource_api_version: 'V3' },
              },
              http_filters: [
                { name: 'envoy.filters.http.router', typed_config: { '@type': type('http.router.v3.Router') } },
              ],
            },
          },
        ],
      },
    ],
  };
}
