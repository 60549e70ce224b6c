/** What is kept of objects: equal inputs are read once, and a change of any input changes the answer. */
import { describe, expect, it } from 'vitest';
import { Manifest, World } from '../../src/core';
import { remembered, rememberedList } from '../../src/core/remembered';
import { nginxRouter } from '../../src/routers';
import { readIngress } from '../../src/routers/ingress/ingress';

describe('remembered', () => {
  it('computes a result once for each object', () => {
    const made: object[] = [];
    const nameOf = remembered((item: { readonly name?: string }) => {
      made.push(item);
      return item.name;
    });
    const [a, b] = [{ name: 'a' }, {}];
    expect([nameOf(a), nameOf(b), nameOf(a), nameOf(b)]).toEqual(['a', undefined, 'a', undefined]);
    expect(made).toEqual([a, b]);
  });

  it('computes a result once for lists of the same objects, and keeps a few', () => {
    let count = 0;
    const numberOf = rememberedList((_items: readonly object[]) => ++count);
    const [a, b, c] = [{}, {}, {}];
    expect([numberOf([a, b]), numberOf([a, b]), numberOf([a, c]), numberOf([b, a]), numberOf([a])]).toEqual([
      1, 1, 2, 3, 4,
    ]);
    expect([numberOf([a, b]), numberOf([]), numberOf([])]).toEqual([1, 5, 6]);
    for (let index = 0; index < 4; index += 1) numberOf([a, {}]);
    expect(numberOf([a, b])).toBe(11);
  });
});

describe('an answer follows its objects', () => {
  const object = (kind: string, apiVersion: string, name: string, rest: object) =>
    Manifest.of({ apiVersion, kind, metadata: { name }, ...rest });
  const backend = (name: string) => ({ service: { name, port: { number: 80 } } });
  const paths = (name: string) => ({ http: { paths: [{ path: '/', pathType: 'Prefix', backend: backend(name) }] } });
  const ingress = (name: string, service: string, annotations: Record<string, string> = {}) =>
    Manifest.of({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name, annotations },
      spec: { ingressClassName: 'nginx', rules: [{ host: 'a.example.com', ...paths(service) }] },
    });
  const service = (name: string, version: string) =>
    object('Service', 'v1', name, { spec: { selector: { version }, ports: [{ port: 80 }] } });
  const pod = (version: string) =>
    Manifest.of({ apiVersion: 'v1', kind: 'Pod', metadata: { name: version, labels: { version } }, spec: {} });
  const canary = (weight: string) =>
    ingress('web-canary', 'web-canary', {
      'nginx.ingress.kubernetes.io/canary': 'true',
      'nginx.ingress.kubernetes.io/canary-weight': weight,
    });
  const router = nginxRouter();
  const shares = (world: World) => {
    const route = router.routes(world).loadBalancers[0]?.listeners[0]?.route({ host: 'a.example.com', path: '/' });
    return route?.answer.kind === 'services'
      ? route.answer.destinations.map(({ service: ref, share }) => `${ref?.namespace}/${ref?.name} ${share}`)
      : route?.answer;
  };
  const before = World.of([
    ingress('web', 'web'),
    canary('20'),
    service('web', '1'),
    service('web-canary', '2'),
    pod('1'),
    pod('2'),
  ]);
  const both = (canaryShare: number) => [`default/web ${1 - canaryShare}`, `default/web-canary ${canaryShare}`];

  it('an annotation', () => {
    expect(shares(before)).toEqual(both(0.2));
    expect(shares(before.with(canary('50')))).toEqual(both(0.5));
    expect(shares(before)).toEqual(both(0.2));
  });

  it('a selector, and the pods', () => {
    expect(shares(before.with(service('web-canary', '3')))).toEqual(['default/web 1']);
    expect(shares(before.without(pod('2')))).toEqual(['default/web 1']);
    expect(shares(before.with(service('web-canary', '3'), pod('3')))).toEqual(both(0.2));
  });

  it('the default namespace', () => {
    const other = World.of(before.manifests, { defaultNamespace: 'shop' });
    expect(shares(other)).toEqual(both(0.2).map((text) => text.replace('default/', 'shop/')));
    expect(shares(before)).toEqual(both(0.2));
    const manifest = ingress('web', 'web');
    const [one, two] = [before, other].map((world) => readIngress(world, manifest).key);
    expect([one, two, readIngress(before, manifest).key]).toEqual(['default/web', 'shop/web', 'default/web']);
  });
});
