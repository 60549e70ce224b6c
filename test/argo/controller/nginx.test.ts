/** The canary Ingress that the controller writes beside a stable one. */
import { describe, expect, it } from 'vitest';
import { canaryIngressName, readNginxRollout } from '../../../src/argo/controller';
import { canaryIngress } from '../../../src/argo/controller/nginx';
import type { JsonObject } from '../../../src/core';

const PREFIX = 'nginx.ingress.kubernetes.io';
const CLASS = 'kubernetes.io/ingress.class';
const rolloutOf = (nginx: object, routing: object = {}): JsonObject =>
  ({
    metadata: { name: 'web' },
    spec: {
      strategy: {
        canary: { stableService: 'stable', canaryService: 'canary', trafficRouting: { nginx, ...routing } },
      },
    },
  }) as never;
const read = (nginx: object, routing: object = {}) => readNginxRollout(rolloutOf(nginx, routing))!;

const path = (name: string, at = '/') => ({
  path: at,
  pathType: 'Prefix',
  backend: { service: { name, port: { number: 80 } } },
});
const rule = (host: string, ...paths: object[]) => ({ host, http: { paths } });
const stable = (spec: object, metadata: object = {}): JsonObject =>
  ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'shop', namespace: 'web', labels: { a: 'b' }, ...metadata },
    spec,
  }) as never;
const annotationsOf = (ingress: JsonObject) => (ingress.metadata as JsonObject).annotations;

describe('a Rollout that routes through ingress-nginx', () => {
  it('has one stable Ingress or several', () => {
    expect(read({ stableIngress: 'shop' })).toStrictEqual({
      name: 'web',
      stableIngresses: ['shop'],
      stableService: 'stable',
      canaryService: 'canary',
      annotationPrefix: PREFIX,
      additionalAnnotations: new Map(),
      annotations: new Map(),
    });
    expect(read({ stableIngress: 'shop', stableIngresses: ['a', 'b'] }).stableIngresses).toEqual(['a', 'b']);
    expect(read({ stableIngress: 'shop', stableIngresses: [] }).stableIngresses).toEqual(['shop']);
  });

  it('is none without nginx, or without a canary', () => {
    expect(readNginxRollout({})).toBeUndefined();
    expect(readNginxRollout({ spec: { strategy: { blueGreen: {} } } })).toBeUndefined();
    expect(readNginxRollout({ spec: { strategy: { canary: { trafficRouting: { alb: {} } } } } })).toBeUndefined();
  });

  it('names the canary Ingress after itself and the stable one, within 253 characters', () => {
    expect(canaryIngressName({ name: 'web' }, 'shop')).toBe('web-shop-canary');
    const long = canaryIngressName({ name: 'web' }, 'a'.repeat(300));
    expect(long).toBe(`web-${'a'.repeat(242)}-canary`);
    expect(long.length).toBe(253);
  });
});

describe('a canary Ingress', () => {
  const spec = {
    ingressClassName: 'nginx',
    tls: [{ hosts: ['shop.example.com'] }],
    defaultBackend: { service: { name: 'stable' } },
    rules: [
      rule('shop.example.com', path('stable'), path('other', '/other')),
      rule('other.example.com', path('other')),
    ],
  };

  it('has the rules that lead to the stable Service, with the canary in its place', () => {
    expect(canaryIngress(read({ stableIngress: 'shop' }), stable(spec), 20)).toStrictEqual({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: {
        name: 'web-shop-canary',
        namespace: 'web',
        annotations: { [`${PREFIX}/canary`]: 'true', [`${PREFIX}/canary-weight`]: '20' },
      },
      spec: {
        ingressClassName: 'nginx',
        tls: [{ hosts: ['shop.example.com'] }],
        rules: [rule('shop.example.com', path('canary'), path('other', '/other'))],
      },
    });
  });

  it('has neither a class, nor TLS, nor a namespace where the stable one has none', () => {
    const plain: JsonObject = { kind: 'Ingress', metadata: { name: 'shop' }, spec: {} };
    expect(canaryIngress(read({ stableIngress: 'shop' }), plain, 0)).toStrictEqual({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: {
        name: 'web-shop-canary',
        annotations: { [`${PREFIX}/canary`]: 'true', [`${PREFIX}/canary-weight`]: '0' },
      },
      spec: { rules: [] },
    });
  });

  it('has the class of an annotation, the annotations of the Rollout, and a total weight', () => {
    const nginx = {
      stableIngress: 'shop',
      annotationPrefix: 'custom.example.com',
      additionalIngressAnnotations: { 'canary-by-header': 'x-beta', 'custom.example.com/canary-by-cookie': 'beta' },
      canaryIngressAnnotations: { 'example.com/team': 'web' },
    };
    const rollout = read(nginx, { maxTrafficWeight: 1000 });
    const written = canaryIngress(rollout, stable(spec, { annotations: { [CLASS]: 'nginx', other: 'no' } }), 5);
    expect(annotationsOf(written)).toStrictEqual({
      [CLASS]: 'nginx',
      'custom.example.com/canary-by-header': 'x-beta',
      'custom.example.com/canary-by-cookie': 'beta',
      'example.com/team': 'web',
      'custom.example.com/canary': 'true',
      'custom.example.com/canary-weight': '5',
      'custom.example.com/canary-weight-total': '1000',
    });
  });

  it('keeps labels and annotations that others have added, but not its weight', () => {
    const rollout = read({ stableIngress: 'shop' });
    const first = canaryIngress(rollout, stable(spec), 20);
    const touched = {
      ...first,
      metadata: {
        ...(first.metadata as JsonObject),
        labels: { own: 'yes' },
        annotations: { ...(annotationsOf(first) as JsonObject), note: 'by hand' },
      },
    };
    const second = canaryIngress(rollout, stable(spec), 60, touched);
    expect(second.metadata).toStrictEqual({
      name: 'web-shop-canary',
      namespace: 'web',
      labels: { own: 'yes' },
      annotations: { [`${PREFIX}/canary`]: 'true', [`${PREFIX}/canary-weight`]: '60', note: 'by hand' },
    });
  });
});
