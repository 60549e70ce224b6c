/** Conditions over a number that may be missing. */
import type { Metric } from '../api';
import type { ArgoWithoutRequests } from './metric-options';

/** A comparison of a measured value with a limit. */
export interface Comparison {
  /** `result[0]`, or `result[0].Values[0]` */
  readonly value: string;
  readonly limit: string;
  readonly isGood: '>=' | '<=';
  readonly isBad: '<' | '>';
}

/**
 * The conditions of a metric. Without requests Prometheus has no value, or NaN, which no comparison holds for. An index
 * without a value would be an error, and five of them abort a release.
 */
export function conditionsOf(
  { value, limit, isGood, isBad }: Comparison,
  withoutRequests: ArgoWithoutRequests,
): Pick<Metric, 'successCondition' | 'failureCondition'> {
  const lists = value.includes('.Values') ? ['result', 'result[0].Values'] : ['result'];
  const isThere = lists.map((list) => `len(${list}) > 0`).join(' && ');
  const good = `${isThere} && ${value} ${isGood} ${limit}`;
  const bad = `${isThere} && ${value} ${isBad} ${limit}`;
  if (withoutRequests === 'success') return { failureCondition: bad };
  if (withoutRequests === 'failure') return { successCondition: good };
  return { successCondition: good, failureCondition: bad };
}
