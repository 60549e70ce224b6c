import type { Finding } from '../../core/finding';
import { groupKindOf, groupOf, type Manifest } from '../../core/manifest';
import type { Path } from '../../core/path';
import type { World } from '../../core/world';
import { nameOfKind, type ObjectKind } from '../../routers';
import { GatewayKind } from '../gateway-kinds';
import { gatewayVerbs } from '../gateway-rbac';
import { allows, rulesOf } from '../grants';
import { type RouteSubject, rolloutsOf, trafficRoutingsOf } from '../subject';
import type { KruiseRolloutVersion } from '../version';
import { gatewayKindOf, type PermissionCheck, pluralOf } from './context';
import { gatewayPermissionRules } from './rules';

/** A kind that the controller must change for a Rollout, with the necessary verbs. */
interface Need {
  readonly from: Manifest;
  readonly path: Path;
  readonly kind: string;
  readonly apiVersion: string;
  readonly verbs: readonly string[];
}

/** Reports kinds that a Rollout or TrafficRouting names but the controller may not change. */
export function checkReferencedKinds(check: PermissionCheck): Finding[] {
  // Most Rollouts need the same.
  const missingFor = new Map<string, readonly string[]>();
  return needsOf(check.world, check.version).flatMap((need) => {
    if (check.grantedElsewhere.includes(groupKindOf(need.kind, need.apiVersion))) return [];
    const key = JSON.stringify([need.kind, need.apiVersion, need.verbs]);
    const missing = missingFor.get(key) ?? missingVerbs(need, check);
    missingFor.set(key, missing);
    return missing.length === 0 ? [] : [notGranted(need, missing, check)];
  });
}

/** The kinds that Rollouts name, each once. */
export function namedKinds(world: World, version: KruiseRolloutVersion): readonly Pick<Need, 'kind' | 'apiVersion'>[] {
  return world.memo(readNamedKinds, version);
}

function readNamedKinds(world: World, version: KruiseRolloutVersion): readonly Pick<Need, 'kind' | 'apiVersion'>[] {
  const needs = needsOf(world, version);
  return [...new Map(needs.map((need) => [JSON.stringify([need.kind, need.apiVersion]), need])).values()];
}

/** The kinds of objects that Rollouts name, in any API version. */
function needsOf(world: World, version: KruiseRolloutVersion): Need[] {
  const routes = [...rolloutsOf(world, version).flatMap(({ route }) => route ?? []), ...trafficRoutingsOf(world)];
  return routes.flatMap((route) => needsOfRoute(route, version));
}

function needsOfRoute({ manifest, ingress, gateway, customNetworkRefs }: RouteSubject, version: KruiseRolloutVersion) {
  const needs: Need[] = customNetworkRefs
    .filter(({ ref }) => ref.kind !== '' && ref.apiVersion !== '')
    .map(({ path, ref }) => {
      return { from: manifest, path: [...path, 'kind'], ...ref, verbs: gatewayVerbs(version) };
    });
  if (ingress !== undefined) {
    const verbs = ['create', 'delete', 'get', 'list', 'patch', 'watch'];
    needs.push({ from: manifest, path: ingress.path, kind: 'Ingress', apiVersion: 'networking.k8s.io/v1', verbs });
  }
  if (gateway !== undefined) {
    const verbs = ['get', 'list', 'update', 'watch'];
    const apiVersion = 'gateway.networking.k8s.io/v1';
    needs.push({ from: manifest, path: gateway.path, kind: 'HTTPRoute', apiVersion, verbs });
  }
  return needs;
}

function missingVerbs({ kind, apiVersion, verbs }: Need, check: PermissionCheck): string[] {
  const everywhere = check.own.filter(({ namespace }) => namespace === '');
  if (everywhere.some(({ isForeign, role }) => isForeign || role === undefined)) return [];
  const resource = pluralOf(check, kind, apiVersion);
  const rules = everywhere.flatMap(({ role }) => rulesOf(role));
  return verbs.filter((verb) => !rules.some((rule) => allows(rule, { verb, group: groupOf(apiVersion), resource })));
}

function notGranted(need: Need, missing: readonly string[], check: PermissionCheck) {
  const { version, account, isComplete } = check;
  const { from, path, kind, apiVersion } = need;
  const plural = pluralOf(check, kind, apiVersion);
  const group = groupOf(apiVersion);
  const known = gatewayKindOf(check, groupKindOf(kind, apiVersion));
  const rule = gatewayPermissionRules['kruise-gateway-not-granted'];
  return from.finding(rule, {
    severity: isComplete ? 'error' : 'warning',
    message:
      `the ServiceAccount "${account.serviceAccountName}" of the namespace "${account.namespace}" may not ` +
      `${missing.join(', ')} ${plural ?? `the plural of ${kind}`} of the group "${group}"` +
      (isComplete ? '' : ', according to these manifests'),
    path,
    because: version.facts.watchesCustomKinds
      ? rule.because
      : 'without the permission the controller cannot change the object',
    fix:
      `grant ${missing.join(', ')} on ${plural === undefined ? kind : `${plural}.${group}`} by a ClusterRole and a ` +
      `ClusterRoleBinding${known === undefined ? '' : `: new GatewayRoleBinding(…, { kinds: [${constantOf(known)}] })`}`,
  });
}

/** How a program names a kind. */
function constantOf(kind: ObjectKind): string {
  const constant = Object.entries(GatewayKind).find(([, value]) => value.groupKind === nameOfKind(kind));
  return constant === undefined ? `GatewayKind.of({ kind: '${kind.kind}', … })` : `GatewayKind.${constant[0]}`;
}
