/** Stacks with Rollouts of Argo, as people write them in YAML. */
import { expect } from 'vitest';
import { parseManifests, World } from '../../../src/core';
import type { Rehearsal } from '../../../src/core/rehearsal-result';
import { type RehearseOptions, rehearse } from '../../../src/rehearsal';

/** What a canary may differ in; each part is YAML. */
export interface CanaryOptions {
  readonly steps?: string;
  readonly alb?: string;
  readonly managedRoutes?: string;
  readonly services?: string;
  readonly strategy?: string;
  readonly ingress?: string;
  readonly more?: readonly string[];
}

/** Pods, then the header, then weights, and the route is taken away before the end. */
export const HEADER_STEPS = `
        - setCanaryScale: { replicas: 1 }
        - setHeaderRoute: { name: beta, match: [{ headerName: x-beta, headerValue: { exact: tester } }] }
        - pause: {}
        - setWeight: 20
        - setCanaryScale: { matchTrafficWeight: true }
        - setHeaderRoute: { name: beta }
        - setWeight: 50`;

export const HEADER = { steps: HEADER_STEPS, managedRoutes: '[{ name: beta }]' };

const POD_TEMPLATE = `
  replicas: 5
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers: [{ name: web, image: example.com/web, ports: [{ containerPort: 8080 }] }]`;

/** A Service of the application. */
export function service(name: string, port = 80): string {
  return `apiVersion: v1
kind: Service
metadata: { name: ${name}, namespace: shop }
spec: { selector: { app: web }, ports: [{ port: ${port}, targetPort: 8080 }] }
`;
}

/** A path of an Ingress, through an action unless a port is given. */
export function path(name: string, at = '/*', pathType = 'ImplementationSpecific', port = '{ name: use-annotation }') {
  return `{ path: ${at}, pathType: ${pathType}, backend: { service: { name: ${name}, port: ${port} } } }`;
}

/** An Ingress of the class alb; its rules are `host: paths`. */
export function ingress(
  rules: Readonly<Record<string, readonly string[]>> = { 'shop.example.com': [path('web-stable')] },
  { name = 'web', annotations = '{ alb.ingress.kubernetes.io/target-type: ip }', className = 'alb' } = {},
): string {
  const hosts = Object.entries(rules).map(
    ([host, paths]) =>
      `    - host: ${host}\n      http:\n        paths:\n${paths.map((one) => `          - ${one}\n`).join('')}`,
  );
  return `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: ${name}, namespace: shop, annotations: ${annotations} }
spec:
  ingressClassName: ${className}
  rules:
${hosts.join('')}`;
}

/** The documents of a canary: Rollout, Ingress, Services. */
export function canary(options: CanaryOptions = {}): string {
  const {
    steps = '[{ setWeight: 20 }, { pause: {} }, { setWeight: 60 }]',
    alb = '{ ingress: web, servicePort: 80 }',
    managedRoutes,
    services = 'stableService: web-stable\n      canaryService: web-canary',
    strategy = '',
    more = [service('web-stable'), service('web-canary')],
  } = options;
  const rollout = `apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: { name: web, namespace: shop }
spec:${POD_TEMPLATE}
  strategy:
    canary:
      ${services}
      ${strategy}
      trafficRouting:
        alb: ${alb}
        ${managedRoutes === undefined ? '' : `managedRoutes: ${managedRoutes}`}
      steps: ${steps}
`;
  return [rollout, options.ingress ?? ingress(), ...more].join('---\n');
}

/** The documents of a blue-green release with a host for its preview. */
export function blueGreen(active = path('web', '/', 'Prefix', '{ number: 80 }')): string {
  const rollout = `apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: { name: web, namespace: shop }
spec:${POD_TEMPLATE}
  strategy:
    blueGreen: { activeService: web, previewService: web-preview, autoPromotionEnabled: false }
`;
  const hosts = {
    'shop.example.com': [active],
    'preview.example.com': [path('web-preview', '/', 'Prefix', '{ number: 80 }')],
  };
  return [rollout, ingress(hosts), service('web'), service('web-preview')].join('---\n');
}

/** Two Services that change places with every release. */
export const PING_PONG: CanaryOptions = {
  alb: '{ ingress: web, servicePort: 80, rootService: web-root }',
  services: 'pingPong: { pingService: web-ping, pongService: web-pong }',
  ingress: ingress({ 'shop.example.com': [path('web-root')] }),
  more: [service('web-ping'), service('web-pong')],
};

/** The controller with verification of weights. */
export const VERIFYING = `apiVersion: apps/v1
kind: Deployment
metadata: { name: argo-rollouts, namespace: argo-rollouts }
spec:
  selector: { matchLabels: { app: argo-rollouts } }
  template:
    metadata: { labels: { app: argo-rollouts } }
    spec:
      containers:
        - { name: argo-rollouts, image: "quay.io/argoproj/argo-rollouts:v1.8.3", args: [--aws-verify-target-group] }
`;

/** Rehearses YAML, every Rollout in it. */
export function rehearseAll(text: string, options: RehearseOptions = {}): Rehearsal[] {
  const { manifests, findings } = parseManifests(text, 'stack.yaml');
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  return rehearse(World.of(manifests), options);
}

/** Rehearses the one Rollout of a stack. */
export function rehearseYaml(text: string, options: RehearseOptions = {}): Rehearsal {
  const rehearsals = rehearseAll(text, options);
  expect(rehearsals.length).toBe(1);
  return rehearsals[0]!;
}
