/** The permissions of a ServiceAccount by the roles of the cluster. */
import { allows, grantsTo, rulesOf } from '../kruise/grants';
import type { LiveCluster, Unread } from './cluster';

/** A required permission. */
export interface Need {
  readonly group: string;
  readonly resource: string;
  readonly verbs: readonly string[];
}

const RBAC = ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'].map(
  (kind) => `${kind}.rbac.authorization.k8s.io`,
);

/** The reason why the roles are unknown; undefined if they were read. */
export function rolesUnread(cluster: LiveCluster, namespace: string): Unread | undefined {
  const [clusterRoles, clusterBindings] = RBAC.map((kind) => cluster.unread(kind));
  return clusterRoles ?? clusterBindings ?? (cluster.isLive ? cluster.unread(RBAC[3]!, namespace) : undefined);
}

/** The verbs that no role grants, as `patch ingresses.networking.k8s.io`. A role that was not read may grant everything. */
export function missingVerbs(
  cluster: LiveCluster,
  account: { readonly namespace: string; readonly serviceAccountName: string },
  needs: readonly Need[],
  namespace: string,
): string[] {
  const grants = grantsTo(cluster.world, account).filter((one) => one.namespace === '' || one.namespace === namespace);
  if (grants.some(({ isForeign, role }) => isForeign || role === undefined)) return [];
  const rules = grants.flatMap(({ role }) => rulesOf(role));
  return needs.flatMap(({ group, resource, verbs }) => {
    const missing = verbs.filter((verb) => !rules.some((rule) => allows(rule, { verb, group, resource })));
    return missing.length === 0 ? [] : [`${missing.join(', ')} ${resource}${group === '' ? '' : `.${group}`}`];
  });
}
