/** People change the steps of a Rollout of Argo in the middle of a release. */
import type { StoryAction } from '../../../../src/release';
import type { KubernetesObject } from '../../cluster/api';
import type { ListedLab } from '../listed';
import { beginPaused, LOOK, whilePaused } from '../paused';
import { abort, BETA, lab, patchOf, SET_BETA, SOON, upTo } from './lab';
import { STEPS } from './stack';

/** The whole Rollout pauses, or goes on. */
const pause = (paused: boolean) => patchOf('Rollout', 'argoproj.io/v1alpha1', { spec: { paused } });
const PAUSE: KubernetesObject = { pause: {} };
const BROKEN: StoryAction = { release: 'v2', ready: 'never' };

const edit = (steps: readonly KubernetesObject[]) =>
  patchOf('Rollout', 'argoproj.io/v1alpha1', { spec: { strategy: { canary: { steps } } } });

/** Fewer pods in the first step than before, and more. */
const FEWER = edit([{ setWeight: 20 }, PAUSE, ...STEPS.slice(2)]);
const MORE = edit([{ setWeight: 75 }, PAUSE]);

export function edits(): ListedLab[] {
  const alb = { route: 'alb', replicas: 4, strategy: SOON } as const;
  const dynamic = { ...alb, replicas: 8, strategy: { dynamicStableScale: true } };
  return [
    ...(['alb', 'istio', 'nginx'] as const).flatMap((route) => [
      lab(`${route}-edit-fewer-pods`, { ...alb, route }, [...upTo(2), FEWER, LOOK, 'finish']),
      lab(`${route}-edit-more-pods`, { ...alb, route }, [...upTo(1), MORE, LOOK, { release: 'v1' }, LOOK]),
    ]),
    lab('none-edit-more-pods', { route: 'none', replicas: 4 }, [...upTo(1), MORE, LOOK, 'finish']),
    lab('alb-edit-fewer-pods-abort', alb, [...upTo(2), FEWER, LOOK, 'abort', LOOK]),
    lab('alb-edit-dynamic-fewer-pods', dynamic, [...upTo(2), FEWER, LOOK, 'finish']),
    lab('alb-edit-dynamic-more-pods', dynamic, [...upTo(1), MORE, LOOK, 'finish']),
    lab('alb-edit-scale-first', alb, [
      ...upTo(2),
      edit([{ setCanaryScale: { replicas: 3 } }, ...STEPS]),
      LOOK,
      'finish',
    ]),
    lab('alb-edit-pause-first', alb, [...upTo(2), edit([PAUSE, ...STEPS]), LOOK, 'finish']),
    lab('alb-edit-header', { ...alb, routing: { managedRoutes: [BETA] }, steps: [SET_BETA, ...STEPS] }, [
      { release: 'v2' },
      { until: { phase: 'Paused', step: 2 } },
      edit(STEPS),
      LOOK,
      'finish',
    ]),
    lab('alb-edit-invalid', alb, [...upTo(1), edit([SET_BETA, ...STEPS]), LOOK, { release: 'v1' }, LOOK]),
    lab('alb-edit-invalid-corrected', alb, [...upTo(1), edit([SET_BETA, ...STEPS]), LOOK, FEWER, LOOK, 'finish']),
    lab('alb-edit-invalid-abort', alb, [...upTo(1), edit([SET_BETA, ...STEPS]), LOOK, 'abort', LOOK]),
    lab('alb-paused', alb, [...upTo(1), pause(true), LOOK, pause(false), LOOK, 'finish']),
    lab('alb-paused-promote', alb, [...upTo(1), ...beginPaused(pause), 'promote', LOOK, 'finish']),
    lab('alb-paused-abort', alb, [...upTo(2), ...whilePaused(pause, 'abort')]),
    lab('alb-paused-edit', alb, [...upTo(2), ...whilePaused(pause, FEWER), 'finish']),
    lab('alb-paused-scale', alb, [...upTo(2), ...whilePaused(pause, { scale: 8 }), 'finish']),
    lab('alb-paused-before', alb, [...whilePaused(pause, { release: 'v2' }), 'finish']),
    ...(['alb', 'istio'] as const).flatMap((route) => [
      lab(`${route}-paused-undo`, { ...alb, route }, [...upTo(2), ...whilePaused(pause, { release: 'v1' })]),
      lab(`${route}-paused-third`, { ...alb, route }, [...upTo(2), ...whilePaused(pause, { release: 'v3' }), 'finish']),
    ]),
    lab('alb-edit-no-steps', alb, [...upTo(1), edit([]), LOOK, 'finish']),
    lab('alb-edit-after-abort', alb, [...abort(2, 12), FEWER, LOOK, 'finish']),
    lab('alb-edit-after-end', alb, [{ release: 'v2' }, 'finish', FEWER, LOOK, { release: 'v3' }, 'finish']),
    lab('alb-edit-broken', alb, [BROKEN, LOOK, MORE, LOOK, { release: 'v1' }, LOOK]),
    lab('alb-edit-same-weights', alb, [...upTo(2), edit([...STEPS, PAUSE]), LOOK, 'finish']),
    ...blueGreen(),
  ];
}

/** The same of a blue-green Rollout, which waits before the switch. */
function blueGreen(): ListedLab[] {
  const stack = { route: 'blueGreen', replicas: 4, strategy: SOON } as const;
  const few = { ...stack, strategy: { ...SOON, previewReplicaCount: 1 } };
  const change = (fields: KubernetesObject) =>
    patchOf('Rollout', 'argoproj.io/v1alpha1', { spec: { strategy: { blueGreen: fields } } });
  const waiting: readonly StoryAction[] = [{ release: 'v2' }, { until: { phase: 'Paused' } }];
  return [
    lab('bg-edit-automatic', stack, [...waiting, change({ autoPromotionEnabled: true }), LOOK]),
    lab('bg-edit-seconds', stack, [...waiting, change({ autoPromotionEnabled: true, autoPromotionSeconds: 5 }), LOOK]),
    lab('bg-edit-previews', stack, [...waiting, change({ previewReplicaCount: 2 }), LOOK, 'finish']),
    lab('bg-edit-no-previews', few, [...waiting, change({ previewReplicaCount: null }), LOOK, 'finish']),
    lab('bg-edit-invalid', stack, [...waiting, change({ antiAffinity: {} }), LOOK, 'promote', LOOK, 'abort', LOOK]),
    lab('bg-paused', stack, [...waiting, ...beginPaused(pause), 'promote', LOOK, 'finish']),
    lab('bg-paused-undo', stack, [...waiting, ...whilePaused(pause, { release: 'v1' })]),
    lab('bg-paused-third', stack, [...waiting, ...whilePaused(pause, { release: 'v3' }), 'finish']),
    lab('bg-paused-abort', stack, [...waiting, ...whilePaused(pause, 'abort')]),
    lab('bg-paused-scale', stack, [...waiting, ...whilePaused(pause, { scale: 6 }), 'finish']),
    lab('bg-paused-before', stack, [...whilePaused(pause, { release: 'v2' }), 'finish']),
  ];
}
