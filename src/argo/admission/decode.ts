import { asList, asObject, isJsonObject, isSet, type Json, type JsonObject } from '../../core/json';
import type { Path } from '../../core/path';
import { fieldText } from '../../core/schema';
import { type StructuralSchema, schemaOfKey } from '../../core/schema/structural';
import { parseQuantity } from '../../kubernetes/quantity';
import { type ArgoProblem, shown } from './problem';

const NO_QUANTITY = 'quantities must match the regular expression';

const LIMITS: Readonly<Record<string, number>> = { int32: 2 ** 31 - 1, int64: 2 ** 63 };

/** Values that the API server stores but the controller cannot decode, so that it continues without them. */
export function undecodable(object: JsonObject, schema: StructuralSchema): ArgoProblem[] {
  return [...numbers(object, schema, []), ...podSpecsOf(asObject(object.spec)).flatMap(podProblems)];
}

/**
 * Whether the controller never reads what is at a path: it stops at the first amount that it cannot decode, and has then
 * read what comes before it in the order of the alphabet.
 */
export function isNeverRead(path: Path, unreadable: readonly ArgoProblem[]): boolean {
  return unreadable.some(({ message, path: stop }) => message === NO_QUANTITY && isAfter(path, stop));
}

function isAfter(path: Path, stop: Path): boolean {
  const at = path.findIndex((part, index) => part !== stop[index]);
  const [own, other] = [path[at], stop[at]];
  if (own === undefined || other === undefined) return false;
  return typeof own === 'number' && typeof other === 'number' ? own > other : String(own) > String(other);
}

interface PodSpec {
  readonly spec: JsonObject;
  readonly path: Path;
}

/** The specs of pods in a Rollout, an Experiment, and in the jobs of metrics. */
function podSpecsOf({ template, templates, metrics }: JsonObject): PodSpec[] {
  const inTemplate = (holder: unknown, path: Path): PodSpec => ({
    spec: asObject(asObject(asObject(holder).template).spec),
    path: [...path, 'template', 'spec'],
  });
  return [
    ...(isSet(template) ? [inTemplate({ template }, ['spec'])] : []),
    ...asList(templates).map((one, index) => inTemplate(one, ['spec', 'templates', index])),
    ...asList(metrics).map((metric, index) =>
      inTemplate(asObject(asObject(asObject(metric).provider).job).spec, [...metricPath(index), 'job', 'spec']),
    ),
  ];
}

function metricPath(index: number): Path {
  return ['spec', 'metrics', index, 'provider'];
}

function podProblems({ spec, path }: PodSpec): ArgoProblem[] {
  return [
    ...volumes(spec.volumes, [...path, 'volumes']),
    ...['containers', 'ephemeralContainers', 'initContainers'].flatMap((kind) =>
      asList(spec[kind]).flatMap((container, index) =>
        ['limits', 'requests'].flatMap((name) =>
          amounts(asObject(asObject(container).resources)[name], [...path, kind, index, 'resources', name]),
        ),
      ),
    ),
  ];
}

function problem(path: Path, text: string, message: string): ArgoProblem {
  return {
    rule: 'argo-value-unreadable',
    class: 'decode',
    stage: 'decode',
    field: fieldText(path),
    message,
    path,
    text,
  };
}

function numbers(value: Json, schema: StructuralSchema, path: Path): ArgoProblem[] {
  if (typeof value === 'number') {
    const format = schema['x-kubernetes-int-or-string'] ? 'int32' : (schema.format ?? '');
    const limit = LIMITS[format];
    if (limit === undefined || (value <= limit && value >= -limit - 1)) return [];
    return [problem(path, `${value} does not fit into ${format.slice(3)} bits`, `cannot unmarshal number ${value}`)];
  }
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? [] : value.flatMap((item, index) => numbers(item, items, [...path, index]));
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    const known = schemaOfKey(schema, key);
    return known === undefined ? [] : numbers(one, known, [...path, key]);
  });
}

function volumes(value: Json | undefined, path: Path): ArgoProblem[] {
  if (!isSet(value)) return [];
  if (Array.isArray(value) && value.every(isJsonObject)) return [];
  return [problem(path, `${shown(value)} is not a list of volumes`, 'cannot unmarshal into []v1.Volume')];
}

function amounts(value: Json | undefined, path: Path): ArgoProblem[] {
  if (!isSet(value)) return [];
  if (!isJsonObject(value)) {
    return [problem(path, `${shown(value)} is not a map of quantities`, 'cannot unmarshal into v1.ResourceList')];
  }
  return Object.entries(value)
    .filter(([, amount]) => isSet(amount) && parseQuantity(amount) === undefined)
    .map(([name, amount]) =>
      problem([...path, name], `${shown(amount)} is not a quantity such as 100m or 1Gi`, NO_QUANTITY),
    );
}
