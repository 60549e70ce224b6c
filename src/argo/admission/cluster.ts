import type { ObjectRef } from '../../core/finding';
import type { JsonObject } from '../../core/json';
import { asObject, asText } from '../../core/json';
import { keyedBy } from '../../core/keyed';
import type { ArgoRolloutsVersion } from '../version';

/** The other objects in the cluster. Objects that are not listed do not exist. */
export interface ArgoCluster {
  /**
   * The version of the controller.
   * @default ArgoRolloutsVersion.LATEST
   */
  readonly version?: ArgoRolloutsVersion;
  /** @default - none */
  readonly services?: readonly JsonObject[];
  /** @default - none */
  readonly ingresses?: readonly JsonObject[];
  /** @default - unknown, so that nothing of Istio is checked */
  readonly virtualServices?: readonly JsonObject[];
  /** @default - none */
  readonly destinationRules?: readonly JsonObject[];
  /** @default - none */
  readonly analysisTemplates?: readonly JsonObject[];
  /** @default - none */
  readonly clusterAnalysisTemplates?: readonly JsonObject[];
  /**
   * Deployments, ReplicaSets and PodTemplates that a workloadRef may refer to.
   * @default - none
   */
  readonly workloads?: readonly JsonObject[];
  /**
   * Whether an object that is not listed exists anyway. Its contents are unknown and not checked.
   * @default - objects that are not listed do not exist
   */
  readonly isExternal?: (ref: ObjectRef) => boolean;
}

/** Whether an object that is not listed exists anyway. */
export function existsElsewhere(
  rollout: JsonObject,
  cluster: ArgoCluster,
  kind: string,
  name: string,
  apiVersion?: string,
): boolean {
  const ref = { kind, name, namespace: namespaceOf(rollout), ...(apiVersion === undefined ? {} : { apiVersion }) };
  return cluster.isExternal?.(ref) ?? false;
}

/** The namespace of an object. */
function namespaceOf(object: JsonObject): string {
  return asText(asObject(object.metadata).namespace) || 'default';
}

/** The name of an object. */
export function nameOf(object: JsonObject): string {
  return asText(asObject(object.metadata).name);
}

const byName = keyedBy<JsonObject>((object) => [`${namespaceOf(object)}/${nameOf(object)}`]);

/** The object with this name in the namespace of a Rollout. */
export function beside(
  rollout: JsonObject,
  objects: readonly JsonObject[] | undefined,
  name: string,
): JsonObject | undefined {
  return objectOf(objects, namespaceOf(rollout), name);
}

/** The object with this name in this namespace. */
export function objectOf(
  objects: readonly JsonObject[] | undefined,
  namespace: string,
  name: string,
): JsonObject | undefined {
  return objects && byName(objects, `${namespace}/${name}`)[0];
}
