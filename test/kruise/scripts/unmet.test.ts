import { describe, expect, test } from 'vitest';
import { checkStack } from '../../../src/check';
import { Manifest, World } from '../../../src/core';
import { objectsOf, SCRIPT_OF_DOCUMENT_000 } from '../../rehearsal/stack';

const KEY = 'lua.traffic.routing.ingress.aws-alb';
const stack = (steps: readonly object[]) =>
  World.of(
    objectsOf({ steps, scripts: { [KEY]: SCRIPT_OF_DOCUMENT_000 } }).map((object) => Manifest.of(object as never)),
  );

/** The severity of the findings of a rule in a stack with these steps. */
function severities(rule: string, steps: readonly object[]): string[] {
  const world = stack(steps);
  return checkStack(world).findings.flatMap((each) => (each.rule === rule ? [each.severity] : []));
}

const WEIGHTS = [{ traffic: '20%' }];
const header = (name: string, value: string, type = 'Exact') => ({
  replicas: 1,
  matches: [{ headers: [{ name, value, type }] }],
});

describe('what a script does wrong with steps', () => {
  test.each([
    ['lua-query-ignored', { replicas: 1, matches: [{ queryParams: [{ name: 'v', value: '2' }] }] }],
    ['lua-path-ignored', { replicas: 1, matches: [{ path: { value: '/v2' } }] }],
    ['lua-header-ignored', header('x-user', '1')],
    ['lua-alb-regex-as-glob', header('x-user', '[0-9]+', 'RegularExpression')],
    ['lua-alb-wildcard-unescaped', header('x-user', 'a*')],
    ['lua-header-renamed', header('x-cookie-consent', '1')],
  ])('%s is advice until a Rollout has such a step', (rule, step) => {
    expect(severities(rule, WEIGHTS)).toEqual(['note']);
    expect(severities(rule, [step, ...WEIGHTS])).toEqual(['error']);
  });

  test('is an error where no Rollout is in sight', () => {
    const world = stack(WEIGHTS);
    const platform = world.without(...world.list('Rollout.rollouts.kruise.io'));
    const found = checkStack(platform).findings.find(({ rule }) => rule === 'lua-query-ignored');
    expect(found?.severity).toBe('error');
  });
});
