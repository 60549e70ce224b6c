import { isJsonObject, type Json, type JsonObject, ownValue, textOf } from '../json';
import type { Path } from '../path';
import type { SchemaError, SchemaErrorType } from './error';
import type { UnknownField } from './prune';

const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const QUALIFIED_NAME = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const MAX_ANNOTATIONS_BYTES = 256 * 1024;

const SUBDOMAIN_TEXT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and " +
  "end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL_TEXT =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with " +
  "an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const QUALIFIED_NAME_TEXT =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric " +
  "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is " +
  "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const LABEL_VALUE_TEXT =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and " +
  "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
  "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

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
 * The API server's errors for the metadata of a custom object of any kind. An absent namespace is the default one.
 */
export function validateMetadata(object: JsonObject): SchemaError[] {
  const metadata = object.metadata ?? {};
  if (!isJsonObject(metadata))
    return [error(['metadata'], 'metadata must be an object', metadata, 'FieldValueTypeInvalid')];
  return [
    ...nameErrors(metadata),
    ...stringErrors(metadata.namespace, ['metadata', 'namespace'], labelErrors),
    ...labelsErrors(metadata.labels),
    ...annotationsErrors(metadata.annotations),
    ...finalizersErrors(metadata.finalizers),
  ];
}

function nameErrors(metadata: JsonObject): SchemaError[] {
  const name = metadata.name ?? '';
  const generateName = metadata.generateName ?? '';
  if (name === '' && generateName === '') {
    return [error(['metadata', 'name'], 'name or generateName is required', undefined, 'FieldValueRequired')];
  }
  return [
    // The API server appends the generated part, so a trailing `-` is valid.
    ...stringErrors(generateName || undefined, ['metadata', 'generateName'], (text) =>
      subdomainErrors(text.replace(/-$/, 'a')),
    ),
    ...stringErrors(name || undefined, ['metadata', 'name'], subdomainErrors),
  ];
}

function stringErrors(value: Json | undefined, path: Path, check: (text: string) => string[]): SchemaError[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'string') return [error(path, 'must be a string', value, 'FieldValueTypeInvalid')];
  return check(value).map((detail) => error(path, detail, value));
}

function subdomainErrors(text: string): string[] {
  return [
    ...(text.length > 253 ? ['must be no more than 253 characters'] : []),
    ...(SUBDOMAIN.test(text) ? [] : [SUBDOMAIN_TEXT]),
  ];
}

function labelErrors(text: string): string[] {
  return [
    ...(text.length > 63 ? ['must be no more than 63 characters'] : []),
    ...(LABEL.test(text) ? [] : [LABEL_TEXT]),
  ];
}

/** `example.com/name` or `name`. */
function qualifiedNameErrors(text: string): string[] {
  const parts = text.split('/');
  if (parts.length > 2) return [`a qualified name ${QUALIFIED_NAME_TEXT.slice('name part '.length)}`];
  const [name, prefix] = parts.length === 2 ? [parts[1]!, parts[0]!] : [text, undefined];
  return [
    ...(prefix === undefined
      ? []
      : prefix === ''
        ? ['prefix part must be non-empty']
        : subdomainErrors(prefix).map((detail) => `prefix part ${detail}`)),
    ...(name === '' ? ['name part must be non-empty'] : []),
    ...(name.length > 63 ? ['name part must be no more than 63 characters'] : []),
    ...(QUALIFIED_NAME.test(name) ? [] : [QUALIFIED_NAME_TEXT]),
  ];
}

function labelsErrors(labels: Json | undefined): SchemaError[] {
  return mapErrors(labels, 'labels', (key, value) => [
    ...qualifiedNameErrors(key),
    ...(value.length > 63 ? ['must be no more than 63 characters'] : []),
    ...(LABEL_VALUE.test(value) ? [] : [LABEL_VALUE_TEXT]),
  ]);
}

function annotationsErrors(annotations: Json | undefined): SchemaError[] {
  const errors = mapErrors(annotations, 'annotations', (key) => qualifiedNameErrors(key.toLowerCase()));
  if (!isJsonObject(annotations)) return errors;
  const bytes = Object.entries(annotations)
    .flat()
    .reduce<number>((sum, text) => sum + Buffer.byteLength(textOf(text) ?? ''), 0);
  if (bytes <= MAX_ANNOTATIONS_BYTES) return errors;
  const detail = `may not be longer than ${MAX_ANNOTATIONS_BYTES}`;
  return [...errors, error(['metadata', 'annotations'], detail, undefined, 'FieldValueTooLong')];
}

function mapErrors(
  map: Json | undefined,
  name: 'annotations' | 'labels',
  check: (key: string, value: string) => string[],
): SchemaError[] {
  const path = ['metadata', name];
  if (map === undefined || map === null) return [];
  if (!isJsonObject(map)) return [error(path, 'must be an object', map, 'FieldValueTypeInvalid')];
  return Object.keys(map).flatMap((key) => {
    // The API server stores an empty string for null.
    const value = ownValue(map, key) ?? '';
    if (typeof value !== 'string') {
      return [error([...path, key], 'must be a string', value, 'FieldValueTypeInvalid')];
    }
    return check(key, value).map((detail) => error(path, detail, key));
  });
}

function finalizersErrors(finalizers: Json | undefined): SchemaError[] {
  if (!Array.isArray(finalizers)) return [];
  return finalizers.flatMap((finalizer) => stringErrors(finalizer, ['metadata', 'finalizers'], qualifiedNameErrors));
}

function error(
  path: Path,
  detail: string,
  value: Json | undefined,
  type: SchemaErrorType = 'FieldValueInvalid',
): SchemaError {
  return value === undefined ? { path, type, detail } : { path, type, detail, value };
}
