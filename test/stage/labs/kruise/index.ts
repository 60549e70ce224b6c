/** Every lab of Kruise Rollouts: a stack, a story, and the releases that can play it. */
import type { StoryAction } from '../../../../src/release';
import type { KubernetesObject } from '../../cluster/api';
import { broken } from './broken';
import { edits } from './edits';
import { gitOps } from './gitops';
import { BROKEN, HEADERS, type KruiseLab, lab, patchOf, STRAIGHT, STYLES, upTo } from './lab';
import { otherRoutes } from './other-routes';
import { HOST, ROUTES } from './routes';
import { soon } from './soon';
import { containersOf, type StackOptions, stackOf, type WORKLOADS } from './stack';
import { workloads } from './workload';

const SECONDS_TO_SEE_A_HANG = 45;

/** Up to the first pause again. The status is that of the version before, until the controller has seen the new one. */
const AGAIN: readonly StoryAction[] = [{ watch: 15 }, { until: { step: 1, state: 'StepPaused' } }];

const rollback = (step: number): StoryAction[] => [...upTo(step), { release: 'v1' }, 'finish'];
const third = (step: number): StoryAction[] => [...upTo(step), { release: 'v3' }, { watch: 25 }, 'finish'];
const deletion = (step: number): StoryAction[] => [...upTo(step), 'delete', { watch: 25 }];
const disabled = (step: number): StoryAction[] => [...upTo(step), 'disable', { watch: 25 }];
const brokenBack: StoryAction[] = [BROKEN, { watch: 15 }, { release: 'v1' }, 'finish'];
const hang: StoryAction[] = [{ release: 'v2' }, { watch: SECONDS_TO_SEE_A_HANG }];

/** All pods are new before the last step. */
const ALL_PODS_BEFORE_THE_END = [
  { traffic: '50%', replicas: 1, pause: {} },
  { replicas: 2, pause: {} },
  { replicas: '100%', pause: {} },
];

const HPA: KubernetesObject = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'shop' },
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'shop' },
    minReplicas: 6,
    maxReplicas: 9,
    metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } } }],
  },
};

/** Each router with each style, on the straight road. */
function everyRouter(): KruiseLab[] {
  const names = Object.keys(ROUTES) as (keyof typeof ROUTES)[];
  return [...names, 'none' as const].flatMap((route) =>
    STYLES.map((style) => lab(`${style}-${route}`, { style, route })),
  );
}

/** The old API, which is the only one of 0.3 and 0.4. */
function oldApi(): KruiseLab[] {
  const api = 'v1alpha1';
  return [
    ...(['nginx', 'higress', 'mse', 'aliyun-alb', 'aws-alb', 'gateway-api', 'none'] as const).flatMap((route) =>
      (['canary', 'partition'] as const).map((style) => lab(`alpha-${style}-${route}`, { style, route, api })),
    ),
    ...(['canary', 'partition'] as const).flatMap((style) => [
      lab(`alpha-${style}-rollback-1`, { style, route: 'nginx', api }, rollback(1)),
      lab(`alpha-${style}-rollback-2`, { style, route: 'nginx', api }, rollback(2)),
      lab(`alpha-${style}-delete`, { style, route: 'nginx', api }, deletion(2)),
      lab(`alpha-${style}-third`, { style, route: 'nginx', api }, third(2)),
    ]),
    lab('alpha-canary-matches', {
      style: 'canary',
      route: 'nginx',
      api,
      steps: [
        { matches: HEADERS('x-beta', '1'), replicas: 1, pause: {} },
        { traffic: '50%', replicas: 2, pause: {} },
      ],
    }),
    lab('alpha-canary-last-50', {
      style: 'canary',
      route: 'nginx',
      api,
      steps: [
        { traffic: '20%', replicas: '25%', pause: {} },
        { traffic: '50%', replicas: '50%', pause: {} },
      ],
    }),
    ...(['nginx', 'none'] as const).map((route) =>
      lab(`alpha-statefulset-${route}`, { style: 'partition', route, api, workload: 'StatefulSet' }),
    ),
    lab('alpha-canary-broken', { style: 'canary', route: 'nginx', api }, brokenBack),
    lab('alpha-canary-no-ingress', { style: 'canary', route: 'nginx', api, without: ['Ingress'] }, hang),
    lab('alpha-canary-disable-2', { style: 'canary', route: 'nginx', api }, disabled(2), 4),
    lab(
      'alpha-canary-patched-metadata',
      {
        style: 'canary',
        route: 'nginx',
        api,
        podLabels: { track: 'stable' },
        strategy: { patchPodTemplateMetadata: { labels: { track: 'canary' } } },
      },
      STRAIGHT,
      4,
    ),
    lab('alpha-canary-separate-routing', { style: 'canary', route: 'nginx', api, separateRouting: true }, STRAIGHT, 4),
  ];
}

