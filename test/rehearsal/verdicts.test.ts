import { describe, expect, it } from 'vitest';
import { Manifest } from '../../src/core';
import { tableKey } from '../../src/rehearsal/tables';
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

describe('the share of the canary', () => {
  const stable: CellParts = { shares: { stable: 1 }, expectedCanary: 0 };
  const at = (canary: number, expectedCanary: number): CellParts => ({
    shares: { canary, stable: 1 - canary },
    expectedCanary,
  });
  const weight = { share: 0.2, matches: [] };
  const found = (cell: CellParts, moment: Parameters<typeof runOf>[1][number] | object = {}) =>
    judge(runOf(['no-match'], [{ cells: [stable] }, { declared: weight, ...moment, cells: [cell] }])).findings.map(
      ({ rule, message }) => [rule, message],
    );

  it('may differ by one percent from what is declared, as scripts round', () => {
    expect(found(at(0.2, 0.2))).toEqual([]);
    expect(found(at(0.21, 0.2))).toEqual([]);
    expect(found(at(0.19, 0.2))).toEqual([]);
    expect(found(at(0.22, 0.2))).toEqual([
      ['rehearsal-weight-differs', 'at steps[0] 22% of the requests reach the canary, not 20%'],
    ]);
    expect(found(at(0.18, 0.2))).toEqual([
      ['rehearsal-weight-differs', 'at steps[0] 18% of the requests reach the canary, not 20%'],
    ]);
  });

  it('is nothing, or everything', () => {
    expect(found(at(0, 0.2))).toEqual([
      ['rehearsal-canary-gets-nothing', 'at steps[0] none of the requests reaches the canary, not 20%'],
    ]);
    expect(found(at(1, 0.2))).toEqual([
      ['rehearsal-canary-gets-everything', 'at steps[0] all of the requests reach the canary, not 20%'],
    ]);
  });

  it('is too early before a step, and left over after a rollback', () => {
    expect(found(at(0.2, 0), { phase: 'prepare' })).toEqual([
      [
        'rehearsal-canary-too-early',
        'before steps[0] takes effect (event) 20% of the requests reach the canary already',
      ],
    ]);
    expect(found(at(0.2, 0), { phase: 'abort' })).toEqual([
      ['rehearsal-rollback-incomplete', 'on a rollback at steps[0] (event) 20% of the requests reach the canary'],
    ]);
  });

  it('must not fall from one step to the next', () => {
    const steps = (...shares: number[]) =>
      judge(
        runOf(
          ['no-match'],
          [
            { cells: [stable] },
            ...shares.map((share) => ({ declared: { share, matches: [] }, cells: [at(share, share)] })),
          ],
        ),
      ).findings.map(({ rule, message, step }) => [rule, message, step]);
    expect(steps(0.2, 0.5, 0.5)).toEqual([]);
    expect(steps(0.5, 0.495)).toEqual([]);
    expect(steps(0.5, 0.2)).toEqual([
      [
        'rehearsal-weight-backwards',
        'at steps[1] the canary gets 20% of the requests, after 50% at the step before',
        1,
      ],
    ]);
    expect(steps(0.2, 0.5, 0.3).map(([, , step]) => step)).toEqual([2]);
  });

  it('of requests with a match may fall', () => {
    const moments = [
      { cells: [stable] },
      { declared: MATCH, cells: [at(1, 1)] },
      { declared: weight, cells: [at(0.2, 0.2)] },
    ];
    expect(rulesOf(['match'], moments)).toEqual([]);
  });

  it('above its weight is a warning where only requests of an earlier match have it', () => {
    const moments = (plain: CellParts) => [
      { cells: [stable, stable] },
      { declared: weight, cells: [plain, at(1, 0.2)] },
    ];
    const severities = (plain: CellParts) =>
      judge(runOf(['no-match', 'match'], moments(plain))).findings.map(({ rule, severity }) => [rule, severity]);
    expect(severities(at(0.2, 0.2))).toEqual([['rehearsal-weight-differs', 'warning']]);
    expect(severities(at(0.5, 0.2))).toEqual([
      ['rehearsal-weight-differs', 'error'],
      ['rehearsal-canary-gets-everything', 'error'],
    ]);
  });
});

