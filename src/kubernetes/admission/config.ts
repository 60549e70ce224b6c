import { utf8Length } from '../../core/bytes';
import { asObject, asText, entriesOf, isSet, type Json, type JsonObject } from '../../core/json';
import type { Path } from '../../core/path';
import type { SchemaError } from '../../core/schema/error';
import { configKeyErrors } from '../../core/schema/names';
import { all, fields, invalid, keys, type TypeCheck } from './field-checks';

const LARGEST = 1024 * 1024;

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const KEYS = keys(configKeyErrors);

/** The keys that Secrets of a type need: all of a list, or any of it. */
const SECRET_KEYS: Readonly<Record<string, { readonly all?: readonly string[]; readonly any?: readonly string[] }>> = {
  'kubernetes.io/basic-auth': { any: ['username', 'password'] },
  'kubernetes.io/dockercfg': { all: ['.dockercfg'] },
  'kubernetes.io/dockerconfigjson': { all: ['.dockerconfigjson'] },
  'kubernetes.io/ssh-auth': { all: ['ssh-privatekey'] },
  'kubernetes.io/tls': { all: ['tls.crt', 'tls.key'] },
};

export const configTypes: Readonly<Record<string, TypeCheck>> = {
  ConfigMap: all(fields({ data: KEYS, binaryData: all(KEYS, base64) }), keysOnce, configMapSize),
  Secret: all(fields({ data: all(KEYS, base64), stringData: KEYS }), secretKeys, secretSize),
};

/** Go's decoder skips line breaks. */
function decodedSize(text: string): number | undefined {
  const plain = text.replace(/[\r\n]/g, '');
  if (!BASE64.test(plain)) return undefined;
  return (plain.length / 4) * 3 - (plain.endsWith('==') ? 2 : plain.endsWith('=') ? 1 : 0);
}

function base64(map: Json, path: Path): SchemaError[] {
  return entriesOf(map).flatMap(([key, value]) =>
    decodedSize(value) === undefined ? [invalid([...path, key], 'is not base64', value)] : [],
  );
}

function keysOnce({ data, binaryData }: JsonObject, path: Path): SchemaError[] {
  return Object.keys(asObject(binaryData))
    .filter((key) => Object.hasOwn(asObject(data), key))
    .map((key) => invalid([...path, 'binaryData', key], 'duplicate of key present in data', key));
}

function bytesOf(map: Json | undefined, sizeOf: (text: string) => number): number {
  return entriesOf(map).reduce((sum, [, value]) => sum + sizeOf(value), 0);
}

function configMapSize({ data, binaryData }: JsonObject, path: Path): SchemaError[] {
  return sizeErrors(bytesOf(data, utf8Length) + bytesOf(binaryData, (text) => decodedSize(text) ?? 0), path);
}

/** `stringData` overwrites `data`. */
function secretSize({ data, stringData }: JsonObject, path: Path): SchemaError[] {
  const kept = Object.fromEntries(entriesOf(data).filter(([key]) => !Object.hasOwn(asObject(stringData), key)));
  const size = bytesOf(kept, (text) => decodedSize(text) ?? 0) + bytesOf(stringData, utf8Length);
  return sizeErrors(size, [...path, 'data']);
}

function sizeErrors(bytes: number, path: Path): SchemaError[] {
  if (bytes <= LARGEST) return [];
  return [{ path, type: 'FieldValueTooLong', detail: `may not be more than ${LARGEST} bytes; it has ${bytes}` }];
}

function secretKeys({ type, data, stringData }: JsonObject, path: Path): SchemaError[] {
  const { all: every = [], any = [] } = SECRET_KEYS[asText(type)] ?? {};
  const has = (key: string) => [data, stringData].some((map) => isSet(asObject(map)[key]));
  const absent = every.filter((key) => !has(key));
  const isNone = any.length > 0 && !any.some(has);
  const missing = isNone ? any.slice(0, 1) : absent;
  return missing.map((key) => ({ path: [...path, 'data', key], type: 'FieldValueRequired' as const, detail: '' }));
}
