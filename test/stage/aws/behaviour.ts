/** What the load balancer of a namespace does, as an annotation of the Namespace says: labs and stories write it. */
import type { LoadBalancerState } from '../../../src/release';
import type { Api, KubernetesObject } from '../cluster/api';

/** How a load balancer takes over what changes in the cluster. */
export interface LoadBalancer {
  /**
   * Seconds until a rule has a new weight.
   * @default 1
   */
  readonly weightsAfter?: number;
  /**
   * Seconds until a target group has new pods, and the old ones are gone from it.
   * @default 1
   */
  readonly targetsAfter?: number;
  /**
   * What it takes over.
   * @default 'follows'
   */
  readonly state?: LoadBalancerState;
  /**
   * Whether there is none at all: the Ingress gets no host name.
   * @default false
   */
  readonly isMissing?: boolean;
}

const ANNOTATION = 'stage.rollout-constructs.io/load-balancer';

/** A Namespace whose load balancer behaves so. */
export function namespaceWith(name: string, loadBalancer: LoadBalancer | undefined): KubernetesObject {
  const annotations = loadBalancer && { annotations: { [ANNOTATION]: JSON.stringify(loadBalancer) } };
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...annotations } };
}

/** What a Namespace says; undefined where no load balancer serves it. */
export function behaviourOf({ metadata }: KubernetesObject): LoadBalancer | undefined {
  const text = metadata.annotations?.[ANNOTATION];
  return text === undefined ? undefined : JSON.parse(text);
}

/** From now on the load balancer of a namespace takes over only what this state says. */
export async function setState(api: Api, namespace: string, state: LoadBalancerState): Promise<KubernetesObject> {
  const path = `/api/v1/namespaces/${namespace}`;
  const behaviour = { ...behaviourOf(await api.get(path)), state };
  return api.patch(path, { metadata: { annotations: { [ANNOTATION]: JSON.stringify(behaviour) } } });
}
