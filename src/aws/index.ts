/** Permissions in AWS, and how a pod gets them. Nothing here calls AWS. */
export {
  AwsAccess,
  type AwsAccessKind,
  type IrsaOptions,
  type PodIdentityOptions,
  type PodRoleOptions,
  type SecretVariable,
  type StaticKeysOptions,
} from './access';
export {
  type Annotations,
  IRSA_AUDIENCE,
  IRSA_ROLE,
  irsaAnnotations,
  KIAM_PERMITTED,
  KUBE2IAM_ALLOWED,
  kiamNamespaceAnnotations,
  kube2iamNamespaceAnnotations,
  POD_ROLE,
  podRoleAnnotations,
} from './annotations';
export { type Arn, type AwsPartition, isRegion, parseArn, partitionOfRegion, roleNameOf } from './arn';
export {
  type AckOptions,
  type CrossplaneOptions,
  type IamObject,
  IamObjects,
  type IamPlan,
  iamObjects,
} from './objects';
export { issuerOfArn, type OidcIssuer, type OidcProvider, oidcProvider } from './oidc-provider';
export {
  hasAction,
  matchesPattern,
  type PolicyConditions,
  type PolicyDocument,
  type PolicyStatement,
  policyDocument,
  policyJson,
  type ReadPolicy,
  type ReadStatement,
  readPolicy,
} from './policy-document';
export {
  DEFAULT_AUDIENCE,
  irsaTrustPolicy,
  POD_IDENTITY_SERVICE,
  type PodIdentityTrustOptions,
  podIdentityTrustPolicy,
  roleTrustPolicy,
  type ServiceAccountName,
  subjectOf,
} from './trust-policy';
export { type AssociatedPods, irsaProblem, podIdentityProblem } from './trust-reading';
export {
  VERIFICATION_ACTIONS,
  type VerificationPolicyOptions,
  type VerifiedRollouts,
  verificationActions,
  verificationPolicy,
} from './verification-policy';
