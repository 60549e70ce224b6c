/** The manifests of the rules' examples. */
import type { RuleExample } from '../../core';
import { yaml } from '../../core/example';

/** The parts of an example. Each part can be replaced. */
export interface ArgoExampleParts {
  readonly steps?: string;
  readonly managedRoutes?: string;
  readonly rootService?: string;
  /** More fields of the strategy. */
  readonly strategy?: string;
  /** Paths of the Ingress after the path of the Rollout. */
  readonly paths?: string;
  readonly more?: string;
}

const WEIGHT_STEPS = '[{ setWeight: 20 }, { pause: {} }]';

/** Steps that scale the canary, then route a header, then a weight. */
export const HEADER_STEPS = `
        - setCanaryScale: { replicas: 1 }
        - setHeaderRoute: { name: beta, match: [{ headerName: x-beta, headerValue: { exact: "1" } }] }
        - setWeight: 20
        - setCanaryScale: { matchTrafficWeight: true }
        - pause: {}`;

/** A path straight to the canary, in the Ingress of the Rollout. */
export const DIRECT_PATH = `
          - path: /canary
            pathType: ImplementationSpecific
            backend: { service: { name: web-canary, port: { number: 80 } } }`;

/** A controller that verifies weights and targets. */
export const VERIFYING = `apiVersion: apps/v1
kind: Deployment
metadata: { name: argo-rollouts, namespace: argo-rollouts }
spec:
  selector: { matchLabels: { app: argo-rollouts } }
  template:
    metadata: { labels: { app: argo-rollouts } }
    spec:
      containers:
        - name: argo-rollouts
          image: quay.io/argoproj/argo-rollouts:v1.8.3
          args: [--aws-verify-target-group]
          env: [{ name: AWS_REGION, value: eu-west-1 }]
`;

/** A step that runs a plugin. */
export const PLUGIN_STEPS = '[{ setWeight: 20 }, { plugin: { name: example/wait } }, { setWeight: 50 }]';

/** The ConfigMap of a controller with one step plugin. */
export function pluginConfig(name: string): string {
  return `apiVersion: v1
kind: ConfigMap
metadata: { name: argo-rollouts-config, namespace: argo-rollouts }
data:
  stepPlugins: |
    - { name: ${name}, location: "https://plugins.example.com/step" }
`;
}

/** An internal load balancer that the Rollout does not name. */
export const INTERNAL_INGRESS = `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: web-internal
  namespace: shop
  annotations: { alb.ingress.kubernetes.io/target-type: ip, alb.ingress.kubernetes.io/scheme: internal }
spec:
  ingressClassName: alb
  rules:
    - host: shop.internal.example.com
      http:
        paths:
          - path: /
            pathType: Prefix
            backend: { service: { name: web-stable, port: { number: 80 } } }
`;

/** A Rollout up to its strategy. */
const ROLLOUT = `apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: { name: web, namespace: shop }
spec:
  replicas: 5
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers: [{ name: web, image: example.com/web, ports: [{ containerPort: 8080 }] }]
  strategy:
`;

/** A canary through an ALB with its Services and its Ingress. */
export function argoStack(parts: ArgoExampleParts = {}): RuleExample {
  const { steps = WEIGHT_STEPS, managedRoutes, rootService, strategy, paths = '', more } = parts;
  const routes = managedRoutes === undefined ? '' : `\n        managedRoutes: ${managedRoutes}`;
  const rest = strategy === undefined ? '' : `\n      ${strategy}`;
  const root = rootService === undefined ? '' : `, rootService: ${rootService}`;
  const rollout = `${ROLLOUT}    canary:
      stableService: web-stable
      canaryService: web-canary${rest}
      trafficRouting:
        alb: { ingress: web, servicePort: 80${root} }${routes}
      steps: ${steps}
`;
  const ingress = `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: web
  namespace: shop
  annotations: { alb.ingress.kubernetes.io/target-type: ip }
spec:
  ingressClassName: alb
  rules:
    - host: shop.example.com
      http:
        paths:
          - path: /*
            pathType: ImplementationSpecific
            backend: { service: { name: ${rootService ?? 'web-stable'}, port: { name: use-annotation } } }${paths}
`;
  return yaml(rollout, ingress, service('web-stable'), service('web-canary'), ...(more === undefined ? [] : [more]));
}

/** A canary whose two Services change places, with more fields of the strategy. */
export function pingPongStack(strategy: string): RuleExample {
  const rollout = `${ROLLOUT}    canary:
      pingPong: { pingService: web-ping, pongService: web-pong }
      ${strategy}
      trafficRouting:
        alb: { ingress: web-root, servicePort: 80, rootService: web-root }
      steps: ${WEIGHT_STEPS}
`;
  const root = ingress('web-root', 'shop.example.com').replace('number: 80', 'name: use-annotation');
  return yaml(rollout, root, ...['web-root', 'web-ping', 'web-pong'].map(service));
}

/** A blue-green release through an ALB, with or without an Ingress for the preview. */
export function blueGreenStack({ preview }: { readonly preview: boolean }): RuleExample {
  const rollout = `${ROLLOUT}    blueGreen: { activeService: web-active, previewService: web-preview, autoPromotionEnabled: false }
`;
  const services = [service('web-active'), service('web-preview')];
  const previews = preview ? [ingress('web-preview', 'preview.shop.example.com')] : [];
  return yaml(rollout, ingress('web-active', 'shop.example.com'), ...previews, ...services);
}

/** A canary without a traffic router: one Service for both versions, behind an ALB. */
export function plainStack(weight: number): RuleExample {
  const rollout = `${ROLLOUT}    canary: { maxSurge: 0, maxUnavailable: 1, steps: [{ setWeight: ${weight} }, { pause: {} }] }
`;
  return yaml(rollout, ingress('web', 'shop.example.com'), service('web'));
}

function ingress(service: string, host: string): string {
  return `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: ${service}
  namespace: shop
  annotations: { alb.ingress.kubernetes.io/target-type: ip }
spec:
  ingressClassName: alb
  rules:
    - host: ${host}
      http:
        paths:
          - path: /
            pathType: Prefix
            backend: { service: { name: ${service}, port: { number: 80 } } }
`;
}

function service(name: string): string {
  return `apiVersion: v1
kind: Service
metadata: { name: ${name}, namespace: shop }
spec: { selector: { app: web }, ports: [{ port: 80, targetPort: 8080 }] }
`;
}
