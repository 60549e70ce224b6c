import { Construct } from 'constructs';
import { GatewayKind } from '../kruise/gateway-kinds';
import { checkProps } from './construct-errors';
import { GatewayRoleBinding, type GatewayRoleBindingProps } from './gateway-role-binding';
import { KruiseRolloutInstall } from './kruise-rollout-install';

/** Properties of an `IstioRoleBinding`. */
export interface IstioRoleBindingProps extends Omit<GatewayRoleBindingProps, 'kinds'> {}

/**
 * Lets the controller read and change Istio's VirtualServices and DestinationRules, if it may not already.
 *
 * Since 0.5 the ClusterRole of every install has both kinds, so this creates nothing; see `needed` and `reason`. It creates
 * a ClusterRole and a ClusterRoleBinding for an install with fewer permissions.
 *
 * @example
 * new IstioRoleBinding(this, 'Istio', { install }).reason;
 */
export class IstioRoleBinding extends Construct {
  /** Whether anything is granted. */
  readonly needed: boolean;

  /** Why, or why not. */
  readonly reason: string;

  constructor(scope: Construct, id: string, props: IstioRoleBindingProps = {}) {
    super(scope, id);
    checkProps(this, props);
    const install = props.install ?? KruiseRolloutInstall.fromExisting();
    const kinds = [GatewayKind.ISTIO_DESTINATION_RULE, GatewayKind.ISTIO_VIRTUAL_SERVICE];
    const { name } = new GatewayRoleBinding(this, 'Default', { ...props, install, kinds });
    this.needed = name !== undefined;
    this.reason = this.needed
      ? `the ClusterRole of the install (${install.version}) does not name both kinds`
      : `the ClusterRole of the install (${install.version}) names VirtualService and DestinationRule already`;
    this.node.addMetadata('rollout-constructs:reason', this.reason);
  }
}
