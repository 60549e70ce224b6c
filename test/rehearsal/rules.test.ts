import { describe, expect, it } from 'vitest';
import { parseManifests, World } from '../../src/core';
import { findingsOf, rehearsalRules, rehearse } from '../../src/rehearsal';

function foundIn(text: string): string[] {
  const { manifests, findings } = parseManifests(text, 'stack.yaml');
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  return [...new Set(findingsOf(rehearse(World.of(manifests), { stories: 'all' })).map(({ rule }) => rule))];
}

// What a run leaves out is no property of a stack: test/cli/budget.test.ts.
const ofStacks = Object.values(rehearsalRules).filter(({ failing }) => failing.language === 'yaml');

describe.each(ofStacks)('$id', ({ id, failing, corrected }) => {
  it('is found in its example', () => {
    expect(foundIn(failing.text)).toContain(id);
  });

  it('is not found in the corrected one', () => {
    expect(foundIn(corrected.text)).not.toContain(id);
  });
});
