import { asList, asObject, type JsonObject, ownValue, textOf } from '../../core/json';
import type { Path } from '../../core/path';
import { ROLLING_STYLE_ANNOTATION } from '../api';
import { scaledValue } from './percent';
import { type AdmissionProblem, allReported, firstReported, type Problem, shown } from './problem';
import { checkReplicas, checkReplicasGrow, isPercentage, type StepPlace } from './replicas';
import { noSteps, type RolloutRules } from './rollout-v1beta1';
import { checkTrafficRoutings } from './traffic-routing';
import { checkWorkload, isDeployment, workloadRefOf } from './workload';

const CANARY: Path = ['spec', 'strategy', 'canary'];

/** The webhook's checks of a single v1alpha1 Rollout, in the webhook's order. */
export function checkV1alpha1(rollout: JsonObject, rules: RolloutRules): AdmissionProblem[] {
  return [
    ...allReported([...checkWorkloadRef(rollout, rules), ...checkRollingStyle(rollout)]),
    ...checkCanary(rollout, rules),
  ];
}

/**
 * Whether the webhook panics on a missing workloadRef. This depends on the style, because the webhook reads the workload
 * only to distinguish canary from partition.
 */
export function crashesWebhook(rollout: JsonObject, { facts }: RolloutRules): boolean {
  const { objectRef, strategy } = asObject(rollout.spec);
  return (
    facts.validation !== '0.3' &&
    asObject(strategy).canary !== undefined &&
    asObject(objectRef).workloadRef === undefined &&
    ['', 'canary'].includes(rollingStyleOf(rollout).toLowerCase())
  );
}

/** The rolling style in the annotation. */
export function rollingStyleOf(rollout: JsonObject): string {
  return textOf(ownValue(asObject(rollout.metadata).annotations, ROLLING_STYLE_ANNOTATION)) ?? '';
}

function isPartition(rollout: JsonObject): boolean {
  const canBeCanary = ['', 'canary'].includes(rollingStyleOf(rollout).toLowerCase());
  return !(canBeCanary && isDeployment(workloadRefOf(asObject(asObject(rollout.spec).objectRef).workloadRef)));
}

function checkWorkloadRef(rollout: JsonObject, { facts }: RolloutRules): Problem[] {
  const { workloadRef } = asObject(asObject(rollout.spec).objectRef);
  const path = ['spec', 'objectRef', 'workloadRef'];
  if (workloadRef !== undefined) return checkWorkload(workloadRefOf(workloadRef), false, facts, path);
  return [
    {
      rule: 'rollout-workload-ref-missing',
      field: 'Spec.ObjectRef.WorkloadRef',
      message: 'WorkloadRef is required',
      path,
      text: 'is missing',
    },
  ];
}

function checkRollingStyle(rollout: JsonObject): Problem[] {
  const style = rollingStyleOf(rollout);
  if (['', 'canary', 'partition'].includes(style.toLowerCase())) return [];
  return [
    {
      rule: 'rollout-rolling-style-invalid',
      field: 'RollingStyle',
      message: "Rolling style must be 'Canary', 'Partition' or empty",
      path: ['metadata', 'annotations', ROLLING_STYLE_ANNOTATION],
      text: `${shown(style)} is neither canary nor partition`,
    },
  ];
}

function checkCanary(rollout: JsonObject, rules: RolloutRules): AdmissionProblem[] {
  const { canary } = asObject(asObject(rollout.spec).strategy);
  const field = 'Spec.Strategy.Canary';
  if (canary === undefined) {
    return allReported([
      {
        rule: 'rollout-strategy-missing',
        field,
        message: 'Canary cannot be empty',
        path: CANARY,
        text: 'is missing',
      },
    ]);
  }
  const strategy = asObject(canary);
  const { facts } = rules;
  const partitionPercentLimit = isPartition(rollout) ? rules.partitionPercentLimit : undefined;
  return [
    ...firstReported(checkSteps(strategy, { facts, partitionPercentLimit })),
    ...allReported(checkTrafficRoutings(strategy, field, CANARY, facts)),
  ];
}

