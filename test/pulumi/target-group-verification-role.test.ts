import { describe, expect, test } from 'vitest';
import { readPolicy } from '../../src/aws/policy-document';
import { irsaProblem, podIdentityProblem } from '../../src/aws/trust-reading';
import { type Made, namesOf, run } from './program';

const ISSUER = 'oidc.eks.eu-west-1.amazonaws.com/id/0123ABCD';
const PROVIDER = `arn:aws:iam::111122223333:oidc-provider/${ISSUER}`;
const ROLE = 'aws:iam/role:Role';
const POLICY = 'aws:iam/policy:Policy';
const ATTACHMENT = 'aws:iam/rolePolicyAttachment:RolePolicyAttachment';
const ASSOCIATION = 'aws:eks/podIdentityAssociation:PodIdentityAssociation';
const SERVICE_ACCOUNT = 'kubernetes:core/v1:ServiceAccount';
const DEPLOYMENT = 'kubernetes:apps/v1:Deployment';

const pods = { namespace: 'argo-rollouts', name: 'argo-rollouts' };

/** What AWS adds to the state of its resources. */
const state = (type: string) => (type.startsWith('aws:') ? { arn: arnOf(type), name: 'made-by-aws' } : {});

function arnOf(type: string): string {
  return `arn:aws:iam::111122223333:${type === 'aws:iam/role:Role' ? 'role' : 'policy'}/verify`;
}

function statementsOf(json: string) {
  const read = readPolicy(json);
  if ('problem' in read) throw new Error(read.problem);
  return read.statements;
}

