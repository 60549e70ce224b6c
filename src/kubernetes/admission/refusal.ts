import type { JsonObject } from '../../core/json';
import { formatPath, type Path } from '../../core/path';
import { errorText } from '../../core/schema/error';
import { admitKubernetesObject } from './admit';

/** Why the API server refuses an object: the first reason. */
export interface KubernetesRefusal {
  readonly path: Path;
  /** The field and what is wrong with it: `spec.ports[0].port: must be of type integer: "string"`. */
  readonly text: string;
}

/**
 * Why the API server of a release, `1.34`, refuses an object of Kubernetes, or kubectl before it; undefined for what it
 * takes and for kinds that this library does not know.
 */
export function kubernetesRefusal(object: JsonObject, release?: string): KubernetesRefusal | undefined {
  const verdict = admitKubernetesObject(object, release === undefined ? undefined : minorOf(release));
  if (verdict === undefined) return undefined;
  const [error] = verdict.errors;
  if (error !== undefined) return refusal(error.path, errorText(error).replace(/^.* in body /, ''));
  const [field] = verdict.unknown;
  if (field !== undefined) return refusal(field.path, 'there is no such field here');
  const [path] = verdict.nulls ?? [];
  return path && refusal(path, 'it is null');
}

function refusal(path: Path, reason: string): KubernetesRefusal {
  return { path, text: `${formatPath(path)}: ${reason}` };
}

/** The minor version of a release: 34 of `1.34`. */
export function minorOf(release: string): number {
  return Number(release.split('.')[1]);
}
