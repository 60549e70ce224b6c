import type { Json, JsonObject } from '../../core/json';
import { asList, asObject, asText, isSet } from '../../core/json';
import type { Path } from '../../core/path';
import { ArgoRolloutsVersion } from '../version';
import type { ArgoCluster } from './cluster';
import { metricsProblems, unmatchedRules } from './metrics';
import { argumentOf, placeOf, resolve, unknownTags } from './placeholders';
import type { Problem } from './problem';

const SPEC: Path = ['spec'];
const METRICS: Path = [...SPEC, 'metrics'];

/** The controller's placeholder for a secret during validation. */
const SECRET = 'temp-for-secret';

/**
 * The problems of an AnalysisTemplate or a ClusterAnalysisTemplate for every user of it. The controller merges templates
 * before they run: a part that another template may provide is a warning.
 */
export function templateProblems(
  template: JsonObject,
  { version = ArgoRolloutsVersion.LATEST }: ArgoCluster,
): Problem[] {
  const spec = asObject(template.spec);
  const metrics = asList(spec.metrics);
  const args = asList(spec.args).map(asObject);
  const isWhole = asList(spec.templates).length === 0;
  return [
    ...(metrics.length === 0 && isWhole ? [withoutMetrics('neither metrics nor templates')] : []),
    ...args.flatMap(twoValues),
    ...metricsProblems(metrics, METRICS, version.facts),
    ...placeholderProblems(metrics, args, true),
    ...(isWhole ? ruleProblems(spec).map((problem) => ({ ...problem, severity: 'warning' as const })) : []),
  ];
}

/** The problems of an AnalysisRun. */
export function analysisRunProblems(run: JsonObject, { version = ArgoRolloutsVersion.LATEST }: ArgoCluster): Problem[] {
  const spec = asObject(run.spec);
  const metrics = asList(spec.metrics);
  const args = asList(spec.args).map(asObject);
  if (metrics.length === 0) return [withoutMetrics('no metrics')];
  const unresolved = [...args.flatMap(withoutValue), ...placeholderProblems(metrics, args, false)];
  const values = new Map(args.map(({ name, value }) => [asText(name), isSet(value) ? asText(value) : SECRET]));
  const resolved = metrics.map((metric) => resolveAll(metric, values));
  return [
    ...unresolved,
    ...metricsProblems(resolved, METRICS, version.facts),
    ...ruleProblems({ ...spec, metrics: resolved }),
  ];
}

function ruleProblems(spec: JsonObject): Problem[] {
  return ['dryRun', 'measurementRetention'].flatMap((field) => unmatchedRules(spec, field, SPEC));
}

function resolveAll(value: Json, values: ReadonlyMap<string, string>): Json {
  if (typeof value === 'string') return resolve(value, values);
  if (Array.isArray(value)) return value.map((item) => resolveAll(item, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolveAll(one, values)]));
}

function withoutMetrics(what: string): Problem {
  return {
    rule: 'argo-analysis-without-metrics',
    class: 'analysis',
    path: METRICS,
    message: 'no metrics specified',
    text: `has ${what}`,
  };
}

function twoValues({ name, value, valueFrom }: JsonObject, index: number): Problem[] {
  if (!isSet(value) || !isSet(valueFrom)) return [];
  const argument = asText(name);
  return [
    {
      rule: 'argo-argument-two-values',
      class: 'analysis',
      path: [...SPEC, 'args', index],
      message: `arg '${argument}' has both Value and ValueFrom fields`,
      text: `"${argument}" has value and valueFrom`,
    },
  ];
}

function withoutValue({ name, value, valueFrom }: JsonObject, index: number): Problem[] {
  if (isSet(value) || isSet(asObject(valueFrom).secretKeyRef)) return [];
  const argument = asText(name);
  return [
    {
      rule: 'argo-argument-without-value',
      class: 'analysis',
      path: [...SPEC, 'args', index],
      message: `argument "${argument}" was not supplied`,
      text: `"${argument}" has neither value nor valueFrom.secretKeyRef`,
    },
  ];
}

/** Reports placeholders that are no argument, or an undeclared one. Another template may declare the argument of a template. */
function placeholderProblems(metrics: readonly Json[], args: readonly JsonObject[], isPart: boolean): Problem[] {
  const names = new Set(args.map(({ name }) => asText(name)));
  return metrics.flatMap((metric, index) =>
    [...new Set(unknownTags(metric, names))].map((tag): Problem => {
      const argument = argumentOf(tag);
      return {
        rule: 'argo-placeholder-unknown',
        class: 'analysis',
        path: placeOf(metric, `{{${tag}}}`, [...METRICS, index]) ?? [...METRICS, index],
        message: `failed to resolve {{${tag}}}`,
        text:
          argument === undefined
            ? `{{${tag}}} is not an argument: the controller replaces only {{args.<name>}}`
            : `{{${tag}}} refers to the argument "${argument}", which spec.args does not have`,
        ...(argument !== undefined && isPart ? { severity: 'warning' as const } : {}),
      };
    }),
  );
}
