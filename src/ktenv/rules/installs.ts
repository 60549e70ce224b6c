/** Checks the operator of each namespace. */

import type { Finding } from '../../core/finding';
import { asList, asObject, type Json, ownValue, textsOf } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import { defineRules } from '../../core/rule';
import { VIRTUAL_ENVIRONMENT } from '../controller';
import { OPERATOR as OPERATOR_NAME } from '../install/names';
import { type KtEnvCheck, type KtEnvChecker, listed, variable } from './context';
import {
  edit,
  OPERATOR,
  OPERATOR_ACCOUNT,
  OPERATOR_BINDING,
  OPERATOR_ROLE,
  OPERATOR_STACK,
  STACK,
  yaml,
} from './examples';
import { operatorsIn } from './installed';
import { source } from './sources';

/** The permissions that the operator needs: group, resource, verbs. */
const NEEDED: readonly (readonly [group: string, resource: string, verbs: readonly string[]])[] = [
  ['', 'services', ['get', 'list', 'watch']],
  ['', 'pods', ['get']],
  ['', 'configmaps', ['get', 'create']],
  ['apps', 'deployments', ['get', 'list', 'watch']],
  ['apps', 'statefulsets', ['get', 'list', 'watch']],
  ['env.alibaba.com', 'virtualenvironments', ['get', 'list', 'watch', 'delete']],
  ['networking.istio.io', 'virtualservices', ['get', 'list', 'watch', 'create', 'update', 'delete']],
  ['networking.istio.io', 'destinationrules', ['get', 'list', 'watch', 'create', 'update', 'delete']],
  ['networking.istio.io', 'envoyfilters', ['get', 'list', 'watch', 'create', 'delete']],
];

/** Rules on installs of KtEnv. */
export const installRules = defineRules({
  'ktenv-operator-missing': {
    severity: 'warning',
    title: 'no operator runs in the namespace of a VirtualEnvironment',
    because: 'each operator watches only its own namespace; without an operator a VirtualEnvironment has no effect',
    fix: 'install the operator in this namespace, or list it as external',
    basis: 'read',
    sources: [source.install],
    failing: yaml(...STACK, ...OPERATOR_STACK.map((one) => one.replace('namespace: shop', 'namespace: bank'))),
    corrected: yaml(...STACK, ...OPERATOR_STACK),
  },
  'ktenv-operator-namespace': {
    severity: 'error',
    title: 'the operator does not watch its own namespace',
    because:
      'the operator watches the namespace in WATCH_NAMESPACE, and its Role allows only its own; an empty value means the ' +
      'whole cluster, whose namespaces it mixes up',
    fix: 'set WATCH_NAMESPACE from the field metadata.namespace',
    basis: 'read',
    sources: [source.install, source.trigger],
    failing: yaml(
      ...STACK,
      edit(OPERATOR, ['valueFrom: { fieldRef: { fieldPath: metadata.namespace } }', 'value: bank']),
      ...OPERATOR_STACK.slice(1),
    ),
    corrected: yaml(...STACK, ...OPERATOR_STACK),
  },
  'ktenv-operator-permissions': {
    severity: 'error',
    title: 'the operator lacks a permission',
    because:
      'the operator reads Services and workloads and writes objects of Istio with the permissions of its ServiceAccount; ' +
      'without one of them, it stops with an error in its log',
    fix: 'bind a Role with the missing permissions to the ServiceAccount of the operator, in the same namespace',
    basis: 'read',
    sources: [source.install, source.router],
    failing: yaml(
      ...STACK,
      OPERATOR,
      OPERATOR_ACCOUNT,
      edit(OPERATOR_ROLE, ['virtualservices, destinationrules, envoyfilters', 'virtualservices, envoyfilters']),
      OPERATOR_BINDING,
    ),
    corrected: yaml(...STACK, ...OPERATOR_STACK),
  },
  'ktenv-operator-account': {
    severity: 'warning',
    title: 'the ServiceAccount of the operator is missing',
    because: 'the API server creates no pod for a ServiceAccount that does not exist, so no operator runs',
    fix: 'add the ServiceAccount to the namespace of the operator, or list it as external',
    basis: 'read',
    sources: [source.install],
    failing: yaml(...STACK, OPERATOR, OPERATOR_ROLE, OPERATOR_BINDING),
    corrected: yaml(...STACK, ...OPERATOR_STACK),
  },
});

const RBAC = 'rbac.authorization.k8s.io/v1';

/** Checks installs. */
export const checkInstalls: KtEnvChecker = (check) => [
  ...missing(check),
  ...operatorsIn(check.world).flatMap((operator) => [
    ...watched(operator),
    ...account(operator, check),
    ...permissions(operator, check),
  ]),
];

