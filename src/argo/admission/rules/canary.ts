import { defineRules } from '../../../core/rule';
import {
  ALB,
  BOTH_VERSIONS,
  canary,
  ingress,
  OBJECTS,
  REFUSED,
  service,
  TEMPLATE,
  VALIDATION,
  virtualService,
} from './examples';

const PING_PONG = 'pingPong: {pingService: shop-ping, pongService: shop-pong}';
const PING_PONG_OBJECTS =
  service('shop-ping') +
  service('shop-pong') +
  ingress({ backend: '{service: {name: shop-root, port: {name: use-annotation}}}' });
const ROOT = 'alb: {ingress: shop, servicePort: 80, rootService: shop-root}';
const NGINX = 'nginx: {stableIngress: shop}';
const MANAGED = `${ALB}\nmanagedRoutes: [{name: beta}]`;

const pingPong = (routing: string, rest = PING_PONG) =>
  canary({ services: '', routing, rest, objects: PING_PONG_OBJECTS });
const header = (value: string, routing = MANAGED) =>
  canary({
    routing,
    steps: `- setCanaryScale: {weight: 20}\n- setHeaderRoute: {name: beta, match: [{headerName: x-beta, headerValue: {${value}}}]}`,
  });
const experiment = (routing: string) =>
  canary({
    routing,
    steps: '- experiment: {templates: [{name: a, specRef: canary, weight: 10}]}',
    objects: OBJECTS.replaceAll('port: 80,', 'port: 8080,'),
  });
const ISTIO = 'istio: {virtualService: {name: shop, routes: [primary]}}';
const mirror = (match: string, routing: string) =>
  canary({
    routing,
    steps: `- setMirrorRoute: {name: beta, percentage: 10, match: [${match}]}`,
    objects: routing.startsWith(ISTIO)
      ? `${service('shop-stable')}${service('shop-canary')}${virtualService(BOTH_VERSIONS)}`
      : OBJECTS,
  });
const argument = (path: string) =>
  canary({
    steps: `- analysis: {templates: [{templateName: shop}], args: [{name: v, valueFrom: {fieldRef: {fieldPath: ${path}}}}]}`,
    objects: `${OBJECTS}${TEMPLATE}`,
  });

const ruled = { severity: 'error', because: REFUSED, basis: 'run', sources: VALIDATION } as const;

