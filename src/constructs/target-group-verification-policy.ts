import { Construct } from 'constructs';
import type { AwsAccess, SecretVariable } from '../aws/access';
import type { Annotations } from '../aws/annotations';
import { isRegion, parseArn, partitionOfRegion } from '../aws/arn';
import { type IamObjects, iamObjects } from '../aws/objects';
import { type PolicyDocument, policyJson } from '../aws/policy-document';
import type { ServiceAccountName } from '../aws/trust-policy';
import { type VerificationPolicyOptions, verificationPolicy } from '../aws/verification-policy';
import type { Finding } from '../core/finding';
import type { World } from '../core/world';
import { addChecks, type CheckProps, findingsFor } from './checks';
import { checkProps, inConstruct } from './construct-errors';
import { waitsForNamespace } from './namespace-order';
import { addObject } from './objects';

/** Properties of a `TargetGroupVerificationPolicy`. */
export interface TargetGroupVerificationPolicyProps
  extends VerificationPolicyOptions,
    Pick<CheckProps, 'suppressions' | 'warnings'> {
  /** How the controller gets the permissions. */
  readonly access: AwsAccess;

  /** The region of the load balancers, as `AWS_REGION`: the controller has no flag for it. */
  readonly region: string;

  /**
   * The ServiceAccount of the controller.
   * @default - { namespace: 'argo-rollouts', name: 'argo-rollouts' }
   */
  readonly serviceAccount?: ServiceAccountName;

  /**
   * The name of the policy in AWS.
   * @default - that of the role
   */
  readonly policyName?: string;

  /**
   * The controller that creates policy, role and association in AWS.
   * @default - none: you create them from `toJson()` and `trustPolicyJson()`
   */
  readonly objects?: IamObjects;

  /**
   * Tags of the resources in AWS.
   * @default - none
   */
  readonly tags?: { readonly [key: string]: string };
}

/** The props of an install of Argo Rollouts that verifies target groups. */
export interface VerifyingInstallProps {
  /** The namespace of the controller. */
  readonly namespace: string;
  /**
   * An existing ServiceAccount, which needs the annotations already.
   * @default - the install creates its own
   */
  readonly serviceAccountName?: string;
  /** The verification of target groups: its region, and how the pod gets its role. */
  readonly aws: {
    readonly verifyTargetGroup: true;
    readonly region: string;
    readonly access: Pick<AwsAccess, 'serviceAccountAnnotations' | 'podAnnotations' | 'namespaceAnnotations' | 'env'>;
  };
}

/**
 * The permissions for Argo Rollouts to verify target groups, and how its controller gets them.
 *
 * The policy allows exactly the calls of `--aws-verify-target-group`. It is a document, for any tool that creates IAM
 * policies. With `objects`, ACK or Crossplane creates it, with the role, its trust policy and the association for EKS Pod
 * Identity.
 *
 * @example
 * const verification = new TargetGroupVerificationPolicy(this, 'Verification', {
 *   region: 'eu-west-1',
 *   access: AwsAccess.irsa({ provider: 'arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/0123ABCD' }),
 * });
 * new ArgoRolloutsInstall(this, 'ArgoRollouts', { ...verification.installProps });
 */
export class TargetGroupVerificationPolicy extends Construct {
  /** The policy of the controller's permissions. */
  readonly document: PolicyDocument;

  /** The trust policy of the role; undefined with static keys, which need no role. */
  readonly trustPolicy: PolicyDocument | undefined;

  /** The ServiceAccount of the controller. */
  readonly serviceAccount: ServiceAccountName;

  /** The name of the role, without its path. */
  readonly roleName: string | undefined;

  /** The ARN of the role, if it is known. */
  readonly roleArn: string | undefined;

  /** Annotations that the controller's ServiceAccount needs. */
  readonly serviceAccountAnnotations: Annotations;

  /** Annotations that the controller's pods need. */
  readonly podAnnotations: Annotations;

  /** Annotations that the controller's Namespace needs, with kiam and kube2iam. */
  readonly namespaceAnnotations: Annotations;

  /** Environment variables of the controller's container, without the region. */
  readonly env: readonly SecretVariable[];

  /** The props for the install of Argo Rollouts, with the flag and the region. */
  readonly installProps: VerifyingInstallProps;

