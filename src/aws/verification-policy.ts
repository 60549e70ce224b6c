import type { PropTable } from '../core/props';
import { isRegion } from './arn';
import { type PolicyConditions, type PolicyDocument, policyDocument } from './policy-document';

/** Asked at every `setWeight` of a canary and at its end: where the load balancer sends how much. */
const WEIGHT_ACTIONS: readonly string[] = [
  'elasticloadbalancing:DescribeTargetGroups',
  'elasticloadbalancing:DescribeLoadBalancers',
  'elasticloadbalancing:DescribeListeners',
  'elasticloadbalancing:DescribeRules',
  'elasticloadbalancing:DescribeTags',
];

/** Asked when a Service was switched, of canaries and of blue-green: which pods the load balancer knows. */
const TARGET_ACTIONS: readonly string[] = ['elasticloadbalancing:DescribeTargetHealth'];

/** What the controller asks AWS when it verifies target groups. None of it changes anything. */
export const VERIFICATION_ACTIONS: readonly string[] = [...WEIGHT_ACTIONS, ...TARGET_ACTIONS];

/** Which Rollouts the controller verifies. */
export type VerifiedRollouts =
  /** Canaries and blue-green: all six actions. */
  | 'all'
  /** Blue-green only, which needs one of them. */
  | 'blueGreen';

/** How narrow the policy is. */
export interface VerificationPolicyOptions {
  /**
   * The Rollouts that are verified. Blue-green needs `DescribeTargetHealth` alone.
   * @default 'all'
   */
  readonly rollouts?: VerifiedRollouts;
  /**
   * The regions in which the controller may ask. It asks in the region that it has in `AWS_REGION`.
   * @default - all regions
   */
  readonly regions?: readonly string[];
  /**
   * The VPCs from which the controller may ask. Only for clusters that reach Elastic Load Balancing through a VPC endpoint:
   * a request on any other way carries no VPC, and is refused.
   * @default - from everywhere
   */
  readonly sourceVpcs?: readonly string[];
}

/** The same at run time. */
export const VERIFICATION_POLICY_PROPS: PropTable<VerificationPolicyOptions> = {
  rollouts: 'string',
  regions: 'list',
  sourceVpcs: 'list',
};

/** The actions that some Rollouts need. */
export function verificationActions(rollouts: VerifiedRollouts = 'all'): readonly string[] {
  return rollouts === 'blueGreen' ? TARGET_ACTIONS : VERIFICATION_ACTIONS;
}

/**
 * The permissions that `--aws-verify-target-group` needs.
 *
 * The resource is `*`, because AWS lets none of these actions be limited to a resource or to its tags: a statement that names
 * an ARN allows nothing at all. What can narrow it are the conditions that hold for every action.
 *
 * @example verificationPolicy({ regions: ['eu-west-1'] })
 */
export function verificationPolicy(options: VerificationPolicyOptions = {}): PolicyDocument {
  const { rollouts, regions = [], sourceVpcs = [] } = options;
  const wrong = regions.find((region) => !isRegion(region));
  if (wrong !== undefined) throw new Error(`regions has "${wrong}": give a region as eu-west-1`);
  const noVpc = sourceVpcs.find((vpc) => !/^vpc-[0-9a-f]+$/.test(vpc));
  if (noVpc !== undefined) throw new Error(`sourceVpcs has "${noVpc}": give a VPC as vpc-0a1b2c3d`);
  const keys = {
    ...(regions.length > 0 && { 'aws:RequestedRegion': oneOrSorted(regions) }),
    ...(sourceVpcs.length > 0 && { 'aws:SourceVpc': oneOrSorted(sourceVpcs) }),
  };
  const Condition: PolicyConditions | undefined = Object.keys(keys).length === 0 ? undefined : { StringEquals: keys };
  return policyDocument({
    Effect: 'Allow',
    Action: verificationActions(rollouts),
    Resource: '*',
    ...(Condition && { Condition }),
  });
}

function oneOrSorted(values: readonly string[]): string | readonly string[] {
  const different = [...new Set(values)].sort();
  return different.length === 1 ? different[0]! : different;
}
