import type { PropTable } from '../core/props';
import type { KubernetesObject, PolicyRule } from '../kubernetes/api';
import { clusterRoleObjects } from '../kubernetes/rbac';
import { GatewayKind } from './gateway-kinds';
import type { KruiseRolloutPermissions } from './install/options';
import { KruiseRolloutVersion } from './version';

/** The controller that gets the permissions. */
export interface Grantee {
  readonly namespace: string;
  readonly serviceAccountName: string;
  readonly version: KruiseRolloutVersion;
}

/** The options of a grant. */
export interface GatewayGrantOptions {
  /** The kinds of objects that Rollouts name in `customNetworkRefs`. */
  readonly kinds: readonly GatewayKind[];

  /**
   * The name of ClusterRole and ClusterRoleBinding.
   * @default - made of the kinds: `kruise-rollout-httpproxies.projectcontour.io`
   */
  readonly name?: string;
}

/** The same at run time. */
export const GATEWAY_GRANT_PROPS: PropTable<GatewayGrantOptions> = { kinds: true, name: true };

/** The kinds that have to be granted to an install, and those that it may read and change already. */
export function missingGrants(kinds: readonly GatewayKind[], grantedKinds: readonly string[]) {
  if (kinds.length === 0) throw new Error('kinds is empty: name the kinds that Rollouts have in customNetworkRefs');
  const isGranted = ({ groupKind }: GatewayKind) => grantedKinds.includes(groupKind);
  return { kinds: kinds.filter((kind) => !isGranted(kind)), alreadyGranted: kinds.filter(isGranted) };
}

/**
 * The verbs that the controller needs for a custom kind in all namespaces. Releases up to 0.6.2 watch the kind in all
 * namespaces after the first read; later releases read single objects. All releases write whole objects (`update`).
 */
export function gatewayVerbs(version: KruiseRolloutVersion = KruiseRolloutVersion.LATEST): readonly string[] {
  return version.facts.watchesCustomKinds ? ['get', 'list', 'update', 'watch'] : ['get', 'update'];
}

/** One rule per API group of these kinds. */
function gatewayRules(
  kinds: readonly GatewayKind[],
  version: KruiseRolloutVersion = KruiseRolloutVersion.LATEST,
): PolicyRule[] {
  const groups = [...new Set(kinds.map(({ group }) => group))].sort();
  return groups.map((group) => {
    const plurals = kinds.filter((kind) => kind.group === group).map(({ plural }) => plural);
    return { apiGroups: [group], resources: [...new Set(plurals)].sort(), verbs: gatewayVerbs(version) };
  });
}

/**
 * The ClusterRole and ClusterRoleBinding that allow a controller to change objects of these kinds; empty without kinds.
 *
 * A Role is not enough. A Role in the controller's namespace covers only that namespace, which has no gateway objects. A
 * Role in the namespace of the objects does not allow the watch on all namespaces, without which releases up to 0.6.2
 * wait forever.
 */
export function gatewayGrant(
  kinds: readonly GatewayKind[],
  { namespace, serviceAccountName, version }: Grantee,
  name: string = gatewayRoleName(kinds),
): KubernetesObject[] {
  if (kinds.length === 0) return [];
  return clusterRoleObjects({ name, rules: gatewayRules(kinds, version), namespace, serviceAccountName });
}

/** `kruise-rollout-httpproxies.projectcontour.io`. The name does not depend on the order of the kinds. */
function gatewayRoleName(kinds: readonly GatewayKind[]): string {
  const names = kinds.map(({ plural, group }) => `${plural}.${group}`);
  return `kruise-rollout-${[...new Set(names)].sort().join('-')}`;
}

/** The kinds, `<Kind>.<group>`, that the ClusterRole of an install already covers, in the Helm chart and in ours. */
export function installGrants(version: KruiseRolloutVersion, permissions: KruiseRolloutPermissions = {}): string[] {
  return [
    ...(permissions.gatewayApi === false ? [] : [GatewayKind.GATEWAY_API_HTTP_ROUTE.groupKind]),
    ...(permissions.ingresses === false ? [] : [GatewayKind.INGRESS.groupKind]),
    ...(permissions.istio === false ? [] : version.facts.grantedCustomKinds),
  ];
}
