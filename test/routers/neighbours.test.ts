/** Which objects a rehearsal may leave aside: those whose place says that they take no request of the others. */
import { describe, expect, it, test } from 'vitest';
import { Manifest } from '../../src/core';
import { allRouters, awsAlbRouter, RouteKinds } from '../../src/routers';
import { readRule } from '../../src/routers/traefik/route';
import { placeOf as placeOfRule } from '../../src/routers/traefik/ties';
import { ingress as albIngress, groupsOf, SERVICES, worldOf } from './aws-alb/stack';

const kinds = new RouteKinds(allRouters());

const ingress = (annotations: object, spec: object = {}, paths: readonly string[] = ['/A']) =>
  Manifest.of({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'web', annotations },
    spec: { rules: [{ host: 'a.com', http: { paths: paths.map((path) => ({ path })) } }], ...spec },
  } as never);

describe('the place of an Ingress', () => {
  const plain = kinds.placeOf(ingress({}));

  it('is its paths, and what it says beside its rules', () => {
    expect(plain).toMatchObject({ paths: ['/a'] });
    expect(kinds.placeOf(ingress({}, {}, ['/a', '/b/c']))?.paths).toEqual(['/a', '/b/c']);
    expect(kinds.placeOf(ingress({}, { ingressClassName: 'x' }))?.besides).not.toBe(plain?.besides);
    expect(kinds.placeOf(ingress({ a: '1' }))?.besides).not.toBe(plain?.besides);
    expect(kinds.placeOf(ingress({ a: '1', b: '2' }))?.besides).toBe(
      kinds.placeOf(ingress({ b: '2', a: '1' }))?.besides,
    );
  });

  it('is the same with what kubectl notes', () => {
    expect(kinds.placeOf(ingress({ 'kubectl.kubernetes.io/last-applied-configuration': '{}' }))).toEqual(plain);
  });

  test.each([
    ['an annotation of an ALB', ingress({ 'alb.ingress.kubernetes.io/group.name': 'a' })],
    ['expressions', ingress({ 'nginx.ingress.kubernetes.io/use-regex': 'true' })],
    ['expressions of Higress', ingress({ 'higress.io/full-path-regex': 'true' })],
    ['a rewrite', ingress({ 'nginx.ingress.kubernetes.io/rewrite-target': '/' })],
    ['an app root', ingress({ 'nginx.ingress.kubernetes.io/app-root': '/' })],
    ['a default backend', ingress({}, { defaultBackend: { service: { name: 'a' } } })],
    ['no path', ingress({}, {}, [])],
    ['a path with a wildcard', ingress({}, {}, ['/a', '/*'])],
  ])('is not known with %s', (_, manifest) => {
    expect(kinds.placeOf(manifest)).toBeUndefined();
  });
});

describe('the host and the first segment that a rule of Traefik asks for', () => {
  test.each([
    ['Host(`A.com`)', 'a.com', ''],
    ['Host(`a.com`) && PathPrefix(`/x`)', 'a.com', 'x'],
    ['Host(`a.com`) && Path(`/x/y/z`)', 'a.com', 'x'],
    ['PathPrefix(`/x/`)', '', 'x'],
    ['PathPrefix(`/`)', '', ''],
    ['PathRegexp(`/x`)', '', ''],
    ['HostRegexp(`a.com`)', '', ''],
    ['Host(`*.com`)', '', ''],
    ['Host(`a.com`) || Host(`b.com`)', '', ''],
    ['!Host(`a.com`)', '', ''],
    ['Host("A.com") && PathPrefix("/x")', 'a.com', 'x'],
    ['Host(`{name}.com`) && PathPrefix(`/{id}`)', '{name}.com', ''],
    ['Host(`a.com`) && (PathPrefix(`/x`) || PathPrefix(`/y`))', 'a.com', ''],
    ['(Host(`a.com`)) && Header(`x`, "Host(`b.com`)")', '', ''],
  ])('%s', (rule, host, segment) => {
    expect(placeOfRule(readRule(rule, 'v3', {}), false)).toEqual({ host, segment });
  });

  test.each([
    ['Host(`a.com`) && PathPrefix(`/x`)', ''],
    ['Host(`a.com`) && PathPrefix(`/x/`)', 'x'],
    ['Host(`a.com`) && Path(`/x`)', 'x'],
  ])('%s with a priority of its own', (rule, segment) => {
    expect(placeOfRule(readRule(rule, 'v3', {}), true)).toEqual({ host: 'a.com', segment });
  });
});

it('names Ingresses in no group in the order of their names', () => {
  const lost = (name: string, namespace: string) =>
    albIngress(name, { namespace, annotations: { 'group.name': 'A_B' } });
  const objects = [
    lost('b', 'shop'),
    lost('a', 'team'),
    lost('a', 'shop'),
    lost('z', 'a'),
    lost('c', 'a-b'),
    albIngress('web'),
  ];
  expect(groupsOf(objects).map(({ name }) => name)).toEqual(['shop/web']);
  expect(
    awsAlbRouter()
      .routes(worldOf([...SERVICES, ...objects]))
      .unserved.map(({ namespace, name }) => `${namespace}/${name}`),
  ).toEqual(['a-b/c', 'a/z', 'shop/a', 'shop/b', 'team/a']);
});
