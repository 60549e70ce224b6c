import { describe, expect, test } from 'vitest';
import { checkApiNames } from '../../src/check/api-not-served';
import { checkKubernetesApis } from '../../src/check/kubernetes-api';
import { checkKubernetesObjects } from '../../src/check/kubernetes-objects';
import { type JsonObject, World } from '../../src/core';
import { parseManifests } from '../../src/core/reader';
import type { Judged } from '../stage/judge/judge';
import { mutated } from '../stage/judge/mutate';
import { readVectorFiles, type SeedOfFile } from '../stage/judge/vectors';

/** Mutants that this library judges otherwise than the API server, with the reason. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'apiVersion = "autoscaling/v1"': 'another version of the API, of which there is no schema here',
  'spec.scaleTargetRef.apiVersion 254 characters': 'older releases of Kubernetes take a target without an API group',
};

const RELEASE = '1.34';

/** Whether an object is refused, by whoever reads it or checks it alone. */
function isRefused(object: JsonObject): boolean {
  const { manifests, findings } = parseManifests(JSON.stringify(object), 'object.json');
  const world = World.of(manifests);
  return [
    ...findings,
    ...world.findings,
    ...checkApiNames(world),
    ...checkKubernetesApis(world, RELEASE),
    ...checkKubernetesObjects(world, RELEASE),
  ].some(({ severity }) => severity === 'error');
}

function expectedOf({ apply, create }: Judged): 'accepted' | 'refused' {
  return typeof apply === 'object' || typeof create === 'object' ? 'refused' : 'accepted';
}

/** The mutants of a seed whose verdict differs, with the verdict of the API server. */
function differences({ object, mutants }: SeedOfFile): string[] {
  return mutants.flatMap((mutant) => {
    const { mutation, apply, create } = mutant;
    const name = `${mutation.path.join('.')} ${mutation.change}`;
    if ((apply === undefined && create === undefined) || Object.hasOwn(OTHERWISE, name)) return [];
    const expected = expectedOf(mutant);
    return isRefused(mutated(object, mutation)) === (expected === 'refused') ? [] : [`${name}: ${expected}`];
  });
}

const seeds = readVectorFiles().get('mutants-kubernetes.jsonl')!;

describe("objects of Kubernetes' own kinds are refused as the API server refuses them", () => {
  test.each([...new Set(seeds.map(({ object }) => String(object.kind)))].sort())('%s', (kind) => {
    const own = seeds.filter(({ object }) => object.kind === kind);
    expect(own.filter(({ object }) => isRefused(object))).toEqual([]);
    expect(own.flatMap(differences)).toEqual([]);
  });

  test('every exception is one', () => {
    const names = seeds.flatMap(({ mutants }) =>
      mutants.map(({ mutation: { path, change } }) => `${path.join('.')} ${change}`),
    );
    expect(Object.keys(OTHERWISE).filter((name) => !names.includes(name))).toEqual([]);
  });
});
