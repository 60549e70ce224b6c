/** Everything that is known of the objects of KtEnv: what upstream's troubleshooting page asks, answered from manifests. */
import { type Finding, sortFindings } from '../../core/finding';
import type { World } from '../../core/world';
import { annotationRules, checkAnnotations } from './annotations';
import { checkConflicts, conflictRules } from './conflicts';
import { type KtEnvChecker, type KtEnvCheckOptions, ktenvCheck } from './context';
import { checkInstalls, installRules } from './installs';
import { checkServices, serviceRules } from './services';
import { checkSubsets, subsetRules } from './subsets';
import { checkTagging, taggingRules } from './tagging';
import { checkVirtualEnvironments, virtualEnvironmentRules } from './virtual-environment';

export type { KtEnvCheckOptions } from './context';

/** All rules on KtEnv. */
export const ktenvRules = {
  ...virtualEnvironmentRules,
  ...serviceRules,
  ...subsetRules,
  ...annotationRules,
  ...conflictRules,
  ...taggingRules,
  ...installRules,
};

const CHECKERS: readonly KtEnvChecker[] = [
  checkVirtualEnvironments,
  checkServices,
  checkSubsets,
  checkAnnotations,
  checkConflicts,
  checkTagging,
  checkInstalls,
];

/**
 * What is wrong with the VirtualEnvironments of a World, and with the Services, workloads and installs around them.
 *
 * @example
 * const { manifests } = readManifests(['deploy']);
 * checkKtEnv(World.of(manifests), { istioVersion: '1.24' });
 */
export function checkKtEnv(world: World, options: KtEnvCheckOptions = {}): Finding[] {
  const check = ktenvCheck(world, options);
  return sortFindings(CHECKERS.flatMap((checker) => checker(check)));
}
