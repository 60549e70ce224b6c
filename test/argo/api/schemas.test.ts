import { describe, expect, it } from 'vitest';
import { apiSchemas, apiSources, committedSchemas } from '../../../scripts/write-api-schemas';
import { API_KINDS } from '../../../src/argo/api';
import { apiSchema, apiSchemaOf } from '../../../src/argo/api/schema';
import { predicateOf, type StructuralSchema, withDefaults } from '../../../src/core/schema';

/** A kind with a spec of the given members. */
function specOf(members: string, more = '') {
  const text = `${more}
    export interface Thing {
      readonly apiVersion: 'example.com/v1'; readonly kind: 'Thing'; readonly metadata: object;
      readonly spec: Spec;
    }
    export interface Spec {\n${members}\n}`;
  return JSON.parse(apiSchemas(new Map([['example.ts', text]]))).definitions.Spec;
}

/** Every schema in a schema, including itself. */
function within(schema: StructuralSchema): StructuralSchema[] {
  const below = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items === undefined ? [] : [schema.items]),
    ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
  ];
  return [schema, ...below.flatMap(within)];
}

describe('schemas.json', () => {
  it('matches the types (npm run schemas)', () => {
    expect(apiSchemas(apiSources('argo')) === committedSchemas('argo')).toBe(true);
  });

  it('describes every field', () => {
    const { definitions } = JSON.parse(committedSchemas('argo')) as {
      definitions: Record<string, { properties?: Record<string, { description?: string }> }>;
    };
    const undescribed = Object.entries(definitions).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([field, { description }]) => !['apiVersion', 'kind', 'metadata'].includes(field) && !description)
        .map(([field]) => `${name}.${field}`),
    );
    expect(Object.keys(definitions).length).toBeGreaterThan(100);
    expect(undescribed).toEqual([]);
  });

  it('has rules that can be evaluated here', () => {
    const rules = API_KINDS.flatMap((kind) =>
      within(apiSchema(kind)).flatMap((one) => one['x-kubernetes-validations'] ?? []),
    );
    expect(rules.map(({ rule }) => rule)).toEqual(['self == oldSelf']);
    expect(rules.every(({ rule }) => predicateOf(rule) !== undefined)).toBe(true);
  });

  it('has valid defaults', () => {
    for (const kind of API_KINDS) {
      const schema = apiSchema(kind);
      const defaulted = withDefaults({ spec: {} }, schema);
      expect(withDefaults(defaulted, schema)).toEqual(defaulted);
    }
  });
});

describe('the schema of a type', () => {
  it('keeps preserved values unchanged, regardless of their type', () => {
    const more = '/** @preserved object */ export interface Any { readonly [key: string]: unknown }';
    const { any, list } = specOf(
      'readonly any?: Any;\n/** @preserved */ readonly list?: readonly Whatever[];',
      more,
    ).properties;
    expect(any).toEqual({ $ref: 'Any' });
    expect(list).toEqual({ 'x-kubernetes-preserve-unknown-fields': true });
  });

  it('supports lists with several keys', () => {
    const { a } = specOf(
      '/** @listMapKey x y */ readonly a?: readonly { readonly x: string; readonly y: string }[];',
    ).properties;
    expect(a['x-kubernetes-list-map-keys']).toEqual(['x', 'y']);
  });

  it('accepts any string if the API does, although the type lists the useful ones', () => {
    const { a } = specOf("/** @open */ readonly a?: 'x' | 'y';").properties;
    expect(a).toEqual({ type: 'string' });
  });

  it('supports atomic maps', () => {
    const { a } = specOf('/** @mapAtomic */ readonly a?: { readonly [key: string]: string };').properties;
    expect(a['x-kubernetes-map-type']).toBe('atomic');
  });
});

describe('apiSchemaOf', () => {
  it('finds the schema of an object by its group, version and kind', () => {
    expect(apiSchemaOf({ apiVersion: 'argoproj.io/v1alpha1', kind: 'Experiment' })).toBe(apiSchema('Experiment'));
    expect(apiSchemaOf({ apiVersion: 'argoproj.io/v1beta1', kind: 'Experiment' })).toBeUndefined();
    expect(apiSchemaOf({ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application' })).toBeUndefined();
  });
});
