/** Every lab of Argo Rollouts: a stack, a story, and the releases that can play it. */
import type { StoryAction } from '../../../../src/release';
import type { LoadBalancer } from '../../aws/behaviour';
import type { KubernetesObject } from '../../cluster/api';
import { READY_AFTER } from '../../cluster/nodes';
import type { ListedLab } from '../listed';
import { analysisTemplate, templateOf, unanswered } from './analysis';
import { dynamic } from './dynamic';
import { edits } from './edits';
import { experiments } from './experiments';
import { gitOps } from './gitops';
import { abort, BETA, DEGRADED, lab, PAUSED, patchOf, SET_BETA, SOON, STRAIGHT, upTo } from './lab';
import { rollbackWindows } from './rollback-window';
import { soon } from './soon';
import { STEPS, type StackOptions, serviceOf } from './stack';
import { subsets } from './subsets';
import { threshold } from './threshold';

/** Argo keeps old pods for 30 s, unless the Rollout says otherwise. */
const OLD_PODS_GO: StoryAction = { watch: 38 };

const SECONDS_AFTER_ABORT = 12;
const retry = (pause: 1 | 2): StoryAction[] => [...abort(pause, SECONDS_AFTER_ABORT), 'retry', 'finish'];
const undo = (pause: 1 | 2): StoryAction[] => [...upTo(pause), { release: 'v1' }, { watch: 12 }];
const third = (pause: 1 | 2): StoryAction[] => [...upTo(pause), { release: 'v3' }, { watch: 8 }, 'finish'];
const full = (pause: 1 | 2): StoryAction[] => [...upTo(pause), 'promote-full', 'finish'];
const deletion = (pause: 1 | 2): StoryAction[] => [...upTo(pause), 'delete', { watch: 20 }];

const scale = (replicas: number) => patchOf('Rollout', 'argoproj.io/v1alpha1', { spec: { replicas } });

/** People delete the route in the middle of a release. */
const GONE = {
  alb: patchOf('Ingress', 'networking.k8s.io/v1', null),
  nginx: patchOf('Ingress', 'networking.k8s.io/v1', null),
  istio: patchOf('VirtualService', 'networking.istio.io/v1', null),
} as const;

const EDITED = { setWeight: 40 };
const DYNAMIC = { dynamicStableScale: true };
const SMALL_FIRST = [{ setWeight: 5 }, { pause: {} }, { setWeight: 50 }, { pause: {} }];
const MORE_PREVIEWS = { ...SOON, previewReplicaCount: 6 };

const keeping = (scaleDownDelayRevisionLimit: number) => ({ scaleDownDelaySeconds: 60, scaleDownDelayRevisionLimit });
const MAX_WEIGHT: StackOptions = {
  route: 'nginx',
  strategy: SOON,
  routing: { maxTrafficWeight: 1000 },
  steps: [{ setWeight: 250 }, { pause: {} }, { setWeight: 500 }, { pause: {} }, { setWeight: 900 }, { pause: {} }],
};
const WITH_BETA = { routing: { managedRoutes: [BETA] } };
const BETA_STEPS = [{ setCanaryScale: { weight: 25 } }, SET_BETA, { setWeight: 25 }, { pause: {} }];

/** Alternatives, with each way to compare. */
const ANY_STEPS = [
  { setCanaryScale: { weight: 25 } },
  {
    setHeaderRoute: {
      ...BETA,
      match: [
        { headerName: 'x-beta', headerValue: { exact: '1' } },
        { headerName: 'x-team', headerValue: { prefix: 'web' } },
        { headerName: 'user-agent', headerValue: { regex: 'firefox.*' } },
      ],
    },
  },
  { pause: {} },
  { setWeight: 25 },
  { pause: {} },
];

const MIRRORS = [{ name: 'all' }, { name: 'reads' }];
const MIRROR_STEPS = [
  { setWeight: 25 },
  { setMirrorRoute: { name: 'reads', percentage: 40, match: [{ path: { prefix: '/' }, method: { exact: 'GET' } }] } },
  { setMirrorRoute: { name: 'all', match: [{ headers: { 'x-beta': { exact: '1' } } }] } },
  { pause: {} },
  { setWeight: 50 },
  { setMirrorRoute: { name: 'all' } },
  { pause: {} },
];

const TIMED_STEPS = [{ setWeight: 20 }, { pause: { duration: '15s' } }, { setWeight: 60 }, { pause: {} }];
const ABORT_AT_PAUSE: StoryAction[] = [{ release: 'v2' }, PAUSED, 'abort', DEGRADED, { watch: SECONDS_AFTER_ABORT }];

/** A lab whose controller verifies in AWS what the load balancer has. */
function verified(
  name: string,
  options: StackOptions,
  loadBalancer: LoadBalancer,
  story: readonly StoryAction[] = STRAIGHT,
): ListedLab {
  const { style, ...plain } = lab(`verify-${name}`, options, story);
  return { ...plain, style: `${style}, verified in AWS`, loadBalancer };
}

/** Each router on the straight road and on the roads that people take in an incident. */
function everyRouter(): ListedLab[] {
  const routes = ['alb', 'alb-ping-pong', 'nginx', 'istio', 'istio-subsets', 'services', 'none'] as const;
  return routes.flatMap((route) => {
    const stack = { route, strategy: route === 'none' || route === 'services' ? {} : SOON };
    return [
      lab(`${route}-straight`, stack),
      lab(`${route}-abort-1`, stack, abort(1, SECONDS_AFTER_ABORT)),
      lab(`${route}-abort-2`, stack, abort(2, SECONDS_AFTER_ABORT)),
      lab(`${route}-retry`, stack, retry(1)),
      lab(`${route}-undo-2`, stack, undo(2)),
      lab(`${route}-third-2`, stack, third(2)),
      lab(`${route}-full-1`, stack, full(1)),
      lab(`${route}-delete-2`, stack, deletion(2)),
    ];
  });
}

