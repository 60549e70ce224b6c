/** Which fields of an HTTPRoute each release of the controller writes back: each known one, and one more beside it. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json';
import type { GatewayApiTypes } from '../../src/kruise/facts';
import { keptSpec, lostFields } from '../../src/kruise/http-route-fields';

const HEADERS = { set: [{ name: 'a', value: 'b' }], add: [{ name: 'a', value: 'b' }], remove: ['c'] };
const BACKEND = { group: '', kind: 'Service', name: 'web', namespace: 'shop', port: 80 };
const PATH = { type: 'ReplaceFullPath', replaceFullPath: '/', replacePrefixMatch: '/' };
const MATCH = { type: 'Exact', name: 'a', value: 'b' };
const PARENT = { group: 'g', kind: 'Gateway', namespace: 'n', name: 'edge', sectionName: 'http' };
const REDIRECT = { scheme: 'https', hostname: 'a.example', port: 443, statusCode: 301 };
const FILTERS = {
  type: 'X',
  requestHeaderModifier: HEADERS,
  requestMirror: { backendRef: BACKEND },
  requestRedirect: REDIRECT,
  extensionRef: { group: 'g', kind: 'k', name: 'n' },
};
const SINCE_0_5 = {
  ...FILTERS,
  requestRedirect: { ...REDIRECT, path: PATH },
  urlRewrite: { hostname: 'a', path: PATH },
};
const SINCE_0_7 = { ...SINCE_0_5, responseHeaderModifier: HEADERS };

const specOf = (parent: object, filter: object) =>
  ({
    parentRefs: [parent],
    hostnames: ['a.example'],
    rules: [
      {
        matches: [{ path: { type: 'Exact', value: '/' }, headers: [MATCH], queryParams: [MATCH], method: 'GET' }],
        filters: [filter],
        backendRefs: [{ ...BACKEND, weight: 1, filters: [filter] }],
      },
    ],
  }) as unknown as JsonObject;

const WITH_PORT = { ...PARENT, port: 80 };
const KNOWN: readonly [types: GatewayApiTypes, spec: JsonObject][] = [
  ['0.4', specOf(PARENT, FILTERS)],
  ['0.5', specOf(WITH_PORT, SINCE_0_5)],
  ['0.7', specOf(WITH_PORT, SINCE_0_7)],
];
const [, newer, newest] = KNOWN.map(([, spec]) => spec) as [JsonObject, JsonObject, JsonObject];

const paths = (spec: unknown, types: GatewayApiTypes) =>
  lostFields(spec as never, types).map(({ path, filter }) => [
    path.join('.'),
    ...(filter === undefined ? [] : [filter]),
  ]);

describe('the types of the Gateway API', () => {
  it.each(KNOWN)('%s have all of these fields', (types, spec) => {
    expect(keptSpec(spec, types)).toStrictEqual(spec);
    expect(lostFields(spec, types)).toStrictEqual([]);
  });

  it.each(['', 'rules.0.'])('0.7 lack what came later, in the spec %j', (at) => {
    const more =
      at === ''
        ? { ...newest, useDefaultGateways: 'All' }
        : { rules: [{ name: 'a', timeouts: {}, retry: {}, sessionPersistence: {} }] };
    const names = at === '' ? ['useDefaultGateways'] : ['name', 'timeouts', 'retry', 'sessionPersistence'];
    expect(paths(more, '0.7')).toEqual(names.map((name) => [`spec.${at}${name}`]));
  });

  it('0.5 lack the modifier of response headers, of rules and of backends', () => {
    expect(paths(newest, '0.5')).toEqual([
      ['spec.rules.0.filters.0.responseHeaderModifier'],
      ['spec.rules.0.backendRefs.0.filters.0.responseHeaderModifier'],
    ]);
    expect(keptSpec(newest, '0.5')).toStrictEqual(newer);
  });

  it('0.4 lack ports of parents, rewrites, and paths of redirects too', () => {
    const filters = (at: string) =>
      ['requestRedirect.path', 'urlRewrite'].map((name) => [`spec.rules.0.${at}filters.0.${name}`]);
    expect(paths(newer, '0.4')).toEqual([['spec.parentRefs.0.port'], ...filters(''), ...filters('backendRefs.0.')]);
    expect(keptSpec(newer, '0.4')).toStrictEqual(KNOWN[0]![1]);
  });
});

describe('a field that is lost', () => {
  const rule = (filter: object) => ({ rules: [{ filters: [filter] }] });

  it.each<[filter: object, expected: readonly string[][]]>([
    [{ type: 'CORS', cors: {} }, [['spec.rules.0.filters.0.cors', 'CORS']]],
    [{ type: 'ExternalAuth', externalAuth: {} }, [['spec.rules.0.filters.0.externalAuth', 'ExternalAuth']]],
    [{ type: 'CORS', other: {} }, [['spec.rules.0.filters.0.other']]],
    [{ cors: {} }, [['spec.rules.0.filters.0.cors']]],
    [{ type: 5, cors: {} }, [['spec.rules.0.filters.0.cors']]],
    [{ type: 'CORS' }, []],
    [{ type: 'RequestMirror', requestMirror: { percent: 5 } }, [['spec.rules.0.filters.0.requestMirror.percent']]],
  ])('configures the filter %j: %j', (filter, expected) => {
    expect(paths(rule(filter), '0.7')).toEqual(expected);
  });

  it('is none of the fields that every object has', () => {
    expect(paths({ toString: 1 }, '0.7')).toEqual([['spec.toString']]);
    expect(keptSpec({ toString: 1, hostnames: ['a'] } as never, '0.7')).toStrictEqual({ hostnames: ['a'] });
  });

  it('is none where the value has another shape', () => {
    expect(lostFields(undefined, '0.7')).toEqual([]);
    expect(lostFields('text', '0.7')).toEqual([]);
    expect(paths({ rules: 'text', parentRefs: [5, null] }, '0.7')).toEqual([]);
    expect(keptSpec({ rules: 'text', parentRefs: [5, null] }, '0.7')).toStrictEqual({
      rules: 'text',
      parentRefs: [5, null],
    });
  });
});
