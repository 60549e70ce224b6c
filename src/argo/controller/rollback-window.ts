import { asObject, isSet, type JsonObject, numberOf, partOf } from '../../core/json';
import type { ArgoRolloutsVersion } from '../version';

/** Whether `rollbackWindow` takes a release for a quick way back: the version is older than the stable one, and few are between them. */
export function isWithinWindow(
  rollout: JsonObject,
  versions: Readonly<Record<string, string>>,
  { stable, canary }: { readonly stable: string; readonly canary: string },
): boolean {
  const { rollbackWindow } = asObject(partOf(rollout, 'spec'));
  const revisions = numberOf(asObject(rollbackWindow).revisions) ?? 0;
  // Each version has its place when it is released first.
  const ages = Object.keys(versions);
  const between = ages.indexOf(stable) - ages.indexOf(canary) - 1;
  return between >= 0 && between < revisions;
}

/** Whether a blue-green release within the window whose pods have gone waits for nothing, or why it never ends. */
export function blueGreenWithinWindow(
  { autoPromotionEnabled, autoPromotionSeconds, prePromotionAnalysis, previewReplicaCount }: JsonObject,
  replicas: number,
  { facts }: ArgoRolloutsVersion,
): { readonly isFast: boolean; readonly why?: string } {
  const isPaused = autoPromotionEnabled === false || (numberOf(autoPromotionSeconds) ?? 0) > 0;
  if (facts.rollsBackWithinWindowAtOnce) {
    const isFast = !isPaused || (numberOf(previewReplicaCount) ?? replicas) === replicas;
    return isFast ? { isFast } : { isFast, why: 'it needs all pods, and gets those of previewReplicaCount' };
  }
  if (isPaused) {
    return { isFast: false, why: 'the controller ends each pause and waits for it, so a promotion has no effect' };
  }
  const isAnalysed = isSet(prePromotionAnalysis) && facts.skipsAnalysisWithinWindow;
  return { isFast: false, ...(isAnalysed && { why: 'the controller skips the analysis and waits for its result' }) };
}

/** Why a blue-green roll-back within the window of a Rollout never ends; undefined where it does, or where it has no window. */
export function hangsWithinWindow({ spec }: JsonObject, version: ArgoRolloutsVersion): string | undefined {
  const { replicas, rollbackWindow, strategy } = asObject(spec);
  const { blueGreen } = asObject(strategy);
  if (!isSet(blueGreen) || (numberOf(asObject(rollbackWindow).revisions) ?? 0) < 1) return undefined;
  return blueGreenWithinWindow(asObject(blueGreen), numberOf(replicas) ?? 1, version).why;
}
