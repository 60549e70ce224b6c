import type { Json, JsonObject } from '../../core/json';
import { asList, asObject } from '../../core/json';
import type { Path } from '../../core/path';
import type { KruiseRolloutFacts } from '../facts';
import type { Problem } from './problem';

/** Checks the trafficRoutings of a strategy, in both API versions. */
export function checkTrafficRoutings(
  strategy: JsonObject,
  field: string,
  path: Path,
  facts: KruiseRolloutFacts,
): Problem[] {
  const routings = asList(strategy.trafficRoutings) as readonly Json[];
  const several: Problem[] =
    routings.length < 2
      ? []
      : [
          {
            rule: 'rollout-several-traffic-routings',
            field,
            message: 'Rollout currently only support single TrafficRouting.',
            path: [...path, 'trafficRoutings'],
            text: `has ${routings.length} items, but a Rollout supports one`,
          },
        ];
  return [
    ...several,
    ...routings.flatMap((routing, index) =>
      checkTrafficRouting(asObject(routing), `${field}.TrafficRouting`, [...path, 'trafficRoutings', index], facts),
    ),
  ];
}

function checkTrafficRouting(
  routing: JsonObject,
  field: string,
  path: Path,
  { validation }: KruiseRolloutFacts,
): Problem[] {
  const { service, gracePeriodSeconds, ingress, gateway, customNetworkRefs } = routing;
  const problems: Problem[] = [];
  if (validation !== '0.3' && typeof gracePeriodSeconds === 'number' && gracePeriodSeconds < 0) {
    problems.push({
      rule: 'rollout-grace-period-negative',
      field: `${field}.GracePeriodSeconds`,
      message: 'TrafficRouting.GracePeriodSeconds cannot be negative',
      path: [...path, 'gracePeriodSeconds'],
      text: `${gracePeriodSeconds} is negative`,
    });
  }
  if ((service ?? '') === '') {
    problems.push({
      rule: 'rollout-service-empty',
      field: `${field}.Service`,
      message: 'TrafficRouting.Service cannot be empty',
      path: [...path, 'service'],
      text: 'is empty',
    });
  }
  // An empty list counts as a provider.
  if (ingress === undefined && gateway === undefined && customNetworkRefs === undefined) {
    problems.push({
      rule: 'rollout-no-provider',
      field: `${field}.TrafficRoutings`,
      message: 'TrafficRoutings are not set',
      path,
      text: 'has none of ingress, gateway and customNetworkRefs',
    });
  }
  if (ingress !== undefined && (asObject(ingress).name ?? '') === '') {
    problems.push({
      rule: 'rollout-ingress-name-empty',
      field: `${field}.Ingress`,
      message: 'TrafficRouting.Ingress.Ingress cannot be empty',
      path: [...path, 'ingress', 'name'],
      text: 'is empty',
    });
  }
  if (gateway !== undefined && (asObject(gateway).httpRouteName ?? '') === '') {
    problems.push({
      rule: 'rollout-http-route-name-empty',
      field: `${field}.Gateway`,
      message: 'TrafficRouting.Gateway must set the name of HTTPRoute or HTTPsRoute',
      path: [...path, 'gateway', 'httpRouteName'],
      text: 'is empty',
    });
  }
  return problems;
}

/** The form that the controller compares: an absent list differs from an empty one, an absent string equals an empty one. */
export function comparableRoutings(strategy: JsonObject): Json {
  if (strategy.trafficRoutings === undefined) return null;
  return (asList(strategy.trafficRoutings) as readonly Json[]).map((routing) => {
    const { service = '', gracePeriodSeconds = 0, ingress, gateway, customNetworkRefs = null } = asObject(routing);
    return {
      service,
      gracePeriodSeconds,
      ingress: ingress === undefined ? null : { classType: '', name: '', ...asObject(ingress) },
      gateway: gateway ?? null,
      customNetworkRefs,
    };
  });
}
