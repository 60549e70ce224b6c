/** Releases with `replicaProgressThreshold`, which says how many ready pods are enough to go on. */
import { thresholdOf } from '../../../../src/argo/controller/threshold';
import { ArgoRolloutsVersion } from '../../../../src/argo/version';
import type { StoryAction } from '../../../../src/release';
import type { KubernetesObject } from '../../cluster/api';
import type { ListedLab } from '../listed';
import { DEGRADED, lab, SOON, STRAIGHT, strategyEdit, upTo } from './lab';
import { STEPS, type StackOptions } from './stack';

const LOOK: StoryAction = { watch: 12 };
const SHORT: StoryAction = { watch: 8 };
const pods = (value: number) => ({ replicaProgressThreshold: { type: 'Pods', value } });
const percent = (value: number) => ({ replicaProgressThreshold: { type: 'Percent', value } });

/** With 4 pods, the steps of the plainest stack have 1, 2 and 3. */
const of = (route: 'alb' | 'istio' | 'none' | 'nginx', strategy: KubernetesObject, more: Partial<StackOptions> = {}) =>
  ({
    route,
    ...more,
    strategy: { ...(route === 'none' || 'dynamicStableScale' in strategy ? {} : SOON), ...strategy },
  }) as const;

/** A release without the field drops it, which one lab shows. */
const DROPPED = 'alb-threshold-pods-3';

export function threshold(release: string): ListedLab[] {
  const broken: readonly StoryAction[] = [{ release: 'v2', ready: 'never' }, SHORT];
  const stuck: readonly StoryAction[] = [{ release: 'v2' }, LOOK];
  const ways: Readonly<Record<string, readonly StoryAction[]>> = {
    abort: ['abort', DEGRADED, LOOK],
    undo: [{ release: 'v1' }, LOOK],
    promote: ['promote', SHORT, 'promote', SHORT, 'promote', 'finish'],
    full: ['promote-full', 'finish'],
    scale: [{ scale: 12 }, SHORT, 'finish'],
    third: [{ release: 'v3' }, SHORT],
  };
  const skipped: readonly StoryAction[] = [...broken, 'promote', SHORT, 'promote', SHORT, 'promote', SHORT];
  const isDropped = thresholdOf(pods(1), ArgoRolloutsVersion.of(release)) === undefined;
  const all = [
    lab('alb-threshold-pods-1', of('alb', pods(1))),
    lab('none-threshold-pods-1', of('none', pods(1))),
    lab('alb-threshold-percent-50', of('alb', percent(50), { replicas: 8 })),
    lab('alb-threshold-negative', of('alb', pods(-1))),
    lab(
      'istio-threshold-other-type',
      of('istio', { replicaProgressThreshold: { type: 'Percentage', value: 50 } }),
      stuck,
    ),
    lab('alb-threshold-pods-3', of('alb', pods(3)), stuck),
    lab('none-threshold-pods-3', of('none', pods(3)), stuck),
    lab('alb-threshold-pods-2-scaled', of('alb', pods(2), { steps: [{ setCanaryScale: { replicas: 2 } }, ...STEPS] })),
    lab(
      'alb-threshold-pods-1-without',
      of('alb', pods(1), { steps: [{ setWeight: 0 }, { pause: {} }, ...STEPS] }),
      stuck,
    ),
    ...(['alb', 'none'] as const).map((route) =>
      lab(`${route}-threshold-edit-fewer`, of(route, pods(1)), [
        ...upTo(2),
        strategyEdit('canary', { steps: [{ setWeight: 20 }, { pause: {} }, { setWeight: 60 }] }),
        LOOK,
      ]),
    ),
    lab(
      'alb-threshold-percent-100-more',
      of('alb', percent(100), {
        replicas: 1,
        steps: [{ setCanaryScale: { replicas: 3 } }, { setWeight: 37 }, { pause: {} }],
      }),
    ),
    lab(
      'alb-threshold-percent-100-without',
      of('alb', percent(100), { steps: [{ setWeight: 0 }, { pause: {} }, ...STEPS] }),
    ),
    ...Object.entries(ways).flatMap(([way, deeds]) =>
      (['alb', 'none'] as const).map((route) =>
        lab(`${route}-threshold-percent-150-${way}`, of(route, percent(150)), [...stuck, ...deeds]),
      ),
    ),
    lab('alb-threshold-pods-2-promote', of('alb', pods(2)), [...stuck, 'promote', SHORT, 'promote', 'finish']),
    lab('alb-threshold-dynamic', of('alb', { dynamicStableScale: true, ...percent(50) }, { replicas: 8 })),
    lab('alb-threshold-dynamic-undo', of('alb', { dynamicStableScale: true, ...percent(50) }, { replicas: 8 }), [
      ...upTo(2),
      { release: 'v1' },
      LOOK,
    ]),
    ...(['alb', 'istio', 'nginx', 'none'] as const).flatMap((route) => [
      lab(`${route}-threshold-zero-broken`, of(route, percent(0)), [...broken, 'finish', SHORT, { watch: 12 }]),
      lab(`${route}-threshold-zero`, of(route, percent(0))),
    ]),
    lab('alb-threshold-zero-broken-undo', of('alb', percent(0)), [
      ...broken,
      'promote',
      SHORT,
      { release: 'v1' },
      LOOK,
    ]),
    lab('alb-threshold-zero-broken-full', of('alb', percent(0)), [...broken, 'promote-full', LOOK]),
    lab('alb-threshold-zero-pods-broken', of('alb', pods(0)), [...broken, 'finish', { watch: 12 }]),
    ...(['v1', 'v3'] as const).flatMap((release) =>
      (['alb', 'none'] as const).map((route) =>
        lab(`${route}-threshold-zero-broken-${release}`, of(route, percent(0)), [
          ...broken,
          'finish',
          SHORT,
          { release },
          LOOK,
          'finish',
        ]),
      ),
    ),
    // The same without a threshold: a step is skipped, and nothing is routed.
    ...(['alb', 'istio-subsets', 'none', 'alb-ping-pong'] as const).map((route) =>
      lab(`${route}-broken-promote`, { route, strategy: route === 'none' ? {} : SOON }, skipped),
    ),
    lab('alb-broken-later-promote', of('alb', {}), [
      ...upTo(1),
      { release: 'v3', ready: 'never' },
      SHORT,
      'promote',
      SHORT,
      'promote',
      SHORT,
    ]),
    lab('alb-threshold-straight-twice', of('alb', pods(1)), [...STRAIGHT, SHORT, { release: 'v3' }, 'finish']),
  ];
  return all.filter(({ name }) => !isDropped || name === DROPPED || !name.includes('threshold'));
}
