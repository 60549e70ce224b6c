import type { Finding } from '../../core/finding';
import type { World } from '../../core/world';
import { checkBindings } from './bindings';
import { type GatewayPermissionOptions, permissionCheck } from './context';
import { checkReferencedKinds } from './references';

export type { GatewayPermissionOptions, KnownInstall } from './context';
export { gatewayPermissionRules } from './rules';

/**
 * Checks that the controller may change the objects that Rollouts and TrafficRoutings name, and that roles for this purpose
 * have an effect. If the permissions of the install are unknown, a missing permission is a warning.
 */
export function checkGatewayPermissions(world: World, options: GatewayPermissionOptions = {}): Finding[] {
  const check = permissionCheck(world, options);
  return [...checkReferencedKinds(check), ...checkBindings(check)];
}
