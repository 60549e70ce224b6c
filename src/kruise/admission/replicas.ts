import type { JsonObject } from '../../core/json';
import type { Path } from '../../core/path';
import { scaledValue } from './percent';
import { type Problem, shown } from './problem';

/** The position of a step, as the webhook's field and as our path. */
export interface StepPlace {
  readonly field: string;
  readonly path: Path;
  readonly index: number;
}

/** A number of pods must be positive; a percentage must be from 1 to 100. */
export function checkReplicas({ replicas }: JsonObject, { field, path, index }: StepPlace): Problem[] {
  const value = scaledValue(replicas);
  if (value !== undefined && value > 0 && (value <= 100 || typeof replicas === 'number')) return [];
  const isPlainNumber = typeof replicas === 'string' && /^\d+$/.test(replicas);
  return [
    {
      rule: 'rollout-replicas-invalid',
      field: `${field}.Replicas`,
      message: 'replicas must be positive number, or a percentage with "0%" < canaryReplicas <= "100%"',
      path: [...path, 'replicas'],
      text: `${shown(replicas)} is neither a positive number nor a percentage from "1%" to "100%"`,
      ...(isPlainNumber ? { fix: `write ${replicas} without quotes for pods, or "${replicas}%" for a share` } : {}),
      step: index,
    },
  ];
}

/** Reports steps with fewer pods than the previous one. Like the webhook, compares only neighbours of the same unit. */
export function checkReplicasGrow(
  steps: readonly JsonObject[],
  field: string,
  path: Path,
  // v1alpha1 uses the weight as a percentage if a step has no replicas.
  podsOf: (step: JsonObject) => number,
): Problem[] {
  return steps.flatMap((step, index) => {
    const before = steps[index - 1];
    if (before === undefined || isPercentage(before) !== isPercentage(step) || podsOf(step) >= podsOf(before))
      return [];
    const unit = isPercentage(step) ? '%' : ' pods';
    return [
      {
        rule: 'rollout-replicas-decrease' as const,
        field: `${field}.CanaryReplicas`,
        message: 'Steps.CanaryReplicas must be a non decreasing sequence',
        path: [...path, index, ...(step.replicas === undefined ? [] : ['replicas'])],
        text: `${podsOf(step)}${unit} is less than ${podsOf(before)}${unit} of the previous step`,
        step: index,
      },
    ];
  });
}

/** Whether a step has a percentage of pods; without replicas, the weight is the percentage. */
export function isPercentage({ replicas }: JsonObject): boolean {
  return replicas === undefined || typeof replicas === 'string';
}
