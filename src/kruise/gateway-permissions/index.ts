import type { Finding } from '../../core/finding';
import type { World } from '../../core/world';
import { checkBindings } from './bindings';
import { type GatewayPermissionOptions, permissionCheck } from './context';
import { checkReferencedKinds } from './references';

export type { GatewayPermissionOptions, KnownInstall } from './context';
export { gatewayPermissionRules } from './rules';

/**
 * Whether the controller may change what Rollouts and TrafficRoutings name, and whether the roles that were meant to let
 * it do so have any effect. Where neither the install nor what it may do is known, what is missing is a warning.
 */
export function checkGatewayPermissions(world: World, options: GatewayPermissionOptions = {}): Finding[] {
  const check = permissionCheck(world, options);
  return [...checkReferencedKinds(check), ...checkBindings(check)];
}
