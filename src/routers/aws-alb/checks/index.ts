import type { Finding } from '../../../core/finding';
import type { World } from '../../../core/world';
import { actionRules, checkActions } from './actions';
import { checkConditions, conditionRules } from './conditions';
import { type AwsAlbCheck, type AwsAlbChecker, type AwsAlbCheckOptions, awsAlbCheck } from './context';
import { checkGroups, groupRules } from './groups';
import { checkLoadBalancers, checkPaths, pathRules } from './paths';
import { checkTargets, targetRules } from './targets';
import { unreachedRules } from './unreached';

export type { AwsAlbCheckOptions } from './context';

/** All rules on Ingresses of the AWS Load Balancer Controller. */
export const awsAlbRules = {
  ...actionRules,
  ...targetRules,
  ...conditionRules,
  ...groupRules,
  ...pathRules,
  ...unreachedRules,
};

const checkers: readonly AwsAlbChecker[] = [checkActions, checkTargets, checkConditions, checkGroups, checkPaths];

/**
 * Checks all Ingresses of the AWS Load Balancer Controller for what the controller or AWS rejects, ignores or
 * misinterprets.
 */
export function checkAwsAlb(world: World, options: AwsAlbCheckOptions = {}): Finding[] {
  return findInAwsAlb(awsAlbCheck(world, options));
}

/** The same for a World that is read already. */
export function findInAwsAlb(check: AwsAlbCheck): Finding[] {
  const findings = checkers.flatMap((checker) => checker(check));
  return [...findings, ...checkLoadBalancers(check, findings)];
}
