import { App, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import { expect, test } from 'vitest';
import * as library from '../../src/constructs';

type AnyConstruct = new (scope: Construct, id: string, props?: unknown) => Construct;

const constructs = Object.entries<unknown>({ ...library }).filter(
  (entry): entry is [string, AnyConstruct] => typeof entry[1] === 'function' && 'isConstruct' in entry[1],
);

/** Props that plain JavaScript can pass, without a compiler that reports what is missing. */
test.each(constructs)('%s without properties is created, or names what is missing', (_, AnyOne) => {
  for (const props of [undefined, {}, null]) {
    const chart = new Chart(new App(), 'shop', { namespace: 'shop' });
    try {
      new AnyOne(chart, 'One', props ?? undefined);
    } catch (error) {
      expect((error as Error).message).toMatch(/^shop\/One: /);
      expect((error as Error).message).not.toMatch(/Cannot read|is not a function|not iterable/);
    }
  }
});

test('names all missing properties together', () => {
  const chart = new Chart(new App(), 'shop');
  const { KruiseRollout } = library as unknown as Record<string, AnyConstruct>;
  expect(() => new KruiseRollout!(chart, 'Rollout', {})).toThrow(
    'shop/Rollout: "strategy" is missing: give a KruiseRolloutStrategy; "workload" is missing: give an object',
  );
});
