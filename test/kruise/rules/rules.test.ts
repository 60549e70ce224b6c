import { describe, expect, it } from 'vitest';
import { type Finding, parseManifests, World } from '../../../src/core';
import { checkKruise } from '../../../src/kruise/check';
import { rolloutRules } from '../../../src/kruise/rules';

/** The findings of all checks in the example of a rule, without the notes of other rules, as on what could not be checked. */
function findingsIn(text: string, of: string): Finding[] {
  const { manifests, findings } = parseManifests(text, 'example.yaml');
  expect(findings).toEqual([]);
  return checkKruise(World.of(manifests)).filter(({ rule, severity }) => severity !== 'note' || rule === of);
}

describe('the examples of the rules on Rollouts', () => {
  for (const rule of Object.values(rolloutRules)) {
    it(`${rule.id}: the failing one gives only this finding`, () => {
      const found = findingsIn(rule.failing.text, rule.id);
      expect([...new Set(found.map((finding) => finding.rule))]).toEqual([rule.id]);
      for (const finding of found) {
        expect(finding.source?.line).toBeGreaterThan(0);
        expect(finding.object).toBeDefined();
      }
    });

    it(`${rule.id}: the corrected one is clean`, () => {
      expect(findingsIn(rule.corrected.text, rule.id)).toEqual([]);
    });
  }
});