/** Fields of a canary behind an ALB. */
function fields(): ListedLab[] {
  const alb = { route: 'alb', strategy: SOON } as const;
  const scaled = (setCanaryScale: KubernetesObject) => [
    { setCanaryScale },
    { setWeight: 20 },
    { pause: {} },
    { setCanaryScale: { matchTrafficWeight: true } },
    { setWeight: 60 },
    { pause: {} },
  ];
  return [
    lab('alb-two-ingresses', { ...alb, route: 'alb-two-ingresses' }),
    lab('alb-two-ingresses-abort', { ...alb, route: 'alb-two-ingresses' }, abort(1, SECONDS_AFTER_ABORT)),
    lab('alb-sticky', { ...alb, route: 'alb-sticky' }),
    lab('alb-prefix', { ...alb, route: 'alb-prefix' }),
    lab('alb-root', { ...alb, route: 'alb-root' }),
    lab('alb-canary-host', { ...alb, route: 'alb-canary-host' }),
    lab('alb-canary-host-abort', { ...alb, route: 'alb-canary-host' }, abort(2, SECONDS_AFTER_ABORT)),
    lab('alb-abort-delay-0', { route: 'alb', strategy: { ...SOON, abortScaleDownDelaySeconds: 0 } }, abort(2, 6)),
    lab('alb-abort-delay-30', { route: 'alb' }, abort(1, 38)),
    lab('alb-end-delay-30', { route: 'alb' }, [...STRAIGHT, OLD_PODS_GO]),
    // The root Service selects the pods of every version.
    // The limit says how many old versions keep their pods for the delay.
    lab('alb-root-revision-limit-0', { route: 'alb-root', strategy: keeping(0) }, [...STRAIGHT, { watch: 6 }]),
    lab('alb-root-revision-limit-0-undo', { route: 'alb-root', strategy: keeping(0) }, [
      ...upTo(1),
      { release: 'v1' },
      { watch: 8 },
    ]),
    lab('bg-revision-limit-0', { route: 'blueGreen', strategy: keeping(0) }, [
      ...STRAIGHT,
      { watch: 6 },
      { release: 'v1' },
      { watch: 12 },
    ]),
    lab('bg-revision-limit-1', { route: 'blueGreen', strategy: keeping(1) }, [
      ...STRAIGHT,
      { watch: 4 },
      { release: 'v3' },
      'finish',
      { watch: 6 },
      { release: 'v1' },
      { watch: 12 },
    ]),
    lab('alb-root-end-delay-0', { route: 'alb-root', strategy: { scaleDownDelaySeconds: 0 } }),
    lab('alb-root-end-delay-0-twice', { route: 'alb-root', strategy: { scaleDownDelaySeconds: 0 } }, [
      ...STRAIGHT,
      { watch: 15 },
      { release: 'v3' },
      'finish',
    ]),
    lab(
      'alb-abort-delay-0-scaled',
      {
        route: 'alb',
        strategy: { ...SOON, abortScaleDownDelaySeconds: 0 },
        steps: [
          { setCanaryScale: { replicas: 2 } },
          { setWeight: 10 },
          { pause: {} },
          { setWeight: 40 },
          { pause: {} },
        ],
      },
      [{ release: 'v2' }, PAUSED, 'abort', DEGRADED, { watch: SECONDS_AFTER_ABORT }, 'retry', 'finish'],
    ),
    lab('alb-ping-pong-twice', { ...alb, route: 'alb-ping-pong' }, [
      ...STRAIGHT,
      OLD_PODS_GO,
      { release: 'v3' },
      'finish',
    ]),
    lab('alb-twice', alb, [...STRAIGHT, { release: 'v3' }, 'finish']),
    lab('alb-one-pod', { ...alb, replicas: 1 }),
    lab('alb-workload-ref', { ...alb, workloadRef: true }),
    lab('alb-min-pods', { ...alb, strategy: { ...SOON, minPodsPerReplicaSet: 2 } }),
    lab('alb-min-pods-above', { ...alb, replicas: 1, strategy: { ...SOON, minPodsPerReplicaSet: 2 } }),
    lab('alb-no-steps', { ...alb, steps: [] }),
    lab('alb-last-100', { ...alb, steps: [{ setWeight: 50 }, { pause: {} }, { setWeight: 100 }, { pause: {} }] }),
    lab('alb-weight-first-0', { ...alb, steps: [{ setWeight: 0 }, { pause: {} }, { setWeight: 40 }, { pause: {} }] }),
    lab('alb-durations', { ...alb, steps: [{ setWeight: 20 }, { pause: { duration: '2s' } }, { setWeight: 60 }] }),
    lab('alb-pause-first', { ...alb, steps: [{ pause: {} }, ...STEPS] }),
    lab('alb-scale-replicas', { ...alb, steps: scaled({ replicas: 2 }) }),
    lab('alb-scale-weight', { ...alb, steps: scaled({ weight: 50 }) }),
    lab('alb-scale-0', { ...alb, steps: scaled({ replicas: 0 }) }),
    lab('alb-scale-0-full', { ...alb, steps: scaled({ replicas: 0 }) }, [
      { release: 'v2' },
      PAUSED,
      'promote-full',
      'finish',
    ]),
    // The first pod of eight gets the weight of the last step.
    lab('alb-scale-0-last', {
      ...alb,
      replicas: 8,
      steps: [{ setCanaryScale: { replicas: 0 } }, { setWeight: 80 }, { pause: {} }],
    }),
    // With more pods than the workload has after the last step.
    lab('alb-scale-above', { ...alb, steps: [{ setCanaryScale: { replicas: 6 } }, ...STEPS] }),
    lab('alb-header', {
      ...alb,
      ...WITH_BETA,
      steps: [
        { setCanaryScale: { replicas: 2 } },
        SET_BETA,
        { pause: {} },
        { setWeight: 25 },
        { setCanaryScale: { matchTrafficWeight: true } },
        { pause: {} },
        { setHeaderRoute: BETA },
        { pause: {} },
      ],
    }),
    lab('alb-header-kept', { ...alb, ...WITH_BETA, steps: BETA_STEPS }),
    lab('alb-header-first', { ...alb, ...WITH_BETA, steps: [SET_BETA, { pause: {} }, ...STEPS] }),
    lab('alb-header-root', { ...alb, ...WITH_BETA, route: 'alb-root', steps: BETA_STEPS }),
    ...Object.entries({
      abort: [{ until: { phase: 'Paused' } }, 'abort', DEGRADED, { watch: SECONDS_AFTER_ABORT }],
      third: [PAUSED, { release: 'v3' }, { watch: 8 }, 'finish'],
      full: [PAUSED, 'promote-full', 'finish'],
      delete: [PAUSED, 'delete', { watch: 20 }],
    } satisfies Readonly<Record<string, StoryAction[]>>).map(([name, rest]) =>
      lab(`alb-header-${name}`, { ...alb, ...WITH_BETA, steps: BETA_STEPS }, [{ release: 'v2' }, ...rest]),
    ),
    ...['alb', 'alb-ping-pong', 'istio'].flatMap((name) => {
      const stack = { route: name as 'alb', strategy: DYNAMIC };
      return [
        lab(`${name}-dynamic`, stack),
        lab(`${name}-dynamic-abort`, stack, abort(2, SECONDS_AFTER_ABORT)),
        lab(`${name}-dynamic-third`, stack, third(2)),
      ];
    }),
    lab('alb-dynamic-scale', {
      route: 'alb',
      replicas: 10,
      strategy: { ...DYNAMIC, minPodsPerReplicaSet: 3 },
      steps: [
        { setCanaryScale: { replicas: 2 } },
        { setWeight: 50 },
        { pause: {} },
        { setCanaryScale: { weight: 10 } },
        { pause: {} },
        { setCanaryScale: { matchTrafficWeight: true } },
        { pause: {} },
        { setWeight: 95 },
        { pause: {} },
      ],
    }),
    // The old version keeps all its pods, so the next one gets its weight at once.
    lab(
      'alb-dynamic-scale-third',
      { route: 'alb', strategy: DYNAMIC, steps: [{ setCanaryScale: { replicas: 2 } }, ...STEPS] },
      [
        { release: 'v2' },
        { until: { phase: 'Paused', step: 2 } },
        'promote',
        { until: { phase: 'Paused', step: 4 } },
        { release: 'v3' },
        { watch: 8 },
        'finish',
      ],
    ),
    lab('alb-dynamic-retry', { route: 'alb', strategy: DYNAMIC }, retry(2)),
    lab('alb-dynamic-undo', { route: 'alb', strategy: DYNAMIC }, undo(2)),
    lab('alb-dynamic-many-undo', { route: 'alb', strategy: DYNAMIC, replicas: 12 }, undo(2)),
    lab('alb-root-undo', { route: 'alb-root', strategy: SOON }, undo(2)),
    lab('alb-root-undo-late', { route: 'alb-root' }, undo(2)),
    lab('alb-dynamic-full', { route: 'alb', strategy: DYNAMIC }, full(1)),
    ...(['istio-named-streams', 'istio-ping-pong'] as const).flatMap((route) => [
      lab(`${route}-straight`, { route, strategy: SOON }),
      lab(`${route}-abort`, { route, strategy: SOON }, abort(1, SECONDS_AFTER_ABORT)),
    ]),
    ...Object.entries({ straight: STRAIGHT, abort: ABORT_AT_PAUSE }).map(([name, story]) =>
      lab(
        `istio-mirror-${name}`,
        { route: 'istio', strategy: SOON, routing: { managedRoutes: MIRRORS }, steps: MIRROR_STEPS },
        story,
      ),
    ),
    lab('istio-header-any', { route: 'istio', strategy: SOON, ...WITH_BETA, steps: ANY_STEPS }),
    // A pause that ends by itself is a pause too.
    lab('alb-durations-abort', { ...alb, steps: TIMED_STEPS }, ABORT_AT_PAUSE),
    lab('istio-header', { route: 'istio', strategy: SOON, ...WITH_BETA, steps: BETA_STEPS }),
  ];
}

