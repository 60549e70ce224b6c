import type { JsonObject } from '../core/json';
import type { Manifest } from '../core/manifest';
import type { World } from '../core/world';
import type { Grantee } from './gateway-rbac';
import { asList, asObject, asString } from './json';

const RBAC = 'rbac.authorization.k8s.io';

/** Who runs the controller. */
export type Account = Pick<Grantee, 'namespace' | 'serviceAccountName'>;

/** A role that is given to somebody. */
export interface Binding {
  /** RoleBinding or ClusterRoleBinding. */
  readonly manifest: Manifest;
  /** The namespace in which it counts; empty for all. */
  readonly namespace: string;
  readonly roleKind: string;
  readonly roleName: string;
  /** The role, where it is among the manifests. */
  readonly role: Manifest | undefined;
  /** Whether what the role allows cannot be read from the manifests, although it exists in every cluster. */
  readonly isForeign: boolean;
}

/** The roles that an account is given, by name or by a group of all ServiceAccounts. */
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
      const roleKind = asString(kind) ?? '';
      const roleName = asString(name) ?? '';
      const role = world.find(`${roleKind}.${RBAC}`, roleName, namespace === '' ? undefined : namespace);
      return { manifest, namespace, roleKind, roleName, role, isForeign: isForeign(roleKind, roleName, role) };
    });
}

/** The subjects of a binding, with their place. */
export function subjectsOf(binding: Manifest) {
  return asList(binding.get('subjects')).map((entry, index) => {
    const subject = asObject(entry);
    return {
      kind: asString(subject.kind) ?? '',
      name: asString(subject.name) ?? '',
      namespace: asString(subject.namespace) ?? '',
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

/** Roles that Kubernetes brings, and those that it puts together from others at run time. */
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

/** What is asked for: a verb on the objects of a resource. */
export interface Request {
  readonly verb: string;
  readonly group: string;
  /** The plural; undefined where it is not known, so that any resource of the group will do. */
  readonly resource: string | undefined;
  /** The one object; undefined means all of them. */
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
