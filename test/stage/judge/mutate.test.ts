import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type Json, type JsonObject, type Path, parseManifests, valueAt } from '../../../src/core';
import { type Mutation, mutated, mutationsOf, sizeOf, someMutationsOf } from './mutate';

const objects = ['argo', 'kruise', 'ktenv'].flatMap((name) => {
  const file = join(__dirname, 'seeds', `${name}.yaml`);
  return parseManifests(readFileSync(file, 'utf8'), file).manifests.map(({ object }) => object);
});

/** Everything of an object outside of a path. */
function around(value: Json, [key, ...rest]: Path): Json {
  if (Array.isArray(value))
    return value.slice(0, key as number).concat(rest.length > 0 ? [around(value[key as number]!, rest)] : []);
  const others = Object.entries(value as JsonObject).filter(([name]) => name !== key);
  return Object.fromEntries([
    ...others,
    ...(rest.length > 0 ? [[key, around((value as JsonObject)[key!]!, rest)]] : []),
  ]);
}

/** The name under which a value is after the change: a key may be another one. */
function placeIn(mutant: JsonObject, object: JsonObject, path: Path): Path {
  const holder = valueAt(object, path.slice(0, -1));
  const changed = valueAt(mutant, path.slice(0, -1));
  if (!isJsonObject(holder) || !isJsonObject(changed)) return path;
  const added = Object.keys(changed).find((key) => !Object.hasOwn(holder, key));
  return added === undefined ? path : [...path.slice(0, -1), added];
}

describe('a mutant', () => {
  it('differs from its seed at the path of the mutation, and only there', () => {
    const wrong = objects.flatMap((object) =>
      mutationsOf(object).filter((mutation) => {
        const mutant = mutated(object, mutation);
        const place = placeIn(mutant, object, mutation.path);
        const isSame = JSON.stringify(mutant) === JSON.stringify(object);
        const others = JSON.stringify(around(mutant, place));
        return isSame || others !== JSON.stringify(around(object, mutation.path));
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('does not change its seed', () => {
    const object = objects[0]!;
    const before = JSON.stringify(object);
    for (const mutation of mutationsOf(object)) mutated(object, mutation);
    expect(JSON.stringify(object)).toBe(before);
  });

  it('is refused where the mutation does not fit', () => {
    const object = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' } };
    expect(() => mutated(object, { path: ['spec', 'ports'], change: 'deleted' })).toThrow('there is nothing at spec');
    expect(() => mutated(object, { path: ['metadata'], change: 'turned' })).toThrow('there is no change "turned"');
  });
});

describe('the mutants that are judged', () => {
  const name = ({ change }: Mutation) => (change.startsWith('= ') ? '=' : change);

  it('are the same for the same seed, and others for another', () => {
    const [object] = objects as [JsonObject];
    expect(someMutationsOf(object, 50, 'a')).toEqual(someMutationsOf(object, 50, 'a'));
    expect(someMutationsOf(object, 50, 'a')).not.toEqual(someMutationsOf(object, 50, 'b'));
  });

  it('have every change of their object at least once', () => {
    for (const object of objects.filter((one) => sizeOf(one) > 30)) {
      const all = new Set(mutationsOf(object).map(name));
      const some = someMutationsOf(object, 2 * all.size, 'seed');
      expect(new Set(some.map(name))).toEqual(all);
    }
  });
});
