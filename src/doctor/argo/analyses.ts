/** The analyses of a release of Argo Rollouts, as the Rollout and its AnalysisRuns report them. */
import type { Manifest } from '../../core';
import { asList, asObject, asText } from '../../core/json';
import type { LiveCluster } from '../cluster';

/** The place of an analysis in a release. */
export type AnalysisPlace = 'step' | 'background' | 'before the promotion' | 'after the promotion';

/** An analysis of the release that is in progress. */
export interface Analysis {
  readonly place: AnalysisPlace;
  /** The AnalysisRun. */
  readonly name: string;
  /** `Running`, `Failed`, `Inconclusive` */
  readonly phase: string;
  /** The message of the AnalysisRun. */
  readonly message: string;
}

const PLACES: readonly (readonly [place: AnalysisPlace, path: string])[] = [
  ['step', 'status.canary.currentStepAnalysisRunStatus'],
  ['background', 'status.canary.currentBackgroundAnalysisRunStatus'],
  ['before the promotion', 'status.blueGreen.prePromotionAnalysisRunStatus'],
  ['after the promotion', 'status.blueGreen.postPromotionAnalysisRunStatus'],
];

/** The analyses that the status of a Rollout names. */
export function analysesOf(rollout: Manifest): readonly Analysis[] {
  return PLACES.flatMap(([place, path]) => {
    const { name, status, message } = asObject(rollout.get(path));
    return asText(name) === '' ? [] : [{ place, name: asText(name), phase: asText(status), message: asText(message) }];
  });
}

/** An analysis with its metrics: `AnalysisRun shop-2: Failed: …`, and a line for each metric. */
export function analysisLines({ name, phase, message }: Analysis, namespace: string, { world }: LiveCluster): string[] {
  const run = world.find('AnalysisRun.argoproj.io', name, namespace);
  const metrics = asList(run?.get('status.metricResults')).map(asObject);
  return [
    said(`AnalysisRun ${name}: ${phase}`, message),
    ...metrics.map((metric) => {
      const last = asObject(asList(metric.measurements).at(-1));
      const value = asText(last.value) === '' ? '' : `, the last value is ${asText(last.value)}`;
      const line = `metric ${asText(metric.name)}: ${asText(metric.phase)}${value}`;
      return said(line, asText(last.message) || asText(metric.message));
    }),
  ];
}

function said(what: string, message: string): string {
  return message === '' ? what : `${what}: ${message}`;
}
