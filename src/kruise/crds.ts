import type { JsonObject } from '../core/json';
import type { StructuralSchema } from '../core/schema/structural';
import { type CrdMetadata, column, crdOf, type PrinterColumn } from '../kubernetes/crd';
import { API_GROUP, DEFAULT_CONTROLLER_NAMESPACE } from './api';
import { API_KINDS, type ApiKind, apiSchema, apiVersionsOf } from './api/schema';
import { WEBHOOK_SERVICE_NAME } from './install/names';
import { KruiseRolloutVersion } from './version';

/** Options of the CustomResourceDefinitions. */
export interface KruiseCrdOptions extends CrdMetadata {
  /**
   * The release to install.
   * @default KruiseRolloutVersion.LATEST
   */
  readonly version?: KruiseRolloutVersion;
  /**
   * The namespace of the controller and its webhook Service.
   * @default 'kruise-rollout'
   */
  readonly namespace?: string;
}

interface KindFacts {
  readonly plural: string;
  /** The storage version, if the kind has several versions. */
  readonly stored: 'v1alpha1' | 'v1beta1';
  columns(version: string, release: KruiseRolloutVersion): readonly PrinterColumn[];
}

const AGE: PrinterColumn = { name: 'AGE', type: 'date', jsonPath: '.metadata.creationTimestamp' };

const KINDS: { readonly [Kind in ApiKind]: KindFacts } = {
  Rollout: {
    plural: 'rollouts',
    stored: 'v1beta1',
    columns: (version, { facts }) => {
      // Since 0.6 the status has the progress of a release at its top level, for every strategy.
      const at = version === 'v1beta1' && facts.blueGreen ? '.status' : '.status.canaryStatus';
      return [
        column('STATUS', 'string', '.status.phase', 'Where the rollout is'),
        column('CANARY_STEP', 'integer', `${at}.currentStepIndex`, 'The current step, from 1'),
        column('CANARY_STATE', 'string', `${at}.currentStepState`, 'What the current step does'),
        column('MESSAGE', 'string', '.status.message', 'A sentence on the status'),
        AGE,
      ];
    },
  },
  BatchRelease: {
    plural: 'batchreleases',
    stored: 'v1beta1',
    columns: (version) => [
      column(
        'KIND',
        'string',
        // Upstream uses the path of v1alpha1 in v1beta1 too, where it is always empty.
        version === 'v1beta1' ? '.spec.workloadRef.kind' : '.spec.targetReference.workloadRef.kind',
        'Kind of the workload',
      ),
      column('PHASE', 'string', '.status.phase', 'Where the release is'),
      column('BATCH', 'integer', '.status.canaryStatus.currentBatch', 'The current batch, from 0'),
      column('BATCH-STATE', 'string', '.status.canaryStatus.batchState', 'What the current batch does'),
      AGE,
    ],
  },
  RolloutHistory: { plural: 'rollouthistories', stored: 'v1alpha1', columns: () => [] },
  TrafficRouting: {
    plural: 'trafficroutings',
    stored: 'v1alpha1',
    columns: () => [
      column('STATUS', 'string', '.status.phase', 'Where the routing is'),
      column('MESSAGE', 'string', '.status.message', 'A sentence on the status'),
      AGE,
    ],
  },
};

/** The plural of a kind, as in URLs and RBAC rules: `rollouts`. */
export function pluralOf(kind: ApiKind): string {
  return KINDS[kind].plural;
}

/**
 * The CustomResourceDefinitions of a release, generated from the types in src/kruise/api.
 *
 * @example kruiseCrds({ version: KruiseRolloutVersion.V0_6_2 }).map(({ metadata }) => metadata.name)
 */
export function kruiseCrds(options: KruiseCrdOptions = {}): JsonObject[] {
  const release = options.version ?? KruiseRolloutVersion.LATEST;
  return API_KINDS.filter((kind) => apiVersionsOf(kind, release).length > 0).map((kind) =>
    definitionOf(kind, release, options),
  );
}

function definitionOf(kind: ApiKind, release: KruiseRolloutVersion, options: KruiseCrdOptions): JsonObject {
  const { plural, stored, columns } = KINDS[kind];
  const versions = apiVersionsOf(kind, release);
  const storage = versions.find((version) => version === stored) ?? versions[0];
  return crdOf(
    {
      group: API_GROUP,
      kind,
      plural,
      conversion: versions.length > 1 ? conversion(options.namespace ?? DEFAULT_CONTROLLER_NAMESPACE) : undefined,
      versions: versions.map((name) => ({
        name,
        storage: name === storage,
        schema: withoutTitles(apiSchema(kind, name, release)!),
        subresources: { status: {} },
        columns: columns(name, release),
      })),
    },
    options,
  );
}

/** The controller adds the certificate and its own review versions at run time. */
function conversion(namespace: string): JsonObject {
  return {
    strategy: 'Webhook',
    webhook: {
      conversionReviewVersions: ['v1', 'v1beta1'],
      clientConfig: { service: { namespace, name: WEBHOOK_SERVICE_NAME, path: '/convert', port: 443 } },
    },
  };
}

/** Removes the names of our types, which only the checks use. */
function withoutTitles({
  title,
  properties,
  additionalProperties,
  items,
  ...schema
}: StructuralSchema): StructuralSchema {
  return {
    ...schema,
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, property]) => [name, withoutTitles(property)]),
          ),
        }),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: withoutTitles(additionalProperties) } : {}),
    ...(items === undefined ? {} : { items: withoutTitles(items) }),
  };
}
