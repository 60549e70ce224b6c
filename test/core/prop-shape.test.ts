import { readFileSync } from 'node:fs';
import { Lazy } from 'cdk8s';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propShapes } from '../../scripts/write-prop-shapes';
import { shapeProblems } from '../../src/core/prop-shape';
import type { Shape } from '../../src/core/shape';

const TREE: Shape = { type: 'Tree' };
const TYPES: Readonly<Record<string, Shape>> = {
  Tree: {
    props: { name: 'string', 'of?': { list: TREE }, 'size?': { oneOf: ['number', { props: { exact: 'number' } }] } },
  },
};

describe('shapes of properties', () => {
  it('are those of the types', () => {
    for (const [file, text] of propShapes())
      expect(readFileSync(file, 'utf8') === text, `run "npm run schemas" and commit ${file}`).toBe(true);
  }, 60_000);

  it.each<[unknown, string[]]>([
    [{ name: 'a' }, []],
    [{ name: 'a', of: [{ name: 'b', of: [] }], size: 3 }, []],
    [{ name: 'a', size: { exact: 1 } }, []],
    [{ name: 'a', size: Lazy.any({ produce: () => 1 }) }, []],
    [{ name: 'a', size: undefined }, []],
    [{}, ['"name" is missing: give a string']],
    [{ name: 'a', of: [{ name: 'b', of: [{}] }] }, ['"of[0].of[0].name" is missing: give a string']],
    [{ name: 'a', size: 'x' }, ['"size" is the string "x": give a number or an object']],
    [{ name: 'a', size: Number.NaN }, ['"size" is the number NaN: give a number or an object']],
    [{ name: 'a', sise: 1 }, ['"sise" is no property: did you mean "size"?']],
    [{ name: () => 'a' }, ['"name" is a function: give a string']],
    [{ name: 'a', of: new Map() }, ['"of" is an instance of Map: give a list']],
  ])('find in %j: %j', (given, problems) => expect(shapeProblems(given, TREE, TYPES)).toEqual(problems));

  it('never throw, and end for what holds itself', () => {
    const circle: { name: string; of: unknown[] } = { name: 'a', of: [] };
    circle.of.push(circle);
    expect(shapeProblems(circle, TREE, TYPES)).toEqual([]);
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withMap: true, withBigInt: true }), (value) => {
        expect(shapeProblems({ name: 'a', of: value }, TREE, TYPES).length).toBeLessThanOrEqual(5);
      }),
      { seed: 3, numRuns: 500 },
    );
  });
});
