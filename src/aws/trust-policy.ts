import { parseArn, roleNameOf } from './arn';
import type { OidcProvider } from './oidc-provider';
import { type PolicyDocument, policyDocument } from './policy-document';

/** The ServiceAccount of the controller's pods. */
export interface ServiceAccountName {
  /** The namespace of the ServiceAccount. */
  readonly namespace: string;
  /** The name of the ServiceAccount. */
  readonly name: string;
}

/** The audience of the tokens that EKS mounts into pods, in every partition. */
export const DEFAULT_AUDIENCE = 'sts.amazonaws.com';

/** The service principal of EKS Pod Identity, in every partition. */
export const POD_IDENTITY_SERVICE = 'pods.eks.amazonaws.com';

/** The subject of a ServiceAccount in tokens. */
export function subjectOf({ namespace, name }: ServiceAccountName): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

/**
 * Lets the pods of one ServiceAccount assume the role with the token that EKS gives them (IRSA).
 *
 * @param audience the audience of the tokens, if the ServiceAccount has the annotation `eks.amazonaws.com/audience`
 * @example irsaTrustPolicy(oidcProvider(arn), { namespace: 'argo-rollouts', name: 'argo-rollouts' })
 */
export function irsaTrustPolicy(
  { arn, issuer }: OidcProvider,
  serviceAccount: ServiceAccountName,
  audience: string = DEFAULT_AUDIENCE,
): PolicyDocument {
  return policyDocument({
    Effect: 'Allow',
    Principal: { Federated: arn },
    Action: 'sts:AssumeRoleWithWebIdentity',
    Condition: { StringEquals: { [`${issuer}:aud`]: audience, [`${issuer}:sub`]: subjectOf(serviceAccount) } },
  });
}

/** Limits on who gets a role from EKS Pod Identity. */
export interface PodIdentityTrustOptions {
  /**
   * The ServiceAccount. The condition reads the session tags of EKS, so it never holds if the association turns them off
   * (`disableSessionTags`).
   * @default - every ServiceAccount that has an association with the role
   */
  readonly serviceAccount?: ServiceAccountName;
  /**
   * The name of the cluster.
   * @default - every cluster of the account
   */
  readonly clusterName?: string;
}

/**
 * Lets EKS Pod Identity assume the role.
 * @example podIdentityTrustPolicy({ serviceAccount: { namespace: 'argo-rollouts', name: 'argo-rollouts' } })
 */
export function podIdentityTrustPolicy({ serviceAccount, clusterName }: PodIdentityTrustOptions = {}): PolicyDocument {
  const tags = {
    ...(clusterName !== undefined && { 'aws:RequestTag/eks-cluster-name': clusterName }),
    ...(serviceAccount && {
      'aws:RequestTag/kubernetes-namespace': serviceAccount.namespace,
      'aws:RequestTag/kubernetes-service-account': serviceAccount.name,
    }),
  };
  return policyDocument({
    Effect: 'Allow',
    Principal: { Service: POD_IDENTITY_SERVICE },
    Action: ['sts:AssumeRole', 'sts:TagSession'],
    ...(Object.keys(tags).length > 0 && { Condition: { StringEquals: tags } }),
  });
}

/**
 * Lets other roles assume the role: the role of the kiam server, or of the nodes for kube2iam.
 * @param roleArns the roles that kiam or kube2iam run with
 */
export function roleTrustPolicy(...roleArns: readonly string[]): PolicyDocument {
  if (roleArns.length === 0) throw new Error('no role is named: give the role of the nodes, or of the server of kiam');
  for (const arn of roleArns) {
    if (roleNameOf(arn) === undefined) {
      throw new Error(`"${arn}" is not the ARN of a role: give one as arn:aws:iam::111122223333:role/nodes`);
    }
  }
  const partitions = new Set(roleArns.map((arn) => parseArn(arn)?.partition));
  if (partitions.size > 1)
    throw new Error(`the roles are in ${[...partitions].join(' and ')}: roles trust their own partition only`);
  const sorted = [...new Set(roleArns)].sort();
  return policyDocument({
    Effect: 'Allow',
    Principal: { AWS: sorted.length === 1 ? sorted[0]! : sorted },
    Action: 'sts:AssumeRole',
  });
}
