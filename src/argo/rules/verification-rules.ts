import { defineRules } from '../../core/rule';
import { sources } from './sources';

const AWS = 'https://docs.aws.amazon.com';
const EKS = `${AWS}/eks/latest/userguide`;
const IAM = `${AWS}/IAM/latest/UserGuide`;
const ACTIONS = `${AWS}/service-authorization/latest/reference/list_awselasticloadbalancingv2.html`;
const WEBHOOK = 'https://github.com/aws/amazon-eks-pod-identity-webhook';
const PROVIDER = 'oidc.eks.eu-west-1.amazonaws.com/id/0123ABCD';
const ROLE_ARN = 'arn:aws:iam::111122223333:role/rollouts';
const READ_ALL = [
  'elasticloadbalancing:DescribeTargetGroups',
  'elasticloadbalancing:DescribeLoadBalancers',
  'elasticloadbalancing:DescribeListeners',
  'elasticloadbalancing:DescribeRules',
  'elasticloadbalancing:DescribeTags',
  'elasticloadbalancing:DescribeTargetHealth',
];

interface ControllerExample {
  readonly args?: string;
  readonly env?: string;
  readonly role?: string;
}

const VERIFY = '--aws-verify-target-group';
const REGION = '{name: AWS_REGION, value: eu-west-1}';
const secret = (name: string, key: string) =>
  `{name: ${name}, valueFrom: {secretKeyRef: {name: argo-rollouts-aws, key: ${key}}}}`;
const KEY_ID = secret('AWS_ACCESS_KEY_ID', 'aws-access-key-id');

/** The controller with its ServiceAccount. */
const controller = ({ args = VERIFY, env = '', role = ROLE_ARN }: ControllerExample = {}) => `---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: argo-rollouts
  namespace: argo-rollouts
  annotations: {${role === '' ? '' : `eks.amazonaws.com/role-arn: "${role}"`}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: argo-rollouts, namespace: argo-rollouts}
spec:
  selector: {matchLabels: {app.kubernetes.io/name: argo-rollouts}}
  template:
    metadata: {labels: {app.kubernetes.io/name: argo-rollouts}}
    spec:
      serviceAccountName: argo-rollouts
      containers:
        - name: argo-rollouts
          image: quay.io/argoproj/argo-rollouts:v1.9.1
          args: [${args}]
          env: [${[REGION, env].filter((one) => one !== '').join(', ')}]
`;

const tokenTrust = (serviceAccount: string) =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Federated: `arn:aws:iam::111122223333:oidc-provider/${PROVIDER}` },
        Action: 'sts:AssumeRoleWithWebIdentity',
        Condition: {
          StringEquals: {
            [`${PROVIDER}:aud`]: 'sts.amazonaws.com',
            [`${PROVIDER}:sub`]: `system:serviceaccount:argo-rollouts:${serviceAccount}`,
          },
        },
      },
    ],
  });

const POD_TRUST = JSON.stringify({
  Version: '2012-10-17',
  Statement: [
    {
      Effect: 'Allow',
      Principal: { Service: 'pods.eks.amazonaws.com' },
      Action: ['sts:AssumeRole', 'sts:TagSession'],
    },
  ],
});

const role = (trust = tokenTrust('argo-rollouts')) => `---
apiVersion: iam.services.k8s.aws/v1alpha1
kind: Role
metadata: {name: rollouts, namespace: argo-rollouts}
spec:
  name: rollouts
  assumeRolePolicyDocument: '${trust}'
  policyRefs: [{from: {name: verification}}]
`;

const policy = (actions: readonly string[] = READ_ALL, resource = '*') => `---
apiVersion: iam.services.k8s.aws/v1alpha1
kind: Policy
metadata: {name: verification, namespace: argo-rollouts}
spec:
  name: verification
  policyDocument: '${JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: actions, Resource: resource }],
  })}'
`;

const association = (serviceAccount: string) => `---
apiVersion: eks.services.k8s.aws/v1alpha1
kind: PodIdentityAssociation
metadata: {name: rollouts, namespace: argo-rollouts}
spec:
  clusterName: shop
  namespace: argo-rollouts
  serviceAccount: ${serviceAccount}
  roleRef: {from: {name: rollouts}}
`;

const namespace = (permitted: string) => `---
apiVersion: v1
kind: Namespace
metadata: {name: argo-rollouts, annotations: {iam.amazonaws.com/permitted: ${permitted}}}
`;

const onPod = (annotation: string) =>
  controller({ role: '' }).replace(
    '    metadata: {labels: {app.kubernetes.io/name: argo-rollouts}}\n',
    `    metadata:\n      labels: {app.kubernetes.io/name: argo-rollouts}\n      annotations: {${annotation}}\n`,
  );
const podRole = onPod('iam.amazonaws.com/role: rollouts');

const yaml = (...documents: readonly string[]) =>
  ({ language: 'yaml', text: documents.join('').replace(/^---\n/, '') }) as const;

