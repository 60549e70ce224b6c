import { describe, expect, it } from 'vitest';
import { formatRequest } from '../../src/rehearsal';
import {
  deriveRequests,
  hasTooManyConditions,
  MAX_CONDITIONS,
  type RequestSources,
} from '../../src/rehearsal/requests';
import type { Match } from '../../src/release';

const HOME = { host: 'a.com', paths: ['/'] };

/** The requests with their reasons: `near | x-u: bx | GET https://a.com/ -H "x-u: bx"`. */
const derived = (matches: readonly Match[], more: Partial<RequestSources> = {}) =>
  deriveRequests({ candidates: [HOME], matches, reachesStable: ({ host }) => host === 'a.com', ...more }).map(
    ({ class: kind, label, request }) => `${kind} | ${label} | ${formatRequest(request).replace('GET https://', '')}`,
  );
const OTHER = 'elsewhere | elsewhere.example.org | elsewhere.example.org/';

describe('deriveRequests', () => {
  it('sends a header named __proto__', () => {
    const requests = deriveRequests({
      candidates: [{ host: 'shop.example.com', paths: ['/'] }],
      matches: [{ headers: [{ name: '__proto__', value: 'pc', type: 'Exact' }] }],
      reachesStable: () => true,
    });
    const match = requests.find((one) => one.class === 'match');
    expect(Object.entries(match?.request.headers ?? {})).toEqual([['__proto__', 'pc']]);
  });
});

