/** Checks what the analyses of a World ask, and how they compare the answers. */
import type { Finding } from '../../../core/finding';
import { asList, asObject, asText, isSet, type JsonObject } from '../../../core/json';
import type { Manifest } from '../../../core/manifest';
import { formatPath, type Path } from '../../../core/path';
import type { World } from '../../../core/world';
import {
  APPLICATION_ELB,
  applicationElbProblems,
  promqlProblems,
  type QueryProblem,
  readPromql,
} from '../../../metrics';
import { API_GROUP } from '../../api/names';
import { conditionMistake, type ResultShape } from './conditions';
import { argoQueryRules } from './rules';
import { measuredCanaries } from './users';

const KINDS = ['AnalysisTemplate', 'ClusterAnalysisTemplate', 'AnalysisRun'].map((kind) => `${kind}.${API_GROUP}`);

/** A problem, with its place. */
interface Placed extends QueryProblem {
  readonly path: Path;
}

/**
 * Checks the queries and conditions of all analyses: what no Prometheus parses, what the router does not export, and what
 * cannot tell the canary from the stable version.
 *
 * @example checkAnalyses(World.of(readManifests(['deploy']).manifests))
 */
export function checkAnalyses(world: World): Finding[] {
  const objects = KINDS.flatMap((kind) => world.list(kind));
  if (objects.length === 0) return [];
  const canaries = measuredCanaries(world);
  return objects.flatMap((manifest) =>
    asList(asObject(manifest.object.spec).metrics).flatMap((one, index) => {
      const path: Path = ['spec', 'metrics', index];
      return metricFindings(manifest, asObject(one), path, canaries.get(manifest));
    }),
  );
}

function metricFindings(manifest: Manifest, metric: JsonObject, path: Path, rollout: string | undefined): Finding[] {
  const provider = asObject(metric.provider);
  const problems = queryProblems(provider, [...path, 'provider'], rollout !== undefined);
  return [
    ...problems.map((problem) => queryFinding(manifest, problem, rollout)),
    ...conditionFindings(manifest, metric, path, shapeOf(provider)),
  ];
}

function queryProblems(provider: JsonObject, path: Path, separates: boolean): Placed[] {
  const { query } = asObject(provider.prometheus);
  const found = isSet(query) ? promqlProblems(asText(query), separates) : [];
  const at = [...path, 'prometheus', 'query'];
  return [...found.map((problem) => ({ ...problem, path: at })), ...cloudWatchProblems(provider, path, separates)];
}

function cloudWatchProblems(provider: JsonObject, path: Path, separates: boolean): Placed[] {
  return asList(asObject(provider.cloudWatch).metricDataQueries).flatMap((one, index) => {
    const { metric } = asObject(asObject(one).metricStat);
    const { namespace, metricName, dimensions } = asObject(metric);
    if (namespace !== APPLICATION_ELB) return [];
    const named = asList(dimensions).map((dimension) => {
      const { name, value } = asObject(dimension);
      return { name: asText(name), value: asText(value) };
    });
    const at = [...path, 'cloudWatch', 'metricDataQueries', index, 'metricStat', 'metric'];
    return applicationElbProblems({ metricName: asText(metricName), dimensions: named }, separates).map((problem) => ({
      ...problem,
      path: problem.kind === 'metric-unknown' ? [...at, 'metricName'] : at,
    }));
  });
}

const RULES = {
  invalid: argoQueryRules['argo-query-invalid'],
  'metric-unknown': argoQueryRules['argo-query-metric-unknown'],
  'label-unknown': argoQueryRules['argo-query-label-unknown'],
  'canary-indistinct': argoQueryRules['argo-query-canary-indistinct'],
} as const;

function queryFinding(
  manifest: Manifest,
  { kind, path, text, fix, because, isOfDialect }: Placed,
  rollout: string | undefined,
): Finding {
  const user = kind === 'canary-indistinct' ? `, and Rollout "${rollout}" measures its canary with it` : '';
  return manifest.finding(RULES[kind], {
    path,
    message: `${formatPath(path)}: ${text}${user}`,
    fix,
    ...(because === undefined ? {} : { because }),
    ...(isOfDialect && {
      severity: 'warning',
      because:
        'Prometheus refuses the query, so that each measurement ends with an error; other databases may accept it',
    }),
  });
}

/** What a condition of the metric gets as `result`. */
function shapeOf({ prometheus, cloudWatch }: JsonObject): ResultShape {
  if (isSet(cloudWatch)) return 'series';
  const { query } = asObject(prometheus);
  return isSet(query) && !readPromql(asText(query)).mayBeNumber ? 'list' : 'unknown';
}

function conditionFindings(manifest: Manifest, metric: JsonObject, path: Path, shape: ResultShape): Finding[] {
  return ['successCondition', 'failureCondition'].flatMap((field) => {
    const condition = asText(metric[field]);
    const mistake = condition === '' ? undefined : conditionMistake(condition, shape);
    if (mistake === undefined) return [];
    const at = [...path, field];
    const message = `${formatPath(at)}: ${mistake.text}`;
    return [manifest.finding(argoQueryRules['argo-condition-invalid'], { path: at, message, fix: mistake.fix })];
  });
}
