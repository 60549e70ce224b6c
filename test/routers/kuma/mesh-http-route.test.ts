import { describe, expect, it } from 'vitest';
import { kumaRouter } from '../../../src/routers';
import { app, ask, worldOf } from '../stack';
import { answered, routed } from '../tables';

const router = kumaRouter();
const APPS = ['web', 'b', 'c'].map((name) => app(name));
const inMesh = { loadBalancer: 'mesh', host: 'web' } as const;

function meshHttpRoute(name: string, to: string, { target = '{kind: Mesh}', namespace = 'default' } = {}): string {
  return `apiVersion: kuma.io/v1alpha1\nkind: MeshHTTPRoute\nmetadata: {name: ${name}, namespace: ${namespace}}\nspec: {targetRef: ${target}, to: [${to}]}`;
}

const toService = (rules: string, name = 'web', more = '') =>
  `{targetRef: {kind: MeshService, name: ${name}${more}}, rules: [${rules}]}`;
const rule = (matches: string, refs: string) => `{matches: [${matches}], default: {backendRefs: [${refs}]}}`;
const ref = (name: string, more = '') => `{kind: MeshService, name: ${name}, port: 80${more}}`;
const ANY = '{path: {type: PathPrefix, value: /}}';

describe('the target of a MeshHTTPRoute', () => {
  const to = (target: string, request: object = {}) =>
    ask(router, worldOf(...APPS, meshHttpRoute('m', target)), { ...inMesh, ...request });
  const toB = (name = 'web', more = '') => toService(rule(ANY, ref('b')), name, more);

  it.each<[string, string, object, string]>([
    ['a Service', toB(), {}, 'b'],
    ['a Service on any port', toB(), { port: 9000 }, 'b'],
    ['another Service', toB('c'), {}, 'web'],
    ['a port by its tag', toB('web_default_svc_80'), {}, 'b'],
    ['another port by its tag', toB('web_default_svc_80'), { port: 9000 }, 'web'],
    ['a section', toB('web', ", sectionName: '80'"), {}, 'b'],
    ['another section', toB('web', ", sectionName: '9000'"), {}, 'web'],
    ['a section by a name, which is no port', toB('web', ', sectionName: http'), { port: 9000 }, 'b'],
    ['a port', toB('web', ', port: 80'), {}, 'b'],
    ['another port', toB('web', ', port: 9000'), {}, 'web'],
    ['the port of the tag before the section', toB('web_default_svc_80', ", sectionName: '9000'"), {}, 'b'],
    ['a Service of its namespace', toB('web', ', namespace: default'), {}, 'b'],
    ['a Service of another namespace', toB('web', ', namespace: team'), {}, 'web'],
    ['another kind', toB().replace('kind: MeshService, name: web', 'kind: Mesh'), {}, 'web'],
    ['no name', toB().replace(', name: web', ''), {}, 'web'],
  ])('%s', (_, target, request, expected) => expect(to(target, request)).toBe(expected));

  it.each<[string, string]>([
    ['{kind: Mesh}', '{kind: MeshSubset}'],
    ['{kind: MeshSubset}', '{kind: Dataplane}'],
    ['{kind: Dataplane}', '{kind: MeshService, name: x}'],
    ['{kind: MeshService, name: x}', '{kind: MeshServiceSubset, name: x}'],
    ['{}', '{kind: MeshSubset}'],
  ])('%s yields to %s, whatever their names', (general, special) => {
    for (const [one, other] of [
      ['a', 'z'],
      ['z', 'a'],
    ] as const) {
      const texts = [
        meshHttpRoute(one, toB(), { target: general }),
        meshHttpRoute(other, toService(rule(ANY, ref('c'))), { target: special }),
      ];
      expect(ask(router, worldOf(...APPS, ...texts), inMesh)).toBe('c');
    }
  });

  it('of one kind yields to the one that is older, or first by name', () => {
    const first = meshHttpRoute('a', toB());
    const second = meshHttpRoute('z', toService(rule(ANY, ref('c'))));
    expect(ask(router, worldOf(...APPS, second, first), inMesh)).toBe('b');
    const older = second.replace('metadata: {', 'metadata: {creationTimestamp: "2024-01-01T00:00:00Z", ');
    expect(ask(router, worldOf(...APPS, older, first), inMesh)).toBe('c');
  });

  it('with the same matches replaces one rule in its place and keeps the others', () => {
    const general = meshHttpRoute(
      'a',
      toService(`${rule('{path: {type: Exact, value: /x}}', ref('b'))}, ${rule(ANY, ref('b'))}`),
    );
    const special = meshHttpRoute('m', toService(rule(ANY, ref('c'))), { target: '{kind: MeshSubset}' });
    expect(routed(router, [...APPS, general, special], inMesh)).toEqual({
      answer: {
        kind: 'services',
        destinations: [
          { service: { namespace: 'default', name: 'c' }, port: 80, weight: 1, share: 1, workloads: ['Deployment c'] },
        ],
        sticky: false,
      },
      rule: 'm spec.to[0].rules[0]: MeshHTTPRoute default/m: path is under /',
      isDefault: false,
      passedOver: ['MeshHTTPRoute default/a: path is /x: not told'],
    });
    expect(routed(router, [...APPS, general, special], { ...inMesh, path: '/x' }).rule).toEqual(
      'a spec.to[0].rules[0]: MeshHTTPRoute default/a: path is /x',
    );
  });
});

