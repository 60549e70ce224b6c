import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { API_KINDS } from '../../src/argo/api/names';
import { argoRolloutsCrds, pluralOf } from '../../src/argo/crds';
import { type Json, type JsonObject, ownValue } from '../../src/core/json';
import type { StructuralSchema } from '../../src/core/schema';

const UPSTREAM = join(__dirname, '..', '..', '..', 'shared', 'upstream', 'argo-rollouts');

/** Client-side `kubectl apply` stores the whole object in an annotation; this is the limit for all annotations in bytes. */
const MAX_ANNOTATION_BYTES = 262_144;

interface Crd {
  readonly metadata: JsonObject & { readonly name: string };
  readonly spec: {
    readonly names: { readonly kind: string };
    readonly versions: readonly {
      readonly schema: { readonly openAPIV3Schema: StructuralSchema };
      readonly subresources: JsonObject;
      readonly additionalPrinterColumns: readonly { readonly name: string; readonly jsonPath: string }[];
    }[];
  };
}

const crds = (options?: Parameters<typeof argoRolloutsCrds>[0]) => argoRolloutsCrds(options) as unknown as Crd[];

/** Every key, at any depth. */
function keysIn(value: Json | undefined): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => [key, ...keysIn(child as Json)]);
}

describe('argoRolloutsCrds', () => {
  it('makes one of each kind, in the order of their names', () => {
    expect(crds().map(({ metadata }) => metadata.name)).toEqual([
      'analysisruns.argoproj.io',
      'analysistemplates.argoproj.io',
      'clusteranalysistemplates.argoproj.io',
      'experiments.argoproj.io',
      'rollouts.argoproj.io',
    ]);
  });

  it('has the plurals', () => {
    expect(API_KINDS.map(pluralOf)).toContain('clusteranalysistemplates');
  });

  it('prints columns, and scales by fields, that the schema has', () => {
    const paths = crds().flatMap(({ spec: { versions } }) =>
      versions.flatMap(({ additionalPrinterColumns, subresources, schema }) => {
        const scaled = Object.values((subresources.scale ?? {}) as JsonObject) as string[];
        return [...additionalPrinterColumns.map(({ jsonPath }) => jsonPath), ...scaled]
          .filter((path) => !path.startsWith('.metadata'))
          .map((path) => ({ path, schema: schema.openAPIV3Schema }));
      }),
    );
    const missing = paths.filter(
      ({ path, schema }) =>
        path
          .slice(1)
          .split('.')
          .reduce<unknown>((at, key) => ownValue(ownValue(at, 'properties'), key), schema) === undefined,
    );
    expect(paths.length).toBeGreaterThan(8);
    expect(missing).toEqual([]);
  });

  it('contains only fields of a CRD', () => {
    const keys = keysIn(argoRolloutsCrds());
    expect(keys.filter((key) => ['$ref', 'title', 'since', 'from'].includes(key))).toEqual([]);
  });

  it('sets labels and annotations', () => {
    expect(crds()[0]!.metadata).toEqual({ name: 'analysisruns.argoproj.io' });
    expect(crds({ labels: { a: 'b' }, annotations: { keep: 'true' } })[4]!.metadata).toEqual({
      name: 'rollouts.argoproj.io',
      labels: { a: 'b' },
      annotations: { keep: 'true' },
    });
  });

  it('is the same each time', () => {
    expect(JSON.stringify(argoRolloutsCrds())).toBe(JSON.stringify(argoRolloutsCrds()));
  });

  it('fits into the annotation of a client-side apply, unlike two of upstream', () => {
    for (const crd of argoRolloutsCrds()) expect(JSON.stringify(crd).length).toBeLessThan(MAX_ANNOTATION_BYTES);
  });
});

/**
 * What a CRD says to the API server, in one order: without words for readers, and without `atomic` of lists, which is
 * what a list is anyway.
 */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([key, one]) => !(key === 'description' && typeof one === 'string'))
    .filter(([key, one]) => !(key === 'x-kubernetes-list-type' && one === 'atomic'))
    .map(([key, one]) => [key, key === 'required' && Array.isArray(one) ? [...one].sort() : plain(one)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const FILES: Readonly<Record<string, string>> = {
  AnalysisRun: 'crd-analysis-run.yaml',
  AnalysisTemplate: 'crd-analysis-template.yaml',
  ClusterAnalysisTemplate: 'crd-cluster-analysis-template.yaml',
  Experiment: 'crd-experiment.yaml',
  Rollout: 'crd-rollout.yaml',
};

describe.skipIf(!existsSync(UPSTREAM))('compared with upstream 1.9.1 (skipped if its CRDs are not available)', () => {
  it.each(crds().map((ours) => ({ kind: ours.spec.names.kind, ours })))(
    '$kind: says the same to the API server',
    ({ kind, ours }) => {
      const theirs = parse(readFileSync(join(UPSTREAM, FILES[kind]!), 'utf8')) as Crd;
      const { 'controller-gen.kubebuilder.io/version': generator, ...annotations } = theirs.metadata
        .annotations as JsonObject;
      expect({ generator, annotations }).toEqual({ generator: expect.any(String), annotations: {} });
      expect(plain(ours)).toEqual(plain({ ...theirs, metadata: { name: theirs.metadata.name } }));
    },
  );
});
