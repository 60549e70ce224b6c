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
import { pickProps, propProblems } from '../core/props';
import { givenArgs } from './component-objects';
import type { Inputs } from './inputs';
import { mentionsPlaceholder, OutputPlaceholders } from './output-placeholders';
import { logProblem } from './report';
import { stringifiedIn } from './stringified';

/** How the pods of the controller come by the role. Give one of the two. */
export interface VerificationAccessArgs {
  /**
   * The ARN of the cluster's OIDC provider in IAM, for roles of ServiceAccounts (IRSA).
   * @default - EKS Pod Identity
   */
  readonly oidcProviderArn?: pulumi.Input<string>;

  /**
   * The name of the cluster in EKS, for EKS Pod Identity. The add-on `eks-pod-identity-agent` has to run in the cluster.
   * @default - a role of the ServiceAccount
   */
  readonly clusterName?: pulumi.Input<string>;

  /**
   * What tokens are for, with an OIDC provider.
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
   * The ServiceAccount of the controller, the only one that is trusted.
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
 * What Argo Rollouts needs in AWS to verify target groups: a policy that allows to read them and nothing else, a role that
 * only the ServiceAccount of the controller may take, and with EKS Pod Identity the association of both. Needs
 * `@pulumi/aws`.
 *
 * @example
 * const role = new TargetGroupVerificationRole('verification', { oidcProviderArn: cluster.oidcProvider.arn });
 * // or all in one
 * new ArgoRolloutsInstall('argo', { aws: { region }, verification: { oidcProviderArn } });
 */
export class TargetGroupVerificationRole extends pulumi.ComponentResource {
  /** The ARN of the role. */
  readonly roleArn: pulumi.Output<string>;
  /** The ARN of the policy. */
  readonly policyArn: pulumi.Output<string>;

  /** What the ServiceAccount of the controller has to have; nothing with EKS Pod Identity. */
  readonly serviceAccountAnnotations: { readonly [key: string]: pulumi.Output<string> };

  constructor(name: string, args: TargetGroupVerificationRoleArgs, options?: pulumi.ComponentResourceOptions) {
    const placeholders = new OutputPlaceholders(optionsOf(givenArgs(args)));
    const { policy, trust } = documentsOf(name, givenArgs(args), placeholders);
    super('rollout-constructs:index:TargetGroupVerificationRole', name, {}, options);
    checkLater(this, name, placeholders);
    // Loaded here: who verifies no target groups needs no provider of AWS.
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

/** The issuer is a part of the ARN; what is not one is told when the ARN is checked. */
function issuerOf(arn: pulumi.Input<string>): pulumi.Input<string> {
  if (typeof arn === 'string') return issuerOfArn(arn) ?? '';
  return pulumi.output(arn).apply((known) => issuerOfArn(String(known)) ?? '');
}

/** The documents, with texts that stand for Outputs. Throws with everything that is wrong with what is plain. */
function documentsOf(name: string, args: TargetGroupVerificationRoleArgs, placeholders: OutputPlaceholders) {
  const options = placeholders.options as Options;
  const wrong = propProblems(options, { ...VERIFICATION_POLICY_PROPS, clusterName: 'string' });
  const problems = [
    ...wrong,
    ...(countOf(args) === 1 ? [] : [ONE_OF_TWO]),
    ...(wrong.length > 0 ? [] : problemsOf(options)),
  ].filter((problem) => !mentionsPlaceholder(problem));
  if (problems.length > 0) {
    const lines = problems.map((problem) => `\n- ${problem}`).join('');
    throw new pulumi.RunError(`TargetGroupVerificationRole "${name}" cannot be made:${lines}`);
  }
  const { provider, clusterName, serviceAccount, rollouts } = options;
  const trust =
    provider === undefined
      ? podIdentityTrustPolicy({ serviceAccount, ...(clusterName !== undefined && { clusterName }) })
      : irsaTrustPolicy({ ...provider, partition: '', account: '' }, serviceAccount, args.audience);
  // Regions and VPCs are written by hand, so that they are plain; what they hold was checked above.
  return { policy: verificationPolicy({ ...options, rollouts }), trust };
}

const ONE_OF_TWO =
  'give oidcProviderArn, for roles of ServiceAccounts, or clusterName, for EKS Pod Identity, and not both';

function countOf({ oidcProviderArn, clusterName }: TargetGroupVerificationRoleArgs): number {
  return [oidcProviderArn, clusterName].filter((one) => one !== undefined).length;
}

/** What is wrong with the values that are known. */
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

/** Values are checked when they are known, and what is wrong is logged. */
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
