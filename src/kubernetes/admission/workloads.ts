import {
  asList,
  asObject,
  asText,
  isSet,
  type Json,
  type JsonObject,
  numberOf,
  partOf,
  stringMapOf,
} from '../../core/json';
import type { Path } from '../../core/path';
import type { SchemaError } from '../../core/schema/error';
import { selectorProblems, selects } from '../labels';
import { podTemplateProblems } from '../pods/template';
import { all, fields, forbidden, invalid, missing, range, type TypeCheck } from './field-checks';
import { asErrors, isEmptySelector } from './labels';

const COUNT = range(0);

/** How long a Deployment may take without progress, and what of its pods a rollout may replace at once. */
const DEFAULT = { progressDeadlineSeconds: 600, share: '25%' };

const counts = fields({
  replicas: COUNT,
  minReadySeconds: COUNT,
  revisionHistoryLimit: COUNT,
  progressDeadlineSeconds: COUNT,
});

export const workloadTypes: Readonly<Record<string, TypeCheck>> = {
  DeploymentSpec: all(counts, pods('deployment'), deadline),
  ReplicaSetSpec: all(counts, pods('deployment')),
  StatefulSetSpec: all(counts, pods('statefulset')),
  DaemonSetSpec: all(counts, pods('daemonset')),
  DeploymentStrategy: strategy,
  RollingUpdateStatefulSetStrategy: fields({ partition: COUNT }),
  RollingUpdateDaemonSet: all(fields({ maxSurge: upToAll, maxUnavailable: upToAll }), replacesOne),
  RollingUpdateDeployment: all(fields({ maxSurge: share, maxUnavailable: upToAll }), replacesSome),
};

/** The pods of a workload: its selector selects the labels of its template. */
function pods(kind: string): TypeCheck {
  return (spec, path) => {
    const selector = partOf(spec, 'selector');
    const template = withClaims(asObject(spec.template), asList(spec.volumeClaimTemplates));
    const at = [...path, 'selector'];
    const wrong = selector === undefined ? [] : selectorProblems(selector, at);
    return [
      ...asErrors(wrong),
      ...(selector !== undefined && isEmptySelector(selector)
        ? [invalid(at, `empty selector is invalid for ${kind}`)]
        : selector === undefined || wrong.length > 0
          ? []
          : mismatch(selector, template, path)),
      ...asErrors(podTemplateProblems(template, [...path, 'template'])),
    ];
  };
}

/** The template of a StatefulSet: its pods have a volume for each claim. */
function withClaims(template: JsonObject, claims: readonly Json[]): JsonObject {
  if (claims.length === 0) return template;
  const spec = asObject(template.spec);
  const names = [...new Set(claims.map((claim) => asText(asObject(asObject(claim).metadata).name)))];
  const own = asList(spec.volumes).filter((volume) => !names.includes(asText(asObject(volume).name)));
  return { ...template, spec: { ...spec, volumes: [...own, ...names.map((name) => ({ name, emptyDir: {} }))] } };
}

function mismatch(selector: JsonObject, template: JsonObject, path: Path): SchemaError[] {
  const { labels } = asObject(template.metadata);
  if (selects(selector, stringMapOf(labels))) return [];
  return [invalid([...path, 'template', 'metadata', 'labels'], '`selector` does not match template `labels`', labels)];
}

function deadline(spec: JsonObject, path: Path): SchemaError[] {
  const seconds = numberOf(spec.progressDeadlineSeconds) ?? DEFAULT.progressDeadlineSeconds;
  const ready = numberOf(spec.minReadySeconds) ?? 0;
  if (seconds > ready || seconds < 0) return [];
  return [
    invalid([...path, 'progressDeadlineSeconds'], `must be greater than minReadySeconds, which is ${ready}`, seconds),
  ];
}

function strategy(object: JsonObject, path: Path): SchemaError[] {
  if (object.type !== 'Recreate' || !isSet(object.rollingUpdate)) return [];
  return [forbidden([...path, 'rollingUpdate'], "may not be specified when strategy `type` is 'Recreate'")];
}

/** A number of pods, or a percentage. */
export function share(value: Json, path: Path): SchemaError[] {
  if (typeof value === 'number') return COUNT(value, path);
  if (typeof value !== 'string' || percentOf(value) !== undefined) return [];
  return [
    invalid(path, "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%')", value),
  ];
}

/** The same, of at most all pods. */
export function upToAll(value: Json, path: Path): SchemaError[] {
  const percent = typeof value === 'string' ? percentOf(value) : undefined;
  if (percent === undefined || percent <= 100) return share(value, path);
  return [invalid(path, 'must not be greater than 100%', value)];
}

function percentOf(text: string): number | undefined {
  return /^\d+%$/.test(text) ? Number(text.slice(0, -1)) : undefined;
}

function isNone(value: Json | undefined): boolean {
  return value === 0 || (typeof value === 'string' && percentOf(value) === 0);
}

/** On each node, either the old or the new pod goes first. */
function replacesOne({ maxSurge, maxUnavailable }: JsonObject, path: Path): SchemaError[] {
  const surges = isSet(maxSurge) && !isNone(maxSurge);
  const stops = !isSet(maxUnavailable) || !isNone(maxUnavailable);
  if (surges && isSet(maxUnavailable) && stops) {
    return [invalid([...path, 'maxSurge'], 'may not be set when maxUnavailable is non-zero', maxSurge)];
  }
  return surges || stops ? [] : [missing([...path, 'maxUnavailable'])];
}

/** A rollout has to replace at least one pod at once. */
function replacesSome({ maxSurge, maxUnavailable }: JsonObject, path: Path): SchemaError[] {
  const isNothing = (value: Json | undefined) => isNone(isSet(value) ? value : DEFAULT.share);
  if (!isNothing(maxSurge) || !isNothing(maxUnavailable)) return [];
  return [invalid([...path, 'maxUnavailable'], 'may not be 0 when `maxSurge` is 0', maxUnavailable)];
}
