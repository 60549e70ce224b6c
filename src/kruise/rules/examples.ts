/** The base manifests of the rules' examples: complete, valid, and without findings. */
import { edit } from '../../core/example';

export { edit, SERVICE, yaml } from '../../core/example';

export const ROLLOUT = `apiVersion: rollouts.kruise.io/v1beta1
kind: Rollout
metadata: { name: web, namespace: shop }
spec:
  workloadRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  strategy:
    canary:
      enableExtraWorkloadForCanary: true
      steps:
        - { traffic: 20%, replicas: 20%, pause: {} }
        - { traffic: 100%, replicas: 100% }
      trafficRoutings:
        - service: web
          ingress: { name: web, classType: nginx }
`;

export const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 5
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: example.com/web:1 }] }
`;

export const INGRESS = `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: web, namespace: shop }
spec:
  ingressClassName: nginx
  rules:
    - host: shop.example.com
      http:
        paths:
          - { path: /, pathType: Prefix, backend: { service: { name: web, port: { number: 80 } } } }
`;

export const HTTP_ROUTE = `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: web, namespace: shop }
spec:
  parentRefs: [{ name: public }]
  rules:
    - backendRefs: [{ kind: Service, name: web, port: 80 }]
`;

export const TRAFFIC_ROUTING = `apiVersion: rollouts.kruise.io/v1alpha1
kind: TrafficRouting
metadata: { name: web, namespace: shop }
spec:
  objectRef:
    - service: web
      ingress: { name: web, classType: mse }
  strategy:
    matches:
      - headers: [{ type: Exact, name: user-agent, value: pc }]
    requestHeaderModifier:
      set: [{ name: x-canary, value: web }]
`;

/** The Rollout in blue-green style. */
export const BLUE_GREEN_ROLLOUT = edit(
  ROLLOUT,
  ['    canary:\n      enableExtraWorkloadForCanary: true\n', '    blueGreen:\n'],
  ['- { traffic: 20%, replicas: 20%, pause: {} }', '- { traffic: 0%, replicas: 100%, pause: {} }'],
  ['- { traffic: 100%, replicas: 100% }', '- { traffic: 100%, replicas: 100%, pause: {} }'],
);

/** The Rollout with an HTTPRoute in its trafficRoutings. */
export const GATEWAY_ROLLOUT = edit(ROLLOUT, [
  'ingress: { name: web, classType: nginx }',
  'gateway: { httpRouteName: web }',
]);

/** The Rollout with custom objects in its trafficRoutings. */
export const customRollout = (ref: string): string =>
  edit(ROLLOUT, ['ingress: { name: web, classType: nginx }', `customNetworkRefs: [{ ${ref} }]`]);
