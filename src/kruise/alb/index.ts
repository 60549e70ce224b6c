/** Canaries of Kruise Rollouts on application load balancers, of AWS and of Alibaba Cloud. */
import type { Finding } from '../../core/finding';
import type { World } from '../../core/world';
import { awsAlbRules, findInAwsAlb } from '../../routers/aws-alb/checks';
import { aliyunRules, checkAliyun } from './aliyun';
import { aliyunOrderRules } from './aliyun-orders';
import { awsIngressRules, checkAwsIngresses } from './aws-ingress';
import { awsOrderRules, checkAwsOrder } from './aws-order';
import { awsRolloutRules, checkAwsRollouts } from './aws-rollouts';
import { awsStepRules, checkAwsSteps } from './aws-steps';
import { type AlbChecker, type AlbCheckOptions, albCheck } from './context';

export type { AlbCheckOptions } from './context';

/** Rules on canaries of Kruise Rollouts on load balancers of AWS. */
export const kruiseAwsAlbRules = { ...awsIngressRules, ...awsOrderRules, ...awsStepRules, ...awsRolloutRules };

/** Rules on canaries of Kruise Rollouts on load balancers of Alibaba Cloud. */
export const kruiseAliyunAlbRules = { ...aliyunRules, ...aliyunOrderRules };

/** The rules of `checkAlb`. */
const checkedAlbRules = { ...awsAlbRules, ...kruiseAwsAlbRules, ...aliyunRules };

/** The rules of `checkAlb`, and those on orders that this library assigns. */
export const albRules = { ...checkedAlbRules, ...aliyunOrderRules };

const CHECKERS: readonly AlbChecker[] = [
  checkAwsIngresses,
  checkAwsOrder,
  checkAwsSteps,
  checkAwsRollouts,
  checkAliyun,
  ({ aws }) => findInAwsAlb(aws),
];

/**
 * Checks all Ingresses of load balancers, and the Rollouts that route through them. `checkRollouts` reports what does not
 * depend on the load balancer.
 *
 * @example checkAlb(World.of(manifests), { awsLoadBalancerControllerVersion: AwsLoadBalancerControllerVersion.of('2.13.4') })
 */
export function checkAlb(world: World, options: AlbCheckOptions = {}): Finding[] {
  const check = albCheck(world, options);
  return CHECKERS.flatMap((checker) => checker(check));
}
