/** Kubernetes objects as resources of Pulumi. */

import { MutatingWebhookConfiguration } from '@pulumi/kubernetes/admissionregistration/v1/mutatingWebhookConfiguration';
import { ValidatingWebhookConfiguration } from '@pulumi/kubernetes/admissionregistration/v1/validatingWebhookConfiguration';
import { CustomResource as AnyResource } from '@pulumi/kubernetes/apiextensions/customResource';
import { CustomResourceDefinition } from '@pulumi/kubernetes/apiextensions/v1/customResourceDefinition';
import { Deployment } from '@pulumi/kubernetes/apps/v1/deployment';
import { ConfigMap } from '@pulumi/kubernetes/core/v1/configMap';
import { Namespace } from '@pulumi/kubernetes/core/v1/namespace';
import { Service } from '@pulumi/kubernetes/core/v1/service';
import { ServiceAccount } from '@pulumi/kubernetes/core/v1/serviceAccount';
import { Ingress } from '@pulumi/kubernetes/networking/v1/ingress';
import { IngressClass } from '@pulumi/kubernetes/networking/v1/ingressClass';
import { NetworkPolicy } from '@pulumi/kubernetes/networking/v1/networkPolicy';
import { PodDisruptionBudget } from '@pulumi/kubernetes/policy/v1/podDisruptionBudget';
import { ClusterRole } from '@pulumi/kubernetes/rbac/v1/clusterRole';
import { ClusterRoleBinding } from '@pulumi/kubernetes/rbac/v1/clusterRoleBinding';
import { Role } from '@pulumi/kubernetes/rbac/v1/role';
import { RoleBinding } from '@pulumi/kubernetes/rbac/v1/roleBinding';
import type { CustomResource, CustomResourceOptions } from '@pulumi/pulumi';
import { isPlainObject } from './output-placeholders';

/** A class of `@pulumi/kubernetes`; the arguments of each have a type of their own. */
type ResourceClass = new (name: string, args: never, options: CustomResourceOptions) => CustomResource;

/**
 * The kinds with a class of their own in `@pulumi/kubernetes`, which waits for them and names them. Imported one by one,
 * because the root import takes the compiler four times the memory.
 */
const CLASSES: Readonly<Record<string, ResourceClass>> = {
  'admissionregistration.k8s.io/v1 MutatingWebhookConfiguration': MutatingWebhookConfiguration,
  'admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration': ValidatingWebhookConfiguration,
  'apiextensions.k8s.io/v1 CustomResourceDefinition': CustomResourceDefinition,
  'apps/v1 Deployment': Deployment,
  'networking.k8s.io/v1 Ingress': Ingress,
  'networking.k8s.io/v1 IngressClass': IngressClass,
  'networking.k8s.io/v1 NetworkPolicy': NetworkPolicy,
  'policy/v1 PodDisruptionBudget': PodDisruptionBudget,
  'rbac.authorization.k8s.io/v1 ClusterRole': ClusterRole,
  'rbac.authorization.k8s.io/v1 ClusterRoleBinding': ClusterRoleBinding,
  'rbac.authorization.k8s.io/v1 Role': Role,
  'rbac.authorization.k8s.io/v1 RoleBinding': RoleBinding,
  'v1 ConfigMap': ConfigMap,
  'v1 Namespace': Namespace,
  'v1 Service': Service,
  'v1 ServiceAccount': ServiceAccount,
};

/** Any Kubernetes object. Its values may be Outputs. */
export interface ObjectWithOutputs {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Creates the resource of an object, with the class of its kind or the class for custom resources. */
export function kubernetesResource(
  name: string,
  object: ObjectWithOutputs,
  options: CustomResourceOptions,
): CustomResource {
  const Class: ResourceClass = CLASSES[`${object.apiVersion} ${object.kind}`] ?? AnyResource;
  return new Class(name, mutable(object) as never, options);
}

/** A copy, because Pulumi changes its arguments. */
function mutable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mutable);
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  return Object.fromEntries(entries.map(([key, entry]) => [key, mutable(entry)]));
}
