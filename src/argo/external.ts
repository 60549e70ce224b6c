import type { ObjectRef } from '../core/finding';
import { groupKindOf } from '../core/manifest';

/** What is known of the cluster beside the manifests that are checked. */
export interface ArgoCheckOptions {
  /**
   * Objects that exist in the cluster although they are not among the manifests: a Service of a Helm chart, an
   * AnalysisTemplate of another repository. One without `namespace` is external in every namespace.
   * @default - what is not among the manifests does not exist
   */
  readonly external?: readonly ObjectRef[];
}

/** Whether an object is one of those that exist elsewhere. */
export function isExternal({ external = [] }: ArgoCheckOptions, ref: ObjectRef): boolean {
  return external.some(
    (known) =>
      known.kind === ref.kind &&
      known.name === ref.name &&
      (known.namespace === undefined || ref.namespace === undefined || known.namespace === ref.namespace) &&
      (known.apiVersion === undefined ||
        ref.apiVersion === undefined ||
        groupKindOf(known.kind, known.apiVersion) === groupKindOf(ref.kind, ref.apiVersion)),
  );
}
