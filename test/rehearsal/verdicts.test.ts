import { describe, expect, it } from 'vitest';
import { judge } from '../../src/rehearsal/verdicts';
import { type CellParts, runOf } from './runs';

const STABLE: CellParts = { shares: { stable: 1 }, expectedCanary: 0 };
const MATCH = { share: 0, matches: [{ headers: [{ name: 'x-user', value: 'a' }] }] };

const rulesOf = (...args: Parameters<typeof runOf>) => judge(runOf(...args)).findings.map(({ rule }) => rule);

describe('a match that does not reach the canary', () => {
  const before = { cells: [STABLE, STABLE, STABLE] };
  const lost: CellParts = { shares: { stable: 1 }, expectedCanary: 1 };

  it('leaves the canary without requests, although requests without a match reach it', () => {
    const step = { declared: MATCH, cells: [{ shares: { canary: 1 }, expectedCanary: 0 }, lost, lost] };
    expect(rulesOf(['no-match', 'match', 'match'], [before, step])).toEqual([
      'rehearsal-canary-gets-everything',
      'rehearsal-canary-gets-nothing',
    ]);
  });

  it('is ignored where another match reaches the canary', () => {
    const reached: CellParts = { shares: { canary: 1 }, expectedCanary: 1 };
    const step = { declared: MATCH, cells: [STABLE, lost, reached] };
    expect(rulesOf(['no-match', 'match', 'match'], [before, step])).toEqual(['rehearsal-match-ignored']);
  });
});

describe('a request that has nothing to do with the release', () => {
  const before = { cells: [{ shares: { other: 1 } }] };
  const afterwards = (shares: CellParts['shares']) => rulesOf(['elsewhere'], [before, { cells: [{ shares }] }]);

  it('fails', () => {
    expect(afterwards({ failed: 1 })).toEqual(['rehearsal-requests-fail']);
    expect(afterwards({ failed: 0.5, other: 0.5 })).toEqual(['rehearsal-requests-fail']);
  });

  it('goes elsewhere as soon as some of it reaches the canary, even if the rest fails', () => {
    expect(afterwards({ failed: 0.5, canary: 0.5 })).toEqual(['rehearsal-path-shadowed']);
    expect(afterwards({ canary: 1 })).toEqual(['rehearsal-path-shadowed']);
  });

  it('stays as it is', () => {
    expect(afterwards({ other: 1 })).toEqual([]);
  });
});
