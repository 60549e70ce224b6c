import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/core/json';
import { checkObject, fieldText, validateMetadata } from '../../../src/core/schema';
import { unknownMetadata } from '../../../src/core/schema/metadata';
import {
  configKeyErrors,
  headerNameErrors,
  hostErrors,
  labelErrors,
  labelValueErrors,
  type NameCheck,
  pathSegmentErrors,
  portNameErrors,
  qualifiedNameErrors,
  serviceNameErrors,
  subdomainErrors,
} from '../../../src/core/schema/names';

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
    const all = [
      ...['annotations', 'creationTimestamp', 'deletionGracePeriodSeconds', 'deletionTimestamp', 'finalizers', 'uid'],
      ...['generateName', 'generation', 'labels', 'managedFields', 'name', 'namespace', 'ownerReferences', 'selfLink'],
      'resourceVersion',
    ];
    const metadata = Object.fromEntries(all.map((name) => [name, {}]));
    expect(unknownMetadata({ metadata })).toEqual([]);
    expect([...unknown[0]!.known].sort()).toEqual(all.sort());
    expect(unknownMetadata({ metadata: 'web' })).toEqual([]);
  });
});

describe('names', () => {
  const cases: readonly (readonly [string, NameCheck, readonly string[], readonly (readonly [string, string])[]])[] = [
    [
      'a subdomain',
      subdomainErrors,
      ['a', 'a.b', 'a-1.b2', 'a'.repeat(253)],
      [
        ['', 'a lowercase RFC 1123 subdomain'],
        ['a_b', 'a lowercase'],
        ['-a', 'a lowercase'],
        ['a-', 'a lowercase'],
        ['a..b', 'a lowercase'],
        ['A', 'a lowercase'],
        ['a'.repeat(254), 'must be no more than 253 characters'],
      ],
    ],
    [
      'a label',
      labelErrors,
      ['a', 'a-1', 'a'.repeat(63)],
      [
        ['a.b', 'a lowercase RFC 1123 label'],
        ['', 'a lowercase'],
        ['a'.repeat(64), 'must be no more than 63 characters'],
      ],
    ],
    [
      'a qualified name',
      qualifiedNameErrors,
      ['a', 'a.io/b', 'A_b.c-1', `a/${'b'.repeat(63)}`],
      [
        ['a/b/c', 'a qualified name must consist'],
        ['/b', 'prefix part must be non-empty'],
        ['A/b', 'prefix part a lowercase RFC 1123 subdomain'],
        ['a/', 'name part must be non-empty'],
        ['a/-b', 'name part must consist'],
        [`a/${'b'.repeat(64)}`, 'name part must be no more than 63 characters'],
      ],
    ],
    [
      'the value of a label',
      labelValueErrors,
      ['', 'a', 'A_b.c', 'a'.repeat(63)],
      [
        ['-a', 'a valid label must be an empty string'],
        ['a b', 'a valid label'],
        ['a'.repeat(64), 'must be no more'],
      ],
    ],
    [
      'the name of a Service',
      serviceNameErrors,
      ['a', 'a-1'],
      [
        ['1a', 'a DNS-1035 label'],
        ['a.b', 'a DNS-1035 label'],
        ['a'.repeat(64), 'must be no more than 63'],
      ],
    ],
    [
      'a host',
      hostErrors,
      ['a', 'a.b', '*.a.b'],
      [
        ['*', 'a wildcard DNS-1123 subdomain'],
        ['*a.b', 'a wildcard'],
        ['a.*.b', 'a wildcard'],
        ['*.A', 'a wildcard'],
        ['A', 'a lowercase RFC 1123 subdomain'],
      ],
    ],
    [
      'the name of a port',
      portNameErrors,
      ['a', '1a', 'a-1', 'a'.repeat(15)],
      [
        ['a'.repeat(16), 'must be no more than 15 characters'],
        ['a_b', 'must contain only alpha-numeric'],
        ['1', 'must contain at least one letter'],
        ['a--b', 'must not contain consecutive hyphens'],
        ['-a', 'must not begin or end with a hyphen'],
        ['a-', 'must not begin or end with a hyphen'],
      ],
    ],
    [
      'a key of a ConfigMap',
      configKeyErrors,
      ['a', 'A.b_c-1', '.a', 'a..b', 'a'.repeat(253)],
      [
        ['a/b', 'a valid config key'],
        ['', 'a valid config key'],
        ['.', "must not be '.'"],
        ['..', "must not be '.'"],
        ['..a', "must not be '.'"],
        ['a'.repeat(254), 'must be no more than 253'],
      ],
    ],
    [
      'a part of a path',
      pathSegmentErrors,
      ['a', 'a:b', '...', 'system:a'],
      [
        ['.', "may not be '.'"],
        ['..', "may not be '..'"],
        ['a/b', "may not contain '/'"],
        ['a%b', "may not contain '%'"],
      ],
    ],
    [
      'a header',
      headerNameErrors,
      ['a', 'X-A-1'],
      [
        ['', 'a valid HTTP header'],
        ['a b', 'a valid HTTP header'],
        ['a_b', 'a valid'],
      ],
    ],
  ];

  describe.each(cases)('%s', (_, check, right, wrong) => {
    it.each(right)('may be %j', (name) => expect(check(name)).toEqual([]));
    it.each(wrong)('may not be %j', (name, why) => {
      const errors = check(name);
      expect(errors).toHaveLength(name === 'a/' || (name === '' && check === headerNameErrors) ? errors.length : 1);
      expect(errors[0]).toContain(why);
    });
  });

  it('have each mistake that they make', () => {
    expect(pathSegmentErrors('a/%')).toEqual(["may not contain '/'", "may not contain '%'"]);
    expect(portNameErrors('--')).toHaveLength(3);
    expect(subdomainErrors('A'.repeat(254))).toHaveLength(2);
    expect(qualifiedNameErrors('A/')).toHaveLength(3);
  });
});
