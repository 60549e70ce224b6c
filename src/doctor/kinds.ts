/** The kinds to read from a cluster. Secrets are never read: no question needs their content. */

import { controllers } from '../rehearsal/controllers';
import type { ReleaseController } from '../release';
import { allRouters, kindsOf, type ObjectKind, type Router } from '../routers';

/** A kind to read. The group is empty for the core API. */
export interface ReadKind extends ObjectKind {
  /**
   * Only objects of this name.
   * @default - all
   */
  readonly name?: string;
  /**
   * Only in the namespaces of Rollouts and VirtualEnvironments.
   * @default false
   */
  readonly onlyWhereUsed?: boolean;
}

const kinds = (group: string, names: Readonly<Record<string, string>>, more: Partial<ReadKind> = {}): ReadKind[] =>
  Object.entries(names).map(([kind, plural]) => ({ group, kind, plural, ...more }));

const CLUSTER = { clusterScoped: true } as const;

/** The name of the ConfigMap that the Kruise Rollouts controller reads scripts from. */
const SCRIPTS = 'kruise-rollout-configuration';

/** Kinds of Kubernetes and of the installs. */
const INSTALL_AND_WORKLOAD_KINDS: readonly ReadKind[] = [
  ...kinds('env.alibaba.com', { VirtualEnvironment: 'virtualenvironments' }),
  ...kinds('', { ConfigMap: 'configmaps' }, { name: SCRIPTS }),
  ...kinds('', { Service: 'services' }),
  ...kinds('', { Namespace: 'namespaces' }, CLUSTER),
  ...kinds('', { Pod: 'pods', ServiceAccount: 'serviceaccounts' }, { onlyWhereUsed: true }),
  ...kinds('apps', { ReplicaSet: 'replicasets' }, { onlyWhereUsed: true }),
  ...kinds('apps', { Deployment: 'deployments', StatefulSet: 'statefulsets', DaemonSet: 'daemonsets' }),
  ...kinds('apps.kruise.io', { CloneSet: 'clonesets', StatefulSet: 'statefulsets', DaemonSet: 'daemonsets' }),
  ...kinds('networking.istio.io', { EnvoyFilter: 'envoyfilters' }),
  ...kinds(
    'rbac.authorization.k8s.io',
    { ClusterRole: 'clusterroles', ClusterRoleBinding: 'clusterrolebindings' },
    CLUSTER,
  ),
  ...kinds('rbac.authorization.k8s.io', { Role: 'roles', RoleBinding: 'rolebindings' }),
  ...kinds(
    'admissionregistration.k8s.io',
    {
      MutatingWebhookConfiguration: 'mutatingwebhookconfigurations',
      ValidatingWebhookConfiguration: 'validatingwebhookconfigurations',
    },
    CLUSTER,
  ),
  ...kinds('cert-manager.io', { Certificate: 'certificates' }),
];

/** Every kind that a question needs, if the cluster serves it. */
export function readKinds(
  routers: readonly Router[] = allRouters(),
  used: readonly Pick<ReleaseController, 'reads'>[] = controllers,
): readonly ReadKind[] {
  return [...used.flatMap(({ reads }) => reads), ...INSTALL_AND_WORKLOAD_KINDS, ...kindsOf(routers)];
}

/** All kinds, including those of the routers of this library. */
export const READ_KINDS: readonly ReadKind[] = readKinds();

/** The kinds to read in a controller's namespace if only some namespaces are read. */
export const CONTROLLER_KINDS: ReadonlySet<string> = new Set([
  'Deployment.apps',
  'ConfigMap',
  'ServiceAccount',
  'Role.rbac.authorization.k8s.io',
  'RoleBinding.rbac.authorization.k8s.io',
]);

/** `Ingress.networking.k8s.io`, the name of a kind in a World. */
export function groupKindOfRead({ group, kind }: ObjectKind): string {
  return group === '' ? kind : `${kind}.${group}`;
}

/** `ingresses.networking.k8s.io`, the name of a kind in kubectl. */
export function resourceOf({ group, plural }: Pick<ReadKind, 'group' | 'plural'>): string {
  return group === '' ? plural : `${plural}.${group}`;
}

/** A shell script that dumps everything. Skips what the cluster does not have or does not permit. */
export function dumpCommand(): string {
  const all = READ_KINDS.filter(({ name }) => name === undefined).map(resourceOf);
  const quiet = '2>/dev/null; echo ---;';
  return [
    '{',
    `  for kind in ${all.join(' ')}; do`,
    `    kubectl get "$kind" --all-namespaces -o yaml ${quiet}`,
    '  done',
    '  # all ConfigMaps of the controller, so that a missing one can be told from one that was not asked for',
    `  kubectl get configmaps --namespace kruise-rollout -o yaml ${quiet}`,
    `  kubectl get configmaps --all-namespaces --field-selector metadata.name=${SCRIPTS},metadata.namespace!=kruise-rollout -o yaml ${quiet}`,
    '} > dump.yaml',
    '',
  ].join('\n');
}
