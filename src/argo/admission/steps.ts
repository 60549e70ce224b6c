import type { Json, JsonObject } from '../../core/json';
import { asList, asObject, asText, isSet, numberOf } from '../../core/json';
import { formatPath, type Path } from '../../core/path';
import { fieldText } from '../../core/schema';
import { labelMistakes } from '../../kubernetes/labels';
import { splitSubscript } from '../../kubernetes/pods/field-path';
import type { ArgoRolloutsFacts } from '../facts';
import { pauseSeconds } from './go-values';
import { type Problem, shown } from './problem';
import { routesThrough, trafficRoutingOf } from './routing';

/** The message of the controller for a step with several actions or none. */
function stepMessage({ stepPlugins }: ArgoRolloutsFacts): string {
  return `Step must have one of the following set: experiment, setWeight, setCanaryScale${stepPlugins ? ', plugin' : ''} or pause`;
}

/** A step may have at most one of these. */
const EXCLUSIVE = ['experiment', 'pause', 'setWeight', 'analysis'];
/** A step must have at least one of these. */
const ACTIONS = [...EXCLUSIVE, 'setCanaryScale', 'setHeaderRoute', 'setMirrorRoute'];

const MAX_WEIGHT = 100;

/** A step and its path. */
interface StepPlace {
  readonly step: JsonObject;
  readonly routing: JsonObject | undefined;
  readonly canaryPath: Path;
  readonly path: Path;
  readonly facts: ArgoRolloutsFacts;
}

/** The controller's checks of the steps of a canary, in its order. */
export function checkSteps(canary: JsonObject, canaryPath: Path, facts: ArgoRolloutsFacts): Problem[] {
  const routing = trafficRoutingOf(canary);
  return asList(canary.steps).flatMap((one, index) => {
    const place = { step: asObject(one), routing, canaryPath, path: [...canaryPath, 'steps', index], facts };
    return CHECKS.flatMap((check) => check(place)).map((problem) => ({ ...problem, step: index }));
  });
}

const CHECKS: readonly ((place: StepPlace) => Problem[])[] = [
  checkExclusive,
  checkEmpty,
  checkWeight,
  checkPause,
  checkScale,
  checkHeaderRoute,
  checkMirrorRoute,
  checkManaged,
  checkExperiment,
  checkArguments,
];

function checkExclusive({ step, path, facts }: StepPlace): Problem[] {
  const set = EXCLUSIVE.filter((name) => isSet(step[name]));
  if (set.length < 2) return [];
  return [
    { rule: 'argo-step-multiple', class: 'C10', message: stepMessage(facts), path, text: `has ${set.join(' and ')}` },
  ];
}

function checkEmpty({ step, path, facts }: StepPlace): Problem[] {
  const actions = facts.stepPlugins ? [...ACTIONS, 'plugin'] : ACTIONS;
  if (actions.some((name) => isSet(step[name]))) return [];
  return [{ rule: 'argo-step-empty', class: 'C11', message: stepMessage(facts), path, text: 'does nothing' }];
}

function checkWeight({ step, routing, path }: StepPlace): Problem[] {
  const weight = numberOf(step.setWeight);
  const most = numberOf(routing?.maxTrafficWeight) ?? MAX_WEIGHT;
  if (weight === undefined || (weight >= 0 && weight <= most)) return [];
  return [
    {
      rule: 'argo-set-weight-out-of-range',
      class: 'C12',
      message: `SetWeight needs to be between 0 and ${most}`,
      path: [...path, 'setWeight'],
      text: `${weight} is not between 0 and ${most}`,
    },
  ];
}

function checkPause({ step, path }: StepPlace): Problem[] {
  const { duration } = asObject(step.pause);
  if (!isSet(duration) || pauseSeconds(duration) >= 0) return [];
  return [
    {
      rule: 'argo-pause-invalid',
      class: 'C13',
      message: 'Duration needs to be greater than 0',
      path: [...path, 'pause', 'duration'],
      text: `${shown(duration)} is not a valid duration`,
    },
  ];
}

