import fc from 'fast-check';
import type { Json, JsonObject } from '../../../src/core/json';
import type { StructuralSchema } from '../../../src/core/schema';

/** Values of a type other than that of the field. */
const ODD: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, 0, -1, 1.5, 2147483648, '', 'x', '20%', 'a//b', [], {}, [null], { name: 'x' }),
  fc.array(fc.constantFrom<Json>('a', 'b', null), { maxLength: 3 }),
);

/** Objects that mostly follow a schema, with occasional wrong values, unknown fields, missing fields and duplicates. */
export function objectsOf(schema: StructuralSchema, oddity = 12): fc.Arbitrary<JsonObject> {
  const odd = (arbitrary: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
    fc.oneof({ weight: 100 - oddity, arbitrary }, { weight: oddity, arbitrary: ODD });

  function anyOf(one: StructuralSchema): fc.Arbitrary<Json> {
    if (one['x-kubernetes-int-or-string']) return odd(fc.constantFrom<Json>(1, 3, '20%', '100%'));
    if (one.enum) return odd(fc.constantFrom(...one.enum));
    switch (one.type) {
      case 'object':
        return odd(one.additionalProperties ? mapOf(one) : fieldsOf(one));
      case 'array':
        return odd(fc.array(anyOf(one.items!), { maxLength: 3 }));
      case 'string':
        return odd(
          one.format === 'date-time'
            ? fc.constantFrom('2025-01-31T12:00:00Z', '2025-02-30T12:00:00Z', 'yesterday')
            : fc.constantFrom('name', 'a-b', 'white space', '/a', '/a//b', '/a/..', '50%', 'x'.repeat(300)),
        );
      case 'integer':
        return odd(fc.integer({ min: -2, max: 100 }));
      case 'boolean':
        return odd(fc.boolean());
      default:
        return ODD;
    }
  }

  function mapOf(one: StructuralSchema): fc.Arbitrary<Json> {
    return fc.dictionary(fc.constantFrom('app', 'tier'), anyOf(one.additionalProperties as StructuralSchema));
  }

  function fieldsOf(one: StructuralSchema): fc.Arbitrary<JsonObject> {
    const fields = Object.fromEntries(
      Object.entries(one.properties ?? {}).map(([name, field]) => [name, anyOf(field)]),
    );
    const required = fc.record(fields, { requiredKeys: [...(one.required ?? [])] });
    const unknown = fc.constantFrom<JsonObject>({}, {}, {}, {}, {}, {}, { misspelt: 1 }, { weight: { a: 1 } });
    return fc.tuple(required, unknown).map(([known, more]) => ({ ...more, ...known }) as JsonObject);
  }

  return fieldsOf(schema);
}
