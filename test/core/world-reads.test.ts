import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Manifest, World } from '../../src/core';
import { Reads } from '../../src/core/world-reads';

const of = (kind: string, name: string, more: object = {}) =>
  Manifest.of({ apiVersion: 'v1', kind, metadata: { name }, ...more });

const web = of('Service', 'web', { spec: { ports: [{ port: 80 }] } });
const world = World.of([web, of('ConfigMap', 'settings')]);

function readsOf(read: (recorded: World) => unknown, reads = new Reads(), from = world): Reads {
  read(from.recordedBy(reads));
  return reads;
}

describe('what was read of a World', () => {
  test('is the same in a World whose changes nobody has read', () => {
    const reads = readsOf((recorded) => recorded.find('Service', 'web'));
    expect(reads.areSameIn(world.with(of('Pod', 'web-1')).without(of('ConfigMap', 'settings')))).toBe(true);
  });

  test.each<[string, (recorded: World) => unknown, World]>([
    ['an object that is changed', (recorded) => recorded.find('Service', 'web'), world.with(of('Service', 'web'))],
    ['an object that is deleted', (recorded) => recorded.find('Service', 'web'), world.without(web)],
    ['an object that was absent', (recorded) => recorded.find('Service', 'api'), world.with(of('Service', 'api'))],
    ['a list that is longer', (recorded) => recorded.list('Service'), world.with(of('Service', 'api'))],
    ['a list with another object', (recorded) => recorded.list('Service'), world.with(of('Service', 'web'))],
    ['a namespace', (recorded) => recorded.inNamespace('default'), world.with(of('Pod', 'web-1'))],
    ['all objects', (recorded) => recorded.manifests, world.with(of('Pod', 'web-1'))],
    ['an object of any group', (recorded) => recorded.get({ kind: 'Service', name: 'web' }), world.without(web)],
    ['what a derived World has', (recorded) => recorded.with(of('Pod', 'a')).list('Pod'), world.with(of('Pod', 'b'))],
    ['a comparison', (recorded) => recorded.isLike(world.without(web), () => true), world.with(of('Pod', 'b'))],
    ['a remembered value', (recorded) => recorded.memo(services), world.with(of('Service', 'api'))],
  ])('differs with %s', (_what, read, other) => {
    const reads = readsOf(read);
    expect([reads.areSameIn(world), reads.areSameIn(other)]).toEqual([true, false]);
  });

  test('is compared with another World of the same base as with one of its own', () => {
    const kinds = fc.constantFrom('Service', 'Pod', 'ConfigMap', 'Namespace');
    const objects = fc.array(
      fc
        .record({ kind: kinds, name: fc.constantFrom('', 'a', 'b'), namespace: fc.constantFrom('shop', 'default') })
        .map(({ kind, name, namespace }) =>
          Manifest.of({
            apiVersion: 'v1',
            kind,
            metadata: name === '' ? { generateName: 'x-', namespace } : { name, namespace },
          }),
        ),
      { maxLength: 6 },
    );
    const read = fc.constantFrom<(recorded: World) => unknown>(
      (recorded) => recorded.find('Service', 'a', 'shop'),
      (recorded) => recorded.find('Namespace', 'a'),
      (recorded) => recorded.list('Pod'),
      (recorded) => recorded.list('ConfigMap', 'shop'),
      (recorded) => recorded.inNamespace('shop'),
      (recorded) => recorded.get({ kind: 'Service', name: 'b' }),
      (recorded) => recorded.manifests,
    );
    fc.assert(
      fc.property(objects, objects, objects, objects, read, (base, first, second, gone, what) => {
        const start = World.of(base);
        const [one, other] = [start.with(...first), start.with(...second).without(...gone)];
        const reads = readsOf(what, undefined, one);
        const rebuilt = World.of(other.manifests);
        expect(reads.areSameIn(other)).toBe(reads.areSameIn(rebuilt));
        expect(reads.areSameIn(one.with(...second).with(...first))).toBe(
          reads.areSameIn(World.of(one.with(...second).with(...first).manifests)),
        );
      }),
    );
  });

  test('may count objects as the same that differ in what the reader does not look at', () => {
    const reads = readsOf((recorded) => recorded.list('Service'), new Reads((a, b) => a?.name === b?.name));
    expect(reads.areSameIn(world.with(of('Service', 'web')))).toBe(true);
    expect(reads.areSameIn(world.with(of('Service', 'api')))).toBe(false);
  });

  test('has of a derived value only the part that its reader depends on', () => {
    const hasPods = (recorded: World) =>
      recorded.derive(
        'pods',
        (each) => each.list('Pod'),
        (pods) => pods.length > 0,
      );
    const one = world.with(of('Pod', 'a'));
    const reads = new Reads();
    expect(hasPods(one.recordedBy(reads)).map(({ name }) => name)).toEqual(['a']);
    expect(hasPods(one).map(({ name }) => name)).toEqual(['a']);
    expect(reads.areSameIn(one.with(of('Pod', 'b')))).toBe(true);
    expect(reads.areSameIn(world)).toBe(false);
  });

  test('is counted, so that later reads are noticed', () => {
    const reads = new Reads();
    const recorded = world.recordedBy(reads);
    recorded.find('Service', 'web');
    recorded.find('Service', 'web');
    expect(reads.count).toBe(1);
    recorded.list('Pod');
    expect(reads.count).toBe(2);
  });

  test('costs the World that it is read from nothing', () => {
    const reads = new Reads();
    world.recordedBy(reads);
    world.list('Service');
    expect(reads.count).toBe(0);
  });
});

function services(each: World): number {
  return each.list('Service').length;
}