describe('the answer of a MeshHTTPRoute', () => {
  const answer = (defaults: string) =>
    answered(router, [...APPS, meshHttpRoute('m', toService(`{matches: [${ANY}], default: {${defaults}}}`))], inMesh);

  it.each<[string, string, object]>([
    [
      'a redirect',
      'filters: [{type: Other}, {type: RequestRedirect, requestRedirect: {scheme: https, hostname: x.com, port: 8443, statusCode: 308, path: {replaceFullPath: /full, replacePrefixMatch: /p}}}]',
      { kind: 'redirect', statusCode: '308', protocol: 'HTTPS', host: 'x.com', port: '8443', path: '/full' },
    ],
    [
      'a redirect of a prefix',
      'filters: [{type: RequestRedirect, requestRedirect: {path: {replacePrefixMatch: /p}}}]',
      { kind: 'redirect', statusCode: '302', path: '/p' },
    ],
    [
      'a redirect to an empty path',
      "filters: [{type: RequestRedirect, requestRedirect: {path: {replacePrefixMatch: ''}}}]",
      { kind: 'redirect', statusCode: '302', path: '' },
    ],
    ['a redirect to nowhere', 'filters: [{type: RequestRedirect}]', { kind: 'redirect', statusCode: '302' }],
    [
      'the Service itself',
      'filters: [{type: Other}]',
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
      'a list that is none',
      'backendRefs: {}',
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
      'weights of 0 and 1',
      `backendRefs: [${ref('b', ', weight: 0')}, ${ref('c', ', weight: 1')}]`,
      {
        kind: 'services',
        destinations: [
          { service: { namespace: 'default', name: 'c' }, port: 80, weight: 1, share: 1, workloads: ['Deployment c'] },
        ],
        sticky: false,
      },
    ],
    [
      'a negative weight alone',
      `backendRefs: [${ref('b', ', weight: -1')}]`,
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
      'a backend without a kind, a namespace and a port',
      'backendRefs: [{name: b}]',
      {
        kind: 'services',
        destinations: [
          { service: { namespace: 'default', name: 'b' }, weight: 1, share: 1, workloads: ['Deployment b'] },
        ],
        sticky: false,
      },
    ],
    [
      'a backend of a namespace',
      'backendRefs: [{kind: MeshService, name: b, namespace: team}]',
      {
        kind: 'services',
        destinations: [
          {
            service: { namespace: 'team', name: 'b' },
            weight: 1,
            unavailable: { reason: 'service-not-found', why: 'Service team/b does not exist', statusCode: '503' },
            share: 1,
          },
        ],
        sticky: false,
      },
    ],
    [
      'a backend without a name',
      'backendRefs: [{kind: MeshMultiZoneService}]',
      {
        kind: 'services',
        destinations: [{ target: 'MeshMultiZoneService default/', weight: 1, share: 1 }],
        sticky: false,
      },
    ],
    [
      'a backend with tags of Kuma alone',
      `backendRefs: [${ref('b', ', tags: {kuma.io/zone: z}')}]`,
      {
        kind: 'services',
        destinations: [
          { service: { namespace: 'default', name: 'b' }, port: 80, weight: 1, share: 1, workloads: ['Deployment b'] },
        ],
        sticky: false,
      },
    ],
  ])('can be %s', (_, defaults, expected) => expect(answer(defaults)).toEqual(expected));
});
