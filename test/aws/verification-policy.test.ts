import { describe, expect, it } from 'vitest';
import { policyJson, VERIFICATION_ACTIONS, verificationPolicy } from '../../src/aws';

describe('the policy for verification', () => {
  it('is that of the documentation of Argo Rollouts', () => {
    expect(JSON.parse(policyJson(verificationPolicy()))).toEqual({
      Version: '2012-10-17',
      Statement: [
        {
          Action: [
            'elasticloadbalancing:DescribeTargetGroups',
            'elasticloadbalancing:DescribeLoadBalancers',
            'elasticloadbalancing:DescribeListeners',
            'elasticloadbalancing:DescribeRules',
            'elasticloadbalancing:DescribeTags',
            'elasticloadbalancing:DescribeTargetHealth',
          ],
          Resource: '*',
          Effect: 'Allow',
        },
      ],
    });
  });

  it('only reads', () => {
    expect(VERIFICATION_ACTIONS.filter((action) => !action.startsWith('elasticloadbalancing:Describe'))).toEqual([]);
  });

  it('has one action for blue-green', () => {
    const { Statement } = verificationPolicy({ rollouts: 'blueGreen' });
    expect(Statement).toEqual([
      { Effect: 'Allow', Action: ['elasticloadbalancing:DescribeTargetHealth'], Resource: '*' },
    ]);
  });

  it('takes conditions on regions and VPCs', () => {
    const conditionOf = (options: Parameters<typeof verificationPolicy>[0]) =>
      verificationPolicy(options).Statement[0]!.Condition;
    expect(conditionOf({ regions: ['eu-west-1'] })).toEqual({ StringEquals: { 'aws:RequestedRegion': 'eu-west-1' } });
    expect(conditionOf({ regions: ['us-east-1', 'eu-west-1', 'us-east-1'], sourceVpcs: ['vpc-0a1b'] })).toEqual({
      StringEquals: { 'aws:RequestedRegion': ['eu-west-1', 'us-east-1'], 'aws:SourceVpc': 'vpc-0a1b' },
    });
    expect(conditionOf({ regions: [], sourceVpcs: [] })).toBeUndefined();
  });

  it('is the same text in whatever order the options are', () => {
    const one = verificationPolicy({ regions: ['eu-west-1', 'us-east-1'], sourceVpcs: ['vpc-1', 'vpc-2'] });
    const other = verificationPolicy({ sourceVpcs: ['vpc-2', 'vpc-1'], regions: ['us-east-1', 'eu-west-1'] });
    expect(policyJson(one)).toBe(policyJson(other));
  });

  it.each([
    [{ regions: ['Ireland'] }, 'regions has "Ireland": give a region as eu-west-1'],
    [{ regions: ['eu-west-1a'] }, 'regions has "eu-west-1a"'],
    [{ sourceVpcs: ['shop'] }, 'sourceVpcs has "shop": give a VPC as vpc-0a1b2c3d'],
  ])('does not take %j', (options, message) => {
    expect(() => verificationPolicy(options)).toThrow(message);
  });
});
