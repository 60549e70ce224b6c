import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/core/json';
import { checkObject, errorText, fieldText, type StructuralSchema } from '../../../src/core/schema';

const metadata = { name: 'web' };

/** A schema of an object with a spec of these fields. */
function schemaOf(properties: StructuralSchema['properties'], more: StructuralSchema = {}): StructuralSchema {
  return {
    type: 'object',
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: { type: 'object', properties, ...more },
    },
  };
}

/** The errors of a spec, as `field: text`. */
function errorsOf(spec: Json, properties: StructuralSchema['properties'], more: StructuralSchema = {}): string[] {
  const { errors } = checkObject({ metadata, spec }, schemaOf(properties, more));
  return errors.map((error) => `${fieldText(error.path)}: ${errorText(error)}`);
}

/** The spec as stored, and what was dropped. */
function storedSpec(spec: Json, properties: StructuralSchema['properties'], more: StructuralSchema = {}) {
  const { object, unknown } = checkObject({ metadata, spec }, schemaOf(properties, more));
  return { spec: object.spec, unknown: unknown.map(({ path }) => fieldText(path)) };
}

describe('checkObject: types', () => {
  it.each<[string, Json, StructuralSchema, string]>([
    ['a number for a string', 20, { type: 'string' }, 'must be of type string: "integer"'],
    ['a text for a number', '20', { type: 'integer' }, 'must be of type integer: "string"'],
    ['a fraction for an integer', 1.5, { type: 'integer', format: 'int32' }, 'must be of type integer: "number"'],
    ['a list for an object', [], { type: 'object' }, 'must be of type object: "array"'],
    ['an object for a list', {}, { type: 'array', items: { type: 'string' } }, 'must be of type array: "object"'],
    [
      'a fraction for a number or text',
      1.5,
      { 'x-kubernetes-int-or-string': true },
      'must be of type integer,string: "number"',
    ],
  ])('refuses %s', (_, value, schema, message) => {
    expect(errorsOf({ a: value }, { a: schema })).toEqual([`spec.a: spec.a in body ${message}`]);
  });

  it.each<[string, Json, StructuralSchema]>([
    ['an integer for a number', 1, { type: 'number' }],
    ['1.0 for an integer', 1.0, { type: 'integer' }],
    ['a number where either will do', 3, { 'x-kubernetes-int-or-string': true }],
    ['a text where either will do', '20%', { 'x-kubernetes-int-or-string': true }],
    ['an integer beyond int32: only who decodes it fails', 2 ** 40, { type: 'integer', format: 'int32' }],
    ['null where null is allowed', null, { type: 'string', nullable: true }],
  ])('takes %s', (_, value, schema) => {
    expect(errorsOf({ a: value }, { a: schema })).toEqual([]);
  });
});

describe('checkObject: ranges', () => {
  it.each<[Json, StructuralSchema, string]>([
    ['', { type: 'string', minLength: 1 }, 'spec.a in body should be at least 1 chars long'],
    ['abc', { type: 'string', maxLength: 2 }, 'may not be longer than 2'],
    ['A', { type: 'string', pattern: '^[a-z]+$' }, "spec.a in body should match '^[a-z]+$'"],
    ['yesterday', { type: 'string', format: 'date-time' }, 'spec.a in body must be of type date-time: "yesterday"'],
    ['2025-02-30T12:00:00Z', { type: 'string', format: 'date-time' }, 'must be of type date-time'],
    [0, { type: 'integer', minimum: 1 }, 'should be greater than or equal to 1'],
    [1, { type: 'integer', minimum: 1, exclusiveMinimum: true }, 'should be greater than 1'],
    [3, { type: 'integer', maximum: 2 }, 'should be less than or equal to 2'],
    [2, { type: 'integer', maximum: 2, exclusiveMaximum: true }, 'should be less than 2'],
    [3, { type: 'integer', multipleOf: 2 }, 'should be a multiple of 2'],
    [[], { type: 'array', items: { type: 'string' }, minItems: 1 }, 'should have at least 1 items'],
    [['a', 'b'], { type: 'array', items: { type: 'string' }, maxItems: 1 }, 'must have at most 1 items'],
    [['a', 'a'], { type: 'array', items: { type: 'string' }, uniqueItems: true }, "shouldn't contain duplicates"],
    [{}, { type: 'object', minProperties: 1 }, 'should have at least 1 properties'],
    ['x', { type: 'string', enum: ['b', 'a'] }, 'supported values: "a", "b"'],
  ])('refuses %j by %j', (value, schema, message) => {
    const errors = errorsOf({ a: value }, { a: schema });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(message);
  });

  it('counts characters, not UTF-16 units', () => {
    expect(errorsOf({ a: '🚀🚀' }, { a: { type: 'string', maxLength: 2 } })).toEqual([]);
  });

  it("takes every string for a pattern in Go's own syntax", () => {
    expect(errorsOf({ a: 'x' }, { a: { type: 'string', pattern: '(?P<name>a)' } })).toEqual([]);
  });

  it('takes every string of a format that it does not know', () => {
    expect(errorsOf({ a: 'x' }, { a: { type: 'string', format: 'color' } })).toEqual([]);
  });

  it('understands anyOf, oneOf, allOf and not', () => {
    const short: StructuralSchema = { maxLength: 2 };
    const lower: StructuralSchema = { pattern: '^[a-z]*$' };
    const count = (value: string, schema: StructuralSchema) => errorsOf({ a: value }, { a: schema }).length;
    expect(count('ABC', { type: 'string', anyOf: [short, lower] })).toBe(1);
    expect(count('abc', { type: 'string', anyOf: [short, lower] })).toBe(0);
    expect(count('ab', { type: 'string', oneOf: [short, lower] })).toBe(1);
    expect(count('abc', { type: 'string', oneOf: [short, lower] })).toBe(0);
    expect(count('ABC', { type: 'string', allOf: [short, lower] })).toBe(2);
    expect(count('ab', { type: 'string', not: short })).toBe(1);
  });
});

