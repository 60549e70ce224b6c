import { describe, expect, it } from 'vitest';
import { Manifest } from '../../../src/core';
import { nameOfKind } from '../../../src/routers';
import { TRAEFIK_READS } from '../../../src/routers/traefik/reads';

const kindNamed = (name: string) => TRAEFIK_READS.find((kind) => nameOfKind(kind) === name)!;
const route = (matches: readonly string[], spec: object = {}, group = 'traefik.io') =>
  Manifest.of({
    apiVersion: `${group}/v1alpha1`,
    kind: 'IngressRoute',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { ...spec, routes: matches.map((match) => ({ kind: 'Rule', match })) },
  });

it('Traefik reads the kinds of both of its groups, and Ingresses', () => {
  expect(TRAEFIK_READS.map(nameOfKind)).toEqual([
    'IngressRoute.traefik.io',
    'TraefikService.traefik.io',
    'Middleware.traefik.io',
    'IngressRoute.traefik.containo.us',
    'TraefikService.traefik.containo.us',
    'Middleware.traefik.containo.us',
    'Ingress.networking.k8s.io',
  ]);
  expect(TRAEFIK_READS.map(({ plural }) => plural)).toEqual([
    ...['ingressroutes', 'traefikservices', 'middlewares', 'ingressroutes', 'traefikservices', 'middlewares'],
    'ingresses',
  ]);
});

describe.each(['traefik.io', 'traefik.containo.us'])('an IngressRoute of %s', (group) => {
  const kind = kindNamed(`IngressRoute.${group}`);

  it.each<[readonly string[], readonly string[]]>([
    [['Host(`a.com`)'], ['a.com']],
    [
      ['Host(`a.com`, "b.com") && Path(`/x`)', "Host('c.com')"],
      ['a.com', 'b.com', 'c.com'],
    ],
    [['PathPrefix(`/x`)'], []],
    [['HostRegexp(`^a`)'], []],
    [[], []],
  ])('with %j has the hosts %j', (matches, hosts) => {
    expect(kind.hostsOf!(route(matches, {}, group))).toEqual(hosts);
  });

  it.each<[string, readonly object[]]>([
    ['Host(`a.com`)', [{ host: 'a.com', paths: ['/'] }]],
    ['Host(`a.com`) && Path(`/x`)', [{ host: 'a.com', paths: ['/x'] }]],
    ['Host(`a.com`) && PathPrefix(`/x`)', [{ host: 'a.com', paths: ['/x'] }]],
    ['Host(`a.com`) && (Path(`/x`) || PathPrefix(`/y`))', [{ host: 'a.com', paths: ['/x', '/y'] }]],
  ])('with %s has the requests %j', (match, expected) => {
    expect(kind.candidatesOf!(route([match], {}, group))).toEqual(expected);
  });

  it('without a host has a request for any', () => {
    const [candidate] = kind.candidatesOf!(route(['PathPrefix(`/x`)'], {}, group));
    expect(candidate!.paths).toEqual(['/x']);
    expect(candidate!.host).toMatch(/^[a-z.]+$/);
  });

  it.each<[readonly string[], readonly string[] | undefined]>([
    [['PathPrefix(`/X`)'], ['/x']],
    [['Path(`/x`) && Host(`a.com`)'], ['/x']],
    [
      ['Host(`a.com`) && Path(`/x`)', 'Host(`a.com`) && PathPrefix(`/y`)'],
      ['/x', '/y'],
    ],
    [['Host(`a.com`) && Path(`/x`) && Method(`GET`)'], ['/x']],
    [['Host(`a.com`)'], undefined],
    [['Host(`a.com`) || Path(`/x`)'], undefined],
    [['Path(`/x`) || Host(`a.com`)'], undefined],
    [['!Path(`/x`)'], undefined],
    [['!Host(`a.com`) && Path(`/x`)'], undefined],
    [['Path(`/x`) && !Host(`a.com`)'], undefined],
    [['Path(`/x`)', 'Host(`a.com`)'], undefined],
    [['PathRegexp(`/x`)'], undefined],
    [[], undefined],
  ])('with %j takes requests at %j', (matches, paths) => {
    expect(kind.placeOf!(route(matches, { entryPoints: ['web'] }, group))?.paths).toEqual(paths);
  });

  it('says besides its place all but its routes', () => {
    const placeOf = (spec: object) => kind.placeOf!(route(['Path(`/x`)'], spec, group))!.besides;
    expect(placeOf({ entryPoints: ['web'] })).toBe('{"entryPoints":["web"]}');
    expect(placeOf({})).toBe('{}');
  });
});

describe('what scripts rewrite', () => {
  it.each([
    ['IngressRoute.traefik.io', ['/spec/routes']],
    ['TraefikService.traefik.io', ['/spec/weighted']],
  ])('of %s is %j', (name, fields) => {
    expect(kindNamed(name).rewrittenFields!(undefined, 'web')).toEqual(fields);
  });

  it.each(['IngressRoute.traefik.containo.us', 'TraefikService.traefik.containo.us'])(
    'of %s may be anything',
    (name) => {
      expect(kindNamed(name).rewrittenFields).toBeDefined();
      expect(kindNamed(name).samplesFor).toBeUndefined();
    },
  );

  it.each(['Middleware.traefik.io', 'Middleware.traefik.containo.us'])('%s is never rewritten', (name) => {
    expect(kindNamed(name).rewrittenFields).toBeUndefined();
  });

  it('has samples', () => {
    expect(kindNamed('IngressRoute.traefik.io').samplesFor!('web', 80)).toEqual([
      {
        name: 'an IngressRoute with one route',
        spec: {
          entryPoints: ['websecure'],
          routes: [{ match: 'Host(`shop.example.com`)', kind: 'Rule', services: [{ name: 'web', port: 80 }] }],
        },
      },
    ]);
    expect(kindNamed('TraefikService.traefik.io').samplesFor!('web', 80)).toEqual([
      { name: 'a weighted TraefikService', spec: { weighted: { services: [{ name: 'web', port: 80, weight: 1 }] } } },
    ]);
  });
});
