/** What a GitOps tool does to an object of a lab that somebody, or a controller, has changed. */
import { Manifest } from '../../../src/core';
import { applied as declared, type StoryAction } from '../../../src/release';
import type { KubernetesObject } from '../cluster/api';

/** Applies an object as it is declared: what the manifest does not name stays, as with `kubectl apply`. */
export function applied(object: KubernetesObject): StoryAction {
  return { patch: declared(Manifest.of(object)) };
}
