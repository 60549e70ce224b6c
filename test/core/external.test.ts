import { describe, expect, it, test } from 'vitest';
import { Manifest, type ObjectRef, parseManifests } from '../../src/core';
import { isExternal } from '../../src/core/external';
import { fromPortable, toPortable } from '../../src/core/reader/portable';
import { readManifests } from '../../src/files/manifests';
import { folderWith } from '../cli/fixture';

describe('an object that is not among the manifests', () => {
  const web: ObjectRef = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };
  test.each<[ObjectRef, ObjectRef, boolean]>([
    [{ kind: 'Deployment', name: 'web' }, web, true],
    [web, web, true],
    [{ ...web, apiVersion: 'apps/v1beta1' }, web, true],
    [{ ...web, apiVersion: 'other/v1' }, web, false],
    [{ ...web, namespace: 'cart' }, web, false],
    [{ ...web, name: 'api' }, web, false],
    [{ ...web, kind: 'StatefulSet' }, web, false],
    [{ kind: 'Deployment', name: 'web', namespace: 'shop' }, web, true],
    [{ apiVersion: 'v1', kind: 'Service', name: 'web' }, { kind: 'Service', name: 'web' }, true],
    [{ apiVersion: 'a/v1', kind: 'Service', name: 'web' }, { kind: 'Service', name: 'web' }, false],
  ])('stated as %j, %j exists: %j', (stated, object, exists) => {
    expect(isExternal({ external: [stated] }, object)).toBe(exists);
    expect(isExternal({ external: [{ kind: 'X', name: 'x' }, stated] }, object)).toBe(exists);
    expect(isExternal({ external: [] }, object)).toBe(false);
    expect(isExternal({}, object)).toBe(false);
  });
});

describe('manifests as plain data for threads', () => {
  const yaml = (name: string) => `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}}\n`;
  const list = `apiVersion: v1\nkind: List\nitems:\n  - {apiVersion: v1, kind: Service, metadata: {name: c}}\n`;

  it('have the same objects and places', () => {
    const { manifests } = parseManifests(`${yaml('a')}---\n${yaml('b')}---\n${list}`, 'web.yaml');
    const made = Manifest.of({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'd' } }, { construct: 'app/d' });
    const portable = toPortable([...manifests, made]);
    const back = fromPortable(structuredClone(portable));
    expect(back.map(({ object }) => object)).toEqual([...manifests, made].map(({ object }) => object));
    expect(back.map((one) => one.sourceOf('metadata.name'))).toEqual(
      [...manifests, made].map((one) => one.sourceOf('metadata.name')),
    );
    expect(back.map(({ construct }) => construct)).toEqual([undefined, undefined, undefined, 'app/d']);
    expect(portable.objects.map((one) => Object.keys(one))).toEqual(
      [
        ['object', 'document', 'path'],
        ['object', 'document', 'path'],
        ['object', 'document', 'path'],
        ['object', 'construct'],
      ].map((keys, index) => (index < 2 ? expect.arrayContaining(['object', 'document']) : keys)),
    );
  });
});

describe('a file in a folder that holds other things', () => {
  it('is no manifest without kind and apiVersion, and half of one with either', () => {
    const read = (text: string) => {
      const { findings, manifests } = readManifests([
        folderWith({ 'other.yaml': text, 'web.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\n' }),
      ]);
      return [manifests.length, findings.map(({ rule }) => rule)];
    };
    expect(read('kind: Service\n')).toEqual([1, ['not-kubernetes']]);
    expect(read('apiVersion: v1\n')).toEqual([1, ['not-kubernetes']]);
    expect(read('# kind: apiVersion:\nreplicas: 3\n')).toEqual([1, ['files-skipped']]);
    expect(read('# kind: apiVersion:\n- a\n- b\n')).toEqual([1, ['files-skipped']]);
    expect(read('# kind: apiVersion:\ntext\n')).toEqual([1, ['files-skipped']]);
  });
});