describe('the requests for a match', () => {
  it('of a header meet it, and miss it by its value', () => {
    expect(derived([{ headers: [{ name: 'x-u', value: 'bc' }] }])).toEqual([
      'no-match | any | a.com/',
      'match | x-u: bc | a.com/ -H "x-u: bc"',
      'near | x-u: bcx | a.com/ -H "x-u: bcx"',
      'near | x-u: xbc | a.com/ -H "x-u: xbc"',
      'near | x-u: b | a.com/ -H "x-u: b"',
      'near | x-u: BC | a.com/ -H "x-u: BC"',
      OTHER,
      'elsewhere | elsewhere.example.org, match | elsewhere.example.org/ -H "x-u: bc"',
    ]);
  });

  it('of a parameter by an expression meet it, and miss it', () => {
    expect(derived([{ queryParams: [{ name: 'v', value: '[0-9]b', type: 'RegularExpression' }] }]).slice(1, 4)).toEqual(
      ['match | ?v=[0-9]b | a.com/?v=0b', 'near | v: 0 | a.com/?v=0', 'near | v: b | a.com/?v=b'],
    );
    expect(derived([{ queryParams: [{ name: 'v', value: '(?=x)y', type: 'RegularExpression' }] }])).toEqual([
      'no-match | any | a.com/',
      OTHER,
    ]);
  });

  it('of several conditions also miss each of them', () => {
    const match: Match = { headers: [{ name: 'x-u', value: '1' }], queryParams: [{ name: 'v', value: '2' }] };
    expect(derived([match]).slice(1, -2)).toEqual([
      'match | x-u: 1, ?v=2 | a.com/?v=2 -H "x-u: 1"',
      'near | x-u: 1, ?v=2, no x-u | a.com/?v=2',
      'near | x-u: 1x | a.com/?v=2 -H "x-u: 1x"',
      'near | x-u: x1 | a.com/?v=2 -H "x-u: x1"',
      'near | x-u: 1, ?v=2, no v | a.com/ -H "x-u: 1"',
      'near | v: 2x | a.com/?v=2x -H "x-u: 1"',
      'near | v: x2 | a.com/?v=x2 -H "x-u: 1"',
    ]);
  });

  it.each<[Match, string[]]>([
    [
      { path: { type: 'Exact', value: '/x' } },
      ['match | /x | a.com/x', 'near | /xx | a.com/xx', 'near | /x/x | a.com/x/x'],
    ],
    [
      { path: { type: 'PathPrefix', value: '/x/' } },
      ['match | /x/ | a.com/x/', 'near | /x/x | a.com/x/x', 'near | /x/rehearsal | a.com/x/rehearsal'],
    ],
    [
      { path: { value: '/x' } },
      ['match | /x | a.com/x', 'near | /xx | a.com/xx', 'near | /x/rehearsal | a.com/x/rehearsal'],
    ],
    [
      { path: { type: 'RegularExpression', value: '/v[0-9]' } },
      ['match | /v[0-9] | a.com/v0', 'near | /v0x | a.com/v0x'],
    ],
    [
      { path: { type: 'Exact', value: '/a(b)?' } },
      ['match | /a(b)? | a.com/a(b)%3F', 'near | /a(b)?x | a.com/a(b)%3Fx', 'near | /a(b)?/x | a.com/a(b)%3F/x'],
    ],
    [
      { path: { type: 'PathPrefix', value: '/a+' } },
      ['match | /a+ | a.com/a+', 'near | /a+x | a.com/a+x', 'near | /a+/rehearsal | a.com/a+/rehearsal'],
    ],
    [{ path: { type: 'RegularExpression', value: '(?=x)y' } }, []],
    // Every path is below `/`.
    [{ path: { value: '/' } }, []],
    [{ path: { type: 'Exact', value: '/' } }, []],
  ])('of the path %j', (match, expected) =>
    expect(derived([match]).filter((line) => !/^(no-match|else)/.test(line))).toEqual(expected),
  );

  it('of a cookie send it alone, and among others', () => {
    const ofCookie = (match: Match) => derived([match]).filter((line) => !/^(no-match|else)/.test(line));
    expect(ofCookie({ headers: [{ name: 'Cookie', value: 'g=1' }] })).toEqual([
      'match | Cookie: g=1 | a.com/ -H "Cookie: g=1"',
      'near | Cookie: g=1x | a.com/ -H "Cookie: g=1x"',
      'near | Cookie: xg=1 | a.com/ -H "Cookie: xg=1"',
      'near | Cookie: g= | a.com/ -H "Cookie: g="',
      'near | Cookie: G=1 | a.com/ -H "Cookie: G=1"',
      'near | cookie: g=1 among others | a.com/ -H "Cookie: session=1; g=1; theme=dark"',
    ]);
    expect(ofCookie({ headers: [{ name: 'canary-by-cookie', value: 'g' }] })).toEqual([
      'match | canary-by-cookie: g | a.com/ -H "cookie: g=always"',
      'near | canary-by-cookie: gx | a.com/ -H "cookie: gx=always"',
      'near | canary-by-cookie: xg | a.com/ -H "cookie: xg=always"',
    ]);
    expect(ofCookie({ headers: [{ name: 'cookie', type: 'RegularExpression', value: 'g=1' }] })).toEqual([
      'match | cookie: g=1 | a.com/ -H "cookie: g=1"',
      'near | cookie: g= | a.com/ -H "cookie: g="',
      'near | cookie: =1 | a.com/ -H "cookie: =1"',
    ]);
    expect(ofCookie({ headers: [{ name: 'cookie', value: 'g' }] }).join()).not.toContain('among others');
    expect(ofCookie({ headers: [{ name: 'x-cookie', value: 'g=1' }] }).join()).not.toContain('among others');
  });

  it('of a header take an expression for a text where it says so only', () => {
    const of = (type?: 'Exact' | 'RegularExpression') =>
      derived([{ headers: [{ name: 'x-u', value: 'a+', ...(type && { type }) }] }])[1];
    expect(of()).toBe('match | x-u: a+ | a.com/ -H "x-u: a+"');
    expect(of('Exact')).toBe('match | x-u: a+ | a.com/ -H "x-u: a+"');
    expect(of('RegularExpression')).toBe('match | x-u: a+ | a.com/ -H "x-u: aa"');
  });

  it('of two headers with one name send the last value, and both cookies', () => {
    const twice = (name: string): Match => ({
      headers: [
        { name, value: 'a=1' },
        { name: name.toUpperCase(), value: 'b=2' },
      ],
    });
    expect(derived([twice('x-u')])[1]).toBe('match | x-u: a=1, X-U: b=2 | a.com/ -H "x-u: b=2"');
    expect(derived([twice('cookie')])[1]).toBe('match | cookie: a=1, COOKIE: b=2 | a.com/ -H "cookie: a=1; b=2"');
  });

  it('join cookies in one header', () => {
    const headers = [
      { name: 'canary-by-cookie', value: 'g' },
      { name: 'Cookie', value: 'f=1' },
    ];
    expect(derived([{ headers }])[1]).toBe(
      'match | canary-by-cookie: g, Cookie: f=1 | a.com/ -H "cookie: g=always; f=1"',
    );
  });

  it('are none where it has too many conditions', () => {
    const long = (count: number): Match => ({
      headers: Array.from({ length: count - 1 }, (_, index) => ({ name: `h${index}`, value: '1' })),
      queryParams: [{ name: 'v', value: '1' }],
    });
    expect(hasTooManyConditions(long(MAX_CONDITIONS))).toBe(false);
    expect(hasTooManyConditions(long(MAX_CONDITIONS + 1))).toBe(true);
    expect(derived([long(MAX_CONDITIONS + 1)])).toEqual(['no-match | any | a.com/', OTHER]);
    expect(derived([long(MAX_CONDITIONS)])).toHaveLength(2 + 32 + 2);
  });

  it('are those that reach the application', () => {
    const lines = derived([{ headers: [{ name: 'x-u', value: 'b' }] }], {
      reachesStable: ({ host, headers = {} }) => host === 'a.com' && headers['x-u'] !== 'b' && headers['x-u'] !== 'bx',
    });
    expect(lines.filter((line) => !line.startsWith('elsewhere'))).toEqual([
      'no-match | any | a.com/',
      'near | x-u: xb | a.com/ -H "x-u: xb"',
      'near | x-u: B | a.com/ -H "x-u: B"',
    ]);
    expect(derived([], { reachesStable: () => false })).toEqual([]);
  });
});

