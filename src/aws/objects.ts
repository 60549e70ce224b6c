/** The policy, role and association as custom resources of the controllers that create them in AWS. */
import { type PolicyDocument, policyJson } from './policy-document';
import type { ServiceAccountName } from './trust-policy';

/** The controller that creates AWS resources from Kubernetes objects. */
export class IamObjects {
  /**
   * AWS Controllers for Kubernetes: those of IAM, and of EKS for an association.
   * @example IamObjects.ack({ namespace: 'ack-system' })
   */
  static ack(options: AckOptions = {}): IamObjects {
    return new IamObjects('ack', options.namespace, undefined, undefined);
  }

  /**
   * Crossplane with Upbound's providers for IAM, and for EKS with an association. Its objects are cluster-scoped.
   * @example IamObjects.crossplane({ providerConfig: 'production', region: 'eu-west-1' })
   */
  static crossplane(options: CrossplaneOptions = {}): IamObjects {
    return new IamObjects('crossplane', undefined, options.providerConfig, options.region);
  }

  private constructor(
    /** The controller. */
    readonly kind: 'ack' | 'crossplane',
    /** The namespace of the objects, with ACK. */
    readonly namespace: string | undefined,
    /** The ProviderConfig, with Crossplane. */
    readonly providerConfig: string | undefined,
    /** The region of the cluster, with Crossplane. */
    readonly region: string | undefined,
  ) {}
}

/** Options for ACK. */
export interface AckOptions {
  /**
   * The namespace of the objects.
   * @default - that of the controller of Argo Rollouts
   */
  readonly namespace?: string;
}

/** Options for Crossplane. */
export interface CrossplaneOptions {
  /**
   * The ProviderConfig with Crossplane's credentials.
   * @default 'default'
   */
  readonly providerConfig?: string;
  /**
   * The region of the cluster, which an association of Pod Identity needs.
   * @default - that of the policy
   */
  readonly region?: string;
}

/** The resources to create in AWS. */
export interface IamPlan {
  /** The name of the policy, in AWS too. */
  readonly policyName: string;
  readonly policy: PolicyDocument;
  /** The name of the role, in AWS too. */
  readonly roleName: string;
  /** @default '/' */
  readonly rolePath?: string;
  readonly trustPolicy: PolicyDocument;
  /**
   * The association of EKS Pod Identity.
   * @default - none
   */
  readonly association?: {
    readonly clusterName: string;
    readonly serviceAccount: ServiceAccountName;
    /** Used by Crossplane only. */
    readonly region?: string;
  };
  /** @default - none */
  readonly tags?: { readonly [key: string]: string };
}

/** A Kubernetes object. */
export interface IamObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: { readonly [key: string]: string };
  };
  readonly spec: { readonly [field: string]: unknown };
}

/** The objects of a plan. Each object comes after the objects that it refers to. */
export function iamObjects(plan: IamPlan, by: IamObjects): readonly IamObject[] {
  for (const [name, limit] of [
    [plan.policyName, 128],
    [plan.roleName, 64],
  ] as const) {
    if (!/^[\w+=,.@-]+$/.test(name) || name.length > limit || objectName(name) === '') {
      throw new Error(
        `the name "${name}" is not valid: give up to ${limit} letters, digits and +=,.@_-, with a letter or digit`,
      );
    }
  }
  return by.kind === 'ack' ? ackObjects(plan, by) : crossplaneObjects(plan, by);
}

function ackObjects(plan: IamPlan, { namespace }: IamObjects): readonly IamObject[] {
  const { policyName, roleName, association, tags } = plan;
  const ackTags = tags && { tags: sorted(tags).map(([key, value]) => ({ key, value })) };
  const object = (apiVersion: string, kind: string, name: string, spec: IamObject['spec']): IamObject => ({
    apiVersion,
    kind,
    metadata: { name: objectName(name), ...(namespace !== undefined && { namespace }) },
    spec,
  });
  return [
    object(ACK_IAM, 'Policy', policyName, {
      name: policyName,
      description: DESCRIPTION,
      policyDocument: policyJson(plan.policy),
      ...ackTags,
    }),
    object(ACK_IAM, 'Role', roleName, {
      name: roleName,
      ...(plan.rolePath !== undefined && { path: plan.rolePath }),
      description: DESCRIPTION,
      assumeRolePolicyDocument: policyJson(plan.trustPolicy),
      policyRefs: [{ from: { name: objectName(policyName) } }],
      ...ackTags,
    }),
    ...(association === undefined
      ? []
      : [
          object(ACK_EKS, 'PodIdentityAssociation', roleName, {
            clusterName: association.clusterName,
            namespace: association.serviceAccount.namespace,
            serviceAccount: association.serviceAccount.name,
            roleRef: { from: { name: objectName(roleName) } },
            ...(tags && { tags: Object.fromEntries(sorted(tags)) }),
          }),
        ]),
  ];
}

function crossplaneObjects(plan: IamPlan, { providerConfig, region }: IamObjects): readonly IamObject[] {
  const { policyName, roleName, association } = plan;
  const tags = plan.tags && { tags: Object.fromEntries(sorted(plan.tags)) };
  const object = (apiVersion: string, kind: string, name: string, forProvider: object): IamObject => ({
    apiVersion,
    kind,
    metadata: {
      name: objectName(name),
      ...(objectName(name) !== name && { annotations: { [EXTERNAL_NAME]: name } }),
    },
    spec: { forProvider, ...(providerConfig !== undefined && { providerConfigRef: { name: providerConfig } }) },
  });
  const [policyArnRef, roleRef] = [{ name: objectName(policyName) }, { name: objectName(roleName) }];
  const inRegion = region ?? association?.region;
  if (association !== undefined && inRegion === undefined) {
    throw new Error('region is missing: Crossplane needs the region of an association of Pod Identity');
  }
  return [
    object(CROSSPLANE_IAM, 'Policy', policyName, {
      policy: policyJson(plan.policy),
      description: DESCRIPTION,
      ...tags,
    }),
    object(CROSSPLANE_IAM, 'Role', roleName, {
      ...(plan.rolePath !== undefined && { path: plan.rolePath }),
      description: DESCRIPTION,
      assumeRolePolicy: policyJson(plan.trustPolicy),
      ...tags,
    }),
    // The attachment has no name in AWS.
    object(CROSSPLANE_IAM, 'RolePolicyAttachment', objectName(roleName), { policyArnRef, roleRef }),
    ...(association === undefined
      ? []
      : [
          object(CROSSPLANE_EKS, 'PodIdentityAssociation', objectName(roleName), {
            region: inRegion,
            clusterName: association.clusterName,
            namespace: association.serviceAccount.namespace,
            serviceAccount: association.serviceAccount.name,
            roleArnRef: roleRef,
            ...tags,
          }),
        ]),
  ];
}

const ACK_IAM = 'iam.services.k8s.aws/v1alpha1';
const ACK_EKS = 'eks.services.k8s.aws/v1alpha1';
const CROSSPLANE_IAM = 'iam.aws.upbound.io/v1beta1';
const CROSSPLANE_EKS = 'eks.aws.upbound.io/v1beta1';
/** The annotation from which Crossplane reads the name in AWS, if it differs from the name of the object. */
const EXTERNAL_NAME = 'crossplane.io/external-name';
const DESCRIPTION = 'Lets Argo Rollouts verify target groups';

/** An IAM name as a valid name of a Kubernetes object. */
function objectName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, '-')
    .replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, '');
}

function sorted(tags: { readonly [key: string]: string }): [string, string][] {
  return Object.entries(tags).sort(([a], [b]) => (a < b ? -1 : 1));
}
