import { describe, expect, it } from 'vitest';
import { compileMatches, type RouteContext } from '../../../src/routers/istio/match';
import { envoyHeadersOf, joinedHeadersOf } from '../../../src/routers/request';
import type { HttpRequest } from '../../../src/routers/router';

const MESH: RouteContext = { gateway: 'mesh', port: 80, scheme: 'http', headers: envoyHeadersOf };
const qualify = (gateway: string) => (gateway === 'mesh' ? gateway : `ns/${gateway}`);

const compile = (match: unknown, context: RouteContext = MESH) => compileMatches(match as never, context, qualify);

/** Whether a match takes a request. */
function takes(match: object, request: Partial<HttpRequest>, context: RouteContext = MESH): boolean | 'never' {
  const compiled = compile([match], context);
  return compiled === undefined ? 'never' : compiled[0]!.test({ host: 'web', path: '/', ...request });
}

describe('a match of Istio', () => {
  it.each<[object, Partial<HttpRequest>, boolean]>([
    [{ uri: { exact: '/A' }, ignoreUriCase: true }, { path: '/a' }, true],
    [{ uri: { exact: '/A' }, ignoreUriCase: true }, { path: '/ab' }, false],
    [{ uri: { prefix: '/a' }, ignoreUriCase: true }, { path: '/AB' }, true],
    [{ uri: { regex: '/A' }, ignoreUriCase: true }, { path: '/a' }, false],
    [{ uri: { exact: '/A' }, ignoreUriCase: false }, { path: '/a' }, false],
    [{ uri: {} }, { path: '/x' }, true],
    [{ uri: { prefix: '/' } }, { path: '/x' }, true],
    [{ uri: { exact: '/' } }, { path: '/x' }, false],
    [{ uri: { exact: '/a', prefix: '/b' } }, { path: '/b' }, false],
    [{ uri: { prefix: '/a', regex: '/b' } }, { path: '/b' }, false],
    [{ headers: { h: { regex: '*' } } }, { headers: { h: '' } }, true],
    [{ headers: { h: { regex: '*' } } }, {}, false],
    [{ headers: { h: {} } }, { headers: { H: 'x' } }, true],
    [{ headers: { h: { prefix: '' } } }, {}, false],
    [{ headers: { h: { exact: 'b' } } }, { repeatedHeaders: { h: ['a', 'b'] } }, true],
    [{ headers: { h: { regex: '.*' } } }, { headers: { h: 'a' } }, true],
    [{ withoutHeaders: { h: { exact: 'a' } } }, { headers: { h: 'b' } }, true],
    [{ withoutHeaders: { h: { exact: 'a' } } }, { repeatedHeaders: { h: ['b', 'a'] } }, false],
    [{ withoutHeaders: { h: { exact: '' } } }, {}, false],
    [{ withoutHeaders: { h: { regex: 'a*' } } }, {}, false],
    [{ withoutHeaders: { h: { regex: 'a+' } } }, {}, true],
    [{ withoutHeaders: { h: {} } }, {}, true],
    [{ withoutHeaders: { h: {} } }, { headers: { h: '' } }, false],
    [{ withoutHeaders: { h: { regex: '*' } } }, { headers: { h: 'a' } }, false],
    [{ withoutHeaders: { h: {}, i: {} } }, { headers: { i: 'a' } }, false],
    [{ queryParams: { q: {} } }, { query: { q: '' } }, true],
    [{ queryParams: { q: {} } }, {}, false],
    [{ queryParams: { q: { exact: '1' } } }, { target: '/?q=2&q=1' }, false],
    [{ queryParams: { q: { exact: '2' } } }, { target: '/?q=2&q=1' }, true],
    [{ queryParams: { q: { regex: '[0-9]' } } }, { query: { q: '12' } }, false],
    [{ method: { regex: 'P.*' } }, { method: 'PUT' }, true],
    [{ method: { exact: 'GET' } }, {}, true],
    [{ method: 'GET' }, { method: 'PUT' }, true],
    [{ authority: { exact: 'web:8080' } }, { host: 'web:8080' }, true],
    [{ authority: { exact: 'web' } }, { host: 'WEB' }, false],
    [{ scheme: { exact: 'http' } }, {}, true],
    [{ scheme: { exact: 'https' } }, {}, false],
    [{ sourceLabels: { a: '1', b: '2' } }, { source: { labels: { a: '1', b: '2', c: '3' } } }, true],
    [{ sourceLabels: { a: '1', b: '2' } }, { source: { labels: { a: '1' } } }, false],
    [{ sourceLabels: { a: '1' } }, { source: { labels: { a: '2' } } }, false],
    [{ sourceLabels: { a: '1' } }, { source: { namespace: 'n' } }, false],
    [{ sourceNamespace: 'n' }, { source: { namespace: 'n' } }, true],
    [{ sourceNamespace: 'n' }, { source: { namespace: 'm' } }, false],
    [{ sourceNamespace: 'n' }, {}, false],
    [{ sourceNamespace: '' }, {}, true],
    [{ sourceLabels: { a: '1' }, sourceNamespace: 'n' }, { source: { namespace: 'n', labels: { a: '1' } } }, true],
    [{ sourceLabels: { a: '1' }, sourceNamespace: 'n' }, { source: { namespace: 'm', labels: { a: '1' } } }, false],
    [{ sourceLabels: { a: '1' }, gateways: ['mesh'] }, {}, true],
    [{ uri: { prefix: '/x' }, method: { exact: 'PUT' } }, { path: '/x' }, false],
    [{ uri: { prefix: '/x' }, method: { exact: 'PUT' } }, { path: '/x', method: 'PUT' }, true],
  ])('%j takes %j: %j', (match, request, expected) => expect(takes(match, request)).toBe(expected));

  it.each<[object, RouteContext, boolean]>([
    [{ port: 80 }, MESH, true],
    [{ port: 81 }, MESH, false],
    [{ port: 0 }, MESH, true],
    [{ port: '81' }, MESH, true],
    [{ gateways: ['mesh'] }, MESH, true],
    [{ gateways: ['edge'] }, MESH, false],
    [{ gateways: ['edge', 'mesh'] }, MESH, true],
    [{ gateways: [] }, MESH, true],
    [{ gateways: ['edge'] }, { ...MESH, gateway: 'ns/edge' }, true],
    [{ gateways: ['mesh'] }, { ...MESH, gateway: 'ns/edge' }, false],
    [{}, { ...MESH, gateway: 'ns/edge' }, true],
  ])('%j exists at %j: %j', (match, context, exists) => {
    expect(compile([match], context) !== undefined).toBe(exists);
  });

  it('of a list are those that exist there, and none at all takes everything', () => {
    expect(compile([{ port: 81 }, { uri: { exact: '/x' } }])?.map(({ words }) => words)).toEqual(['path is "/x"']);
    expect(compile([{ port: 81 }, { gateways: ['edge'] }])).toBeUndefined();
    const all = (match: unknown) =>
      compile(match)?.map(({ words, isCatchAll, conditions }) => [words, isCatchAll, conditions.length]);
    expect([all(undefined), all([]), all([{}])]).toEqual([
      [['any request', true, 0]],
      [['any request', true, 0]],
      [['any request', true, 0]],
    ]);
    expect(all([{ uri: { prefix: '/' } }, { uri: { prefix: '/x' } }, { headers: { h: {} } }])).toEqual([
      ['any request', true, 0],
      ['path begins with "/x"', false, 1],
      ['header h is there', false, 1],
    ]);
    expect(compile([])![0]!.test({ host: 'x', path: '/y' })).toBe(true);
  });

  it('on labels of clients takes nobody at a Gateway', () => {
    const context = { ...MESH, gateway: 'ns/edge' };
    expect(takes({ sourceLabels: { a: '1' } }, { source: { labels: { a: '1' } } }, context)).toBe(false);
    expect(takes({ sourceNamespace: 'n' }, { source: { namespace: 'n' } }, context)).toBe(false);
  });
});

describe('a header that is sent several times', () => {
  const sent = { host: 'web', path: '/', repeatedHeaders: { H: ['a', 'b'] } };

  it.each([
    ['each', envoyHeadersOf, 'a', true],
    ['each', envoyHeadersOf, 'a,b', false],
    ['joined', joinedHeadersOf, 'a', false],
    ['joined', joinedHeadersOf, 'a,b', true],
  ] as const)('with values that are compared %s', (_, headers, exact, matches) => {
    const test = (match: object) => compile([match], { ...MESH, headers })!.some((each) => each.test(sent));
    expect(test({ headers: { h: { exact } } })).toBe(matches);
    expect(test({ withoutHeaders: { h: { exact } } })).toBe(!matches);
  });

  it('is one value where it is sent once', () => {
    expect(joinedHeadersOf({ host: 'web', path: '/', headers: { h: 'a' } }, 'H')).toEqual(['a']);
    expect(joinedHeadersOf({ host: 'web', path: '/' }, 'h')).toEqual([]);
  });
});
