/** VirtualEnvironments as plain data, from what every shell asks its users for. */
import type { VirtualEnvironmentSpec } from './api';
import { API_VERSION } from './api/names';

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
  { envHeader, envLabel }: VirtualEnvironmentSpec,
  metadata: VirtualEnvironmentManifest['metadata'],
): VirtualEnvironmentManifest {
  return {
    apiVersion: API_VERSION,
    kind: 'VirtualEnvironment',
    metadata,
    spec: { ...(envHeader === undefined ? {} : { envHeader }), ...(envLabel === undefined ? {} : { envLabel }) },
  };
}
