import type { KubernetesObject, PolicyRule } from './api';
import type { Labels } from './pods';

/** The API group of roles and bindings. */
export const RBAC_GROUP = 'rbac.authorization.k8s.io';

/** A role and its binding to a ServiceAccount. */
export interface Grant {
  readonly name: string;
  /**
   * The name of the binding.
   * @default - that of the role
   */
  readonly bindingName?: string;
  readonly rules: readonly PolicyRule[];
  /**
   * Labels of the role and the binding.
   * @default - none
   */
  readonly labels?: Labels;
  readonly serviceAccountName: string;
  /** The ServiceAccount's namespace, and that of a Role. */
  readonly namespace: string;
}

/** A Role and its RoleBinding: permissions in one namespace. */
export function roleObjects(grant: Grant): KubernetesObject[] {
  return grantObjects('Role', grant, { namespace: grant.namespace });
}

/** A ClusterRole and its ClusterRoleBinding: permissions in all namespaces. */
export function clusterRoleObjects(grant: Grant): KubernetesObject[] {
  return grantObjects('ClusterRole', grant, {});
}

function grantObjects(kind: 'Role' | 'ClusterRole', grant: Grant, place: { namespace?: string }): KubernetesObject[] {
  const { name, bindingName = name, rules, labels, serviceAccountName, namespace } = grant;
  const shared = { ...place, ...(labels === undefined ? {} : { labels: { ...labels } }) };
  return [
    { apiVersion: `${RBAC_GROUP}/v1`, kind, metadata: { name, ...shared }, rules },
    {
      apiVersion: `${RBAC_GROUP}/v1`,
      kind: `${kind}Binding`,
      metadata: { name: bindingName, ...shared },
      roleRef: { apiGroup: RBAC_GROUP, kind, name },
      subjects: [{ kind: 'ServiceAccount', name: serviceAccountName, namespace }],
    },
  ];
}

/** A rule for resources of one API group. */
export function rule(apiGroup: string, resources: readonly string[], verbs: readonly string[]): PolicyRule {
  return { apiGroups: [apiGroup], resources, verbs };
}
