/** Everything that is known of the objects of Kruise Rollouts: what would be refused, and what would be let in and fail. */
import type { Finding } from '../core/finding';
import type { World } from '../core/world';
import { type AdmissionOptions, admissionFindings } from './admission';
import { type AlbCheckOptions, checkAlb } from './alb';
import { checkGatewayPermissions, type GatewayPermissionOptions } from './gateway-permissions';
import { checkKruiseInstall } from './install/check';
import { checkRollouts } from './rules';

/** What the objects are checked for. */
export interface KruiseCheckOptions
  extends AlbCheckOptions,
    AdmissionOptions,
    Pick<GatewayPermissionOptions, 'routers'> {}

/**
 * Checks all Rollouts, TrafficRoutings and their like in a World: against the schema of the API server, the rules of the
 * webhook, and the rules of this library. Each fault comes once, as what happens first to it.
 *
 * @example checkKruise(World.of(manifests))
 */
export function checkKruise(world: World, options: KruiseCheckOptions = {}): Finding[] {
  return [
    ...admissionFindings(world, options),
    ...checkRollouts(world, options),
    ...checkAlb(world, options),
    ...checkKruiseInstall(world, { ...options, namespace: options.controllerNamespace }),
    ...checkGatewayPermissions(world, options),
  ];
}
