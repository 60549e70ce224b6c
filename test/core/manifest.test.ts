import { describe, expect, it } from 'vitest';
import { defineRules, Manifest, parseManifests } from '../../src/core';
import { baseName, folderName, joinedPath } from '../../src/core/file-name';
import { groupKindOf, groupOf } from '../../src/core/manifest';

const example = { language: 'yaml', text: '' } as const;
const declared = { severity: 'error', title: 't', because: 'b', fix: 'f', basis: 'read', sources: ['s'] } as const;
const rule = defineRules({ 'a-rule': { ...declared, failing: example, corrected: example } })['a-rule'];

const YAML = 'apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n  namespace: shop\nspec:\n  type: ClusterIP\n';

describe('a finding about a manifest', () => {
  it('has the place of its field in the file', () => {
    const [manifest] = parseManifests(YAML, 'web.yaml').manifests;
    expect(manifest!.finding(rule, { message: 'm', path: ['spec', 'type'] })).toMatchObject({
      rule: 'a-rule',
      message: 'm',
      because: 'b',
      fix: 'f',
      path: 'spec.type',
      object: { apiVersion: 'v1', kind: 'Service', namespace: 'shop', name: 'web' },
      source: { file: 'web.yaml', line: 7, column: 9 },
    });
    expect(manifest!.finding(rule, { message: 'm', path: 'spec.type', fix: 'other' })).toMatchObject({
      fix: 'other',
      source: { line: 7 },
    });
    expect(manifest!.declaration).toMatchObject({
      message: 'the Service "web" is declared here',
      source: { file: 'web.yaml', line: 1, column: 1 },
    });
  });

  it('has no place where it was in no file', () => {
    const manifest = Manifest.of({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' } });
    const finding = manifest.finding(rule, { message: 'm' });
    expect(Object.keys(finding).filter((key) => ['source', 'path', 'construct'].includes(key))).toEqual([]);
    expect(Object.keys(manifest.declaration)).toEqual(['message', 'object']);
    expect(manifest.finding(rule, { message: 'm', construct: 'app/web' }).construct).toBe('app/web');
  });
});

describe('groups and kinds', () => {
  it.each([
    ['v1', '', 'Service'],
    ['apps/v1', 'apps', 'Service.apps'],
    ['a.b/v1', 'a.b', 'Service.a.b'],
    ['', '', 'Service'],
  ])('of %j', (apiVersion, group, groupKind) => {
    expect([groupOf(apiVersion), groupKindOf('Service', apiVersion)]).toEqual([group, groupKind]);
  });
});

describe('names of files', () => {
  it.each([
    ['a/b.yaml', 'b.yaml', 'a'],
    ['b.yaml', 'b.yaml', '.'],
    ['a/b//', 'b', 'a/b/'],
    ['a\\b.yaml', 'b.yaml', '.'],
    ['/b', 'b', '/'],
    ['a\nb/c', 'c', 'a\nb'],
  ])('%j', (file, base, folder) => {
    expect([baseName(file), folderName(file)]).toEqual([base, folder]);
  });

  it('may go without their extension, and be put together', () => {
    expect([baseName('a/b.yaml', '.yaml'), baseName('a/b.yml', '.yaml'), baseName('a/b.yaml', '')]).toEqual([
      'b',
      'b.yml',
      'b.yaml',
    ]);
    expect([
      joinedPath('a', '../b', './c'),
      joinedPath('', 'a'),
      joinedPath('../a'),
      joinedPath('/a', '../..'),
    ]).toEqual(['b/c', 'a', '../a', '/']);
  });
});
