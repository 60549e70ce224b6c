import { utf8Fits } from '../bytes';
import { isJsonObject, type Json, type JsonObject, ownValue, textsOf } from '../json';
import type { Path } from '../path';
import { type SchemaError, schemaError } from './error';
import { labelErrors, labelValueErrors, type NameCheck, qualifiedNameErrors, subdomainErrors } from './names';
import type { UnknownField } from './prune';
import { serverMetadataErrors } from './server-metadata';

/** The limit for all annotation keys and values of an object, in bytes. */
export const MAX_ANNOTATIONS_BYTES = 256 * 1024;

const KNOWN = [
  'annotations',
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'finalizers',
  'generateName',
  'generation',
  'labels',
  'managedFields',
  'name',
  'namespace',
  'ownerReferences',
  'resourceVersion',
  'selfLink',
  'uid',
];

/** Fields of `metadata` that no object has. */
export function unknownMetadata(object: JsonObject): UnknownField[] {
  const { metadata } = object;
  if (!isJsonObject(metadata)) return [];
  return Object.keys(metadata)
    .filter((key) => !KNOWN.includes(key))
    .map((key) => ({ path: ['metadata', key], known: KNOWN }));
}

/**
 * The API server's errors for the metadata of an object. An absent namespace is the default one.
 * @param checkName what the kind asks of names; a custom object has any subdomain
 */
export function validateMetadata(object: JsonObject, checkName: NameCheck = subdomainErrors): SchemaError[] {
  const metadata = object.metadata ?? {};
  if (!isJsonObject(metadata))
    return [schemaError(['metadata'], 'metadata must be an object', metadata, 'FieldValueTypeInvalid')];
  return [
    ...nameErrors(metadata, checkName),
    ...stringErrors(metadata.namespace, ['metadata', 'namespace'], labelErrors),
    ...labelsErrors(metadata.labels),
    ...annotationsErrors(metadata.annotations),
    ...finalizersErrors(metadata.finalizers),
    ...serverMetadataErrors(metadata),
  ];
}

function nameErrors(metadata: JsonObject, checkName: NameCheck): SchemaError[] {
  const name = metadata.name ?? '';
  const generateName = metadata.generateName ?? '';
  if (name === '' && generateName === '') {
    return [schemaError(['metadata', 'name'], 'name or generateName is required', undefined, 'FieldValueRequired')];
  }
  return [
    // The API server appends the generated part, so a trailing `-` is valid.
    ...stringErrors(generateName || undefined, ['metadata', 'generateName'], (text) =>
      checkName(text.replace(/-$/, 'a')),
    ),
    ...stringErrors(name || undefined, ['metadata', 'name'], checkName),
  ];
}

function stringErrors(value: Json | undefined, path: Path, check: (text: string) => string[]): SchemaError[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'string') return [schemaError(path, 'must be a string', value, 'FieldValueTypeInvalid')];
  return check(value).map((detail) => schemaError(path, detail, value));
}

function labelsErrors(labels: Json | undefined): SchemaError[] {
  return mapErrors(labels, 'labels', labelMistakes);
}

/** The messages for one label. */
export function labelMistakes(key: string, value: string): string[] {
  return [...qualifiedNameErrors(key), ...labelValueErrors(value)];
}

/** The API server's errors for annotations: keys that are no qualified names, values that are no text, or too many bytes. */
export function annotationsErrors(annotations: Json | undefined): SchemaError[] {
  const errors = mapErrors(annotations, 'annotations', (key) => qualifiedNameErrors(key.toLowerCase()));
  if (!isJsonObject(annotations)) return errors;
  const texts = [...Object.keys(annotations), ...textsOf(Object.values(annotations))];
  if (utf8Fits(texts, MAX_ANNOTATIONS_BYTES)) return errors;
  const detail = `may not be longer than ${MAX_ANNOTATIONS_BYTES}`;
  return [...errors, schemaError(['metadata', 'annotations'], detail, undefined, 'FieldValueTooLong')];
}

function mapErrors(
  map: Json | undefined,
  name: 'annotations' | 'labels',
  check: (key: string, value: string) => string[],
): SchemaError[] {
  const path = ['metadata', name];
  if (map === undefined || map === null) return [];
  if (!isJsonObject(map)) return [schemaError(path, 'must be an object', map, 'FieldValueTypeInvalid')];
  return Object.keys(map).flatMap((key) => {
    // The API server stores an empty string for null.
    const value = ownValue(map, key) ?? '';
    if (typeof value !== 'string') {
      return [schemaError([...path, key], 'must be a string', value, 'FieldValueTypeInvalid')];
    }
    return check(key, value).map((detail) => schemaError(path, detail, key));
  });
}

function finalizersErrors(finalizers: Json | undefined): SchemaError[] {
  if (!Array.isArray(finalizers)) return [];
  return finalizers.flatMap((finalizer) => stringErrors(finalizer, ['metadata', 'finalizers'], qualifiedNameErrors));
}
