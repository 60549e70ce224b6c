/** A whole stack for Kruise Rollouts: a workload, its Service, a route, and the Rollout. */
import type { KubernetesObject } from '../../cluster/api';
import { ROUTES, type Route } from './routes';

/** Canary pods of their own, pods of the workload itself, or a second full set of pods. */
export type Style = 'canary' | 'partition' | 'blueGreen';

/** The kinds of workloads that a Rollout can release. */
export const WORKLOADS = {
  Deployment: { apiVersion: 'apps/v1', kind: 'Deployment' },
  StatefulSet: { apiVersion: 'apps/v1', kind: 'StatefulSet' },
  CloneSet: { apiVersion: 'apps.kruise.io/v1alpha1', kind: 'CloneSet' },
  AdvancedStatefulSet: { apiVersion: 'apps.kruise.io/v1beta1', kind: 'StatefulSet' },
  AdvancedDaemonSet: { apiVersion: 'apps.kruise.io/v1alpha1', kind: 'DaemonSet' },
} as const;

/** What a stack differs in from the plainest one. */
export interface StackOptions {
  readonly route: keyof typeof ROUTES | 'none';
  readonly style: Style;
  /** @default - three steps, each with a pause, at the end all requests */
  readonly steps?: readonly KubernetesObject[];
  /** @default 'v1beta1' */
  readonly api?: 'v1beta1' | 'v1alpha1';
  /** @default 'Deployment' */
  readonly workload?: keyof typeof WORKLOADS;
  /** @default 4 */
  readonly replicas?: number;
  /** Fields of the strategy. */
  readonly strategy?: KubernetesObject;
  /** Annotations of the Rollout. */
  readonly annotations?: KubernetesObject;
  /** Whether a TrafficRouting object has the routes, and the Rollout names it. */
  readonly separateRouting?: boolean;
  /** More objects. */
  readonly more?: readonly KubernetesObject[];
  /** Kinds that are left out. */
  readonly without?: readonly string[];
  /** Labels and annotations of the workload, besides `app`. */
  readonly workloadMetadata?: { readonly labels?: KubernetesObject; readonly annotations?: KubernetesObject };
  /** Fields of the workload's spec. */
  readonly workloadSpec?: KubernetesObject;
  /** Labels of the pods, besides `app`. */
  readonly podLabels?: Readonly<Record<string, string>>;
  /** Labels that the Service selects, besides `app`. */
  readonly selects?: Readonly<Record<string, string>>;
  /** A second route of the same Rollout. */
  readonly and?: keyof typeof ROUTES;
}

const CANARY_STEPS = [
  { traffic: '20%', replicas: '25%', pause: {} },
  { traffic: '50%', replicas: '50%', pause: {} },
  { traffic: '100%', replicas: '100%', pause: {} },
];

const DEFAULT_STEPS: Readonly<Record<Style, readonly KubernetesObject[]>> = {
  canary: CANARY_STEPS,
  // The webhook refuses traffic on a step with more than half of the pods.
  partition: [...CANARY_STEPS.slice(0, 2), { replicas: '100%', pause: {} }],
  blueGreen: [
    { traffic: '0%', replicas: '100%', pause: {} },
    { traffic: '50%', replicas: '100%', pause: {} },
    { traffic: '100%', replicas: '100%', pause: {} },
  ],
};

/** The objects of a stack, in the order in which they are applied. */
export function stackOf(options: StackOptions): KubernetesObject[] {
  const routes = [options.route, options.and].flatMap((name) =>
    name && name !== 'none' ? [ROUTES[name] as Route] : [],
  );
  const objects = [
    workloadOf(options),
    serviceOf(options),
    ...routes.flatMap(({ objects: own }) => own),
    ...rolloutOf(options, routes),
  ];
  const { without = [], more = [] } = options;
  return [...more, ...objects.filter(({ kind }) => !without.includes(kind))];
}

/** The containers of the pods of a version. */
export function containersOf(version: string): KubernetesObject[] {
  return [{ name: 'main', image: `example.com/shop:${version}`, ports: [{ name: 'http', containerPort: 8080 }] }];
}

function workloadOf(options: StackOptions): KubernetesObject {
  const { workload = 'Deployment', replicas = 4, podLabels, workloadMetadata, workloadSpec } = options;
  const labels = { app: 'shop' };
  const { apiVersion, kind } = WORKLOADS[workload];
  return {
    apiVersion,
    kind,
    metadata: { name: 'shop', ...workloadMetadata, labels: { ...labels, ...workloadMetadata?.labels } },
    spec: {
      // A DaemonSet has a pod on each node.
      ...(kind !== 'DaemonSet' && { replicas }),
      selector: { matchLabels: labels },
      ...(kind === 'StatefulSet' && { serviceName: 'shop' }),
      ...workloadSpec,
      template: {
        metadata: { labels: { ...labels, ...podLabels } },
        spec: {
          containers: containersOf('v1'),
        },
      },
    },
  };
}

function serviceOf({ selects }: StackOptions): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'shop', labels: { app: 'shop' }, annotations: { 'team/owner': 'web' } },
    spec: { selector: { app: 'shop', ...selects }, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
  };
}

function rolloutOf(options: StackOptions, routes: readonly Route[]): KubernetesObject[] {
  const { style, api = 'v1beta1', workload = 'Deployment', annotations = {}, separateRouting } = options;
  const workloadRef = { ...WORKLOADS[workload], name: 'shop' };
  const routing = Object.assign({ service: 'shop', gracePeriodSeconds: 2 }, ...routes.map((route) => route.routing));
  const trafficRoutings = routes.length > 0 ? [routing] : undefined;
  const steps = options.steps ?? DEFAULT_STEPS[style];
  const own = separateRouting ? {} : { ...(trafficRoutings && { trafficRoutings }) };
  const object = (spec: KubernetesObject, more: KubernetesObject): KubernetesObject => ({
    apiVersion: `rollouts.kruise.io/${api}`,
    kind: 'Rollout',
    metadata: { name: 'shop', ...(Object.keys(more).length > 0 && { annotations: more }) },
    spec,
  });
  const named = separateRouting ? { 'rollouts.kruise.io/trafficrouting': 'shop' } : {};
  const objects = separateRouting
    ? [
        {
          apiVersion: 'rollouts.kruise.io/v1alpha1',
          kind: 'TrafficRouting',
          metadata: { name: 'shop' },
          spec: { objectRef: [routing], strategy: { weight: 20 } },
        },
      ]
    : [];
  if (api === 'v1alpha1') {
    const strategy = { canary: { steps: steps.map(alphaStep), ...own, ...options.strategy } };
    const rolling = { 'rollouts.kruise.io/rolling-style': style };
    return [...objects, object({ objectRef: { workloadRef }, strategy }, { ...rolling, ...named, ...annotations })];
  }
  const strategy =
    style === 'blueGreen'
      ? { blueGreen: { steps, ...own, ...options.strategy } }
      : {
          canary: {
            enableExtraWorkloadForCanary: style === 'canary',
            steps,
            ...own,
            ...(separateRouting && { trafficRoutingRef: 'shop' }),
            ...options.strategy,
          },
        };
  return [...objects, object({ workloadRef, strategy }, annotations)];
}

/** A step in the words of v1alpha1: `weight` instead of `traffic`. */
export function alphaStep({ traffic, ...rest }: KubernetesObject): KubernetesObject {
  return { ...rest, ...(traffic !== undefined && { weight: Number.parseInt(traffic, 10) }) };
}
