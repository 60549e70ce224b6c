import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  irsaProblem,
  irsaTrustPolicy,
  oidcProvider,
  type PolicyDocument,
  podIdentityProblem,
  podIdentityTrustPolicy,
  policyJson,
  type ReadStatement,
  readPolicy,
  roleTrustPolicy,
} from '../../src/aws';

const ISSUER = 'oidc.eks.eu-west-1.amazonaws.com/id/0123ABCD';
const ARN = `arn:aws:iam::111122223333:oidc-provider/${ISSUER}`;
const ARGO = { namespace: 'argo-rollouts', name: 'argo-rollouts' };
const RUN = { seed: 5, numRuns: 200 };

function statementsOf(document: PolicyDocument | string): readonly ReadStatement[] {
  const read = readPolicy(typeof document === 'string' ? document : policyJson(document));
  if ('problem' in read) throw new Error(read.problem);
  return read.statements;
}

/** A trust policy for tokens, with conditions of its own. */
const tokenTrust = (condition: object, provider = ARN, action = 'sts:AssumeRoleWithWebIdentity') =>
  statementsOf(
    JSON.stringify({
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Principal: { Federated: provider }, Action: action, Condition: condition }],
    }),
  );

describe('the OIDC provider', () => {
  it.each([
    [ARN, ARN, 'aws'],
    [
      'arn:aws-cn:iam::111122223333:oidc-provider/oidc.eks.cn-north-1.amazonaws.com.cn/id/AB',
      'arn:aws-cn:iam::111122223333:oidc-provider/oidc.eks.cn-north-1.amazonaws.com.cn/id/AB',
      'aws-cn',
    ],
    [{ url: `https://${ISSUER}`, account: '111122223333' }, ARN, 'aws'],
    [{ url: `https://${ISSUER}/`, account: '111122223333' }, ARN, 'aws'],
    [
      { url: 'https://oidc.eks.cn-north-1.amazonaws.com.cn/id/AB', account: '111122223333' },
      'arn:aws-cn:iam::111122223333:oidc-provider/oidc.eks.cn-north-1.amazonaws.com.cn/id/AB',
      'aws-cn',
    ],
    [
      { url: 'https://oidc.eks.us-gov-west-1.amazonaws.com/id/AB', account: '111122223333' },
      'arn:aws-us-gov:iam::111122223333:oidc-provider/oidc.eks.us-gov-west-1.amazonaws.com/id/AB',
      'aws-us-gov',
    ],
    [
      { url: 'https://issuer.example.com', account: '111122223333', partition: 'aws-us-gov' as const },
      'arn:aws-us-gov:iam::111122223333:oidc-provider/issuer.example.com',
      'aws-us-gov',
    ],
  ])('of %j', (given, arn, partition) => {
    expect(oidcProvider(given)).toMatchObject({ arn, partition, account: '111122223333' });
  });

  it.each([
    [ISSUER, 'the OIDC provider is'],
    ['arn:aws:iam::111122223333:role/x', 'the OIDC provider is'],
    [{ url: '', account: '111122223333' }, 'the issuer is ""'],
    [{ url: `https://${ISSUER}`, account: '1111-2222-3333' }, 'account is "1111-2222-3333": give the twelve digits'],
  ])('is not %j', (given, message) => {
    expect(() => oidcProvider(given)).toThrow(message);
  });
});

describe('the trust policy for IRSA', () => {
  it('names ServiceAccount and audience', () => {
    expect(irsaTrustPolicy(oidcProvider(ARN), ARGO)).toEqual({
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Principal: { Federated: ARN },
          Action: 'sts:AssumeRoleWithWebIdentity',
          Condition: {
            StringEquals: {
              [`${ISSUER}:aud`]: 'sts.amazonaws.com',
              [`${ISSUER}:sub`]: 'system:serviceaccount:argo-rollouts:argo-rollouts',
            },
          },
        },
      ],
    });
  });

  it('lets in the ServiceAccount that it is for, and no other', () => {
    const name = fc.stringMatching(/^[a-z]([a-z0-9-]{0,20}[a-z0-9])?$/);
    const account = fc.record({ namespace: name, name });
    fc.assert(
      fc.property(account, account, (own, other) => {
        const statements = statementsOf(irsaTrustPolicy(oidcProvider(ARN), own));
        expect(irsaProblem(statements, own)).toBeUndefined();
        const isSame = own.namespace === other.namespace && own.name === other.name;
        expect(irsaProblem(statements, other) === undefined).toBe(isSame);
      }),
      RUN,
    );
  });
});