/** What goes wrong, or changes, in the middle of a release. */
function incidents(): ListedLab[] {
  const alb = { route: 'alb', strategy: SOON } as const;
  const broken: StoryAction = { release: 'v2', ready: 'never' };
  const brokenLater: StoryAction[] = [...upTo(1), { release: 'v3', ready: 'never' }, { watch: 12 }];
  const fourth: StoryAction[] = [{ release: 'v4' }, { watch: 8 }, 'finish'];
  return [
    lab('alb-third-1', alb, third(1)),
    lab('alb-undo-1', alb, undo(1)),
    lab('alb-undo-after', alb, [...STRAIGHT, { release: 'v1' }, 'finish']),
    lab('alb-full-2', alb, full(2)),
    lab('alb-broken', alb, [broken, { watch: 15 }, { release: 'v1' }, { watch: 10 }]),
    lab('alb-broken-abort', alb, [broken, { watch: 8 }, 'abort', DEGRADED, { watch: SECONDS_AFTER_ABORT }]),
    ...(['none', 'services'] as const).map((route) =>
      lab(`${route}-broken`, { route, replicas: 7 }, [broken, { watch: 15 }, { release: 'v1' }, { watch: 10 }]),
    ),
    // Ping selects the pods of the first version still.
    lab('alb-ping-pong-kept-again', { route: 'alb-ping-pong', strategy: { ...SOON, scaleDownDelaySeconds: 0 } }, [
      ...STRAIGHT,
      { watch: 8 },
      { release: 'v1' },
      'finish',
    ]),
    lab('services-broken-later', { route: 'services', replicas: 2, strategy: { maxUnavailable: 1 } }, [
      ...brokenLater,
      'promote-full',
      { watch: 8 },
      { release: 'v1' },
      { watch: 10 },
    ]),
    ...[1, 4].map((replicas) =>
      lab(
        `services-broken-scaled-${replicas}`,
        { route: 'services', replicas, steps: [{ setWeight: 50 }, { pause: {} }] },
        [
          { release: 'v2', ready: 'never' },
          { watch: 12 },
          scale(2 * replicas + 1),
          { watch: 8 },
          { release: 'v1' },
          { watch: 10 },
        ],
      ),
    ),
    lab('alb-broken-later', alb, brokenLater),
    lab('istio-subsets-broken-later', { ...alb, route: 'istio-subsets' }, [
      ...brokenLater,
      { release: 'v1' },
      { watch: 10 },
    ]),
    lab('alb-ping-pong-broken-later', { ...alb, route: 'alb-ping-pong' }, [
      ...brokenLater,
      { release: 'v1' },
      { watch: 10 },
    ]),
    lab('alb-broken-later-full', alb, [...brokenLater, 'promote-full', { watch: 8 }, { release: 'v1' }, { watch: 10 }]),
    ...(['alb', 'alb-root', 'istio'] as const).map((route) =>
      lab(`${route}-broken-later-abort`, { ...alb, route }, [
        ...brokenLater,
        'abort',
        DEGRADED,
        { watch: SECONDS_AFTER_ABORT },
      ]),
    ),
    ...(['alb', 'istio-subsets', 'alb-ping-pong'] as const).flatMap((route) => {
      const dynamic: StackOptions = { ...alb, route, strategy: DYNAMIC };
      return [
        lab(`${route}-dynamic-broken-later`, dynamic, [...brokenLater, { watch: 10 }]),
        lab(`${route}-dynamic-broken-later-abort`, dynamic, [...brokenLater, 'abort', DEGRADED, { watch: 10 }]),
        lab(`${route}-dynamic-broken-later-undo`, dynamic, [...brokenLater, { release: 'v1' }, { watch: 12 }]),
      ];
    }),
    // Its header route goes at once, and its weight with the stable pods that come back.
    lab(
      'istio-dynamic-header-broken-later-abort',
      { route: 'istio', strategy: DYNAMIC, ...WITH_BETA, steps: BETA_STEPS },
      [{ release: 'v2' }, PAUSED, ...brokenLater.slice(2), 'abort', DEGRADED, { watch: 10 }],
    ),
    lab(
      'istio-dynamic-broken-later-abort-most',
      { route: 'istio', replicas: 3, strategy: DYNAMIC, steps: [{ setWeight: 77 }, { pause: {} }] },
      [...brokenLater, 'abort', DEGRADED, { watch: 10 }],
    ),
    // The first step leaves the stable pods all that they need.
    lab('alb-dynamic-broken-later-small', { ...alb, strategy: DYNAMIC, steps: SMALL_FIRST }, [
      ...upTo(2),
      { release: 'v3', ready: 'never' },
      { watch: 20 },
    ]),
    lab('alb-root-broken-later-fourth', { ...alb, route: 'alb-root' }, [...brokenLater, ...fourth]),
    lab('alb-dynamic-broken-later-fourth', { ...alb, strategy: DYNAMIC }, [...brokenLater, ...fourth]),
    lab('alb-ping-pong-dynamic-broken-later-fourth', { ...alb, route: 'alb-ping-pong', strategy: DYNAMIC }, [
      ...brokenLater,
      ...fourth,
    ]),
    lab('services-broken-later-abort', { route: 'services' }, [...brokenLater, 'abort', DEGRADED, { watch: 10 }]),
    lab('alb-scale-up', alb, [...upTo(2), scale(8), { watch: 6 }, 'finish']),
    lab('alb-scale-down', alb, [...upTo(2), scale(2), { watch: 6 }, 'finish']),
    lab('alb-scale-abort', alb, [
      ...upTo(1),
      scale(2),
      { watch: 6 },
      'abort',
      DEGRADED,
      { watch: SECONDS_AFTER_ABORT },
    ]),
    lab('alb-edit-ingress', alb, [
      ...upTo(1),
      patchOf('Ingress', 'networking.k8s.io/v1', { metadata: { labels: { team: 'web' } } }),
      { watch: 5 },
      'finish',
    ]),
    lab('alb-edit-action', alb, [
      ...upTo(1),
      patchOf('Ingress', 'networking.k8s.io/v1', {
        metadata: { annotations: { 'alb.ingress.kubernetes.io/actions.shop-stable': null } },
      }),
      { watch: 5 },
      'finish',
    ]),
    ...(['alb', 'istio', 'nginx'] as const).flatMap((route) => [
      lab(`${route}-route-gone`, { ...alb, route }, [...upTo(2), GONE[route], { watch: 5 }, 'finish']),
      lab(`${route}-service-gone`, { ...alb, route }, [
        ...upTo(2),
        patchOf('Service', 'v1', null, 'shop-canary'),
        { watch: 5 },
        'finish',
      ]),
    ]),
    ...(['alb', 'istio', 'nginx', 'none'] as const).map((route) =>
      lab(`${route}-edit-step`, { ...alb, route, ...(route === 'none' && { strategy: {} }) }, [
        ...upTo(2),
        patchOf('Rollout', 'argoproj.io/v1alpha1', {
          spec: { strategy: { canary: { steps: STEPS.map((step) => ('setWeight' in step ? EDITED : step)) } } },
        }),
        { watch: 8 },
        'finish',
      ]),
    ),
    lab('alb-deadline', { ...alb, spec: { progressDeadlineSeconds: 8 } }, [broken, { watch: 20 }]),
    lab('alb-deadline-abort', { ...alb, spec: { progressDeadlineSeconds: 8, progressDeadlineAbort: true } }, [
      broken,
      { watch: 25 },
    ]),
    // The old pods of 1.8.5 never go.
    lab('nginx-max-weight-straight', MAX_WEIGHT, [...upTo(3), 'promote', { watch: 20 }]),
    lab('nginx-max-weight-abort', MAX_WEIGHT, [...upTo(3), 'abort', DEGRADED, { watch: SECONDS_AFTER_ABORT }]),
    lab('nginx-max-weight-undo', MAX_WEIGHT, [...upTo(3), { release: 'v1' }, { watch: 12 }]),
    lab('nginx-max-weight-50', {
      ...MAX_WEIGHT,
      routing: { maxTrafficWeight: 50 },
      steps: [{ setWeight: 10 }, { pause: {} }, { setWeight: 40 }, { pause: {} }],
    }),
    lab('istio-unnamed-straight', { route: 'istio-unnamed', strategy: SOON }),
  ];
}

