import { describe, expect, it } from 'vitest';
import { AwsAccess, IamObjects, type IamPlan, iamObjects, verificationPolicy } from '../../src/aws';
import type { JsonObject } from '../../src/core';
import { checkObject } from '../../src/core/schema';
import { IAM_SCHEMAS } from './iam-schemas';

const PROVIDER = 'arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/0123ABCD';
const ARGO = { namespace: 'argo-rollouts', name: 'argo-rollouts' };
const NODES = ['arn:aws:iam::111122223333:role/nodes'];

describe('access by IRSA', () => {
  it('knows the ARN of the role by the account of the provider', () => {
    const access = AwsAccess.irsa({ provider: PROVIDER });
    expect(access.roleArn).toBe('arn:aws:iam::111122223333:role/argo-rollouts-verification');
    expect(access.serviceAccountAnnotations).toEqual({ 'eks.amazonaws.com/role-arn': access.roleArn });
    expect([access.podAnnotations, access.namespaceAnnotations, access.env]).toEqual([{}, {}, []]);
  });

  it('takes a role with a path, and an audience', () => {
    const role = 'arn:aws:iam::111122223333:role/teams/shop/rollouts';
    const access = AwsAccess.irsa({ provider: PROVIDER, role, audience: 'sts.example.com' });
    expect(access).toMatchObject({ roleArn: role, roleName: 'rollouts', rolePath: '/teams/shop/' });
    expect(access.serviceAccountAnnotations).toEqual({
      'eks.amazonaws.com/role-arn': role,
      'eks.amazonaws.com/audience': 'sts.example.com',
    });
    expect(JSON.stringify(access.trustPolicy(ARGO))).toContain(':aud":"sts.example.com"');
  });

  it.each([
    ['a role of another partition', 'arn:aws-cn:iam::111122223333:role/rollouts', 'the role is in aws-cn'],
    [
      'an ARN of something else',
      'arn:aws:iam::111122223333:user/rollouts',
      'the role is "arn:aws:iam::111122223333:user/rollouts"',
    ],
    ['a name that is none', 'my role', 'the role is "arn:aws:iam::111122223333:role/my role"'],
    ['a name that is too long', 'r'.repeat(65), 'give an ARN as'],
  ])('does not take %s', (_, role, message) => {
    expect(() => AwsAccess.irsa({ provider: PROVIDER, role })).toThrow(message);
  });
});

describe('access by other ways', () => {
  it('writes nothing for EKS Pod Identity', () => {
    const access = AwsAccess.podIdentity({ clusterName: 'shop' });
    expect(access).toMatchObject({
      clusterName: 'shop',
      roleName: 'argo-rollouts-verification',
      roleArn: undefined,
      serviceAccountAnnotations: {},
      podAnnotations: {},
      env: [],
    });
    expect(() => AwsAccess.podIdentity({ clusterName: '' })).toThrow('clusterName is empty');
    expect(() => AwsAccess.podIdentity({ clusterName: 'shop', role: 'a b' })).toThrow('the role is "a b"');
  });

  it('annotates pods and namespace for kiam, as a pattern for exactly that role', () => {
    const access = AwsAccess.kiam({ role: 'rollouts.v2+x', trustedRoles: NODES });
    expect(access.podAnnotations).toEqual({ 'iam.amazonaws.com/role': 'rollouts.v2+x' });
    const pattern = access.namespaceAnnotations['iam.amazonaws.com/permitted']!;
    expect(new RegExp(`^${pattern}$`).test('rollouts.v2+x')).toBe(true);
    expect(new RegExp(`^${pattern}$`).test('rollouts-v22x')).toBe(false);
    expect(access.trustPolicy(ARGO)?.Statement[0]?.Principal).toEqual({ AWS: NODES[0] });
  });

  it('annotates pods and namespace for kube2iam', () => {
    const role = 'arn:aws:iam::111122223333:role/rollouts';
    const access = AwsAccess.kube2iam({ role, trustedRoles: NODES });
    expect(access.podAnnotations).toEqual({ 'iam.amazonaws.com/role': role });
    expect(access.namespaceAnnotations).toEqual({ 'iam.amazonaws.com/allowed-roles': `["${role}"]` });
    expect(access.roleArn).toBe(role);
  });

  it('takes keys out of a Secret', () => {
    const access = AwsAccess.staticKeys({ secretName: 'aws', secretAccessKeyKey: 'secret' });
    expect(access.env).toEqual([
      { name: 'AWS_ACCESS_KEY_ID', valueFrom: { secretKeyRef: { name: 'aws', key: 'aws-access-key-id' } } },
      { name: 'AWS_SECRET_ACCESS_KEY', valueFrom: { secretKeyRef: { name: 'aws', key: 'secret' } } },
    ]);
    expect([access.roleName, access.trustPolicy(ARGO)]).toEqual([undefined, undefined]);
    expect(() => AwsAccess.staticKeys({ secretName: '' })).toThrow('secretName is empty');
  });
});

