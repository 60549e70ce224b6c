/** Matches that no request can be made for, and conditions that ingress-nginx or nginx drop. */
import { describe, expect, it } from 'vitest';
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
