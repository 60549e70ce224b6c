import type { KubernetesObject, PolicyRule } from '../../kubernetes/api';
import { clusterRoleObjects, roleObjects, rule } from '../../kubernetes/rbac';
import type { KruiseRolloutFacts } from '../facts';
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
    ...roleObjects({ ...leader, rules: leaderElectionRules(options.facts) }),
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

function leaderElectionRules({ electsWithConfigMap }: KruiseRolloutFacts): PolicyRule[] {
  return [
    ...lockRules('coordination.k8s.io', 'leases'),
    ...(electsWithConfigMap ? lockRules('', 'configmaps') : []),
    rule('', ['events'], ['create', 'patch']),
  ];
}

function lockRules(group: string, resource: string): PolicyRule[] {
  return [
    rule(group, [resource], ['create']),
    { ...rule(group, [resource], ['get', 'update']), resourceNames: [LEADER_ELECTION_ID] },
  ];
}
