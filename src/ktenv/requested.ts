import type { Manifest } from '../core/manifest';
import { ENVIRONMENTS_ANNOTATION } from './api/names';

/**
 * The environments that requests to a namespace name: those in the annotation of its VirtualEnvironment, and others,
 * without duplicates.
 *
 * @example requestedEnvironments(manifest, ['dev.proj2']) // ['dev.proj1.mine', 'dev.proj2']
 */
export function requestedEnvironments(virtualEnvironment: Manifest, others: readonly string[] = []): string[] {
  const annotated = virtualEnvironment.annotations[ENVIRONMENTS_ANNOTATION]?.split(',') ?? [];
  return [...new Set([...annotated.map((one) => one.trim()), ...others])].filter((one) => one !== '');
}