function delayed(template: KubernetesObject, initialDelay: string): KubernetesObject {
  const [metric] = template.spec.metrics;
  return { ...template, spec: { metrics: [{ ...metric, initialDelay }] } };
}

function analyses(): ListedLab[] {
  const templates = { templates: [{ templateName: 'shop' }] };
  const steps = [{ setWeight: 25 }, { analysis: templates }, { setWeight: 50 }, { pause: {} }];
  const results = {
    succeeds: analysisTemplate('result == "1"'),
    fails: analysisTemplate('result == "2"'),
    inconclusive: analysisTemplate('result == "2"', 'result == "3"'),
  };
  const toFailure: StoryAction[] = [
    { release: 'v2' },
    { analysis: 'failed' },
    DEGRADED,
    { watch: SECONDS_AFTER_ABORT },
  ];
  const toPause: StoryAction[] = [
    { release: 'v2' },
    { analysis: 'inconclusive' },
    PAUSED,
    'promote',
    { watch: 3 },
    'finish',
  ];
  const stories = { succeeds: STRAIGHT, fails: toFailure, inconclusive: toPause };
  const names = ['succeeds', 'fails', 'inconclusive'] as const;
  const pre = { prePromotionAnalysis: templates };
  const post = { postPromotionAnalysis: templates };
  const switched = { route: 'blueGreen', strategy: { ...SOON, ...post } } as const;
  const inBackground = { ...SOON, analysis: templates };
  const toError: StoryAction[] = [{ release: 'v2' }, { analysis: 'error' }, DEGRADED, { watch: SECONDS_AFTER_ABORT }];
  // Somebody corrects the template, because the same one would be inconclusive again.
  const corrected: StoryAction[] = [
    patchOf('AnalysisTemplate', 'argoproj.io/v1alpha1', { spec: results.succeeds.spec }),
    'promote',
    { watch: 3 },
    'finish',
  ];
  // All users have v2 then, and the next analysis succeeds.
  const inconclusiveAfter: readonly StoryAction[] = [
    { release: 'v2' },
    PAUSED,
    'promote',
    { analysis: 'inconclusive' },
    { watch: 8 },
    PAUSED,
    ...corrected.slice(0, 1),
  ];
  return [
    ...names.map((name) =>
      lab(`alb-analysis-${name}`, { route: 'alb', strategy: SOON, steps, more: [results[name]] }, stories[name]),
    ),
    lab('alb-analysis-inconclusive-full', { route: 'alb', strategy: SOON, steps, more: [results.inconclusive] }, [
      { release: 'v2' },
      { analysis: 'inconclusive' },
      PAUSED,
      'promote-full',
      { watch: 12 },
    ]),
    // The analysis comes after an approval.
    ...(['failed', 'inconclusive'] as const).map((result) =>
      lab(
        `alb-analysis-later-${result}`,
        {
          route: 'alb',
          strategy: SOON,
          steps: [{ setWeight: 10 }, { pause: {} }, ...steps],
          more: [results[result === 'failed' ? 'fails' : result]],
        },
        [
          { release: 'v2' },
          PAUSED,
          'promote',
          { analysis: result },
          result === 'failed' ? DEGRADED : PAUSED,
          { watch: SECONDS_AFTER_ABORT },
        ],
      ),
    ),
    lab(
      'alb-analysis-background',
      { route: 'alb', strategy: { ...SOON, analysis: { ...templates, startingStep: 2 } }, more: [results.fails] },
      [
        { release: 'v2' },
        { until: { phase: 'Paused', step: 1 } },
        'promote',
        { analysis: 'failed' },
        DEGRADED,
        { watch: 12 },
      ],
    ),
    lab('alb-analysis-background-succeeds', { route: 'alb', strategy: inBackground, more: [results.succeeds] }),
    // It ends before the pause of the second step, which is then none.
    lab(
      'alb-analysis-background-inconclusive',
      { route: 'alb', strategy: inBackground, more: [results.inconclusive] },
      [{ release: 'v2' }, { analysis: 'inconclusive' }, PAUSED, { watch: 10 }, ...corrected],
    ),
    lab(
      'alb-analysis-background-inconclusive-late',
      { route: 'alb', strategy: inBackground, more: [delayed(results.inconclusive, '20s')] },
      [...upTo(1), { watch: 25 }, { analysis: 'inconclusive' }, ...corrected],
    ),
    lab('alb-analysis-error', { route: 'alb', strategy: SOON, steps, more: [unanswered()] }, toError),
    lab('bg-analysis-before', { route: 'blueGreen', strategy: pre, more: [results.succeeds] }),
    lab('bg-analysis-before-inconclusive', { route: 'blueGreen', strategy: pre, more: [results.inconclusive] }, [
      { release: 'v2' },
      { analysis: 'inconclusive' },
      PAUSED,
      ...corrected,
    ]),
    lab('bg-analysis-before-inconclusive-full', { route: 'blueGreen', strategy: pre, more: [results.inconclusive] }, [
      { release: 'v2' },
      { analysis: 'inconclusive' },
      PAUSED,
      'promote-full',
      { watch: 12 },
    ]),
    lab(
      'bg-analysis-before-error',
      { route: 'blueGreen', strategy: { ...SOON, ...pre }, more: [unanswered()] },
      toError,
    ),
    lab('bg-analysis-after', { route: 'blueGreen', strategy: { ...SOON, ...post }, more: [results.succeeds] }),
    lab('bg-analysis-after-inconclusive', { route: 'blueGreen', strategy: post, more: [results.inconclusive] }, [
      { release: 'v2' },
      PAUSED,
      'promote',
      { analysis: 'inconclusive' },
      // The status says Paused until the controller has seen the promotion.
      { watch: 5 },
      PAUSED,
      // The release is over as soon as the second analysis is.
      ...corrected.slice(0, 2),
      { watch: 8 },
    ]),
    // All users have v2, which is not the stable version yet.
    ...Object.entries({
      third: [{ release: 'v3' }, { watch: 12 }, 'promote', { watch: 30 }],
      'third-abort': [{ release: 'v3' }, { watch: 12 }, 'abort', DEGRADED, { watch: 12 }],
      'third-undo': [{ release: 'v3' }, { watch: 12 }, { release: 'v1' }, { watch: 12 }],
      'third-second': [{ release: 'v3' }, { watch: 12 }, { release: 'v2' }, { watch: 12 }],
      'third-broken': [{ release: 'v3', ready: 'never' }, { watch: 12 }, { release: 'v1' }, { watch: 12 }],
      'undo-promote': [{ release: 'v1' }, { watch: 12 }, 'promote', { watch: 30 }],
      undo: [{ release: 'v1' }, { watch: 12 }],
      'undo-abort': [{ release: 'v1' }, { watch: 12 }, 'abort', { watch: 12 }],
      'undo-full': [{ release: 'v1' }, { watch: 12 }, 'promote-full', { watch: 12 }],
      'undo-third': [{ release: 'v1' }, { watch: 12 }, { release: 'v3' }, { watch: 12 }],
      scale: [scale(6), { watch: 30 }],
      delete: ['delete', { watch: 12 }],
    } satisfies Readonly<Record<string, StoryAction[]>>).flatMap(([name, rest]) => [
      lab(`bg-analysis-after-runs-${name}`, { ...switched, more: [delayed(results.succeeds, '20s')] }, [
        { release: 'v2' },
        PAUSED,
        'promote',
        ...rest,
      ]),
      lab(`bg-analysis-after-inconclusive-${name}`, { ...switched, more: [results.inconclusive] }, [
        ...inconclusiveAfter,
        ...rest,
      ]),
    ]),
    lab(
      'bg-analysis-after-runs-undo-previews',
      {
        ...switched,
        strategy: { ...switched.strategy, previewReplicaCount: 1 },
        more: [delayed(results.succeeds, '20s')],
      },
      [{ release: 'v2' }, PAUSED, 'promote', { release: 'v1' }, { watch: 12 }, 'promote', { watch: 25 }],
    ),
    ...[2, 4].map((previewReplicaCount) =>
      lab(
        `bg-analysis-after-inconclusive-third-previews-${previewReplicaCount}`,
        { ...switched, strategy: { ...switched.strategy, previewReplicaCount }, more: [results.inconclusive] },
        [...inconclusiveAfter, { release: 'v3' }, { watch: 25 }],
      ),
    ),
    lab(
      'bg-analysis-before-inconclusive-third-previews',
      { route: 'blueGreen', strategy: { ...SOON, ...pre, previewReplicaCount: 2 }, more: [results.inconclusive] },
      [
        { release: 'v2' },
        { analysis: 'inconclusive' },
        PAUSED,
        { watch: 6 },
        ...corrected.slice(0, 1),
        { release: 'v3' },
        { watch: 25 },
      ],
    ),
    lab(
      'bg-analysis-after-inconclusive-undo-automatic',
      {
        ...switched,
        strategy: { ...switched.strategy, autoPromotionEnabled: true },
        more: [results.inconclusive],
      },
      [
        { release: 'v2' },
        { analysis: 'inconclusive' },
        { watch: 8 },
        PAUSED,
        ...corrected.slice(0, 1),
        { release: 'v1' },
        { watch: 25 },
      ],
    ),
    lab(
      'bg-analysis-before-runs-scale',
      {
        route: 'blueGreen',
        strategy: { ...SOON, ...pre },
        more: [delayed(results.succeeds, '20s')],
      },
      [{ release: 'v2' }, { watch: 6 }, scale(6), { watch: 12 }, { watch: 20 }, 'finish'],
    ),
    // An analysis without a template.
    lab(
      'alb-analysis-none',
      { route: 'alb', strategy: SOON, steps: [{ setWeight: 25 }, { analysis: {} }, { pause: {} }] },
      [{ release: 'v2' }, { watch: 12 }],
    ),
    lab('bg-analysis-after-none', { route: 'blueGreen', strategy: { ...SOON, postPromotionAnalysis: {} } }, [
      { release: 'v2' },
      PAUSED,
      'promote',
      { watch: 15 },
    ]),
    lab('bg-analysis-before-none', { route: 'blueGreen', strategy: { ...SOON, prePromotionAnalysis: {} } }, [
      { release: 'v2' },
      { watch: 12 },
      'promote',
      { watch: 12 },
    ]),
    lab('bg-analysis-before-fails-retry', { route: 'blueGreen', strategy: pre, more: [results.fails] }, [
      { release: 'v2' },
      { analysis: 'failed' },
      DEGRADED,
      'retry',
      { watch: 12 },
    ]),
    lab('bg-analysis-before-fails', { route: 'blueGreen', strategy: { ...SOON, ...pre }, more: [results.fails] }, [
      { release: 'v2' },
      { analysis: 'failed' },
      DEGRADED,
      { watch: 12 },
    ]),
    ...Object.entries({
      fails: [],
      'fails-retry': ['retry', { watch: 15 }],
      'fails-retry-corrected': [...corrected.slice(0, 1), 'retry', { watch: 15 }],
      'fails-full': ['promote-full', { watch: 15 }],
      'fails-third': [...corrected.slice(0, 1), { release: 'v3' }, { watch: 12 }, 'promote', { watch: 15 }],
    } satisfies Readonly<Record<string, StoryAction[]>>).map(([name, rest]) =>
      lab(`bg-analysis-after-${name}`, { ...switched, more: [results.fails] }, [
        { release: 'v2' },
        PAUSED,
        'promote',
        { analysis: 'failed' },
        DEGRADED,
        { watch: 12 },
        ...rest,
      ]),
    ),
  ];
}

