import type { ObjectRef } from '../core/finding';
import { compact, type JsonObject } from '../core/json';
import type { Manifest } from '../core/manifest';
import type { World } from '../core/world';
import type { StoryPatch } from './story';

/**
 * A GitOps tool applies objects as they are declared, which undoes what a controller has written there. What a manifest does not
 * name stays, as with `kubectl apply`.
 */
export function appliedAgain(world: World, refs: readonly ObjectRef[], namespace: string): StoryPatch[] {
  return refs.flatMap((ref): StoryPatch[] => {
    const declared = world.get({ ...ref, namespace });
    return declared === undefined || isFromCluster(declared) ? [] : [applied(declared)];
  });
}

/** Whether an object is as a cluster has it, with defaults and what controllers have written: what was declared is not known. */
export function isFromCluster(manifest: Manifest): boolean {
  return manifest.get('metadata.resourceVersion') !== undefined;
}

/** An object as it is declared. */
export function applied({ apiVersion, kind, name, object, annotations }: Manifest): StoryPatch {
  const metadata = Object.keys(annotations).length === 0 ? undefined : { annotations };
  return { apiVersion, kind, name, with: compact({ metadata, spec: object.spec }) as JsonObject };
}
