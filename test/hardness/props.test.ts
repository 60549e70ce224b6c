/** Constructs that are given what no type forbids and nobody expects: manifests, or an error that says what is wrong. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { packageShapes } from '../../src/core/package-shapes';
import { CONSTRUCTS, outcomeOf, spoilt } from './props';
import { expectUnpolluted, prototypes } from './prototypes';
import { Chance } from './random';
import { CRASH, Maker, rawness } from './typed';

/** `RUNS=20000 SEED=1 npx vitest run test/hardness/props.test.ts` for more. */
const RUNS = Number(process.env.RUNS ?? 600);
const SEED = Number(process.env.SEED ?? 1);

describe('constructs', () => {
  // Warnings about what was made odd are not looked at here.
  beforeEach(() => {
    vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it.each(CONSTRUCTS)('$name takes values of the right type, or says why not', (each) => {
    const before = prototypes();
    expect(outcomeOf(each, each.props)).toBeTypeOf('string');
    let refused = 0;
    for (let seed = 1; seed <= 15; seed++) {
      let about = '';
      const outcome = outcomeOf(each, (chart) => {
        const changed = spoilt(each.props(chart), new Chance(seed * 7919), 'right');
        about = changed.about;
        return changed.props;
      });
      if (typeof outcome === 'string') continue;
      refused++;
      expect(outcome, about).not.toBeInstanceOf(TypeError);
      expect(outcome.message, about).not.toMatch(CRASH);
      expect(outcome.message.length, about).toBeLessThan(200_000);
    }
    expect(refused).toBeLessThan(15);
    expectUnpolluted(before);
  });

  it.each(CONSTRUCTS)('$name says of a value of another type where it is and what is expected', (each) => {
    const before = prototypes();
    for (let seed = 1; seed <= 40; seed++) {
      let about = '';
      const outcome = outcomeOf(each, (chart) => {
        const changed = spoilt(each.props(chart), new Chance(seed * 104_729), 'wrong');
        about = changed.about;
        return changed.props;
      });
      if (typeof outcome === 'string') continue;
      expect(outcome, about).not.toBeInstanceOf(TypeError);
      expect(outcome.message, about).not.toMatch(CRASH);
    }
    expectUnpolluted(before);
  });

  it('never fail as an engine does, whatever they are made of', () => {
    const { constructs, types } = packageShapes;
    const raw: string[] = [];
    let refused = 0;
    for (let run = 0; run < RUNS; run++) {
      const each = CONSTRUCTS[run % CONSTRUCTS.length]!;
      const chance = new Chance(SEED * 1_000_003 + run);
      const outcome = outcomeOf(each, (chart) => {
        const maker = new Maker(chance, types, chart, chance.of([1, 15, 60]));
        const made = maker.value(constructs[each.name]!);
        // Half of the properties are those that work, with a few others.
        return (chance.oneIn(2) && isObject(made) ? { ...each.props(chart), ...few(made, chance) } : made) as object;
      });
      if (typeof outcome === 'string') continue;
      refused++;
      const why = rawness(outcome) ?? (outcome.message.includes('shop') ? undefined : `no place: ${outcome.message}`);
      if (why !== undefined) raw.push(`${each.name} (run ${run}, seed ${SEED}): ${why}`);
    }
    expect(raw).toEqual([]);
    expect(refused).toBeGreaterThan(RUNS / 3);
    expect(refused).toBeLessThan(RUNS);
  }, 3_600_000);

  it.each([
    [{ rules: [null] }, 'shop/It: "rules[0]" is null: give an object'],
    [{ rules: [{ paths: true }] }, 'shop/It: "rules[0].paths" is the boolean true: give a list'],
    [{ rules: [{ host: 5 }] }, 'shop/It: "rules[0].host" is the number 5: give a string'],
    [{ rules: [{ hots: 'a' }] }, 'shop/It: "rules[0].hots" is no property: did you mean "host"?'],
    [{ scheem: 'internal' }, 'shop/It: "scheem" is no property: did you mean "scheme"?'],
    [{ service: { name: 'web' } }, 'shop/It: "service.port" is missing: give a string or a number'],
    [{ mode: {} }, 'shop/It: "mode" is an object: give an AlbCanaryMode'],
    [{ metadata: { labels: { a: 1 } } }, 'shop/It: "metadata.labels.a" is the number 1: give a string'],
  ])('say in one sentence what is wrong with %j', (wrong, message) => {
    const alb = CONSTRUCTS.find(({ name }) => name === 'AlbCanaryIngress')!;
    const outcome = outcomeOf(alb, (chart) => ({ ...alb.props(chart), ...wrong }));
    expect((outcome as Error).message).toBe(message);
  });
});

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function few(made: object, chance: Chance): object {
  return Object.fromEntries(Object.entries(made).filter(() => chance.oneIn(3)));
}
