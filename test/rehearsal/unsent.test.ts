/** Matches that no request can be made for, and conditions that ingress-nginx or nginx drop. */
import { describe, expect, it } from 'vitest';
import { MAX_CONDITIONS } from '../../src/rehearsal/requests';
import { unsentFindings } from '../../src/rehearsal/unsent';
import type { Match } from '../../src/release';
import { runOf } from './runs';
import { rehearseStack } from './stack';

const NGINX = {
  annotations: {},
  ingressClassName: 'nginx',
  port: { number: 80 },
  route: { ingress: { name: 'web', classType: 'nginx' } },
};

function nginx(header: Readonly<Record<string, string>>, options: Parameters<typeof rehearseStack>[1] = {}) {
  const steps = [
    { replicas: '20%', matches: [{ headers: [header] }] },
    { traffic: '100%', replicas: '100%' },
  ];
  return rehearseStack({ ...NGINX, steps }, options).findings;
}

const expression = (value: string) => ({ type: 'RegularExpression', name: 'x-user', value });

describe('a match without a request', () => {
  it.each(['([', 'a{2,1}', '*a', '[z-a]'])('is an error where %s is no expression', (value) => {
    const found = nginx(expression(value)).find(({ rule }) => rule === 'rehearsal-match-unsent');
    expect(found).toMatchObject({
      severity: 'error',
      step: 0,
      message: `no request can meet the match of steps[0]: ${JSON.stringify(value)} is no regular expression`,
    });
  });

  it('is a warning where the expression is valid, unless people send requests', () => {
    const value = String.raw`\p{Lu}+`;
    const unsent = (found: ReturnType<typeof nginx>) => found.filter(({ rule }) => rule === 'rehearsal-match-unsent');
    expect(unsent(nginx(expression(value))).map(({ severity }) => severity)).toEqual(['warning']);
    const probes = [{ host: 'shop.example.com', path: '/', headers: { 'x-user': 'ABC' } }];
    expect(unsent(nginx(expression(value), { probes }))).toEqual([]);
  });

  it('is nothing where a request was sent', () => {
    for (const value of ['^v[0-9]+$', 'a|b', ''])
      expect(nginx(expression(value)).map(({ rule }) => rule)).not.toContain('rehearsal-match-unsent');
  });
});

describe('a condition that ingress-nginx drops', () => {
  it.each([
    [
      { type: 'Exact', name: 'x-user', value: 'alice@example.com' },
      'canary-by-header-value: "alice@example.com" as empty',
    ],
    [expression('^[0-9]{1,3}$'), 'canary-by-header-pattern: "^[0-9]{1,3}$" as empty'],
    [
      { type: 'Exact', name: 'x_user', value: 'a' },
      'nginx drops headers with an underscore in their name, such as x_user',
    ],
  ])('is named: %o', (header, because) => {
    const found = nginx(header).find(({ rule }) => rule === 'rehearsal-canary-gets-nothing');
    expect(found?.because).toContain(because);
  });

  it('is no other one', () => {
    for (const header of [expression('^[0-9]+$'), { type: 'Exact', name: 'x-user', value: 'a.b_c-d~e:/f' }])
      expect(nginx(header).filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});

describe('what no request was made for', () => {
  const regex = (value: string) => ({ type: 'RegularExpression' as const, value });
  const found = (matches: readonly Match[], declaredAt?: number, entries = 1) => {
    const cells = [{ shares: { stable: 1 } }];
    const run = runOf(
      ['no-match'],
      [0, 1, 2].map((index) => ({ cells, ...(index === declaredAt && { declared: { share: 0, matches } }) })),
    );
    const steps = run.release.steps.map((step, index) => ({ ...step, trafficPath: ['spec', 'steps', index] }));
    const release = { ...run.release, matches, steps };
    return unsentFindings({ ...run, release, entries: run.entries.slice(0, entries) }).map(
      ({ message, path, step, severity }) => [message, path, step, severity],
    );
  };
  const ANY = String.raw`\p{Lu}`;

  it.each<[string, Match]>([
    ['a path', { path: regex(ANY) }],
    ['a header', { headers: [{ name: 'h', ...regex(ANY) }] }],
    ['a parameter', { queryParams: [{ name: 'q', ...regex(ANY) }] }],
  ])('is the expression of %s, with its step if one has it', (_, match) => {
    const text = expect.stringMatching(
      /^no request was sent for the match of steps\[1\] \(.*\), as no text is known that meets "\\\\p\{Lu\}"$/,
    );
    expect(found([match], 2)).toEqual([[text, 'spec.steps[1]', 1, 'warning']]);
    expect(found([match])).toEqual([[expect.stringContaining('the match of a step ('), 'spec', undefined, 'warning']]);
  });

  it('is each of several expressions, and nothing without a load balancer or without an expression', () => {
    const match: Match = {
      path: regex(ANY),
      headers: [
        { name: 'h', ...regex(`${ANY}a`) },
        { name: 'i', value: ANY },
      ],
    };
    expect(found([match], 1)).toHaveLength(2);
    expect(found([match], 1, 0)).toEqual([]);
    expect(found([{ path: { value: ANY } }, { path: { type: 'RegularExpression' } }], 1)).toEqual([]);
  });

  it('is a match with too many conditions', () => {
    const headers = Array.from({ length: MAX_CONDITIONS }, (_each, index) => ({ name: `h${index}`, value: '1' }));
    const long: Match = { headers, queryParams: [{ name: 'q', value: '1' }] };
    const message = (at: string) =>
      `no request was sent for the match of ${at}: it has 201 conditions, and a rehearsal meets at most 200`;
    expect(found([long], 1)).toEqual([[message('steps[0]'), 'spec.steps[0]', 0, 'warning']]);
    expect(found([long])).toEqual([[message('a step'), 'spec', undefined, 'warning']]);
    expect(found([{ headers }], 1)).toEqual([]);
  });
});
