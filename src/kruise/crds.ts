import type { JsonObject } from '../core/json';
import type { StructuralSchema } from '../core/schema/structural';
import { API_GROUP, DEFAULT_CONTROLLER_NAMESPACE } from './api';
import { API_KINDS, type ApiKind, apiSchema, apiVersionsOf } from './api/schema';
import { WEBHOOK_SERVICE_NAME } from './install/names';
import { KruiseRolloutVersion } from './version';

/** What the CustomResourceDefinitions of an install depend on. */
export interface KruiseCrdOptions {
  /**
   * The release that is installed.
   * @default KruiseRolloutVersion.LATEST
   */
  readonly version?: KruiseRolloutVersion;
  /**
   * Where the controller and its webhook Service run.
   * @default 'kruise-rollout'
   */
  readonly namespace?: string;
  /**
   * Labels for each of them.
   * @default - none
   */
  readonly labels?: { readonly [key: string]: string };
  /**
   * Annotations for each of them.
   * @default - none
   */
  readonly annotations?: { readonly [key: string]: string };
}

interface PrinterColumn {
  readonly name: string;
  readonly type: 'date' | 'integer' | 'string';
  readonly jsonPath: string;
  readonly description?: string;
}

interface KindFacts {
  readonly plural: string;
  /** The version in which objects are stored once there are several. */
  readonly stored: 'v1alpha1' | 'v1beta1';
  columns(version: string, release: KruiseRolloutVersion): readonly PrinterColumn[];
}

const AGE: PrinterColumn = { name: 'AGE', type: 'date', jsonPath: '.metadata.creationTimestamp' };

const KINDS: { readonly [Kind in ApiKind]: KindFacts } = {
  Rollout: {
    plural: 'rollouts',
    stored: 'v1beta1',
    columns: (version, { facts }) => {
      // From 0.6 on the status itself says where a release is, whichever strategy it follows.
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
        // Upstream prints the path of v1alpha1 in v1beta1 too, where it is always empty.
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

/** The plural of a kind, as URLs and RBAC rules write it: `rollouts`. */
export function pluralOf(kind: ApiKind): string {
  return KINDS[kind].plural;
}

/**
 * The CustomResourceDefinitions of a release, made from the types in src/kruise/api.
 *
 * @example kruiseCrds({ version: KruiseRolloutVersion.V0_6_2 }).map(({ metadata }) => metadata.name)
 */
export function kruiseCrds(options: KruiseCrdOptions = {}): JsonObject[] {
  const release = options.version ?? KruiseRolloutVersion.LATEST;
  return API_KINDS.filter((kind) => apiVersionsOf(kind, release).length > 0).map((kind) =>
    crdOf(kind, release, options),
  );
}

function crdOf(kind: ApiKind, release: KruiseRolloutVersion, options: KruiseCrdOptions): JsonObject {
  const { plural } = KINDS[kind];
  const versions = apiVersionsOf(kind, release);
  const { labels, annotations, namespace = DEFAULT_CONTROLLER_NAMESPACE } = options;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${API_GROUP}`,
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
    },
    spec: {
      group: API_GROUP,
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      scope: 'Namespaced',
      ...(versions.length > 1 ? { conversion: conversion(namespace) } : {}),
      versions: versions.map((version) => versionOf(kind, version, versions, release)),
    },
  };
}

function versionOf(
  kind: ApiKind,
  version: string,
  versions: readonly string[],
  release: KruiseRolloutVersion,
): JsonObject {
  const { stored, columns } = KINDS[kind];
  const additionalPrinterColumns = columns(version, release) as readonly (PrinterColumn & JsonObject)[];
  return {
    name: version,
    served: true,
    storage: version === (versions.includes(stored) ? stored : versions[0]),
    schema: { openAPIV3Schema: withoutTitles(apiSchema(kind, version, release)!) as unknown as JsonObject },
    subresources: { status: {} },
    ...(additionalPrinterColumns.length === 0 ? {} : { additionalPrinterColumns }),
  };
}

/** The controller adds the certificate and its own versions of the review to this. */
function conversion(namespace: string): JsonObject {
  return {
    strategy: 'Webhook',
    webhook: {
      conversionReviewVersions: ['v1', 'v1beta1'],
      clientConfig: { service: { namespace, name: WEBHOOK_SERVICE_NAME, path: '/convert', port: 443 } },
    },
  };
}

/** Without the names of our types, which are there for checks and not for a cluster. */
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

function column(name: string, type: PrinterColumn['type'], jsonPath: string, description: string): PrinterColumn {
  return { name, type, jsonPath, description };
}
