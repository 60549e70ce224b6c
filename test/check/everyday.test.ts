import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkApiNames } from '../../src/check/api-not-served';
import { checkKubernetesApis } from '../../src/check/kubernetes-api';
import { checkKubernetesObjects } from '../../src/check/kubernetes-objects';
import { parseManifests, World } from '../../src/core';

const { manifests, findings } = parseManifests(readFileSync(join(__dirname, 'everyday.yaml'), 'utf8'), 'everyday.yaml');

describe('nothing is found in what the API server takes', () => {
  test('nothing by the reader', () => {
    expect(findings).toEqual([]);
    expect(manifests.length).toBeGreaterThan(50);
  });

  test.each(manifests.map((manifest) => [`${manifest.kind} ${manifest.name}`, manifest] as const))(
    '%s',
    (_, manifest) => {
      const world = World.of([manifest]);
      for (const release of ['1.34', '1.40']) {
        expect([
          ...checkApiNames(world),
          ...checkKubernetesApis(world, release),
          ...checkKubernetesObjects(world, release),
        ]).toEqual([]);
      }
    },
  );
});
