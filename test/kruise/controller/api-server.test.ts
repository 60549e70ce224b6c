/** What the API server does to objects that the controller writes; and the canary Ingress before a script runs, in full. */
import { describe, expect, it } from 'vitest';
import { buildCanaryIngress } from '../../../src/kruise/controller';
import {
  annotationsRefusal,
  pathsOfNulls,
  prunedOfNulls,
  withMetadata,
} from '../../../src/kruise/controller/api-server';

describe('annotations', () => {
  const LIMIT = 256 * 1024;

  it('have at most 256 KiB, keys included, counted in bytes', () => {
    const tooLong = `metadata.annotations: Too long: must have at most ${LIMIT} bytes`;
    expect(annotationsRefusal({ ab: 'x'.repeat(LIMIT - 2) })).toBeUndefined();
    expect(annotationsRefusal({ ab: 'x'.repeat(LIMIT - 1) })).toBe(tooLong);
    expect(annotationsRefusal({ a: 'x'.repeat(LIMIT / 2), b: 'x'.repeat(LIMIT / 2 - 2) })).toBeUndefined();
    expect(annotationsRefusal({ a: 'x'.repeat(LIMIT / 2), b: 'x'.repeat(LIMIT / 2 - 1) })).toBe(tooLong);
    expect(annotationsRefusal({ ab: 'ä'.repeat(LIMIT / 2 - 1) })).toBeUndefined();
    expect(annotationsRefusal({ ab: 'ä'.repeat(LIMIT / 2) })).toBe(tooLong);
  });

  it('have qualified names', () => {
    expect(annotationsRefusal(undefined)).toBeUndefined();
    expect(annotationsRefusal({})).toBeUndefined();
    expect(annotationsRefusal({ 'example.com/a': '' })).toBeUndefined();
    expect(annotationsRefusal({ 'a b': '' })).toMatch(
      /^metadata\.annotations: Invalid value: "a b": name part must consist/,
    );
  });
});

describe('metadata', () => {
  it('gets other labels and annotations, and loses empty ones', () => {
    const manifest = { kind: 'A', metadata: { name: 'a', labels: { x: '1' }, annotations: { y: '2' } } };
    expect(withMetadata(manifest, { annotations: { z: '3' } })).toStrictEqual({
      kind: 'A',
      metadata: { name: 'a', labels: { x: '1' }, annotations: { z: '3' } },
    });
    expect(withMetadata(manifest, { labels: {} })).toStrictEqual({
      kind: 'A',
      metadata: { name: 'a', annotations: { y: '2' } },
    });
    expect(withMetadata(manifest, { labels: undefined as never, annotations: {} })).toStrictEqual({
      kind: 'A',
      metadata: { name: 'a' },
    });
    expect(withMetadata(manifest, {})).toStrictEqual(manifest);
    expect(withMetadata({}, { labels: { a: 'b' } })).toStrictEqual({ metadata: { labels: { a: 'b' } } });
  });
});

describe('nulls', () => {
  const value = { a: null, b: [null, { c: null, d: 1 }], e: { f: null }, g: '', h: 0, i: false, j: undefined };

  it('are dropped from objects, and kept in lists', () => {
    expect(prunedOfNulls(value)).toStrictEqual({ b: [null, { d: 1 }], e: {}, g: '', h: 0, i: false });
    expect(prunedOfNulls(null)).toBeNull();
    expect(prunedOfNulls('text')).toBe('text');
  });

  it('have paths', () => {
    expect(pathsOfNulls(value, 'spec')).toEqual(['spec.a', 'spec.b[1].c', 'spec.e.f']);
    expect(pathsOfNulls(null, 'spec')).toEqual([]);
    expect(pathsOfNulls(5, 'spec')).toEqual([]);
  });
});

describe('the canary Ingress before a script runs', () => {
  const services = { stableService: 'web', canaryService: 'web-canary' };
  const backend = (name: unknown, port: object = { number: 80 }) => ({ service: { name, port } });
  const built = (spec: unknown, metadata: object = { name: 'web', namespace: 'shop' }) =>
    buildCanaryIngress({ metadata, spec }, services);
  const made = (spec: object, metadata: object = { name: 'web-canary', namespace: 'shop' }) => ({
    ok: true,
    ingress: { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata, spec },
  });

  it('has labels, annotations, a class, rules and TLS', () => {
    const metadata = {
      name: 'web',
      namespace: 'shop',
      uid: '1',
      labels: { a: 'b', n: null },
      annotations: { c: 'd', e: 5 },
    };
    const paths = [
      { path: '/a', pathType: 'Exact', backend: backend('web', { name: 'http' }) },
      { path: '/b', backend: backend('api') },
      { path: '', pathType: 'Prefix', backend: backend('web', { name: '', number: 0 }) },
    ];
    const tls = [{ hosts: ['a.example', 5], secretName: 's', more: 1 }, { hosts: [], secretName: '' }, {}];
    const rules = [
      { host: 'a.example', http: { paths } },
      { host: '', http: { paths: [paths[1]] } },
    ];
    expect(built({ ingressClassName: 'nginx', rules, tls, defaultBackend: backend('web') }, metadata)).toStrictEqual(
      made(
        {
          ingressClassName: 'nginx',
          rules: [
            {
              host: 'a.example',
              http: {
                paths: [
                  { path: '/a', pathType: 'Exact', backend: backend('web-canary', { name: 'http' }) },
                  { pathType: 'Prefix', backend: backend('web-canary', {}) },
                ],
              },
            },
          ],
          tls: [{ hosts: ['a.example', ''], secretName: 's' }, {}, {}],
        },
        { name: 'web-canary', namespace: 'shop', labels: { a: 'b', n: '' }, annotations: { c: 'd' } },
      ),
    );
  });

  it('has nothing that the stable one does not have', () => {
    expect(built({})).toStrictEqual(made({}));
    expect(built(undefined, {})).toStrictEqual(made({}, { name: '-canary' }));
    expect(built({ rules: [], tls: [], ingressClassName: 5 }, { name: 5, labels: {}, annotations: 'x' })).toStrictEqual(
      made({}, { name: '-canary' }),
    );
  });

  it('has the paths to a Service without a name where the stable one has none', () => {
    const rules = [{ http: { paths: [{ path: '/', backend: { service: {} } }] } }];
    expect(buildCanaryIngress({ spec: { rules } }, { stableService: '', canaryService: '-canary' })).toStrictEqual(
      made({ rules: [{ http: { paths: [{ path: '/', backend: backend('-canary', {}) }] } }] }, { name: '-canary' }),
    );
  });
});
