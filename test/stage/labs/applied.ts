/** What a GitOps tool does to an object of a lab that somebody, or a controller, has changed. */
import type { StoryAction } from '../../../src/release';
import type { KubernetesObject } from '../cluster/api';

/** Applies an object as it is declared: what the manifest does not name stays, as with `kubectl apply`. */
export function applied({ apiVersion, kind, metadata, spec }: KubernetesObject): StoryAction {
  const { name, annotations } = metadata;
  return { patch: { apiVersion, kind, name, with: { ...(annotations && { metadata: { annotations } }), spec } } };
}
