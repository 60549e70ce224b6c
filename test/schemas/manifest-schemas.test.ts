import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { argoRolloutsCrds } from '../../src/argo/crds';
import { ArgoRolloutsVersion } from '../../src/argo/version';
import { ruleGroups } from '../../src/check';
import { isJsonObject, type Json, type JsonObject } from '../../src/core/json';
import { lazy } from '../../src/core/lazy';
import { pruneObject, type StructuralSchema, validateValue } from '../../src/core/schema';
import { kruiseCrds } from '../../src/kruise/crds';
import { KruiseRolloutVersion } from '../../src/kruise/version';
import { ktenvCrd } from '../../src/ktenv/crds';
import { jsonSchemaOf } from '../../src/schemas/json-schema';
import { manifestSchemas, schemaOfAll } from '../../src/schemas/manifest-schemas';

/** JSON Schema as editors evaluate it. cdk8s-cli is the nearest that has ajv. */
function validator(schema: object): (value: unknown) => boolean {
  const { default: Ajv } = createRequire(require.resolve('cdk8s-cli/package.json'))('ajv');
  const formats = { int32: true, int64: true, 'date-time': true, double: true };
  // Strict: a word that is no keyword of JSON Schema is an error.
  // Shorter code would say the same, and takes longer to make than this test runs it.
  const code = { optimize: false };
  return new Ajv({ strict: true, strictTypes: false, strictRequired: false, formats, code }).compile(schema);
}

const schemas = manifestSchemas();
const acceptsAll = lazy(() => validator(schemaOfAll(schemas)));

