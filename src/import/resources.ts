/** Objects without a component, as resources of `@pulumi/kubernetes`. */
import { isJsonObject, type Json } from '../core/json';
import type { Manifest } from '../core/manifest';
import { admitKubernetesObject } from '../kubernetes/admission';
import { value } from './code';
import type { Statement } from './statement';

/** The class for any object, whose arguments are not typed. */
const CUSTOM_RESOURCE = 'CustomResource';

/** The kinds with a class whose arguments are typed, by API version. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  'admissionregistration.k8s.io/v1': ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
  'apps/v1': ['DaemonSet', 'Deployment', 'StatefulSet'],
  'autoscaling/v2': ['HorizontalPodAutoscaler'],
  'batch/v1': ['CronJob', 'Job'],
  'networking.k8s.io/v1': ['Ingress', 'IngressClass', 'NetworkPolicy'],
  'policy/v1': ['PodDisruptionBudget'],
  'rbac.authorization.k8s.io/v1': ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  'storage.k8s.io/v1': ['StorageClass'],
  v1: ['ConfigMap', 'Namespace', 'PersistentVolumeClaim', 'Secret', 'Service', 'ServiceAccount'],
};

/** The resource of an object: the class of its kind where its arguments have the types of that, or the one for any object. */
export function plainResource(manifest: Manifest): Pick<Statement, 'class' | 'props'> {
  const isTyped = KINDS[manifest.apiVersion]?.includes(manifest.kind) === true && isAsTyped(manifest);
  return { class: isTyped ? manifest.kind : CUSTOM_RESOURCE, props: value(withoutNull(manifest.object)) };
}

function isAsTyped({ object }: Manifest): boolean {
  const verdict = admitKubernetesObject(object);
  const isValid = verdict !== undefined && verdict.unknown.length === 0 && verdict.errors.length === 0;
  return isValid && object.status === undefined;
}

/** Kubernetes treats a key with null as absent, and the types of Pulumi know no null. */
function withoutNull(json: Json): Json {
  if (Array.isArray(json)) return json.map(withoutNull);
  if (!isJsonObject(json)) return json;
  const entries = Object.entries(json).filter(([, entry]) => entry !== null);
  return Object.fromEntries(entries.map(([key, entry]) => [key, withoutNull(entry)]));
}

/** The module of the class of a plain resource; undefined for a component of this library. */
export function moduleOf({ class: name, writes }: Statement): string | undefined {
  if (name === CUSTOM_RESOURCE) return '@pulumi/kubernetes/apiextensions/customResource';
  const { group, version, kind } = writes[0]!;
  if (name !== kind) return undefined;
  const folder = group === '' ? 'core' : group.split('.')[0]!;
  return `@pulumi/kubernetes/${folder}/${version}/${kind[0]!.toLowerCase()}${kind.slice(1)}`;
}
