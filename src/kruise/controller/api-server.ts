/** How the API server changes or rejects an object that the controller writes, if that affects the controller's next read. */

import { omitEmpty } from '../../core/go-json';
import { asObject, compact, isJsonObject, type StringMap } from '../../core/json';
import { annotationsErrors, MAX_ANNOTATIONS_BYTES } from '../../core/schema/metadata';

/** The API server's error for annotations: a key that is no qualified name, or too many bytes. Undefined if it accepts them. */
export function annotationsRefusal(annotations: StringMap | undefined): string | undefined {
  const errors = annotationsErrors(annotations);
  const invalid = errors.find(({ type }) => type === 'FieldValueInvalid');
  if (invalid !== undefined) {
    return `metadata.annotations: Invalid value: ${JSON.stringify(invalid.value)}: ${invalid.detail}`;
  }
  const isTooLong = errors.some(({ type }) => type === 'FieldValueTooLong');
  return isTooLong ? `metadata.annotations: Too long: must have at most ${MAX_ANNOTATIONS_BYTES} bytes` : undefined;
}

/** The manifest with other labels or annotations; omits empty maps. */
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

/** The value as the API server stores it: it drops a null in a map unless the schema allows one. */
export function prunedOfNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(prunedOfNulls);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(members.map(([key, member]) => [key, prunedOfNulls(member)]));
}

/** The paths of the nulls that `prunedOfNulls` drops, in order. */
export function pathsOfNulls(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => pathsOfNulls(item, `${path}[${index}]`));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    member === null ? [`${path}.${key}`] : pathsOfNulls(member, `${path}.${key}`),
  );
}
