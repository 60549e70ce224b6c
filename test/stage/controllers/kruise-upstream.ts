/**
 * The install of releases before 0.5, which this library does not write: the manifests in the release's Go module, with the
 * namespace and the prefix of its kustomization.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { KubernetesObject } from '../cluster/api';

const NAMESPACE = 'kruise-rollout';
const PREFIX = 'kruise-rollout-';

/** In the order of an install. */
const FOLDERS = ['config/crd/bases', 'config/rbac', 'config/webhook', 'config/manager'];

/** Kustomizations, and files that no kustomization of the release takes. */
const LEFT_OUT = /^(kustom|auth_proxy|controller_manager_config|patch_|.*_(editor|viewer)_role)/;

/** The objects of an install. */
export function upstreamInstall(module: string): KubernetesObject[] {
  const objects = FOLDERS.flatMap((folder) =>
    readdirSync(join(module, folder))
      .filter((name) => !LEFT_OUT.test(name))
      .sort()
      .flatMap((name) => documentsOf(join(module, folder, name))),
  );
  const patches = documentsOf(join(module, 'config/webhook/patch_manifests.yaml'));
  const finalizers = documentsOf(join(module, 'config/rbac/role_binding.yaml')).flatMap(ownerRights);
  const [deployed] = documentsOf(join(module, 'config/default/manager_auth_proxy_patch.yaml'));
  const order = ['Namespace', 'CustomResourceDefinition', 'ServiceAccount'];
  return [...objects, ...finalizers]
    .map((object) => placed(patched(object, patches, deployed)))
    .sort((a, b) => rank(order, a.kind) - rank(order, b.kind));
}

/**
 * The rights to own objects for good, which these releases do not ask for: without them, the admission plugin
 * OwnerReferencesPermissionEnforcement of the stage refuses what the controller makes.
 */
function ownerRights({ roleRef, subjects }: KubernetesObject): KubernetesObject[] {
  if (roleRef?.kind !== 'ClusterRole') return [];
  const metadata = { name: 'stage-finalizers' };
  const rule = {
    apiGroups: ['apps', 'apps.kruise.io', 'rollouts.kruise.io'],
    resources: ['*/finalizers'],
    verbs: ['update'],
  };
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  return [
    { apiVersion, kind: 'ClusterRole', metadata, rules: [rule] },
    { apiVersion, kind: 'ClusterRoleBinding', metadata, roleRef: { ...roleRef, ...metadata }, subjects },
  ];
}

function rank(order: readonly string[], kind: string): number {
  const index = order.indexOf(kind);
  return index < 0 ? order.length : index;
}

function documentsOf(file: string): KubernetesObject[] {
  if (!existsSync(file)) return [];
  return parseAllDocuments(readFileSync(file, 'utf8')).flatMap((document) => document.toJS() ?? []);
}

/** Selectors of webhooks, and the arguments of the process. */
function patched(
  object: KubernetesObject,
  patches: readonly KubernetesObject[],
  deployed: KubernetesObject | undefined,
): KubernetesObject {
  if (object.kind === 'Deployment' && deployed !== undefined) {
    const [container] = object.spec.template.spec.containers;
    Object.assign(container, deployed.spec.template.spec.containers[0]);
  }
  const patch = patches.find(({ kind, metadata }) => kind === object.kind && metadata.name === object.metadata.name);
  for (const { name, ...changes } of patch?.webhooks ?? []) {
    Object.assign(object.webhooks.find((webhook: KubernetesObject) => webhook.name === name) ?? {}, changes);
  }
  return object;
}

const NAMESPACED = /^(Deployment|Role|RoleBinding|Service|ServiceAccount)$/;

/** With the prefix before each name, and the namespace. */
function placed({ status: _status, ...object }: KubernetesObject): KubernetesObject {
  if (object.kind === 'CustomResourceDefinition') return object;
  const renamed = (name: string) => (name === 'system' ? NAMESPACE : `${PREFIX}${name}`);
  const namespace = NAMESPACED.test(object.kind) ? { namespace: NAMESPACE } : {};
  const whole = { ...object, metadata: { ...object.metadata, ...namespace } };
  return JSON.parse(JSON.stringify(whole), (key, value) => {
    if (key === 'namespace') return NAMESPACE;
    if (key === 'creationTimestamp') return undefined;
    if (key === 'serviceAccountName') return renamed(value);
    if (['metadata', 'roleRef', 'service'].includes(key) && typeof value?.name === 'string') {
      return { ...value, name: renamed(value.name) };
    }
    if (key === 'subjects') return value.map((one: KubernetesObject) => ({ ...one, name: renamed(one.name) }));
    return value;
  });
}
