import { asList, asObject, compact, type Json, type JsonObject, ownValue, textOf } from '../core/json';
import type { Path } from '../core/path';
import { scaledValue } from './admission/percent';
import { isDeployment, workloadRefOf } from './admission/workload';
import { ROLLING_STYLE_ANNOTATION, type RolloutV1alpha1, type RolloutV1beta1, TRAFFIC_ROUTING_ANNOTATION } from './api';

/** A field that the other API version does not have. */
export interface Loss {
  readonly path: Path;
  /** What happens to the field, and the effect. */
  readonly reason: string;
}

/** A Rollout in the other API version, with the fields that it lost. Without losses, both are equivalent. */
export interface ConvertedRollout<R = JsonObject> {
  readonly rollout: R;
  readonly losses: readonly Loss[];
}

/**
 * Converts a Rollout to v1beta1 as the controller's conversion webhook does, without its status. In v1beta1 a Rollout
 * needs neither the annotation for the rolling style nor the weight.
 *
 * @example
 * const { rollout, losses } = toV1beta1(old);
 */
export function toV1beta1(old: RolloutV1alpha1 | JsonObject): ConvertedRollout<RolloutV1beta1> {
  const { metadata, spec } = old as unknown as JsonObject;
  const { objectRef, strategy, disabled, rolloutID } = asObject(spec);
  const { paused, canary } = asObject(strategy);
  const losses: Loss[] = [];
  if (rolloutID !== undefined) {
    losses.push({
      path: ['spec', 'rolloutID'],
      reason:
        'is dropped: set the label rollouts.kruise.io/rollout-id on the workload, which names the release on its pods',
    });
  }
  const { kept, annotations } = splitAnnotations(metadata);
  const rollout = compact({
    apiVersion: 'rollouts.kruise.io/v1beta1',
    kind: 'Rollout',
    metadata: kept,
    spec: compact({
      workloadRef: asObject(objectRef).workloadRef,
      strategy: compact({
        paused,
        canary: canary === undefined ? undefined : canaryToV1beta1(asObject(canary), annotations, losses),
      }),
      disabled,
    }),
  });
  return { rollout: rollout as unknown as RolloutV1beta1, losses };
}

/**
 * Converts a Rollout to v1alpha1 as the controller's conversion webhook does, without its status. v1alpha1 cannot
 * represent a blue-green Rollout: only its metadata is left, as `kubectl edit rollouts.v1alpha1...` shows.
 */
export function toV1alpha1(rollout: RolloutV1beta1 | JsonObject): ConvertedRollout<RolloutV1alpha1> {
  const { metadata, spec } = rollout as unknown as JsonObject;
  const { workloadRef, strategy, disabled } = asObject(spec);
  const { paused, canary, blueGreen } = asObject(strategy);
  const head = { apiVersion: 'rollouts.kruise.io/v1alpha1', kind: 'Rollout' };
  if (blueGreen !== undefined || canary === undefined) {
    const path = ['spec', 'strategy', ...(blueGreen === undefined ? [] : ['blueGreen'])];
    const reason = 'does not exist in v1alpha1: the whole spec is lost';
    const emptied = { ...head, metadata: metadata ?? {}, spec: { objectRef: {}, strategy: {} } };
    return { rollout: emptied as unknown as RolloutV1alpha1, losses: [{ path, reason }] };
  }
  const losses: Loss[] = [];
  const old = {
    ...head,
    metadata: withAnnotations(asObject(metadata), asObject(canary)),
    spec: compact({
      objectRef: compact({ workloadRef }),
      strategy: compact({ paused, canary: canaryToV1alpha1(asObject(canary), losses) }),
      disabled,
    }),
  };
  if (asObject(canary).enableExtraWorkloadForCanary === true && !isDeployment(workloadRefOf(workloadRef))) {
    losses.push({
      path: ['spec', 'strategy', 'canary', 'enableExtraWorkloadForCanary'],
      reason: 'has no effect with this workload in either version',
    });
  }
  return { rollout: old as unknown as RolloutV1alpha1, losses };
}

const CANARY: Path = ['spec', 'strategy', 'canary'];

function canaryToV1beta1(canary: JsonObject, annotations: Annotations, losses: Loss[]): JsonObject {
  const { steps, trafficRoutings, failureThreshold, patchPodTemplateMetadata, disableGenerateCanaryService } = canary;
  if (disableGenerateCanaryService === true) {
    losses.push({
      path: [...CANARY, 'disableGenerateCanaryService'],
      reason:
        'is dropped by the conversion webhook, so that the controller creates a canary Service: set it in the v1beta1 Rollout',
    });
  }
  return compact({
    enableExtraWorkloadForCanary: annotations.style?.toLowerCase() !== 'partition',
    steps:
      steps === undefined
        ? undefined
        : asList(steps).map((step, index) => stepToV1beta1(asObject(step), [...CANARY, 'steps', index], losses)),
    trafficRoutings,
    failureThreshold,
    patchPodTemplateMetadata,
    trafficRoutingRef: annotations.trafficRouting || undefined,
  }) as JsonObject;
}

