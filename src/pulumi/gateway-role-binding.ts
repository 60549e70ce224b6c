import type * as pulumi from '@pulumi/pulumi';
import { GatewayKind } from '../kruise/gateway-kinds';
import { GATEWAY_GRANT_PROPS, type GatewayGrantOptions, gatewayGrant, missingGrants } from '../kruise/gateway-rbac';
import { checkArgs } from './args';
import { KubernetesComponent, nameOfResource } from './component';
import { ComponentObjects } from './component-objects';
import type { Inputs } from './inputs';
import { type IKruiseRolloutInstall, KruiseRolloutInstall } from './kruise-rollout-install';

/** Arguments of a `GatewayRoleBinding`. */
export interface GatewayRoleBindingArgs extends Inputs<GatewayGrantOptions> {
  /**
   * The install that gets the permissions.
   * @default - an install by the Helm chart of the newest release
   */
  readonly install?: IKruiseRolloutInstall;
}

interface Options extends GatewayGrantOptions {
  readonly namespace: string;
  readonly serviceAccountName: string;
}

/** Grants an install the kinds that it does not have yet. */
abstract class Grant extends KubernetesComponent {
  /** The kinds that this component grants. */
  readonly kinds: readonly GatewayKind[];

  /** The kinds that the install may already read and change. */
  readonly alreadyGranted: readonly GatewayKind[];

  /** The name of ClusterRole and ClusterRoleBinding; undefined if nothing is granted. */
  readonly name: pulumi.Output<string> | undefined;

  protected constructor(
    type: string,
    component: string,
    args: GatewayRoleBindingArgs,
    options: pulumi.ComponentResourceOptions | undefined,
  ) {
    const { install = KruiseRolloutInstall.fromExisting() } = args;
    const { namespace, serviceAccountName, grantedKinds, version } = install;
    const objects = new ComponentObjects<Options>({
      type,
      name: component,
      args: { ...args, namespace, serviceAccountName },
      props: { ...GATEWAY_GRANT_PROPS, namespace: true, serviceAccountName: true },
      describe: ({ kinds, name, ...grantee }) =>
        gatewayGrant(missingGrants(kinds, grantedKinds).kinds, { ...grantee, version }, name),
    });
    super({ objects, facts: {}, after: [install] }, options);
    const { kinds, alreadyGranted } = missingGrants(args.kinds, grantedKinds);
    this.kinds = kinds;
    this.alreadyGranted = alreadyGranted;
    const [role] = this.resources;
    this.name = role && nameOfResource(role);
  }
}

/**
 * Lets the controller read and change gateway objects of kinds that its own ClusterRole does not name. Creates a ClusterRole
 * and a ClusterRoleBinding, because the objects are in the namespaces of the Rollouts.
 *
 * @example new GatewayRoleBinding('contour', { install, kinds: [GatewayKind.CONTOUR_HTTP_PROXY] });
 */
export class GatewayRoleBinding extends Grant {
  constructor(name: string, args: GatewayRoleBindingArgs, options?: pulumi.ComponentResourceOptions) {
    checkArgs('GatewayRoleBinding', name, args);
    super('GatewayRoleBinding', name, args, options);
    this.registerOutputs({ name: this.name });
  }
}

/** Arguments of an `IstioRoleBinding`. */
export type IstioRoleBindingArgs = Omit<GatewayRoleBindingArgs, 'kinds'>;

/**
 * Lets the controller read and change Istio's VirtualServices and DestinationRules, if it may not already. Since 0.5 the
 * ClusterRole of every install has both kinds, so this creates nothing; see `needed` and `reason`.
 *
 * @example new IstioRoleBinding('istio', { install }).reason;
 */
export class IstioRoleBinding extends Grant {
  /** Whether anything is granted. */
  readonly needed: boolean;

  /** Why, or why not. */
  readonly reason: string;

  constructor(name: string, args: IstioRoleBindingArgs = {}, options?: pulumi.ComponentResourceOptions) {
    checkArgs('IstioRoleBinding', name, args);
    const kinds = [GatewayKind.ISTIO_DESTINATION_RULE, GatewayKind.ISTIO_VIRTUAL_SERVICE];
    super('IstioRoleBinding', name, { ...args, kinds }, options);
    const { version } = args.install ?? KruiseRolloutInstall.fromExisting();
    this.needed = this.resources.length > 0;
    this.reason = this.needed
      ? `the ClusterRole of the install (${version}) does not name both kinds`
      : `the ClusterRole of the install (${version}) names VirtualService and DestinationRule already`;
    this.registerOutputs({ name: this.name, reason: this.reason });
  }
}