/** People who do not take the straight road. */
function stories(): KruiseLab[] {
  const route = 'nginx';
  return STYLES.flatMap((style) => {
    const stack = { style, route } as const;
    const strategy = style === 'blueGreen' ? 'blueGreen' : 'canary';
    const edited = [
      { ...stackSteps(stack)[0], traffic: style === 'blueGreen' ? '10%' : '30%' },
      ...stackSteps(stack).slice(1),
    ];
    return [
      lab(`${style}-rollback-1`, stack, rollback(1)),
      lab(`${style}-rollback-2`, stack, rollback(2)),
      lab(`${style}-third-1`, stack, third(1)),
      lab(`${style}-third-2`, stack, third(2)),
      lab(`${style}-delete-1`, stack, deletion(1)),
      lab(`${style}-delete-2`, stack, deletion(2)),
      lab(`${style}-disable-2`, stack, disabled(2)),
      lab(`${style}-jump-forward`, stack, [...upTo(1), { jump: 3 }, { watch: 12 }, 'finish']),
      lab(`${style}-jump-next`, stack, [...upTo(1), { jump: 2 }, { watch: 12 }, 'finish']),
      lab(`${style}-jump-back`, stack, [...upTo(2), { jump: 1 }, { watch: 12 }, 'finish']),
      lab(`${style}-edit-step`, stack, [
        ...upTo(1),
        patchOf('Rollout', 'rollouts.kruise.io/v1beta1', { spec: { strategy: { [strategy]: { steps: edited } } } }),
        { watch: 8 },
        'finish',
      ]),
      lab(`${style}-edit-ingress`, stack, [
        ...upTo(1),
        patchOf('Ingress', 'networking.k8s.io/v1', {
          metadata: { annotations: { 'nginx.ingress.kubernetes.io/proxy-body-size': '16m' } },
        }),
        'finish',
      ]),
      lab(`${style}-scale`, stack, [
        ...upTo(2),
        patchOf('Deployment', 'apps/v1', { spec: { replicas: 8 } }),
        { watch: 6 },
        'finish',
      ]),
      lab(
        `${style}-scale-all`,
        { ...stack, replicas: 2, ...(style === 'partition' && { steps: ALL_PODS_BEFORE_THE_END }) },
        [...upTo(2), patchOf('Deployment', 'apps/v1', { spec: { replicas: 5 } }), { watch: 8 }, 'finish'],
      ),
      lab(`${style}-ingress-gone`, stack, [...upTo(2), INGRESS_GONE, 'finish']),
      lab(`${style}-ingress-gone-rollback`, stack, [...upTo(2), INGRESS_GONE, { release: 'v1' }, 'finish']),
      lab(`${style}-service-gone`, stack, [...upTo(2), patchOf('Service', 'v1', null), 'finish']),
      lab(`${style}-hpa`, { ...stack, more: [HPA] }),
      lab(`${style}-broken`, stack, brokenBack),
      lab(`${style}-no-ingress`, { ...stack, without: ['Ingress'] }, hang),
      lab(`${style}-no-service`, { ...stack, without: ['Service'] }, hang),
      lab(`${style}-one-pod`, { ...stack, replicas: 1 }, [{ release: 'v2' }, { watch: SECONDS_TO_SEE_A_HANG }]),
    ];
  });
}

const INGRESS_GONE = patchOf('Ingress', 'networking.k8s.io/v1', null);

/** People delete the route of a Rollout in the middle of a release. */
const GONE = {
  'aws-alb': INGRESS_GONE,
  istio: patchOf('VirtualService', 'networking.istio.io/v1', null),
  'gateway-api': patchOf('HTTPRoute', 'gateway.networking.k8s.io/v1', null),
} as const;

