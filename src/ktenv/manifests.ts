/** VirtualEnvironments as plain data, from their options, the same for every shell. */
import { compact, type JsonObject } from '../core/json';
import type { PropTable } from '../core/props';
import type { EnvHeader, EnvLabel, VirtualEnvironmentSpec } from './api';
import { API_VERSION, ENVIRONMENTS_ANNOTATION } from './api/names';
import { ktenvNamespaceLabels, ktenvOperator } from './install';

/** The options of a VirtualEnvironment and of what its namespace needs. */
export interface VirtualEnvironmentOptions {
  /**
   * The header by which requests name their environment.
   * @default - X-Virtual-Env
   */
  readonly envHeader?: EnvHeader;
  /**
   * The label by which pods name their environment, and the environment that answers the rest.
   * @default - virtual-env, levels separated by dots, and no default environment
   */
  readonly envLabel?: EnvLabel;
  /**
   * Environments that requests will name although no workload need carry them, as those of developers who run one
   * service of their own. Each is checked to reach what it says, and shown by `rollout-constructs env preview`, which
   * reads them from the annotation `rollout-constructs.io/environments`.
   * @default - those that workloads carry
   */
  readonly environments?: readonly string[];
  /**
   * Whether the Namespace is written too, with the labels that sidecars and tags need.
   * @default false
   */
  readonly createNamespace?: boolean;
  /**
   * The revision of Istio whose sidecars the pods of the namespace get.
   * @default - the one without a revision, by istio-injection: enabled
   */
  readonly istioRevision?: string;
  /**
   * Whether the webhook puts the environment of a pod into its sidecar, where an EnvoyFilter finds it.
   * @default - true with envHeader.autoInject, else false
   */
  readonly tagInjection?: boolean;
  /**
   * The operator of the namespace: written too, or installed by other means.
   * @default true
   */
  readonly operator?: boolean;
  /**
   * The image of the operator.
   * @default - the release 0.6.0 of upstream
   */
  readonly operatorImage?: string;
}

/** The same at run time. */
export const VIRTUAL_ENVIRONMENT_PROPS: PropTable<VirtualEnvironmentOptions> = {
  envHeader: 'object',
  envLabel: 'object',
  environments: 'list',
  createNamespace: 'boolean',
  istioRevision: 'string',
  tagInjection: 'boolean',
  operator: 'boolean',
  operatorImage: 'string',
};

/** A VirtualEnvironment, without a name where none is given. */
export interface VirtualEnvironmentManifest {
  readonly apiVersion: string;
  readonly kind: 'VirtualEnvironment';
  readonly metadata: {
    readonly name?: string;
    readonly namespace?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: VirtualEnvironmentSpec;
}

/**
 * The objects of a namespace with environments: the Namespace, if it is asked for, the VirtualEnvironment and its operator.
 *
 * @example virtualEnvironmentObjects({ envLabel: { defaultSubset: 'dev' } }, { namespace: 'shop', name: 'shop' })
 */
export function virtualEnvironmentObjects(
  options: VirtualEnvironmentOptions,
  metadata: { readonly namespace: string; readonly name?: string },
): (JsonObject | VirtualEnvironmentManifest)[] {
  const { createNamespace = false, operator = true, operatorImage: image } = options;
  const { namespace } = metadata;
  const labels = environmentNamespaceLabels(options);
  return [
    // It has to be there before what is in it, and objects are applied in this order.
    ...(createNamespace ? [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } }] : []),
    virtualEnvironmentManifest(options, metadata),
    ...(operator ? ktenvOperator(compact({ namespace, image })) : []),
  ];
}

function virtualEnvironmentManifest(
  { envHeader, envLabel, environments = [] }: VirtualEnvironmentOptions,
  metadata: VirtualEnvironmentManifest['metadata'],
): VirtualEnvironmentManifest {
  const annotations = { [ENVIRONMENTS_ANNOTATION]: environments.join(',') };
  return {
    apiVersion: API_VERSION,
    kind: 'VirtualEnvironment',
    metadata: { ...metadata, ...(environments.length === 0 ? {} : { annotations }) },
    spec: compact({ envHeader, envLabel }),
  };
}

/**
 * The labels that the namespace of a VirtualEnvironment needs. Tags are for the EnvoyFilter of `autoInject`, unless
 * `tagInjection` is given.
 *
 * @example environmentNamespaceLabels({ istioRevision: '1-24' }) // { 'istio.io/rev': '1-24' }
 */
export function environmentNamespaceLabels(
  options: Pick<VirtualEnvironmentOptions, 'envHeader' | 'istioRevision' | 'tagInjection'>,
): Readonly<Record<string, string>> {
  const { envHeader, istioRevision, tagInjection = envHeader?.autoInject ?? false } = options;
  return ktenvNamespaceLabels(compact({ tagInjection, istioRevision }));
}
