import { describe, expect, it } from 'vitest';
import { kumaRouter } from '../../../src/routers';
import { app, ask, worldOf } from '../stack';
import { answered } from '../tables';

const router = kumaRouter();
const APPS = ['web', 'b', 'c'].map((name) => app(name));
const inMesh = { loadBalancer: 'mesh', host: 'web' } as const;

function trafficRoute(name: string, conf: string, { destination = 'web_default_svc_80', source = "'*'" } = {}): string {
  return `apiVersion: kuma.io/v1alpha1\nkind: TrafficRoute\nmesh: default\nmetadata: {name: ${name}}\nspec: {sources: [{match: {kuma.io/service: ${source}}}], destinations: [{match: {kuma.io/service: '${destination}'}}], conf: ${conf}}`;
}

const tag = (name: string) => `{kuma.io/service: ${name}_default_svc_80}`;

describe('which TrafficRoute a service has', () => {
  const winner = (texts: readonly string[], request: object = {}) =>
    ask(router, worldOf(...APPS, ...texts), { ...inMesh, ...request });
  const to = (name: string) => `{destination: ${tag(name)}}`;

  it.each<[string, object, object, string]>([
    ['the service before all', { destination: '*' }, {}, 'c'],
    ['the service by its name', { destination: '*' }, { destination: 'web' }, 'c'],
    ['the service for one client before all services for all clients', { destination: '*' }, { source: 'client' }, 'c'],
    ['all clients before one', { source: 'client' }, {}, 'c'],
    ['the first of two of equal rank', {}, {}, 'b'],
    ['the first of two for certain clients', { source: 'x' }, { source: 'w' }, 'b'],
    ['none of another service', { destination: 'x' }, { destination: 'z' }, 'web'],
  ])('%s', (_, first, second, expected) => {
    expect(winner([trafficRoute('one', to('b'), first), trafficRoute('two', to('c'), second)])).toBe(expected);
  });

  it('is that of the port', () => {
    expect(winner([trafficRoute('one', to('b'))], { port: 9000 })).toBe('web');
    expect(winner([trafficRoute('one', to('b'), { destination: 'web_default_svc_9000' })], { port: 9000 })).toBe('b');
  });

  it('is one without selectors only for clients', () => {
    const open = trafficRoute('one', to('b')).replace("sources: [{match: {kuma.io/service: '*'}}], ", '');
    expect(winner([open])).toBe('b');
    expect(winner([trafficRoute('one', to('b')).replace(/destinations: \[[^\]]*\], /, '')])).toBe('web');
    expect(winner([trafficRoute('one', to('b')).replace(/destinations: \[[^\]]*\], /, 'destinations: [{}], ')])).toBe(
      'b',
    );
  });

  it.each<[string, string, object]>([
    [
      'a split',
      `{split: [{weight: 9, destination: ${tag('b')}}, {weight: 1, destination: {kuma.io/service: "*", version: v2}}, {destination: ${tag('c')}}]}`,
      {
        kind: 'services',
        destinations: [
          {
            service: { namespace: 'default', name: 'b' },
            port: 80,
            weight: 9,
            share: 0.9,
            workloads: ['Deployment b'],
          },
          {
            service: { namespace: 'default', name: 'web' },
            port: 80,
            subset: { name: 'version=v2', labels: { version: 'v2' } },
            weight: 1,
            unavailable: {
              reason: 'no-pods',
              why: 'Service default/web selects no pods: no workload has pods with the labels app=web,version=v2',
              statusCode: '503',
            },
            share: 0.1,
            workloads: [],
          },
          { service: { namespace: 'default', name: 'c' }, port: 80, weight: 0, share: 0, workloads: ['Deployment c'] },
        ],
        sticky: false,
      },
    ],
    [
      'a split of one, whatever its weight',
      `{split: [{weight: 0, destination: ${tag('b')}}]}`,
      {
        kind: 'services',
        destinations: [
          { service: { namespace: 'default', name: 'b' }, port: 80, weight: 1, share: 1, workloads: ['Deployment b'] },
        ],
        sticky: false,
      },
    ],
    [
      'the service itself',
      '{}',
      {
        kind: 'services',
        destinations: [
          {
            service: { namespace: 'default', name: 'web' },
            port: 80,
            weight: 1,
            share: 1,
            workloads: ['Deployment web'],
          },
        ],
        sticky: false,
      },
    ],
    [
      'the service with tags',
      '{destination: {version: v2, kuma.io/zone: z}}',
      {
        kind: 'services',
        destinations: [
          {
            service: { namespace: 'default', name: 'web' },
            port: 80,
            subset: { name: 'version=v2', labels: { version: 'v2' } },
            weight: 1,
            unavailable: {
              reason: 'no-pods',
              why: 'Service default/web selects no pods: no workload has pods with the labels app=web,version=v2',
              statusCode: '503',
            },
            share: 1,
            workloads: [],
          },
        ],
        sticky: false,
      },
    ],
  ])('answers with %s', (_, conf, expected) => {
    expect(answered(router, [...APPS, trafficRoute('one', conf)], inMesh)).toEqual(expected);
  });

  it.each<[string, object, boolean]>([
    ['{path: {exact: /x}}', { path: '/x' }, true],
    ['{path: {exact: /x}}', { path: '/x/' }, false],
    ['{path: {prefix: /x}}', { path: '/xy' }, true],
    ['{path: {prefix: /x}}', { path: '/y/x' }, false],
    ['{path: {regex: /x+}}', { path: '/xx' }, true],
    ['{path: {regex: (}}', { path: '(' }, false],
    ['{path: {}}', {}, true],
    ['{method: {exact: GET}}', {}, true],
    ['{method: {exact: GET}}', { method: 'PUT' }, false],
    ['{headers: {H: {exact: v}}}', { headers: { h: 'v' } }, true],
    ['{headers: {h: {exact: v}, i: {exact: v}}}', { headers: { h: 'v' } }, false],
    ['{headers: {h: {regex: .*}}}', {}, false],
    ['{headers: {h: {}}}', {}, true],
    ['{}', {}, true],
  ])('with the match %s takes %j: %j', (match, request, taken) => {
    const conf = `{http: [{match: ${match}, destination: ${tag('b')}}], destination: ${tag('c')}}`;
    expect(winner([trafficRoute('one', conf)], request)).toBe(taken ? 'b' : 'c');
  });
});
