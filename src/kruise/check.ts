/** Everything that is known of the objects of Kruise Rollouts: what would be refused, and what would be let in and fail. */
import { schemaRules } from '../core/schema';
import { applySuppressions, type Suppression, type SuppressionResult } from '../core/suppression';
import type { World } from '../core/world';
import { type AdmissionOptions, admissionFindings, admissionRules } from './admission';
import { type AlbCheckOptions, checkAlb, checkedAlbRules } from './alb';
import { checkGatewayPermissions, gatewayPermissionRules } from './gateway-permissions';
import { checkKruiseInstall, installRules } from './install/check';
import { checkRollouts, rolloutRules } from './rules';
import { kruiseCatalogue } from './scripts/catalogue';

/** What the objects are checked for. */
export interface KruiseCheckOptions extends AlbCheckOptions, AdmissionOptions {
  /**
   * Findings that are accepted as they are.
   * @default - those that annotations accept
   */
  readonly suppressions?: readonly Suppression[];
}

/**
 * Checks all Rollouts, TrafficRoutings and their like in a World: against the schema of the API server, the rules of the
 * webhook, and the rules of this library. Each fault comes once, as what happens first to it.
 *
 * @example checkKruise(World.of(manifests)).findings
 */
export function checkKruise(world: World, options: KruiseCheckOptions = {}): SuppressionResult {
  return applySuppressions(
    [
      ...admissionFindings(world, options),
      ...checkRollouts(world, options),
      ...checkAlb(world, options),
      ...checkKruiseInstall(world, { ...options, namespace: options.controllerNamespace }),
      ...checkGatewayPermissions(world, options),
    ],
    {
      world,
      catalogue: kruiseCatalogue(),
      checked: Object.values({
        ...schemaRules,
        ...admissionRules,
        ...rolloutRules,
        ...checkedAlbRules,
        ...installRules,
        ...gatewayPermissionRules,
      }),
      ...(options.suppressions === undefined ? {} : { suppressions: options.suppressions }),
    },
  );
}