describe('the requests without a match', () => {
  it('are one for each host and path, named by what they differ in from the first', () => {
    const candidates = [
      { host: 'a.com', paths: ['/', '/x'] },
      { host: 'b.com', paths: ['/', '/y'] },
      { host: 'any.example.com', paths: ['/'] },
    ];
    expect(derived([], { candidates, reachesStable: () => true })).toEqual([
      'no-match | any | a.com/',
      'no-match | /x | a.com/x',
      'no-match | b.com | b.com/',
      'no-match | b.com/y | b.com/y',
      'no-match | any.example.com | any.example.com/',
    ]);
    expect(
      derived([{ headers: [{ name: 'h', value: '1' }] }], { candidates, reachesStable: () => true }).slice(0, 4),
    ).toEqual([
      'no-match | any | a.com/',
      'match | h: 1 | a.com/ -H "h: 1"',
      'no-match | /x | a.com/x',
      'match | h: 1 /x | a.com/x -H "h: 1"',
    ]);
  });

  it('are named by their host alone where their path is that of the first one, or /', () => {
    const candidates = [
      { host: 'a.com', paths: ['/x'] },
      { host: 'b.com', paths: ['/', '/x', '/y'] },
    ];
    expect(derived([], { candidates, reachesStable: () => true })).toEqual([
      'no-match | any | a.com/x',
      'no-match | b.com | b.com/',
      'no-match | b.com | b.com/x',
      'no-match | b.com/y | b.com/y',
      'no-match | elsewhere.example.org | elsewhere.example.org/x',
    ]);
  });

  it('say which conditions they have, or lack', () => {
    const candidates = [
      {
        host: 'a.com',
        paths: ['/'],
        extras: { method: 'POST', headers: { h: '1' }, query: { q: '1' }, sourceIp: '10.0.0.1' },
      },
      { host: 'a.com', paths: ['/'] },
      {
        host: 'b.com',
        paths: ['/'],
        extras: { method: 'POST', headers: { h: '1' }, query: { q: '1' }, sourceIp: '10.0.0.1' },
      },
    ];
    expect(derived([], { candidates, reachesStable: () => true })).toEqual([
      'no-match | any | POST https://a.com/?q=1 -H "h: 1" from 10.0.0.1',
      'no-match | / without its conditions | a.com/',
      'no-match | b.com (POST, 10.0.0.1, h, q) | POST https://b.com/?q=1 -H "h: 1" from 10.0.0.1',
      'no-match | elsewhere.example.org | elsewhere.example.org/',
    ]);
  });

  it('are at most eight, and eight that lead elsewhere', () => {
    const candidates = Array.from({ length: 20 }, (_, index) => ({
      host: index % 2 ? 'a.com' : 'b.com',
      paths: [`/${index}`],
    }));
    const kinds = derived([], { candidates }).map((line) => line.split(' ')[0]);
    expect(kinds.filter((kind) => kind === 'no-match')).toHaveLength(8);
    expect(kinds.filter((kind) => kind === 'elsewhere')).toHaveLength(8);
    expect(derived([], { candidates: [HOME, HOME] })).toEqual(['no-match | any | a.com/', OTHER]);
  });
});