/** Asks a Job whether all is well: its pod succeeds at once, or runs on for ever. */
export function jobTemplate(readyAfter?: 'never'): KubernetesObject {
  const annotations = readyAfter && { annotations: { [READY_AFTER]: readyAfter } };
  const pod = { restartPolicy: 'Never', containers: [{ name: 'test', image: 'example.com/test:v1' }] };
  return templateOf({
    name: 'test',
    provider: { job: { spec: { backoffLimit: 0, template: { metadata: { ...annotations }, spec: pod } } } },
  });
}

/** What only some Rollouts ask the controller for: Jobs, experiments, Secrets, labels of pods, and an end of old objects. */
function extras(): ListedLab[] {
  const alb = { route: 'alb', strategy: SOON } as const;
  const templates = { templates: [{ templateName: 'shop' }] };
  const analysed = [{ setWeight: 25 }, { analysis: templates }, { setWeight: 50 }, { pause: {} }];
  const experiment = [
    { setWeight: 25 },
    { experiment: { duration: '4s', templates: [{ name: 'exp', specRef: 'canary' }] } },
    { setWeight: 50 },
    { pause: {} },
  ];
  /** The new version, or both, get some requests of their own while the experiment runs. */
  const weighted = (count: 1 | 2, duration?: string) => [
    { setWeight: 20 },
    {
      experiment: {
        ...(duration && { duration }),
        templates: [
          { name: 'new', specRef: 'canary', weight: 10, service: { name: 'shop-new' } },
          { name: 'old', specRef: 'stable', weight: 5, replicas: 2, service: { name: 'shop-old' } },
        ].slice(0, count),
      },
    },
    { setWeight: 50 },
    { pause: {} },
  ];
  const token = { name: 'token', valueFrom: { secretKeyRef: { name: 'shop-token', key: 'token' } } };
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'shop-token' }, stringData: { token: '1' } };
  const withSecret = analysisTemplate('result == "{{args.token}}"');
  // Nothing old is kept.
  const forgetful = {
    revisionHistoryLimit: 0,
    analysis: { successfulRunHistoryLimit: 0, unsuccessfulRunHistoryLimit: 0 },
  };
  return [
    lab('alb-analysis-job', { ...alb, steps: analysed, more: [jobTemplate()] }),
    lab('alb-analysis-job-abort', { ...alb, steps: analysed, more: [jobTemplate('never')] }, [
      { release: 'v2' },
      { until: { step: 1 } },
      'abort',
      DEGRADED,
      { watch: SECONDS_AFTER_ABORT },
    ]),
    lab('alb-analysis-secret', {
      ...alb,
      steps: analysed,
      more: [secret, { ...withSecret, spec: { ...withSecret.spec, args: [token] } }],
    }),
    lab('alb-experiment', { ...alb, steps: experiment }),
    ...(['alb', 'istio'] as const).flatMap((route) => [
      lab(`${route}-experiment-weight`, { ...alb, route, steps: weighted(1, '4s') }, [...STRAIGHT, OLD_PODS_GO]),
      lab(`${route}-experiment-weight-abort`, { ...alb, route, steps: weighted(1) }, [
        { release: 'v2' },
        { until: { step: 1 } },
        { watch: 10 },
        'abort',
        DEGRADED,
        OLD_PODS_GO,
      ]),
    ]),
    lab('alb-experiment-weight-two', { ...alb, steps: weighted(2) }, [
      { release: 'v2' },
      { until: { step: 1 } },
      { watch: 10 },
      'promote',
      'finish',
      OLD_PODS_GO,
    ]),
    // Argo writes them in any order; the second one stays in the VirtualService.
    lab('istio-experiment-weight-two', { ...alb, route: 'istio', steps: weighted(2, '4s') }, [
      ...STRAIGHT,
      OLD_PODS_GO,
    ]),
    lab('alb-experiment-weight-full', { ...alb, steps: weighted(1) }, [
      { release: 'v2' },
      { until: { step: 1 } },
      { watch: 10 },
      'promote-full',
      'finish',
      OLD_PODS_GO,
    ]),
    lab(
      'alb-forgetful',
      { ...alb, steps: [...experiment.slice(0, 2), ...analysed], more: [jobTemplate()], spec: forgetful },
      [...STRAIGHT, { watch: 8 }, { release: 'v3' }, 'finish'],
    ),
    lab('alb-pod-labels', {
      ...alb,
      strategy: {
        ...SOON,
        canaryMetadata: { labels: { role: 'canary' } },
        stableMetadata: { labels: { role: 'stable' } },
      },
    }),
    lab('alb-workload-ref-scale-down', { ...alb, workloadRef: { scaleDown: 'onsuccess' } }),
    // The Deployment keeps pods of its own, which a Service can select that Argo does not write.
    ...(['never', 'onsuccess', 'progressively'] as const).map((scaleDown) =>
      lab(`workload-ref-alive-${scaleDown}`, {
        route: 'services',
        workloadRef: { scaleDown },
        more: [serviceOf('shop-all')],
      }),
    ),
  ];
}

