import { API_GROUP as ARGO_GROUP, API_KINDS as ARGO_KINDS, API_VERSION as ARGO_VERSION } from '../argo/api/names';
import { apiSchema as argoSchema } from '../argo/api/schema';
import { ArgoRolloutsVersion } from '../argo/version';
import type { JsonObject } from '../core/json';
import type { StructuralSchema } from '../core/schema';
import { API_GROUP as KRUISE_GROUP } from '../kruise/api/names';
import { apiVersionsOf, API_KINDS as KRUISE_KINDS, apiSchema as kruiseSchema } from '../kruise/api/schema';
import { KruiseRolloutVersion } from '../kruise/version';
import { API_VERSION as KTENV_API } from '../ktenv/api/names';
import { virtualEnvironmentSchema } from '../ktenv/api/schema';
import { DRAFT, jsonSchemaOf } from './json-schema';

/** The releases whose kinds are described. */
export interface SchemaVersions {
  /** @default KruiseRolloutVersion.LATEST */
  readonly kruiseVersion?: KruiseRolloutVersion;
  /** @default ArgoRolloutsVersion.LATEST */
  readonly argoVersion?: ArgoRolloutsVersion;
}

/** One version of a kind, with its schema. */
export interface ManifestSchema {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** As kubectl names it: `Rollout.v1beta1.rollouts.kruise.io`. */
  readonly name: string;
  /** Without `$schema`, so that it can be a part of another one. */
  readonly schema: JsonObject;
}

/** Every kind of Kruise Rollouts, Argo Rollouts and KtEnv that a release has, in the order of their names. */
export function manifestSchemas({ kruiseVersion, argoVersion }: SchemaVersions = {}): ManifestSchema[] {
  const kruise = kruiseVersion ?? KruiseRolloutVersion.LATEST;
  const ktenv = KTENV_API.split('/') as [group: string, version: string];
  const { lacksFields } = (argoVersion ?? ArgoRolloutsVersion.LATEST).facts;
  return [
    ...KRUISE_KINDS.flatMap((kind) =>
      apiVersionsOf(kind, kruise).map((version) =>
        manifestSchema(KRUISE_GROUP, version, kind, kruiseSchema(kind, version, kruise)!),
      ),
    ),
    // Only a Rollout has fields that came later.
    ...ARGO_KINDS.map((kind) =>
      manifestSchema(ARGO_GROUP, ARGO_VERSION, kind, argoSchema(kind, kind === 'Rollout' ? lacksFields : [])),
    ),
    manifestSchema(...ktenv, 'VirtualEnvironment', virtualEnvironmentSchema()),
  ].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The schema of one kind, as a file. */
export function schemaFile({ schema }: ManifestSchema): JsonObject {
  return { $schema: DRAFT, ...schema };
}

/** One schema for all of these kinds: a manifest of another kind is not looked at. */
export function schemaOfAll(schemas: readonly ManifestSchema[]): JsonObject {
  return {
    $schema: DRAFT,
    title: 'Manifests of OpenKruise Rollouts, Argo Rollouts and KtEnv',
    description: 'Looks at the kinds of these systems, and accepts every other manifest.',
    allOf: schemas.map(({ group, version, kind, name }) => ({
      if: {
        required: ['apiVersion', 'kind'],
        properties: { apiVersion: { const: `${group}/${version}` }, kind: { const: kind } },
      },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { $ref: `#/definitions/${name}` },
    })),
    definitions: Object.fromEntries(schemas.map(({ name, schema }) => [name, schema])),
  };
}

function manifestSchema(group: string, version: string, kind: string, schema: StructuralSchema): ManifestSchema {
  const { properties, required, ...rest } = jsonSchemaOf(schema);
  return {
    group,
    version,
    kind,
    name: `${kind}.${version}.${group}`,
    schema: {
      ...rest,
      required: [...new Set(['apiVersion', 'kind', ...((required as string[] | undefined) ?? [])])],
      properties: {
        ...(properties as JsonObject),
        apiVersion: { description: 'The API of the object.', const: `${group}/${version}` },
        kind: { description: 'The kind of the object.', const: kind },
        metadata: METADATA,
      },
    },
  };
}

const text = (description: string): JsonObject => ({ type: 'string', description });

const texts = (description: string): JsonObject => ({
  type: 'object',
  description,
  additionalProperties: { type: 'string' },
});

/** What people write of the metadata; everything else of it is the API server's. */
const METADATA: JsonObject = {
  type: 'object',
  description: 'Name, namespace, labels and annotations.',
  properties: {
    name: text('The name of the object.'),
    generateName: text('The beginning of a name that the API server makes.'),
    namespace: text('The namespace of the object.'),
    labels: texts('Labels, by which other objects select this one.'),
    annotations: texts(
      'Annotations. rollout-constructs.io/ignore accepts a finding: "<rule>: <reason>", several separated by ";".',
    ),
  },
};
