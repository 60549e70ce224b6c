/** The parts of a request, read as proxies read them. */
import { describe, expect, it } from 'vitest';
import {
  allOf,
  anyOf,
  cookieOf,
  decodedQueriesOf,
  dottedHostOf,
  envoyHeadersOf,
  hasEscapedSlash,
  headerOf,
  headersOf,
  hostOf,
  isUnder,
  mergedPathOf,
  methodOf,
  nginxPathOf,
  percentDecoded,
  queryOf,
  routingPathOf,
  sentPathOf,
  sentQueryOf,
} from '../../src/routers/request';

const at = (host: string) => ({ host, path: '/' });
const sent = (target: string) => ({ host: 'a', path: 'unused', target });
const asked = (path: string) => ({ host: 'a', path });

describe('the host of a request', () => {
  it.each([
    ['A.com', 'a.com', 'a.com'],
    ['a.com:80', 'a.com', 'a.com'],
    ['a.com.', 'a.com', 'a.com.'],
    ['a.com.:8080', 'a.com', 'a.com.'],
    ['a.com:x', 'a.com:x', 'a.com:x'],
    ['', '', ''],
  ])('%j is %j, and %j to Envoy', (host, plain, dotted) => {
    expect([hostOf(at(host)), dottedHostOf(at(host))]).toEqual([plain, dotted]);
  });
});

describe('headers of a request', () => {
  const request = {
    ...at('A.com'),
    headers: { 'X-A': '1', Accept: 'a, b', Other: 'c,d' },
    repeatedHeaders: { ACCEPT: ['a', 'b'], other: ['c', 'd'], Origin: ['x'] },
  };

  it('are found whatever their case, and the host and the method among them', () => {
    expect(['x-a', 'X-A', 'host', ':Authority', ':method', 'none'].map((name) => headerOf(request, name))).toEqual([
      '1',
      '1',
      'A.com',
      'A.com',
      'GET',
      undefined,
    ]);
    expect(headerOf({ ...request, method: 'PUT' }, ':METHOD')).toBe('PUT');
    expect(headerOf({ ...request, headers: { Host: 'b.com' } }, 'host')).toBe('b.com');
    expect(headerOf(at('a'), 'x')).toBeUndefined();
  });

  it('may be repeated, and Envoy joins some', () => {
    expect(['accept', 'Other', 'x-a', 'none', 'origin'].map((name) => headersOf(request, name))).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['1'],
      [],
      ['x'],
    ]);
    expect(['Accept', 'other', 'x-a', 'none', 'origin'].map((name) => envoyHeadersOf(request, name))).toEqual([
      ['a,b'],
      ['c', 'd'],
      ['1'],
      [],
      ['x'],
    ]);
  });

  it.each([
    'accept',
    'accept-encoding',
    'access-control-request-headers',
    'access-control-request-method',
    'authorization',
    'cache-control',
    'content-type',
    'grpc-accept-encoding',
    'grpc-timeout',
    'if-match',
    'if-modified-since',
    'if-none-match',
    'if-range',
    'if-unmodified-since',
    'origin',
    'pragma',
    'referer',
    'user-agent',
    'via',
    'x-client-trace-id',
    'x-forwarded-host',
  ])('%s is one value to Envoy', (name) => {
    expect(envoyHeadersOf({ ...at('a'), repeatedHeaders: { [name]: ['1', '2'] } }, name.toUpperCase())).toEqual([
      '1,2',
    ]);
  });

  it('has a method, GET where none is given', () => {
    expect([methodOf(at('a')), methodOf({ ...at('a'), method: 'put' })]).toEqual(['GET', 'put']);
  });
});

