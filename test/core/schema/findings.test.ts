import { describe, expect, it } from 'vitest';
import { type Json, parseManifests } from '../../../src/core';
import { checkObject, type StructuralSchema, schemaFindings } from '../../../src/core/schema';

const schema: StructuralSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['service'],
      properties: {
        service: { type: 'string' },
        type: { type: 'string', enum: ['Exact', 'PathPrefix'] },
        weight: { type: 'integer', maximum: 100 },
        names: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
      },
    },
  },
};

function findingsOf(spec: Json, metadata: Json = { name: 'web' }) {
  const text = JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Thing', metadata, spec }, undefined, 1);
  const [manifest] = parseManifests(text, 'thing.json').manifests;
  return schemaFindings(manifest!, checkObject(manifest!.object, schema));
}

describe('schemaFindings', () => {
  it.each<[string, Json, string, string, string]>([
    [
      'an unknown field that is near a known one',
      { service: 'a', wieght: 1 },
      'field-unknown',
      'spec.wieght: Thing (example.com/v1) has no field "wieght" here',
      'did you mean "weight"?',
    ],
    [
      'an unknown field that is near none',
      { service: 'a', zone: 1 },
      'field-unknown',
      'spec.zone: Thing (example.com/v1) has no field "zone" here',
      'remove it, or use one of the fields of spec: names, service, type, weight',
    ],
    ['a missing field', {}, 'field-missing', 'spec.service is missing', 'add spec.service'],
    [
      'a number for a string',
      { service: 80 },
      'field-invalid',
      'spec.service: must be string, not a number: 80',
      'put it in quotes: "80"',
    ],
    [
      'a value of none of those allowed',
      { service: 'a', type: 'Prefix' },
      'field-invalid',
      'spec.type: "Prefix" is none of "Exact", "PathPrefix"',
      'use one of Exact, PathPrefix',
    ],
    [
      'a value beyond its range',
      { service: 'a', weight: 101 },
      'field-invalid',
      'spec.weight: 101 should be less than or equal to 100',
      'correct the value',
    ],
    [
      'an item twice',
      { service: 'a', names: ['x', 'x'] },
      'list-item-duplicate',
      'spec.names[1]: "x" is there twice',
      'remove one of the two, or merge them',
    ],
  ])('tells %s', (_, spec, rule, message, fix) => {
    const found = findingsOf(spec);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ rule, message, fix, severity: 'error' });
    expect(found[0]!.source?.file).toBe('thing.json');
  });

  it('suggests the nearest allowed value', () => {
    expect(findingsOf({ service: 'a', type: 'exact' })[0]!.fix).toBe('did you mean "Exact"?');
  });

  it('gives the place in the file', () => {
    const [found] = findingsOf({ service: 'a', weight: 'x' });
    expect(found!.path).toBe('spec.weight');
    expect(found!.source?.line).toBe(9);
  });

  it('cuts long values short', () => {
    const [found] = findingsOf({ service: ['x'.repeat(500)] });
    expect(found!.message.length).toBeLessThan(200);
  });

  it('names metadata', () => {
    const [found] = findingsOf({ service: 'a' }, { name: 'Web' });
    expect(found).toMatchObject({ rule: 'metadata-invalid', path: 'metadata.name' });
    expect(found!.message).toContain('metadata.name: "Web" a lowercase RFC 1123 subdomain must consist of');
  });
});
