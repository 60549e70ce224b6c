/** `replicaProgressThreshold`: how many ready pods of the new version are enough for its steps. */
import { asText, type JsonObject, numberOf, partOf } from '../../core/json';
import type { ArgoRolloutsVersion } from '../version';

const FIELD = 'spec.strategy.canary.replicaProgressThreshold';

/** Where a release ends that no number of pods is too few for. */
export const HEALTHY_WITHOUT_PODS =
  'the Rollout is Healthy, although no pod of the new version is ready: replicaProgressThreshold asks for none';

/** The threshold of a Rollout; undefined where all pods have to be ready. */
export interface Threshold {
  /** The controller takes any other word for `Pods`. */
  readonly type: string;
  readonly value: number;
}

/** Reads the threshold of a canary as a release of the controller does: values below 0 count nothing, and a release without the field drops it. */
export function thresholdOf(canary: JsonObject | undefined, version: ArgoRolloutsVersion): Threshold | undefined {
  const threshold = partOf(canary, 'replicaProgressThreshold');
  if (threshold === undefined || version.facts.lacksFields.includes(FIELD)) return undefined;
  const value = numberOf(threshold.value);
  return value === undefined || value < 0 ? undefined : { type: asText(threshold.type), value };
}

/** Whether so many ready pods are enough for a step that asks for a number of them. */
export function areEnough(ready: number, desired: number, threshold: Threshold | undefined): boolean {
  if (threshold === undefined) return ready === desired;
  const { type, value } = threshold;
  if (type === 'Percent') return desired === 0 || (100 * ready) / desired >= value;
  return ready >= value;
}

/** What a threshold asks for, in words. */
export function thresholdText({ type, value }: Threshold): string {
  if (type === 'Percent') return `${value} % of the pods`;
  return `${value} ready ${value === 1 ? 'pod' : 'pods'}`;
}
