/** What the checks of steps on an ALB of Alibaba Cloud say, word for word, and the near misses where they say nothing. */
import { describe, expect, it } from 'vitest';
import { ALIYUN_CONFIG_MAP, aliyun, edit } from '../../../src/kruise/alb/examples';
import { check } from './check';

const STEP = '{ matches: [{ headers: [{ name: user-agent, value: pc }] }], replicas: 20%, pause: {} }';
const found = (objects: readonly string[], step: string) =>
  check(
    objects
      .map((text) => (text.includes(STEP) ? edit(text, [STEP, `{ ${step}, replicas: 20%, pause: {} }`]) : text))
      .join('---\n'),
  )
    .filter(({ rule }) => /^kruise-aliyun-(match|traffic-beside-matches)$/.test(rule))
    .map(({ rule, path, message }) => `${rule} ${path?.replace('spec.strategy.canary.', '')}: ${message}`);
const shipped = aliyun();
const builtin = aliyun().filter((text) => text !== ALIYUN_CONFIG_MAP);

const header = (name: string, value = 'a', more = '') => `{ headers: [{ name: ${name}, value: "${value}"${more} }] }`;
const matches = (...all: string[]) => `matches: [${all.join(', ')}]`;

/** The same finding with both scripts. */
describe('a step on an ALB of Alibaba Cloud, with the script of this library and with the built-in one', () => {
  it.each<[step: string, findings: readonly string[]]>([
    [matches(header('user-agent')), []],
    ['traffic: 20%', []],
    [matches(header('user-agent', 'a', ', type: Exact')), []],
    [
      matches(header('user-agent', 'a', ', type: RegularExpression')),
      [
        'kruise-aliyun-match steps[0].matches[0].headers[0]: steps[0] matches the header "user-agent" by a regular expression',
      ],
    ],
    [matches(header('Host')), ['kruise-aliyun-match steps[0].matches[0].headers[0]: steps[0] matches the header Host']],
    [matches(header('host')), ['kruise-aliyun-match steps[0].matches[0].headers[0]: steps[0] matches the header Host']],
    [matches(header('x-host')), []],
    [
      matches('{ headers: [{ name: a, value: b }, { name: c, value: d }] }'),
      ['kruise-aliyun-match steps[0].matches[0].headers: steps[0] has a match 1 with 2 headers; the ALB matches one'],
    ],
    [
      matches('{ headers: [{ name: a, value: b }, { name: host, value: d }] }'),
      [
        'kruise-aliyun-match steps[0].matches[0].headers: steps[0] has a match 1 with 2 headers; the ALB matches one',
        'kruise-aliyun-match steps[0].matches[0].headers[1]: steps[0] matches the header Host',
      ],
    ],
    [
      matches('{ path: { type: PathPrefix, value: /v2 } }'),
      ['kruise-aliyun-match steps[0].matches[0].path: steps[0] matches the path "/v2"'],
    ],
    [
      matches('{ path: { type: Exact, value: / } }'),
      ['kruise-aliyun-match steps[0].matches[0].path: steps[0] matches the path "/"'],
    ],
    [matches('{ path: { type: PathPrefix, value: / }, headers: [{ name: a, value: b }] }'), []],
    [
      matches('{ path: { type: PathPrefix, value: / } }'),
      ['kruise-aliyun-match steps[0].matches[0]: steps[0] has a match 1 without a condition'],
    ],
    [
      matches('{ path: { type: PathPrefix, value: /v2 }, headers: [{ name: a, value: b }] }'),
      ['kruise-aliyun-match steps[0].matches[0].path: steps[0] matches the path "/v2"'],
    ],
    [
      matches('{ queryParams: [{ name: q, value: "1" }] }'),
      ['kruise-aliyun-match steps[0].matches[0].queryParams: steps[0] matches the query parameter "q"'],
    ],
    [
      matches('{ queryParams: [{ name: q, value: "1" }, { name: r, value: "1" }], headers: [{ name: a, value: b }] }'),
      ['kruise-aliyun-match steps[0].matches[0].queryParams: steps[0] matches the query parameter "q"'],
    ],
    [matches('{}'), ['kruise-aliyun-match steps[0].matches[0]: steps[0] has a match 1 without a condition']],
    [
      matches(header('a'), '{}'),
      ['kruise-aliyun-match steps[0].matches[1]: steps[0] has a match 2 without a condition'],
    ],
    [
      matches(header('a'), header('b')),
      [
        'kruise-aliyun-match steps[0].matches: steps[0] has 2 matches on headers; the ALB matches one header with one value',
      ],
    ],
    [
      matches(header('a'), header('a', 'b'), header('a', 'c')),
      [
        'kruise-aliyun-match steps[0].matches: steps[0] has 3 matches on headers; the ALB matches one header with one value',
      ],
    ],
    [matches(header('a'), header('canary-by-cookie', 'beta')), []],
    [matches(header('canary-by-cookie', 'beta')), []],
    [
      matches(header('canary-by-cookie', 'x'), header('canary-by-cookie', 'y')),
      ['kruise-aliyun-match steps[0].matches: steps[0] has 2 matches on cookies; the ALB matches one'],
    ],
    [
      'traffic: 20%, requestHeaderModifier: { set: [{ name: a, value: b }] }',
      [
        'kruise-aliyun-match steps[0].requestHeaderModifier: steps[0] changes headers of requests, which the ALB does not support',
      ],
    ],
  ])('%s', (step, findings) => {
    expect(found(shipped, step)).toEqual(findings);
    expect(found(builtin, step)).toEqual(found(shipped, step));
  });
});

