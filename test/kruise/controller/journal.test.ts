/** The history of a play: what is written, when a moment is worth noting, and how a history goes two ways. */
import { describe, expect, it } from 'vitest';
import { Manifest, World } from '../../../src/core';
import { Journal } from '../../../src/kruise/controller/play/journal';
import type { PodGroup } from '../../../src/release';

const service = (spec: object = {}) =>
  Manifest.of({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'shop' }, spec });
const other = Manifest.of({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'api', namespace: 'shop' } });
const pod = (name: string) => Manifest.of({ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'shop' } });
const pods = (stable: number, canary = 0): readonly PodGroup[] => [
  { revision: 'stable', replicas: stable },
  { revision: 'canary', replicas: canary },
];
const journalOf = (groups = pods(10)) =>
  new Journal(World.of([service()]), groups, (all) =>
    all.filter(({ replicas }) => replicas > 0).map(({ revision }) => pod(revision)),
  );
const namesIn = (world: World) => world.manifests.map(({ kind, name }) => `${kind} ${name}`).sort();

describe('a journal', () => {
  it('notes a write only where it changes something', () => {
    const journal = journalOf();
    expect(journal.isUnrecorded).toBe(false);
    expect(journal.write(service())).toBe(false);
    expect(journal.isUnrecorded).toBe(false);
    expect(journal.write(service({ a: 1 }))).toBe(true);
    expect(journal.write(other)).toBe(true);
    expect(journal.isUnrecorded).toBe(true);
    journal.remove(other);
    journal.record('step', 0, 'settled');
    expect(journal.isUnrecorded).toBe(false);
    expect(journal.moments[0]!.written.map(({ name }) => name)).toEqual(['web', 'api', 'api']);
    expect(journal.world.find('Service', 'web', 'shop')!.get('spec.a')).toBe(1);
    expect(journal.world.find('Service', 'api', 'shop')).toBeUndefined();
  });

  it('notes no write of people', () => {
    const journal = journalOf();
    journal.edit(service({ a: 1 }));
    journal.discard(service());
    expect(journal.isUnrecorded).toBe(false);
    expect(namesIn(journal.world)).toEqual([]);
    journal.edit(other);
    expect(namesIn(journal.world)).toEqual(['Service api']);
  });

  it('has the pods in the world of a moment, not in its own', () => {
    const journal = journalOf(pods(10, 2));
    journal.record('before', undefined, 'before the release');
    expect(namesIn(journal.moments[0]!.world)).toEqual(['Pod canary', 'Pod stable', 'Service web']);
    expect(namesIn(journal.world)).toEqual(['Service web']);
    const none = new Journal(World.of([service()]), [], () => []);
    none.record('before', undefined, 'before the release');
    expect(none.moments[0]!.world).toBe(none.world);
  });

  it('has moments with what was given, and nothing else', () => {
    const journal = journalOf();
    journal.record('before', undefined, 'first');
    journal.note('release v2');
    journal.note('approve');
    journal.name({ stable: 'v1', canary: 'v2' });
    journal.write(other);
    journal.record('step', 0, 'second', { isMixed: true, strategy: { traffic: '20%' } });
    journal.record('finish', undefined, 'third', { goesOn: true });
    const moments = journal.moments.map(({ world: _world, ...rest }) => rest);
    const named = { versions: { stable: 'v1', canary: 'v2' } };
    expect(moments).toStrictEqual([
      { phase: 'before', event: 'first', written: [], pods: pods(10) },
      {
        phase: 'step',
        step: 0,
        event: 'second',
        written: [other.ref],
        pods: pods(10),
        isMixed: true,
        strategy: { traffic: '20%' },
        did: ['release v2', 'approve'],
        ...named,
      },
      { phase: 'finish', event: 'third', written: [], pods: pods(10), goesOn: true, ...named },
    ]);
  });

  it('replaces pods where they differ', () => {
    const journal = journalOf();
    const before = journal.pods;
    expect(journal.replacePods(pods(10))).toBe(false);
    expect(journal.pods).toBe(before);
    expect(journal.replacePods(pods(9, 1))).toBe(true);
    expect(journal.pods).toEqual(pods(9, 1));
  });

  it('is noticed where something is written, or other versions run', () => {
    const journal = journalOf();
    expect(journal.isNoticed).toBe(true);
    journal.record('before', undefined, 'first');
    expect(journal.isNoticed).toBe(false);
    journal.replacePods(pods(9, 1));
    expect(journal.isNoticed).toBe(true);
    journal.record('step', 0, 'second');
    expect(journal.isNoticed).toBe(false);
    journal.name({ stable: 'v1', canary: 'v2' });
    expect(journal.isNoticed).toBe(false);
    journal.name({ stable: 'v2', canary: 'v3' });
    expect(journal.isNoticed).toBe(true);
    journal.record('step', 0, 'third');
    journal.write(other);
    expect(journal.isNoticed).toBe(true);
  });

  it('tells versions apart by the value of their label', () => {
    const abandoned: readonly PodGroup[] = [{ revision: 'canary', hash: 'abandoned', replicas: 1 }];
    const journal = new Journal(World.of([]), [{ revision: 'canary', replicas: 1 }], () => []);
    journal.record('step', 0, 'first');
    journal.replacePods(abandoned);
    expect(journal.isNoticed).toBe(true);
    journal.name({ abandoned: 'v2', canary: 'v3' });
    expect(journal.isNoticed).toBe(false);
  });

  it('continues from an earlier state', () => {
    const journal = journalOf();
    const { world, pods: running } = journal;
    journal.write(other);
    journal.replacePods(pods(0, 10));
    journal.branch({ world, pods: running });
    expect([journal.world, journal.pods, journal.isUnrecorded]).toEqual([world, running, false]);
  });

  it('goes two ways', () => {
    const journal = journalOf();
    journal.record('before', undefined, 'first');
    journal.note('release v2');
    journal.name({ stable: 'v1' });
    journal.write(other);
    const fork = journal.fork();
    fork.record('step', 0, 'second');
    expect(journal.moments.map(({ event }) => event)).toEqual(['first']);
    expect(journal.isUnrecorded).toBe(true);
    expect(fork.moments.map(({ event, did, written, versions }) => [event, did, written.length, versions])).toEqual([
      ['first', undefined, 0, undefined],
      ['second', ['release v2'], 1, { stable: 'v1' }],
    ]);
    expect(namesIn(fork.moments[1]!.world)).toEqual(['Pod stable', 'Service api', 'Service web']);
  });
});