/** Rules for the AWS permissions of target group verification. */
export const argoVerificationRules = defineRules({
  'argo-verification-without-permissions': {
    severity: 'warning',
    title: 'the controller verifies target groups, but nothing grants it AWS permissions',
    because:
      'the controller uses the role of the node. If that role has no permission, the controller never verifies a weight ' +
      'and the Rollout does not finish',
    fix: 'give the ServiceAccount a role (docs/iam.md), or accept this finding if the node or another association gives it one',
    basis: 'documented',
    sources: [sources.verification, `${EKS}/iam-roles-for-service-accounts.html`],
    failing: yaml(controller({ role: '' })),
    corrected: yaml(controller()),
  },
  'argo-verification-off': {
    severity: 'warning',
    title: 'the controller has permissions to verify target groups, but does not verify them',
    because: 'without --aws-verify-target-group the controller does not call AWS, so the permissions are unused',
    fix: 'add the flag --aws-verify-target-group, or remove the role',
    basis: 'read',
    sources: [sources.flags],
    failing: yaml(controller({ args: '' }), role(), policy()),
    corrected: yaml(controller(), role(), policy()),
  },
  'argo-verification-role-arn': {
    severity: 'error',
    title: 'the role of the ServiceAccount is not the ARN of a role in the right partition',
    because: 'AWS refuses such a role, so the controller has no permissions',
    fix: 'write the ARN of the role, in the partition of the region: arn:aws:iam::111122223333:role/rollouts',
    basis: 'documented',
    sources: [`${EKS}/associate-service-account-role.html`, `${IAM}/reference-arns.html`],
    failing: yaml(controller({ role: 'rollouts' })),
    corrected: yaml(controller()),
  },
  'argo-verification-trust': {
    severity: 'error',
    title: 'the role does not trust the pods of the controller',
    because: 'AWS does not let the pods assume the role, so the controller has no permissions and verifies nothing',
    fix: 'use the namespace and the ServiceAccount of the controller in the trust policy',
    basis: 'documented',
    sources: [`${EKS}/associate-service-account-role.html`, `${EKS}/pod-id-role.html`],
    failing: yaml(controller(), role(tokenTrust('rollouts')), policy()),
    corrected: yaml(controller(), role(), policy()),
  },
  'argo-verification-association': {
    severity: 'error',
    title: 'the association of the role for verification names another ServiceAccount than the controller uses',
    because: 'EKS Pod Identity gives a role to the pods of exactly one ServiceAccount in one namespace',
    fix: 'use the namespace and the ServiceAccount of the controller in the association',
    basis: 'documented',
    sources: [`${EKS}/pod-id-association.html`],
    failing: yaml(controller({ role: '' }), role(POD_TRUST), policy(), association('rollouts')),
    corrected: yaml(controller({ role: '' }), role(POD_TRUST), policy(), association('argo-rollouts')),
  },
  'argo-verification-actions': {
    severity: 'error',
    title: 'the policies of the role do not allow all actions of verification',
    because: 'AWS refuses the request, and the Rollout does not continue',
    fix: 'allow the six actions on the resource "*": none of them can be restricted to a resource',
    basis: 'documented',
    sources: [sources.verification, ACTIONS],
    failing: yaml(
      controller(),
      role(),
      policy(READ_ALL, 'arn:aws:elasticloadbalancing:eu-west-1:111122223333:targetgroup/shop/0123'),
    ),
    corrected: yaml(controller(), role(), policy()),
  },
  'argo-verification-key-in-manifest': {
    severity: 'error',
    title: 'the Deployment of the controller has an AWS secret key',
    because:
      'everyone who can read Deployments, or the repository of the manifests, can use the key until it is deleted',
    fix: 'delete the key in AWS, and give the ServiceAccount a role, or read the key from a Secret',
    basis: 'documented',
    sources: [
      'https://kubernetes.io/docs/concepts/security/secrets-good-practices/',
      `${IAM}/securing_access-keys.html`,
    ],
    failing: yaml(controller({ role: '', env: '{name: AWS_SECRET_ACCESS_KEY, value: not-a-real-key}' })),
    corrected: yaml(controller()),
  },
  'argo-verification-static-key': {
    severity: 'warning',
    title: 'the controller has an AWS key that does not expire',
    because: "a user's key works from everywhere until it is deleted, and is never rotated automatically",
    fix: 'give the ServiceAccount a role: with IRSA or EKS Pod Identity, keys expire after hours (docs/iam.md)',
    basis: 'documented',
    sources: [`${IAM}/best-practices.html`],
    failing: yaml(
      controller({ role: '', env: `${KEY_ID}, ${secret('AWS_SECRET_ACCESS_KEY', 'aws-secret-access-key')}` }),
    ),
    corrected: yaml(controller()),
  },
  'argo-verification-role-on-pod': {
    severity: 'error',
    title: 'the pods have the annotation eks.amazonaws.com/role-arn',
    because: 'EKS reads the annotation only on the ServiceAccount',
    fix: 'move the annotation to the ServiceAccount',
    basis: 'documented',
    sources: [WEBHOOK],
    failing: yaml(onPod(`eks.amazonaws.com/role-arn: "${ROLE_ARN}"`)),
    corrected: yaml(controller()),
  },
  'argo-verification-namespace': {
    severity: 'warning',
    title: 'the Namespace does not permit the role of the pods of the controller',
    because:
      'kiam grants only roles that match the annotation iam.amazonaws.com/permitted, and kube2iam with ' +
      '--namespace-restrictions only those in iam.amazonaws.com/allowed-roles',
    fix: 'add the role of the pods to the annotation of the Namespace',
    basis: 'read',
    sources: [
      'https://github.com/uswitch/kiam/blob/master/pkg/server/policy.go',
      'https://github.com/jtblin/kube2iam/blob/master/mappings/mapper.go',
    ],
    failing: yaml(namespace('shop-.*'), podRole),
    corrected: yaml(namespace('rollouts'), podRole),
  },
  'argo-verification-policy-invalid': {
    severity: 'error',
    title: 'a policy in an ACK or Crossplane object is invalid',
    because: 'AWS refuses the policy, so the role is not created or does not change',
    fix: 'write a policy in JSON: Version, and Statement with Effect and Action',
    basis: 'documented',
    sources: [`${IAM}/reference_policies_grammar.html`],
    failing: yaml(controller(), role('{"Version": "2012-10-17", "Statement": [}'), policy()),
    corrected: yaml(controller(), role(), policy()),
  },
});
