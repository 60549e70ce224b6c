import type { JsonObject } from '../core/json';
import { asList, asObject, textOf } from '../core/json';
import type { Manifest } from '../core/manifest';
import type { World } from '../core/world';
import type { Grantee } from './gateway-rbac';

const RBAC = 'rbac.authorization.k8s.io';

/** The ServiceAccount of the controller. */
export type Account = Pick<Grantee, 'namespace' | 'serviceAccountName'>;

/** A role binding. */
export interface Binding {
  /** RoleBinding or ClusterRoleBinding. */
  readonly manifest: Manifest;
  /** The namespace that it applies to; empty for all namespaces. */
  readonly namespace: string;
  readonly roleKind: string;
  readonly roleName: string;
  /** The role, if it is among the manifests. */
  readonly role: Manifest | undefined;
  /** Whether the cluster defines the role, so that its rules are not in the manifests. */
  readonly isForeign: boolean;
}

/** The bindings of an account, by its name or by a group of all ServiceAccounts. */
export function grantsTo(world: World, account: Account): Binding[] {
  return bindingsOf(world).filter(({ manifest }) => {
    return subjectsOf(manifest).some((subject) => isSubject(subject, account));
  });
}

/** All bindings of a World. */
export function bindingsOf(world: World): Binding[] {
  const kinds = [`ClusterRoleBinding.${RBAC}`, `RoleBinding.${RBAC}`];
  return kinds
    .flatMap((kind) => world.list(kind))
    .map((manifest) => {
      const namespace = world.namespaceOf(manifest);
      const { kind, name } = asObject(manifest.get('roleRef'));
      const roleKind = textOf(kind) ?? '';
      const roleName = textOf(name) ?? '';
      const role = world.find(`${roleKind}.${RBAC}`, roleName, namespace === '' ? undefined : namespace);
      return { manifest, namespace, roleKind, roleName, role, isForeign: isForeign(roleKind, roleName, role) };
    });
}

/** The subjects of a binding, with their index. */
export function subjectsOf(binding: Manifest) {
  return asList(binding.get('subjects')).map((entry, index) => {
    const subject = asObject(entry);
    return {
      kind: textOf(subject.kind) ?? '',
      name: textOf(subject.name) ?? '',
      namespace: textOf(subject.namespace) ?? '',
      index,
    };
  });
}

type Subject = Omit<ReturnType<typeof subjectsOf>[number], 'index'>;

function isSubject({ kind, name, namespace }: Subject, account: Account): boolean {
  if (kind === 'ServiceAccount') return name === account.serviceAccountName && namespace === account.namespace;
  if (kind === 'User') return name === `system:serviceaccount:${account.namespace}:${account.serviceAccountName}`;
  return (
    kind === 'Group' &&
    ['system:authenticated', 'system:serviceaccounts', `system:serviceaccounts:${account.namespace}`].includes(name)
  );
}

/** Whether a role is built into Kubernetes, or aggregated from other roles at run time. */
function isForeign(kind: string, name: string, role: Manifest | undefined): boolean {
  if (kind !== 'ClusterRole') return false;
  if (role === undefined)
    return ['admin', 'cluster-admin', 'edit', 'view'].includes(name) || name.startsWith('system:');
  return role.get('aggregationRule') !== undefined;
}

/** One rule of a role. */
export interface RoleRule {
  readonly apiGroups: readonly unknown[];
  readonly resources: readonly unknown[];
  readonly verbs: readonly unknown[];
  readonly resourceNames: readonly unknown[];
}

/** The rules of a role. */
export function rulesOf(role: Manifest | undefined): RoleRule[] {
  return asList(role?.get('rules')).map((entry) => {
    const rule: JsonObject = asObject(entry);
    return {
      apiGroups: asList(rule.apiGroups),
      resources: asList(rule.resources),
      verbs: asList(rule.verbs),
      resourceNames: asList(rule.resourceNames),
    };
  });
}

/** A requested verb on a resource. */
export interface Request {
  readonly verb: string;
  readonly group: string;
  /** The plural; undefined if unknown, so that any resource of the group matches. */
  readonly resource: string | undefined;
  /** The name of an object; undefined means all objects. */
  readonly name?: string;
}

/** Whether a rule allows a request. */
export function allows(rule: RoleRule, { verb, group, resource, name }: Request): boolean {
  const has = (list: readonly unknown[], value: string) => list.includes('*') || list.includes(value);
  return (
    has(rule.apiGroups, group) &&
    has(rule.verbs, verb) &&
    (resource === undefined ? rule.resources.length > 0 : has(rule.resources, resource)) &&
    (rule.resourceNames.length === 0 || (name !== undefined && rule.resourceNames.includes(name)))
  );
}
