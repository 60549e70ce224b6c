/** Whole stacks in which things were removed, doubled or replaced: what a check says of them, and that it says something. */
import { describe, expect, it } from 'vitest';
import { checkStack, type StackResult } from '../../src/check';
import { type Finding, parseManifests, World } from '../../src/core';
import { mutatedStack } from './mutation';
import { Chance } from './random';
import { exampleStacks, type NamedStack, ruleStacks } from './stacks';

/** As a file with these objects is checked. */
function check(text: string): StackResult {
  const { manifests, findings } = parseManifests(text, 'stack.json');
  return checkStack(World.of(manifests), { earlier: findings });
}

function textOf({ manifests }: NamedStack, seed: number): string {
  const items = mutatedStack(manifests, new Chance(seed));
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

/** Texts that a person has to read. */
function textsOf({ message, because, fix, request, related }: Finding): string[] {
  return [message, because, fix, request ?? '', related?.message ?? ''];
}

/** The rules that spoke, to show that something was checked. */
function expectSound(stacks: readonly NamedStack[], seed: number): Set<string> {
  const rules = new Set<string>();
  const prototype = Object.getOwnPropertyNames(Object.prototype);
  for (const [index, stack] of stacks.entries()) {
    const text = textOf(stack, seed + index);
    const about = `${stack.name}, seed ${seed + index}`;
    let result: StackResult | undefined;
    expect(() => {
      result = check(text);
    }, about).not.toThrow();
    for (const { rule } of result!.findings) rules.add(rule);
    const texts = result!.findings.flatMap(textsOf);
    expect(Math.max(0, ...texts.map((each) => each.length)), about).toBeLessThan(2100);
    expect(
      texts.filter((each) => /\bundefined\b|\[object |\bNaN\b|Cannot read|is not a function/.test(each)),
      about,
    ).toEqual([]);
    if (index % 6 === 0) expect(JSON.stringify(check(text)), about).toBe(JSON.stringify(result));
  }
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(prototype);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  return rules;
}

describe('a stack in which something was changed', () => {
  it('from the examples of the rules', () => {
    const stacks = ruleStacks();
    expect(stacks.length).toBeGreaterThan(200);
    expect(expectSound(stacks, 20_260).size).toBeGreaterThan(150);
  });

  it('from the examples of constructs', async () => {
    const stacks = await exampleStacks();
    expect(stacks.length).toBeGreaterThan(14);
    expect(expectSound(stacks, 1000).size).toBeGreaterThan(5);
  });
});