/** What people do to the route of a Rollout in the middle of a release. */
const EDITS = {
  'aws-alb': patchOf('Ingress', 'networking.k8s.io/v1', {
    metadata: { annotations: { 'alb.ingress.kubernetes.io/healthcheck-path': '/healthy' } },
  }),
  istio: patchOf('VirtualService', 'networking.istio.io/v1', { spec: { exportTo: ['.'] } }),
  'gateway-api': patchOf('HTTPRoute', 'gateway.networking.k8s.io/v1', {
    spec: { hostnames: [HOST, `www.${HOST}`] },
  }),
};

/** The same on routers that are written in other ways: a second Ingress, a custom object, an HTTPRoute. */
function storiesOfRouters(): KruiseLab[] {
  return (['aws-alb', 'istio', 'gateway-api'] as const).flatMap((route) =>
    STYLES.flatMap((style) => {
      const told = (name: string, story: readonly StoryAction[]) =>
        lab(`${style}-${route}-${name}`, { style, route }, [...story]);
      return [
        told('rollback-1', rollback(1)),
        told('rollback-2', rollback(2)),
        told('third-2', third(2)),
        told('delete-2', deletion(2)),
        told('disable-2', disabled(2)),
        told('jump-forward', [...upTo(1), { jump: 3 }, { watch: 12 }, 'finish']),
        told('jump-back', [...upTo(2), { jump: 1 }, { watch: 12 }, 'finish']),
        told('scale', [
          ...upTo(2),
          patchOf('Deployment', 'apps/v1', { spec: { replicas: 8 } }),
          { watch: 6 },
          'finish',
        ]),
        told('edit-route', [...upTo(1), EDITS[route], { watch: 8 }, 'finish']),
        told('route-gone', [...upTo(2), GONE[route], 'finish']),
        told('broken', brokenBack),
      ];
    }),
  );
}

function stackSteps(options: StackOptions): readonly KubernetesObject[] {
  const { spec } = stackOf(options).find(({ kind }) => kind === 'Rollout')!;
  return (spec.strategy.canary ?? spec.strategy.blueGreen).steps;
}

/** The routes that can send requests with a header to the new version. */
export const ROUTES_WITH_MATCHES = [
  'nginx',
  'alb-in-place',
  'istio',
  'gateway-api',
  'contour',
  'traefik',
  'apisix',
  'kuma-http',
] as const;

