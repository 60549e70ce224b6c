import { describe, expect, it } from 'vitest';
import {
  applySuppressions,
  coreRules,
  parseManifests,
  type ReadLimits,
  type Rule,
  RuleCatalogue,
  World,
} from '../../src/core';

const catalogue = RuleCatalogue.of(coreRules);

/** Limits small enough for an example to reach them. */
const LIMITS: Readonly<Record<string, Partial<ReadLimits>>> = {
  'too-much-input': { documents: 1 },
  'yaml-too-deep': { depth: 5 },
  'yaml-excessive-aliasing': { aliasedValues: 10 },
};

// Met only in files: test/core/reader.test.ts shows them.
const OF_FILES = ['file-unreadable', 'file-not-utf8', 'files-skipped', 'suppression-untrusted', 'budget-spent'];

function rulesFound(text: string, rule: Rule): string[] {
  const { manifests, findings } = parseManifests(text, 'example.yaml', { limits: LIMITS[rule.id] });
  const world = World.of(manifests);
  const result = applySuppressions([...findings, ...world.findings], { world, catalogue });
  return result.findings.map((finding) => finding.rule);
}

describe('the examples of the rules of core', () => {
  for (const rule of catalogue) {
    if (OF_FILES.includes(rule.id)) continue;
    it(`${rule.id}: fails, and corrected does not`, () => {
      expect(rulesFound(rule.failing.text, rule)).toContain(rule.id);
      expect(rulesFound(rule.corrected.text, rule)).toEqual([]);
    });
  }
});
