/** The manifests of the rules' examples. */
import type { RuleExample } from '../core';
import { edit, SERVICE, yaml } from '../core/example';

/** The parts of an example. Each part can be replaced. */
export interface ExampleParts {
  readonly steps?: string;
  readonly trafficRouting?: string;
  readonly script?: string;
  /** The ConfigMap's key of the script. */
  readonly scriptKey?: string;
  readonly service?: string;
  readonly ingress?: string;
  readonly more?: string;
}

/** A step with 20 % of the traffic, then all of it. */
export const WEIGHT_STEPS = `        - { traffic: 20%, replicas: 20% }
        - { traffic: 100%, replicas: 100% }`;

/** A step that matches a header. */
export const HEADER_STEPS = `        - replicas: 20%
          matches:
            - headers: [{ type: Exact, name: x-user, value: tester }]`;

/** The stable Ingress on an AWS load balancer. Its group.order leaves room for a canary before it. */
export const ALB_INGRESS = `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: web
  namespace: shop
  annotations:
    alb.ingress.kubernetes.io/group.name: shop
    alb.ingress.kubernetes.io/group.order: "10"
    alb.ingress.kubernetes.io/target-type: ip
    alb.ingress.kubernetes.io/actions.web: '{"type":"forward","forwardConfig":{"targetGroups":[{"serviceName":"web","servicePort":80}]}}'
spec:
  ingressClassName: alb
  rules:
    - host: shop.example.com
      http:
        paths:
          - path: /
            pathType: Prefix
            backend: { service: { name: web, port: { name: use-annotation } } }
`;

/** The stable Ingress on a load balancer of Alibaba Cloud. */
export const ALIYUN_INGRESS = `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: web
  namespace: shop
spec:
  ingressClassName: alb
  rules:
    - host: shop.example.com
      http:
        paths:
          - path: /
            pathType: Prefix
            backend: { service: { name: web, port: { number: 80 } } }
`;

/** A minimal script that routes by weight on an AWS load balancer. */
export const WEIGHT_SCRIPT = `local prefix, annotations, canary = "alb.ingress.kubernetes.io/", obj.annotations, obj.canaryService
local weight = tonumber(obj.weight)
annotations[prefix .. "group.order"] = "9"
annotations[prefix .. "actions." .. canary] = json.encode({type = "forward", forwardConfig = {targetGroups = {
  {serviceName = canary, servicePort = 80, weight = weight},
  {serviceName = "web", servicePort = 80, weight = 100 - weight}}}})
return annotations`;

/** A minimal script that routes one header on an AWS load balancer. At weight 0 it uses a header that no client sends. */
export const HEADER_SCRIPT = `local prefix, annotations, canary = "alb.ingress.kubernetes.io/", obj.annotations, obj.canaryService
local header = obj.matches and obj.matches[1].headers[1] or {name = "x-idle", value = "idle"}
annotations[prefix .. "group.order"] = "9"
annotations[prefix .. "actions." .. canary] = json.encode({type = "forward", forwardConfig = {targetGroups = {
  {serviceName = canary, servicePort = 80, weight = 100},
  {serviceName = "web", servicePort = 80, weight = 0}}}})
annotations[prefix .. "conditions." .. canary] = json.encode({{field = "http-header",
  httpHeaderConfig = {httpHeaderName = header.name, values = {header.value}}}})
return annotations`;

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 10
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers: [{ name: web, image: example.com/web, ports: [{ containerPort: 80 }] }]
`;

/** The whole stack as one example. */
export function stack(parts: ExampleParts = {}): RuleExample {
  const {
    steps = WEIGHT_STEPS,
    trafficRouting = 'ingress: { name: web, classType: aws-alb }',
    script = WEIGHT_SCRIPT,
    scriptKey = 'lua.traffic.routing.ingress.aws-alb',
    service = SERVICE,
    ingress = ALB_INGRESS,
    more,
  } = parts;
  const rollout = `apiVersion: rollouts.kruise.io/v1beta1
kind: Rollout
metadata: { name: web, namespace: shop }
spec:
  workloadRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  strategy:
    canary:
      enableExtraWorkloadForCanary: true
      steps:
${steps}
      trafficRoutings:
        - service: web
          gracePeriodSeconds: 30
          ${trafficRouting}
`;
  const configMap = `apiVersion: v1
kind: ConfigMap
metadata: { name: kruise-rollout-configuration, namespace: kruise-rollout }
data:
  ${scriptKey}: |
${indented(script, '    ')}
`;
  return yaml(rollout, ingress, configMap, service, DEPLOYMENT, ...(more === undefined ? [] : [more]));
}

/** An HTTPRoute that sends its requests to a port, behind a Gateway of a class. */
export function httpRoute(port: number, className = 'istio', steps = WEIGHT_STEPS) {
  const api = 'apiVersion: gateway.networking.k8s.io/v1';
  return stack({
    steps,
    trafficRouting: 'gateway: { httpRouteName: web }',
    ingress: `${api}
kind: Gateway
metadata: { name: web, namespace: shop }
spec: { gatewayClassName: ${className}, listeners: [{ name: http, port: 80, protocol: HTTP }] }
---
${api}
kind: HTTPRoute
metadata: { name: web, namespace: shop }
spec:
  parentRefs: [{ name: web }]
  hostnames: [shop.example.com]
  rules: [{ backendRefs: [{ name: web, port: ${port} }] }]
`,
  });
}

/** The stable Ingress with an action that keeps clients. */
export function stickyIngress(): string {
  return edit(ALB_INGRESS, [
    '"servicePort":80}]}}',
    '"servicePort":80}],"targetGroupStickinessConfig":{"enabled":true,"durationSeconds":600}}}',
  ]);
}

/** The Ingress with the order of its canary. */
export function withOrder(ingress: string, order: string): string {
  return edit(ingress, [
    'namespace: shop\n',
    `namespace: shop\n  annotations: { rollout-constructs.io/canary-order: "${order}" }\n`,
  ]);
}

function indented(text: string, indent: string): string {
  return text
    .split('\n')
    .map((line) => indent + line)
    .join('\n');
}