describe('requests that meet no match', () => {
  const before = { cells: [STABLE, STABLE, STABLE] };
  const canary = (share: number): CellParts => ({ shares: { canary: share, stable: 1 - share }, expectedCanary: 0 });
  const lost: CellParts = { shares: { canary: 1 }, expectedCanary: 1 };

  it.each([
    [1, 'rehearsal-canary-gets-everything'],
    [0.5, 'rehearsal-unmatched-reach-canary'],
  ])('must not reach the canary, not even %d of them', (share, rule) => {
    const step = { declared: MATCH, cells: [canary(share), lost, STABLE] };
    expect(rulesOf(['no-match', 'match', 'near'], [before, step])).toEqual([rule]);
  });

  it('are the cause where near ones reach the canary too, and else the value is', () => {
    const step = (plain: CellParts) => ({ declared: MATCH, cells: [plain, lost, canary(1)] });
    expect(rulesOf(['no-match', 'match', 'near'], [before, step(STABLE)])).toEqual(['rehearsal-match-widened']);
    expect(rulesOf(['no-match', 'match', 'near'], [before, step(canary(0.5))])).toEqual([
      'rehearsal-unmatched-reach-canary',
    ]);
  });

  it('and almost meet one get no more than the weight beside it', () => {
    const both = { share: 0.2, matches: MATCH.matches };
    const expected = (share: number): CellParts => ({
      shares: { canary: share, stable: 1 - share },
      expectedCanary: 0.2,
    });
    const step = (near: number, plain = 0.2) => ({ declared: both, cells: [expected(plain), lost, expected(near)] });
    expect(rulesOf(['no-match', 'match', 'near'], [before, step(1)])).toEqual(['rehearsal-match-widened']);
    expect(rulesOf(['no-match', 'match', 'near'], [before, step(0)])).toEqual(['rehearsal-weight-differs']);
    expect(rulesOf(['no-match', 'match', 'near'], [before, step(1, 1)])).toEqual(['rehearsal-canary-gets-everything']);
  });
});

describe('the same problem at several places', () => {
  const stable: CellParts = { shares: { stable: 1 }, expectedCanary: 0 };
  const failing: CellParts = { shares: { failed: 1 }, expectedCanary: 0 };
  const messages = (requests: number, moments: number) =>
    judge(
      runOf(
        Array.from({ length: requests }, () => 'no-match' as const),
        [stable, ...Array.from({ length: moments }, () => failing)].map((cell) => ({
          cells: Array.from({ length: requests }, () => cell),
        })),
      ),
    ).findings.map(({ message }) => message.replace(/^.* weight/, ''));

  it.each([
    [1, 1, ''],
    [2, 1, ' (also 1 more request)'],
    [3, 1, ' (also 2 more requests)'],
    [1, 2, ' (also at steps[1])'],
    [1, 4, ' (also at steps[1], at steps[2], at steps[3])'],
    [1, 5, ' (also at steps[1], at steps[2], at steps[3], at 1 more moment)'],
    [2, 2, ' (also 1 more request, at steps[1])'],
  ])('for %i requests at %i moments is one finding', (requests, moments, also) => {
    expect(messages(requests, moments)).toEqual([also]);
  });
});

describe('requests that nobody can tell', () => {
  it('get no verdict', () => {
    const run = runOf(['no-match'], [{ cells: [STABLE] }, { cells: [{ shares: { failed: 1 }, expectedCanary: 1 }] }]);
    expect(judge(run).findings).toHaveLength(1);
    const { answer: _answer, ...cell } = run.seen[1]!.cells[0]!;
    const unknown = { ...cell, answer: { kind: 'unknown' as const, why: 'w' } };
    const seen = [run.seen[0]!, { ...run.seen[1]!, cells: [unknown] }];
    expect(judge({ ...run, seen }).findings).toEqual([]);
    expect(judge({ ...run, seen }).wrong.size).toBe(0);
    expect([...judge(run).wrong]).toEqual(['1/0']);
  });
});

describe('requests that no longer reach the application', () => {
  it('fail, unless they went elsewhere before', () => {
    const other = (share: number): CellParts => ({ shares: { other: share, stable: 1 - share }, expectedCanary: 0 });
    expect(rulesOf(['no-match'], [{ cells: [STABLE] }, { cells: [other(1)] }])).toEqual(['rehearsal-requests-fail']);
    expect(rulesOf(['no-match'], [{ cells: [other(0.5)] }, { cells: [other(0.5)] }])).toEqual([]);
    expect(rulesOf(['no-match'], [{ cells: [other(0.5)] }, { cells: [other(0.6)] }])).toEqual([
      'rehearsal-requests-fail',
    ]);
  });
});