/** Fields of steps and strategies. */
function fields(): KruiseLab[] {
  const pause = {};
  const full = { traffic: '100%', replicas: '100%', pause };
  const half = { traffic: '50%', replicas: '50%', pause };
  const matches = { matches: HEADERS('x-beta', '1'), replicas: '25%', pause };
  const canary = { style: 'canary', route: 'nginx' } as const;
  return [
    ...ROUTES_WITH_MATCHES.map((route) =>
      lab(
        `canary-${route}-matches`,
        { style: 'canary', route, steps: [matches, { ...half, traffic: '30%' }, full] },
        STRAIGHT,
      ),
    ),
    ...(['nginx', 'istio', 'gateway-api'] as const).flatMap((route) => [
      lab(`canary-${route}-regex`, {
        style: 'canary',
        route,
        steps: [{ ...matches, matches: HEADERS('user-agent', '.*Mobile.*', 'RegularExpression') }, full],
      }),
      lab(`canary-${route}-last-50`, {
        style: 'canary',
        route,
        steps: [{ traffic: '20%', replicas: '25%', pause }, half],
      }),
    ]),
    ...(['gateway-api', 'nginx', 'istio'] as const).map((route) =>
      lab(
        `canary-${route}-jump-to-matches`,
        { style: 'canary', route, steps: [matches, { ...half, traffic: '30%' }, full] },
        [...upTo(2), { jump: 1 }, { watch: 12 }, 'finish'],
      ),
    ),
    lab(
      'canary-gateway-api-same-service',
      { style: 'canary', route: 'gateway-api', strategy: { disableGenerateCanaryService: true } },
      STRAIGHT,
      6,
    ),
    lab(
      'canary-rollback-3',
      {
        ...canary,
        steps: [{ traffic: '20%', replicas: '25%', pause }, half, { ...half, traffic: '80%', replicas: '80%' }],
      },
      rollback(3),
    ),
    lab('canary-only-matches', { ...canary, steps: [matches] }),
    lab('canary-durations', {
      ...canary,
      steps: [
        { traffic: '20%', replicas: 1, pause: { duration: 2 } },
        { ...full, pause: { duration: 2 } },
      ],
    }),
    lab('canary-pause-zero', { ...canary, steps: [{ traffic: '20%', replicas: 1, pause: { duration: 0 } }, full] }, [
      { release: 'v2' },
      { watch: SECONDS_TO_SEE_A_HANG },
      'finish',
    ]),
    lab('canary-last-number', {
      ...canary,
      steps: [
        { traffic: '20%', replicas: 1, pause },
        { traffic: '100%', replicas: 4, pause },
      ],
    }),
    lab('canary-no-pauses', {
      ...canary,
      steps: [
        { traffic: '20%', replicas: '25%', pause: { duration: 1 } },
        { traffic: '60%', replicas: '50%', pause: { duration: 1 } },
        { traffic: '100%', replicas: '100%' },
      ],
    }),
    lab('canary-replicas-first', { ...canary, steps: [{ replicas: '25%', pause }, half, full] }),
    lab(
      'canary-zero-traffic',
      { ...canary, steps: [{ traffic: '0%', replicas: '25%', pause }, half, full] },
      STRAIGHT,
      6,
    ),
    lab('canary-one-service', { ...canary, strategy: { disableGenerateCanaryService: true } }, STRAIGHT, 6),
    lab(
      'partition-one-service',
      { ...canary, style: 'partition', strategy: { disableGenerateCanaryService: true } },
      STRAIGHT,
      6,
    ),
    lab(
      'blueGreen-one-service',
      { ...canary, style: 'blueGreen', strategy: { disableGenerateCanaryService: true } },
      hang,
    ),
    lab(
      'blueGreen-one-service-rollback',
      { ...canary, style: 'blueGreen', strategy: { disableGenerateCanaryService: true } },
      [{ release: 'v2' }, { watch: 15 }, { release: 'v1' }, { watch: SECONDS_TO_SEE_A_HANG }],
    ),
    ...(['nginx', 'gateway-api'] as const).flatMap((route) =>
      (['disable', 'delete', { release: 'v1' }] as const).map((deed) =>
        lab(
          `blueGreen-${route}-one-service-${typeof deed === 'string' ? deed : 'back'}`,
          { style: 'blueGreen', route, replicas: 4, strategy: { disableGenerateCanaryService: true } },
          [{ release: 'v2' }, { watch: 15 }, deed, { watch: 40 }],
          6,
        ),
      ),
    ),
    ...(['canary', 'partition'] as const).flatMap((style) => {
      const patched = {
        style,
        route: 'nginx',
        podLabels: { track: 'stable' },
        strategy: { patchPodTemplateMetadata: { labels: { track: 'canary' } } },
      } as const;
      return [
        lab(`${style}-patched-metadata`, patched),
        lab(`${style}-patched-selector`, { ...patched, selects: { track: 'stable' } }),
      ];
    }),
    lab('blueGreen-last-50', {
      style: 'blueGreen',
      route: 'nginx',
      steps: [
        { traffic: '0%', replicas: '100%', pause },
        { ...half, replicas: '100%' },
      ],
    }),
    lab('canary-header-modifier', {
      style: 'canary',
      route: 'gateway-api',
      steps: [{ ...half, requestHeaderModifier: { set: [{ name: 'x-env', value: 'canary' }] } }, full],
    }),
    lab('canary-two-routes', { ...canary, route: 'nginx', and: 'istio' }),
    lab('canary-nginx-and-gateway', { ...canary, route: 'nginx', and: 'gateway-api' }),
    lab('canary-separate-routing', { ...canary, separateRouting: true }),
    lab('canary-istio-separate-routing', { style: 'canary', route: 'istio', separateRouting: true }),
    lab('canary-rollback-istio', { style: 'canary', route: 'istio' }, rollback(2)),
    lab('canary-rollback-gateway', { style: 'canary', route: 'gateway-api' }, rollback(2)),
    lab('canary-delete-istio', { style: 'canary', route: 'istio' }, deletion(2)),
    lab('canary-delete-gateway', { style: 'canary', route: 'gateway-api' }, deletion(2)),
    lab(
      'partition-all-at-step',
      {
        style: 'partition',
        route: 'nginx',
        steps: [{ traffic: '20%', replicas: 4, pause }],
      },
      hang,
    ),
    ...(['none', 'nginx', 'istio'] as const).map((route) =>
      lab(`statefulset-${route}`, { style: 'partition', route, workload: 'StatefulSet' }),
    ),
    lab('statefulset-rollback-1', { style: 'partition', route: 'nginx', workload: 'StatefulSet' }, rollback(1)),
    lab('statefulset-broken', { style: 'partition', route: 'nginx', workload: 'StatefulSet', replicas: 9 }, brokenBack),
    lab('statefulset-third-2', { style: 'partition', route: 'nginx', workload: 'StatefulSet' }, third(2)),
    lab(
      'partition-in-batches',
      {
        ...canary,
        style: 'partition',
        annotations: { 'rollouts.kruise.io/rollback-in-batch': 'true' },
      },
      [...upTo(2), { release: 'v1' }, { watch: 10 }, 'finish'],
    ),
  ];
}

