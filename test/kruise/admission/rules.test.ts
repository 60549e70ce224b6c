import { describe, expect, it } from 'vitest';
import { type Finding, parseManifests, World } from '../../../src/core';
import { schemaRules } from '../../../src/core/schema';
import { admissionFindings, admissionRules } from '../../../src/kruise/admission';

function findingsIn(text: string): Finding[] {
  const { manifests, findings } = parseManifests(text, 'example.yaml');
  expect(findings).toEqual([]);
  return admissionFindings(World.of(manifests));
}

/** Rules that only an update can violate; update.test.ts covers them. */
const OF_UPDATES = [
  'rollout-workload-immutable',
  'rollout-traffic-routings-immutable',
  'rollout-style-immutable',
  'rollout-step-count-immutable',
];

describe('the examples of the rules of schemas and admission', () => {
  for (const rule of Object.values({ ...schemaRules, ...admissionRules })) {
    it(`${rule.id}: the failing one is found${OF_UPDATES.includes(rule.id) ? ', but only as an update' : ''}`, () => {
      const found = findingsIn(rule.failing.text);
      expect(found.some((finding) => finding.rule === rule.id)).toBe(!OF_UPDATES.includes(rule.id));
      for (const finding of found) {
        expect(finding.source?.line).toBeGreaterThan(0);
        expect(finding.path).toBeDefined();
        expect(finding.object?.name).not.toBe('');
      }
    });

    it(`${rule.id}: the corrected one is clean`, () => {
      expect(findingsIn(rule.corrected.text)).toEqual([]);
    });
  }

  it('each reports only its own rule, apart from a field that the version does not have', () => {
    const more = Object.values(admissionRules).flatMap((rule) =>
      findingsIn(rule.failing.text)
        .filter((finding) => finding.rule !== rule.id)
        .map((finding) => `${rule.id}: ${finding.rule}`),
    );
    expect(more).toEqual([]);
  });
});
