/** Builds VirtualEnvironments as plain data from their options, for every shell. */
import { compact, type JsonObject } from '../core/json';
import type { PropTable } from '../core/props';
import type { EnvHeader, EnvLabel, VirtualEnvironmentSpec } from './api';
import { API_VERSION, ENVIRONMENTS_ANNOTATION } from './api/names';
import { ktenvNamespaceLabels, ktenvOperator } from './install';

/** Options of a VirtualEnvironment and of its namespace. */
export interface VirtualEnvironmentOptions {
  /**
   * The header in which requests name their environment.
   * @default - X-Virtual-Env
   */
  readonly envHeader?: EnvHeader;
  /**
   * The label in which pods name their environment, and the default environment.
   * @default - virtual-env, levels separated by dots, and no default environment
   */
  readonly envLabel?: EnvLabel;
  /**
   * Environments that requests name although no workload has them, such as those of developers who run one service. They
   * are checked to have routes. The construct writes them to the annotation `rollout-constructs.io/environments`, from
   * which `rollout-constructs env preview` reads them.
   * @default - those of the workloads
   */
  readonly environments?: readonly string[];
  /**
   * Whether to create the Namespace too, with the labels for sidecar and tag injection.
   * @default false
   */
  readonly createNamespace?: boolean;
  /**
   * The revision of Istio that injects sidecars into the namespace.
   * @default - the default revision, with istio-injection: enabled
   */
  readonly istioRevision?: string;
  /**
   * Whether the webhook copies the environment of a pod to its sidecar, where an EnvoyFilter can read it.
   * @default - true with envHeader.autoInject, false without
   */
  readonly tagInjection?: boolean;
  /**
   * Whether to create the operator of the namespace too.
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
  envHeader: true,
  envLabel: true,
  environments: true,
  createNamespace: true,
  istioRevision: true,
  tagInjection: true,
  operator: true,
  operatorImage: true,
};

/** A VirtualEnvironment; its metadata has only what the caller gives. */
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
 * The objects of a namespace with environments: the VirtualEnvironment and, as requested, the Namespace and the operator.
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
    // First, because objects are applied in this order.
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
