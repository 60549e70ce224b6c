import type { PropTable } from '../core/props';
import { isRegion } from './arn';
import { type PolicyConditions, type PolicyDocument, policyDocument } from './policy-document';

/** Called at every `setWeight` of a canary and at its end, to read the weights of the load balancer. */
const WEIGHT_ACTIONS: readonly string[] = [
  'elasticloadbalancing:DescribeTargetGroups',
  'elasticloadbalancing:DescribeLoadBalancers',
  'elasticloadbalancing:DescribeListeners',
  'elasticloadbalancing:DescribeRules',
  'elasticloadbalancing:DescribeTags',
];

/** Called after a Service was switched, for canaries and blue-green, to read which pods the load balancer has registered. */
const TARGET_ACTIONS: readonly string[] = ['elasticloadbalancing:DescribeTargetHealth'];

/** The actions of the controller when it verifies target groups. All of them only read. */
export const VERIFICATION_ACTIONS: readonly string[] = [...WEIGHT_ACTIONS, ...TARGET_ACTIONS];

/** Which Rollouts the controller verifies. */
export type VerifiedRollouts =
  /** Canaries and blue-green: all six actions. */
  | 'all'
  /** Blue-green only, which needs one action. */
  | 'blueGreen';

/** Limits of the policy. */
export interface VerificationPolicyOptions {
  /**
   * The Rollouts that are verified. Blue-green needs `DescribeTargetHealth` alone.
   * @default 'all'
   */
  readonly rollouts?: VerifiedRollouts;
  /**
   * The regions that the controller may call. It calls the region in `AWS_REGION`.
   * @default - all regions
   */
  readonly regions?: readonly string[];
  /**
   * The VPCs from which the controller may call. Only for clusters that reach Elastic Load Balancing through a VPC
   * endpoint: a request that takes another path carries no VPC, and AWS refuses it.
   * @default - from everywhere
   */
  readonly sourceVpcs?: readonly string[];
}

/** The same at run time. */
export const VERIFICATION_POLICY_PROPS: PropTable<VerificationPolicyOptions> = {
  rollouts: true,
  regions: true,
  sourceVpcs: true,
};

/** The actions that the verified Rollouts need. */
export function verificationActions(rollouts: VerifiedRollouts = 'all'): readonly string[] {
  return rollouts === 'blueGreen' ? TARGET_ACTIONS : VERIFICATION_ACTIONS;
}

/**
 * The permissions that `--aws-verify-target-group` needs.
 *
 * The resource is `*`, because AWS cannot limit any of these actions to a resource or its tags: a statement that names an
 * ARN allows nothing. Only global condition keys can narrow it.
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