/** One commit writes another image and another number of pods. */
function bothAtOnce(): ListedLab[] {
  const alb = { route: 'alb', strategy: SOON } as const;
  const blueGreen = { route: 'blueGreen', strategy: SOON } as const;
  const back = (replicas: number): StoryAction[] => [{ release: 'v1', replicas }, { watch: 12 }];
  const third: StoryAction[] = [{ release: 'v3', replicas: 8 }, { watch: 8 }, 'finish'];
  const aborted = abort(1, SECONDS_AFTER_ABORT);
  const routes = ['alb', 'alb-ping-pong', 'nginx', 'istio', 'services', 'none'] as const;
  const noPods = { ...alb, steps: [{ setCanaryScale: { replicas: 0 } }, { setWeight: 0 }, { pause: {} }, ...STEPS] };
  return [
    ...routes.flatMap((route) => {
      const stack = { route, strategy: route === 'none' || route === 'services' ? {} : SOON };
      return [
        lab(`${route}-release-scaled`, stack, [{ release: 'v2', replicas: 8 }, 'finish']),
        lab(`${route}-undo-scaled-up`, stack, [...upTo(1), ...back(8)]),
        lab(`${route}-undo-scaled-down`, stack, [...upTo(2), ...back(3)]),
        lab(`${route}-undo-scaled-to-few`, stack, [...upTo(2), ...back(2)]),
        lab(`${route}-undo-scaled-to-one`, stack, [...upTo(1), ...back(1)]),
        lab(`${route}-third-scaled`, stack, [...upTo(2), ...third]),
      ];
    }),
    lab('alb-no-pods-undo-scaled', noPods, [{ release: 'v2' }, PAUSED, ...back(8)]),
    lab('alb-min-pods-undo-scaled', { ...alb, strategy: { ...SOON, minPodsPerReplicaSet: 2 } }, [
      ...upTo(1),
      ...back(8),
    ]),
    lab('alb-release-scaled-down', alb, [{ release: 'v2', replicas: 2 }, 'finish']),
    lab('alb-release-scaled-broken', alb, [{ release: 'v2', replicas: 8, ready: 'never' }, { watch: 8 }, ...back(4)]),
    lab('alb-undo-later-scaled', alb, [...STRAIGHT, { watch: 12 }, { release: 'v1', replicas: 8 }, 'finish']),
    lab('alb-third-known-scaled', alb, [
      ...upTo(2),
      { release: 'v3' },
      { watch: 8 },
      { release: 'v2', replicas: 8 },
      { watch: 8 },
      'finish',
    ]),
    lab('alb-aborted-undo-scaled', alb, [...aborted, ...back(8)]),
    lab('alb-aborted-undo-scaled-release', alb, [...aborted, ...back(8), { release: 'v3' }, 'finish']),
    lab('alb-aborted-undo-scaled-back', alb, [
      ...aborted,
      ...back(8),
      scale(4),
      { watch: 10 },
      scale(8),
      { watch: 10 },
    ]),
    lab('alb-aborted-undo-scaled-other', alb, [...aborted, ...back(8), scale(6), { watch: 10 }]),
    lab('alb-aborted-undo-scaled-retry', alb, [...aborted, ...back(8), 'retry', { watch: 10 }]),
    lab('services-aborted-undo-scaled', { route: 'services' }, [...aborted, ...back(8)]),
    lab('alb-aborted-third-scaled', alb, [...aborted, ...third]),
    lab('alb-aborted-undo-scaled-delay-0', { ...alb, strategy: { ...SOON, abortScaleDownDelaySeconds: 0 } }, [
      ...abort(1, 6),
      ...back(8),
    ]),
    lab('alb-dynamic-release-scaled', { ...alb, strategy: DYNAMIC }, [{ release: 'v2', replicas: 8 }, 'finish']),
    lab('alb-dynamic-undo-scaled', { ...alb, strategy: DYNAMIC }, [...upTo(2), ...back(8)]),
    lab('alb-dynamic-aborted-undo-scaled', { ...alb, strategy: DYNAMIC }, [...aborted, ...back(8)]),
    lab('bg-release-scaled', blueGreen, [{ release: 'v2', replicas: 8 }, 'finish']),
    lab('bg-undo-scaled', blueGreen, [{ release: 'v2' }, PAUSED, ...back(8)]),
    ...[
      { name: 'back', more: [scale(4), { watch: 10 }, 'finish'] },
      { name: 'other', more: [scale(6), { watch: 10 }] },
      { name: 'again', more: [{ release: 'v2' }, { watch: 10 }, 'finish'] },
      { name: 'third', more: [{ release: 'v3' }, { watch: 10 }, 'finish'] },
    ].flatMap(({ name, more }) => [
      lab(`alb-undo-scaled-${name}`, alb, [...upTo(1), ...back(8), ...(more as StoryAction[])]),
      lab(`bg-undo-scaled-${name}`, blueGreen, [{ release: 'v2' }, PAUSED, ...back(8), ...(more as StoryAction[])]),
    ]),
    lab('bg-third-scaled-back', blueGreen, [{ release: 'v2' }, PAUSED, ...third.slice(0, 2), scale(4), { watch: 8 }]),
    lab('bg-aborted-undo-scaled-early', { route: 'blueGreen' }, [
      { release: 'v2' },
      PAUSED,
      'abort',
      DEGRADED,
      ...back(8),
    ]),
    lab('alb-third-broken-scaled', alb, [
      ...upTo(2),
      { release: 'v3', ready: 'never' },
      { watch: 6 },
      scale(8),
      { watch: 10 },
    ]),
    lab('bg-third-scaled', blueGreen, [{ release: 'v2' }, PAUSED, ...third]),
    lab('bg-aborted-undo-scaled', blueGreen, [
      { release: 'v2' },
      PAUSED,
      'abort',
      DEGRADED,
      { watch: SECONDS_AFTER_ABORT },
      ...back(8),
    ]),
    lab('bg-few-previews-undo-scaled', { route: 'blueGreen', strategy: { ...SOON, previewReplicaCount: 1 } }, [
      { release: 'v2' },
      PAUSED,
      ...back(8),
    ]),
  ];
}