describe('a trust policy for tokens, as users write it', () => {
  const SUBJECT = 'system:serviceaccount:argo-rollouts:argo-rollouts';
  it.each([
    ['the ServiceAccount', { StringEquals: { [`${ISSUER}:sub`]: SUBJECT } }],
    ['a pattern', { StringLike: { [`${ISSUER}:sub`]: 'system:serviceaccount:argo-*:*' } }],
    ['one of several', { StringEquals: { [`${ISSUER}:sub`]: ['x', SUBJECT] } }],
    ['everybody', {}],
    ['a key in another case', { StringEquals: { [`${ISSUER.toUpperCase()}:SUB`]: SUBJECT } }],
    ['an unknown condition', { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } }],
  ])('lets in by %s', (_, condition) => {
    expect(irsaProblem(tokenTrust(condition), ARGO)).toBeUndefined();
  });

  it.each([
    [
      'another ServiceAccount',
      { StringEquals: { [`${ISSUER}:sub`]: 'system:serviceaccount:default:argo-rollouts' } },
      `is for "system:serviceaccount:default:argo-rollouts", and the pods are "${SUBJECT}"`,
    ],
    [
      'a pattern with an operator that knows none',
      { StringEquals: { [`${ISSUER}:sub`]: 'system:serviceaccount:argo-rollouts:*' } },
      'is for "system:serviceaccount:argo-rollouts:*"',
    ],
    [
      'another audience',
      { StringEquals: { [`${ISSUER}:aud`]: 'sts.amazonaws.com.cn' } },
      'is for the audience "sts.amazonaws.com.cn", and the tokens of the pods are for "sts.amazonaws.com"',
    ],
    [
      'another issuer',
      { StringEquals: { 'oidc.eks.eu-west-1.amazonaws.com/id/OTHER:sub': SUBJECT } },
      `and the issuer of the provider is "${ISSUER.toLowerCase()}"`,
    ],
  ])('keeps out by %s', (_, condition, problem) => {
    expect(irsaProblem(tokenTrust(condition), ARGO)).toContain(problem);
  });

  it('is refused if it is about something else', () => {
    expect(irsaProblem(tokenTrust({}, ARN, 'sts:AssumeRole'), ARGO)).toContain('allows no pod');
    expect(irsaProblem(statementsOf(podIdentityTrustPolicy()), ARGO)).toContain('allows no pod');
  });

  it('is not judged if the result is unknown', () => {
    expect(irsaProblem(tokenTrust({}, '__PROVIDER__'), ARGO)).toBeUndefined();
    const everybody = '{"Statement": [{"Effect": "Allow", "Principal": "*", "Action": "sts:*"}]}';
    expect(irsaProblem(statementsOf(everybody), ARGO)).toBeUndefined();
  });

  it('allows if one statement allows', () => {
    const both = [
      ...tokenTrust({ StringEquals: { [`${ISSUER}:sub`]: 'x' } }),
      ...tokenTrust({ StringEquals: { [`${ISSUER}:sub`]: SUBJECT } }),
    ];
    expect(irsaProblem(both, ARGO)).toBeUndefined();
  });
});

describe('the trust policy for EKS Pod Identity', () => {
  const pods = { serviceAccount: ARGO, clusterName: 'shop', hasSessionTags: true };

  it('is that of the documentation, with conditions on its users', () => {
    expect(podIdentityTrustPolicy().Statement).toEqual([
      {
        Effect: 'Allow',
        Principal: { Service: 'pods.eks.amazonaws.com' },
        Action: ['sts:AssumeRole', 'sts:TagSession'],
      },
    ]);
    expect(podIdentityTrustPolicy({ serviceAccount: ARGO, clusterName: 'shop' }).Statement[0]!.Condition).toEqual({
      StringEquals: {
        'aws:RequestTag/eks-cluster-name': 'shop',
        'aws:RequestTag/kubernetes-namespace': 'argo-rollouts',
        'aws:RequestTag/kubernetes-service-account': 'argo-rollouts',
      },
    });
  });

  it('lets in the pods that it is for', () => {
    const statements = statementsOf(podIdentityTrustPolicy({ serviceAccount: ARGO, clusterName: 'shop' }));
    expect(podIdentityProblem(statements, pods)).toBeUndefined();
    expect(podIdentityProblem(statements, { ...pods, clusterName: undefined })).toBeUndefined();
    expect(podIdentityProblem(statements, { ...pods, clusterName: 'other' })).toContain('eks-cluster-name "shop"');
    expect(podIdentityProblem(statements, { ...pods, serviceAccount: { ...ARGO, name: 'x' } })).toBe(
      'asks for aws:RequestTag/kubernetes-service-account "argo-rollouts", and the association is for "x"',
    );
    expect(podIdentityProblem(statements, { ...pods, hasSessionTags: false })).toContain('turns session tags off');
  });

  it('needs both actions, and the service', () => {
    const statements = statementsOf(
      '{"Statement": {"Effect": "Allow", "Principal": {"Service": "pods.eks.amazonaws.com"}, "Action": "sts:AssumeRole"}}',
    );
    expect(podIdentityProblem(statements, pods)).toBe('does not allow sts:TagSession to pods.eks.amazonaws.com');
    expect(podIdentityProblem(tokenTrust({}), pods)).toBe('allows pods.eks.amazonaws.com nothing');
  });
});

describe('the trust policy for kiam and kube2iam', () => {
  it('names the roles that ask', () => {
    const [a, b] = ['arn:aws:iam::111122223333:role/a', 'arn:aws:iam::111122223333:role/b'];
    expect(roleTrustPolicy(b!, a!, b!).Statement).toEqual([
      { Effect: 'Allow', Principal: { AWS: [a, b] }, Action: 'sts:AssumeRole' },
    ]);
    expect(roleTrustPolicy(a!).Statement[0]!.Principal).toEqual({ AWS: a });
  });

  it.each([
    [[], 'no role is named'],
    [['nodes'], '"nodes" is not the ARN of a role'],
    [['arn:aws:iam::111122223333:role/a', 'arn:aws-cn:iam::111122223333:role/a'], 'the roles are in aws and aws-cn'],
  ])('does not take %j', (roles, message) => {
    expect(() => roleTrustPolicy(...roles)).toThrow(message);
  });
});