function checkSteps(strategy: JsonObject, rules: RolloutRules): Problem[] {
  const field = 'Spec.Strategy.Canary.Steps';
  const path = [...CANARY, 'steps'];
  const steps = asList(strategy.steps).map(asObject);
  if (steps.length === 0) return [noSteps(field, path)];
  const problems = steps.flatMap((step, index) =>
    checkStep(step, rules, { field: `${field}[${index}]`, path: [...path, index], index }),
  );
  if (problems.length > 0) return problems;
  const hasRouting = asList(strategy.trafficRoutings).length > 0;
  return [
    ...(hasRouting ? checkWeightsGrow(steps, field, path) : []),
    ...checkReplicasGrow(steps, field, path, ({ replicas, weight }) => scaledValue(replicas ?? weight)!),
  ].sort((a, b) => a.step! - b.step!);
}

function checkStep(step: JsonObject, rules: RolloutRules, place: StepPlace): Problem[] {
  const { partitionPercentLimit: limit } = rules;
  const { replicas, weight, matches } = step;
  const { field, path, index } = place;
  if (replicas === undefined && weight === undefined) {
    return [
      {
        rule: 'rollout-replicas-missing',
        field: `${field}.steps`,
        message: 'weight and replicas cannot be empty at the same time',
        path,
        text: 'has neither weight nor replicas',
        fix: 'add weight, replicas or both',
        step: index,
      },
    ];
  }
  if (replicas === undefined) return checkWeight(weight as number, rules, place);
  const wrongReplicas = checkReplicas(step, place);
  if (wrongReplicas.length > 0) return wrongReplicas;
  // In v1alpha1, an empty list of matches counts as matches.
  const routes = matches !== undefined || weight !== undefined;
  if (limit === undefined || !isPercentage(step) || scaledValue(replicas)! <= limit || !routes) return [];
  return [
    {
      rule: 'rollout-partition-limit',
      field: `${field}.steps`,
      message:
        'For patition style rollout: step[x].replicas must not greater than replicasLimitWithTraffic if traffic or matches specified',
      path: [...path, 'replicas'],
      text: `${shown(replicas)} is more than ${limit}% in a step that routes traffic`,
      step: index,
    },
  ];
}

/** The webhook checks the weight only if it is also the share of pods. */
function checkWeight(
  weight: number,
  { facts, partitionPercentLimit: limit }: RolloutRules,
  { field, path, index }: StepPlace,
): Problem[] {
  if (limit !== undefined && weight > limit) {
    return [
      {
        rule: 'rollout-partition-limit',
        field: `${field}.steps`,
        message:
          'For patition style rollout: step[x].weight must not greater than replicasLimitWithTraffic if replicas is not specified',
        path: [...path, 'weight'],
        text: `${weight} is more than ${limit}, and without replicas it is also the share of pods`,
        step: index,
      },
    ];
  }
  if (facts.validation === '0.3' || (weight > 0 && weight <= 100)) return [];
  return [
    {
      rule: 'rollout-weight-invalid',
      field: `${field}.Weight`,
      message: 'weight must be positive number, and less than or equal to replicasLimitWithTraffic (defaults to 30)',
      path: [...path, 'weight'],
      text: `${weight} is not a percentage from 1 to 100`,
      step: index,
    },
  ];
}

function checkWeightsGrow(steps: readonly JsonObject[], field: string, path: Path): Problem[] {
  return steps.flatMap(({ weight }, index) => {
    const before = steps[index - 1]?.weight;
    if (typeof weight !== 'number' || typeof before !== 'number' || weight >= before) return [];
    return [
      {
        rule: 'rollout-weights-decrease' as const,
        field: `${field}.Weight`,
        message: 'Steps.Weight must be a non decreasing sequence',
        path: [...path, index, 'weight'],
        text: `${weight} is less than ${before} of the previous step`,
        step: index,
      },
    ];
  });
}
