/** Releases of objects that the API server refuses: what they would do, nobody can say. */
import type { Manifest } from '../core';
import { kubernetesRefusal } from '../kubernetes/admission';
import { notPlayed, type Release, type Remark } from '../release';

/**
 * The release, unless one of its objects is refused: then it is not played.
 * @param objects the objects that the release names, and those that lead to its Services
 * @param kubernetes the release of Kubernetes: `1.34`
 */
export function unlessRefused(release: Release, objects: Iterable<Manifest>, kubernetes: string | undefined): Release {
  if (release.notPlayed !== undefined) return release;
  for (const object of objects) {
    const refusal = object === release.manifest ? undefined : kubernetesRefusal(object.object, kubernetes);
    if (refusal !== undefined) return notPlayed(release, remarkOn(object, refusal.text));
  }
  return release;
}

function remarkOn(object: Manifest, reason: string): Remark {
  const { kind, name, declaration } = object;
  return {
    rule: 'rehearsal-refused',
    message: `not rehearsed: the API server refuses its ${kind} "${name}": ${reason}`,
    because:
      'an object that the API server refuses is not in the cluster, so the release does not run as it is written here',
    fix: `correct the ${kind} "${name}"`,
    related: declaration,
  };
}
