import { describe, expect, it } from 'vitest';
import { Manifest, type Origin, parseManifests, World } from '../../src/core';
import { sameWorld } from '../../src/release/moment';
import { type PodGroup, podManifest, samePods, versionLabels } from '../../src/release/pods';
import { writtenFrom } from '../../src/release/written';

const service = (name: string) => ({ apiVersion: 'v1', kind: 'Service', metadata: { name } });
const read = () => parseManifests('apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n', 'a.yaml').manifests[0]!;

describe('a manifest that a controller writes', () => {
  it('has the place of the one that it comes from', () => {
    const stable = read();
    const written = writtenFrom(stable, service('web-canary'));
    expect(written.name).toBe('web-canary');
    expect(written.sourceOf(['metadata', 'name'])).toStrictEqual(stable.sourceOf(['metadata', 'name']));
    expect(written.sourceOf(['metadata', 'name'])).toMatchObject({ file: 'a.yaml', line: 4 });
    const none = writtenFrom(Manifest.of(service('a')), service('b'));
    expect([none.sourceOf(), none.construct]).toStrictEqual([undefined, undefined]);
    expect(writtenFrom(Manifest.of(service('a'), { construct: 'shop/web' }), service('b')).construct).toBe('shop/web');
  });

  it('has no place for a line of a text, which may be another one', () => {
    const place = { file: 'a.yaml', line: 2, column: 1 };
    const origin: Origin = { locate: () => place, locateLine: () => place };
    const source = Manifest.of({ ...service('a'), data: { text: 'x' } }, { origin });
    const written = writtenFrom(source, source.object);
    expect(source.sourceOfLine('data.text', 1)).toBe(place);
    expect([written.sourceOf(), written.sourceOfLine('data.text', 1)]).toStrictEqual([place, undefined]);
  });

  it('is located when somebody asks, and shares what it is located with', () => {
    let asked = 0;
    const locate = () => ({ file: 'a.yaml', line: ++asked, column: 1 });
    const written = writtenFrom(Manifest.of(service('a'), { origin: { locate, locateLine: () => undefined } }), {});
    const again = writtenFrom(written, {});
    expect(asked).toBe(0);
    expect(again.origin).toBe(written.origin);
    expect(again.sourceOf()).toMatchObject({ line: 1 });
  });
});

describe('a Pod of a workload', () => {
  const workload = Manifest.of({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } });
  const spec = { containers: [{ name: 'web' }] };
  const template = { workload, namespace: 'shop', spec };
  const labels = { app: 'web', hash: 'stable' };

  it('is made once', () => {
    const pod = podManifest(template, 'stable', labels);
    expect(pod.object).toStrictEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: 'web-stable',
        namespace: 'shop',
        labels,
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }],
      },
      spec,
    });
    expect(podManifest({ ...template }, 'stable', { ...labels })).toBe(pod);
    expect(podManifest({ workload, namespace: 'shop', spec: undefined }, 'stable', labels).object.spec).toStrictEqual(
      {},
    );
  });

  it('is another one with another version, label, namespace, template or workload', () => {
    const other = Manifest.of(workload.object);
    const pods = [
      podManifest(template, 'stable', labels),
      podManifest(template, 'canary', labels),
      podManifest(template, 'stable', { ...labels, hash: 'v3' }),
      podManifest({ ...template, namespace: 'test' }, 'stable', labels),
      podManifest({ ...template, spec: { ...spec } }, 'stable', labels),
      podManifest({ ...template, workload: other }, 'stable', labels),
    ];
    expect(new Set(pods).size).toBe(pods.length);
    expect(pods.map(({ name, namespace, labels: { hash } }) => `${namespace}/${name} ${hash}`)).toStrictEqual([
      'shop/web-stable stable',
      'shop/web-canary stable',
      'shop/web-stable v3',
      'test/web-stable stable',
      'shop/web-stable stable',
      'shop/web-stable stable',
    ]);
  });
});

describe('the labels of the pods of a version', () => {
  it('are made once for each version', () => {
    const labels = { app: 'web', hash: 'none' };
    const stable = versionLabels(labels, 'hash', 'stable');
    expect(stable).toStrictEqual({ app: 'web', hash: 'stable' });
    expect(versionLabels(labels, 'hash', 'stable')).toBe(stable);
    expect(versionLabels(labels, 'hash', 'canary')).toStrictEqual({ app: 'web', hash: 'canary' });
    expect(versionLabels(labels, 'other', 'stable')).toStrictEqual({ ...labels, other: 'stable' });
    expect(versionLabels({ app: 'api' }, 'hash', 'stable')).toStrictEqual({ app: 'api', hash: 'stable' });
  });
});

describe('the pods of two moments', () => {
  const group: PodGroup = { revision: 'stable', replicas: 2, labels: { app: 'web' } };

  it('are the same with as many of each version', () => {
    expect(samePods([group], [{ ...group, labels: { app: 'web' } }])).toBe(true);
    expect(samePods([], [])).toBe(true);
  });

  it.each<[string, readonly PodGroup[]]>([
    ['another number', [{ ...group, replicas: 3 }]],
    ['another version', [{ ...group, revision: 'canary' }]],
    ['another hash', [{ ...group, hash: 'v3' }]],
    ['another label', [{ ...group, labels: { app: 'api' } }]],
    ['unknown labels', [{ revision: 'stable', replicas: 2 }]],
    ['more groups', [group, group]],
    ['none', []],
  ])('differ by %s', (_, pods) => expect(samePods([group], pods)).toBe(false));
});

describe('the World of a moment', () => {
  const web = Manifest.of(service('web'));
  const world = World.of([web]);

  it('is that of the moment before with the same objects', () => {
    const before = world.with(Manifest.of(service('api')));
    expect(sameWorld(before.with(web), before)).toBe(before);
    const changed = before.with(Manifest.of(service('api')));
    expect(sameWorld(changed, before)).toBe(changed);
    expect(sameWorld(world, before)).toBe(world);
    expect(sameWorld(world, undefined)).toBe(world);
  });
});