function checkScale({ step, routing, canaryPath, path }: StepPlace): Problem[] {
  if (!isSet(step.setCanaryScale) || routing !== undefined) return [];
  return [
    {
      rule: 'argo-canary-scale-without-traffic-routing',
      class: 'C14',
      field: fieldText([...canaryPath.slice(0, 2), 'trafficRouting']),
      message: 'SetCanaryScale requires TrafficRouting to be set',
      path: [...path, 'setCanaryScale'],
      text: 'needs trafficRouting, but the Rollout has none',
    },
  ];
}

function checkHeaderRoute({ step, routing, path: stepPath }: StepPlace): Problem[] {
  if (!isSet(step.setHeaderRoute)) return [];
  const path = [...stepPath, 'setHeaderRoute'];
  if (!routesThrough(routing, 'istio', 'alb', 'apisix', 'plugins')) {
    return [
      {
        rule: 'argo-header-route-unsupported',
        class: 'C15',
        message: 'SetHeaderRoute requires TrafficRouting, supports Istio, ALB, Apisix and Plugins',
        path,
        text: 'needs trafficRouting through alb, istio, apisix or a plugin',
      },
    ];
  }
  const isAlb = routesThrough(routing, 'alb');
  return asList(asObject(step.setHeaderRoute).match).flatMap((match, index) => {
    const { headerValue } = asObject(match);
    const at = [...path, 'match', index];
    return matchMistake(headerValue, isAlb).map((message) => ({
      rule: 'argo-header-match-invalid',
      class: 'C15',
      message,
      path: at,
      text: isAlb
        ? `headerValue is ${shown(headerValue)}, but an ALB supports only exact`
        : `headerValue is ${shown(headerValue)}, but must have one of exact, prefix and regex`,
    }));
  });
}

/** The problems of a match value: it must have one of exact, prefix and regex; for an ALB, exact. */
function matchMistake(value: Json | undefined, isAlb: boolean): string[] {
  const missing = 'StringMatch value missed, match value must have one of the following: exact, regex, prefix';
  if (!isSet(value)) return [missing];
  const { exact, regex, prefix } = asObject(value);
  const set = [exact, regex, prefix].filter((one) => asText(one) !== '');
  if (isAlb) {
    const isExact = set.length === 1 && asText(exact) !== '';
    return isExact ? [] : ["SetHeaderRoute match value invalid. ALB supports 'exact' value only"];
  }
  if (set.length > 1) return ['StringMatch match value must have exactly one of the following: exact, regex, prefix'];
  return set.length === 0 ? [missing] : [];
}

function checkMirrorRoute({ step, routing, path: stepPath, facts }: StepPlace): Problem[] {
  if (!isSet(step.setMirrorRoute)) return [];
  const takesPlugins = facts.mirrorRouteWithPlugins;
  const path = [...stepPath, 'setMirrorRoute'];
  const unsupported: Problem[] = routesThrough(routing, ...(takesPlugins ? ['istio', 'plugins'] : ['istio']))
    ? []
    : [
        {
          rule: 'argo-mirror-route-unsupported',
          class: 'C16',
          message: `SetMirrorRoute requires TrafficRouting, supports Istio ${takesPlugins ? 'and Plugins' : 'only'}`,
          path,
          text: `needs trafficRouting through istio${takesPlugins ? ' or a plugin' : ''}`,
        },
      ];
  const matches = asList(asObject(step.setMirrorRoute).match).flatMap((one, index) => {
    const match = asObject(one);
    // The controller checks the method twice, and never the headers.
    return ['method', 'path', 'method']
      .filter((name) => isSet(match[name]))
      .flatMap((name) =>
        matchMistake(match[name], false).map((message) => ({
          rule: 'argo-mirror-match-invalid' as const,
          class: 'C16',
          message,
          path: [...path, 'match', index],
          text: `${name} is ${shown(match[name])}, but must have one of exact, prefix and regex`,
        })),
      );
  });
  return [...unsupported, ...matches];
}

