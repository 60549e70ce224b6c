import * as pulumi from '@pulumi/pulumi';
import { ARGO_INSTALL_PROPS, type ArgoInstallOptions, argoInstall, argoInstallProblems } from '../argo/install';
import { CONTROLLER_NAME, CRD_NAMES, DEFAULT_NAMESPACE } from '../argo/install/names';
import { ArgoRolloutsVersion } from '../argo/version';
import { IRSA_AUDIENCE, IRSA_ROLE } from '../aws/annotations';
import { DEFAULT_AUDIENCE } from '../aws/trust-policy';
import type { CheckArgs } from './checks';
import { KubernetesComponent } from './component';
import { ComponentObjects } from './component-objects';
import type { Inputs } from './inputs';
import { TargetGroupVerificationRole, type TargetGroupVerificationRoleArgs } from './target-group-verification-role';

/** An install of Argo Rollouts, made here or by somebody else. */
export interface IArgoRolloutsInstall {
  /** The controller's namespace. */
  readonly namespace: pulumi.Input<string>;
  /** The ServiceAccount as which the controller runs: the one to trust in AWS. */
  readonly serviceAccountName: pulumi.Input<string>;
  /** The release. */
  readonly version: ArgoRolloutsVersion;
}

/** Arguments of an `ArgoRolloutsInstall`. */
export interface ArgoRolloutsInstallArgs
  extends Inputs<ArgoInstallOptions>,
    Pick<CheckArgs, 'external' | 'suppressions' | 'warnings'> {
  /**
   * Verifies target groups in AWS, with a role that is made for it: `aws.verifyTargetGroup` is on, and the ServiceAccount
   * has the role. `aws.region` has to be given.
   * @default - nothing is made in AWS
   */
  readonly verification?: Omit<TargetGroupVerificationRoleArgs, 'namespace' | 'serviceAccountName'>;
}

/**
 * Argo Rollouts: namespace, CRDs, controller, its rights, plugins and notifications, metrics and the dashboard. The CRDs,
 * and with them every Rollout, stay in the cluster when the install goes, unless `crds` is `'remove'`.
 *
 * @example
 * new ArgoRolloutsInstall('argo', {
 *   trafficRouters: ['alb'],
 *   aws: { region: 'eu-west-1' },
 *   verification: { oidcProviderArn: cluster.oidcProvider.arn },
 * });
 */
export class ArgoRolloutsInstall extends KubernetesComponent implements IArgoRolloutsInstall {
  /** An install that was made by Helm, by kustomize or by another program, to be named where an install is asked for. */
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

  /** The CRDs, on which everything of these kinds depends. */
  readonly crds: readonly pulumi.CustomResource[];

  /** The role in AWS, with `verification`. */
  readonly verificationRole: TargetGroupVerificationRole | undefined;

  constructor(name: string, args: ArgoRolloutsInstallArgs = {}, options?: pulumi.ComponentResourceOptions) {
    const { external, suppressions, warnings, verification } = args;
    // The role is a child of this component, which has to be there first; its ARN is filled in afterwards.
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

/** With EKS Pod Identity nothing in the cluster tells of the role. */
function associated({ verification, aws }: ArgoRolloutsInstallArgs): NonNullable<CheckArgs['suppressions']> {
  if (verification?.clusterName === undefined || aws?.verifyTargetGroup === false) return [];
  const reason = 'an association of EKS Pod Identity, made with the install, gives the role to the pods';
  return [{ rule: 'argo-verification-without-permissions', reason }];
}

/** Kinds of which an install has several objects, for controller, dashboard and notifications. */
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

/** The options of an install whose ServiceAccount has the role, unless EKS Pod Identity gives it to the pods. */
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
