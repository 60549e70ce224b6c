/** Components and factories that get what no type allows: a component, or one sentence that names it. */
import { App, Chart } from 'cdk8s';
import { expect, test } from 'vitest';
import { argShapes } from '../../src/pulumi/args';
import { Chance } from '../hardness/random';
import { Maker, rawness } from '../hardness/typed';
import { type Program, run } from './program';

/** `RUNS=20000 SEED=1 npx vitest run test/pulumi/hardness.test.ts` for more. */
const RUNS = Number(process.env.RUNS ?? 400);
const SEED = Number(process.env.SEED ?? 1);

/** So many components share a program. */
const PER_PROGRAM = 200;

type Component = new (name: string, args: unknown) => unknown;
type Call = (...given: unknown[]) => unknown;

interface Refusals {
  readonly refused: number;
  readonly raw: readonly string[];
}

/** What some runs throw that no sentence of this library is. */
async function refusals(from: number, to: number, each: (given: Program, seed: number) => string): Promise<Refusals> {
  const raw: string[] = [];
  let refused = 0;
  await run((given) => {
    for (let at = from; at < to; at++) {
      let name = '';
      try {
        name = each(given, at);
      } catch (error) {
        refused++;
        const why = rawness(error);
        if (why !== undefined)
          raw.push(`${name} (run ${at}, seed ${SEED}): ${why} ${(error as Error).stack?.split('\n')[2]}`);
      }
    }
  }).catch((error: unknown) => raw.push(`the program of run ${from}: ${String(error)}`));
  return { refused, raw };
}

async function allRefusals(each: (given: Program, seed: number) => string): Promise<Refusals> {
  const found: Refusals[] = [];
  for (let from = 0; from < RUNS; from += PER_PROGRAM)
    found.push(await refusals(from, Math.min(from + PER_PROGRAM, RUNS), each));
  return {
    refused: found.reduce((sum, { refused }) => sum + refused, 0),
    raw: found.flatMap(({ raw }) => raw),
  };
}

function makerFor({ pulumi }: Program, chance: Chance): Maker {
  const chart = new Chart(new App(), 'shop');
  return new Maker(chance, argShapes().types, chart, chance.of([1, 15, 60]), (text) => pulumi.output(text));
}

test('components', async () => {
  const { constructs } = argShapes();
  const names = Object.keys(constructs);
  const { refused, raw } = await allRefusals((given, at) => {
    const name = names[at % names.length]!;
    const chance = new Chance(SEED * 1_000_003 + at);
    const args = makerFor(given, chance).value(constructs[name]!);
    const { [name]: Any } = given.library as unknown as Record<string, Component>;
    new Any!(`one-${at}`, args);
    return name;
  });
  expect(raw).toEqual([]);
  expect(refused).toBeGreaterThan(RUNS / 3);
  expect(refused).toBeLessThan(RUNS);
}, 3_600_000);

test('factories', async () => {
  const { calls } = argShapes();
  const titles = Object.keys(calls).filter((title) => !title.includes('#'));
  const { refused, raw } = await allRefusals((given, at) => {
    const title = titles[at % titles.length]!;
    const made = makerFor(given, new Chance(SEED * 1_000_003 + at)).arguments(calls[title]!);
    const [holder, method] = title.split('.') as [string, string | undefined];
    const exported = (given.library as unknown as Record<string, Call & Record<string, Call>>)[holder]!;
    if (method === undefined) exported(...made);
    else exported[method]!(...made);
    return title;
  });
  expect(raw).toEqual([]);
  expect(refused).toBeGreaterThan(RUNS / 4);
  expect(refused).toBeLessThan(RUNS);
}, 3_600_000);

test('names the component, the argument, what was given and what is expected', async () => {
  await run(({ library, pulumi }) => {
    const { KruiseRolloutInstall, KruiseRollout, AlbIngressClass } = library;
    expect(() => new KruiseRolloutInstall('one', { replicas: pulumi.output(2) as never })).toThrow(
      'KruiseRolloutInstall "one" cannot be made:\n- "replicas" is an Output, which is not known yet when this has to be decided: give a number',
    );
    expect(() => new AlbIngressClass('two', { tags: { team: 5 as never } })).toThrow(
      'AlbIngressClass "two" cannot be made:\n- "tags.team" is the number 5: give a string',
    );
    expect(() => new AlbIngressClass('two', { tags: { team: pulumi.output('shop') } })).not.toThrow();
    expect(() => new KruiseRollout('three', null as never)).toThrow('- the properties are null: give an object');
  });
});
