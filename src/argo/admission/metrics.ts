import { parseDuration } from '../../core/duration';
import type { Json, JsonObject } from '../../core/json';
import { asList, asObject, asText, isSet } from '../../core/json';
import type { Path } from '../../core/path';
import { atoi } from './go-values';
import { hasPlaceholder } from './placeholders';
import { type Problem, shown } from './problem';

const PROVIDERS = [
  'prometheus',
  'job',
  'web',
  'wavefront',
  'kayenta',
  'datadog',
  'newRelic',
  'cloudWatch',
  'graphite',
  'influxdb',
  'skywalking',
];

/** The controller's checks of the metrics of an analysis. Values with placeholders are not checked. */
export function metricsProblems(metrics: readonly Json[], path: Path): Problem[] {
  const names = metrics.map((metric) => asText(asObject(metric).name));
  return metrics.flatMap((one, index) => {
    const at = [...path, index];
    return [
      ...twiceProblems(names, index, at),
      ...countProblems(asObject(one), at),
      ...timeProblems(asObject(one), at),
      ...providerProblems(asObject(asObject(one).provider), [...at, 'provider']),
    ];
  });
}

function twiceProblems(names: readonly string[], index: number, path: Path): Problem[] {
  const name = names[index]!;
  if (names.indexOf(name) === index) return [];
  const text = `another metric already has the name "${name}"`;
  return [problem('argo-metric-name-twice', [...path, 'name'], `duplicate name '${name}'`, text)];
}

function countProblems(metric: JsonObject, path: Path): Problem[] {
  const count = whole(metric.count) ?? 0;
  const limit = (name: string, least: number): Problem[] => {
    const value = whole(metric[name]);
    if (value === undefined) return [];
    if (value < least) {
      return [problem('argo-metric-limit', [...path, name], `${name} must be >= 0`, `${value} is less than ${least}`)];
    }
    if (count <= 0 || value <= count || name === 'consecutiveErrorLimit') return [];
    const text = `${value} is more than count, which is ${count}`;
    return [problem('argo-metric-limit', [...path, name], `count must be >= ${name}`, text)];
  };
  return [
    // The effect of a failureLimit of -1 in releases after 1.7 is unknown.
    ...limit('failureLimit', -1),
    ...limit('inconclusiveLimit', 0),
    ...limit('consecutiveErrorLimit', 0),
    ...(count > 1 && asText(metric.interval) === ''
      ? [
          problem(
            'argo-metric-interval',
            [...path, 'interval'],
            'interval must be specified when count > 1',
            `is missing, but count is ${count}`,
          ),
        ]
      : []),
  ];
}

/** A whole number as the controller reads it; undefined if absent, or if it has a placeholder. */
function whole(value: Json | undefined): number | undefined {
  if (!isSet(value) || hasPlaceholder(value)) return undefined;
  return typeof value === 'number' ? value : atoi(asText(value));
}

function timeProblems(metric: JsonObject, path: Path): Problem[] {
  return ['interval', 'initialDelay'].flatMap((name) => {
    const text = asText(metric[name]);
    if (text === '' || hasPlaceholder(text) || parseDuration(text) !== undefined) return [];
    const message = `invalid ${name === 'interval' ? name : 'startDelay'} string: time: invalid duration "${text}"`;
    return [
      {
        ...problem('argo-metric-interval', [...path, name], message, `"${text}" is not a duration`),
        fix: 'write a duration such as 30s, 5m or 1h30m',
      },
    ];
  });
}

function providerProblems(provider: JsonObject, path: Path): Problem[] {
  const plugins = Object.keys(asObject(provider.plugin)).map((name) => `plugin ${name}`);
  const set = [...PROVIDERS.filter((name) => isSet(provider[name])), ...plugins];
  if (set.length === 1) return [];
  return set.length === 0
    ? [problem('argo-metric-provider', path, 'no provider specified', 'has no provider')]
    : [problem('argo-metric-provider', path, 'multiple providers specified', `has ${set.join(' and ')}`)];
}

/** Reports rules for metrics by name (`dryRun`, `measurementRetention`) that match no metric. */
export function unmatchedRules(spec: JsonObject, field: string, path: Path): Problem[] {
  const names = asList(spec.metrics).map((metric) => asText(asObject(metric).name));
  if (names.some(hasPlaceholder)) return [];
  return asList(spec[field]).flatMap((rule, index) => {
    const pattern = asText(asObject(rule).metricName);
    if (hasPlaceholder(pattern) || names.some((name) => matches(pattern, name))) return [];
    const text = `${shown(pattern)} matches none of the metrics: ${names.join(', ')}`;
    const message = `${field}[${index}]: Rule didn't match any metric name(s)`;
    return [problem('argo-metric-rule-unmatched', [...path, field, index, 'metricName'], message, text)];
  });
}

/** Whether a regular expression matches a name. Syntax that JavaScript does not support counts as a match. */
function matches(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern).test(name);
  } catch {
    return true;
  }
}

function problem(rule: Problem['rule'], path: Path, message: string, text: string): Problem {
  return { rule, class: 'analysis', path, message, text };
}
