/** VirtualEnvironments as plain data, from what every shell asks its users for. */
import type { EnvHeader, VirtualEnvironmentSpec } from './api';
import { API_VERSION, ENVIRONMENTS_ANNOTATION } from './api/names';
import { type KtEnvNamespaceOptions, ktenvNamespaceLabels } from './install';

/** What a VirtualEnvironment is made of. */
export interface VirtualEnvironmentOptions extends VirtualEnvironmentSpec {
  /**
   * Environments that requests will name although no workload need carry them.
   * @default - those that workloads carry
   */
  readonly environments?: readonly string[];
}

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

/** The VirtualEnvironment. */
export function virtualEnvironmentManifest(
  { envHeader, envLabel, environments = [] }: VirtualEnvironmentOptions,
  metadata: VirtualEnvironmentManifest['metadata'],
): VirtualEnvironmentManifest {
  const annotations = { [ENVIRONMENTS_ANNOTATION]: environments.join(',') };
  return {
    apiVersion: API_VERSION,
    kind: 'VirtualEnvironment',
    metadata: { ...metadata, ...(environments.length === 0 ? {} : { annotations }) },
    spec: { ...(envHeader === undefined ? {} : { envHeader }), ...(envLabel === undefined ? {} : { envLabel }) },
  };
}

/** What decides on the labels of the namespace of a VirtualEnvironment. */
export interface EnvironmentNamespaceOptions extends KtEnvNamespaceOptions {
  /**
   * @default - the operator's
   */
  readonly envHeader?: EnvHeader;
}

/**
 * The labels that the namespace of a VirtualEnvironment needs. Tags are for the EnvoyFilter of `autoInject`, unless it is
 * said that they are for another.
 *
 * @example environmentNamespaceLabels({ istioRevision: '1-24' }) // { 'istio.io/rev': '1-24' }
 */
export function environmentNamespaceLabels(options: EnvironmentNamespaceOptions): Readonly<Record<string, string>> {
  const { envHeader, istioRevision, tagInjection = envHeader?.autoInject ?? false } = options;
  return ktenvNamespaceLabels({ tagInjection, ...(istioRevision === undefined ? {} : { istioRevision }) });
}
