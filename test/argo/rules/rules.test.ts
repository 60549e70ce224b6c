import { describe, expect, it } from 'vitest';
import { admissionFindings } from '../../../src/argo/admission';
import { argoAlbRules, checkArgoAlb } from '../../../src/argo/rules';
import { parseManifests, World } from '../../../src/core';

const worldOf = (text: string) => {
  const { manifests, findings } = parseManifests(text, 'rollout.yaml');
  expect(findings).toEqual([]);
  const world = World.of(manifests);
  expect(world.findings).toEqual([]);
  return world;
};

describe.each(Object.values(argoAlbRules))('$id', ({ id, failing, corrected }) => {
  it('finds only the fault of the failing example', () => {
    const found = checkArgoAlb(worldOf(failing.text));
    expect(
      [...new Set(found.map(({ rule }) => rule))].filter(
        (rule) => rule !== 'argo-alb-root-service-frozen' || rule === id,
      ),
    ).toEqual([id]);
    for (const { path, source } of found)
      expect([path, source?.line]).toEqual([expect.any(String), expect.any(Number)]);
  });

  it('accepts the corrected example', () => {
    const found = checkArgoAlb(worldOf(corrected.text)).filter(({ severity }) => severity !== 'note');
    expect(found.map(({ message }) => message)).toEqual([]);
  });

  it('has examples that Argo accepts', () => {
    const accepted = [corrected.text, failing.text].map((text) => admissionFindings(worldOf(text)));
    expect(accepted.flat().map(({ message }) => message)).toEqual([]);
  });
});
