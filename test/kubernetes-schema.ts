import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { argoRolloutsCrds } from '../src/argo/crds';
import type { Manifest } from '../src/core';
import { checkObject, type StructuralSchema } from '../src/core/schema';
import { kruiseCrds } from '../src/kruise/crds';
import { ktenvCrd } from '../src/ktenv/crds';
import { IAM_SCHEMAS } from './aws/iam-schemas';

/** Kinds of other projects, for which there is no schema here. */
const WITHOUT_SCHEMA = [
  'ApisixRoute',
  'Application',
  'Certificate',
  'HTTPProxy',
  'IngressClassParams',
  'Issuer',
  'Kustomization',
  'ServiceMonitor',
  'VirtualService',
];

interface Crd {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly {
      readonly name: string;
      readonly schema: { readonly openAPIV3Schema: StructuralSchema };
    }[];
  };
}

const UPSTREAM = join(__dirname, '..', '..', 'shared', 'upstream');

/** Upstream's CRDs where they are at hand, which a user's clone has not; ours are compared with them elsewhere. */
function crds(): readonly Crd[] {
  return [...upstreamCrds('kruise-rollouts', kruiseCrds), ...upstreamCrds('argo-rollouts', argoRolloutsCrds)];
}

function upstreamCrds(project: string, ours: () => readonly object[]): readonly Crd[] {
  const folder = join(UPSTREAM, project);
  if (!existsSync(folder)) return ours() as unknown as Crd[];
  return readdirSync(folder)
    .filter((name) => name.startsWith('crd-'))
    .flatMap((name) => parseAllDocuments(readFileSync(join(folder, name), 'utf8')).map((document) => document.toJS()));
}

const schemas = new Map<string, StructuralSchema>();

function crdSchemas(): ReadonlyMap<string, StructuralSchema> {
  if (schemas.size === 0) {
    for (const [kind, schema] of IAM_SCHEMAS) schemas.set(kind, schema);
    for (const { spec } of [...crds(), ktenvCrd() as unknown as Crd]) {
      for (const { name, schema } of spec.versions) {
        schemas.set(`${spec.group}/${name} ${spec.names.kind}`, schema.openAPIV3Schema);
      }
    }
  }
  return schemas;
}

/** What the API server would say to an object: by its CRD, or by the schema of Kubernetes itself. */
export function schemaProblems(manifest: Manifest): string[] {
  const { apiVersion, kind } = manifest;
  const schema = crdSchemas().get(`${apiVersion} ${kind}`);
  if (schema) {
    const { errors, unknown } = checkObject(manifest.object, schema);
    return [...errors, ...unknown].map((problem) => JSON.stringify(problem));
  }
  if (WITHOUT_SCHEMA.includes(kind)) return [];
  try {
    const Model = require(`kubernetes-models/${apiVersion}/${kind}`)[kind];
    new Model(manifest.object).validate();
    return [];
  } catch (error) {
    return [`${apiVersion} ${kind} ${manifest.name}: ${(error as Error).message}`];
  }
}