describe('the schemas of the kinds', () => {
  it('have every kind of the three systems', () => {
    expect(schemas.map(({ name }) => name)).toEqual([
      'AnalysisRun.v1alpha1.argoproj.io',
      'AnalysisTemplate.v1alpha1.argoproj.io',
      'BatchRelease.v1alpha1.rollouts.kruise.io',
      'BatchRelease.v1beta1.rollouts.kruise.io',
      'ClusterAnalysisTemplate.v1alpha1.argoproj.io',
      'Experiment.v1alpha1.argoproj.io',
      'Rollout.v1alpha1.argoproj.io',
      'Rollout.v1alpha1.rollouts.kruise.io',
      'Rollout.v1beta1.rollouts.kruise.io',
      'RolloutHistory.v1alpha1.rollouts.kruise.io',
      'TrafficRouting.v1alpha1.rollouts.kruise.io',
      'VirtualEnvironment.v1alpha2.env.alibaba.com',
    ]);
  });

  it('describe every field that people write', () => {
    const undescribed: string[] = [];
    const visit = (schema: { properties?: object; items?: object; description?: string }, path: string): void => {
      if (schema.description === undefined && !path.endsWith('[]')) undescribed.push(path);
      for (const [name, each] of Object.entries(schema.properties ?? {})) visit(each, `${path}.${name}`);
      if (schema.items !== undefined) visit(schema.items, `${path}[]`);
    };
    for (const { kind, schema } of schemas) visit(schema, kind);
    expect(undescribed).toEqual([]);
  });

  it('accept what the API server keeps as it is, and nothing else', () => {
    const accepts = acceptsAll();
    const seen = { accepted: 0, refused: 0 };
    const different: string[] = [];
    for (const { rules } of ruleGroups) {
      for (const { id, failing, corrected } of rules) {
        for (const object of [failing, corrected].flatMap(({ text }) => documentsOf(text)).flatMap(withMistakes)) {
          const structural = STRUCTURAL.get(`${object.apiVersion} ${object.kind}`)!;
          const { apiVersion: _, kind: __, metadata: ___, ...rest } = object;
          const kept =
            pruneObject(structuredClone(rest), structural).unknown.length === 0 &&
            validateValue(rest, structural).length === 0;
          seen[kept ? 'accepted' : 'refused']++;
          if (accepts(object) !== kept) different.push(`${id}: ${JSON.stringify(object)}`);
        }
      }
    }
    expect(different).toEqual([]);
    expect(seen.accepted).toBeGreaterThan(200);
    expect(seen.refused).toBeGreaterThan(200);
  });

  it('accept every other manifest', () => {
    const accepts = acceptsAll();
    expect(accepts({ apiVersion: 'v1', kind: 'Service', spec: { anything: 'goes' } })).toBe(true);
    expect(accepts({ apiVersion: 'example.com/v1', kind: 'Rollout', spec: 3 })).toBe(true);
    expect(accepts({ apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', spec: 3 })).toBe(false);
  });

  it('differ between releases', () => {
    const stepOf = (version: string) => {
      const all = manifestSchemas({ kruiseVersion: KruiseRolloutVersion.of(version) });
      return JSON.stringify(all.find(({ name }) => name === 'Rollout.v1beta1.rollouts.kruise.io'));
    };
    expect(stepOf('0.6.2')).toContain('"queryParams"');
    expect(stepOf('0.5.0')).not.toContain('"queryParams"');
    const argo = (version: string) => JSON.stringify(manifestSchemas({ argoVersion: ArgoRolloutsVersion.of(version) }));
    expect(argo('1.7.0').length).toBeLessThan(argo('1.9.1').length);
  });
});

describe('a schema of a CRD', () => {
  const cases: readonly (readonly [StructuralSchema, object])[] = [
    [
      { type: 'string', nullable: true, enum: ['a'] },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    [
      { type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 5 },
      { type: 'integer', minimum: 1, exclusiveMinimum: 1, maximum: 5 },
    ],
    [
      { type: 'object', properties: { a: { type: 'string' } } },
      { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
    ],
    [
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: {} },
      { type: 'object', properties: {} },
    ],
    [{ type: 'object' }, { type: 'object' }],
    [
      { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
      { type: 'array', items: { type: 'string' }, uniqueItems: true },
    ],
    [
      { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
      { anyOf: [{ type: 'integer' }, { type: 'string' }] },
    ],
    [
      { type: 'object', properties: { a: {} }, oneOf: [{ properties: { a: { type: 'string' } } }] },
      {
        type: 'object',
        properties: { a: {} },
        additionalProperties: false,
        oneOf: [{ properties: { a: { type: 'string' } } }],
      },
    ],
  ];

  it.each(cases)('becomes JSON Schema: %j', (schema, expected) => {
    expect(jsonSchemaOf(schema)).toEqual(expected);
  });
});

/** The schemas in the CRDs, by apiVersion and kind. */
const STRUCTURAL: ReadonlyMap<string, StructuralSchema> = new Map(
  ([...kruiseCrds(), ...argoRolloutsCrds(), ktenvCrd()] as unknown as Crd[]).flatMap(({ spec }) =>
    spec.versions.map(
      ({ name, schema }) => [`${spec.group}/${name} ${spec.names.kind}`, schema.openAPIV3Schema] as const,
    ),
  ),
);

interface Crd {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly schema: { openAPIV3Schema: StructuralSchema } }[];
  };
}

interface Document {
  readonly apiVersion: string;
  readonly kind: string;
  readonly [field: string]: Json;
}

/** The objects of a text that have a schema here. */
function documentsOf(text: string): Document[] {
  if (!/argoproj\.io|rollouts\.kruise\.io|env\.alibaba\.com/.test(text)) return [];
  try {
    return parseAllDocuments(text, { merge: false })
      .map((each) => each.toJS())
      .filter((each) => STRUCTURAL.has(`${each?.apiVersion} ${each?.kind}`));
  } catch {
    return [];
  }
}

/** An object, the same with a field that nobody knows deep within, and the same with a value of a wrong type. */
function withMistakes(object: Document): Document[] {
  const [unknown, mistyped] = [structuredClone(object), structuredClone(object)];
  let deepest = unknown.spec as JsonObject | undefined;
  let wrong = mistyped.spec as JsonObject | undefined;
  if (!isJsonObject(deepest) || !isJsonObject(wrong)) return [object];
  for (let next: Json | undefined = deepest; next !== undefined; next = Object.values(next).find(isJsonObject)) {
    deepest = next as JsonObject;
  }
  (deepest as Record<string, Json>).nobodyKnowsThis = 1;
  const last = Object.keys(wrong).at(-1);
  if (last === undefined) return [object, unknown];
  wrong = wrong as Record<string, Json>;
  (wrong as Record<string, Json>)[last] = [true];
  return [object, unknown, mistyped];
}
