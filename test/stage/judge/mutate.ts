/**
 * Mutants of valid objects: one change each, at one path. A mutation is a path and the name of what is done there, so that
 * a vector can name it and a test can make the mutant again.
 */
import { isJsonObject, type Json, type JsonObject, ownValue, type Path, setOwnValue } from '../../../src/core';
import { API_VERSIONS, KINDS, TEXTS } from './mistakes';
import { shuffled } from './shuffled';

/** One change of an object. */
export interface Mutation {
  readonly path: Path;
  /** The name of a change, or `= ` and a value in JSON. */
  readonly change: string;
}

/** A key of a map or an index of a list, with its value, after the change; no entry deletes it, two entries add one. */
type Entries = readonly (readonly [key: string | number, value: Json])[];

/** What is done with a value. */
interface Change {
  readonly fits: (value: Json, path: Path) => boolean;
  readonly entries: (key: string | number, value: Json) => Entries;
}

const isText = (value: Json): value is string => typeof value === 'string';
const isNumber = (value: Json): value is number => typeof value === 'number';
const isKey = (_: Json, path: Path) => typeof path.at(-1) === 'string';

/** Writes another value. */
function write(fits: Change['fits'], other: (value: never) => Json): Change {
  return { fits, entries: (key, value) => [[key, other(value as never)]] };
}

/** Writes another key. */
function rename(other: (key: string) => string): Change {
  return {
    fits: (value, path) => isKey(value, path) && other(String(path.at(-1))) !== path.at(-1),
    entries: (key, value) => [[other(String(key)), value]],
  };
}

/** The changes that fit values of any field. */
const CHANGES: Readonly<Record<string, Change>> = {
  deleted: { fits: () => true, entries: () => [] },
  null: write(
    () => true,
    () => null,
  ),
  empty: write(
    (value) => !isNumber(value) && typeof value !== 'boolean' && size(value) > 0,
    (value: Json) => (isText(value) ? '' : Array.isArray(value) ? [] : {}),
  ),
  'a text': write(
    (value) => !isText(value),
    () => 'x',
  ),
  'a number': write(
    (value) => !isNumber(value),
    () => 5,
  ),
  'a boolean': write(
    (value) => typeof value !== 'boolean',
    () => true,
  ),
  'a list': write(
    (value) => !Array.isArray(value),
    (value: Json) => [value],
  ),
  'a map': write(
    (value) => !isJsonObject(value),
    () => ({ x: 'y' }),
  ),
  'in quotes': write(
    (value) => isNumber(value) || typeof value === 'boolean',
    (value: Json) => String(value),
  ),
  'without quotes': write((value) => isText(value) && /^\d+$/.test(value), Number),
  negative: write(isNumber, () => -1),
  zero: write(
    (value) => isNumber(value) && value !== 0,
    () => 0,
  ),
  'a fraction': write(isNumber, (value: number) => value + 0.5),
  'more than 31 bits': write(isNumber, () => 2 ** 31),
  'more than 63 bits': write(isNumber, () => 1e19),
  '64 characters': write(isText, () => 'a'.repeat(64)),
  '254 characters': write(isText, () => 'a'.repeat(254)),
  padded: write(isText, (value: string) => ` ${value} `),
  'upper case': write(
    (value) => isText(value) && value !== value.toUpperCase(),
    (value: string) => value.toUpperCase(),
  ),
  'lower case': write(
    (value) => isText(value) && value !== value.toLowerCase(),
    (value: string) => value.toLowerCase(),
  ),
  'a key in upper case': rename((key) => key[0]?.toUpperCase() + key.slice(1)),
  'a key in lower case': rename((key) => key.toLowerCase()),
  'a misspelt key': rename((key) => key.slice(0, -1)),
  'an invalid key': rename((key) => `${key} x`),
  'an unknown field': write(isJsonObject, (value: JsonObject) => ({ ...value, zzUnknown: 1 })),
  'the first item twice': write(
    (value) => Array.isArray(value) && value.length > 0,
    (value: Json[]) => [...value, value[0]!],
  ),
  'an item too many': write(
    (value) => Array.isArray(value),
    (value: Json[]) => [...value, ...Array.from({ length: 70 }, () => value[0] ?? 'x')],
  ),
  'a null item': write(
    (value) => Array.isArray(value),
    (value: Json[]) => [...value, null],
  ),
  'a null entry': write(isJsonObject, (value: JsonObject) => ({ ...value, zz: null })),
};