describe('a load balancer that freezes', () => {
  const ingress = (namespace: string, name: string, kind = 'Ingress') =>
    Manifest.of({ apiVersion: 'networking.k8s.io/v1', kind, metadata: { name, namespace } });
  const own = ingress('shop', 'web');
  const state = { router: 'aws-alb', name: 'edge', members: [own], listeners: [], candidatesOf: () => [] };
  const findings = (members: readonly Manifest[], frozenFrom: number, manifest?: Manifest) => {
    const run = runOf(['no-match'], [{ cells: [STABLE] }, { cells: [STABLE] }, { cells: [STABLE] }]);
    const frozen = { kind: 'frozen', reason: 'r', why: 'a mistake', path: ['spec'], ...(manifest && { manifest }) };
    const seen = run.seen.map((moment, index) => {
      const table = new Map([[tableKey(state), { ...state, members, ...(index >= frozenFrom && { frozen }) }]]);
      return { ...moment, table: table as never };
    });
    const objects = [
      { kind: 'Ingress', namespace: 'shop', name: 'web' },
      { kind: 'Service', namespace: 'shop', name: 'api' },
    ];
    return judge({ ...run, traffic: { ...run.traffic, objects }, seen }).findings;
  };
  const messages = (...args: Parameters<typeof findings>) => findings(...args).map(({ message }) => message);

  it('is one finding, at the first moment', () => {
    expect(messages([own], 1)).toEqual(['the load balancer "edge" freezes at steps[0]: a mistake']);
    expect(messages([own], 2)).toEqual(['the load balancer "edge" freezes at steps[1]: a mistake']);
    expect(messages([own], 0)).toEqual(['the load balancer "edge" is already frozen before the release: a mistake']);
    expect(messages([own], 3)).toEqual([]);
  });

  it('freezes others with it, also those of the same name in another namespace or of another kind', () => {
    const others = [
      ingress('pay', 'web'),
      ingress('shop', 'api'),
      ingress('shop', 'c'),
      ingress('shop', 'd'),
      ingress('shop', 'e'),
    ];
    const withIt = (count: number) => messages([own, ...others.slice(0, count)], 1)[0]!.replace(/^.*steps\[0\]/, '');
    expect(withIt(1)).toBe(', and with it Ingress pay/web: a mistake');
    expect(withIt(3)).toBe(', and with it Ingress pay/web, Ingress shop/api, Ingress shop/c: a mistake');
    expect(withIt(5)).toBe(', and with it Ingress pay/web, Ingress shop/api, Ingress shop/c and 2 more: a mistake');
  });

  it('names the object with the mistake', () => {
    const other = ingress('pay', 'web');
    expect(findings([own], 1, other)).toMatchObject([
      { rule: 'rehearsal-group-freezes', step: 0, related: { message: 'the mistake is here', object: other.ref } },
    ]);
    expect(findings([own], 1)[0]!.related).toBeUndefined();
    expect(findings([own], 0)[0]!.step).toBeUndefined();
  });
});

describe('a load balancer that only the controller made', () => {
  const member = Manifest.of({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'web-canary', namespace: 'shop' },
  });
  const state = (name: string, members = [member]) => ({ router: 'aws-alb', name, members, listeners: [] });
  const messages = (before: readonly object[], after: readonly object[]) => {
    const run = runOf(['no-match'], [{ cells: [STABLE] }, { cells: [STABLE] }, { cells: [STABLE] }]);
    const tableOf = (states: readonly object[]) =>
      new Map(states.map((each) => [tableKey(each as { router: string; name: string }), each])) as never;
    const seen = run.seen.map((moment, index) => ({ ...moment, table: tableOf(index === 0 ? before : after) }));
    return judge({ ...run, seen }).findings.map(({ rule, message }) => [rule, message]);
  };

  it('is reported once, beside the one that was there', () => {
    expect(messages([state('a')], [state('a'), state('b')])).toEqual([
      [
        'rehearsal-second-load-balancer',
        'at steps[0] Ingress shop/web-canary gets a load balancer of its own, "b", in addition to "a"',
      ],
    ]);
    expect(messages([], [state('b')])).toEqual([
      ['rehearsal-second-load-balancer', 'at steps[0] Ingress shop/web-canary gets a load balancer of its own, "b"'],
    ]);
    expect(messages([{ ...state('a'), router: 'nginx' }], [state('b')]).map(([, message]) => message)).toEqual([
      'at steps[0] Ingress shop/web-canary gets a load balancer of its own, "b"',
    ]);
  });

  it('is none without members, or where it was there before', () => {
    expect(messages([state('a')], [state('a')])).toEqual([]);
    expect(messages([state('a')], [state('a'), state('b', [])])).toEqual([]);
  });
});

