import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apiSchema as argoSchema } from '../../../src/argo/api/schema';
import type { Json, JsonObject } from '../../../src/core/json';
import { checkObject, type SchemaOptions, type StructuralSchema } from '../../../src/core/schema';
import { checkEachField } from '../../../src/core/schema/check';
import { apiSchema } from '../../../src/kruise/api/schema';
import { customSchema } from '../../../src/kubernetes/admission/schema';

const TEXT: StructuralSchema = { type: 'string' };
const PORTS: StructuralSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: { name: TEXT, protocol: { ...TEXT, default: 'TCP' } },
    'x-kubernetes-validations': [{ rule: 'self.protocol != "UDP"' }],
  },
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name', 'protocol'],
};

const PART = fc.letrec<{ any: StructuralSchema }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<StructuralSchema>(
      TEXT,
      { ...TEXT, default: 'x' },
      { type: 'integer', default: 1, nullable: true },
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      { ...TEXT, 'x-kubernetes-validations': [{ rule: 'self != "xy"', message: 'no xy' }] },
      PORTS,
    ),
    tie('any').map((items): StructuralSchema => ({ type: 'array', items })),
    tie('any').map((a): StructuralSchema => ({ type: 'object', properties: { a, b: TEXT }, required: ['a'] })),
    tie('any').map((a): StructuralSchema => ({ type: 'object', properties: { a }, minProperties: 1, default: {} })),
    tie('any').map((one): StructuralSchema => ({ type: 'object', additionalProperties: one })),
  ),
})).any;

const VALUE = fc.letrec<{ any: Json }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Json>('x', 'xy', 1, null, {}, [], [{ name: 'a' }, { name: 'a', protocol: 'TCP' }]),
    fc.array(tie('any'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'name', 'protocol'), tie('any'), { maxKeys: 2 }),
  ),
})).any;

const METADATA = fc.constantFrom<Json | undefined>(
  { name: 'a' },
  { name: 'A', creationTimestamp: null },
  {},
  null,
  'x',
);
const OF_METADATA = fc.constantFrom<StructuralSchema | undefined>(
  undefined,
  { type: 'object' },
  { type: 'object', properties: { name: { ...TEXT, maxLength: 0 } } },
);
const OF_ROOT = fc.constantFrom<StructuralSchema>(
  { type: 'object' },
  { type: 'object', required: ['spec'] },
  { type: 'object', minProperties: 3 },
  { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
);

function isSame(object: JsonObject, schema: StructuralSchema, options: SchemaOptions = {}): void {
  const before = JSON.stringify(object);
  const results = [checkObject, checkEachField].map((check) => JSON.stringify(check(object, schema, options)));
  expect(results[0]).toBe(results[1]);
  expect(JSON.stringify(object)).toBe(before);
}

describe('an object that is taken as it is', () => {
  it('has the result of a look at each field', () => {
    fc.assert(
      fc.property(
        fc.record({ root: OF_ROOT, ofMetadata: OF_METADATA, part: PART, more: PART }),
        fc.record(
          { metadata: METADATA, spec: VALUE, status: fc.option(VALUE, { nil: undefined }) },
          { requiredKeys: [] },
        ),
        fc.record({ dropStatus: fc.boolean() }),
        ({ root, ofMetadata, part, more }, written, options) => {
          const metadata = ofMetadata && { metadata: ofMetadata };
          const schema = { ...root, properties: { kind: TEXT, ...metadata, spec: part, more } };
          isSame({ kind: 'A', ...(JSON.parse(JSON.stringify(written)) as JsonObject) }, schema, options);
        },
      ),
      { seed: 5, numRuns: 5_000 },
    );
  });

  it('has its old value for the rules', () => {
    const rule = { rule: 'self == oldSelf', message: 'is for ever' };
    const schema: StructuralSchema = {
      type: 'object',
      properties: { metadata: { type: 'object' }, spec: { ...TEXT, 'x-kubernetes-validations': [rule] } },
    };
    const metadata = { name: 'a' };
    isSame({ metadata, spec: 'x' }, schema, { old: { metadata, spec: 'y' } });
    expect(checkObject({ metadata, spec: 'x' }, schema, { old: { metadata, spec: 'y' } }).errors).toHaveLength(1);
  });

  it.each([
    [
      'a Rollout of Kruise',
      apiSchema('Rollout', 'v1beta1')!,
      {
        workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' },
        strategy: { canary: { steps: [{ traffic: '20%' }] } },
      },
    ],
    [
      'a Rollout of Argo',
      argoSchema('Rollout'),
      { replicas: 1, selector: {}, template: { spec: { containers: [{ name: 'a', image: 'a' }] } } },
    ],
    [
      'an HTTPRoute',
      customSchema('gateway.networking.k8s.io/v1', 'HTTPRoute')!,
      { rules: [{ backendRefs: [{ name: 'a', port: 80 }] }] },
    ],
  ])('is %s, with the defaults', (_, schema, spec) => {
    const object = { apiVersion: 'v1', kind: 'A', metadata: { name: 'a' }, spec };
    isSame(object, schema);
    isSame({ ...object, spec: { ...spec, unknown: 1 } }, schema);
  });
});
