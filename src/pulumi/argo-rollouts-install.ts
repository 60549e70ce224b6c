import * as pulumi from '@pulumi/pulumi';
import { ARGO_INSTALL_PROPS, type ArgoInstallOptions, argoInstall, argoInstallProblems } from '../argo/install';
import { CONTROLLER_NAME, CRD_NAMES, DEFAULT_NAMESPACE } from '../argo/install/names';
import { ArgoRolloutsVersion } from '../argo/version';
import { IRSA_AUDIENCE, IRSA_ROLE } from '../aws/annotations';
import { DEFAULT_AUDIENCE } from '../aws/trust-policy';
import { checkArgs } from './args';
import type { CheckArgs } from './checks';
import { KubernetesComponent } from './component';
import { ComponentObjects } from './component-objects';
import type { Inputs } from './inputs';
import { TargetGroupVerificationRole, type TargetGroupVerificationRoleArgs } from './target-group-verification-role';

/** An install of Argo Rollouts, created by this program or existing. */
export interface IArgoRolloutsInstall {
  /** The controller's namespace. */
  readonly namespace: pulumi.Input<string>;
  /** The ServiceAccount of the controller, which AWS has to trust. */
  readonly serviceAccountName: pulumi.Input<string>;
  /** The release. */
  readonly version: ArgoRolloutsVersion;
}

/** Arguments of an `ArgoRolloutsInstall`. */
export interface ArgoRolloutsInstallArgs
  extends Inputs<ArgoInstallOptions>,
    Pick<CheckArgs, 'external' | 'suppressions' | 'warnings'> {
  /**
   * Verifies target groups in AWS. Creates a role for the ServiceAccount and turns `aws.verifyTargetGroup` on. Needs
   * `aws.region`.
   * @default - nothing is created in AWS
   */
  readonly verification?: Omit<TargetGroupVerificationRoleArgs, 'namespace' | 'serviceAccountName'>;
}

/**
 * Argo Rollouts: namespace, CRDs, controller, permissions, plugins, notifications, metrics and the dashboard. The CRDs, and
 * with them every Rollout, stay in the cluster when the install is deleted, unless `crds` is `'remove'`.
 *
 * @example
 * new ArgoRolloutsInstall('argo', {
 *   trafficRouters: ['alb'],
 *   aws: { region: 'eu-west-1' },
 *   verification: { oidcProviderArn: cluster.oidcProvider.arn },
 * });
 */
export class ArgoRolloutsInstall extends KubernetesComponent implements IArgoRolloutsInstall {
  /** An existing install, by Helm, kustomize or another program, for arguments that take an install. */
  static fromExisting(install: Partial<IArgoRolloutsInstall> = {}): IArgoRolloutsInstall {
    return {
      namespace: install.namespace ?? DEFAULT_NAMESPACE,
      serviceAccountName: install.serviceAccountName ?? CONTROLLER_NAME,
      version: install.version ?? ArgoRolloutsVersion.LATEST,
    };
  }

  readonly namespace: pulumi.Output<string>;
  readonly serviceAccountName: pulumi.Output<string>;
  readonly version: ArgoRolloutsVersion;

  /** The CRDs. Every object of their kinds depends on them. */
  readonly crds: readonly pulumi.CustomResource[];

  /** The role in AWS, with `verification`. */
  readonly verificationRole: TargetGroupVerificationRole | undefined;

  constructor(name: string, args: ArgoRolloutsInstallArgs = {}, options?: pulumi.ComponentResourceOptions) {
    checkArgs('ArgoRolloutsInstall', name, args);
    const { external, suppressions, warnings, verification } = args;
    // The role is a child of this component, so its ARN exists only after the component is created.
    const later = laterOutput();
    const objects = new ComponentObjects<ArgoInstallOptions>({
      type: 'ArgoRolloutsInstall',
      name,
      args: verification === undefined ? args : verifying(args, verification, later.promise),
      props: ARGO_INSTALL_PROPS,
      several: SEVERAL,
      problems: argoInstallProblems,
      describe: (plain) => argoInstall(plain),
    });
    const hasCrds = objects.objects.some(({ kind }) => kind === 'CustomResourceDefinition');
    const crds = hasCrds ? [] : CRD_NAMES.map((crd) => ({ kind: 'CustomResourceDefinition', name: crd }));
    super(
      {
        objects,
        facts: {
          argoVersion: args.version,
          suppressions: [...(suppressions ?? []), ...associated(args)],
          warnings,
          external: [...(external ?? []), ...crds],
        },
        retained: args.crds === 'remove' ? [] : ['CustomResourceDefinition'],
      },
      options,
    );
    this.version = args.version ?? ArgoRolloutsVersion.LATEST;
    this.namespace = pulumi.output(args.namespace ?? DEFAULT_NAMESPACE);
    this.serviceAccountName = pulumi.output(args.serviceAccountName ?? CONTROLLER_NAME);
    this.crds = this.resourcesOf('CustomResourceDefinition');
    if (verification !== undefined) {
      const { namespace, serviceAccountName } = this;
      this.verificationRole = new TargetGroupVerificationRole(
        `${name}-verification`,
        { ...verification, namespace, serviceAccountName },
        { parent: this },
      );
      later.resolve(this.verificationRole.roleArn);
    }
    this.registerOutputs({ namespace: this.namespace, serviceAccountName: this.serviceAccountName });
  }
}

/** With EKS Pod Identity no object in the cluster names the role. */
function associated({ verification, aws }: ArgoRolloutsInstallArgs): NonNullable<CheckArgs['suppressions']> {
  if (verification?.clusterName === undefined || aws?.verifyTargetGroup === false) return [];
  const reason = 'an association of EKS Pod Identity, made with the install, gives the role to the pods';
  return [{ rule: 'argo-verification-without-permissions', reason }];
}

/** Kinds with several objects in an install: for controller, dashboard and notifications. */
const SEVERAL = [
  'ClusterRole',
  'ClusterRoleBinding',
  'ConfigMap',
  'CustomResourceDefinition',
  'Deployment',
  'Role',
  'RoleBinding',
  'Secret',
  'Service',
  'ServiceAccount',
  'ServiceMonitor',
];

function laterOutput() {
  let resolve: (value: pulumi.Output<string>) => void = () => undefined;
  const promise = new Promise<pulumi.Output<string>>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}

/** The options of an install with the role on its ServiceAccount; EKS Pod Identity needs no annotation. */
function verifying(
  install: ArgoRolloutsInstallArgs,
  { oidcProviderArn, audience = DEFAULT_AUDIENCE }: NonNullable<ArgoRolloutsInstallArgs['verification']>,
  roleArn: Promise<pulumi.Output<string>>,
): object {
  const annotations = {
    [IRSA_ROLE]: roleArn,
    ...(audience === DEFAULT_AUDIENCE ? {} : { [IRSA_AUDIENCE]: audience }),
  };
  return {
    ...install,
    aws: { verifyTargetGroup: true, ...install.aws },
    serviceAccountAnnotations: {
      ...install.serviceAccountAnnotations,
      ...(oidcProviderArn === undefined ? {} : annotations),
    },
  };
}
