import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../../src/routers';
import { parseRule, type RuleSyntax } from '../../../src/routers/traefik/rule';

function matches(rule: string, request: Partial<HttpRequest>, syntax: RuleSyntax = 'v3'): boolean | string {
  const result = parseRule(rule, syntax);
  return 'fault' in result ? result.fault : result.test({ host: 'a.com', path: '/', ...request });
}

describe('rules of Traefik 3', () => {
  it.each<[string, Partial<HttpRequest>, boolean]>([
    ['Host(`A.com`)', {}, true],
    ['Host(`a.com`)', { host: 'a.com.' }, true],
    ['Host(`b.com`)', {}, false],
    ['HostRegexp(`^a\\.`)', {}, true],
    ['Path(`/x`)', { path: '/x/' }, false],
    ['PathPrefix(`/x`)', { path: '/xy' }, true],
    ['PathRegexp(`^/v[0-9]`)', { path: '/v1/x' }, true],
    ['Method(`post`)', { method: 'POST' }, true],
    ['Header(`X-C`, `v`)', { headers: { 'x-c': 'v' } }, true],
    ['Header(`X-C`, `v`)', { headers: { 'x-c': 'vv' } }, false],
    ['HeaderRegexp(`x-c`, `v+`)', { headers: { 'x-c': 'uvvw' } }, true],
    ['Query(`q`, `1`)', { query: { q: '1' } }, true],
    ['Query(`q`)', { query: { q: '' } }, true],
    ['Query(`q`)', { query: { q: '1' } }, false],
    ['QueryRegexp(`q`, `^[0-9]$`)', { query: { q: '1' } }, true],
    ['ClientIP(`10.0.0.0/8`)', { sourceIp: '10.1.1.1' }, true],
    ['ClientIP(`10.0.0.1`)', { sourceIp: '10.0.0.2' }, false],
    ['!Host(`b.com`)', {}, true],
    ['!!Host(`a.com`)', {}, true],
    ['Host(`a.com`) && Path(`/x`)', {}, false],
    ['Host(`b.com`) || Path(`/`)', {}, true],
    ['Host(`b.com`) && Path(`/x`) || Path(`/`)', {}, true],
    ['Host(`b.com`) && (Path(`/x`) || Path(`/`))', {}, false],
    ['!(Host(`b.com`) || Path(`/x`))', {}, true],
    ['host("a.com")', {}, true],
    ['Header("x-c", "say \\"v\\"")', { headers: { 'x-c': 'say "v"' } }, true],
  ])('%s', (rule, request, expected) => expect(matches(rule, request)).toBe(expected));

  it.each([
    ['', 'expected a matcher, not "the end"'],
    ['Host', 'expected (, not "the end"'],
    ['Host(`a`', 'expected ), not "the end"'],
    ['Host(a)', 'Host needs a text in backquotes'],
    ['Host(`a`, `b`)', 'Host does not take 2 parameters'],
    ['Headers(`a`, `b`)', 'there is no matcher Headers in the syntax v3'],
    ['Path(`x`)', 'Path cannot take "x"'],
    ['HeaderRegexp(`a`, `(`)', 'HeaderRegexp cannot take "a", "("'],
    ['Host(`a`) Path(`/`)', 'unexpected "Path"'],
    ['Host(`a`) & Path(`/`)', 'unexpected "&" at character 11'],
    ['ClientIP(`x`)', 'ClientIP cannot take "x"'],
  ])('cannot be %s', (rule, fault) => expect(matches(rule, {})).toBe(fault));

  it('can be nested up to a limit', () => {
    expect(matches(`${'('.repeat(90)}Host(\`a.com\`)${')'.repeat(90)}`, {})).toBe(true);
    expect(matches(`${'!'.repeat(5000)}Host(\`a.com\`)`, {})).toBe('nested too deeply');
  });

  it('give a result for any text', () => {
    const piece = fc.constantFrom(
      'Host',
      'Path',
      '(',
      ')',
      '`/`',
      '"a"',
      '&&',
      '||',
      '!',
      ',',
      ' ',
      '`',
      '"',
      '\\',
      'é',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
        ),
        (rule) => {
          for (const syntax of ['v3', 'v2'] as const)
            expect(['boolean', 'string']).toContain(typeof matches(rule, {}, syntax));
        },
      ),
      { seed: 4, numRuns: 500 },
    );
  });
});

describe('rules of Traefik 2', () => {
  it.each<[string, Partial<HttpRequest>, boolean]>([
    ['Host(`b.com`, `a.com`)', {}, true],
    ['HostRegexp(`{sub:[a-z]+}.com`)', {}, true],
    ['Path(`/x/{id:[0-9]+}`)', { path: '/x/12' }, true],
    ['Path(`/x/{id}`)', { path: '/x/1/2' }, false],
    ['PathPrefix(`/x`, `/y`)', { path: '/y/1' }, true],
    ['Headers(`X-C`, `v`)', { headers: { 'x-c': 'v' } }, true],
    ['HeadersRegexp(`x-c`, `v+`)', { headers: { 'x-c': 'uvvw' } }, true],
    ['Query(`q=1`)', { query: { q: '1' } }, true],
    ['Method(`GET`, `POST`)', {}, true],
  ])('%s', (rule, request, expected) => expect(matches(rule, request, 'v2')).toBe(expected));
});
