/** Factories and methods that are called with what no type allows: a value, or one sentence that names the call. */
import { App, Chart } from 'cdk8s';
import { describe, expect, it } from 'vitest';
import * as library from '../../src/constructs';
import { packageShapes } from '../../src/core/package-shapes';
import { CONSTRUCTS } from './props';
import { Chance } from './random';
import { Maker, rawness } from './typed';

const { calls, types } = packageShapes;

/** `RUNS=20000 SEED=1 npx vitest run test/hardness/calls.test.ts` for more. */
const RUNS = Number(process.env.RUNS ?? 1500);
const SEED = Number(process.env.SEED ?? 1);

type Call = (...given: unknown[]) => unknown;

/** The function of `Class.method`, of `function`, or of `Class#method` of a construct in the chart. */
function callOf(title: string, chart: Chart): Call | undefined {
  const [holder, method] = title.split(/[.#]/) as [string, string | undefined];
  const exported = (library as unknown as Record<string, Call & Record<string, Call>>)[holder]!;
  if (method === undefined) return exported;
  if (title.includes('.')) return (...given) => exported[method]!(...given);
  const one = CONSTRUCTS.find(({ name }) => name === holder);
  const made = one?.make(chart, one.props(chart) as never) as Record<string, Call> | undefined;
  return made && ((...given) => made[method]!(...given));
}

describe('calls', () => {
  it('that the types do not allow are refused in one sentence', () => {
    const titles = Object.keys(calls);
    const raw: string[] = [];
    let refused = 0;
    for (let run = 0; run < RUNS; run++) {
      const title = titles[run % titles.length]!;
      const chance = new Chance(SEED * 1_000_003 + run);
      const chart = new Chart(new App(), 'shop', { namespace: 'shop' });
      const call = callOf(title, chart);
      if (call === undefined) continue;
      const made = new Maker(chance, types, chart, chance.oneIn(2) ? 1 : 12).arguments(calls[title]!);
      try {
        const result = call(...made);
        if (result instanceof Promise) result.catch(() => undefined);
      } catch (error) {
        refused++;
        const why = rawness(error);
        if (why !== undefined) raw.push(`${title} (run ${run}, seed ${SEED}): ${why}`);
      }
    }
    expect(raw).toEqual([]);
    expect(refused).toBeGreaterThan(RUNS / 4);
    expect(refused).toBeLessThan(RUNS);
  }, 600_000);

  it.each<[string, () => unknown, string]>([
    [
      'a factory without options',
      () => library.AlbAuth.cognito(undefined as never),
      'AlbAuth.cognito: "options" is missing: give an object',
    ],
    [
      'options that lack something',
      () => library.AlbAuth.cognito({ clientId: 'a', domain: 'b' } as never),
      'AlbAuth.cognito: "options.userPoolArn" is missing: give a string',
    ],
    [
      'options with another name',
      () => library.KruiseRolloutStep.traffic('20%', { replica: 1 } as never),
      'KruiseRolloutStep.traffic: "options.replica" is no property: did you mean "replicas"?',
    ],
    [
      'a value of another type',
      () => library.HeaderMatch.exact('user-agent', 5 as never),
      'HeaderMatch.exact: "value" is the number 5: give a string',
    ],
    [
      'no number',
      () => library.ArgoStep.setWeight(Number.NaN),
      'ArgoStep.setWeight: "percent" is the number NaN: give a number',
    ],
    [
      'a list with a hole',
      () => library.KruiseRolloutStrategy.canary({ steps: new Array(1) }),
      'KruiseRolloutStrategy.canary: "options.steps[0]" is undefined: give an object',
    ],
    [
      'a function of the package',
      () => library.argoAnalysis('success-rate' as never),
      'argoAnalysis: "templates" is the string "success-rate": give a list',
    ],
    [
      'a method of a construct',
      () => {
        const chart = new Chart(new App(), 'shop', { namespace: 'shop' });
        new library.KtVirtualEnvironment(chart, 'Environments').labelNamespace('shop' as never);
      },
      'shop/Environments: KtVirtualEnvironment.labelNamespace: "namespace" is the string "shop": give an ApiObject',
    ],
  ])('%s', (_, call, message) => expect(call).toThrow(new Error(message)));

  it('begin their stack at the caller', () => {
    try {
      library.HeaderMatch.exact(1 as never, 'a');
      expect.unreachable();
    } catch (error) {
      expect((error as Error).stack!.split('\n')[1]).toContain('calls.test.ts');
    }
  });

  it('keep the name and the length of what is called', () => {
    expect(library.HeaderMatch.exact.name).toBe('exact');
    expect(library.HeaderMatch.exact).toHaveLength(2);
  });

  it('name every script of the library', () => {
    const [{ shape }] = calls['LuaScripts.fromLibrary'] as unknown as [{ shape: { values: string[] } }];
    for (const name of shape.values) expect(library.LuaScripts.fromLibrary(name as 'aws-alb').scripts).toHaveLength(1);
    expect(shape.values).toHaveLength(library.LuaScripts.library().scripts.length);
  });
});
