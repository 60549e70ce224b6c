import type { KubernetesObject, PolicyRule } from '../../kubernetes/api';
import { clusterRoleObjects, roleObjects, rule } from '../../kubernetes/rbac';
import { type ClusterRuleOptions, clusterRules } from './cluster-rules';
import { CONTROLLER_NAME, LEADER_ELECTION_ID, WEBHOOK_SECRET_NAME } from './names';

/** Options of the permissions. */
export interface RbacOptions extends ClusterRuleOptions {
  readonly namespace: string;
  readonly serviceAccountAnnotations: { readonly [key: string]: string };
}

/** ServiceAccount, roles and bindings. */
export function rbacObjects(options: RbacOptions): KubernetesObject[] {
  const { namespace, serviceAccountAnnotations } = options;
  const grant = { serviceAccountName: CONTROLLER_NAME, namespace };
  const manager = {
    ...grant,
    name: 'kruise-rollout-manager-role',
    bindingName: 'kruise-rollout-manager-rolebinding',
  };
  const leader = {
    ...grant,
    name: 'kruise-rollout-leader-election-role',
    bindingName: 'kruise-rollout-leader-election-rolebinding',
  };
  return [
    {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: CONTROLLER_NAME, namespace, annotations: serviceAccountAnnotations },
    },
    ...roleObjects({ ...manager, rules: certificateRules() }),
    ...roleObjects({ ...leader, rules: leaderElectionRules() }),
    ...clusterRoleObjects({ ...manager, rules: clusterRules(options) }),
  ];
}

/**
 * A Secret holds the certificate of the webhooks. The controller creates, reads and replaces it. It also watches all
 * Secrets of its namespace, which no rule can restrict to a name.
 */
function certificateRules(): PolicyRule[] {
  return [
    rule('', ['secrets'], ['create', 'list', 'watch']),
    { ...rule('', ['secrets'], ['get', 'update']), resourceNames: [WEBHOOK_SECRET_NAME] },
  ];
}

/** Leader election uses one Lease. The chart also grants ConfigMaps, which older releases used. */
function leaderElectionRules(): PolicyRule[] {
  return [
    rule('coordination.k8s.io', ['leases'], ['create']),
    { ...rule('coordination.k8s.io', ['leases'], ['get', 'update']), resourceNames: [LEADER_ELECTION_ID] },
    rule('', ['events'], ['create', 'patch']),
  ];
}
