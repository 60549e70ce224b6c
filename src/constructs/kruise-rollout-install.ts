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
import { stackOf } from './stack';
import { readWorld } from './world';

// Loaded at the first use, because most of what loads this library needs only a part of it.
const rbacModule = () => require('../kruise/gateway-rbac') as typeof import('../kruise/gateway-rbac');
const installModule = () => require('../kruise/install') as typeof import('../kruise/install');

/** An install of Kruise Rollouts, made here or by somebody else. */
export interface IKruiseRolloutInstall {
  /** The controller's namespace. */
  readonly namespace: string;
  /** The ServiceAccount as which the controller runs: the one to grant something to. */
  readonly serviceAccountName: string;
  /** The release. */
  readonly version: KruiseRolloutVersion;
  /** The kinds of traffic routing, `<Kind>.<group>`, that the install may already read and change. */
  readonly grantedKinds: readonly string[];
}

/** An install that is there already. */
export interface ExistingKruiseRolloutInstall {
  /**
   * The controller's namespace.
   * @default 'kruise-rollout'
   */
  readonly namespace?: string;
  /**
   * The ServiceAccount as which the controller runs.
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
   * @default - what the Helm chart of the release grants
   */
  readonly grantedKinds?: readonly string[];
}

/** Properties of a `KruiseRolloutInstall`. */
export interface KruiseRolloutInstallProps extends KruiseInstallOptions, Pick<CheckProps, 'suppressions' | 'warnings'> {
  /**
   * The routing scripts. A digest of them goes on the pods, so that a change rolls the controllers. That is not needed
   * for the controller to read them, which it does at every reconcile; it spares the wait of up to 1000 seconds before
   * the controller retries what failed with the old ones.
   * @default - none
   */
  readonly scripts?: LuaRoutingConfigMap;
}

/**
 * Kruise Rollouts: namespace, CRDs, controllers, their rights and their webhooks.
 *
 * It does what the Helm chart does, and mends what does not work there: docs/install-kruise.md has every difference with
 * the reason. There can be one install in a cluster.
 *
 * @example
 * const scripts = new LuaRoutingConfigMap(this, 'Scripts', { scripts: [LuaScripts.fromLibrary('aws-alb')] });
 * new KruiseRolloutInstall(this, 'KruiseRollout', { version: KruiseRolloutVersion.V0_6_2, scripts });
 */
export class KruiseRolloutInstall extends Construct implements IKruiseRolloutInstall {
  /**
   * An install that was made by Helm, by kustomize or by another app, to be named where an install is asked for.
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
    checkProps(this, props, installModule().KRUISE_INSTALL_PROPS);
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
    addChecks(this, {
      version: this.version,
      controllerNamespace: this.namespace,
      suppressions: props.suppressions,
      warnings: props.warnings,
      external: installModule().crdsElsewhere(props),
    });
  }

  /** What the checks find in the install as the app is now, suppressed findings left out; errors first. */
  findings(): readonly Finding[] {
    return findingsFor(this, readWorld(stackOf(this)));
  }

  /** The scripts are usually made first, but cannot be applied before the namespace that they live in. */
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
