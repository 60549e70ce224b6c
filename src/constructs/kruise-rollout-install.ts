import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import type { Finding } from '../core/finding';
import { DEFAULT_CONTROLLER_NAMESPACE } from '../kruise/api/names';
import { CONTROLLER_NAME } from '../kruise/install/names';
import type { KruiseInstallOptions } from '../kruise/install/options';
import { KruiseRolloutVersion } from '../kruise/version';
import type { KubernetesObject } from '../kubernetes/api';
import { addChecks, type CheckProps, findingsFor } from './checks';
import { checkProps } from './construct-errors';
import type { LuaRoutingConfigMap } from './lua-routing-config-map';
import { addObject } from './objects';

// Loaded on first use, because most programs need only a part of the library.
const rbacModule = () => require('../kruise/gateway-rbac') as typeof import('../kruise/gateway-rbac');
const installModule = () => require('../kruise/install') as typeof import('../kruise/install');

/** An install of Kruise Rollouts, created by this app or existing. */
export interface IKruiseRolloutInstall {
  /** The controller's namespace. */
  readonly namespace: string;
  /** The ServiceAccount of the controller, which gets permissions. */
  readonly serviceAccountName: string;
  /** The release. */
  readonly version: KruiseRolloutVersion;
  /** The kinds of traffic routing, `<Kind>.<group>`, that the install may already read and change. */
  readonly grantedKinds: readonly string[];
}

/** An existing install. */
export interface ExistingKruiseRolloutInstall {
  /**
   * The controller's namespace.
   * @default 'kruise-rollout'
   */
  readonly namespace?: string;
  /**
   * The ServiceAccount of the controller.
   * @default 'kruise-rollout-controller-manager'
   */
  readonly serviceAccountName?: string;
  /**
   * The release.
   * @default KruiseRolloutVersion.LATEST
   */
  readonly version?: KruiseRolloutVersion;
  /**
   * The kinds of traffic routing, `<Kind>.<group>`, that it may already read and change.
   * @default - the kinds that the Helm chart of the release grants
   */
  readonly grantedKinds?: readonly string[];
}

/** Properties of a `KruiseRolloutInstall`. */
export interface KruiseRolloutInstallProps extends KruiseInstallOptions, Pick<CheckProps, 'suppressions' | 'warnings'> {
  /**
   * The routing scripts. A digest of them goes on the pods, so that a change restarts the controllers. The controller reads
   * the scripts at every reconcile without a restart; the restart avoids the wait of up to 1000 seconds before it retries
   * what failed with the old scripts.
   * @default - none
   */
  readonly scripts?: LuaRoutingConfigMap;
}

/**
 * Kruise Rollouts: namespace, CRDs, controllers, permissions and webhooks.
 *
 * It does what the Helm chart does, and fixes what does not work there: docs/install-kruise.md has every difference with
 * the reason. A cluster can have one install.
 *
 * @example
 * const scripts = new LuaRoutingConfigMap(this, 'Scripts', { scripts: [LuaScripts.fromLibrary('aws-alb')] });
 * new KruiseRolloutInstall(this, 'KruiseRollout', { version: KruiseRolloutVersion.V0_6_2, scripts });
 */
export class KruiseRolloutInstall extends Construct implements IKruiseRolloutInstall {
  /**
   * An existing install, by Helm, kustomize or another app, for props that take an install.
   *
   * @example
   * const install = KruiseRolloutInstall.fromExisting({ version: KruiseRolloutVersion.V0_5_0 });
   * new GatewayRoleBinding(this, 'Gateways', { install, kinds: [GatewayKind.CONTOUR_HTTP_PROXY] });
   */
  static fromExisting(install: ExistingKruiseRolloutInstall = {}): IKruiseRolloutInstall {
    const version = install.version ?? KruiseRolloutVersion.LATEST;
    return {
      namespace: install.namespace ?? DEFAULT_CONTROLLER_NAMESPACE,
      serviceAccountName: install.serviceAccountName ?? CONTROLLER_NAME,
      version,
      grantedKinds: install.grantedKinds ?? rbacModule().installGrants(version),
    };
  }

  readonly namespace: string;
  readonly serviceAccountName = CONTROLLER_NAME;
  readonly version: KruiseRolloutVersion;
  readonly grantedKinds: readonly string[];

  constructor(
    scope: Construct,
    id: string,
    private readonly props: KruiseRolloutInstallProps = {},
  ) {
    super(scope, id);
    checkProps(this, props);
    const problems = installModule().installProblems(props);
    if (problems.length > 0) {
      throw new Error(`${this.node.path}: the install cannot be written:\n- ${problems.join('\n- ')}`);
    }
    this.namespace = props.namespace ?? DEFAULT_CONTROLLER_NAMESPACE;
    this.version = props.version ?? KruiseRolloutVersion.LATEST;
    this.grantedKinds = rbacModule().installGrants(this.version, props.permissions);
    const objects = installModule()
      .kruiseInstall(props, props.scripts?.checksum)
      .map((object) => addObject(this, idOf(object), object));
    this.orderScripts(objects.find(({ kind }) => kind === 'Namespace'));
    addChecks(
      this,
      {
        kruiseVersion: this.version,
        controllerNamespace: this.namespace,
        suppressions: props.suppressions,
        warnings: props.warnings,
        external: installModule().crdsElsewhere(props),
      },
      { role: 'install' },
    );
  }

  /** The findings in the install in the app as it is now, without suppressed ones; errors first. */
  findings(): readonly Finding[] {
    return findingsFor(this);
  }

  /** Applies the scripts after their namespace, although their construct is usually created first. */
  private orderScripts(namespace: ApiObject | undefined): void {
    const { scripts } = this.props;
    if (namespace === undefined || scripts === undefined || scripts.namespace !== this.namespace) return;
    if (Chart.of(scripts) === Chart.of(this)) ApiObject.of(scripts).addDependency(namespace);
  }
}

/** The Deployment is the main object. */
function idOf({ kind, metadata }: KubernetesObject): string {
  if (kind === 'Deployment') return 'Resource';
  return ['CustomResourceDefinition', 'Role', 'RoleBinding', 'Service'].includes(kind)
    ? `${kind}-${metadata.name}`
    : kind;
}