function blueGreen(): ListedLab[] {
  const route = 'blueGreen';
  const stack = { route, strategy: SOON } as const;
  const toPause: StoryAction[] = [{ release: 'v2' }, PAUSED];
  const aborted: StoryAction[] = ['abort', DEGRADED, { watch: SECONDS_AFTER_ABORT }];
  return [
    lab('bg-straight', stack),
    lab('bg-twice', stack, [...STRAIGHT, { release: 'v3' }, 'finish']),
    lab('bg-automatic', { route, strategy: { autoPromotionEnabled: true } }),
    lab('bg-automatic-seconds', { route, strategy: { autoPromotionEnabled: true, autoPromotionSeconds: 4 } }),
    // Without autoPromotionEnabled the seconds do not count: the release waits until somebody promotes it.
    lab('bg-seconds-alone', { route, strategy: { autoPromotionSeconds: 4 } }, [
      ...toPause,
      { watch: 12 },
      'promote',
      { until: { phase: 'Healthy' } },
      { watch: 40 },
    ]),
    lab('bg-without-preview', { route, strategy: { ...SOON, previewService: undefined } }),
    lab('bg-few-previews', { route, strategy: { ...SOON, previewReplicaCount: 1 } }),
    lab('bg-more-previews', { route, strategy: MORE_PREVIEWS }),
    lab('bg-more-previews-abort', { route, strategy: MORE_PREVIEWS }, [...toPause, ...aborted]),
    lab('bg-more-previews-full', { route, strategy: MORE_PREVIEWS }, [...toPause, 'promote-full', 'finish']),
    lab('bg-more-previews-scale', { route, strategy: MORE_PREVIEWS }, [...toPause, scale(8), { watch: 8 }, 'finish']),
    lab('bg-more-previews-third', { route, strategy: MORE_PREVIEWS }, [
      ...toPause,
      { release: 'v3' },
      { watch: 8 },
      'finish',
    ]),
    lab('bg-one-pod', { ...stack, replicas: 1 }),
    lab('bg-workload-ref', { ...stack, workloadRef: true }),
    lab('bg-abort', stack, [...toPause, ...aborted]),
    lab('bg-abort-delay-0', { route, strategy: { ...SOON, abortScaleDownDelaySeconds: 0 } }, [...toPause, ...aborted]),
    lab('bg-abort-early', stack, [{ release: 'v2', ready: 'never' }, { watch: 6 }, ...aborted]),
    lab('bg-abort-after', stack, [...toPause, 'promote', { until: { phase: 'Healthy' } }, 'abort', { watch: 8 }]),
    lab('bg-retry', stack, [...toPause, ...aborted, 'retry', 'finish']),
    lab('bg-third', stack, [...toPause, { release: 'v3' }, { watch: 8 }, 'finish']),
    lab('bg-undo', stack, [...toPause, { release: 'v1' }, { watch: 12 }]),
    // As long as the old pods are there, the way back is short.
    lab('bg-undo-after', { route, strategy: { ...SOON, scaleDownDelaySeconds: 60 } }, [
      ...STRAIGHT,
      { release: 'v1' },
      'finish',
    ]),
    lab('bg-undo-late', stack, [...STRAIGHT, { watch: 12 }, { release: 'v1' }, 'finish']),
    lab('bg-deadline-abort', { ...stack, spec: { progressDeadlineSeconds: 8, progressDeadlineAbort: true } }, [
      { release: 'v2', ready: 'never' },
      { watch: 25 },
    ]),
    lab('bg-full', stack, [...toPause, 'promote-full', 'finish']),
    lab('bg-delete', stack, [...toPause, 'delete', { watch: 20 }]),
    lab('bg-broken', stack, [{ release: 'v2', ready: 'never' }, { watch: 12 }, { release: 'v1' }, { watch: 8 }]),
    lab('bg-service-gone', stack, [...toPause, patchOf('Service', 'v1', null, 'shop-preview'), { watch: 5 }, 'finish']),
    lab('bg-scale', stack, [
      ...toPause,
      patchOf('Rollout', 'argoproj.io/v1alpha1', { spec: { replicas: 6 } }),
      { watch: 6 },
      'finish',
    ]),
  ];
}

