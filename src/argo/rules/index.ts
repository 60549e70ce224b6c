/** Checks Argo Rollouts canaries on AWS Application Load Balancers for mistakes that Argo itself does not report. */
import type { Finding } from '../../core/finding';
import type { World } from '../../core/world';
import type { ArgoCheckOptions } from '../check-options';
import { argoAnalysisRules, checkAnalysisTemplates, checkExperiments } from './analysis';
import {
  argoBlueGreenRules,
  checkArgoBlueGreen,
  checkAutoPromotion,
  checkRetry,
  checkRollbackWindow,
  checkUndo,
} from './blue-green';
import { type ArgoAlbChecker, argoAlbCheck } from './context';
import { argoDynamicAbortRules, checkDynamicAbort } from './dynamic-abort';
import { argoIngressRules, checkArgoIngresses } from './ingresses';
import { argoControllerRules, checkArgoController } from './install';
import { argoInstanceRules, checkArgoInstances } from './instances';
import { argoIstioRules, checkIstioRouting } from './istio';
import { argoMinPodsRules, checkMinPods } from './min-pods';
import { argoOldIngressRules, checkOldIngresses } from './old-ingresses';
import { argoOldPodsRules, checkOldPods } from './old-pods';
import { argoPausedRules, checkPaused } from './paused';
import { argoAlbRolloutRules } from './rollout-rules';
import { checkArgoRollouts } from './rollouts';
import { argoSeveralIngressesRules, checkSeveralIngresses } from './several-ingresses';
import { argoThresholdRules, checkThreshold } from './threshold';
import { checkArgoVerification } from './verification';
import { argoVerificationRules } from './verification-rules';
import { argoWorkloadRefRules, checkWorkloadRefs } from './workload-ref';

/** The rules of `checkArgoAlb`. */
export const argoAlbRules = {
  ...argoIngressRules,
  ...argoAlbRolloutRules,
  ...argoControllerRules,
  ...argoInstanceRules,
  ...argoSeveralIngressesRules,
  ...argoBlueGreenRules,
  ...argoMinPodsRules,
  ...argoDynamicAbortRules,
  ...argoThresholdRules,
  ...argoOldPodsRules,
  ...argoAnalysisRules,
  ...argoWorkloadRefRules,
  ...argoIstioRules,
  ...argoPausedRules,
  ...argoOldIngressRules,
  ...argoVerificationRules,
};

const CHECKERS: readonly ArgoAlbChecker[] = [
  checkArgoIngresses,
  checkArgoRollouts,
  checkArgoController,
  checkArgoInstances,
  checkSeveralIngresses,
  checkArgoBlueGreen,
  checkAutoPromotion,
  checkRetry,
  checkUndo,
  checkRollbackWindow,
  checkMinPods,
  checkDynamicAbort,
  checkThreshold,
  checkOldPods,
  checkAnalysisTemplates,
  checkExperiments,
  checkWorkloadRefs,
  checkIstioRouting,
  checkPaused,
  checkOldIngresses,
  checkArgoVerification,
];

/**
 * Checks Argo Rollouts, their Ingresses and Services and the controller's Deployment for mistakes with an ALB.
 * `admissionFindings` reports what Argo itself refuses.
 *
 * @example checkArgoAlb(World.of(readManifests(['deploy']).manifests))
 */
export function checkArgoAlb(world: World, options: ArgoCheckOptions = {}): Finding[] {
  const check = argoAlbCheck(world, options);
  return CHECKERS.flatMap((checker) => checker(check));
}
