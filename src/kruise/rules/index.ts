/** Checks that upstream lacks: manifests that the API server accepts, but that do not work as declared. */
import type { Finding } from '../../core/finding';
import type { World } from '../../core/world';
import { annotationRules, checkAnnotations } from './annotations';
import { type RolloutChecker, type RolloutCheckOptions, rolloutCheck } from './context';
import { checkCustomObjects, customObjectRules } from './custom-objects';
import { checkHeldFields, heldFieldRules } from './held-fields';
import { checkInactive, inactiveRules } from './inactive';
import { checkIngresses, ingressRules } from './ingresses';
import { checkPodMetadata, podMetadataRules } from './pod-metadata';
import { checkReferences, referenceRules } from './references';
import { checkRefusedWrites, refusedWriteRules } from './refused-writes';
import { checkScriptLookup, scriptLookupRules } from './scripts';
import { checkServices, serviceRules } from './services';
import { checkSteps, stepRules } from './steps';
import { checkTrafficRoutings, trafficRoutingRules } from './traffic-routings';
import { checkWorkloadFields, workloadFieldRules } from './workload-fields';
import { checkWorkloads, workloadRules } from './workloads';

export type { RolloutCheckOptions } from './context';

/** All rules of this folder. */
export const rolloutRules = {
  ...inactiveRules,
  ...stepRules,
  ...referenceRules,
  ...refusedWriteRules,
  ...scriptLookupRules,
  ...ingressRules,
  ...serviceRules,
  ...podMetadataRules,
  ...workloadRules,
  ...workloadFieldRules,
  ...heldFieldRules,
  ...annotationRules,
  ...customObjectRules,
  ...trafficRoutingRules,
};

const CHECKERS: readonly RolloutChecker[] = [
  checkInactive,
  checkSteps,
  checkReferences,
  checkRefusedWrites,
  checkScriptLookup,
  checkIngresses,
  checkServices,
  checkPodMetadata,
  checkWorkloads,
  checkWorkloadFields,
  checkHeldFields,
  checkAnnotations,
  checkCustomObjects,
  checkTrafficRoutings,
];

/**
 * Checks the Rollouts and TrafficRoutings of a World for mistakes that the API server and the webhook accept.
 *
 * @example
 * const { manifests } = readManifests(['deploy']);
 * checkRollouts(World.of(manifests), { external: [{ kind: 'Service', name: 'web' }] });
 */
export function checkRollouts(world: World, options: RolloutCheckOptions = {}): Finding[] {
  const check = rolloutCheck(world, options);
  return CHECKERS.flatMap((checker) => checker(check));
}