describe('checkObject: fields', () => {
  it('names a missing field, after the errors of those that are there', () => {
    const properties = { a: { type: 'string' }, b: { type: 'string' } } as const;
    expect(errorsOf({ b: 1 }, properties, { required: ['a'] })).toEqual([
      'spec.b: spec.b in body must be of type string: "integer"',
      'spec.a: Required value',
    ]);
  });

  it('drops what the schema does not know, and says what it does know there', () => {
    const { object, unknown } = checkObject({ metadata, spec: { a: 1, wieght: 2 } }, schemaOf({ weight: {}, a: {} }));
    expect(object.spec).toEqual({ a: 1 });
    expect(unknown).toEqual([{ path: ['spec', 'wieght'], known: ['weight', 'a'] }]);
  });

  it('drops within lists and maps', () => {
    const item: StructuralSchema = { type: 'object', properties: { a: { type: 'string' } } };
    const properties: StructuralSchema['properties'] = {
      list: { type: 'array', items: item },
      map: { type: 'object', additionalProperties: item },
    };
    const spec = { list: [{ a: 'x', b: 1 }], map: { any: { a: 'x', c: 1 } } };
    expect(storedSpec(spec, properties)).toEqual({
      spec: { list: [{ a: 'x' }], map: { any: { a: 'x' } } },
      unknown: ['spec.list[0].b', 'spec.map.any.c'],
    });
  });

  it('keeps what a schema says to keep', () => {
    const properties: StructuralSchema['properties'] = { any: { 'x-kubernetes-preserve-unknown-fields': true } };
    const spec = { any: { deep: [{ a: null }] } };
    expect(storedSpec(spec, properties)).toEqual({ spec, unknown: [] });
  });

  it('does not look up fields that JavaScript objects inherit', () => {
    expect(storedSpec({ constructor: 1, toString: 2 }, { a: {} })).toEqual({
      spec: {},
      unknown: ['spec.constructor', 'spec.toString'],
    });
    const hostile = JSON.parse('{"metadata":{"name":"web"},"spec":{"__proto__":{"a":1}}}') as JsonObject;
    const { unknown } = checkObject(hostile, schemaOf({ a: {} }));
    expect(unknown.map(({ path }) => fieldText(path))).toEqual(['spec.__proto__']);
    expect(({} as { a?: number }).a).toBeUndefined();
  });

  it('fills in defaults, also in what a default brings', () => {
    const properties: StructuralSchema['properties'] = {
      type: { type: 'string', default: 'Exact' },
      path: { type: 'object', default: {}, properties: { value: { type: 'string', default: '/' } } },
      list: { type: 'array', items: { type: 'object', properties: { n: { type: 'integer', default: 3 } } } },
    };
    expect(storedSpec({ list: [{}, { n: 0 }] }, properties).spec).toEqual({
      type: 'Exact',
      path: { value: '/' },
      list: [{ n: 3 }, { n: 0 }],
    });
  });

  it('takes null for "not written", except in lists and where null is allowed', () => {
    const properties: StructuralSchema['properties'] = {
      a: { type: 'string' },
      b: { type: 'string', default: 'x' },
      c: { type: 'string', nullable: true, default: 'x' },
    };
    expect(storedSpec({ a: null, b: null, c: null }, properties).spec).toEqual({ b: 'x', c: null });
    expect(errorsOf({ list: [null] }, { list: { type: 'array', items: { type: 'string' } } })).toEqual([
      'spec.list[0]: spec.list[0] in body must be of type string: "null"',
    ]);
  });

  it('leaves out the status on creation, whatever is in it', () => {
    const schema: StructuralSchema = {
      type: 'object',
      properties: { status: { type: 'object', required: ['phase'], properties: { phase: { type: 'string' } } } },
    };
    expect(checkObject({ metadata, status: {} }, schema).errors).toHaveLength(1);
    expect(checkObject({ metadata, status: {} }, schema, { dropStatus: true })).toEqual({
      object: { metadata },
      unknown: [],
      nulls: [],
      errors: [],
    });
  });
});

