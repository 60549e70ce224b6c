/** The checks of KtEnv, which answer the questions of upstream's troubleshooting page from manifests. */
import type { Finding } from '../../core/finding';
import type { World } from '../../core/world';
import { annotationRules, checkAnnotations } from './annotations';
import { certificateRules, checkCertificates } from './certificates';
import { checkConflicts, conflictRules } from './conflicts';
import { type KtEnvChecker, type KtEnvCheckOptions, ktenvCheck } from './context';
import { checkHeaders, headerRules } from './headers';
import { checkInstalls, installRules } from './installs';
import { checkServices, serviceRules } from './services';
import { checkSubsets, subsetRules } from './subsets';
import { checkTagging, taggingRules } from './tagging';
import { checkVirtualEnvironments, virtualEnvironmentRules } from './virtual-environment';
import { checkWebhook, webhookRules } from './webhook';
import { checkWorkloads, workloadRules } from './workloads';

export type { KtEnvCheckOptions } from './context';

/** All rules on KtEnv. */
export const ktenvRules = {
  ...virtualEnvironmentRules,
  ...headerRules,
  ...serviceRules,
  ...workloadRules,
  ...subsetRules,
  ...annotationRules,
  ...conflictRules,
  ...taggingRules,
  ...installRules,
  ...webhookRules,
  ...certificateRules,
};

const CHECKERS: readonly KtEnvChecker[] = [
  checkVirtualEnvironments,
  checkHeaders,
  checkServices,
  checkWorkloads,
  checkSubsets,
  checkAnnotations,
  checkConflicts,
  checkTagging,
  checkInstalls,
  checkWebhook,
  checkCertificates,
];

/**
 * Checks the VirtualEnvironments of a World, and the Services, workloads and installs that they depend on.
 *
 * @example
 * const { manifests } = readManifests(['deploy']);
 * checkKtEnv(World.of(manifests), { istioVersion: '1.24' });
 */
export function checkKtEnv(world: World, options: KtEnvCheckOptions = {}): Finding[] {
  const check = ktenvCheck(world, options);
  return CHECKERS.flatMap((checker) => checker(check));
}