/** Verification of weights and targets: load balancers that are fast, late, or take something over no more. */
function verification(): ListedLab[] {
  const alb = { route: 'alb', strategy: SOON } as const;
  const pingPong = { route: 'alb-ping-pong', strategy: SOON } as const;
  const keepsWeights: StoryAction = { loadBalancer: 'keeps-weights' };
  const keepsTargets: StoryAction = { loadBalancer: 'keeps-targets' };
  const follows: StoryAction = { loadBalancer: 'follows' };
  const twice: StoryAction[] = [...STRAIGHT, { release: 'v3' }, 'finish'];
  /** The weight of the second step is never there. */
  const stands: StoryAction[] = [...upTo(1), keepsWeights, 'promote', { until: { step: 2 } }, { watch: 16 }];
  // Longer than new pods take on a busy machine.
  const deadline = { progressDeadlineSeconds: 20 };
  const standsAtEnd: StoryAction[] = [
    { release: 'v2' },
    PAUSED,
    keepsWeights,
    'promote',
    { until: { step: 2 } },
    { watch: 25 },
  ];
  const toEnd = [{ setWeight: 50 }, { pause: {} }];
  return [
    verified('alb-straight', alb, {}),
    verified('alb-twice', alb, {}, twice),
    verified('alb-slow', alb, { weightsAfter: 6 }),
    verified('alb-late', alb, { targetsAfter: 15 }),
    verified('alb-two-ingresses', { ...alb, route: 'alb-two-ingresses' }, {}),
    verified('alb-abort', alb, {}, abort(2, SECONDS_AFTER_ABORT)),
    verified('alb-dynamic', { ...alb, strategy: DYNAMIC }, {}),
    verified('alb-missing', alb, { isMissing: true }, [keepsWeights, { release: 'v2' }, { watch: 25 }]),
    verified('alb-kept-first', alb, {}, [keepsWeights, { release: 'v2' }, { watch: 25 }]),
    verified('alb-kept', alb, {}, stands),
    verified('alb-kept-slow', alb, { weightsAfter: 4 }, stands),
    verified('alb-kept-zero', { ...alb, steps: [{ setWeight: 0 }, { pause: {} }, ...STEPS] }, {}, [
      keepsWeights,
      { release: 'v2' },
      PAUSED,
      'promote',
      { watch: 16 },
    ]),
    verified('alb-kept-end', { ...alb, steps: toEnd }, {}, standsAtEnd),
    verified('alb-kept-end-abort', { ...alb, steps: toEnd }, {}, [
      ...standsAtEnd,
      'abort',
      DEGRADED,
      { watch: SECONDS_AFTER_ABORT },
    ]),
    verified('alb-kept-end-follows', { ...alb, steps: toEnd }, {}, [...standsAtEnd, follows, 'finish']),
    verified('alb-kept-follows', alb, {}, [...stands, follows, 'finish']),
    verified('alb-kept-abort', alb, {}, [...stands, 'abort', DEGRADED, { watch: SECONDS_AFTER_ABORT }]),
    verified('alb-kept-promote', alb, {}, [...stands, 'promote', { watch: 16 }]),
    verified('alb-kept-full', alb, {}, [...stands, 'promote-full', 'finish']),
    verified('alb-kept-undo', alb, {}, [...stands, { release: 'v1' }, { watch: 12 }]),
    verified('alb-kept-third', alb, {}, [...stands, { release: 'v3' }, { watch: 25 }]),
    verified('alb-kept-delete', alb, {}, [...stands, 'delete', { watch: 20 }]),
    verified('alb-kept-deadline', { ...alb, spec: deadline }, {}, [...stands, { watch: 25 }]),
    verified('alb-kept-deadline-abort', { ...alb, spec: { ...deadline, progressDeadlineAbort: true } }, {}, [
      ...stands,
      { watch: 25 },
    ]),
    verified(
      'alb-kept-end-deadline-abort',
      { ...alb, steps: toEnd, spec: { ...deadline, progressDeadlineAbort: true } },
      {},
      [...standsAtEnd, { watch: 25 }],
    ),
    verified(
      'alb-kept-100-deadline-abort',
      {
        ...alb,
        steps: [...toEnd, { setWeight: 100 }, { pause: {} }],
        spec: { ...deadline, progressDeadlineAbort: true },
      },
      {},
      [...standsAtEnd, { watch: 25 }],
    ),
    verified('alb-targets-kept-deadline-abort', { ...alb, spec: { ...deadline, progressDeadlineAbort: true } }, {}, [
      keepsTargets,
      ...STRAIGHT,
      { watch: 40 },
    ]),
    verified('alb-targets-kept', alb, {}, [keepsTargets, ...STRAIGHT, { watch: 20 }]),
    verified('alb-targets-kept-follows', alb, {}, [keepsTargets, ...STRAIGHT, { watch: 12 }, follows, { watch: 25 }]),
    verified('alb-targets-kept-twice', alb, {}, [keepsTargets, ...twice, { watch: 20 }]),
    verified('ping-pong-straight', pingPong, {}),
    verified('ping-pong-twice', pingPong, {}, [...STRAIGHT, OLD_PODS_GO, { release: 'v3' }, 'finish']),
    verified('ping-pong-late', pingPong, { targetsAfter: 15 }),
    verified('ping-pong-kept', pingPong, {}, stands),
    verified('bg-straight', { route: 'blueGreen', strategy: SOON }, {}),
    verified('bg-late', { route: 'blueGreen', strategy: SOON }, { targetsAfter: 15 }),
    verified('bg-kept', { route: 'blueGreen', strategy: SOON }, {}, [
      { release: 'v2' },
      PAUSED,
      keepsTargets,
      'promote',
      { watch: 25 },
    ]),
    verified('bg-kept-abort', { route: 'blueGreen', strategy: SOON }, {}, [
      { release: 'v2' },
      PAUSED,
      keepsTargets,
      'promote',
      { watch: 16 },
      'abort',
      { watch: SECONDS_AFTER_ABORT },
    ]),
    verified('bg-kept-follows', { route: 'blueGreen', strategy: SOON }, {}, [
      { release: 'v2' },
      PAUSED,
      keepsTargets,
      'promote',
      { watch: 16 },
      follows,
      'finish',
    ]),
  ];
}

/** The labs of Argo Rollouts, by name. */
export function argoLabs(release: string): ListedLab[] {
  const all = [
    ...everyRouter(),
    ...fields(),
    ...incidents(),
    ...dynamic(),
    ...edits(),
    ...soon(),
    ...threshold(release),
    ...subsets(),
    ...experiments(),
    ...rollbackWindows(),
    ...gitOps(),
    ...analyses(),
    ...extras(),
    ...bothAtOnce(),
    ...blueGreen(),
    ...verification(),
  ];
  return all.sort((a, b) => (a.name < b.name ? -1 : 1));
}