describe('the objects', () => {
  const access = AwsAccess.podIdentity({ clusterName: 'shop', role: 'Rollouts_Verification' });
  const plan: IamPlan = {
    policyName: 'Rollouts_Verification',
    policy: verificationPolicy(),
    roleName: 'Rollouts_Verification',
    rolePath: '/teams/',
    trustPolicy: access.trustPolicy(ARGO)!,
    association: { clusterName: 'shop', serviceAccount: ARGO, region: 'eu-west-1' },
    tags: { team: 'shop', cost: '1' },
  };

  it.each([
    ['ACK', IamObjects.ack({ namespace: 'ack-system' }), ['Policy', 'Role', 'PodIdentityAssociation']],
    [
      'Crossplane',
      IamObjects.crossplane({ providerConfig: 'production' }),
      ['Policy', 'Role', 'RolePolicyAttachment', 'PodIdentityAssociation'],
    ],
  ])('of %s are what their CustomResourceDefinitions take', (_, by, kinds) => {
    const objects = iamObjects(plan, by);
    expect(objects.map(({ kind }) => kind)).toEqual(kinds);
    for (const object of objects) {
      const schema = IAM_SCHEMAS.get(`${object.apiVersion} ${object.kind}`)!;
      expect(checkObject(object as unknown as JsonObject, schema)).toMatchObject({ errors: [], unknown: [] });
    }
  });

  it('of ACK refer to each other by name, in their namespace', () => {
    const [policy, role, association] = iamObjects(plan, IamObjects.ack({ namespace: 'ack-system' }));
    expect(policy).toMatchObject({
      metadata: { name: 'rollouts-verification', namespace: 'ack-system' },
      spec: { name: 'Rollouts_Verification', policyDocument: JSON.stringify(plan.policy) },
    });
    expect(role!.spec).toMatchObject({
      name: 'Rollouts_Verification',
      path: '/teams/',
      assumeRolePolicyDocument: JSON.stringify(plan.trustPolicy),
      policyRefs: [{ from: { name: 'rollouts-verification' } }],
      tags: [
        { key: 'cost', value: '1' },
        { key: 'team', value: 'shop' },
      ],
    });
    expect(association!.spec).toEqual({
      clusterName: 'shop',
      namespace: 'argo-rollouts',
      serviceAccount: 'argo-rollouts',
      roleRef: { from: { name: 'rollouts-verification' } },
      tags: { cost: '1', team: 'shop' },
    });
  });

  it('of Crossplane refer to each other by name, and keep the name in AWS', () => {
    const [policy, role, attachment, association] = iamObjects(plan, IamObjects.crossplane());
    expect(policy!.metadata).toEqual({
      name: 'rollouts-verification',
      annotations: { 'crossplane.io/external-name': 'Rollouts_Verification' },
    });
    expect(role!.spec).toMatchObject({ forProvider: { path: '/teams/' } });
    expect(attachment).toMatchObject({
      metadata: { name: 'rollouts-verification' },
      spec: {
        forProvider: { policyArnRef: { name: 'rollouts-verification' }, roleRef: { name: 'rollouts-verification' } },
      },
    });
    expect(association!.spec).toMatchObject({
      forProvider: { region: 'eu-west-1', clusterName: 'shop', roleArnRef: { name: 'rollouts-verification' } },
    });
    expect(JSON.stringify(association)).not.toContain('providerConfigRef');
  });

  it.each(['', 'my policy', '+=', 'p'.repeat(129)])('do not take the name "%s"', (policyName) => {
    expect(() => iamObjects({ ...plan, policyName }, IamObjects.ack())).toThrow(
      `the name "${policyName}" is not valid`,
    );
  });

  it('of Crossplane need a region for an association', () => {
    const association = { clusterName: 'shop', serviceAccount: ARGO };
    expect(() => iamObjects({ ...plan, association }, IamObjects.crossplane())).toThrow('region is missing');
    const [, , , object] = iamObjects({ ...plan, association }, IamObjects.crossplane({ region: 'us-east-1' }));
    expect(object!.spec).toMatchObject({ forProvider: { region: 'us-east-1' } });
  });
});
