import { describe, expect, it } from 'vitest';
import { ruleGroups } from '../../src/check';
import { cli } from './fixture';

const rules = ruleGroups.flatMap((group) => group.rules);
const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

describe('rollout-constructs explain', () => {
  it.each(rules.map((rule) => [rule.id, rule] as const))('tells all of %s', async (id, rule) => {
    const { code, stdout, stderr } = await cli(['explain', id]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const told = new Set(linesOf(stdout));
    expect(stdout.startsWith(`${rule.severity}[${id}]: ${rule.title}\n`)).toBe(true);
    expect(stdout.toLowerCase()).toContain(rule.because.toLowerCase());
    expect(stdout.toLowerCase()).toContain(rule.fix.toLowerCase());
    for (const line of [...linesOf(rule.failing.text), ...linesOf(rule.corrected.text), ...rule.sources]) {
      expect(told.has(line), line).toBe(true);
    }
  });

  it('tells how a rule is known, each basis in other words', async () => {
    const known = new Map<string, string>();
    for (const basis of new Set(rules.map((rule) => rule.basis))) {
      const { stdout } = await cli(['explain', rules.find((rule) => rule.basis === basis)!.id]);
      known.set(basis, /How this is known\n\n(.*)\n/.exec(stdout)![1]!);
    }
    expect(known.size).toBe(4);
    expect(new Set(known.values()).size).toBe(4);
  });

  it('is what `rules --format json` lists', async () => {
    const { stdout } = await cli(['rules', '--format', 'json']);
    const listed = JSON.parse(stdout).flatMap(
      (group: { readonly rules: readonly { readonly id: string }[] }) => group.rules,
    );
    expect(listed).toEqual(JSON.parse(JSON.stringify(rules)));
  });
});
