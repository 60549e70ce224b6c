import { isAliyun } from '../ingress/is-aliyun';
import { INGRESS_CLASS } from '../ingress/kinds';
import {
  type Answer,
  type Destination,
  type Frozen,
  type Listener,
  type LoadBalancer,
  type Route,
  type RouteRule,
  type Router,
  type RouteTable,
  withShares,
} from '../router';
import { BuiltParts } from './built-parts';
import type { AlbOptions } from './class';
import { describeRule } from './describe';
import type { BuildFailure } from './failure';
import { loadGroups } from './group';
import { INGRESS_CLASS_PARAMS } from './kinds';
import { LatestRouteTables } from './latest-route-tables';
import { matchRequest } from './match';
import type { Action, AlbGroup, AlbListener, AlbModel, ListenerRule, WeightedTargetGroup } from './model';
import { buildModel } from './model-builder';
import { AWS_ALB_INGRESS } from './reads';

/**
 * The load balancers that the AWS Load Balancer Controller makes of Ingresses: one per IngressGroup.
 * @example awsAlbRouter().routes(world).loadBalancers[0].listeners[0].route({ host: 'shop.example.com', path: '/cart' })
 */
export function awsAlbRouter(options: AlbOptions = {}): Router {
  const built = new BuiltParts();
  const tables = new LatestRouteTables();
  return {
    name: 'aws-alb',
    reads: [AWS_ALB_INGRESS],
    shared: [INGRESS_CLASS, INGRESS_CLASS_PARAMS],
    // Ingresses of both clouds have the same class and the same annotations.
    isUsed: (world, hints) => !isAliyun(world, hints),
    readTogether: (world) =>
      loadGroups(world, options, built).groups.map(({ members }) => members.map(({ ingress }) => ingress.manifest)),
    routes: (world) => tables.of(world, () => routeTableOf(buildModel(world, options, built))),
  };
}

function routeTableOf({ groups, ungrouped }: AlbModel): RouteTable {
  return {
    loadBalancers: groups.map(loadBalancerOf),
    unserved: ungrouped.map(({ manifest }) => manifest),
  };
}

function loadBalancerOf({ name, members, failure, listeners }: AlbGroup): LoadBalancer {
  return {
    name,
    members: members.map(({ manifest }) => manifest),
    listeners: listeners.map(listenerOf),
    ...(failure === undefined ? {} : { frozen: frozenBy(failure) }),
  };
}

function listenerOf(listener: AlbListener): Listener {
  const routeRules = new Map<ListenerRule, RouteRule>();
  const answers = new Map<Action, Answer>();
  // Created at the first request that matches, because most rules of a large group match none.
  const routeRule = (rule: ListenerRule): RouteRule => remembered(routeRules, rule, () => routeRuleOf(listener, rule));
  return {
    port: listener.port,
    protocol: listener.protocol,
    get rules() {
      return listener.rules.map(routeRule);
    },
    route(request): Route {
      const { rule, action } = matchRequest(listener, request);
      const answer = remembered(answers, action, () => answerOf(action));
      const taken = rule === undefined ? defaultRuleOf(listener) : routeRule(rule);
      const isDefault = rule === undefined;
      return taken === undefined ? { answer, isDefault } : { answer, isDefault, rule: taken };
    },
  };
}

function remembered<K, V>(built: Map<K, V>, key: K, make: () => V): V {
  const known = built.get(key);
  if (known !== undefined) return known;
  const made = make();
  built.set(key, made);
  return made;
}

function routeRuleOf(listener: AlbListener, rule: ListenerRule): RouteRule {
  return { description: describeRule(listener, rule), manifest: rule.ingress.manifest, path: rule.path };
}

function defaultRuleOf({ port, protocol, defaultIngress }: AlbListener): RouteRule | undefined {
  if (defaultIngress === undefined) return undefined;
  const description = `default of ${protocol}:${port}`;
  return { description, manifest: defaultIngress.manifest, path: ['spec', 'defaultBackend'] };
}

function answerOf(action: Action): Answer {
  switch (action.type) {
    case 'fixed-response':
      return { kind: 'fixed-response', ...action.fixedResponse };
    case 'redirect':
      return { kind: 'redirect', ...action.redirect };
    case 'forward': {
      const destinations = withShares(action.targetGroups.map(destinationOf));
      return { kind: 'services', destinations, sticky: action.stickiness?.enabled ?? false };
    }
  }
}

function destinationOf(target: WeightedTargetGroup): Omit<Destination, 'share'> {
  const { weight = 1 } = target;
  if ('targetGroupARN' in target) return { target: target.targetGroupARN, weight };
  if ('targetGroupName' in target) return { target: target.targetGroupName, weight };
  return { service: { namespace: target.namespace, name: target.service }, port: target.port, weight };
}

function frozenBy({ errorClass, message, ingress, path }: BuildFailure): Frozen {
  return {
    kind: 'frozen',
    reason: errorClass,
    why: message,
    ...(ingress === undefined ? {} : { manifest: ingress.manifest }),
    ...(path === undefined ? {} : { path }),
  };
}