function size(value: Json): number {
  return isJsonObject(value) ? Object.keys(value).length : isText(value) || Array.isArray(value) ? value.length : 1;
}

/** How many values an object has. */
export function sizeOf(object: JsonObject): number {
  return pathsIn(object).length;
}

/** All mutations of an object. The namespace stays: it is a part of the request and not of the object. */
export function mutationsOf(object: JsonObject): Mutation[] {
  return pathsIn(object)
    .filter((path) => !(path[0] === 'metadata' && path[1] === 'namespace'))
    .flatMap((path) => changesAt(object, path).map((change) => ({ path, change })));
}

/** Some mutations of an object, the same for the same seed: every change comes up before one comes up again. */
export function someMutationsOf(object: JsonObject, count: number, seed: string): Mutation[] {
  const byChange = new Map<string, Mutation[]>();
  for (const mutation of shuffled(mutationsOf(object), seed)) {
    const name = mutation.change.startsWith('= ') ? '=' : mutation.change;
    byChange.set(name, [...(byChange.get(name) ?? []), mutation]);
  }
  // Wrong values of the field's own kind find the most: they come up as often as all other changes together.
  const own = byChange.get('=') ?? [];
  byChange.delete('=');
  const others = inTurns([...byChange.values()]);
  return inTurns([own, others]).slice(0, count);
}

function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list.slice(turn, turn + 1))).flat();
}

function pathsIn(value: Json, path: Path = []): Path[] {
  const children: [string | number, Json][] = Array.isArray(value)
    ? [...value.entries()]
    : isJsonObject(value)
      ? Object.entries(value)
      : [];
  return children.flatMap(([key, child]) => [[...path, key], ...pathsIn(child, [...path, key])]);
}

function changesAt(object: JsonObject, path: Path): string[] {
  const value = path.reduce<unknown>(ownValue, object) as Json;
  const own = [...new Set(valuesFor(value, path))].filter((other) => other !== JSON.stringify(value));
  if (path.length === 1 && path[0] !== 'spec' && path[0] !== 'metadata' && isText(value))
    return own.map((text) => `= ${text}`);
  const general = Object.entries(CHANGES).flatMap(([name, { fits }]) => (fits(value, path) ? [name] : []));
  return [...general, ...own.map((text) => `= ${text}`)];
}

/** Values in JSON that people write by mistake in a field like this one. */
function valuesFor(value: Json, path: Path): string[] {
  if (path.length === 1 && path[0] === 'apiVersion')
    return API_VERSIONS(String(value)).map((text) => JSON.stringify(text));
  if (path.length === 1 && path[0] === 'kind') return KINDS(String(value)).map((text) => JSON.stringify(text));
  if (!isText(value) && !isNumber(value)) return [];
  const field = path
    .filter((part) => typeof part === 'string')
    .slice(-2)
    .join('.');
  return TEXTS.filter(({ fits }) => fits(field, value)).flatMap(({ values }) =>
    values.map((other) => JSON.stringify(other)),
  );
}

/** The mutant: the object with the change. Throws when the change does not fit there. */
export function mutated(object: JsonObject, { path, change }: Mutation): JsonObject {
  return at(object, path, change) as JsonObject;
}

function at(holder: Json, [key, ...rest]: Path, change: string): Json {
  const value = ownValue(holder, key!) as Json | undefined;
  if (value === undefined) throw new Error(`there is nothing at ${key}`);
  const entries: Entries = rest.length > 0 ? [[key!, at(value, rest, change)]] : entriesOf(change, key!, value);
  if (Array.isArray(holder))
    return holder.flatMap((item, index) => (index === key ? entries.map(([, one]) => one) : [item]));
  const changed: JsonObject = {};
  for (const [name, child] of Object.entries(holder as JsonObject)) {
    for (const [other, one] of name === key ? entries : [[name, child] as const])
      setOwnValue(changed, String(other), one);
  }
  return changed;
}

function entriesOf(change: string, key: string | number, value: Json): Entries {
  if (change.startsWith('= ')) return [[key, JSON.parse(change.slice(2)) as Json]];
  const known = CHANGES[change];
  if (known === undefined) throw new Error(`there is no change "${change}"`);
  return known.entries(key, value);
}