function errorOf(make: () => unknown): string {
  try {
    make();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('TargetGroupVerificationRole', () => {
  test("with an OIDC provider trusts only the controller's ServiceAccount", async () => {
    const { of, resources, result } = await run(
      ({ library, pulumi }) => {
        const role = new library.TargetGroupVerificationRole('verify', { oidcProviderArn: PROVIDER });
        // biome-ignore lint/suspicious/noExplicitAny: what Pulumi keeps to itself has no types
        return (pulumi.output(role.serviceAccountAnnotations) as any).promise();
      },
      { state },
    );
    const trust = statementsOf(of(ROLE).inputs.assumeRolePolicy);
    expect(irsaProblem(trust, pods)).toBeUndefined();
    expect(irsaProblem(trust, { ...pods, name: 'other' })).toContain('is for "system:serviceaccount:argo-rollouts');
    const [permissions] = statementsOf(of(POLICY).inputs.policy);
    expect(permissions!.actions).toContain('elasticloadbalancing:DescribeTargetHealth');
    expect(permissions!.actions.every((action) => /^elasticloadbalancing:Describe[A-Z]\w+$/.test(action))).toBe(true);
    expect(of(ATTACHMENT).inputs).toEqual({ role: 'made-by-aws', policyArn: arnOf(POLICY) });
    expect(resources.map(({ type }) => type)).not.toContain(ASSOCIATION);
    expect(result).toEqual({ 'eks.amazonaws.com/role-arn': arnOf(ROLE) });
  });

  test('takes the provider of a cluster that is made in the same program', async () => {
    const { of, log } = await run(({ library, pulumi }) => {
      new library.TargetGroupVerificationRole('verify', {
        oidcProviderArn: pulumi.output(PROVIDER),
        namespace: pulumi.output('argo'),
        regions: ['eu-west-1'],
      });
    });
    const trust = statementsOf(of(ROLE).inputs.assumeRolePolicy);
    expect(irsaProblem(trust, { ...pods, namespace: 'argo' })).toBeUndefined();
    expect(trust[0]!.conditions.map(({ key }) => key).sort()).toEqual([`${ISSUER}:aud`, `${ISSUER}:sub`]);
    expect(statementsOf(of(POLICY).inputs.policy)[0]!.conditions).toEqual([
      { operator: 'StringEquals', key: 'aws:RequestedRegion', values: ['eu-west-1'] },
    ]);
    expect(log.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test('with EKS Pod Identity makes the association, and annotates nothing', async () => {
    const { of, result } = await run(
      ({ library, pulumi }) =>
        Object.keys(
          new library.TargetGroupVerificationRole('verify', { clusterName: pulumi.output('shop') })
            .serviceAccountAnnotations,
        ),
      { state },
    );
    expect(result).toEqual([]);
    expect(of(ASSOCIATION).inputs).toEqual({
      clusterName: 'shop',
      namespace: 'argo-rollouts',
      serviceAccount: 'argo-rollouts',
      roleArn: arnOf(ROLE),
    });
    const associated = { serviceAccount: pods, clusterName: 'shop', hasSessionTags: true };
    const trust = statementsOf(of(ROLE).inputs.assumeRolePolicy);
    expect(podIdentityProblem(trust, associated)).toBeUndefined();
    expect(podIdentityProblem(trust, { ...associated, clusterName: 'other' })).toContain('asks for');
  });

  test('reports problems: of plain values immediately, of Outputs when they are known', async () => {
    const { result, log, resources } = await run(({ library, pulumi }) => {
      const { TargetGroupVerificationRole } = library;
      const plain = [
        errorOf(() => new TargetGroupVerificationRole('a', { oidcProviderArn: 'arn:wrong', regions: ['moon'] })),
        errorOf(() => new TargetGroupVerificationRole('b', {})),
        errorOf(() => new TargetGroupVerificationRole('c', { oidcProviderArn: PROVIDER, clusterName: 'shop' })),
      ];
      new TargetGroupVerificationRole('d', { oidcProviderArn: pulumi.output('arn:later') });
      return plain;
    });
    expect(result[0]).toContain('the OIDC provider is "arn:wrong"');
    expect(result[0]).toContain('regions has "moon"');
    expect(result[1]).toContain('give oidcProviderArn');
    expect(result[2]).toContain('and not both');
    expect(log.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual([
      expect.stringContaining('TargetGroupVerificationRole "d": the OIDC provider is "arn:later"'),
    ]);
    expect(resources.every(({ name }) => name.startsWith('d'))).toBe(true);
  });
});

describe('ArgoRolloutsInstall with verification', () => {
  const program = (verification: object) =>
    run(
      ({ library, recorded }) => {
        new library.ArgoRolloutsInstall(
          'argo',
          { namespace: 'argo', aws: { region: 'eu-west-1' }, trafficRouters: ['alb'], verification },
          recorded,
        );
      },
      { state },
    );
  const processOf = (deployment: Made): string[] => deployment.inputs.spec.template.spec.containers[0].args;

  test('gives the role to the ServiceAccount and turns the check on', async () => {
    const { of, log, findings } = await program({ oidcProviderArn: PROVIDER });
    expect(findings).toEqual([]);
    expect(of(SERVICE_ACCOUNT).inputs.metadata.annotations).toMatchObject({
      'eks.amazonaws.com/role-arn': arnOf(ROLE),
    });
    expect(processOf(of(DEPLOYMENT))).toContain('--aws-verify-target-group');
    const trust = statementsOf(of(ROLE).inputs.assumeRolePolicy);
    expect(irsaProblem(trust, { ...pods, namespace: 'argo' })).toBeUndefined();
    expect(of(ROLE).urn).toContain('TargetGroupVerificationRole$aws:iam/role:Role::argo-verification-role');
    expect(await namesOf(of(DEPLOYMENT).options.dependsOn)).toContain('argo-service-account-argo-rollouts');
    expect(log.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test('with EKS Pod Identity leaves the ServiceAccount as it is', async () => {
    const { of, findings } = await program({ clusterName: 'shop' });
    expect(findings).toEqual([]);
    expect(of(SERVICE_ACCOUNT).inputs.metadata.annotations).toBeUndefined();
    expect(of(ASSOCIATION).inputs).toMatchObject({ namespace: 'argo', serviceAccount: 'argo-rollouts' });
    expect(processOf(of(DEPLOYMENT))).toContain('--aws-verify-target-group');
  });

  test('has to know the region', async () => {
    const { result } = await run(({ library }) =>
      errorOf(() => new library.ArgoRolloutsInstall('argo', { verification: { oidcProviderArn: PROVIDER } })),
    );
    expect(result).toContain('region');
  });
});
