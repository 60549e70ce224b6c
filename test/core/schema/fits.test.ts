import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Json } from '../../../src/core/json';
import type { StructuralSchema } from '../../../src/core/schema';
import { checkEachField } from '../../../src/core/schema/check';
import { fits } from '../../../src/core/schema/fits';

const TEXT: StructuralSchema = { type: 'string' };
const LIST: StructuralSchema = { type: 'array', items: TEXT };
const MAP_LIST: StructuralSchema = {
  type: 'array',
  items: { type: 'object', properties: { name: TEXT, value: TEXT } },
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
};
const OPEN: StructuralSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

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
        if (!fits(given, spec)) return;
        fitting++;
        const whole: StructuralSchema = { type: 'object', properties: { spec } };
        const { object, errors, unknown, nulls } = checkEachField({ metadata: { name: 'a' }, spec: given }, whole);
        expect([errors, unknown, nulls, object.spec]).toEqual([[], [], [], given]);
      }),
      { seed: 5, numRuns: 2000 },
    );
    expect(fitting).toBeGreaterThan(200);
  });
});
