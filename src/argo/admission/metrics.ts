import { parseDuration } from '../../core/duration';
import type { Json, JsonObject } from '../../core/json';
import { asList, asObject, asText, isSet } from '../../core/json';
import type { Path } from '../../core/path';
import { compileRegex } from '../../core/regex';
import type { ArgoRolloutsFacts } from '../facts';
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
export function metricsProblems(metrics: readonly Json[], path: Path, facts: ArgoRolloutsFacts): Problem[] {
  const names = metrics.map((metric) => asText(asObject(metric).name));
  return metrics.flatMap((one, index) => {
    const at = [...path, index];
    return [
      ...twiceProblems(names, index, at),
      ...countProblems(asObject(one), at, facts),
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

function countProblems(metric: JsonObject, path: Path, { consecutiveSuccessLimit }: ArgoRolloutsFacts): Problem[] {
  const count = whole(metric.count) ?? 0;
  const negative = (name: string, least: number): Problem[] => {
    const value = whole(metric[name]) ?? 0;
    return value < least ? [limit(path, name, `${name} must be >= 0`, `${value} is less than ${least}`)] : [];
  };
  const tooMany = (name: string, value: number): Problem[] =>
    count > 0 && value > count
      ? [limit(path, name, `count must be >= ${name}`, `${value} is more than count, which is ${count}`)]
      : [];
  return [
    ...(consecutiveSuccessLimit
      ? [...negative('consecutiveSuccessLimit', 0), ...negative('failureLimit', -1), ...togetherProblems(metric, path)]
      : [...negative('failureLimit', 0), ...tooMany('failureLimit', whole(metric.failureLimit) ?? 0)]),
    ...negative('inconclusiveLimit', 0),
    ...tooMany('inconclusiveLimit', whole(metric.inconclusiveLimit) ?? 0),
    ...negative('consecutiveErrorLimit', 0),
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

/** The limits of failures and of successes in a row end an analysis together: each must be able to come first. */
function togetherProblems(metric: JsonObject, path: Path): Problem[] {
  const { count, failureLimit, consecutiveSuccessLimit } = metric;
  if ([count, failureLimit, consecutiveSuccessLimit].some(hasPlaceholder)) return [];
  const [times, failures, successes] = [count, failureLimit, consecutiveSuccessLimit].map(
    (each) => whole(each) ?? 0,
  ) as [number, number, number];
  if (failures < -1 || successes < 0) return [];
  if (failures === -1 && successes === 0) {
    const message = 'failureLimit and consecutiveSuccessLimit cannot both be disabled';
    return [limit(path, 'failureLimit', message, '-1 turns the limit off, and there is no consecutiveSuccessLimit')];
  }
  const sum = Math.max(failures, 0) + successes;
  if (times <= 0 || times >= sum) return [];
  if (failures < 0) {
    const text = `${successes} is more than count, which is ${times}`;
    return [limit(path, 'consecutiveSuccessLimit', 'count must be >= consecutiveSuccessLimit', text)];
  }
  const message = `count (${times}) must be >= failureLimit + consecutiveSuccessLimit (${failures} + ${successes}) if both >= 0`;
  const text =
    successes === 0
      ? `${failures} is more than count, which is ${times}`
      : `${failures} and the consecutiveSuccessLimit of ${successes} are more than count, which is ${times}`;
  return [limit(path, 'failureLimit', message, text)];
}

function limit(path: Path, name: string, message: string, text: string): Problem {
  return problem('argo-metric-limit', [...path, name], message, text);
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

/** Whether a regular expression matches a name. What is not modelled of RE2 counts as a match. */
function matches(pattern: string, name: string): boolean {
  return compileRegex(pattern)?.(name) ?? true;
}

function problem(rule: Problem['rule'], path: Path, message: string, text: string): Problem {
  return { rule, class: 'analysis', path, message, text };
}
