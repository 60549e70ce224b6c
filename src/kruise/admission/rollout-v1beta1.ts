import type { JsonObject } from '../../core/json';
import { asList, asObject } from '../../core/json';
import type { Path } from '../../core/path';
import type { KruiseRolloutFacts } from '../facts';
import { scaledValue } from './percent';
import { type AdmissionProblem, allReported, firstReported, type Problem, shown } from './problem';
import { checkReplicas, checkReplicasGrow, isPercentage, type StepPlace } from './replicas';
import { checkTrafficRoutings } from './traffic-routing';
import { checkWorkload, isDeployment, workloadRefOf } from './workload';

/** Settings of a Rollout check. */
export interface RolloutRules {
  readonly facts: KruiseRolloutFacts;
  /** See `KruiseRolloutFacts.partitionPercentLimitFlag`; undefined if there is no limit. */
  readonly partitionPercentLimit: number | undefined;
}

type Style = 'blueGreen' | 'canary' | 'partition';

const STRATEGY: Path = ['spec', 'strategy'];

/** The webhook's checks of a single v1beta1 Rollout, in the webhook's order. */
export function checkV1beta1(rollout: JsonObject, rules: RolloutRules): AdmissionProblem[] {
  const { workloadRef } = asObject(rollout.spec);
  const ref = workloadRefOf(workloadRef);
  const isBlueGreen = strategyOf(rollout).blueGreen !== undefined;
  return [
    ...allReported(checkWorkload(ref, isBlueGreen, rules.facts, ['spec', 'workloadRef'])),
    ...checkStrategy(rollout, rules),
  ];
}

/** How a Rollout replaces pods, as the webhook determines it. */
function styleOf(rollout: JsonObject): Style {
  const { canary, blueGreen } = strategyOf(rollout);
  if (blueGreen !== undefined) return 'blueGreen';
  const ownWorkload = asObject(canary).enableExtraWorkloadForCanary === true;
  return ownWorkload && isDeployment(workloadRefOf(asObject(rollout.spec).workloadRef)) ? 'canary' : 'partition';
}

function strategyOf(rollout: JsonObject): JsonObject {
  return asObject(asObject(rollout.spec).strategy);
}

function checkStrategy(rollout: JsonObject, rules: RolloutRules): AdmissionProblem[] {
  const { canary, blueGreen } = strategyOf(rollout);
  if ((canary === undefined) === (blueGreen === undefined)) return allReported([wrongStrategy(canary === undefined)]);
  const [name, title] = canary === undefined ? ['blueGreen', 'BlueGreen'] : ['canary', 'Canary'];
  const strategy = asObject(canary ?? blueGreen);
  const field = `Spec.Strategy.${title}`;
  const path = [...STRATEGY, name];
  return [
    ...firstReported(checkSteps(strategy, styleOf(rollout), rules, `${field}.Steps`, [...path, 'steps'])),
    ...allReported(checkTrafficRoutings(strategy, field, path, rules.facts)),
  ];
}

function wrongStrategy(isEmpty: boolean): Problem {
  return isEmpty
    ? {
        rule: 'rollout-strategy-missing',
        field: 'Spec.Strategy',
        message: 'Canary and BlueGreen cannot both be empty',
        path: STRATEGY,
        text: 'has neither canary nor blueGreen',
      }
    : {
        rule: 'rollout-strategy-both',
        field: 'Spec.Strategy',
        message: 'Canary and BlueGreen cannot both be set',
        path: STRATEGY,
        text: 'has canary and blueGreen',
      };
}

function checkSteps(strategy: JsonObject, style: Style, rules: RolloutRules, field: string, path: Path): Problem[] {
  const steps = asList(strategy.steps).map(asObject);
  if (steps.length === 0) return [noSteps(field, path)];
  const isOld = rules.facts.validation === '0.3';
  const routes = !isOld || asList(strategy.trafficRoutings).length > 0;
  const problems = steps.flatMap((step, index) =>
    checkStep(routes ? step : withoutTraffic(step), style, rules, {
      field: `${field}[${index}]`,
      path: [...path, index],
      index,
    }),
  );
  return problems.length > 0
    ? problems
    : checkReplicasGrow(steps, field, path, ({ replicas }) => scaledValue(replicas)!);
}

/** What the webhook sees of a step where it does not look at traffic. */
function withoutTraffic({ traffic: _traffic, matches: _matches, ...step }: JsonObject): JsonObject {
  return step;
}

/** The problem of a Rollout without steps, in both API versions. */
export function noSteps(field: string, path: Path): Problem {
  return {
    rule: 'rollout-steps-empty',
    field,
    message: 'The number of Canary.Steps cannot be empty',
    path,
    text: 'has no steps',
  };
}

function checkStep(step: JsonObject, style: Style, rules: RolloutRules, place: StepPlace): Problem[] {
  const { field, path, index } = place;
  if (step.replicas === undefined) {
    const { traffic } = step;
    return [
      {
        rule: 'rollout-replicas-missing',
        field: `${field}.steps`,
        message: 'replicas cannot be empty',
        path,
        text: 'has no replicas',
        ...(typeof traffic === 'string' ? { fix: `add replicas, for example "${traffic}"` } : {}),
        step: index,
      },
    ];
  }
  const wrongReplicas = checkReplicas(step, place);
  const routes = step.traffic !== undefined || asList(step.matches).length > 0;
  if (wrongReplicas.length > 0 || !routes) return wrongReplicas;
  const tooMany = style === 'partition' ? checkLimit(step, rules, place) : [];
  return tooMany.length > 0 ? tooMany : checkTraffic(step, style, rules, place);
}

function checkLimit({ replicas }: JsonObject, { partitionPercentLimit }: RolloutRules, place: StepPlace): Problem[] {
  const { field, path, index } = place;
  const value = scaledValue(replicas)!;
  if (partitionPercentLimit === undefined || !isPercentage({ replicas: replicas! }) || value <= partitionPercentLimit) {
    return [];
  }
  return [
    {
      rule: 'rollout-partition-limit',
      field: `${field}.steps`,
      message:
        'For partition style rollout: step[x].replicas must not greater than partition-percent-limit if traffic specified',
      path: [...path, 'replicas'],
      text: `${shown(replicas)} is more than ${partitionPercentLimit}% in a step that routes traffic`,
      step: index,
    },
  ];
}

function checkTraffic(
  { traffic }: JsonObject,
  style: Style,
  { facts }: RolloutRules,
  { field, path, index }: StepPlace,
): Problem[] {
  if (traffic === undefined) return [];
  const value = scaledValue(traffic);
  const isBlueGreen = style === 'blueGreen';
  if (value !== undefined && value <= 100 && (isBlueGreen ? value >= 0 : value > 0)) return [];
  const [least, message] = isBlueGreen
    ? ['"0%"', 'traffic must be percentage with "0%" <= traffic <= "100%" in blueGreen strategy']
    : [
        '"1%"',
        `traffic must be percentage with "0%" < traffic <= "100%"${facts.blueGreen ? ' in canary strategy' : ''}`,
      ];
  const number = typeof traffic === 'string' && /^\d+$/.test(traffic) ? traffic : undefined;
  return [
    {
      rule: 'rollout-traffic-invalid',
      field: `${field}.steps`,
      message,
      path: [...path, 'traffic'],
      text: `${shown(traffic)} is not a percentage from ${least} to "100%"`,
      ...(number === undefined ? {} : { fix: `write "${number}%"` }),
      step: index,
    },
  ];
}
