import { describe, expect, it } from 'vitest';
import { rolloutStack } from '../../bench/rollouts';
import { checkStack } from '../../src/check';
import { Manifest, parseManifests, World } from '../../src/core';
import { rehearsalRules } from '../../src/rehearsal';

const examples = Object.values(rehearsalRules).map(({ id, failing }) => parseManifests(failing.text, `${id}.yaml`));

describe('a check without reports of its rehearsals', () => {
  it.each([
    ['of every mistake', World.of(examples.flatMap(({ manifests }) => manifests))],
    ['of many Rollouts', World.of(rolloutStack(25).map((object) => Manifest.of(object)))],
  ])('finds the same in a stack %s', (_, world) => {
    const whole = checkStack(world);
    const result = checkStack(world, { rehearsal: { reports: false } });
    expect(result.findings).toEqual(whole.findings);
    expect(result.findings.filter(({ rule }) => rule.startsWith('rehearsal-'))).not.toEqual([]);
    expect(result.suppressed).toEqual(whole.suppressed);
    expect(whole.rehearsals).not.toEqual([]);
    expect(result.rehearsals).toEqual([]);
  });

  it('plays the chosen Rollouts only', () => {
    const world = World.of(rolloutStack(3).map((object) => Manifest.of(object)));
    const { findings } = checkStack(world, { rehearsal: { reports: false, only: ({ name }) => name === 'app-1' } });
    const rehearsed = findings.filter(({ rule }) => rule.startsWith('rehearsal-'));
    expect(new Set(rehearsed.map(({ object }) => object?.name))).toEqual(new Set(['app-1']));
  });
});
