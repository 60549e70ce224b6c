import { describe, expect, it } from 'vitest';
import { admissionFindings, argoAdmissionRules } from '../../../src/argo/admission';
import { parseManifests, World } from '../../../src/core';

const found = (text: string) => {
  const { manifests, findings } = parseManifests(text, 'rollout.yaml');
  expect(findings).toEqual([]);
  return admissionFindings(World.of(manifests));
};

describe.each(Object.values(argoAdmissionRules))('$id', ({ id, failing, corrected }) => {
  it('finds only the fault of the failing example', () => {
    const rules = found(failing.text).map(({ rule }) => rule);
    expect([...new Set(rules)]).toEqual([id]);
  });

  it('accepts the corrected example', () => {
    expect(found(corrected.text).map(({ message }) => message)).toEqual([]);
  });

  it('gives the path', () => {
    for (const { path, source, message } of found(failing.text)) {
      expect(source).toMatchObject({ file: 'rollout.yaml', line: expect.any(Number) });
      expect(message.startsWith(`${path}: `)).toBe(true);
    }
  });
});