/** Changes of the workload that look like a release, and are none to the controller, or the other way round. */
function beginnings(): KruiseLab[] {
  const v2 = { containers: containersOf('v2') };
  const deployment = (change: KubernetesObject) => patchOf('Deployment', 'apps/v1', change);
  const watched: StoryAction[] = [{ watch: 25 }];
  const labelled = { metadata: { labels: { 'rollouts.kruise.io/workload-type': null } } };
  const stories: Readonly<Record<string, StoryAction[]>> = {
    // One apply of a new image and of the Rollout, in this order.
    'created-with': [{ release: 'v2', creates: 'Rollout' }, ...watched],
    'scaled-to-0-with': [
      deployment({ spec: { replicas: 0, template: { spec: v2 } } }),
      { watch: 15 },
      { scale: 4 },
      ...watched,
      { release: 'v3' },
      'finish',
    ],
    'label-lost-with': [
      deployment({ ...labelled, spec: { template: { spec: v2 } } }),
      ...watched,
      { release: 'v3' },
      'finish',
    ],
    'rollout-id': [
      deployment({ metadata: { annotations: { 'rollouts.kruise.io/rollout-id': '7' } } }),
      { watch: SECONDS_TO_SEE_A_HANG },
      { release: 'v2' },
      'finish',
    ],
    restarted: [
      deployment({ spec: { template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': 'now' } } } } }),
      'finish',
    ],
    // One write of another image and another number of pods.
    'release-scaled': [{ release: 'v2', replicas: 8 }, 'finish'],
    'undo-scaled-up': [...upTo(1), { release: 'v1', replicas: 8 }, { watch: 25 }, 'finish'],
    'undo-scaled-down': [...upTo(2), { release: 'v1', replicas: 2 }, { watch: 25 }, 'finish'],
    'third-scaled-down': [...upTo(2), { release: 'v3', replicas: 2 }, { watch: 25 }, 'finish'],
    'third-scaled': [...upTo(1), { release: 'v3', replicas: 8 }, { watch: 25 }, 'finish'],
    'broken-third': [BROKEN, { watch: 15 }, { release: 'v3' }, { watch: 20 }, 'finish'],
  };
  return STYLES.flatMap((style) =>
    Object.entries(stories).map(([name, story]) => lab(`${style}-${name}`, { style, route: 'nginx' }, story)),
  );
}

/**
 * How many pods have which version: of workloads that are scaled in the middle, in steps that leave no old pod, and where the
 * steps mix numbers and percentages.
 */
function numbersOfPods(): KruiseLab[] {
  const scaled = (...sizes: number[]): StoryAction[] =>
    sizes.flatMap((scale): StoryAction[] => [{ scale }, { watch: 12 }]);
  const labs = (name: string, options: Omit<StackOptions, 'route'>, story?: readonly StoryAction[]) =>
    lab(name, { route: 'nginx', ...options }, story);
  const one = { traffic: '10%', replicas: 1, pause: {} };
  const allNew = [one, { replicas: 4, pause: {} }, { replicas: 4, pause: {} }];
  const mixed = [
    { traffic: '10%', replicas: '20%', pause: {} },
    { traffic: '50%', replicas: 5, pause: {} },
    { replicas: '100%', pause: {} },
  ];
  const back: StoryAction[] = [{ release: 'v1' }, { watch: 25 }, 'finish'];
  const kinds = ['Deployment', 'StatefulSet', 'CloneSet', 'AdvancedStatefulSet'] as const;
  return [
    ...kinds.flatMap((workload) => {
      const prefix = prefixOf(workload);
      const stack = { style: 'partition', workload } as const;
      return [
        labs(`${prefix}-all-new-rollback`, { ...stack, steps: allNew }, [...upTo(2), ...back]),
        labs(`${prefix}-all-new-third`, { ...stack, steps: allNew }, [
          ...upTo(2),
          { release: 'v3' },
          ...AGAIN,
          { release: 'v1' },
          ...AGAIN,
          'finish',
        ]),
        labs(`${prefix}-scale-number`, { ...stack, replicas: 3, steps: allNew }, [
          ...upTo(1),
          ...scaled(6, 2, 7),
          'finish',
        ]),
        labs(`${prefix}-scale-percent`, { ...stack, replicas: 8 }, [...upTo(2), ...scaled(11, 5), 'finish']),
      ];
    }),
    labs('partition-scale-third', { style: 'partition', replicas: 10 }, [
      ...upTo(2),
      { release: 'v3' },
      ...AGAIN,
      ...scaled(15, 6),
      'finish',
    ]),
    labs('partition-mixed', { style: 'partition', replicas: 10, steps: mixed }, hang),
    labs('partition-mixed-rollback', { style: 'partition', replicas: 10, steps: mixed }, [
      ...upTo(1),
      'approve',
      { watch: 15 },
      ...back,
    ]),
    // From 0.6 on, the number of steps cannot change in the middle: the release goes on, and hangs at the next step.
    {
      ...labs('partition-mixed-refused', { style: 'partition', replicas: 10, steps: mixed }, [
        ...upTo(1),
        patchOf('Rollout', 'rollouts.kruise.io/v1beta1', { spec: { strategy: { canary: { steps: mixed.slice(1) } } } }),
        'approve',
        { watch: 15 },
      ]),
      except: ['0.5.0', '0.5.5'],
    },
    labs('cloneset-mixed', { style: 'partition', workload: 'CloneSet', replicas: 10, steps: mixed }),
    labs(
      'partition-95-percent',
      {
        style: 'partition',
        replicas: 4,
        steps: [
          { replicas: '95%', pause: {} },
          { replicas: '100%', pause: {} },
        ],
      },
      [...upTo(1), { watch: 5 }, 'finish'],
    ),
    labs('canary-scale-down', { style: 'canary', replicas: 8 }, [...upTo(2), ...scaled(3, 9), 'finish']),
    labs(
      'blueGreen-scale-surge',
      {
        style: 'blueGreen',
        replicas: 3,
        steps: [
          { traffic: '10%', replicas: 2, pause: {} },
          { traffic: '100%', replicas: 3, pause: {} },
        ],
      },
      [...upTo(1), ...scaled(6, 2), 'finish'],
    ),
    labs('blueGreen-cloneset-scale', { style: 'blueGreen', workload: 'CloneSet' }, [
      ...upTo(2),
      ...scaled(6, 3),
      'finish',
    ]),
    labs('canary-scale-to-0', { style: 'canary' }, [...upTo(2), ...scaled(0), 'finish']),
    labs('canary-scale-from-0', { style: 'canary' }, [...upTo(2), ...scaled(0, 5), 'finish']),
    labs('blueGreen-scale-to-0', { style: 'blueGreen' }, [...upTo(2), ...scaled(0), 'finish']),
    labs('blueGreen-scale-from-0', { style: 'blueGreen' }, [...upTo(2), ...scaled(0, 5), 'finish']),
    labs('partition-scale-to-0', { style: 'partition' }, [...upTo(2), ...scaled(0), 'finish']),
    labs('partition-scale-from-0', { style: 'partition' }, [...upTo(2), ...scaled(0, 5), ...back]),
  ];
}

/** Writes of another version in the middle: with another number of pods at the same time, and one after the other. */
function versionsInTheMiddle(): KruiseLab[] {
  const kinds = ['StatefulSet', 'CloneSet', 'AdvancedStatefulSet'] as const;
  const write = (name: string, options: Omit<StackOptions, 'route' | 'style'>, ...story: StoryAction[]) =>
    lab(name, { style: 'partition', route: 'nginx', ...options }, [...story, { watch: 25 }, 'finish']);
  const third: StoryAction[] = [{ release: 'v3' }, ...AGAIN];
  const most = { replicas: 7, steps: [4, '80%', '100%'].map((replicas) => ({ replicas, pause: {} })) };
  const threeOfSix = [{ traffic: '25%', replicas: 3, pause: {} }, { replicas: '100%' }];
  const half = { replicas: 8, steps: ['25%', '75%', '100%'].map((replicas) => ({ replicas, pause: {} })) };
  return [
    ...kinds.flatMap((workload) => {
      const prefix = prefixOf(workload);
      return [
        write(`${prefix}-undo-scaled-up`, { workload }, ...upTo(1), { release: 'v1', replicas: 8 }),
        write(`${prefix}-undo-scaled-down`, { workload }, ...upTo(2), { release: 'v1', replicas: 2 }),
        write(`${prefix}-third-scaled-down`, { workload }, ...upTo(2), { release: 'v3', replicas: 2 }),
        write(`${prefix}-third-scaled`, { workload }, ...upTo(1), { release: 'v3', replicas: 8 }),
      ];
    }),
    write('cloneset-undo-scaled-to-1', { workload: 'CloneSet', replicas: 6, steps: threeOfSix }, ...upTo(1), {
      release: 'v1',
      replicas: 1,
    }),
    write('partition-undo-scaled-to-1', most, ...upTo(1), { release: 'v1', replicas: 1 }),
    write('partition-undo-scaled-to-2', most, ...upTo(1), { release: 'v1', replicas: 2 }),
    write('partition-third-scaled-to-1', most, ...upTo(1), { release: 'v3', replicas: 1 }),
    write('partition-third-scaled-to-2', most, ...upTo(1), { release: 'v3', replicas: 2 }),
    ...(['Deployment', 'CloneSet', 'StatefulSet'] as const).flatMap((workload) => {
      const prefix = prefixOf(workload);
      const toThird = [...upTo(2), ...third];
      return [
        write(`${prefix}-fourth`, { ...half, workload }, ...toThird, { release: 'v4' }),
        write(`${prefix}-third-then-second`, { ...half, workload }, ...toThird, { release: 'v2' }),
      ];
    }),
    write('partition-fourth-scaled', half, ...upTo(2), ...third, { release: 'v4' }, ...AGAIN, { scale: 12 }),
  ];
}

/** What labs in partition style are called by their workload. */
function prefixOf(workload: keyof typeof WORKLOADS): string {
  return workload === 'Deployment' ? 'partition' : (nameOf(workload) ?? 'statefulset');
}

/** The name of a workload of OpenKruise in labs. */
function nameOf(workload: keyof typeof WORKLOADS): string | undefined {
  return Object.keys(OPENKRUISE).find((name) => OPENKRUISE[name] === workload);
}

/** An Ingress that server-side apply has written without annotations. Client-side apply always adds one. */
function withoutAnnotations(): KruiseLab[] {
  return (['mse', 'nginx'] as const).map((route) => {
    const { manifests, ...rest } = lab(`canary-${route}-no-annotations`, { style: 'canary', route }, hang);
    return { ...rest, manifests: manifests.map((each) => (each.kind === 'Ingress' ? bare(each) : each)) };
  });
}

function bare(object: KubernetesObject): KubernetesObject {
  const { annotations: _annotations, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** The workloads of OpenKruise, by the name of their labs. */
const OPENKRUISE: Readonly<Record<string, keyof typeof WORKLOADS>> = {
  cloneset: 'CloneSet',
  'advanced-statefulset': 'AdvancedStatefulSet',
  'advanced-daemonset': 'AdvancedDaemonSet',
};

/** Each workload of OpenKruise: partition style with and without routes, and blue-green style for CloneSets. */
function openKruise(): KruiseLab[] {
  const partition = Object.entries(OPENKRUISE).flatMap(([name, workload]) => {
    const stack = (route: StackOptions['route']) => ({ style: 'partition', route, workload }) as const;
    return [
      ...(['none', 'nginx', 'istio'] as const).map((route) => lab(`${name}-${route}`, stack(route))),
      ...(['none', 'nginx'] as const).flatMap((route) => {
        const suffix = route === 'none' ? '-none' : '';
        return [
          lab(`${name}-rollback-1${suffix}`, stack(route), rollback(1)),
          lab(`${name}-rollback-2${suffix}`, stack(route), rollback(2)),
          lab(`${name}-third-2${suffix}`, stack(route), third(2)),
          lab(`${name}-delete-2${suffix}`, stack(route), deletion(2)),
          lab(`${name}-disable-2${suffix}`, stack(route), disabled(2)),
        ];
      }),
      ...(['none', 'nginx'] as const).map((route) =>
        lab(`alpha-${name}-${route}`, { ...stack(route), api: 'v1alpha1' }),
      ),
      lab(`alpha-${name}-rollback-1`, { ...stack('nginx'), api: 'v1alpha1' }, rollback(1)),
      // With nine pods, the defaults of maxUnavailable differ by kind.
      lab(`${name}-broken`, { ...stack('nginx'), replicas: 9 }, brokenBack),
      ...(workload === 'AdvancedDaemonSet'
        ? []
        : [lab(`${name}-scale`, stack('nginx'), [...upTo(2), { scale: 8 }, { watch: 8 }, 'finish'])]),
    ];
  });
  const blueGreen = { style: 'blueGreen', workload: 'CloneSet' } as const;
  return [
    ...partition,
    lab('blueGreen-cloneset-none', { ...blueGreen, route: 'none' }),
    lab('blueGreen-cloneset-nginx', { ...blueGreen, route: 'nginx' }),
    lab('blueGreen-cloneset-rollback-1', { ...blueGreen, route: 'nginx' }, rollback(1)),
    lab('blueGreen-cloneset-rollback-2', { ...blueGreen, route: 'nginx' }, rollback(2)),
    lab('blueGreen-cloneset-third-2', { ...blueGreen, route: 'nginx' }, third(2)),
    lab('blueGreen-cloneset-delete-2', { ...blueGreen, route: 'nginx' }, deletion(2)),
    lab('blueGreen-cloneset-scaled-twice', { ...blueGreen, route: 'nginx', replicas: 2 }, [
      ...upTo(1),
      { scale: 1 },
      { watch: 8 },
      { scale: 3 },
      { watch: 8 },
      'finish',
    ]),
    lab('blueGreen-cloneset-third-scaled', { ...blueGreen, route: 'nginx', replicas: 7 }, [
      ...upTo(1),
      { release: 'v3', replicas: 12 },
      { watch: 15 },
      'finish',
    ]),
  ];
}

/** A stack whose canary Ingress the API server refuses: `actions.<service>-canary` is longer than an annotation may be. */
function longServiceName(): KruiseLab {
  const { manifests, ...rest } = lab('canary-aws-alb-long-name', { style: 'canary', route: 'aws-alb' }, hang);
  return { ...rest, manifests: JSON.parse(JSON.stringify(manifests).replaceAll('shop', 's'.repeat(50))) };
}

/** The labs that a release can play, by name. */
export function kruiseLabs(release?: string): KruiseLab[] {
  const minor = release === undefined ? Number.POSITIVE_INFINITY : Number(release.split('.')[1]);
  const all = [
    ...everyRouter(),
    ...oldApi(),
    ...stories(),
    ...storiesOfRouters(),
    ...edits(),
    ...otherRoutes(),
    ...workloads(),
    ...soon(),
    ...broken(),
    ...gitOps(),
    ...fields(),
    ...beginnings(),
    ...numbersOfPods(),
    ...versionsInTheMiddle(),
    ...withoutAnnotations(),
    ...openKruise(),
    longServiceName(),
  ];
  return all
    .filter(({ since, except }) => since <= minor && !except?.includes(release ?? ''))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