  constructor(
    scope: Construct,
    id: string,
    private readonly props: TargetGroupVerificationPolicyProps,
  ) {
    super(scope, id);
    checkProps(this, props);
    const { access, region, serviceAccount = DEFAULT_SERVICE_ACCOUNT } = props;
    this.checkRegion();
    this.serviceAccount = serviceAccount;
    this.document = inConstruct(this, () => verificationPolicy(props));
    this.trustPolicy = inConstruct(this, () => access.trustPolicy(serviceAccount));
    this.roleName = access.roleName;
    this.roleArn = access.roleArn;
    this.serviceAccountAnnotations = access.serviceAccountAnnotations;
    this.podAnnotations = access.podAnnotations;
    this.namespaceAnnotations = access.namespaceAnnotations;
    this.env = access.env;
    const isOwn = serviceAccount.name === DEFAULT_SERVICE_ACCOUNT.name;
    const { podAnnotations, namespaceAnnotations, env } = access;
    this.installProps = {
      namespace: serviceAccount.namespace,
      ...(!isOwn && { serviceAccountName: serviceAccount.name }),
      aws: {
        verifyTargetGroup: true,
        region,
        access: isOwn ? access : { serviceAccountAnnotations: {}, podAnnotations, namespaceAnnotations, env },
      },
    };
    if (props.objects !== undefined) this.addObjects(props.objects);
    const { warnings, suppressions } = props;
    addChecks(this, { warnings, suppressions }, { further: (world) => this.ownFindings(world) });
  }

  /** The findings in this construct in the app as it is now, without suppressed ones; errors first. */
  findings(): readonly Finding[] {
    return findingsFor(this);
  }

  /** The policy as text for `aws iam create-policy --policy-document`, Terraform or a console. */
  toJson(): string {
    return policyJson(this.document, 2);
  }

  /** The trust policy as text; undefined if there is no role. */
  trustPolicyJson(): string | undefined {
    return this.trustPolicy && policyJson(this.trustPolicy, 2);
  }

  private checkRegion(): void {
    const { region, regions = [region], access } = this.props;
    if (!isRegion(region)) throw new Error(`${this.node.path}: region is "${region}": give a region as eu-west-1`);
    if (regions.length > 0 && !regions.includes(region)) {
      throw new Error(
        `${this.node.path}: region is "${region}" and regions has only ${regions.join(', ')}: the controller calls its own region`,
      );
    }
    const partition = access.roleArn === undefined ? undefined : parseArn(access.roleArn)?.partition;
    if (partition !== undefined && partition !== partitionOfRegion(region)) {
      throw new Error(`${this.node.path}: the role is in the partition ${partition} and the region is "${region}"`);
    }
  }

  private addObjects(by: IamObjects): void {
    const { access, region, tags } = this.props;
    const { roleName, trustPolicy, serviceAccount } = this;
    if (roleName === undefined || trustPolicy === undefined) {
      throw new Error(`${this.node.path}: static keys need no role: leave objects out`);
    }
    const { clusterName, rolePath } = access;
    const objects = iamObjects(
      {
        policyName: this.props.policyName ?? roleName,
        policy: this.document,
        roleName,
        ...(rolePath !== undefined && { rolePath }),
        trustPolicy,
        ...(clusterName !== undefined && { association: { clusterName, serviceAccount, region } }),
        ...(tags && { tags }),
      },
      by,
    );
    for (const { metadata, ...object } of objects) {
      const namespace = by.kind === 'ack' ? (metadata.namespace ?? serviceAccount.namespace) : undefined;
      const made = addObject(this, object.kind === 'Policy' ? 'Resource' : object.kind, {
        ...object,
        metadata: { ...metadata, ...(namespace !== undefined && { namespace }) },
      });
      if (namespace !== undefined) waitsForNamespace(made, namespace);
    }
  }

  /** The suppressions of findings that only this construct reports, and the others. */
  /** Findings that need more than the manifests: the purpose of the role, and the way of access. */
  private ownFindings(world: World): readonly Finding[] {
    const { unusedPermissions, staticKeys } =
      require('../argo/rules/permissions') as typeof import('../argo/rules/permissions');
    const { access, objects } = this.props;
    const construct = this.node.path;
    const none = objects === undefined ? {} : undefined;
    const granted = {
      serviceAccount: this.serviceAccount,
      serviceAccountAnnotations: none ?? this.serviceAccountAnnotations,
      podAnnotations: none ?? this.podAnnotations,
      isAssociated: objects !== undefined && access.kind === 'podIdentity',
    };
    return [
      ...unusedPermissions(world, granted, construct),
      ...(access.kind === 'staticKeys' ? staticKeys(world, this.serviceAccount, construct) : []),
    ];
  }
}

const DEFAULT_SERVICE_ACCOUNT: ServiceAccountName = { namespace: 'argo-rollouts', name: 'argo-rollouts' };
