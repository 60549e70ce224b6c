/** All checks of Kruise Rollouts objects: those that the cluster would refuse, and those that it would accept but that fail. */
import type { Finding } from '../core/finding';
import type { World } from '../core/world';
import { type AdmissionOptions, admissionFindings } from './admission';
import { type AlbCheckOptions, checkAlb } from './alb';
import { checkGatewayPermissions, type GatewayPermissionOptions } from './gateway-permissions';
import { checkKruiseInstall } from './install/check';
import { checkRollouts } from './rules';

/** Options of the checks. */
export interface KruiseCheckOptions
  extends AlbCheckOptions,
    AdmissionOptions,
    Pick<GatewayPermissionOptions, 'routers'> {}

/**
 * Checks all Kruise Rollouts objects in a World against the schemas of the API server, the rules of the webhook and the
 * rules of this library. Reports each defect once, at its first consequence.
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
