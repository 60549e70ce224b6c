import { Construct } from 'constructs';
import type { GatewayKind } from '../kruise/gateway-kinds';
import type { GatewayGrantOptions } from '../kruise/gateway-rbac';
import { checkProps, inConstruct } from './construct-errors';
import { type IKruiseRolloutInstall, KruiseRolloutInstall } from './kruise-rollout-install';
import { addObject } from './objects';

// Loaded on first use, because most programs need only a part of the library.
const rbacModule = () => require('../kruise/gateway-rbac') as typeof import('../kruise/gateway-rbac');

/** Properties of a `GatewayRoleBinding`. */
export interface GatewayRoleBindingProps extends GatewayGrantOptions {
  /**
   * The install that gets the permissions.
   * @default - an install by the Helm chart of the newest release
   */
  readonly install?: IKruiseRolloutInstall;
}

/**
 * Lets the controller read and change gateway objects of a kind that its own ClusterRole does not name.
 *
 * It is a ClusterRole with a ClusterRoleBinding, because the object is in the namespace of the Rollout, and because the
 * releases up to 0.6.2 watch the kind in all namespaces. A Role in the controller's namespace grants nothing useful, and a
 * RoleBinding in the Rollout's namespace is not enough. Without the grant the controller's worker waits forever, without an
 * error.
 *
 * @example
 * new GatewayRoleBinding(this, 'Contour', { install, kinds: [GatewayKind.CONTOUR_HTTP_PROXY] });
 */
export class GatewayRoleBinding extends Construct {
  /** The kinds that this construct grants. */
  readonly kinds: readonly GatewayKind[];

  /** The kinds that the install may already read and change. */
  readonly alreadyGranted: readonly GatewayKind[];

  /** The name of ClusterRole and ClusterRoleBinding; undefined if nothing is granted. */
  readonly name: string | undefined;

  constructor(scope: Construct, id: string, props: GatewayRoleBindingProps) {
    super(scope, id);
    checkProps(this, props);
    const install = props.install ?? KruiseRolloutInstall.fromExisting();
    const { kinds, alreadyGranted } = inConstruct(this, () =>
      rbacModule().missingGrants(props.kinds, install.grantedKinds),
    );
    this.kinds = kinds;
    this.alreadyGranted = alreadyGranted;
    const [role, binding] = rbacModule().gatewayGrant(this.kinds, install, props.name);
    this.name = role?.metadata.name;
    if (role !== undefined) addObject(this, 'Role', role);
    if (binding !== undefined) addObject(this, 'Resource', binding);
  }
}
