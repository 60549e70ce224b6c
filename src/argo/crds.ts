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

const AGE = column('Age', 'date', '.metadata.creationTimestamp', 'The time of creation');

const KINDS: { readonly [Kind in ApiKind]: KindFacts } = {
  AnalysisRun: {
    plural: 'analysisruns',
    short: 'ar',
    scope: 'Namespaced',
    columns: [column('Status', 'string', '.status.phase', 'The phase of the analysis'), AGE],
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
    columns: [column('Status', 'string', '.status.phase', 'The phase of the experiment'), AGE],
    subresources: {},
  },
  Rollout: {
    plural: 'rollouts',
    short: 'ro',
    scope: 'Namespaced',
    columns: [
      column('Desired', 'integer', '.spec.replicas', 'The desired number of pods'),
      column('Current', 'integer', '.status.replicas', 'The current number of pods'),
      column('Up-to-date', 'integer', '.status.updatedReplicas', 'The number of pods of the new version'),
      column('Available', 'integer', '.status.availableReplicas', 'The number of available pods'),
      AGE,
    ],
    // The other kinds have no status subresource: the controller writes their status and spec together.
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

/** The plural of a kind, as in URLs and RBAC rules: `rollouts`. */
export function pluralOf(kind: ApiKind): string {
  return KINDS[kind].plural;
}

/**
 * The CustomResourceDefinitions of Argo Rollouts, generated from the types in src/argo/api.
 *
 * @example argoRolloutsCrds().length // 5
 */
export function argoRolloutsCrds(metadata: CrdMetadata = {}): JsonObject[] {
  return API_KINDS.map((kind) => definitionOf(kind, metadata));
}

function definitionOf(kind: ApiKind, metadata: CrdMetadata): JsonObject {
  const { plural, short, scope, columns, subresources } = KINDS[kind];
  // Loaded here because the schemas are large, and most callers need only a name.
  const { apiSchema } = require('./api/schema') as typeof import('./api/schema');
  const versions = [{ name: API_VERSION, schema: apiSchema(kind), columns, subresources }];
  return crdOf({ group: API_GROUP, kind, plural, shortNames: [short], scope, versions }, metadata);
}
