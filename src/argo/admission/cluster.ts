import type { ObjectRef } from '../../core/finding';
import type { JsonObject } from '../../core/json';
import { asObject, asText } from '../../core/json';

/** What is in the cluster beside a Rollout; what is not listed does not exist. */
export interface ArgoCluster {
  /** @default - none */
  readonly services?: readonly JsonObject[];
  /** @default - none */
  readonly ingresses?: readonly JsonObject[];
  /** @default - none */
  readonly analysisTemplates?: readonly JsonObject[];
  /** @default - none */
  readonly clusterAnalysisTemplates?: readonly JsonObject[];
  /**
   * Deployments, ReplicaSets and PodTemplates that a Rollout may take its pods from.
   * @default - none
   */
  readonly workloads?: readonly JsonObject[];
  /**
   * Whether an object that is not listed exists all the same; what depends on its contents is then not checked.
   * @default - what is not listed does not exist
   */
  readonly isExternal?: (ref: ObjectRef) => boolean;
}

/** Whether an object that is not listed is known to exist. */
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

/** The namespace that a Rollout is applied to. */
function namespaceOf(object: JsonObject): string {
  return asText(asObject(object.metadata).namespace) || 'default';
}

/** The name of an object. */
export function nameOf(object: JsonObject): string {
  return asText(asObject(object.metadata).name);
}

/** The object of this name in the namespace of a Rollout. */
export function beside(
  rollout: JsonObject,
  objects: readonly JsonObject[] | undefined,
  name: string,
): JsonObject | undefined {
  return objects?.find((object) => nameOf(object) === name && namespaceOf(object) === namespaceOf(rollout));
}
