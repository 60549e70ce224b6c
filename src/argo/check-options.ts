import type { ExternalObjects } from '../core/external';
import type { ArgoRolloutsVersion } from './version';

/** What checks of Argo Rollouts know of the cluster in addition to the manifests. */
export interface ArgoCheckOptions extends ExternalObjects {
  /**
   * The version of the controller.
   * @default ArgoRolloutsVersion.LATEST
   */
  readonly version?: ArgoRolloutsVersion;
}
