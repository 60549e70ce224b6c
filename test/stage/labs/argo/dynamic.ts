/** Releases with `dynamicStableScale` that go back: the stable pods have to come back first. */
import type { StoryAction } from '../../../../src/release';
import type { KubernetesObject } from '../../cluster/api';
import type { ListedLab } from '../listed';
import { BETA, DEGRADED, lab, SET_BETA, strategyEdit, upTo } from './lab';

const DYNAMIC = { dynamicStableScale: true };
const PAUSE: KubernetesObject = { pause: {} };
/** Long enough for pods that come back in several batches. */
const BACK: StoryAction = { watch: 25 };

/** Weights, each with a pause of people after it. */
const weights = (...list: readonly number[]) => list.flatMap((setWeight) => [{ setWeight }, PAUSE]);

const aborted = (pause: number): StoryAction[] => [...upTo(pause), 'abort', DEGRADED, BACK];
const abortedAt = (first: number, second: number): StoryAction[] => [
  { release: 'v2' },
  { until: { phase: 'Paused', step: first } },
  'promote',
  { until: { phase: 'Paused', step: second } },
  'abort',
  DEGRADED,
  BACK,
];
const undone = (pause: number): StoryAction[] => [...upTo(pause), { release: 'v1' }, BACK];

/** What people can do about an abort that never ends. */
const WAYS_OUT: Readonly<Record<string, readonly StoryAction[]>> = {
  undo: [{ release: 'v1' }],
  retry: ['retry'],
  third: [{ release: 'v3' }],
  edit: [strategyEdit('canary', { abortScaleDownDelaySeconds: null })],
  scale: [{ scale: 12 }],
};

export function dynamic(): ListedLab[] {
  const alb = { route: 'alb', replicas: 10, strategy: DYNAMIC, steps: weights(20, 40, 60, 80) } as const;
  const delay = (seconds: number) => ({ ...alb, strategy: { ...DYNAMIC, abortScaleDownDelaySeconds: seconds } });
  const least = { ...alb, strategy: { ...DYNAMIC, minPodsPerReplicaSet: 3 }, steps: weights(10, 50) };
  const scaled = { ...alb, steps: [{ setCanaryScale: { replicas: 3 } }, ...weights(40, 80)] };
  const header = {
    routing: { managedRoutes: [BETA] },
    steps: [{ setCanaryScale: { weight: 20 } }, SET_BETA, ...weights(20, 60)],
  };
  return [
    lab('alb-dynamic-min-pods-above', {
      route: 'alb',
      replicas: 2,
      strategy: { ...DYNAMIC, minPodsPerReplicaSet: 3 },
      steps: weights(25, 50),
    }),
    ...(['alb', 'alb-ping-pong', 'istio', 'nginx'] as const).flatMap((route) => [
      lab(`${route}-dynamic-back-abort`, { ...alb, route }, aborted(3)),
      lab(`${route}-dynamic-back-undo`, { ...alb, route }, undone(3)),
    ]),
    lab('alb-dynamic-back-abort-first', alb, aborted(1)),
    lab('alb-dynamic-back-abort-full', { ...alb, steps: weights(50, 100) }, aborted(2)),
    lab('alb-dynamic-back-undo-full', { ...alb, steps: weights(50, 100) }, undone(2)),
    lab('alb-dynamic-back-abort-down', { ...alb, steps: weights(60, 20, 80) }, aborted(3)),
    lab('alb-dynamic-back-abort-delay', delay(5), aborted(3)),
    lab('alb-dynamic-back-abort-delay-first', delay(5), aborted(1)),
    lab('alb-dynamic-back-abort-delay-0', delay(0), aborted(3)),
    lab('alb-dynamic-back-abort-min-pods', least, aborted(2)),
    lab('alb-dynamic-back-abort-min-pods-first', least, aborted(1)),
    // All stable pods are there, so the delay begins, and ends the abort.
    lab('alb-dynamic-back-abort-delay-few', { ...delay(5), steps: weights(8, 12) }, aborted(2)),
    lab('alb-dynamic-back-abort-header', { ...alb, ...header }, abortedAt(3, 5)),
    lab('alb-dynamic-back-abort-header-delay', { ...delay(5), ...header }, abortedAt(3, 5)),
    lab('alb-dynamic-back-abort-canary-scale', scaled, abortedAt(2, 4)),
    ...Object.entries(WAYS_OUT).map(([name, way]) =>
      lab(`alb-dynamic-back-stuck-${name}`, delay(5), [...aborted(3), ...way, BACK]),
    ),
    lab('alb-dynamic-back-abort-retry', alb, [...aborted(3), 'retry', { watch: 10 }, 'finish']),
    lab('alb-dynamic-back-abort-undo', alb, [...aborted(3), { release: 'v1' }, { watch: 10 }]),
  ];
}
