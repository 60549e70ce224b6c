import type { KubernetesObject, NetworkPolicyPeer } from '../../kubernetes/api';
import { CONTROLLER_LABELS, CONTROLLER_NAME } from './names';
import type { Settings } from './settings';

/**
 * Allows webhooks and metrics as ingress, and the API server and DNS as egress. Probes come from the node, which a policy
 * never blocks.
 */
export function networkPolicyObjects(settings: Settings): KubernetesObject[] {
  const { namespace, networkPolicy, metrics, webhookPort } = settings;
  if (networkPolicy === undefined) return [];
  const { apiServerCidrs = [], apiServerPorts = [443, 6443], metricsFrom } = networkPolicy;
  const apiServer: NetworkPolicyPeer[] = apiServerCidrs.map((cidr) => ({ ipBlock: { cidr } }));
  return [
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: CONTROLLER_NAME, namespace },
      spec: {
        podSelector: { matchLabels: { ...CONTROLLER_LABELS } },
        policyTypes: ['Ingress', 'Egress'],
        ingress: [
          { ...peers('from', apiServer), ports: [tcp(webhookPort)] },
          ...(metrics === undefined
            ? []
            : [{ ...peers('from', metricsFrom ?? [ANY_POD]), ports: [tcp(metrics.port)] }]),
        ],
        egress: [
          { ...peers('to', apiServer), ports: apiServerPorts.map(tcp) },
          { ports: [{ port: 53, protocol: 'UDP' }, tcp(53)] },
        ],
      },
    },
  ];
}

const ANY_POD: NetworkPolicyPeer = { namespaceSelector: {} };

/** Omits an empty list of peers: it reads like no peer, but it allows all peers. */
function peers(direction: 'from' | 'to', list: readonly NetworkPolicyPeer[]) {
  return list.length === 0 ? {} : { [direction]: list };
}

function tcp(port: number) {
  return { port, protocol: 'TCP' };
}
