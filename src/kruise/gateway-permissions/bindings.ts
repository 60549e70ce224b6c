import type { Finding } from '../../core/finding';
import { groupOf, type Manifest } from '../../core/manifest';
import { nameOfKind } from '../../routers';
import { allows, type Binding, rulesOf, subjectsOf } from '../grants';
import { gatewayKindOf, type PermissionCheck, pluralOf } from './context';
import { namedKinds } from './references';
import { gatewayPermissionRules } from './rules';

/** Reports bindings that should grant gateway objects to the controller, but do not. */
export function checkBindings(check: PermissionCheck): Finding[] {
  return check.bindings.flatMap((binding) => {
    const intended = intendedRole(binding, check);
    const kinds = grantedGateways(intended ?? binding.role, check);
    const subjects = subjectsOf(binding.manifest).filter(({ kind, namespace }) => {
      return kind === 'ServiceAccount' && namespace === check.account.namespace;
    });
    const unknown = subjects.filter(({ name }) => isUnknownAccount(name, kinds.length > 0, check));
    const meansController =
      unknown.length > 0 || subjects.some(({ name }) => name === check.account.serviceAccountName);
    if (!meansController) return [];
    return [
      ...unknown.map(({ name, index }) => unknownSubject(binding.manifest, name, index, check)),
      ...(intended === undefined ? [] : [elsewhere(binding, intended)]),
      ...(binding.namespace === '' || kinds.length === 0 ? [] : [namespaced(binding, kinds, check)]),
    ];
  });
}

/** A Role with the same name in another namespace, if the binding's namespace has none. */
function intendedRole({ role, roleKind, roleName }: Binding, { world }: PermissionCheck): Manifest | undefined {
  if (role !== undefined || roleKind !== 'Role') return undefined;
  return world.list('Role.rbac.authorization.k8s.io').find(({ name }) => name === roleName);
}

/** The gateway kinds that a role allows to change: known ones, and those that Rollouts name. */
function grantedGateways(role: Manifest | undefined, check: PermissionCheck): string[] {
  const named = namedKinds(check.world, check.version).map(({ kind, apiVersion }) => {
    const group = groupOf(apiVersion);
    return { group, plural: pluralOf(check, kind, apiVersion), groupKind: `${kind}.${group}` };
  });
  const known = check.gateways.map((kind) => ({ ...kind, groupKind: nameOfKind(kind) }));
  const granted = [...known, ...named].filter(({ group, plural: resource }) => {
    return resource !== undefined && rulesOf(role).some((rule) => allows(rule, { verb: 'update', group, resource }));
  });
  return [...new Set(granted.map(({ groupKind }) => groupKind))].sort();
}

/** Whether a ServiceAccount does not exist, but should be the controller's: the role grants gateways, or upstream's documents use the name. */
function isUnknownAccount(name: string, grantsGateways: boolean, { world, account }: PermissionCheck): boolean {
  if (name === account.serviceAccountName) return false;
  if (world.find('ServiceAccount', name, account.namespace) !== undefined) return false;
  return grantsGateways || name === 'controller-manager';
}

function unknownSubject(binding: Manifest, name: string, index: number, { account }: PermissionCheck): Finding {
  return binding.finding(gatewayPermissionRules['kruise-role-subject-unknown'], {
    message:
      `the ${binding.kind} names the ServiceAccount "${name}", but the controller runs as ` +
      `"${account.serviceAccountName}" in the namespace "${account.namespace}"`,
    path: ['subjects', index, 'name'],
    fix: `name "${account.serviceAccountName}"`,
    absent: [{ apiVersion: 'v1', kind: 'ServiceAccount', namespace: account.namespace, name }],
  });
}

function elsewhere({ manifest, namespace, roleName }: Binding, role: Manifest): Finding {
  const source = role.sourceOf();
  return manifest.finding(gatewayPermissionRules['kruise-role-binding-namespace'], {
    message: `the RoleBinding is in the namespace "${namespace}", which has no Role "${roleName}"`,
    path: ['roleRef', 'name'],
    absent: [{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', namespace, name: roleName }],
    related: {
      message: `the Role "${roleName}" is in the namespace "${role.namespace ?? 'default'}"`,
      object: role.ref,
      ...(source === undefined ? {} : { source }),
    },
  });
}

function namespaced(binding: Binding, kinds: readonly string[], check: PermissionCheck): Finding {
  const { manifest, namespace } = binding;
  const unneeded = kinds.every((kind) => isGrantedEverywhere(kind, check));
  const where =
    namespace === check.account.namespace ? 'the namespace of the controller' : `the namespace "${namespace}"`;
  return manifest.finding(gatewayPermissionRules['kruise-gateway-role-namespaced'], {
    message: `the RoleBinding grants ${kinds.join(', ')} in ${where} only`,
    ...(unneeded
      ? {
          fix: `remove Role and RoleBinding: the ClusterRole of the install already grants these kinds (${check.version})`,
        }
      : {}),
  });
}

function isGrantedEverywhere(groupKind: string, check: PermissionCheck): boolean {
  if (check.grantedElsewhere.includes(groupKind)) return true;
  const kind = gatewayKindOf(check, groupKind);
  if (kind === undefined) return false;
  const rules = check.own.filter(({ namespace }) => namespace === '').flatMap(({ role }) => rulesOf(role));
  return ['get', 'list', 'update', 'watch'].every((verb) =>
    rules.some((rule) => allows(rule, { verb, group: kind.group, resource: kind.plural })),
  );
}