describe('requests of a match that is over', () => {
  it('reach the canary because of their value, where no others do', () => {
    const step = (plain: CellParts) => ({
      declared: MATCH,
      cells: [plain, { shares: { canary: 1 }, expectedCanary: 1 }, { shares: { canary: 1 }, expectedCanary: 0 }],
    });
    const kinds = ['no-match', 'match', 'match'] as const;
    expect(rulesOf(kinds, [{ cells: [STABLE, STABLE, STABLE] }, step(STABLE)])).toEqual(['rehearsal-match-widened']);
    const some: CellParts = { shares: { canary: 0.5, stable: 0.5 }, expectedCanary: 0 };
    expect(rulesOf(kinds, [{ cells: [STABLE, STABLE, STABLE] }, step(some)])).toEqual([
      'rehearsal-unmatched-reach-canary',
    ]);
  });
});

describe('requests that differ from a match in case', () => {
  const found = (parts: object, sent: object = { differsInCase: true }) => {
    const cells: CellParts[] = [{ shares: { canary: 1 } }];
    const run = runOf(['near'], [{ cells: [STABLE] }, { cells }]);
    const seen = run.seen.map((each, index) =>
      index === 0 ? each : { ...each, moment: { ...each.moment, routesTraffic: true, ...parts } },
    );
    const requests = run.requests.map((each) => ({ ...each, ...sent }));
    return judge({ ...run, requests, seen });
  };

  it('may meet it: that is a note at the steps that route traffic', () => {
    const { findings, wrong } = found({});
    expect(findings.map(({ rule, severity }) => [rule, severity])).toEqual([['rehearsal-match-ignores-case', 'note']]);
    expect(wrong.size).toBe(0);
    expect(found({ routesTraffic: false }).findings).toEqual([]);
    expect(found({ phase: 'finish' }).findings).toEqual([]);
    expect(found({}, {}).findings).toEqual([]);
  });
});

describe('a cookie among others', () => {
  it('that does not reach the canary is a finding of its own', () => {
    const lost: CellParts = { shares: { stable: 1 }, expectedCanary: 1 };
    const run = runOf(['near'], [{ cells: [STABLE] }, { declared: MATCH, cells: [lost] }]);
    const requests = run.requests.map((each) => ({ ...each, amongCookies: true }));
    expect(judge({ ...run, requests }).findings.map(({ rule }) => rule)).toEqual(['rehearsal-cookie-alone']);
    expect(judge(run).findings.map(({ rule }) => rule)).toEqual(['rehearsal-canary-gets-nothing']);
  });
});

describe('clients that stay with one version', () => {
  const moment = (sticky: boolean, shares: readonly number[], phase: 'step' | 'finish' = 'step') => ({
    sticky,
    shares,
    phase,
  });
  const lost = (...moments: ReturnType<typeof moment>[]) => {
    const cell: CellParts = { shares: { stable: 1 } };
    const run = runOf(
      ['no-match'],
      moments.map(() => ({ cells: [cell] })),
    );
    const seen = run.seen.map((each, index) => {
      const { sticky, shares, phase } = moments[index]!;
      const destinations = shares.map((share, at) => ({ name: `shop/${at}`, share }));
      const answer = { kind: 'services' as const, destinations, sticky };
      const cells = each.cells.map((one) => ({ ...one, answer }));
      return { ...each, moment: index === 0 ? each.moment : { ...each.moment, phase }, cells };
    });
    return judge({ ...run, seen }).findings.map(({ rule, step }) => [rule, step]);
  };

  it('lose that where a step splits their requests without it', () => {
    expect(lost(moment(true, [1]), moment(false, [0.8, 0.2]))).toEqual([['rehearsal-stickiness-lost', 0]]);
    expect(lost(moment(true, [1]), moment(true, [0.8, 0.2]))).toEqual([]);
    expect(lost(moment(false, [1]), moment(false, [0.8, 0.2]))).toEqual([]);
    expect(lost(moment(true, [1]), moment(false, [1, 0]))).toEqual([]);
    expect(lost(moment(true, [1]), moment(false, [0.8, 0.2], 'finish'))).toEqual([]);
  });
});

