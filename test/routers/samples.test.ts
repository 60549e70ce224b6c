import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseManifests } from '../../src/core';
import { compileRegex } from '../../src/core/regex';
import {
  candidatesOf,
  nearExact,
  nearRegex,
  otherCase,
  type RouterName,
  routerNamed,
  sampleOf,
} from '../../src/routers';
import { sampleOfGlob } from '../../src/routers/samples';

describe('a text that an expression matches', () => {
  it.each<[string, string | undefined]>([
    ['^/v[0-9]+/x$', '/v00/x'],
    ['a|b', 'a'],
    ['(?i)ab*', 'abb'],
    ['[^a]x', '0x'],
    ['[]a]', 'a'],
    ['[[:digit:]]x', '0x'],
    ['[\\]]', ']'],
    ['\\d{2,3}', '11'],
    ['\\d{3}', '111'],
    ['\\d{1,}', '11'],
    ['\\w\\s\\D\\W\\S', 'a a-a'],
    ['\\ba\\b', 'a'],
    ['\\Aa', undefined],
    ['\\t\\n\\r\\f\\v', '\t\n\r\f\v'],
    ['\\.\\/\\-', './-'],
    ['x?y+', 'xyy'],
    ['x??y+?', 'xyy'],
    ['a.c', 'aac'],
    ['(?:ab|c)d', 'abd'],
    ['(?P<n>ab)d', 'abd'],
    ['(a)(b)', 'ab'],
    ['[^\\s\\S]|a', 'a'],
    ['(?=x)y', undefined],
    ['(', undefined],
    ['\\q', undefined],
    ['', ''],
  ])('%j: %j', (expression, sample) => expect(sampleOf(expression)).toBe(sample));

  it('is none where it would be long', () => {
    expect(sampleOf('a{200}')).toHaveLength(200);
    expect(sampleOf('a{201}')).toBeUndefined();
  });

  it('is matched as a whole, and what is near is not matched at all', () => {
    const part = fc.constantFrom('a', '[0-9]', '\\w', 'b?', 'c+', '(d|e)', '(?:f|g)*', '.', '\\.', '[^x]{2}', '$', '^');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const expression = parts.join('');
        const sample = sampleOf(expression);
        if (sample === undefined) return;
        expect(compileRegex(expression, { whole: true })!(sample)).toBe(true);
        for (const near of nearRegex(expression, sample)) {
          expect(near).not.toBe('');
          expect(compileRegex(expression)!(near)).toBe(false);
        }
      }),
      { seed: 5, numRuns: 300 },
    );
  });
});

describe('texts near to what a condition wants', () => {
  it.each<[string, string, string[]]>([
    ['^abc$', 'abc', ['ab', 'bc']],
    ['^.bcde$', 'abcde', ['abcd', 'bcde']],
    ['a|c', 'a', ['~', 'rehearsal'].slice(0, 1)],
    // The middle decides where both ends may be missing.
    ['bcd', 'abcde', ['ab~de', 'rehearsal']],
    ['cd', 'abcde', ['ab~de', 'rehearsal']],
    ['^a?$', 'a', ['~', 'xax']],
    ['', '', []],
    ['(', 'a', []],
  ])('%s of %j: %j', (expression, sample, near) => expect(nearRegex(expression, sample)).toEqual(near));

  it('of an exact value are longer at either end, and shorter', () => {
    expect(nearExact('ab')).toEqual(['abx', 'xab', 'a']);
    expect(nearExact('a')).toEqual(['ax', 'xa']);
  });

  it.each([
    ['ab', 'AB'],
    ['AB', 'ab'],
    ['aB', 'AB'],
    ['12', undefined],
  ])('of %j in the other case: %j', (value, other) => expect(otherCase(value)).toBe(other));

  it.each([
    ['/a*', '/aany'],
    ['/?', '/a'],
    ['/\\*\\?\\\\', '/*?\\'],
  ])('of the pattern %j: %j', (pattern, sample) => expect(sampleOfGlob(pattern)).toBe(sample));
});

describe('requests that may reach different rules', () => {
  const candidates = (router: RouterName, text: string) => {
    const { manifests } = parseManifests(text, 'x.yaml');
    return candidatesOf(routerNamed(router), manifests[0]!).map(({ host, paths }) => [host, ...paths].join(' '));
  };
  const istio = (spec: string) =>
    `{apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: {name: x}, spec: ${spec}}`;
  const kuma = (kind: string, spec: string) =>
    `{apiVersion: kuma.io/v1alpha1, kind: ${kind}, metadata: {name: x}, spec: ${spec}}`;
  const ingress = (paths: string, more = '') =>
    `{apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {name: x}, spec: {rules: [{host: a.com, http: {paths: [${paths}]}}, {http: {paths: [{path: /any}]}}]${more}}}`;

  it.each<[RouterName, string, string[]]>([
    [
      'istio',
      istio(
        '{hosts: [a.com, "*.b.com"], http: [{match: [{uri: {prefix: /p}}, {uri: {exact: /e}}, {uri: {regex: "/r[0-9]"}}]}]}',
      ),
      ['a.com /p /e /r0 /', 'any.b.com /p /e /r0 /'],
    ],
    ['istio', istio('{hosts: ["*"], http: []}'), ['any.example.com /']],
    [
      'kuma',
      kuma(
        'MeshHTTPRoute',
        '{to: [{targetRef: {kind: MeshService, name: b}, rules: [{matches: [{path: {type: PathPrefix, value: /p}}, {path: {type: RegularExpression, value: "/r+"}}, {headers: []}]}, {}]}]}',
      ),
      ['b /p /rr /'],
    ],
    ['nginx', ingress('{path: /p, pathType: Prefix}'), ['a.com /p /p/rehearsal', 'any.example.com /any']],
    ['nginx', ingress('{path: /p/, pathType: Prefix}'), ['a.com /p/ /p/rehearsal', 'any.example.com /any']],
    ['nginx', ingress('{path: /, pathType: Prefix}'), ['a.com /', 'any.example.com /any']],
    ['nginx', ingress('{path: /e, pathType: Exact}'), ['a.com /e', 'any.example.com /any']],
    ['nginx', ingress('{path: "/r[0-9]+$"}'), ['a.com /r00', 'any.example.com /any']],
    ['nginx', ingress('{path: r.*}'), ['a.com /raa', 'any.example.com /any']],
    ['nginx', ingress('{}', ', defaultBackend: {}'), ['a.com /', 'any.example.com /any', 'any.example.com /']],
    ['nginx', kuma('TrafficRoute', '{}'), []],
  ])('%s of %s', (router, text, expected) => expect(candidates(router, text)).toEqual(expected));
});
