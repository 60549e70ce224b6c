/** A whole stack for Argo Rollouts: Services, a route, and the Rollout. */
import type { KubernetesObject } from '../../cluster/api';
import { ingress, ROUTES, type Route, rule } from './routes';

/** What a stack differs in from the plainest one. */
export interface StackOptions {
  /** The router of a canary, or `blueGreen` for two full sets of pods. */
  readonly route: keyof typeof ROUTES | 'blueGreen';
  /** @default - 25, 50 and 75 %, with a pause of people after the first two */
  readonly steps?: readonly KubernetesObject[];
  /** @default 4 */
  readonly replicas?: number;
  /** Fields of the strategy. */
  readonly strategy?: KubernetesObject;
  /** Fields of `trafficRouting`. */
  readonly routing?: KubernetesObject;
  /** Fields of the Rollout's spec. */
  readonly spec?: KubernetesObject;
  /** Whether the pods are those of a Deployment that the Rollout names; with fields, also how it scales that down. */
  readonly workloadRef?: boolean | KubernetesObject;
  /** More objects. */
  readonly more?: readonly KubernetesObject[];
}

export const STEPS: readonly KubernetesObject[] = [
  { setWeight: 25 },
  { pause: {} },
  { setWeight: 50 },
  { pause: {} },
  { setWeight: 75 },
];

const LABELS = { app: 'shop' };

const BLUE_GREEN: Route = {
  objects: [
    ingress('alb', 'shop', { 'alb.ingress.kubernetes.io/target-type': 'ip' }, [
      rule('shop.example.com', 'shop-active', { number: 80 }),
      rule('preview.example.com', 'shop-preview', { number: 80 }),
    ]),
  ],
  canary: { activeService: 'shop-active', previewService: 'shop-preview' },
};

/** The objects of a stack, in the order in which they are applied. */
export function stackOf(options: StackOptions): KubernetesObject[] {
  const route: Route = options.route === 'blueGreen' ? BLUE_GREEN : ROUTES[options.route];
  const { canaryService, stableService, activeService, previewService } = route.canary;
  const services = [stableService, canaryService, activeService, previewService, ...(route.services ?? [])];
  return [
    ...services.filter((name) => name !== undefined).map(serviceOf),
    ...route.objects,
    ...(options.more ?? []),
    ...rolloutOf(options, route),
  ];
}

export function serviceOf(name: string): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { selector: LABELS, ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
  };
}

function rolloutOf(options: StackOptions, route: Route): KubernetesObject[] {
  const { replicas = 4, workloadRef, spec } = options;
  const template = {
    metadata: { labels: LABELS },
    spec: { containers: [{ name: 'main', image: 'example.com/shop:v1', ports: [{ containerPort: 8080 }] }] },
  };
  const own = { selector: { matchLabels: LABELS }, template };
  const rollout = (more: KubernetesObject): KubernetesObject => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Rollout',
    metadata: { name: 'shop' },
    spec: { replicas, ...more, strategy: strategyOf(options, route), ...spec },
  });
  if (!workloadRef) return [rollout(own)];
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'shop' } };
  const scaleDown = workloadRef === true ? {} : workloadRef;
  return [
    // A Deployment that the Rollout takes over runs until then.
    { ...deployment, spec: { replicas: workloadRef === true ? 0 : replicas, ...own } },
    rollout({ workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'shop', ...scaleDown } }),
  ];
}

function strategyOf({ route: name, steps = STEPS, strategy, routing }: StackOptions, route: Route): KubernetesObject {
  if (name === 'blueGreen') return { blueGreen: { ...route.canary, autoPromotionEnabled: false, ...strategy } };
  const trafficRouting = route.canary.trafficRouting && { ...route.canary.trafficRouting, ...routing };
  return { canary: { ...route.canary, ...(trafficRouting && { trafficRouting }), steps, ...strategy } };
}
