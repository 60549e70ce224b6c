import { describe, expect, it, test } from 'vitest';
import { Manifest } from '../../src/core';
import {
  argoCdIgnoreDifferences,
  fieldsOf,
  fluxIgnoreRules,
  jsonPointer,
  keysOfPointer,
  mergeRewritten,
  type RewrittenFields,
  sortRewritten,
} from '../../src/core/gitops';

const fields = (
  apiVersion: string,
  kind: string,
  name: string,
  namespace: string | undefined,
  ...pointers: string[]
) => ({
  object: { apiVersion, kind, name, ...(namespace !== undefined && { namespace }) },
  pointers,
});

describe('JSON pointers', () => {
  test.each([
    [['spec', 'paused'], '/spec/paused'],
    [['metadata', 'annotations', 'a.io/b'], '/metadata/annotations/a.io~1b'],
    [['a~b', 'c~1d/e'], '/a~0b/c~01d~1e'],
    [[''], '/'],
  ])('%j', (keys, pointer) => {
    expect(jsonPointer(...keys)).toBe(pointer);
    expect(keysOfPointer(pointer)).toEqual(keys);
  });
});

describe('rewritten fields', () => {
  const web = fields('v1', 'Service', 'web', 'shop', '/spec/b', '/spec/a');

  it('are those of an object', () => {
    const manifest = Manifest.of({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'shop' },
    });
    expect(fieldsOf(manifest, ['/a'])).toEqual(fields('apps/v1', 'Deployment', 'web', 'shop', '/a'));
  });

  it('are one entry for each object, whatever its version', () => {
    const merged = mergeRewritten([
      web,
      fields('v1', 'Service', 'web', 'shop', '/spec/a', '/spec/c'),
      fields('v1', 'Service', 'web', 'cart', '/x'),
      fields('v1', 'Service', 'web', undefined, '/x'),
      fields('v1', 'Service', 'api', 'shop', '/x'),
      fields('apps/v1', 'Deployment', 'web', 'shop', '/y'),
      fields('apps/v1beta1', 'Deployment', 'web', 'shop', '/z'),
    ]);
    expect(merged.map(({ pointers }) => pointers.join(' '))).toEqual([
      '/spec/a /spec/b /spec/c',
      '/x',
      '/x',
      '/x',
      '/y /z',
    ]);
  });

  it('are in the order of kind, namespace and name', () => {
    const all: RewrittenFields[] = [
      fields('v1', 'Service', 'b', 'shop'),
      fields('v1', 'Service', 'a', 'shop'),
      fields('v1', 'Service', 'z', 'cart'),
      fields('v1', 'Service', 'z', undefined),
      fields('apps/v1', 'Deployment', 'z', 'z'),
    ];
    const names = sortRewritten(all).map(({ object: { kind, namespace, name } }) => `${kind} ${namespace}/${name}`);
    expect(names).toEqual([
      'Deployment z/z',
      'Service undefined/z',
      'Service cart/z',
      'Service shop/a',
      'Service shop/b',
    ]);
    expect(all[0]!.object.name).toBe('b');
  });

  it('are ignored by Argo CD by group, kind and name', () => {
    expect(argoCdIgnoreDifferences([web, fields('apps/v1', 'Deployment', 'web', undefined, '/a')])).toEqual([
      { group: '', kind: 'Service', namespace: 'shop', name: 'web', jsonPointers: ['/spec/b', '/spec/a'] },
      { group: 'apps', kind: 'Deployment', name: 'web', jsonPointers: ['/a'] },
    ]);
  });

  it('are ignored by Flux by expressions that match nothing else', () => {
    expect(fluxIgnoreRules([web, fields('a.io/v1', 'Thing', 'a.b+c', undefined, '/a')])).toEqual([
      { paths: ['/spec/b', '/spec/a'], target: { kind: 'Service', namespace: 'shop', name: 'web' } },
      { paths: ['/a'], target: { group: 'a\\.io', kind: 'Thing', name: 'a\\.b\\+c' } },
    ]);
  });
});
