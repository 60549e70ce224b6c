import { describe, expect, test, vi } from 'vitest';
import { type RunOptions, run } from './program';

const config = {
  'project:subnetIds': '["subnet-1","subnet-2"]',
  'project:hostedZone': 'example.com',
  'project:certificateArn': 'arn:aws:acm:eu-west-1:111122223333:certificate/1',
  'project:loadBalancerPolicyArn': 'arn:aws:iam::111122223333:policy/load-balancer-controller',
  'aws:region': 'eu-west-1',
};

const ISSUER = 'oidc.eks.eu-west-1.amazonaws.com/id/0123ABCD';

/** What AWS adds to the state of its resources, once they are made. */
function made(type: string, inputs: { name?: string }): Record<string, unknown> {
  const arn = 'arn:aws:iam::111122223333:';
  switch (type) {
    case 'aws:eks/cluster:Cluster':
      return {
        name: 'shop-1',
        endpoint: 'https://shop.eks',
        identities: [{ oidcs: [{ issuer: `https://${ISSUER}` }] }],
        certificateAuthority: { data: 'PEM' },
      };
    case 'aws:iam/role:Role':
      return { name: 'role-1', arn: `${arn}role/role-1` };
    case 'aws:iam/policy:Policy':
      return { name: 'policy-1', arn: `${arn}policy/policy-1` };
    case 'aws:iam/openIdConnectProvider:OpenIdConnectProvider':
      return { arn: `${arn}oidc-provider/${ISSUER}` };
    default:
      return inputs;
  }
}

const examples = {
  'kruise-alb': () => import('../../examples/pulumi/kruise-alb'),
  'argo-alb': () => import('../../examples/pulumi/argo-alb'),
  'existing-cluster': () => import('../../examples/pulumi/existing-cluster'),
};

/** Each program runs in its own runtime, one after the other. */
async function example(name: keyof typeof examples, options: RunOptions) {
  vi.resetModules();
  return run(async ({ pulumi }) => {
    pulumi.runtime.setAllConfig(config);
    await examples[name]();
  }, options);
}

describe.each(['kruise-alb', 'argo-alb', 'existing-cluster'] as const)('the example %s', (name) => {
  test('is made without a finding', async () => {
    const { log, findings, resources } = await example(name, { state: made });
    expect(findings.filter(({ severity }) => severity !== 'note')).toEqual([]);
    expect(log.filter(({ severity }) => severity === 'error' || severity === 'warning')).toEqual([]);
    expect(JSON.stringify(resources.map(({ inputs }) => inputs))).not.toContain('known-later');
    const inCluster = resources.filter(({ type }) => /^kubernetes:(?!helm)/.test(type));
    expect(inCluster.length).toBeGreaterThan(15);
    const providers = new Set(inCluster.map(({ provider }) => provider?.split('::').at(-2)));
    expect([...providers]).toEqual([name === 'existing-cluster' ? undefined : 'eks']);
  });

  test('previews without a cluster, and reports what it cannot check', async () => {
    const { log, findings } = await example(name, { preview: true });
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(log.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(log.map(({ message }) => message).join('\n')).not.toContain('known-later');
    // The role is made by the update only.
    const unchecked = log.filter(({ message }) => message.includes('not checked yet')).map(({ message }) => message);
    expect(unchecked).toEqual(
      name === 'argo-alb' ? [expect.stringContaining('serviceAccountAnnotations["eks.amazonaws.com/role-arn"]')] : [],
    );
  });
});
