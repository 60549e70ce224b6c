import type { ObjectRef } from './finding';
import { groupKindOf } from './manifest';

/** What a check knows about the cluster in addition to the manifests. */
export interface ExternalObjects {
  /**
   * Objects that exist in the cluster although they are not among the manifests: a Service of a Helm chart, an
   * AnalysisTemplate of another repository. One without `namespace` is external in every namespace, one without
   * `apiVersion` in every API group.
   * @default - only the manifests exist
   */
  readonly external?: readonly ObjectRef[];
}

/**
 * Whether an object exists although it is not among the manifests.
 * @param ref The object in full: without an apiVersion its group is the core API, without a namespace it has none.
 */
export function isExternal({ external = [] }: ExternalObjects, ref: ObjectRef): boolean {
  return external.some(
    ({ apiVersion, kind, namespace, name }) =>
      kind === ref.kind &&
      name === ref.name &&
      (namespace === undefined || namespace === ref.namespace) &&
      (apiVersion === undefined || groupKindOf(kind, apiVersion) === groupKindOf(kind, ref.apiVersion ?? '')),
  );
}
