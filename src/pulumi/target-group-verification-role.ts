import * as pulumi from '@pulumi/pulumi';
import { CONTROLLER_NAME, DEFAULT_NAMESPACE } from '../argo/install/names';
import { type Annotations, IRSA_AUDIENCE, IRSA_ROLE } from '../aws/annotations';
import { issuerOfArn, oidcProvider } from '../aws/oidc-provider';
import { policyJson } from '../aws/policy-document';
import {
  DEFAULT_AUDIENCE,
  irsaTrustPolicy,
  podIdentityTrustPolicy,
  type ServiceAccountName,
} from '../aws/trust-policy';
import {
  VERIFICATION_POLICY_PROPS,
  type VerificationPolicyOptions,
  verificationPolicy,
} from '../aws/verification-policy';
import { compact } from '../core/json';
import { pickProps } from '../core/props';
import { cannotBeMade, checkArgs } from './args';
import type { Inputs } from './inputs';
import { mentionsPlaceholder, OutputPlaceholders } from './output-placeholders';
import { logProblem } from './report';
import { stringifiedIn } from './stringified';

/** How the pods of the controller get the role. Give `oidcProviderArn` or `clusterName`. */
export interface VerificationAccessArgs {
  /**
   * The ARN of the cluster's OIDC provider in IAM, for IAM roles for ServiceAccounts (IRSA).
   * @default - EKS Pod Identity
   */
  readonly oidcProviderArn?: pulumi.Input<string>;

  /**
   * The name of the cluster in EKS, for EKS Pod Identity. The cluster needs the add-on `eks-pod-identity-agent`.
   * @default - IRSA
   */
  readonly clusterName?: pulumi.Input<string>;

  /**
   * The audience of the tokens, with an OIDC provider.
   * @default 'sts.amazonaws.com'
   */
  readonly audience?: string;
}

/** Arguments of a `TargetGroupVerificationRole`. */
export interface TargetGroupVerificationRoleArgs extends Inputs<VerificationPolicyOptions>, VerificationAccessArgs {
  /**
   * The namespace of the controller.
   * @default 'argo-rollouts'
   */
  readonly namespace?: pulumi.Input<string>;

  /**
   * The ServiceAccount of the controller. The role trusts no other.
   * @default 'argo-rollouts'
   */
  readonly serviceAccountName?: pulumi.Input<string>;

  /**
   * Tags of the role and the policy.
   * @default - none
   */
  readonly tags?: { readonly [key: string]: pulumi.Input<string> };
}

interface Options extends VerificationPolicyOptions {
  readonly provider?: { readonly arn: string; readonly issuer: string };
  readonly clusterName?: string;
  readonly serviceAccount: ServiceAccountName;
}

/**
 * What Argo Rollouts needs in AWS to verify target groups: a policy that only allows to read them, a role that only the
 * controller's ServiceAccount may assume, and the association with EKS Pod Identity. Needs `@pulumi/aws`.
 *
 * @example
 * const role = new TargetGroupVerificationRole('verification', { oidcProviderArn: cluster.oidcProvider.arn });
 * // or with the install
 * new ArgoRolloutsInstall('argo', { aws: { region }, verification: { oidcProviderArn } });
 */
export class TargetGroupVerificationRole extends pulumi.ComponentResource {
  /** The ARN of the role. */
  readonly roleArn: pulumi.Output<string>;
  /** The ARN of the policy. */
  readonly policyArn: pulumi.Output<string>;

  /** Annotations that the controller's ServiceAccount needs; none with EKS Pod Identity. */
  readonly serviceAccountAnnotations: { readonly [key: string]: pulumi.Output<string> };

  constructor(name: string, args: TargetGroupVerificationRoleArgs = {}, options?: pulumi.ComponentResourceOptions) {
    checkArgs('TargetGroupVerificationRole', name, args);
    const placeholders = new OutputPlaceholders(optionsOf(args));
    const { policy, trust } = documentsOf(name, args, placeholders);
    super('rollout-constructs:index:TargetGroupVerificationRole', name, {}, options);
    checkLater(this, name, placeholders);
    // Loaded on first use: only this component needs the AWS provider.
    const { Policy } = require('@pulumi/aws/iam/policy') as typeof import('@pulumi/aws/iam/policy');
    const { Role } = require('@pulumi/aws/iam/role') as typeof import('@pulumi/aws/iam/role');
    const { RolePolicyAttachment } =
      require('@pulumi/aws/iam/rolePolicyAttachment') as typeof import('@pulumi/aws/iam/rolePolicyAttachment');
    const parent = { parent: this };
    const tags = args.tags && { tags: { ...args.tags } };
    const made = new Policy(
      `${name}-policy`,
      {
        description: 'Lets Argo Rollouts read the state of target groups',
        policy: text(placeholders, policy),
        ...tags,
      },
      parent,
    );
    const role = new Role(`${name}-role`, { assumeRolePolicy: text(placeholders, trust), ...tags }, parent);
    new RolePolicyAttachment(`${name}-attachment`, { role: role.name, policyArn: made.arn }, parent);
    this.roleArn = role.arn;
    this.policyArn = made.arn;
    this.serviceAccountAnnotations = annotationsOf(args, role.arn);
    if (args.clusterName !== undefined) this.associate(name, args, args.clusterName);
    this.registerOutputs({ roleArn: this.roleArn, policyArn: this.policyArn });
  }

