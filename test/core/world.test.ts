import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Manifest, parseManifests, World } from '../../src/core';

const object = (kind: string, name: string, namespace?: string, apiVersion = 'v1') =>
  Manifest.of({ apiVersion, kind, metadata: namespace === undefined ? { name } : { name, namespace } });

describe('Manifest', () => {
  const ingress = Manifest.of({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'web', namespace: 'shop', annotations: { a: 'b', n: 1 }, labels: null },
    spec: { rules: [{ host: 'x' }] },
  });

  it('says what the object is', () => {
    expect(ingress.group).toBe('networking.k8s.io');
    expect(ingress.version).toBe('v1');
    expect(ingress.groupKind).toBe('Ingress.networking.k8s.io');
    expect(ingress.ref).toEqual({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      namespace: 'shop',
      name: 'web',
    });
    expect(object('Service', 'web').groupKind).toBe('Service');
    expect(object('Service', 'web').version).toBe('v1');
  });

  it('gives the annotations that are strings, and inherits none', () => {
    expect({ ...ingress.annotations }).toEqual({ a: 'b' });
    expect(ingress.annotations.constructor).toBeUndefined();
    expect({ ...ingress.labels }).toEqual({});
  });

  it('gives values by path', () => {
    expect(ingress.get('spec.rules[0].host')).toBe('x');
    expect(ingress.get(['spec', 'rules', 1])).toBeUndefined();
    expect(ingress.sourceOf('spec')).toBeUndefined();
  });

  it('bears objects that are not as they should be', () => {
    const odd = Manifest.of({ apiVersion: 1, kind: null, metadata: 'x' });
    expect([odd.apiVersion, odd.kind, odd.name, odd.namespace]).toEqual(['', '', '', undefined]);
  });
});

