import type { JsonObject } from '../core/json';
import { type CrdMetadata, column, crdOf, type PrinterColumn } from '../kubernetes/crd';
import { API_GROUP, API_KINDS, API_VERSION, type ApiKind } from './api/names';

interface KindFacts {
  readonly plural: string;
  readonly short: string;
  readonly scope: 'Cluster' | 'Namespaced';
  readonly columns: readonly PrinterColumn[];
  readonly subresources: JsonObject;
}

const AGE = column('Age', 'date', '.metadata.creationTimestamp', 'When it was created');

const KINDS: { readonly [Kind in ApiKind]: KindFacts } = {
  AnalysisRun: {
    plural: 'analysisruns',
    short: 'ar',
    scope: 'Namespaced',
    columns: [column('Status', 'string', '.status.phase', 'Where the analysis is'), AGE],
    subresources: {},
  },
  AnalysisTemplate: {
    plural: 'analysistemplates',
    short: 'at',
    scope: 'Namespaced',
    columns: [AGE],
    subresources: {},
  },
  ClusterAnalysisTemplate: {
    plural: 'clusteranalysistemplates',
    short: 'cat',
    scope: 'Cluster',
    columns: [AGE],
    subresources: {},
  },
  Experiment: {
    plural: 'experiments',
    short: 'exp',
    scope: 'Namespaced',
    columns: [column('Status', 'string', '.status.phase', 'Where the experiment is'), AGE],
    subresources: {},
  },
  Rollout: {
    plural: 'rollouts',
    short: 'ro',
    scope: 'Namespaced',
    columns: [
      column('Desired', 'integer', '.spec.replicas', 'Pods that are wanted'),
      column('Current', 'integer', '.status.replicas', 'Pods that there are'),
      column('Up-to-date', 'integer', '.status.updatedReplicas', 'Pods of the new version'),
      column('Available', 'integer', '.status.availableReplicas', 'Pods that are ready for long enough'),
      AGE,
    ],
    // The other kinds have no status subresource: their controller writes status and spec in one.
    subresources: {
      scale: {
        labelSelectorPath: '.status.selector',
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.HPAReplicas',
      },
      status: {},
    },
  },
};

/** The plural of a kind, as URLs and RBAC rules write it: `rollouts`. */
export function pluralOf(kind: ApiKind): string {
  return KINDS[kind].plural;
}

/**
 * The CustomResourceDefinitions of Argo Rollouts, made from the types in src/argo/api.
 *
 * @example argoRolloutsCrds().length // 5
 */
export function argoRolloutsCrds(metadata: CrdMetadata = {}): JsonObject[] {
  return API_KINDS.map((kind) => definitionOf(kind, metadata));
}

function definitionOf(kind: ApiKind, metadata: CrdMetadata): JsonObject {
  const { plural, short, scope, columns, subresources } = KINDS[kind];
  // The schemas are large, and most users of this file need a name only.
  const { apiSchema } = require('./api/schema') as typeof import('./api/schema');
  const versions = [{ name: API_VERSION, schema: apiSchema(kind), columns, subresources }];
  return crdOf({ group: API_GROUP, kind, plural, shortNames: [short], scope, versions }, metadata);
}
