import { describe, expect, it } from 'vitest';
import { apiSchemas, apiSources, committedSchemas } from '../../../scripts/write-api-schemas';
import { predicateOf } from '../../../src/core/schema';
import { apiSchema, apiSchemaOf, apiVersionsOf } from '../../../src/kruise/api/schema';
import { KruiseRolloutVersion } from '../../../src/kruise/version';

const { V0_4_0, V0_5_0, V0_6_2, NEXT } = KruiseRolloutVersion;

function generate(text: string) {
  return JSON.parse(apiSchemas(new Map([['example.ts', text]])));
}

/** A kind with a spec of the given members. */
function specOf(members: string, more = '') {
  const text = `${more}
    export interface Thing {
      readonly apiVersion: 'example.com/v1'; readonly kind: 'Thing'; readonly metadata: object;
      readonly spec: Spec;
    }
    export interface Spec {\n${members}\n}`;
  return generate(text).definitions.Spec;
}

describe('schemas.json', () => {
  it('matches the types (npm run schemas)', () => {
    expect(apiSchemas(apiSources()) === committedSchemas()).toBe(true);
  });
});

describe('the schema of a type', () => {
  it('requires the properties that are not optional', () => {
    expect(specOf('readonly a: string; readonly b?: boolean;')).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'boolean' } },
      required: ['a'],
    });
  });

  it('does not require properties that the CRD leaves to a webhook', () => {
    expect(specOf('/** @crdOptional */ readonly a: string;').required).toBeUndefined();
  });

  it('reads descriptions and checks from the doc comment', () => {
    const { a } = specOf(
      '/**\n * One\n * thing.\n * @minLength 1\n * @default "x"\n */ readonly a?: string;',
    ).properties;
    expect(a).toEqual({ type: 'string', description: 'One thing.', minLength: 1, default: 'x' });
  });

  it('treats the text after a dash in @default as a description', () => {
    expect(specOf('/** @default - whatever */ readonly a?: string;').properties.a).toEqual({ type: 'string' });
  });

  it('merges a union of objects: a property is required if all require it, and allowed even if one forbids it', () => {
    const more = `interface A { readonly x: string; readonly b?: never; readonly a: string }
      interface B { readonly x: string; readonly a?: never; readonly b: string }
      type Either = A | B;`;
    const text = `${more} export interface Thing { readonly apiVersion: 'e/v1'; readonly kind: 'Thing';
      readonly metadata: object; readonly spec: Either }`;
    expect(generate(text).definitions.Either).toEqual({
      type: 'object',
      properties: { x: { type: 'string' }, a: { type: 'string' }, b: { type: 'string' } },
      required: ['x'],
    });
  });

  it('makes an enum of literals and a map of an index signature', () => {
    const { a, m } = specOf("readonly a?: 'x' | 'y'; readonly m?: { readonly [key: string]: string }").properties;
    expect(a).toEqual({ type: 'string', enum: ['x', 'y'] });
    expect(m).toEqual({ type: 'object', additionalProperties: { type: 'string' } });
  });

  it('separates the checks of a later stage', () => {
    expect(specOf('/** @maxItems 16 next */ readonly a?: readonly string[];').properties.a.from).toEqual({
      next: { maxItems: 16 },
    });
  });

  it.each([
    ['/** @maximal 3 */ readonly a?: number;', 'unknown tag @maximal'],
    ['/** @since yesterday */ readonly a?: number;', '@since yesterday'],
    ['readonly a?: Date;', 'example.ts'],
    ['readonly a?: undefined;', 'has no schema'],
  ])('refuses %s', (members, message) => {
    expect(() => specOf(members)).toThrow(message);
  });
});

describe('apiSchema', () => {
  const strategy = (release: KruiseRolloutVersion) =>
    apiSchema('Rollout', 'v1beta1', release)!.properties!.spec!.properties!.strategy!.properties!;

  it('has a field from the release that added it', () => {
    expect(Object.keys(strategy(V0_5_0))).toEqual(['paused', 'canary']);
    expect(Object.keys(strategy(V0_6_2))).toContain('blueGreen');
  });

  it('has a check from the release that added it', () => {
    expect(strategy(V0_6_2).canary!.properties!.steps!.maxItems).toBeUndefined();
    expect(strategy(NEXT).canary!.properties!.steps!.maxItems).toBe(50);
  });

  it('requires status fields from the release that writes them', () => {
    const required = (release: KruiseRolloutVersion) =>
      apiSchema('Rollout', 'v1beta1', release)!.properties!.status!.properties!.canaryStatus!.required;
    expect(required(V0_5_0)).not.toContain('nextStepIndex');
    expect(required(V0_6_2)).toContain('nextStepIndex');
  });

  it('has the kinds and versions of the release', () => {
    expect(apiVersionsOf('Rollout', V0_4_0)).toEqual(['v1alpha1']);
    expect(apiVersionsOf('Rollout', V0_5_0)).toEqual(['v1alpha1', 'v1beta1']);
    expect(apiSchema('TrafficRouting', 'v1alpha1', KruiseRolloutVersion.V0_3_0)).toBeUndefined();
    expect(apiSchema('Deployment', 'v1')).toBeUndefined();
  });

  it('finds the schema of an object by its group', () => {
    const object = (apiVersion: string) => ({ apiVersion, kind: 'Rollout' });
    expect(apiSchemaOf(object('rollouts.kruise.io/v1beta1'))).toBe(apiSchema('Rollout', 'v1beta1'));
    expect(apiSchemaOf(object('argoproj.io/v1alpha1'))).toBeUndefined();
  });

  it('names every type, field and rule that it can evaluate', () => {
    const definitions = JSON.parse(committedSchemas()).definitions;
    const rules = definitions.HttpPathMatch.from.next['x-kubernetes-validations'] as { rule: string }[];
    expect(rules.map(({ rule }) => rule).filter((rule) => predicateOf(rule) === undefined)).toEqual([]);
    const undescribed = Object.entries<{ properties?: Record<string, { description?: string }> }>(definitions).flatMap(
      ([name, { properties = {} }]) =>
        Object.entries(properties)
          .filter(([field, { description }]) => !['apiVersion', 'kind', 'metadata'].includes(field) && !description)
          .map(([field]) => `${name}.${field}`),
    );
    expect(undescribed).toEqual([]);
  });
});
