import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/core/json';
import { checkObject, type StructuralSchema } from '../../../src/core/schema';
import type { SchemaResult } from '../../../src/core/schema/check';
import { withDefaults } from '../../../src/core/schema/defaults';
import { fits, fitsObject } from '../../../src/core/schema/fits';
import { duplicateItems } from '../../../src/core/schema/list-type';
import { unknownMetadata, validateMetadata } from '../../../src/core/schema/metadata';
import { nullFields } from '../../../src/core/schema/null-fields';
import { pruneObject } from '../../../src/core/schema/prune';
import { validateValue } from '../../../src/core/schema/validate';

const TEXT: StructuralSchema = { type: 'string' };
const LIST: StructuralSchema = { type: 'array', items: TEXT };
const MAP_LIST: StructuralSchema = {
  type: 'array',
  items: { type: 'object', properties: { name: TEXT, value: TEXT } },
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
};
const OPEN: StructuralSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** What the API server does to an object, step by step. */
function inAllSteps(object: JsonObject, schema: StructuralSchema): SchemaResult {
  const pruned = pruneObject(object, schema);
  const stored = withDefaults(pruned.value, schema);
  return {
    object: stored,
    unknown: [...unknownMetadata(object), ...pruned.unknown],
    nulls: nullFields(object, schema),
    errors: [...validateMetadata(stored), ...validateValue(stored, schema), ...duplicateItems(stored, schema)],
  };
}