/** If the World has no operator, KtEnv is installed by other means. */
function missing(check: KtEnvCheck): Finding[] {
  const { world } = check;
  const operators = operatorsIn(world);
  if (operators.length === 0) return [];
  return world.list(VIRTUAL_ENVIRONMENT).flatMap((manifest) => {
    const namespace = world.namespaceOf(manifest);
    const ref = { apiVersion: 'apps/v1', kind: 'Deployment', name: OPERATOR_NAME, namespace };
    if (check.isExternal(ref) || operators.some((one) => world.namespaceOf(one) === namespace)) return [];
    return manifest.finding(installRules['ktenv-operator-missing'], {
      message: `there is no operator in the namespace "${namespace}"`,
      absent: [ref],
    });
  });
}

function watched(operator: Manifest): Finding[] {
  const found = variable(operator, 'WATCH_NAMESPACE');
  const field = ownValue(ownValue(ownValue(found, 'valueFrom'), 'fieldRef'), 'fieldPath');
  const value = ownValue(found, 'value');
  if (field === 'metadata.namespace') return [];
  if (typeof value === 'string' && value !== '' && value === operator.namespace) return [];
  return [
    operator.finding(installRules['ktenv-operator-namespace'], {
      message:
        found === undefined
          ? 'the operator has no variable WATCH_NAMESPACE'
          : `WATCH_NAMESPACE of the operator is ${typeof value === 'string' ? `"${value}"` : 'not its own namespace'}`,
      path: ['spec', 'template', 'spec', 'containers'],
    }),
  ];
}

function accountOf(operator: Manifest): string {
  const account = operator.get('spec.template.spec.serviceAccountName');
  return typeof account === 'string' ? account : 'default';
}

function account(operator: Manifest, { world, isExternal }: KtEnvCheck): Finding[] {
  const namespace = world.namespaceOf(operator);
  const name = accountOf(operator);
  const isThere =
    name === 'default' ||
    world.find('ServiceAccount', name, namespace) !== undefined ||
    isExternal({ apiVersion: 'v1', kind: 'ServiceAccount', name, namespace });
  if (isThere) return [];
  return [
    operator.finding(installRules['ktenv-operator-account'], {
      message: `there is no ServiceAccount "${name}" in the namespace "${namespace}" of the operator`,
      path: ['spec', 'template', 'spec', 'serviceAccountName'],
      absent: [{ apiVersion: 'v1', kind: 'ServiceAccount', namespace, name }],
    }),
  ];
}

function permissions(operator: Manifest, { world, isExternal }: KtEnvCheck): Finding[] {
  const namespace = world.namespaceOf(operator);
  const name = accountOf(operator);
  const rule = installRules['ktenv-operator-permissions'];
  const path = ['spec', 'template', 'spec', 'serviceAccountName'];
  const bindings = [
    ...world.list('RoleBinding.rbac.authorization.k8s.io', namespace),
    ...world.list('ClusterRoleBinding.rbac.authorization.k8s.io'),
  ].filter((binding) =>
    asList(binding.get('subjects'))
      .map(asObject)
      .some((one) => {
        const own = binding.kind === 'RoleBinding' ? namespace : undefined;
        return one.kind === 'ServiceAccount' && one.name === name && (one.namespace ?? own) === namespace;
      }),
  );
  const roles = bindings.map((binding) => {
    const { kind, name: role } = asObject(binding.get('roleRef'));
    return { binding, ref: { kind: String(kind), name: String(role), namespace } };
  });
  const unknown = roles.filter(({ ref }) => roleOf(world, ref) === undefined);
  if (bindings.length > 0 && unknown.some(({ ref }) => isExternal(ref))) return [];
  if (bindings.length === 0) {
    const message = `nothing binds a Role to the ServiceAccount "${name}" of the operator in "${namespace}"`;
    const absent = ['RoleBinding', 'ClusterRoleBinding'].map((kind) => ({ apiVersion: RBAC, kind, namespace }));
    return [operator.finding(rule, { message, path, absent })];
  }
  const rules = roles.flatMap(({ ref }) => asList(roleOf(world, ref)?.get('rules')).map(asObject));
  const lacking = NEEDED.flatMap(([group, resource, verbs]) => {
    const without = verbs.filter((verb) => !rules.some((one) => allows(one, group, resource, verb)));
    return without.length === 0 ? [] : [`${without.join(', ')} ${resource}${group === '' ? '' : `.${group}`}`];
  });
  if (lacking.length === 0) return [];
  return [
    operator.finding(rule, {
      message: `the ServiceAccount "${name}" of the operator may not ${listed(lacking)}`,
      path,
      absent: unknown.map(({ ref }) => ({ apiVersion: RBAC, ...ref })),
    }),
  ];
}

function roleOf(
  world: KtEnvCheck['world'],
  { kind, name, namespace }: { kind: string; name: string; namespace: string },
) {
  return world.find(`${kind}.rbac.authorization.k8s.io`, name, namespace);
}

function allows(rule: ReturnType<typeof asObject>, group: string, resource: string, verb: string): boolean {
  const has = (value: Json | undefined, wanted: string) => textsOf(value).some((one) => one === '*' || one === wanted);
  const isForSome = asList(rule.resourceNames).length > 0;
  return !isForSome && has(rule.apiGroups, group) && has(rule.resources, resource) && has(rule.verbs, verb);
}