describe('problems of different kinds', () => {
  const lost: CellParts = { shares: { stable: 1 }, expectedCanary: 1 };
  const reached: CellParts = { shares: { canary: 1 }, expectedCanary: 1 };
  const failed: CellParts = { shares: { failed: 1 } };

  it('are one finding for each match, each load balancer, and each phase in which requests fail', () => {
    const run = runOf(
      ['no-match', 'match', 'match', 'match'],
      [{ cells: [STABLE, STABLE, STABLE, STABLE] }, { declared: MATCH, cells: [STABLE, reached, lost, lost] }],
    );
    const matched = (...matches: number[]) => {
      const requests = run.requests.map((sent, index) => (index < 2 ? sent : { ...sent, match: matches[index - 2]! }));
      return judge({ ...run, requests }).findings.map(({ rule, message }) => [rule, / \(also.*/.exec(message)?.[0]]);
    };
    expect(matched(1, 1)).toEqual([['rehearsal-match-ignored', ' (also 1 more request)']]);
    expect(matched(1, 2)).toEqual([
      ['rehearsal-match-ignored', undefined],
      ['rehearsal-match-ignored', undefined],
    ]);
    const phases = [
      { cells: [STABLE] },
      { phase: 'prepare' as const, cells: [failed] },
      { cells: [failed] },
      { phase: 'abort' as const, cells: [failed] },
      { cells: [failed] },
    ];
    expect(judge(runOf(['no-match'], phases)).findings.map(({ step }) => step)).toEqual([0, 1, 2]);
    const two = runOf(['no-match', 'no-match'], [{ cells: [STABLE, STABLE] }, { cells: [failed, failed] }]);
    const entries = [...two.entries, { ...two.entries[0]!, name: 'second' }];
    const requests = two.requests.map((sent, entry) => ({ ...sent, entry }));
    expect(judge({ ...two, entries, requests }).findings).toHaveLength(2);
  });

  it('count the requests of the first moment only', () => {
    const moments = [
      { cells: [STABLE, STABLE, STABLE] },
      { cells: [failed, STABLE, STABLE] },
      { cells: [STABLE, failed, failed] },
    ];
    const [finding] = judge(runOf(['no-match', 'no-match', 'no-match'], moments)).findings;
    expect(finding!.message).toMatch(/ \(also at steps\[1\]\)$/);
  });

  it('have the advice of the controller, and the rule that takes the request', () => {
    const run = runOf(['no-match'], [{ cells: [STABLE] }, { cells: [failed] }]);
    const object = { apiVersion: 'v1', kind: 'Route', name: 'web' };
    const rule = { description: 'rule 1', object, path: 'spec' };
    const seen = run.seen.map((each) => ({ ...each, cells: each.cells.map((cell) => ({ ...cell, rule })) }));
    const situations: unknown[] = [];
    const advise: NonNullable<typeof run.release.advise> = (situation) => {
      situations.push([situation.rule, situation.router, situation.isFrozen, situation.outcome.shares.failed]);
      return { fix: 'do this', because: 'of that', severity: 'warning' };
    };
    const [finding] = judge({ ...run, release: { ...run.release, advise }, seen }).findings;
    expect(situations).toEqual([['rehearsal-requests-fail', 'aws-alb', false, 1]]);
    expect(finding).toMatchObject({
      severity: 'warning',
      fix: 'do this',
      because: 'of that',
      request: 'GET http://web.example.com/0',
      related: { message: 'rule 1 of aws-alb "web" takes the request', object },
    });
    expect(judge(run).findings[0]).toMatchObject({ severity: 'error' });
    expect(judge(run).findings[0]!.related).toBeUndefined();
  });
});
