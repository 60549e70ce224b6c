import type { KubernetesObject } from './api';

/** Adds the common labels, and removes undefined fields and empty fields that mean the same as no field. */
export function tidy(object: KubernetesObject, labels: { readonly [key: string]: string }): KubernetesObject {
  const metadata = { ...object.metadata, labels: { ...labels, ...object.metadata.labels } };
  return withoutUndefined({ ...object, metadata }) as KubernetesObject;
}

/** Fields that mean the same when empty as when absent. */
const OMIT_EMPTY = new Set([
  'annotations',
  'env',
  'imagePullSecrets',
  'initContainers',
  'labels',
  'nodeSelector',
  'tolerations',
]);

function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(
    ([key, entry]) => entry !== undefined && !(OMIT_EMPTY.has(key) && isEmpty(entry)),
  );
  return Object.fromEntries(entries.map(([key, entry]) => [key, withoutUndefined(entry)]));
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