function stepToV1beta1({ weight, replicas, matches, ...step }: JsonObject, path: Path, losses: Loss[]): JsonObject {
  const percent = weight === undefined ? undefined : `${weight}%`;
  if (typeof weight === 'number' && (weight < 1 || weight > 100)) {
    losses.push({
      path: [...path, 'weight'],
      reason: `becomes traffic "${percent}", which v1beta1 refuses: v1alpha1 ignores the weight of a step with replicas`,
    });
  }
  const traffic = compact({ traffic: percent, replicas: replicas ?? percent, matches: withoutEmpty(matches) });
  return { ...traffic, ...step } as JsonObject;
}

function canaryToV1alpha1(canary: JsonObject, losses: Loss[]): JsonObject {
  const { steps, trafficRoutings, failureThreshold, patchPodTemplateMetadata, disableGenerateCanaryService } = canary;
  if (disableGenerateCanaryService === true) {
    losses.push({
      path: [...CANARY, 'disableGenerateCanaryService'],
      reason: 'is dropped by the conversion webhook, so that the controller creates a canary Service',
    });
  }
  return compact({
    steps:
      steps === undefined
        ? undefined
        : asList(steps).map((step, index) => stepToV1alpha1(asObject(step), [...CANARY, 'steps', index], losses)),
    trafficRoutings,
    failureThreshold,
    patchPodTemplateMetadata,
  }) as JsonObject;
}

function stepToV1alpha1({ traffic, matches, ...step }: JsonObject, path: Path, losses: Loss[]): JsonObject {
  const weight = traffic === undefined ? undefined : (scaledValue(traffic) ?? 0);
  if (traffic !== undefined && scaledValue(traffic) === undefined) {
    losses.push({ path: [...path, 'traffic'], reason: `${JSON.stringify(traffic)} is not a percentage and becomes 0` });
  }
  const heads = withoutEmpty(matches)?.map((match) => asObject(match));
  heads?.forEach((match, index) => {
    for (const key of ['path', 'queryParams'] as const) {
      if (match[key] === undefined) continue;
      const left = match.headers === undefined ? ', and the match without a condition matches every request' : '';
      losses.push({ path: [...path, 'matches', index, key], reason: `v1alpha1 matches headers only${left}` });
    }
  });
  return compact({ weight, matches: heads?.map(({ headers }) => compact({ headers })), ...step }) as JsonObject;
}

/** Omits an empty list of matches, which has a meaning only for the v1alpha1 webhook. */
function withoutEmpty(matches: Json | undefined): readonly unknown[] | undefined {
  const list = asList(matches);
  return list.length === 0 ? undefined : list;
}

interface Annotations {
  readonly style: string | undefined;
  readonly trafficRouting: string | undefined;
}

/** The metadata without the annotation that is a field in v1beta1, and the values of the annotations. */
function splitAnnotations(metadata: Json | undefined): {
  readonly kept: JsonObject;
  readonly annotations: Annotations;
} {
  const all = asObject(asObject(metadata).annotations);
  const annotations = {
    style: textOf(ownValue(all, ROLLING_STYLE_ANNOTATION)),
    trafficRouting: textOf(ownValue(all, TRAFFIC_ROUTING_ANNOTATION)),
  };
  const { [ROLLING_STYLE_ANNOTATION]: _, ...others } = all;
  const { annotations: __, ...rest } = asObject(metadata);
  return { kept: Object.keys(others).length === 0 ? rest : { ...rest, annotations: others }, annotations };
}

function withAnnotations(metadata: JsonObject, canary: JsonObject): JsonObject {
  const { enableExtraWorkloadForCanary, trafficRoutingRef } = canary;
  const annotations = compact({
    ...asObject(metadata.annotations),
    [ROLLING_STYLE_ANNOTATION]: enableExtraWorkloadForCanary === true ? 'canary' : 'partition',
    [TRAFFIC_ROUTING_ANNOTATION]:
      (trafficRoutingRef || undefined) ?? ownValue(metadata.annotations, TRAFFIC_ROUTING_ANNOTATION),
  }) as JsonObject;
  return { ...metadata, annotations };
}
