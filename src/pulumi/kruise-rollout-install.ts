import * as pulumi from '@pulumi/pulumi';
import type { LuaScripts } from '../files/scripts/lua-scripts';
import { DEFAULT_CONTROLLER_NAMESPACE } from '../kruise/api/names';
import { installGrants } from '../kruise/gateway-rbac';
import { rewrittenByInstall } from '../kruise/gitops';
import { crdsElsewhere, installProblems, KRUISE_INSTALL_PROPS, kruiseInstall } from '../kruise/install';
import { CONTROLLER_NAME } from '../kruise/install/names';
import type { KruiseInstallOptions } from '../kruise/install/options';
import { routingChecksum } from '../kruise/scripts/config-map';
import { KruiseRolloutVersion } from '../kruise/version';
import { checkArgs } from './args';
import type { CheckArgs } from './checks';
import { KubernetesComponent } from './component';
import { ComponentObjects } from './component-objects';
import type { Inputs } from './inputs';
import { LuaRoutingConfigMap } from './lua-routing-config-map';

/** An install of Kruise Rollouts, created by this program or existing. */
export interface IKruiseRolloutInstall {
  /** The controller's namespace. */
  readonly namespace: pulumi.Input<string>;
  /** The ServiceAccount of the controller, which gets permissions. */
  readonly serviceAccountName: pulumi.Input<string>;
  /** The release. */
  readonly version: KruiseRolloutVersion;
  /** The kinds of traffic routing, `<Kind>.<group>`, that the install may already read and change. */
  readonly grantedKinds: readonly string[];
}

/** An existing install. The defaults are those of the Helm chart of the release. */
export type ExistingKruiseRolloutInstall = Partial<IKruiseRolloutInstall>;

/** Arguments of a `KruiseRolloutInstall`. */
export interface KruiseRolloutInstallArgs
  extends Inputs<KruiseInstallOptions>,
    Pick<CheckArgs, 'suppressions' | 'warnings'> {
  /**
   * The routing scripts. The install creates their ConfigMap in its namespace. Of an existing `LuaRoutingConfigMap` it only
   * puts a digest on the pods, so that a change of scripts restarts the controllers.
   * @default - none
   */
  readonly scripts?: readonly LuaScripts[] | LuaRoutingConfigMap;
}

/**
 * Kruise Rollouts: namespace, CRDs, controllers, permissions and webhooks. The CRDs, and with them every Rollout, stay in
 * the cluster when the install is deleted, unless `crds` is `'remove'`.
 *
 * @example
 * const install = new KruiseRolloutInstall('kruise', { scripts: [LuaScripts.fromLibrary('aws-alb')] }, { provider });
 * new KruiseRollout('web', { install, workload, strategy, trafficRouting });
 */
export class KruiseRolloutInstall extends KubernetesComponent implements IKruiseRolloutInstall {
  /**
   * An existing install, by Helm, kustomize or another program, for arguments that take an install.
   *
   * @example new GatewayRoleBinding('contour', { install: KruiseRolloutInstall.fromExisting(), kinds });
   */
  static fromExisting(install: ExistingKruiseRolloutInstall = {}): IKruiseRolloutInstall {
    const version = install.version ?? KruiseRolloutVersion.LATEST;
    return {
      namespace: install.namespace ?? DEFAULT_CONTROLLER_NAMESPACE,
      serviceAccountName: install.serviceAccountName ?? CONTROLLER_NAME,
      version,
      grantedKinds: install.grantedKinds ?? installGrants(version),
    };
  }

  readonly namespace: pulumi.Output<string>;
  readonly serviceAccountName: pulumi.Output<string>;
  readonly version: KruiseRolloutVersion;
  readonly grantedKinds: readonly string[];

  /** The CRDs. Every object of their kinds depends on them. */
  readonly crds: readonly pulumi.CustomResource[];

  /** The Deployment of the controllers, which also answer the webhooks. */
  readonly deployment: pulumi.CustomResource;

  constructor(name: string, args: KruiseRolloutInstallArgs = {}, options?: pulumi.ComponentResourceOptions) {
    checkArgs('KruiseRolloutInstall', name, args);
    const { scripts, suppressions, warnings, version = KruiseRolloutVersion.LATEST } = args;
    const checksum = checksumOf(scripts);
    const objects = new ComponentObjects<KruiseInstallOptions>({
      type: 'KruiseRolloutInstall',
      name,
      args,
      props: KRUISE_INSTALL_PROPS,
      several: ['CustomResourceDefinition', 'Role', 'RoleBinding', 'Service'],
      problems: installProblems,
      describe: (plain) => kruiseInstall(plain, checksum),
    });
    super(
      {
        objects,
        facts: { kruiseVersion: version, suppressions, warnings, external: crdsElsewhere(objects.options) },
        rewritten: rewrittenByInstall(objects.world),
        retained: args.crds === 'remove' ? [] : ['CustomResourceDefinition'],
      },
      options,
    );
    this.version = version;
    this.namespace = pulumi.output(args.namespace ?? DEFAULT_CONTROLLER_NAMESPACE);
    this.serviceAccountName = pulumi.output(CONTROLLER_NAME);
    this.grantedKinds = installGrants(version, args.permissions);
    this.crds = this.resourcesOf('CustomResourceDefinition');
    this.deployment = this.resourceOf('Deployment')!;
    if (Array.isArray(scripts)) this.makeScripts(`${name}-scripts`, scripts, args);
    this.registerOutputs({ namespace: this.namespace, serviceAccountName: this.serviceAccountName });
  }

  private makeScripts(name: string, scripts: readonly LuaScripts[], { namespace, version }: KruiseRolloutInstallArgs) {
    const made = this.resourceOf('Namespace');
    new LuaRoutingConfigMap(
      name,
      {
        scripts,
        ...(namespace && { namespace }),
        ...(version && { kruiseVersion: version }),
        ...(made && { after: [made] }),
      },
      { parent: this },
    );
  }
}

function checksumOf(scripts: KruiseRolloutInstallArgs['scripts']): string | undefined {
  if (scripts === undefined) return undefined;
  if (scripts instanceof LuaRoutingConfigMap) return scripts.checksum;
  return routingChecksum(scripts.flatMap((each) => each.scripts));
}