describe('with the script of this library', () => {
  it.each<[step: string, findings: readonly string[]]>([
    [matches(header('cookie', 'beta=always')), []],
    [matches(header('Cookie', 'beta=always')), []],
    [
      matches(header('cookie', 'beta=never')),
      [
        'kruise-aliyun-match steps[0].matches[0].headers[0]: steps[0] matches the cookie "beta=never"; the ALB matches only the value always',
      ],
    ],
    [
      matches(header('cookie', 'beta=always; a=b')),
      [
        'kruise-aliyun-match steps[0].matches[0].headers[0]: steps[0] matches the cookie "beta=always; a=b"; the ALB matches only the value always',
      ],
    ],
    [
      matches(header('cookie', '=always')),
      [
        'kruise-aliyun-match steps[0].matches[0].headers[0]: steps[0] matches the cookie "=always"; the ALB matches only the value always',
      ],
    ],
    [
      matches(header('cookie', 'a=b=always')),
      [
        'kruise-aliyun-match steps[0].matches[0].headers[0]: steps[0] matches the cookie "a=b=always"; the ALB matches only the value always',
      ],
    ],
    [
      matches(header('cookie', 'a=always'), header('cookie', 'b=always')),
      ['kruise-aliyun-match steps[0].matches: steps[0] has 2 matches on cookies; the ALB matches one'],
    ],
    [matches(header('cookie', 'a=always'), header('a')), []],
    [
      matches(header('cookie', 'a=always'), header('a'), header('b')),
      [
        'kruise-aliyun-match steps[0].matches: steps[0] has 2 matches on headers; the ALB matches one header with one value',
      ],
    ],
    [matches(header('Canary-By-Cookie', 'x'), header('a')), []],
    [
      `traffic: 20%, ${matches(header('a'))}`,
      [
        'kruise-aliyun-traffic-beside-matches steps[0].traffic: steps[0] has matches, so its traffic 20% is not applied',
      ],
    ],
    ['traffic: 20%, matches: []', []],
  ])('%s', (step, findings) => {
    expect(found(shipped, step)).toEqual(findings);
  });
});

describe('with the built-in script', () => {
  it.each<[step: string, findings: readonly string[]]>([
    [matches(header('cookie', 'beta=never')), []],
    [
      matches(header('cookie', 'a=always'), header('a')),
      [
        'kruise-aliyun-match steps[0].matches: steps[0] has 2 matches on headers; the ALB matches one header with one value',
      ],
    ],
    [
      matches(header('Canary-By-Cookie', 'x'), header('a')),
      [
        'kruise-aliyun-match steps[0].matches: steps[0] has 2 matches on headers; the ALB matches one header with one value',
      ],
    ],
    [matches(header('canary-by-cookie', 'x'), header('a')), []],
    [
      `traffic: 20%, ${matches(header('a'))}`,
      [
        'kruise-aliyun-traffic-beside-matches steps[0].traffic: steps[0] has matches and traffic 20%, and the built-in script writes both',
      ],
    ],
    ['traffic: 20%, matches: []', []],
  ])('%s', (step, findings) => {
    expect(found(builtin, step)).toEqual(findings);
  });
});

describe('with another script', () => {
  it.each([
    [matches('{}')],
    [`traffic: 20%, ${matches(header('a'))}`],
    [matches(header('a', 'b', ', type: RegularExpression'))],
  ])('nothing is known of %s', (step) => {
    const other = `apiVersion: v1
kind: ConfigMap
metadata: { name: kruise-rollout-configuration, namespace: kruise-rollout }
data:
  lua.traffic.routing.ingress.aliyun-alb: return obj.annotations
`;
    expect(found([...builtin, other], step)).toEqual([]);
  });
});