  private associate(
    name: string,
    { namespace = DEFAULT_NAMESPACE, serviceAccountName = CONTROLLER_NAME, tags }: TargetGroupVerificationRoleArgs,
    clusterName: pulumi.Input<string>,
  ): void {
    const { PodIdentityAssociation } =
      require('@pulumi/aws/eks/podIdentityAssociation') as typeof import('@pulumi/aws/eks/podIdentityAssociation');
    new PodIdentityAssociation(
      `${name}-association`,
      {
        clusterName,
        namespace,
        serviceAccount: serviceAccountName,
        roleArn: this.roleArn,
        ...(tags && { tags: { ...tags } }),
      },
      { parent: this },
    );
  }
}

function optionsOf(args: TargetGroupVerificationRoleArgs): object {
  const {
    oidcProviderArn: arn,
    clusterName,
    namespace = DEFAULT_NAMESPACE,
    serviceAccountName = CONTROLLER_NAME,
  } = args;
  return compact({
    ...pickProps(args, VERIFICATION_POLICY_PROPS),
    provider: arn === undefined ? undefined : { arn, issuer: issuerOf(arn) },
    clusterName,
    serviceAccount: { namespace, name: serviceAccountName },
  });
}

/** The issuer is a part of the ARN. The check of the ARN reports one without an issuer. */
function issuerOf(arn: pulumi.Input<string>): pulumi.Input<string> {
  if (typeof arn === 'string') return issuerOfArn(arn) ?? '';
  return pulumi.output(arn).apply((known) => issuerOfArn(String(known)) ?? '');
}

/** The documents, with placeholders for Outputs. Throws one error with every problem of the plain values. */
function documentsOf(name: string, args: TargetGroupVerificationRoleArgs, placeholders: OutputPlaceholders) {
  const options = placeholders.options as Options;
  const problems = [...(countOf(args) === 1 ? [] : [ONE_OF_TWO]), ...problemsOf(options)].filter(
    (problem) => !mentionsPlaceholder(problem),
  );
  if (problems.length > 0) throw cannotBeMade(`TargetGroupVerificationRole "${name}"`, problems);
  const { provider, clusterName, serviceAccount, rollouts } = options;
  const trust =
    provider === undefined
      ? podIdentityTrustPolicy({ serviceAccount, ...(clusterName !== undefined && { clusterName }) })
      : irsaTrustPolicy({ ...provider, partition: '', account: '' }, serviceAccount, args.audience);
  return { policy: verificationPolicy({ ...options, rollouts }), trust };
}

const ONE_OF_TWO =
  'give oidcProviderArn, for roles of ServiceAccounts, or clusterName, for EKS Pod Identity, and not both';

function countOf({ oidcProviderArn, clusterName }: TargetGroupVerificationRoleArgs): number {
  return [oidcProviderArn, clusterName].filter((one) => one !== undefined).length;
}

/** The problems of the values known so far. */
function problemsOf({ provider, ...options }: Options): string[] {
  const checks = [
    () => provider && oidcProvider(provider.arn),
    () => verificationPolicy(options),
    ...stringifiedIn({ provider, ...options }).map((path) => () => {
      throw new Error(`${path} holds an Output that was written into a text: give the Output itself`);
    }),
  ];
  return checks.flatMap((check) => {
    try {
      check();
      return [];
    } catch (error) {
      return [(error as Error).message];
    }
  });
}

/** Checks values when they are known, and logs their problems. */
function checkLater(component: pulumi.Resource, name: string, placeholders: OutputPlaceholders): void {
  const said = new Set<string>();
  for (const { settled } of placeholders.all) {
    void settled.then(() => {
      for (const problem of problemsOf(placeholders.options as Options)) {
        if (mentionsPlaceholder(problem) || said.has(problem)) continue;
        said.add(problem);
        logProblem(`TargetGroupVerificationRole "${name}": ${problem}`, component);
      }
    });
  }
}

function text(placeholders: OutputPlaceholders, document: Parameters<typeof policyJson>[0]): pulumi.Input<string> {
  return placeholders.withOutputs(policyJson(document)) as pulumi.Input<string>;
}

function annotationsOf(
  { oidcProviderArn, audience = DEFAULT_AUDIENCE }: TargetGroupVerificationRoleArgs,
  roleArn: pulumi.Output<string>,
): { readonly [key: string]: pulumi.Output<string> } {
  if (oidcProviderArn === undefined) return {};
  const plain: Annotations = audience === DEFAULT_AUDIENCE ? {} : { [IRSA_AUDIENCE]: audience };
  const entries = Object.entries(plain).map(([key, value]) => [key, pulumi.output(value)]);
  return { [IRSA_ROLE]: roleArn, ...Object.fromEntries(entries) };
}
