import type { Finding } from '../core/finding';
import type { Manifest } from '../core/manifest';
import { type SchemaError, schemaFindings } from '../core/schema';
import type { World } from '../core/world';
import { admitKubernetesObject, minorOf } from '../kubernetes/admission';

/** Reports what the API server of a release, `1.34`, refuses or drops in objects of Kubernetes' own kinds. */
export function checkKubernetesObjects(world: World, release: string): Finding[] {
  const minor = minorOf(release);
  return world.manifests.flatMap((manifest) => {
    const verdict = admitKubernetesObject(manifest.object, minor);
    if (verdict === undefined) return [];
    const errors = verdict.errors.filter((error) => !isReadersConcern(error, manifest));
    return schemaFindings(manifest, { ...verdict, errors });
  });
}

/** The reader of a file already reports a missing name, and a label that is no text. */
function isReadersConcern({ path, type }: SchemaError, { origin }: Manifest): boolean {
  const isOfReader = type === 'FieldValueTypeInvalid' || type === 'FieldValueRequired';
  const isText = path.length === 3 || path[1] === 'name' || path[1] === 'generateName';
  return origin !== undefined && path[0] === 'metadata' && isText && isOfReader;
}
