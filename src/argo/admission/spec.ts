import type { JsonObject } from '../../core/json';
import { asList, asObject, isSet, numberOf, partOf, stringMapOf } from '../../core/json';
import type { Path } from '../../core/path';
import { selects } from '../../kubernetes/labels';
import type { ArgoRolloutsFacts } from '../facts';
import { ArgoRolloutsVersion } from '../version';
import { checkBlueGreen } from './blue-green';
import { checkCanary } from './canary';
import { podTemplateProblems, selectorProblems } from './pod-template';
import type { Problem } from './problem';

const SPEC: Path = ['spec'];
const STRATEGY: Path = ['spec', 'strategy'];

const DEFAULT_REVISION_HISTORY_LIMIT = 10;
const DEFAULT_PROGRESS_DEADLINE_SECONDS = 600;

/** Options of the checks of a Rollout. */
export interface SpecOptions {
  /**
   * Whether template and selector come from the workload in `workloadRef`.
   * @default false
   */
  readonly resolved?: boolean;
  /**
   * The version of the controller.
   * @default ArgoRolloutsVersion.LATEST
   */
  readonly version?: ArgoRolloutsVersion;
}

/** The controller's checks of a single Rollout, in its order. */
export function checkSpec(rollout: JsonObject, options: SpecOptions = {}): Problem[] {
  const { resolved = false, version = ArgoRolloutsVersion.LATEST } = options;
  const spec = asObject(rollout.spec);
  const hasRef = isSet(spec.workloadRef);
  const selector = partOf(spec, 'selector');
  const selectorMistakes = selector === undefined ? [] : selectorProblems(selector, [...SPEC, 'selector']);
  return [
    ...notNegative(spec, 'replicas'),
    ...(hasRef ? [] : checkSelector(selector, selectorMistakes)),
    ...(hasRef && !resolved && hasOwnTemplate(spec) ? [templateAndRef()] : []),
    ...(selectorMistakes.length > 0
      ? [invalidSelector()]
      : resolved || !hasRef
        ? [
            ...checkTemplateLabels(spec, selector),
            ...podTemplateProblems(asObject(spec.template), [...SPEC, 'template'], version.facts),
          ]
        : []),
    ...notNegative(spec, 'minReadySeconds'),
    ...notNegative(spec, 'revisionHistoryLimit'),
    ...notNegative(spec, 'progressDeadlineSeconds'),
    ...checkDeadline(spec),
    ...checkStrategy(rollout, version.facts),
  ];
}

/** A template counts as set only if it has labels or annotations. */
function hasOwnTemplate(spec: JsonObject): boolean {
  const { labels, annotations } = asObject(asObject(spec.template).metadata);
  return stringMapOf(labels).size > 0 || stringMapOf(annotations).size > 0;
}

/** The number of old ReplicaSets that the controller keeps. */
function revisionHistoryLimit(rollout: JsonObject): number {
  return numberOf(asObject(rollout.spec).revisionHistoryLimit) ?? DEFAULT_REVISION_HISTORY_LIMIT;
}

function notNegative(spec: JsonObject, field: string): Problem[] {
  const value = numberOf(spec[field]) ?? 0;
  if (value >= 0) return [];
  return [
    {
      rule: 'argo-number-negative',
      class: 'S1',
      message: 'must be greater than or equal to 0',
      path: [...SPEC, field],
      text: `${value} is less than 0`,
    },
  ];
}

function checkSelector(selector: JsonObject | undefined, mistakes: readonly Problem[]): Problem[] {
  const path = [...SPEC, 'selector'];
  if (selector === undefined) {
    const message = "Rollout has missing field '.spec.selector'";
    return [{ rule: 'argo-selector-invalid', class: 'S2', message, path, text: 'is missing' }];
  }
  const isEmpty = stringMapOf(selector.matchLabels).size === 0 && asList(selector.matchExpressions).length === 0;
  if (!isEmpty) return [...mistakes];
  const message = 'empty selector is invalid for deployment';
  return [...mistakes, { rule: 'argo-selector-invalid', class: 'S2', message, path, text: 'is empty' }];
}

function invalidSelector(): Problem {
  return {
    rule: 'argo-selector-invalid',
    class: 'S2',
    message: 'invalid label selector',
    path: [...SPEC, 'selector'],
    text: 'is not a valid label selector',
  };
}

function templateAndRef(): Problem {
  return {
    rule: 'argo-template-and-workload-ref',
    class: 'S3',
    message: 'template must be empty for workload reference rollout',
    path: [...SPEC, 'template'],
    text: 'is set, but workloadRef already refers to the template',
  };
}

function checkTemplateLabels(spec: JsonObject, selector: JsonObject | undefined): Problem[] {
  const labels = stringMapOf(asObject(asObject(spec.template).metadata).labels);
  if (selects(selector, labels)) return [];
  return [
    {
      rule: 'argo-selector-mismatch',
      class: 'S4',
      message: '`selector` does not match template `labels`',
      path: [...SPEC, 'template', 'metadata', 'labels'],
      text: 'the selector does not select these labels',
    },
  ];
}

function checkDeadline(spec: JsonObject): Problem[] {
  const deadline = numberOf(spec.progressDeadlineSeconds) ?? DEFAULT_PROGRESS_DEADLINE_SECONDS;
  const minReady = numberOf(spec.minReadySeconds) ?? 0;
  if (deadline > minReady) return [];
  return [
    {
      rule: 'argo-progress-deadline-too-short',
      class: 'S5',
      message: 'must be greater than minReadySeconds',
      path: [...SPEC, 'progressDeadlineSeconds'],
      text: `${deadline} is not greater than minReadySeconds, which is ${minReady}`,
    },
  ];
}

function checkStrategy(rollout: JsonObject, facts: ArgoRolloutsFacts): Problem[] {
  const strategy = asObject(asObject(rollout.spec).strategy);
  const { canary, blueGreen } = strategy;
  if (isSet(canary) !== isSet(blueGreen)) {
    return isSet(canary)
      ? checkCanary(asObject(canary), [...STRATEGY, 'canary'], facts)
      : checkBlueGreen(asObject(blueGreen), revisionHistoryLimit(rollout), [...STRATEGY, 'blueGreen']);
  }
  const [message, text] = isSet(canary)
    ? ['Multiple Strategies can not be listed', 'has canary and blueGreen']
    : [
        "Rollout has missing field '.spec.strategy.canary or .spec.strategy.blueGreen'",
        'has neither canary nor blueGreen',
      ];
  const field = 'spec.strategy.strategy';
  return [{ rule: 'argo-strategy-not-one', class: 'S6', field, message, path: STRATEGY, text }];
}
