import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/core/json';
import { checkObject, fieldText, validateMetadata } from '../../../src/core/schema';

function errorsOf(metadata: Json): string[] {
  return validateMetadata({ metadata }).map(({ path, detail }) => `${fieldText(path)}: ${detail.slice(0, 60)}`);
}

describe('validateMetadata', () => {
  it.each<[string, JsonObject]>([
    ['a plain name', { name: 'web-1.example' }],
    ['a prefix of a name', { generateName: 'web-' }],
    [
      'labels and annotations',
      { name: 'a', labels: { 'app.io/name': 'Web_1', empty: '' }, annotations: { 'A/b': 'any text' } },
    ],
    ['a namespace', { name: 'a', namespace: 'team-1' }],
    [
      'a label and an annotation that are null, as empty texts',
      { name: 'a', labels: { b: null }, annotations: { b: null } },
    ],
    ['finalizers', { name: 'a', finalizers: ['rollouts.kruise.io/rollout'] }],
  ])('takes %s', (_, metadata) => {
    expect(errorsOf(metadata)).toEqual([]);
  });

  it.each<[string, JsonObject, string]>([
    ['no name', {}, 'metadata.name: name or generateName is required'],
    ['capitals in a name', { name: 'Web' }, 'metadata.name: a lowercase RFC 1123 subdomain must consist of'],
    ['a long name', { name: 'a'.repeat(254) }, 'metadata.name: must be no more than 253 characters'],
    ['a number for a name', { name: 1 }, 'metadata.name: must be a string'],
    ['a dot in a namespace', { name: 'a', namespace: 'a.b' }, 'metadata.namespace: a lowercase RFC 1123 label'],
    ['a space in a label', { name: 'a', labels: { app: 'my web' } }, 'metadata.labels: a valid label must be'],
    ['a label value of 64', { name: 'a', labels: { app: 'a'.repeat(64) } }, 'metadata.labels: must be no more than 63'],
    ['a number in a label', { name: 'a', labels: { app: 1 } }, 'metadata.labels.app: must be a string'],
    ['two slashes in a key', { name: 'a', annotations: { 'a/b/c': '' } }, 'metadata.annotations: a qualified name'],
    [
      'a key without a name',
      { name: 'a', annotations: { 'a.io/': '' } },
      'metadata.annotations: name part must be non-empty',
    ],
    [
      'a key without a prefix',
      { name: 'a', annotations: { '/b': '' } },
      'metadata.annotations: prefix part must be non-empty',
    ],
    ['labels as a list', { name: 'a', labels: ['app'] }, 'metadata.labels: must be an object'],
    ['a finalizer with a space', { name: 'a', finalizers: ['my finalizer'] }, 'metadata.finalizers: name part must'],
  ])('refuses %s', (_, metadata, error) => {
    expect(errorsOf(metadata)[0]).toContain(error);
  });

  it('counts the bytes of all annotations together', () => {
    const annotations = { a: 'é'.repeat(70_000), b: 'x'.repeat(125_000) };
    expect(errorsOf({ name: 'a', annotations })).toEqual(['metadata.annotations: may not be longer than 262144']);
  });

  it('refuses metadata that is no object', () => {
    expect(errorsOf('web')).toEqual(['metadata: metadata must be an object']);
  });
});

describe('fields of metadata', () => {
  it('are known for every kind', () => {
    const { unknown } = checkObject({ metadata: { name: 'a', anotations: {}, uid: 'x' } }, { type: 'object' });
    expect(unknown.map(({ path }) => fieldText(path))).toEqual(['metadata.anotations']);
    expect(unknown[0]!.known).toContain('annotations');
  });
});
