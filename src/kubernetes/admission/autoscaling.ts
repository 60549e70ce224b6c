import { asList, asText, isSet, type Json, type JsonObject, numberOf } from '../../core/json';
import type { Path } from '../../core/path';
import type { SchemaError } from '../../core/schema/error';
import { pathSegmentErrors } from '../../core/schema/names';
import { parseQuantity } from '../quantity';
import { all, fields, forbidden, invalid, missing, needs, oneOf, range, type TypeCheck, text } from './field-checks';
import { selectorErrors } from './labels';
import { share, upToAll } from './workloads';

const HOUR = 3600;

/** The type of a metric, and the field that has its source. */
const SOURCES: Readonly<Record<string, string>> = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
};

const TARGETS: Readonly<Record<string, string>> = {
  AverageValue: 'averageValue',
  Utilization: 'averageUtilization',
  Value: 'value',
};

export const autoscalingTypes: Readonly<Record<string, TypeCheck>> = {
  HorizontalPodAutoscalerSpec: all(fields({ minReplicas: range(1), maxReplicas: range(1) }), limits),
  CrossVersionObjectReference: all(
    needs('kind', 'name'),
    fields({ kind: text(pathSegmentErrors), name: text(pathSegmentErrors) }),
  ),
  MetricSpec: all(fields({ type: oneOf(...Object.keys(SOURCES)) }), source),
  MetricTarget: target,
  MetricIdentifier: all(needs('name'), fields({ name: text(pathSegmentErrors), selector: selectorErrors })),
  ResourceMetricSource: needs('name'),
  ContainerResourceMetricSource: needs('name', 'container'),
  HPAScalingRules: all(
    fields({ stabilizationWindowSeconds: range(0, HOUR), selectPolicy: oneOf('Disabled', 'Max', 'Min') }),
    policies,
  ),
  HPAScalingPolicy: fields({ type: oneOf('Percent', 'Pods'), value: range(1), periodSeconds: range(1, HOUR / 2) }),
  PodDisruptionBudgetSpec: all(
    fields({ minAvailable: share, maxUnavailable: share, selector: selectorErrors }),
    fields({ minAvailable: upToAll, maxUnavailable: upToAll }),
    oneLimit,
  ),
};

function limits(spec: JsonObject, path: Path): SchemaError[] {
  const least = numberOf(spec.minReplicas) ?? 1;
  const most = numberOf(spec.maxReplicas);
  if (most === undefined || most < 1 || most >= least) return [];
  return [
    invalid([...path, 'maxReplicas'], `must be greater than or equal to \`minReplicas\`, which is ${least}`, most),
  ];
}

/** A metric has the source of its type, and no other. */
function source(metric: JsonObject, path: Path): SchemaError[] {
  const type = asText(metric.type);
  const field = Object.hasOwn(SOURCES, type) ? SOURCES[type] : undefined;
  if (type === '') return [missing([...path, 'type'])];
  if (field === undefined) return [];
  const others = Object.values(SOURCES).filter((name) => name !== field && isSet(metric[name]));
  return [
    ...(isSet(metric[field]) ? [] : [missing([...path, field])]),
    ...others.map((name) => forbidden([...path, name], 'must populate the given metric source only')),
  ];
}

function target(object: JsonObject, path: Path): SchemaError[] {
  const { type, averageUtilization } = object;
  const at = (name: string) => [...path, name];
  if (asText(type) === '') return [missing(at('type'))];
  if (!Object.hasOwn(TARGETS, asText(type))) {
    return [invalid(at('type'), 'must be either Utilization, Value, or AverageValue', type)];
  }
  const utilization = numberOf(averageUtilization);
  return [
    ...(utilization !== undefined && utilization < 1
      ? [invalid(at('averageUtilization'), 'must be greater than 0', utilization)]
      : []),
    ...['averageValue', 'value'].flatMap((name) => notPositive(object[name], at(name))),
  ];
}

function notPositive(value: Json | undefined, path: Path): SchemaError[] {
  const amount = parseQuantity(value);
  return amount === undefined || amount > 0 ? [] : [invalid(path, 'must be positive', value)];
}

function policies(rules: JsonObject, path: Path): SchemaError[] {
  if (!isSet(rules.policies) || asList(rules.policies).length > 0) return [];
  return [missing([...path, 'policies'])];
}

function oneLimit(spec: JsonObject, path: Path): SchemaError[] {
  if (!isSet(spec.minAvailable) || !isSet(spec.maxUnavailable)) return [];
  return [invalid(path, 'minAvailable and maxUnavailable cannot be both set')];
}
