/** What the API server does to an object that the controller writes, as far as it changes what the controller reads next. */

import { omitEmpty } from '../../core/go-json';
import { isJsonObject } from '../../core/json';
import { asObject, compact, type StringMap } from '../json';

/** Keys and values of all annotations of an object together, in bytes. */
const ANNOTATIONS_LIMIT = 256 * 1024;

/** The API server's refusal of annotations that are too long together; undefined when they are not. */
export function annotationsRefusal(annotations: StringMap | undefined): string | undefined {
  const bytes = Object.entries(annotations ?? {}).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  if (bytes <= ANNOTATIONS_LIMIT) return undefined;
  return `metadata.annotations: Too long: must have at most ${ANNOTATIONS_LIMIT} bytes`;
}

/** A manifest with other labels or annotations; an empty map is no map. */
export function withMetadata<T extends object>(
  manifest: T,
  change: { readonly labels?: StringMap; readonly annotations?: StringMap },
): T {
  const { labels, annotations, ...others } = asObject((manifest as { metadata?: unknown }).metadata);
  return {
    ...manifest,
    metadata: compact({
      ...others,
      labels: omitEmpty('labels' in change ? change.labels : asObject(labels)),
      annotations: omitEmpty('annotations' in change ? change.annotations : asObject(annotations)),
    }),
  };
}

/** The value as it is stored: an API server drops a null in a map wherever the schema does not allow one. */
export function prunedOfNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(prunedOfNulls);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(members.map(([key, member]) => [key, prunedOfNulls(member)]));
}

/** Paths of the nulls which `prunedOfNulls` drops, in order. */
export function pathsOfNulls(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => pathsOfNulls(item, `${path}[${index}]`));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    member === null ? [`${path}.${key}`] : pathsOfNulls(member, `${path}.${key}`),
  );
}
