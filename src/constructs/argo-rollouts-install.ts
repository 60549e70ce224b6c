import { Construct } from 'constructs';
import type { ArgoInstallOptions } from '../argo/install/options';
import { ArgoRolloutsVersion } from '../argo/version';
import type { Finding } from '../core/finding';
import type { KubernetesObject } from '../kubernetes/api';
import { addChecks, type CheckProps, findingsFor } from './checks';
import { checkProps } from './construct-errors';
import { createsNamespace } from './namespace-order';
import { addObject } from './objects';

// Loaded on first use, because most programs need only a part of the library.
const installModule = () => require('../argo/install') as typeof import('../argo/install');
const namesModule = () => require('../argo/install/names') as typeof import('../argo/install/names');

/** An install of Argo Rollouts, created by this app or existing. */
export interface IArgoRolloutsInstall {
  /** The controller's namespace. */
  readonly namespace: string;
  /** The ServiceAccount of the controller, which AWS has to trust. */
  readonly serviceAccountName: string;
  /** The release. */
  readonly version: ArgoRolloutsVersion;
  /** Whether the controller watches only its own namespace. */
  readonly namespaced: boolean;
  /** The classes of Ingresses on ALBs that the controller watches. */
  readonly albIngressClasses: readonly string[];
}

/** Properties of an `ArgoRolloutsInstall`. */
export interface ArgoRolloutsInstallProps
  extends ArgoInstallOptions,
    Pick<CheckProps, 'external' | 'suppressions' | 'warnings'> {}

/**
 * Argo Rollouts: namespace, CRDs, controller, permissions, plugins, notifications, metrics and the dashboard.
 *
 * It does what upstream's manifests and the Helm chart do, with fewer permissions: docs/install-argo.md has every difference
 * with the reason. The CRDs are too large for a client-side apply: use `kubectl apply --server-side`.
 *
 * @example
 * new ArgoRolloutsInstall(this, 'ArgoRollouts', {
 *   trafficRouters: ['alb'],
 *   aws: { verifyTargetGroup: true, region: 'eu-west-1' },
 *   serviceAccountAnnotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/rollouts' },
 * });
 */
export class ArgoRolloutsInstall extends Construct implements IArgoRolloutsInstall {
  /**
   * An existing install, by Helm, kustomize or another app, for props that take an install.
   *
   * @example
   * const install = ArgoRolloutsInstall.fromExisting({ albIngressClasses: ['alb', 'internal'] });
   */
  static fromExisting(install: Partial<IArgoRolloutsInstall> = {}): IArgoRolloutsInstall {
    const { CONTROLLER_NAME, DEFAULT_NAMESPACE } = namesModule();
    return {
      namespace: install.namespace ?? DEFAULT_NAMESPACE,
      serviceAccountName: install.serviceAccountName ?? CONTROLLER_NAME,
      version: install.version ?? ArgoRolloutsVersion.LATEST,
      namespaced: install.namespaced ?? false,
      albIngressClasses: install.albIngressClasses ?? DEFAULT_ALB_CLASSES,
    };
  }

  readonly namespace: string;
  readonly serviceAccountName: string;
  readonly version: ArgoRolloutsVersion;
  readonly namespaced: boolean;
  readonly albIngressClasses: readonly string[];

  constructor(scope: Construct, id: string, props: ArgoRolloutsInstallProps = {}) {
    super(scope, id);
    checkProps(this, props);
    const problems = installModule().argoInstallProblems(props);
    if (problems.length > 0) {
      throw new Error(`${this.node.path}: the install cannot be written:\n- ${problems.join('\n- ')}`);
    }
    const { CONTROLLER_NAME, CRD_NAMES, DEFAULT_NAMESPACE } = namesModule();
    this.namespace = props.namespace ?? DEFAULT_NAMESPACE;
    this.serviceAccountName = props.serviceAccountName ?? CONTROLLER_NAME;
    this.version = props.version ?? ArgoRolloutsVersion.LATEST;
    this.namespaced = props.namespaced ?? false;
    this.albIngressClasses = props.albIngressClasses ?? DEFAULT_ALB_CLASSES;
    const objects = installModule().argoInstall(props);
    for (const object of objects) {
      const made = addObject(this, idOf(object, CONTROLLER_NAME), object);
      if (object.kind === 'Namespace') createsNamespace(made);
    }
    const hasCrds = objects.some(({ kind }) => kind === 'CustomResourceDefinition');
    const crds = hasCrds ? [] : CRD_NAMES.map((name) => ({ kind: 'CustomResourceDefinition', name }));
    addChecks(
      this,
      {
        argoVersion: this.version,
        suppressions: props.suppressions,
        warnings: props.warnings,
        external: [...(props.external ?? []), ...crds],
      },
      { role: 'install' },
    );
  }

  /** The findings in the install in the app as it is now, without suppressed ones; errors first. */
  findings(): readonly Finding[] {
    return findingsFor(this);
  }
}

/** The classes that the controller watches by default. */
const DEFAULT_ALB_CLASSES: readonly string[] = ['alb'];

/** The controller's Deployment is the main object. */
function idOf({ kind, metadata }: KubernetesObject, main: string): string {
  if (kind === 'Namespace') return kind;
  return kind === 'Deployment' && metadata.name === main ? 'Resource' : `${kind}-${metadata.name}`;
}
