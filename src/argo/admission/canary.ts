import type { Json, JsonObject } from '../../core/json';
import { asObject, asText, isSet, partOf } from '../../core/json';
import type { Path } from '../../core/path';
import type { ArgoRolloutsFacts } from '../facts';
import { checkAntiAffinity } from './blue-green';
import { intOrPercent } from './go-values';
import { type Problem, shown } from './problem';
import { routesThrough, trafficRoutingOf } from './routing';
import { checkSteps } from './steps';

/** The default of maxSurge and maxUnavailable: not a percentage, so 25 pods. */
const DEFAULT_SURGE: Json = '25';

/** The routers that require both Services. */
const TWO_SERVICES = ['smi', 'apisix', 'ambassador', 'nginx', 'appMesh', 'traefik'];

/** The controller's checks of `spec.strategy.canary`, in its order. */
export function checkCanary(canary: JsonObject, path: Path, facts: ArgoRolloutsFacts): Problem[] {
  return [
    ...checkSurge(canary, path),
    ...checkServices(canary, path),
    ...checkPingPong(canary, path, facts),
    ...checkRequiredServices(canary, path),
    ...checkScaling(canary, path),
    ...checkSteps(canary, path, facts),
    ...checkAntiAffinity(canary, path),
  ];
}

function checkSurge({ maxSurge, maxUnavailable }: JsonObject, path: Path): Problem[] {
  const values = [maxSurge, maxUnavailable].map((value) => (isSet(value) ? value : DEFAULT_SURGE));
  if (values.some((value) => intOrPercent(value) !== 0)) return [];
  return [
    {
      rule: 'argo-surge-and-unavailable-zero',
      class: 'C1',
      message: 'MaxSurge and MaxUnavailable both can not be zero',
      path: [...path, 'maxSurge'],
      text: `${shown(maxSurge)} is 0 pods, and so is maxUnavailable ${shown(maxUnavailable)}`,
    },
  ];
}

function checkServices(canary: JsonObject, path: Path): Problem[] {
  const stable = asText(canary.stableService);
  if (stable === '' || stable !== asText(canary.canaryService)) return [];
  return [
    {
      rule: 'argo-canary-same-service',
      class: 'C2',
      message:
        'This rollout uses the same service for the stable and canary services, but two different services are required.',
      path: [...path, 'stableService'],
      text: `"${stable}" is also the canaryService`,
    },
  ];
}

function checkPingPong(canary: JsonObject, path: Path, { pingPongWithPlugins }: ArgoRolloutsFacts): Problem[] {
  if (!isSet(canary.pingPong)) return [];
  const { pingService, pongService } = asObject(canary.pingPong);
  const [ping, pong] = [asText(pingService), asText(pongService)];
  const routing = trafficRoutingOf(canary);
  const alb = partOf(routing, 'alb');
  const found: Problem[] = [];
  const routers = pingPongWithPlugins ? ['alb', 'istio', 'plugins'] : ['alb', 'istio'];
  if (routing !== undefined && !routesThrough(routing, ...routers)) {
    found.push({
      rule: 'argo-ping-pong-router',
      class: 'C3',
      message: pingPongWithPlugins
        ? 'Ping-pong feature works with the ALB, Istio, and plugin-based traffic routers only'
        : 'Ping-pong feature works with the ALB and Istio traffic routers only',
      path: [...path, 'trafficRouting', 'alb'],
      text: pingPongWithPlugins ? 'pingPong needs alb, istio or a plugin' : 'pingPong needs alb or istio',
    });
  }
  const services = [
    ['pingService', ping],
    ['pongService', pong],
  ] as const;
  for (const [name, service] of services) {
    if (service !== '') continue;
    found.push({
      rule: 'argo-ping-pong-services',
      class: 'C4',
      message: 'Ping service and Pong service must to be set to use Ping-Pong feature',
      path: [...path, 'pingPong', name],
      text: 'is empty',
    });
  }
  if (ping === pong) {
    found.push({
      rule: 'argo-ping-pong-services',
      class: 'C4',
      message:
        'This rollout uses the same service for the ping and pong services, but two different services are required.',
      path: [...path, 'pingPong', 'pingService'],
      text: `"${ping}" is also the pongService`,
    });
  }
  if (alb !== undefined && asText(alb.rootService) === '') {
    found.push({
      rule: 'argo-ping-pong-without-root-service',
      class: 'C5',
      message: 'Root service field is required for the configuration with ALB and ping-pong feature enabled',
      path: [...path, 'trafficRouting', 'alb', 'rootService'],
      text: 'is missing, but the two Services swap roles in every release',
    });
  }
  return found;
}

/** Whether the controller requires both Services; with `pingPong`, ALB and Istio do not need them. */
function needsServices(canary: JsonObject): boolean {
  const routing = trafficRoutingOf(canary);
  return (
    (!isSet(canary.pingPong) &&
      (routesThrough(routing, 'alb') ||
        (routesThrough(routing, 'istio') && !isSet(partOf(routing, 'istio')?.destinationRule)))) ||
    routesThrough(routing, ...TWO_SERVICES)
  );
}

function checkRequiredServices(canary: JsonObject, path: Path): Problem[] {
  if (!needsServices(canary)) return [];
  return ['stableService', 'canaryService']
    .filter((name) => asText(canary[name]) === '')
    .map((name) => ({
      rule: 'argo-services-missing',
      class: 'C6',
      message: 'Canary service and Stable service must to be set to use Traffic Routing',
      path: [...path, name],
      text: 'is missing, but trafficRouting needs both Services',
    }));
}

function checkScaling(canary: JsonObject, path: Path): Problem[] {
  const routing = trafficRoutingOf(canary);
  const hasDelay = isSet(canary.scaleDownDelaySeconds);
  const isDynamic = canary.dynamicStableScale === true;
  const found: Problem[] = [];
  const needed = (name: string, text: string): Problem => ({
    rule: 'argo-needs-traffic-routing',
    class: 'C7',
    message: `Canary ${name} can only be used with traffic routing`,
    path: [...path, name],
    text,
  });
  if (routing === undefined) {
    if (hasDelay) found.push(needed('scaleDownDelaySeconds', 'is set without trafficRouting'));
    if (isDynamic) found.push(needed('dynamicStableScale', 'is set without trafficRouting'));
    return found;
  }
  if (hasDelay && isDynamic) {
    found.push({
      rule: 'argo-scale-down-delay-and-dynamic-scale',
      class: 'C8',
      message: 'Canary dynamicStableScale cannot be used with scaleDownDelaySeconds',
      path: [...path, 'dynamicStableScale'],
      text: `is enabled, but scaleDownDelaySeconds is ${shown(canary.scaleDownDelaySeconds)}`,
    });
  }
  if (isSet(routing.maxTrafficWeight) && !routesThrough(routing, 'nginx', 'plugins')) {
    found.push({
      rule: 'argo-max-traffic-weight-unsupported',
      class: 'C9',
      message: 'Canary maxTrafficWeight in traffic routing only supported in Nginx and Plugins',
      path: [...path, 'trafficRouting', 'maxTrafficWeight'],
      text: `${shown(routing.maxTrafficWeight)} works only with nginx and plugins`,
    });
  }
  return found;
}