function checkManaged({ step, routing, canaryPath, path }: StepPlace): Problem[] {
  const routes = ['setHeaderRoute', 'setMirrorRoute'].filter((name) => isSet(step[name]));
  if (routing === undefined || routes.length === 0) return [];
  const managed = asList(routing.managedRoutes);
  if (managed.length === 0) {
    return [
      {
        rule: 'argo-managed-routes-missing',
        class: 'C18',
        message: "Rollout has missing field 'spec.strategy.canary.trafficRouting.managedRoutes'",
        path: [...canaryPath, 'trafficRouting', 'managedRoutes'],
        text: `is missing, but ${formatPath(path)} sets a route`,
      },
    ];
  }
  const names = managed.map((route) => asText(asObject(route).name));
  return routes
    .filter((route) => !names.includes(asText(asObject(step[route]).name)))
    .map((route) => ({
      rule: 'argo-route-not-managed',
      class: 'C18',
      message: 'Steps define a route that does not exist in spec.strategy.canary.trafficRouting.managedRoutes',
      path: [...path, route],
      text: `the route "${asText(asObject(step[route]).name)}" is not in managedRoutes: ${names.join(', ')}`,
    }));
}

function checkExperiment({ step, routing, path, facts }: StepPlace): Problem[] {
  const takesPlugins = facts.stepPlugins;
  if (routesThrough(routing, 'alb', 'smi', 'istio', ...(takesPlugins ? ['plugins'] : []))) return [];
  const message =
    routing === undefined
      ? 'Experiment template weight cannot be set unless TrafficRouting is enabled'
      : `Experiment template weight is only available for TrafficRouting with SMI, ALB, ${takesPlugins ? 'Istio and Plugins' : 'and Istio'} at this time`;
  return asList(asObject(step.experiment).templates).flatMap((template, index) => {
    const { weight } = asObject(template);
    if (!isSet(weight)) return [];
    return [
      {
        rule: 'argo-experiment-weight-unsupported',
        class: 'C19',
        message,
        path: [...path, 'experiment', 'templates', index, 'weight'],
        text: `${shown(weight)} needs trafficRouting through alb, smi${takesPlugins ? ', istio or a plugin' : ' or istio'}`,
      } satisfies Problem,
    ];
  });
}

/** The arguments of the analyses of a step, with their places. */
function argumentsOf({ step, path }: StepPlace): { readonly argument: JsonObject; readonly at: Path }[] {
  const listed = (holder: JsonObject, at: Path) =>
    asList(holder.args).map((one, index) => ({ argument: asObject(one), at: [...at, 'args', index] }));
  const analyses = asList(asObject(step.experiment).analyses).flatMap((one, index) =>
    listed(asObject(one), [...path, 'experiment', 'analyses', index]),
  );
  return [...analyses, ...listed(asObject(step.analysis), [...path, 'analysis'])];
}

function checkArguments(place: StepPlace): Problem[] {
  return argumentsOf(place).flatMap(({ argument, at }) => {
    const fieldPath = asText(asObject(asObject(argument.valueFrom).fieldRef).fieldPath);
    if (!fieldPath.startsWith('metadata') || isMetadataPath(fieldPath)) return [];
    return [
      {
        rule: 'argo-argument-field-unsupported',
        class: 'C20',
        field: `${fieldText([...place.path.slice(0, 2), ...place.path.slice(3)])}.analyses`,
        message: 'Analyses arguments must refer to valid object metadata supported by downwardAPI',
        path: [...at, 'valueFrom', 'fieldRef', 'fieldPath'],
        text: `"${fieldPath}" is not a metadata field that a fieldRef supports`,
      } satisfies Problem,
    ];
  });
}

/** Whether the downward API supports this path of metadata. */
export function isMetadataPath(path: string): boolean {
  const { base, key } = splitSubscript(path);
  if (key === undefined) {
    const whole = ['annotations', 'labels', 'name', 'namespace', 'uid'];
    return whole.some((name) => path === `metadata.${name}`);
  }
  if (base === 'metadata.annotations') return labelMistakes('annotations', key, '').length === 0;
  return base === 'metadata.labels' && labelMistakes('labels', key, '').length === 0;
}