/** The controller's rules for a canary and its steps. */
export const canaryRules = defineRules({
  'argo-surge-and-unavailable-zero': {
    ...ruled,
    title: 'maxSurge and maxUnavailable are both 0',
    because: `${REFUSED}; this also applies with trafficRouting, and text that is not a number counts as 0`,
    fix: 'raise one of the two, or remove it: the default of both is 25 pods',
    failing: canary({ rest: 'maxSurge: 0\nmaxUnavailable: 0%' }),
    corrected: canary({ rest: 'maxSurge: 1\nmaxUnavailable: 0' }),
  },
  'argo-canary-same-service': {
    ...ruled,
    title: 'the canary Service is the stable Service',
    fix: 'set two different Services',
    failing: canary({ services: 'canaryService: shop-stable, stableService: shop-stable' }),
    corrected: canary(),
  },
  'argo-ping-pong-router': {
    ...ruled,
    title: 'pingPong is used without alb, istio or a plugin',
    fix: 'route through alb, or set canaryService and stableService instead of pingPong',
    failing: canary({
      routing: NGINX,
      rest: PING_PONG,
      objects: `${OBJECTS}${service('shop-ping')}${service('shop-pong')}`,
    }),
    corrected: pingPong(ROOT),
  },
  'argo-ping-pong-services': {
    ...ruled,
    title: 'pingPong does not have two different Services',
    fix: 'set two different Services',
    failing: pingPong(ROOT, 'pingPong: {pingService: shop-ping, pongService: shop-ping}'),
    corrected: pingPong(ROOT),
  },
  'argo-ping-pong-without-root-service': {
    ...ruled,
    title: 'pingPong through an ALB has no rootService',
    because: `${REFUSED}; the Services swap roles in every release, so the Ingress needs a separate name for the action`,
    fix: 'set trafficRouting.alb.rootService, and use it as the backend of the Ingress; a Service with that name does not need to exist',
    failing: pingPong(ALB),
    corrected: pingPong(ROOT),
  },
  'argo-services-missing': {
    ...ruled,
    title: 'a canary with traffic routing does not have both Services',
    fix: 'set canaryService and stableService',
    failing: canary({ services: 'stableService: shop-stable' }),
    corrected: canary(),
  },
  'argo-needs-traffic-routing': {
    ...ruled,
    title: 'scaleDownDelaySeconds or dynamicStableScale is set without traffic routing',
    fix: 'remove the field, or add trafficRouting',
    failing: canary({ routing: '', rest: 'scaleDownDelaySeconds: 30' }),
    corrected: canary({ rest: 'scaleDownDelaySeconds: 30' }),
  },
  'argo-scale-down-delay-and-dynamic-scale': {
    ...ruled,
    title: 'scaleDownDelaySeconds and dynamicStableScale are both set',
    fix: 'remove one of the two',
    failing: canary({ rest: 'scaleDownDelaySeconds: 30\ndynamicStableScale: true' }),
    corrected: canary({ rest: 'scaleDownDelaySeconds: 30' }),
  },
  'argo-max-traffic-weight-unsupported': {
    ...ruled,
    title: 'maxTrafficWeight is used without nginx or a plugin',
    because: `${REFUSED}; the weights of an ALB always add up to 100`,
    fix: 'remove maxTrafficWeight',
    failing: canary({ routing: `${ALB}\nmaxTrafficWeight: 100` }),
    corrected: canary(),
  },
  'argo-step-multiple': {
    ...ruled,
    title: 'a step has several actions',
    fix: 'write setWeight, pause, experiment and analysis as separate steps',
    failing: canary({ steps: '- {setWeight: 20, pause: {}}' }),
    corrected: canary({ steps: '- setWeight: 20\n- pause: {}' }),
  },
  'argo-step-empty': {
    ...ruled,
    title: 'a step has no action',
    because: `${REFUSED}; a misspelt step is empty, because the API server drops unknown fields`,
    fix: 'write one of setWeight, pause, setCanaryScale, setHeaderRoute, experiment, analysis and plugin, or remove the step',
    failing: canary({ steps: '- {}' }),
    corrected: canary(),
  },
  'argo-set-weight-out-of-range': {
    ...ruled,
    title: 'setWeight is not between 0 and 100',
    because: `${REFUSED}; the limit is maxTrafficWeight if that is set`,
    fix: 'write a weight from 0 to 100',
    failing: canary({ steps: '- setWeight: 120' }),
    corrected: canary({ steps: '- setWeight: 20' }),
  },
  'argo-pause-invalid': {
    ...ruled,
    title: 'the duration of a pause is negative or invalid',
    fix: 'write seconds such as 30, or a duration with a unit such as 10m or 1h30m; there is no unit for days',
    failing: canary({ steps: '- pause: {duration: 1d}' }),
    corrected: canary({ steps: '- pause: {duration: 24h}' }),
  },
  'argo-canary-scale-without-traffic-routing': {
    ...ruled,
    title: 'setCanaryScale is used without traffic routing',
    because: `${REFUSED}; without a router, the share of pods is the weight`,
    fix: 'add trafficRouting, or use setWeight',
    failing: canary({ routing: '', steps: '- setCanaryScale: {replicas: 1}' }),
    corrected: canary({ steps: '- setCanaryScale: {replicas: 1}' }),
  },
  'argo-header-route-unsupported': {
    ...ruled,
    title: 'setHeaderRoute is used without a router that supports it',
    fix: 'route through alb, istio, apisix or a plugin',
    failing: header('exact: "1"', `${NGINX}\nmanagedRoutes: [{name: beta}]`),
    corrected: header('exact: "1"'),
  },
  'argo-header-match-invalid': {
    ...ruled,
    title: 'the router does not support the value of a header match',
    because: `${REFUSED}; an ALB supports exact values only`,
    fix: 'write headerValue: {exact: <value>}',
    failing: header('prefix: "1"'),
    corrected: header('exact: "1"'),
  },
  'argo-mirror-route-unsupported': {
    ...ruled,
    title: 'setMirrorRoute is used without a router that supports it',
    because: `${REFUSED}; an ALB cannot mirror traffic`,
    fix: 'remove the step, or route through istio; Argo Rollouts 1.10 and later also mirror through plugins',
    failing: mirror('{path: {exact: /}}', MANAGED),
    corrected: mirror('{path: {exact: /}}', `${ISTIO}\nmanagedRoutes: [{name: beta}]`),
  },
  'argo-mirror-match-invalid': {
    ...ruled,
    title: 'a match of a mirror route does not have exactly one of exact, prefix and regex',
    fix: 'write one of exact, prefix and regex',
    failing: mirror('{path: {exact: /, prefix: /}}', `${ISTIO}\nmanagedRoutes: [{name: beta}]`),
    corrected: mirror('{path: {exact: /}}', `${ISTIO}\nmanagedRoutes: [{name: beta}]`),
  },
  'argo-managed-routes-missing': {
    ...ruled,
    title: 'a step sets a route, but managedRoutes is empty',
    because: `${REFUSED}; the controller creates and removes only routes in that list`,
    fix: 'add the name of the route to trafficRouting.managedRoutes',
    failing: header('exact: "1"', ALB),
    corrected: header('exact: "1"'),
  },
  'argo-route-not-managed': {
    ...ruled,
    title: 'a step sets or removes a route that is not in managedRoutes',
    fix: 'add the name of the route to trafficRouting.managedRoutes',
    failing: header('exact: "1"', `${ALB}\nmanagedRoutes: [{name: alpha}]`),
    corrected: header('exact: "1"'),
  },
  'argo-experiment-weight-unsupported': {
    ...ruled,
    title: 'a template of an experiment has a weight, but no router supports it',
    fix: 'remove the weight, or route through alb, smi, istio or a plugin',
    failing: experiment(NGINX),
    corrected: experiment('alb: {ingress: shop, servicePort: 8080}'),
  },
  'argo-argument-field-unsupported': {
    ...ruled,
    title: 'an argument of an analysis refers to an unsupported metadata field',
    fix: "refer to metadata.name, namespace, uid, labels['<key>'] or annotations['<key>']",
    failing: argument('metadata.generation'),
    corrected: argument('"metadata.labels[\'app\']"'),
  },
});