describe('a value fits', () => {
  test.each<[Json, StructuralSchema]>([
    ['x', TEXT],
    [1, { type: 'integer' }],
    [2 ** 31, { type: 'integer' }],
    [-(2 ** 31), { type: 'integer', format: 'int32' }],
    [2 ** 31 - 1, { type: 'integer', format: 'int32' }],
    [1.5, { type: 'number' }],
    [true, { type: 'boolean' }],
    [{}, { type: 'object' }],
    [[], LIST],
    [['a', 'a'], LIST],
    ['20%', { 'x-kubernetes-int-or-string': true }],
    [20, { 'x-kubernetes-int-or-string': true }],
    ['anything', {}],
    [{ a: 'x' }, { type: 'object', properties: { a: TEXT }, required: ['a'] }],
    [{ a: 1, b: {} }, OPEN],
    [{ a: 1 }, { type: 'object', additionalProperties: true }],
    [{ a: 'x' }, { type: 'object', additionalProperties: TEXT }],
    [[{ name: 'a' }, { name: 'b' }], MAP_LIST],
    [['a', 'b'], { ...LIST, 'x-kubernetes-list-type': 'set' }],
    [['a', 'a'], { ...LIST, 'x-kubernetes-list-type': 'atomic' }],
    ['abc', { ...TEXT, pattern: '^a', maxLength: 3 }],
    [5, { type: 'integer', minimum: 5, title: 't', default: 1 }],
    ['a', { ...TEXT, enum: ['a', 'b'] }],
  ])('%j in %j', (value, schema) => {
    expect(fits(value, schema)).toBe(true);
    expect(fits(value, schema)).toBe(true);
  });

  test.each<[Json, StructuralSchema]>([
    [null, TEXT],
    [null, {}],
    [null, { ...TEXT, nullable: true }],
    [1, TEXT],
    ['1', { type: 'integer' }],
    [1.5, { type: 'integer' }],
    [2 ** 53, { type: 'integer' }],
    [2 ** 31, { type: 'integer', format: 'int32' }],
    [-(2 ** 31) - 1, { type: 'integer', format: 'int32' }],
    [[], { type: 'object' }],
    [{}, { type: 'array' }],
    ['true', { type: 'boolean' }],
    [[1], LIST],
    [['a', null], LIST],
    [1.5, { 'x-kubernetes-int-or-string': true }],
    [2 ** 31, { 'x-kubernetes-int-or-string': true }],
    [true, { 'x-kubernetes-int-or-string': true }],
    [{ b: 'x' }, { type: 'object', properties: { a: TEXT } }],
    [{ a: 1 }, { type: 'object', properties: { a: TEXT } }],
    [{ a: null }, { type: 'object', properties: { a: TEXT } }],
    [{}, { type: 'object', properties: { a: TEXT }, required: ['a'] }],
    [{ constructor: 'x' }, { type: 'object', properties: { a: TEXT } }],
    [{ a: 1 }, { type: 'object', additionalProperties: TEXT }],
    [{ a: 1 }, { type: 'object', additionalProperties: false }],
    [[{ name: 'a' }, { name: 'a' }], MAP_LIST],
    [['a', 'a'], { ...LIST, 'x-kubernetes-list-type': 'set' }],
    [['a', 'a'], { ...LIST, 'x-kubernetes-list-type': 'set', maxItems: 5 }],
    ['abcd', { ...TEXT, maxLength: 3 }],
    ['b', { ...TEXT, pattern: '^a' }],
    [4, { type: 'integer', minimum: 5 }],
    ['c', { ...TEXT, enum: ['a', 'b'] }],
  ])('not %j in %j', (value, schema) => {
    expect(fits(value, schema)).toBe(false);
  });

  it('only if the API server takes it as it is', () => {
    const schema: fc.Arbitrary<StructuralSchema> = fc.letrec<{ any: StructuralSchema }>((tie) => ({
      any: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom<StructuralSchema>(
          TEXT,
          { type: 'integer' },
          { type: 'boolean' },
          { ...TEXT, maxLength: 1 },
          OPEN,
          { type: 'object', properties: { a: { ...TEXT, default: 'x' }, b: { type: 'integer', default: 1 } } },
          { type: 'object', properties: { a: { ...TEXT, maxLength: 1, default: 'xy' } }, minProperties: 1 },
        ),
        fc.constantFrom<StructuralSchema>(
          { ...TEXT, nullable: true },
          { 'x-kubernetes-int-or-string': true },
          MAP_LIST,
        ),
        tie('any').map((items): StructuralSchema => ({ type: 'array', items })),
        tie('any').map((a): StructuralSchema => ({ type: 'object', properties: { a, b: TEXT }, required: ['a'] })),
        tie('any').map((one): StructuralSchema => ({ type: 'object', additionalProperties: one })),
      ),
    })).any;
    const value: fc.Arbitrary<Json> = fc.letrec<{ any: Json }>((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom<Json>('x', 'xy', 1, 1.5, true, null, {}, []),
        fc.array(tie('any'), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'name'), tie('any'), { maxKeys: 2 }),
      ),
    })).any;
    let fitting = 0;
    fc.assert(
      fc.property(schema, value, (spec, given) => {
        const whole: StructuralSchema = { type: 'object', properties: { spec } };
        const written = { metadata: { name: 'a' }, spec: given };
        const stored = inAllSteps(written, whole);
        const quick = checkObject(written, whole);
        // Also the order of the keys is the same.
        expect([quick, JSON.stringify(quick)]).toEqual([stored, JSON.stringify(stored)]);
        if (!fits(given, spec)) return;
        fitting++;
        const { object, errors, unknown, nulls } = stored;
        expect([errors, unknown, nulls]).toEqual([[], [], []]);
        if (!JSON.stringify(spec).includes('default')) expect(object.spec).toEqual(given);
      }),
      { seed: 5, numRuns: 2000 },
    );
    expect(fitting).toBeGreaterThan(200);
  });
});

describe('an object fits', () => {
  const schema: StructuralSchema = {
    type: 'object',
    required: ['spec'],
    properties: { kind: TEXT, metadata: { type: 'object' }, spec: { type: 'object', properties: { a: TEXT } } },
  };

  test.each<[JsonObject, boolean]>([
    [{ apiVersion: 'v1', kind: 'A', metadata: { name: 'a', labels: { b: 'c' } }, spec: { a: 'x' } }, true],
    [{ apiVersion: 1, spec: {} }, true],
    [{ kind: 1, spec: {} }, false],
    [{ kind: null, spec: {} }, false],
    [{ metadata: [], spec: {} }, false],
    [{ kind: 'A', metadata: {} }, false],
    [{ spec: { b: 1 } }, false],
    [{ spec: {}, other: 1 }, false],
    [{ spec: null }, false],
  ])('%j: %j', (object, isFitting) => expect(fitsObject(object, schema)).toBe(isFitting));
});
