/** Fields of `metadata` that servers and controllers write: what the API server says where a manifest has them. */
import { isJsonObject, type Json, type JsonObject, textOf } from '../json';
import type { Path } from '../path';
import { type SchemaError, type SchemaErrorType, schemaError } from './error';

const TEXTS = ['uid', 'resourceVersion', 'selfLink'];
const WHOLE_NUMBERS = ['generation', 'deletionGracePeriodSeconds'];
const TIMES = ['creationTimestamp', 'deletionTimestamp'];
const LISTS = ['ownerReferences', 'managedFields', 'finalizers'];

/** Go's time.RFC3339. */
const RFC_3339 =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-4]):[0-5]\d)$/;

/**
 * The API server's errors for the fields of `metadata` that people seldom write. Not for `managedFields` and `uid` of an object that was
 * read from a cluster, which only server-side apply refuses.
 */
export function serverMetadataErrors(metadata: JsonObject): SchemaError[] {
  const wrong = (names: readonly string[], fits: (value: Json) => boolean, detail: string) =>
    names.flatMap((name) => {
      const value = metadata[name] ?? null;
      return value === null || fits(value) ? [] : [errorAt([name], detail, value, 'FieldValueTypeInvalid')];
    });
  const { ownerReferences } = metadata;
  return [
    ...wrong(TEXTS, (value) => typeof value === 'string', 'must be a string'),
    ...wrong(WHOLE_NUMBERS, Number.isInteger, 'must be an integer'),
    ...wrong(TIMES, (value) => typeof value === 'string', 'must be a string'),
    ...wrong(LISTS, Array.isArray, 'must be a list'),
    ...TIMES.flatMap((name) => {
      const text = textOf(metadata[name]);
      return text === undefined || RFC_3339.test(text)
        ? []
        : [errorAt([name], 'must be a time as in 2006-01-02T15:04:05Z', text)];
    }),
    ...(Array.isArray(ownerReferences) ? ownerErrors(ownerReferences) : []),
  ];
}

const OWNER_TEXTS = ['apiVersion', 'kind', 'name', 'uid'];
const OWNER_FLAGS = ['controller', 'blockOwnerDeletion'];

function ownerErrors(owners: readonly Json[]): SchemaError[] {
  const found = owners.flatMap((owner, index): SchemaError[] => {
    const at = ['ownerReferences', index] as const;
    if (!isJsonObject(owner)) return [errorAt(at, 'must be an object', owner, 'FieldValueTypeInvalid')];
    const typed = [
      ...OWNER_TEXTS.filter((name) => (owner[name] ?? '') !== '' && typeof owner[name] !== 'string'),
      ...OWNER_FLAGS.filter((name) => (owner[name] ?? null) !== null && typeof owner[name] !== 'boolean'),
    ];
    if (typed.length > 0) {
      return typed.map((name) => errorAt([...at, name], 'has the wrong type', owner[name]!, 'FieldValueTypeInvalid'));
    }
    const isEvent = owner.kind === 'Event' && owner.apiVersion === 'v1';
    return [
      ...(versionOf(owner.apiVersion) === '' ? [errorAt([...at, 'apiVersion'], 'version must not be empty')] : []),
      ...['kind', 'name', 'uid']
        .filter((name) => (owner[name] ?? '') === '')
        .map((name) => errorAt([...at, name], 'must not be empty')),
      ...(isEvent ? [errorAt([...at, 'kind'], 'an Event is disallowed from being an owner', 'Event')] : []),
    ];
  });
  if (found.length > 0) return found;
  const objects = owners.filter((owner) => isJsonObject(owner));
  const controllers = objects.filter(({ controller }) => controller === true);
  const uids = objects.map(({ uid }) => uid!);
  const twice = uids.findIndex((uid, index) => uids.indexOf(uid) < index);
  return [
    ...(controllers.length > 1
      ? [errorAt(['ownerReferences'], 'only one reference can have controller set to true')]
      : []),
    ...(twice < 0 ? [] : [errorAt(['ownerReferences', twice, 'uid'], '', uids[twice], 'FieldValueDuplicate')]),
  ];
}

/** The version of an apiVersion; empty where Go cannot parse it. */
function versionOf(apiVersion: Json | undefined): string {
  const parts = (textOf(apiVersion) ?? '').split('/');
  return parts.length > 2 ? '' : parts.at(-1)!;
}

const errorAt = (path: Path, detail: string, value?: Json, type?: SchemaErrorType): SchemaError =>
  schemaError(['metadata', ...path], detail, value, type);