describe('checkObject: nulls', () => {
  const text: StructuralSchema = { type: 'string' };
  const schema: StructuralSchema = {
    type: 'object',
    properties: {
      name: text,
      port: { 'x-kubernetes-int-or-string': true },
      mode: { ...text, default: 'on' },
      note: { ...text, nullable: true },
      any: { 'x-kubernetes-preserve-unknown-fields': true },
      labels: { type: 'object', additionalProperties: text },
      items: { type: 'array', items: { type: 'object', properties: { name: text } } },
      none: { type: 'object' },
      status: text,
    },
  };
  const nullsOf = (object: JsonObject) => checkObject({ metadata, ...object }, schema).nulls.map(fieldText);

  it('are told, wherever the schema has a type', () => {
    const object = { name: null, port: null, labels: { a: null }, items: [{ name: 'a' }, { name: null }] };
    expect(nullsOf(object)).toEqual(['name', 'port', 'labels.a', 'items[1].name']);
  });

  it('are no matter with a default, where they are allowed, without a type, and in a status', () => {
    expect(nullsOf({ mode: null, note: null, any: null, status: null })).toEqual([]);
  });

  it('are no unknown fields of an object without fields', () => {
    expect(checkObject({ metadata, none: { a: null } }, schema).unknown).toEqual([]);
    expect(checkObject({ metadata, none: { a: 1 } }, schema).unknown).toHaveLength(1);
  });
});

describe('checkObject: lists that are sets and maps', () => {
  const byName: StructuralSchema = {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
    items: { type: 'object', properties: { name: { type: 'string' }, value: { type: 'string' } } },
  };

  it('refuses the second item with the same key', () => {
    const list: Json = [{ name: 'a' }, { name: 'b' }, { name: 'a', value: 'x' }];
    expect(errorsOf({ list }, { list: byName })).toEqual(['spec.list[2]: Duplicate value']);
  });

  it('refuses the second of equal items in a set', () => {
    const set: StructuralSchema = { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } };
    expect(errorsOf({ set: ['a', 'b', 'a'] }, { set })).toEqual(['spec.set[2]: Duplicate value']);
  });

  it('tells keys of different types apart', () => {
    const keyed = { ...byName, items: { type: 'object', properties: { name: {} } } } as const;
    expect(errorsOf({ list: [{ name: 1 }, { name: '1' }] }, { list: keyed })).toEqual([]);
  });
});

describe('checkObject: validation rules', () => {
  const ruled: StructuralSchema = {
    type: 'object',
    properties: { type: { type: 'string', default: 'Exact' }, value: { type: 'string' } },
    required: ['value'],
    'x-kubernetes-validations': [
      { rule: "self.type == 'RegularExpression' || self.value.startsWith('/')", message: 'is not absolute' },
    ],
  };

  it('refuses what a rule refuses', () => {
    expect(errorsOf({ path: { value: 'a' } }, { path: ruled })).toEqual(['spec.path: is not absolute']);
    expect(errorsOf({ path: { value: '/a' } }, { path: ruled })).toEqual([]);
    expect(errorsOf({ path: { type: 'RegularExpression', value: 'a' } }, { path: ruled })).toEqual([]);
  });

  it('does not ask rules of an object that is broken already', () => {
    expect(errorsOf({ path: { type: 'Exact' } }, { path: ruled })).toEqual(['spec.path.value: Required value']);
  });

  it('applies rules on changes to changes only', () => {
    const schema = schemaOf({
      name: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'is immutable' }] },
    });
    const object = (name: string) => ({ metadata, spec: { name } });
    expect(checkObject(object('b'), schema).errors).toEqual([]);
    expect(checkObject(object('b'), schema, { old: object('b') }).errors).toEqual([]);
    const { errors } = checkObject(object('b'), schema, { old: object('a') });
    expect(errors.map(errorText)).toEqual(['is immutable']);
  });

  it('skips a rule of no known CRD', () => {
    const odd = { type: 'string', 'x-kubernetes-validations': [{ rule: "url(self).getHost() == 'a'" }] } as const;
    expect(errorsOf({ a: 'x' }, { a: odd })).toEqual([]);
  });
});

describe('checkObject: any input', () => {
  const schema = schemaOf({
    list: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', properties: { name: { type: 'string' }, n: { type: 'integer', default: 1 } } },
    },
    any: { 'x-kubernetes-preserve-unknown-fields': true },
    map: { type: 'object', additionalProperties: { type: 'string' } },
  });
  const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;
  const objects = fc.record({ metadata: json, spec: fc.oneof(json, fc.record({ list: json, any: json, map: json })) });

  it('is never changed, and is stored the same when it is sent again', () => {
    fc.assert(
      fc.property(objects, (object) => {
        const before = JSON.stringify(object);
        const first = checkObject(object as JsonObject, schema);
        expect(JSON.stringify(object)).toBe(before);
        const second = checkObject(first.object, schema);
        expect(second.object).toEqual(first.object);
        expect(second.errors).toEqual(first.errors);
        expect(second.unknown.filter(({ path }) => path[0] !== 'metadata')).toEqual([]);
      }),
      { seed: 11, numRuns: 500 },
    );
  });
});
