import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collectFindings, type Finding } from '../../src/core';

const finding = (details: Partial<Finding>): Finding => ({
  rule: 'r',
  severity: 'error',
  message: 'm',
  because: 'b',
  fix: 'f',
  docs: 'd',
  ...details,
});

const ANY = fc.record({
  severity: fc.constantFrom('error', 'warning', 'note'),
  rule: fc.constantFrom('a', 'b'),
  message: fc.constantFrom('m', 'n'),
  path: fc.option(fc.constantFrom('a[2]', 'a[10]'), { nil: undefined }),
  source: fc.option(fc.record({ file: fc.constantFrom('a', 'b'), line: fc.nat(12), column: fc.nat(2) }), {
    nil: undefined,
  }),
});

describe('collectFindings', () => {
  it('puts errors first, then goes by file, line and column', () => {
    const at = (file: string, line: number, column: number) => ({ source: { file, line, column } });
    const sorted = [
      finding({ ...at('a', 2, 1) }),
      finding({ ...at('a', 10, 1) }),
      finding({ ...at('a', 10, 2) }),
      finding({ ...at('b', 1, 1) }),
      finding({ severity: 'warning', ...at('a', 1, 1) }),
      finding({ severity: 'note', ...at('a', 1, 1) }),
    ];
    expect(collectFindings([...sorted].reverse())).toEqual(sorted);
  });

  it('counts indexes as numbers', () => {
    const paths = collectFindings([finding({ path: 'steps[10]' }), finding({ path: 'steps[9].a' })]).map(
      ({ path }) => path,
    );
    expect(paths).toEqual(['steps[9].a', 'steps[10]']);
  });

  it('gives the same order whatever order it is given', () => {
    const inTwoOrders = fc
      .array(ANY)
      .map((all) => all.map((details) => finding(details as Partial<Finding>)))
      .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));
    fc.assert(
      fc.property(inTwoOrders, ([findings, shuffled]) => {
        expect(collectFindings(shuffled)).toEqual(collectFindings(findings));
      }),
      { seed: 2, numRuns: 200 },
    );
  });
});
