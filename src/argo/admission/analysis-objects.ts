import type { Json, JsonObject } from '../../core/json';
import { asList, asObject, asText, isSet } from '../../core/json';
import type { Path } from '../../core/path';
import { metricsProblems, unmatchedRules } from './metrics';
import { argumentOf, placeOf, resolve, unknownTags } from './placeholders';
import type { Problem } from './problem';

const SPEC: Path = ['spec'];
const METRICS: Path = [...SPEC, 'metrics'];

/** The controller puts this in the place of a secret while it checks. */
const SECRET = 'temp-for-secret';

/**
 * What the controller refuses in an AnalysisTemplate or a ClusterAnalysisTemplate, whoever uses it. Templates are put
 * together before they run: what another one may bring along is a warning.
 */
export function templateProblems(template: JsonObject): Problem[] {
  const spec = asObject(template.spec);
  const metrics = asList(spec.metrics);
  const args = asList(spec.args).map(asObject);
  const isWhole = asList(spec.templates).length === 0;
  return [
    ...(metrics.length === 0 && isWhole ? [withoutMetrics('neither metrics nor templates')] : []),
    ...args.flatMap(twoValues),
    ...metricsProblems(metrics, METRICS),
    ...placeholderProblems(metrics, args, true),
    ...(isWhole ? ruleProblems(spec).map((problem) => ({ ...problem, severity: 'warning' as const })) : []),
  ];
}

/** What the controller refuses in an AnalysisRun. */
export function analysisRunProblems(run: JsonObject): Problem[] {
  const spec = asObject(run.spec);
  const metrics = asList(spec.metrics);
  const args = asList(spec.args).map(asObject);
  if (metrics.length === 0) return [withoutMetrics('no metrics')];
  const unresolved = [...args.flatMap(withoutValue), ...placeholderProblems(metrics, args, false)];
  const values = new Map(args.map(({ name, value }) => [asText(name), isSet(value) ? asText(value) : SECRET]));
  const resolved = metrics.map((metric) => resolveAll(metric, values));
  return [...unresolved, ...metricsProblems(resolved, METRICS), ...ruleProblems({ ...spec, metrics: resolved })];
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
    text: `there are ${what}`,
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

/** Placeholders that ask for no argument, or for one that is not declared: of a template another one may declare it. */
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
            ? `{{${tag}}} is no argument: only {{args.<name>}} is replaced`
            : `{{${tag}}} asks for the argument "${argument}", which spec.args does not have`,
        ...(argument !== undefined && isPart ? { severity: 'warning' as const } : {}),
      };
    }),
  );
}