describe('the path of a request', () => {
  it.each([
    ['/a', '/a'],
    ['/a b', '/a%20b'],
    ['/a?b#c', '/a%3Fb%23c'],
    ['/ä', '/%C3%A4'],
    ['/\ud800', '/%EF%BF%BD'],
    ['/a"<>`', '/a%22%3C%3E`'],
    ['/a%2f', '/a%2f'],
  ])('%j is sent as %j', (path, expected) => expect(sentPathOf(asked(path))).toBe(expected));

  it.each([
    ['/a?b', '/a'],
    ['/%61%2D%5f%7e%2E', '/a-_~.'],
    ['/%2f%20%zz', '/%2f%20%zz'],
    ['/a/./b', '/a/b'],
    ['/a/../b', '/b'],
    ['/a/b/..', '/a/'],
    ['/a/b/.', '/a/b/'],
    ['/a/..', '/'],
    ['/../a', '/a'],
    ['/..', '/'],
    ['/a/...', '/a/...'],
    ['/a//b', '/a//b'],
  ])('%j is compared by Envoy as %j', (target, expected) => expect(sentPathOf(sent(target))).toBe(expected));

  it.each([
    ['/a//b///c', '/a/b/c'],
    ['//a', '/a'],
    ['/', '/'],
    ['//', '//'],
    ['////', '//'],
    ['/a//', '/a/'],
  ])('%j is merged to %j', (target, expected) => {
    expect(mergedPathOf(sent(target))).toBe(expected);
    expect(mergedPathOf(asked(target))).toBe(expected);
  });

  it.each([
    ['/a%2fb', true],
    ['/a%5Cb', true],
    ['/a?b=%2f', false],
    ['/a/b', false],
    ['/a%2g', false],
  ])('%j has an escaped slash: %j', (target, expected) => expect(hasEscapedSlash(sent(target))).toBe(expected));

  it('has an escaped slash where it has a backslash', () => {
    expect([hasEscapedSlash(asked('/a\\b')), hasEscapedSlash(asked('/a/b'))]).toEqual([true, false]);
  });

  it.each([
    ['/a//b/./c', '/a/b/c'],
    ['/a/b/..', '/a'],
    ['/a/.', '/a'],
    ['/%61%20%C3%A4', '/a ä'],
    ['/%2f%3f%25', '/%2F%3F%25'],
    ['/%e4', '/%e4'],
    ['/a?b', '/a'],
  ])('%j is routed by Traefik as %j', (target, expected) => expect(routingPathOf(sent(target))).toBe(expected));

  it.each([..."!#$&'()*+,/:;=?@[]"])('an escape of %s is kept by Traefik', (character) => {
    const escaped = `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
    expect(routingPathOf(sent(`/${escaped.toLowerCase()}`))).toBe(`/${escaped}`);
  });

  it.each([...'"<>\\^`{|}~-._ '])('an escape of %j is decoded by Traefik', (character) => {
    const escaped = `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
    expect(routingPathOf(sent(`/a${escaped}`))).toBe(`/a${character}`);
  });

  it('without a target is taken as it is by Traefik', () => expect(routingPathOf(asked('/a%20//b'))).toBe('/a%20/b'));

  it.each([
    ['/a//b', '/a/b'],
    ['/a/./b/', '/a/b/'],
    ['/a/..', '/'],
    ['/a/b/..', '/a/'],
    ['/a/b/.', '/a/b/'],
    ['/', '/'],
    ['//', '/'],
    ['/..', undefined],
    ['/a/../..', undefined],
    ['/%61%2fb', '/a/b'],
    ['/a%2f..', '/'],
    ['/%zz', '/%zz'],
    ['/a?b', '/a'],
  ])('%j is compared by nginx as %j', (target, expected) => expect(nginxPathOf(sent(target))).toBe(expected));

  it('without a target is not decoded by nginx', () => expect(nginxPathOf(asked('/%61'))).toBe('/%61'));

  it('is decoded as a whole, or not at all', () => {
    expect([percentDecoded('%41%C3%A4'), percentDecoded('%41%E4')]).toEqual(['Aä', '%41%E4']);
  });

  it.each([
    ['/a', '/a', true],
    ['/a/', '/a', true],
    ['/a/b', '/a', true],
    ['/ab', '/a', false],
    ['/a', '/a/', true],
    ['/a/b', '/a/', true],
    ['/ab', '/a/', false],
    ['/x', '/', true],
    ['/x', '', true],
    ['', '/', true],
  ])('%j is under %j: %j', (path, prefix, expected) => expect(isUnder(path, prefix)).toBe(expected));
});

describe('the query of a request', () => {
  it.each([
    ['/?v=1&v=2', 'v', '1', ['1', '2']],
    ['/?v=1;w=2', 'v', '1;w=2', ['1']],
    ['/?v', 'v', '', ['']],
    ['/?v=', 'v', '', ['']],
    ['/?v=a=b', 'v', 'a=b', ['a=b']],
    ['/?v=a+b%20c', 'v', 'a+b%20c', ['a b c']],
    ['/?%76=1', 'v', undefined, ['1']],
    ['/?v=%zz', 'v', '%zz', ['%zz']],
    ['/?&&w=1', 'v', undefined, []],
    ['/', 'v', undefined, []],
    ['/?a?v=1', 'a?v', '1', ['1']],
  ])('%j: the first %s as it is sent is %j, all are %j', (target, name, first, all) => {
    expect([sentQueryOf(sent(target), name), decodedQueriesOf(sent(target), name)]).toEqual([first, all]);
  });

  it('without a target has each parameter once', () => {
    const request = { ...at('a'), query: { v: 'a b&c#d', w: '' } };
    expect([sentQueryOf(request, 'v'), sentQueryOf(request, 'w'), sentQueryOf(request, 'x')]).toEqual([
      'a%20b%26c%23d',
      '',
      undefined,
    ]);
    expect([decodedQueriesOf(request, 'v'), decodedQueriesOf(request, 'x')]).toEqual([['a b&c#d'], []]);
    expect([queryOf(request, 'w'), queryOf(request, 'toString'), queryOf(at('a'), 'v')]).toEqual([
      '',
      undefined,
      undefined,
    ]);
  });
});

describe('a cookie', () => {
  it.each([
    ['g=1', '1'],
    ['a=b; g=1', '1'],
    [' g = 1 ;h=2', '1'],
    ['g=1; g=2', '1'],
    ['g=a=b', 'a=b'],
    ['g=', ''],
    ['G=1', undefined],
    ['g', undefined],
    ['=g', undefined],
    ['xg=1', undefined],
    ['', undefined],
  ])('of %j is %j', (cookie, expected) => {
    expect(cookieOf({ ...at('a'), headers: { Cookie: cookie } }, 'g')).toBe(expected);
  });

  it('is found in any case where that is asked for, and nowhere without the header', () => {
    expect(cookieOf({ ...at('a'), headers: { cookie: 'G=1' } }, 'g', { ignoreCase: true })).toBe('1');
    expect(cookieOf({ ...at('a'), headers: { cookie: 'g=1' } }, 'G', { ignoreCase: true })).toBe('1');
    expect(cookieOf(at('a'), 'g')).toBeUndefined();
  });
});

it('tests are joined by all and by any', () => {
  const [yes, no] = [() => true, () => false];
  expect(
    [[], [yes], [no], [yes, no], [yes, yes], [no, no]].map((tests) => [allOf(tests)(at('a')), anyOf(tests)(at('a'))]),
  ).toEqual([
    [true, false],
    [true, true],
    [false, false],
    [false, true],
    [true, true],
    [false, false],
  ]);
});
