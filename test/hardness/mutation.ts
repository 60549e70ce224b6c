import type { Json, JsonObject, Manifest, Path } from '../../src/core';
import { HOSTILE } from './hostile-texts';
import type { Chance } from './random';

/** Values that no field expects, among them some that many do. */
const VALUES: readonly Json[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  100,
  1e21,
  Number.MAX_SAFE_INTEGER,
  -2_147_483_649,
  '',
  ' ',
  '0',
  '-1',
  '100%',
  '1e999',
  'true',
  'null',
  'constructor',
  'toString',
  '__proto__',
  '*',
  '/',
  'a/b/c',
  'v1',
  '{}',
  '[]',
  '{"type":"forward"}',
  '[{"field":"host-header"}]',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  [],
  {},
  [null],
  [[]],
  [{}],
  { a: null },
  [0, '', null, {}, []],
  JSON.parse('{"__proto__":{"polluted":true}}'),
  JSON.parse('{"constructor":{"prototype":{"polluted":true}}}'),
];

/** Every place of a value, the deepest included. */
function placesOf(value: Json, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([key, item]) =>
      placesOf(item as Json, [...path, Array.isArray(value) ? Number(key) : key]),
    ),
  ];
}

type Changed = { readonly value: Json } | undefined;

/** The value with something else at a place; own keys only, so that `__proto__` is a key like any other. */
function changedAt(value: Json, path: Path, change: (old: Json) => Changed): Json {
  const [first, ...rest] = path;
  if (first === undefined || typeof value !== 'object' || value === null) return change(value)?.value ?? null;
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => {
      if (index !== first) return [item];
      if (rest.length > 0) return [changedAt(item, rest, change)];
      const changed = change(item);
      return changed === undefined ? [] : [changed.value];
    });
  }
  const entries = Object.entries(value as JsonObject).flatMap(([key, item]): [string, Json][] => {
    if (key !== String(first)) return [[key, item]];
    if (rest.length > 0) return [[key, changedAt(item, rest, change)]];
    const changed = change(item);
    return changed === undefined ? [] : [[key, changed.value]];
  });
  return Object.fromEntries(entries);
}

/** The text with a hostile one in it, or JSON text with something else in the JSON. */
function changedText(text: string, chance: Chance): Json {
  if (/^[[{]/.test(text) && chance.oneIn(2)) {
    try {
      return JSON.stringify(mutated(JSON.parse(text), chance));
    } catch {
      return text.slice(0, chance.below(text.length));
    }
  }
  const at = chance.below(text.length + 1);
  return chance.oneIn(3) ? text.slice(0, at) : `${text.slice(0, at)}${chance.of(HOSTILE)}${text.slice(at)}`;
}

/** The value with one thing in it removed, doubled, replaced or made hostile. */
export function mutated(value: Json, chance: Chance): Json {
  const places = placesOf(value);
  const path = chance.of(places);
  return changedAt(value, path, (old) => {
    const kind = chance.below(8);
    if (kind === 0) return undefined;
    if (kind === 1) return { value: [old, old] };
    if (kind === 2 && Array.isArray(old)) return { value: [...old, ...old].reverse() };
    if (kind === 3 && typeof old === 'object' && old !== null && !Array.isArray(old)) {
      return { value: { ...old, [chance.of(HOSTILE).slice(0, 200)]: chance.of(VALUES) } };
    }
    if (kind <= 5 && typeof old === 'string') return { value: changedText(old, chance) };
    if (kind === 6 && typeof old === 'number') return { value: chance.of([-old, old * 1e9, String(old), `${old}%`]) };
    return { value: chance.of(VALUES) };
  });
}

/** Objects of a stack with a few things in them changed; what is no object any more has been removed. */
export function mutatedStack(manifests: readonly Manifest[], chance: Chance): JsonObject[] {
  const objects = manifests.map(({ object }) => object);
  for (let times = 1 + chance.below(4); times > 0 && objects.length > 0; times--) {
    const index = chance.below(objects.length);
    const kind = chance.below(12);
    if (kind === 0) objects.splice(index, 1);
    else if (kind === 1) objects.push(objects[index]!);
    else {
      const changed = mutated(objects[index]!, chance);
      if (isTyped(changed)) objects[index] = changed;
    }
  }
  return objects;
}

/** As the reader lets it through. */
function isTyped(value: Json): value is JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { apiVersion, kind } = value as JsonObject;
  return typeof apiVersion === 'string' && apiVersion !== '' && typeof kind === 'string' && kind !== '';
}
