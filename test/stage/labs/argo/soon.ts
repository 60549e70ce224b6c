/** People act while the pods of an aborted release still run, as they do for 30 seconds by default. */
import type { StoryAction } from '../../../../src/release';
import type { ListedLab } from '../listed';
import { LOOK } from '../paused';
import { DEGRADED, lab, SOON, strategyEdit, upTo, WAITING } from './lab';
import { STEPS } from './stack';

/** What they do. */
const DEEDS: Readonly<Record<string, readonly StoryAction[]>> = {
  retry: ['retry', LOOK, 'finish'],
  undo: [{ release: 'v1' }, LOOK],
  third: [{ release: 'v3' }, LOOK, 'finish'],
  scale: [{ scale: 6 }, LOOK],
  edit: [strategyEdit('canary', { steps: STEPS.slice(2) }), LOOK, 'finish'],
  delete: ['delete', LOOK],
};

/** The pods of an aborted release stay longer than anybody looks. */
const LASTING = { abortScaleDownDelaySeconds: 60 };

/** Once they have gone, somebody promotes the version fully all the same. */
const PROMOTED: readonly StoryAction[] = [...upTo(1), 'abort', DEGRADED, LOOK, 'promote-full', LOOK];

export function soon(): ListedLab[] {
  const told = (route: 'alb' | 'istio' | 'nginx' | 'services', ...deeds: readonly string[]) =>
    deeds.map((deed) =>
      lab(`${route}-aborted-soon-${deed}`, { route }, [...upTo(2), 'abort', DEGRADED, ...DEEDS[deed]!]),
    );
  return [
    ...told('alb', 'retry', 'undo', 'third', 'scale', 'edit', 'delete'),
    ...told('istio', 'retry', 'undo', 'third', 'edit'),
    ...told('nginx', 'retry', 'undo', 'third'),
    ...told('services', 'retry', 'undo', 'third'),
    ...['retry', 'undo', 'third', 'scale', 'delete'].map((deed) =>
      lab(`bg-aborted-soon-${deed}`, { route: 'blueGreen' }, [...WAITING, 'abort', DEGRADED, ...DEEDS[deed]!]),
    ),
    ...Object.entries({
      previews: { previewReplicaCount: 1 },
      'more-previews': { previewReplicaCount: 6 },
      'at-once': { autoPromotionEnabled: true, autoPromotionSeconds: 60 },
      'delay-0': { abortScaleDownDelaySeconds: 0 },
    }).map(([name, strategy]) =>
      lab(`bg-aborted-soon-retry-${name}`, { route: 'blueGreen', strategy: { ...SOON, ...LASTING, ...strategy } }, [
        ...WAITING,
        'abort',
        DEGRADED,
        'retry',
        LOOK,
        'finish',
        LOOK,
      ]),
    ),
    ...(['alb', 'alb-ping-pong', 'istio', 'nginx', 'services', 'none'] as const).map((route) =>
      lab(`${route}-aborted-full`, { route, strategy: route === 'none' || route === 'services' ? {} : SOON }, PROMOTED),
    ),
    lab('alb-aborted-full-dynamic', { route: 'alb', strategy: { dynamicStableScale: true } }, PROMOTED),
    lab('bg-aborted-full', { route: 'blueGreen', strategy: SOON }, [
      ...WAITING,
      'abort',
      DEGRADED,
      LOOK,
      'promote-full',
      LOOK,
    ]),
    ...(['alb', 'istio', 'nginx', 'services'] as const).map((route) =>
      lab(`${route}-released-soon-third`, { route }, [{ release: 'v2' }, 'finish', { release: 'v3' }, LOOK, 'finish']),
    ),
    lab('bg-released-soon-third', { route: 'blueGreen' }, [...WAITING, 'finish', { release: 'v3' }, LOOK, 'finish']),
    lab('bg-undone-soon-again', { route: 'blueGreen', strategy: { scaleDownDelaySeconds: 60 } }, [
      ...WAITING,
      { release: 'v1' },
      { watch: 8 },
      { release: 'v2' },
      LOOK,
      'finish',
    ]),
    lab('bg-aborted-soon-undo-again', { route: 'blueGreen', strategy: LASTING }, [
      ...WAITING,
      'abort',
      DEGRADED,
      { release: 'v1' },
      { watch: 8 },
      { release: 'v2' },
      LOOK,
      'finish',
    ]),
  ];
}