describe('World', () => {
  const web = object('Service', 'web', 'shop');
  const other = object('Service', 'web');
  const clusterRole = object('ClusterRole', 'web', 'ignored', 'rbac.authorization.k8s.io/v1');
  const world = World.of([clusterRole, web, other]);

  it('finds objects by kind, name and namespace', () => {
    expect(world.find('Service', 'web', 'shop')).toBe(web);
    expect(world.find('Service', 'web')).toBe(other);
    expect(world.find('Service', 'web', 'default')).toBe(other);
    expect(world.find('Ingress.networking.k8s.io', 'web')).toBeUndefined();
    expect(World.of([other], { defaultNamespace: 'shop' }).find('Service', 'web', 'shop')).toBe(other);
  });

  it('knows the kinds that have no namespace', () => {
    expect(world.find('ClusterRole.rbac.authorization.k8s.io', 'web', 'anything')).toBe(clusterRole);
    expect(world.namespaceOf(clusterRole)).toBe('');
    expect(world.inNamespace('')).toEqual([clusterRole]);
  });

  it('finds what a reference names, also without its group', () => {
    expect(world.get({ apiVersion: 'v1', kind: 'Service', name: 'web', namespace: 'shop' })).toBe(web);
    expect(world.get({ kind: 'Service', name: 'web' })).toBe(other);
    expect(world.get({ kind: 'ClusterRole', name: 'web' })).toBe(clusterRole);
    expect(world.get({ kind: 'Pod', name: 'web' })).toBeUndefined();
  });

  it('lists by kind and namespace, in an order that does not depend on that of the files', () => {
    expect(world.list('Service')).toEqual([other, web]);
    expect(world.list('Service', 'shop')).toEqual([web]);
    expect(world.list('Service', 'nowhere')).toEqual([]);
    expect(World.of([web, clusterRole, other]).manifests).toEqual(world.manifests);
  });

  it('is not changed by with and without', () => {
    const replaced = object('Service', 'web', 'shop');
    expect(world.with(replaced).find('Service', 'web', 'shop')).toBe(replaced);
    expect(world.without(web).list('Service')).toEqual([other]);
    expect(world.without({ kind: 'Service', name: 'web' }).list('Service')).toEqual([web]);
    expect(world.without({ kind: 'Service', name: 'nobody' }).manifests).toEqual(world.manifests);
    expect(world.list('Service')).toEqual([other, web]);
  });

  it('keeps objects that have no name yet apart', () => {
    const [first, second] = [object('Job', ''), object('Job', '')];
    const jobs = World.of([first!, second!]);
    expect(jobs.list('Job')).toEqual([first, second]);
    expect(jobs.findings).toEqual([]);
    expect(jobs.without(first!).list('Job')).toHaveLength(1);
  });

  it('reports an object that is declared twice, and takes the later one', () => {
    const text = 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\n';
    const { manifests } = parseManifests(`${text}---\n${text}  \n`, 'a.yaml');
    const twice = World.of(manifests);
    expect(twice.manifests).toEqual([manifests[1]]);
    expect(twice.findings).toMatchObject([
      {
        rule: 'manifest-duplicate',
        severity: 'warning',
        message: 'Service "web" is declared twice, and only this declaration counts',
        source: { file: 'a.yaml', line: 5 },
        related: { message: 'Service "web" is declared here first', source: { file: 'a.yaml', line: 1 } },
      },
    ]);
  });

  it('treats the same object in another version of its API as the same', () => {
    const objects = [
      object('Rollout', 'a', 'b', 'rollouts.kruise.io/v1alpha1'),
      object('Rollout', 'a', 'b', 'rollouts.kruise.io/v1beta1'),
    ];
    expect(World.of(objects).findings).toHaveLength(1);
  });

  it('finds every object it was given, and no other', () => {
    const part = fc.constantFrom('a', 'b', 'a-b', 'a.b');
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(part, part, part), { selector: (parts) => parts.join('/') }), (all) => {
        const manifests = all.map(([kind, name, namespace]) => object(kind, name, namespace));
        const built = manifests.reduce((sofar, manifest) => sofar.with(manifest), World.of([]));
        expect(built.manifests).toEqual(World.of([...manifests].reverse()).manifests);
        for (const manifest of manifests) {
          expect(built.find(manifest.kind, manifest.name, manifest.namespace)).toBe(manifest);
          expect(built.list(manifest.kind, manifest.namespace)).toContain(manifest);
          expect(built.without(manifest).get(manifest.ref)).toBeUndefined();
        }
      }),
      { seed: 3, numRuns: 100 },
    );
  });

  it('stays what it would be if it were put together anew, however it was changed', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'a-b');
    const step = fc.record({
      remove: fc.boolean(),
      kind: fc.constantFrom('Service', 'Secret', 'Node'),
      name,
      namespace: name,
    });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(name, name), { maxLength: 6 }),
        fc.array(step, { maxLength: 150 }),
        (given, steps) => {
          const first = World.of(given.map(([service, namespace]) => object('Service', service, namespace)));
          const expected = new Map(first.manifests.map((manifest) => [keyOf(manifest), manifest]));
          let changed = first;
          for (const { remove, kind, name, namespace } of steps) {
            const manifest = object(kind, name, namespace);
            changed = remove ? changed.without(manifest.ref) : changed.with(manifest);
            if (remove) expected.delete(keyOf(manifest));
            else expected.set(keyOf(manifest), manifest);
          }
          const anew = World.of(expected.values());
          expect(changed.manifests).toEqual(anew.manifests);
          for (const kind of ['Service', 'Secret', 'Node']) {
            expect(changed.list(kind)).toEqual(anew.list(kind));
            expect(changed.list(kind, 'a')).toEqual(anew.list(kind, 'a'));
          }
          expect(changed.inNamespace('b')).toEqual(anew.inNamespace('b'));
          expect(changed.since(first)).toEqual(
            anew.manifests.filter((manifest) => !first.manifests.includes(manifest)),
          );
        },
      ),
      { seed: 7, numRuns: 60 },
    );
  });

  it('is like another one of its origin when only what does not matter was changed', () => {
    const [a, b] = [object('Service', 'a'), object('Secret', 'b')];
    const first = World.of([a]);
    const ignoring = (kind: string) => (x?: Manifest, y?: Manifest) => (x ?? y)!.kind === kind;
    expect(first.with(b).isLike(first, ignoring('Secret'))).toBe(true);
    expect(first.isLike(first.with(b), ignoring('Secret'))).toBe(true);
    expect(first.with(b).isLike(first, ignoring('Service'))).toBe(false);
    expect(first.without(a).isLike(first, ignoring('Secret'))).toBe(false);
    expect(
      first
        .without(a)
        .with(a)
        .isLike(first, () => false),
    ).toBe(true);
    expect(World.of([a]).isLike(first, () => true)).toBe(false);
    expect(first.with(b).base).toBe(first.base);
  });

  it('adds up what several Worlds of one origin have changed', () => {
    const [a, b, c, other] = [
      object('Service', 'a'),
      object('Service', 'b'),
      object('Service', 'c'),
      object('Service', 'a'),
    ];
    const first = World.of([a]);
    expect(World.union(first.with(b), first.with(c)).manifests).toEqual([a, b, c]);
    expect(World.union(first.with(other), first).manifests).toEqual([other]);
    expect(World.union(first.without(a), first.with(b)).manifests).toEqual([a, b]);
    expect(World.union(first, World.of([other, c])).manifests).toEqual([other, c]);
  });
});

const keyOf = ({ kind, name, namespace }: Manifest) => `${kind}/${kind === 'Node' ? '' : namespace}/${name}`;

describe('memo', () => {
  it('computes a result once per World, function and key', () => {
    let calls = 0;
    const count = (world: World) => [calls++, world.manifests.length];
    const world = World.of([]);
    const key = {};
    expect(world.memo(count)).toBe(world.memo(count));
    expect(world.memo(count, key)).toBe(world.memo(count, key));
    expect(world.memo(count, {})).not.toBe(world.memo(count, key));
    expect(world.with(Manifest.of({ kind: 'Service', metadata: { name: 'web' } })).memo(count)[1]).toBe(1);
    expect(calls).toBe(4);
  });
});
