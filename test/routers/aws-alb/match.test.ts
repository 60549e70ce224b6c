import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Condition, matchRequest } from '../../../src/routers/aws-alb';
import type { HttpRequest } from '../../../src/routers/router';
import { groupOf, ingress, withConditions } from './stack';

/** Whether a request meets one condition, on a listener whose only rule has it. */
function meets(condition: object, request: Partial<HttpRequest>): boolean {
  const plain = groupOf(ingress('i', { host: '' })).listeners[0]!;
  const listener = { ...plain, rules: [{ ...plain.rules[0]!, conditions: [condition as Condition] }] };
  return matchRequest(listener, { host: 'a.com', path: '/', ...request }).rule !== undefined;
}

const ofPath = (...values: string[]) => ({ field: 'path-pattern', values });
const ofHost = (...values: string[]) => ({ field: 'host-header', values });
const ofHeader = (...values: string[]) => ({ field: 'http-header', httpHeaderName: 'X-User', values });
const ofQuery = (...values: object[]) => ({ field: 'query-string', values });
const ofSource = (...values: string[]) => ({ field: 'source-ip', values });

describe('a request meets', () => {
  it.each([
    ['/a', '/a', true],
    ['/a', '/A', false],
    ['/a', '/a/', false],
    ['/a/*', '/a/', true],
    ['/a/*', '/a/b/c', true],
    ['/a/*', '/a', false],
    ['/*.png', '/img/x.png', true],
    ['/a?c', '/abc', true],
    ['/a?c', '/ac', false],
    ['/a?c', '/a\u{1f600}c', true],
    ['/a\\*', '/a*', false],
    ['/.*', '/x', false],
    ['*', '', true],
    ['/a*b*c', '/axbxbxc', true],
    ['/a*b*c', '/axbxbx', false],
  ])('the path %s with %s: %s', (pattern, path, met) => expect(meets(ofPath(pattern), { path })).toBe(met));

  it.each([
    ['*.Example.com', 'WWW.example.COM', true],
    ['*.example.com', 'example.com', false],
    ['m?.example.com', 'm1.example.com', true],
  ])('the host %s with %s: %s', (pattern, host, met) => expect(meets(ofHost(pattern), { host })).toBe(met));

  it('a header, ignoring the case of name and value', () => {
    expect(meets(ofHeader('Pc', 'mobile'), { headers: { 'x-USER': 'PC' } })).toBe(true);
    expect(meets(ofHeader('p*'), { headers: { 'x-user': 'phone' } })).toBe(true);
    expect(meets(ofHeader('pc'), { headers: { 'x-user': 'pcs' } })).toBe(false);
    expect(meets(ofHeader('*'), { headers: {} })).toBe(false);
  });

  it('a query parameter by key and value, or by value alone', () => {
    expect(meets(ofQuery({ key: 'V', value: 'a*' }), { query: { v: 'ABC' } })).toBe(true);
    expect(meets(ofQuery({ key: 'v', value: '1' }), { query: { w: '1', v: '2' } })).toBe(false);
    expect(meets(ofQuery({ value: '1' }), { query: { w: '1' } })).toBe(true);
    expect(meets(ofQuery({ value: 'x' }, { value: '1' }), { query: { w: '1' } })).toBe(true);
    expect(meets(ofQuery({ value: '*' }), {})).toBe(false);
  });

  it('an escaped wildcard in a query as the character itself', () => {
    const escaped = ofQuery({ key: 'v', value: 'a\\*b\\?' });
    expect(meets(escaped, { query: { v: 'a*b?' } })).toBe(true);
    expect(meets(escaped, { query: { v: 'axbx' } })).toBe(false);
  });

  it('a method exactly', () => {
    const condition = { field: 'http-request-method', values: ['POST'] };
    expect(meets(condition, { method: 'POST' })).toBe(true);
    expect(meets(condition, { method: 'post' })).toBe(false);
    expect(meets(condition, {})).toBe(false);
    expect(meets({ ...condition, values: ['GET'] }, {})).toBe(true);
  });

  it.each([
    ['10.0.0.0/8', '10.255.0.1', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['10.1.2.3/32', '10.1.2.3', true],
    ['10.1.2.3/8', '10.9.9.9', true],
    ['0.0.0.0/0', '1.2.3.4', true],
    ['0.0.0.0/0', '::1', false],
    ['2001:db8::/32', '2001:db8:1::2', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['::/0', '::1', true],
    ['::/0', '10.0.0.1', false],
    ['10.0.0.0', '10.0.0.0', false],
    ['10.0.0.0/33', '10.0.0.1', false],
    ['10.0.0.0/08', '10.0.0.1', false],
    ['fe80::1%eth0/64', 'fe80::1', false],
    ['10.0.0.0/8', 'nonsense', false],
  ])('the range %s with %s: %s', (range, sourceIp, met) => expect(meets(ofSource(range), { sourceIp })).toBe(met));

  it('no address range if its address is unknown', () => expect(meets(ofSource('0.0.0.0/0'), {})).toBe(false));

  it('a regular expression in the case of its field', () => {
    expect(meets({ field: 'path-pattern', regexValues: ['^/v[0-9]+$'] }, { path: '/v12' })).toBe(true);
    expect(meets({ field: 'path-pattern', regexValues: ['^/API$'] }, { path: '/api' })).toBe(false);
    expect(meets({ field: 'host-header', regexValues: ['^(', '^A\\.com$'] }, {})).toBe(true);
  });
});

describe('a listener', () => {
  it('runs the last of several actions, after authentication', () => {
    const plain = groupOf(ingress('i')).listeners[0]!;
    const [forward] = plain.rules[0]!.actions;
    const authenticate = { type: 'authenticate-oidc' } as unknown as typeof forward;
    const listener = { ...plain, rules: [{ ...plain.rules[0]!, actions: [authenticate!, forward!] }] };
    expect(matchRequest(listener, { host: 'a.com', path: '/' }).action).toBe(forward);
  });

  it('accepts any host that a value or an expression of a condition matches', () => {
    const condition = { ...ofHost('a.com'), regexValues: ['^b\\.com$'] };
    expect(meets(condition, { host: 'a.com' })).toBe(true);
    expect(meets(condition, { host: 'b.com' })).toBe(true);
    expect(meets(condition, { host: 'c.com' })).toBe(false);
  });

  it('uses the first rule with conditions that all match, or its default', () => {
    const json = [
      { field: 'http-header', httpHeaderConfig: { httpHeaderName: 'x-a', values: ['1'] } },
      { field: 'http-header', httpHeaderConfig: { httpHeaderName: 'x-b', values: ['1'] } },
    ];
    const listener = groupOf(withConditions(json)).listeners[0]!;
    const priorityOf = (headers: Record<string, string>) =>
      matchRequest(listener, { host: 'a.com', path: '/', headers }).rule?.priority;
    expect(priorityOf({ 'x-a': '1', 'x-b': '1' })).toBe(1);
    expect(priorityOf({ 'x-a': '1' })).toBeUndefined();
    expect(matchRequest(listener, { host: 'b.com', path: '/' })).toMatchObject({
      rule: undefined,
      action: { type: 'fixed-response', fixedResponse: { statusCode: '404' } },
    });
  });
});

describe('wildcards', () => {
  it('mean what the regular expression of the same pattern means', () => {
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '.'), maxLength: 8 });
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 10 });
    fc.assert(
      fc.property(pattern, text, (value, path) => {
        const regex = new RegExp(`^${value.replace(/\./g, '\\.').replace(/\*/g, '.*').replace(/\?/g, '.')}$`);
        expect(meets(ofPath(value), { path })).toBe(regex.test(path));
      }),
      { seed: 3, numRuns: 500 },
    );
  });

  it('cost at most the length of the text times that of the pattern', () => {
    expect(meets(ofPath(`${'*a'.repeat(60)}b`), { path: 'a'.repeat(20_000) })).toBe(false);
  });
});
