/** People change the steps of a Rollout of Argo in the middle of a release. */
import type { StoryAction } from '../../../../src/release';
import type { KubernetesObject } from '../../cluster/api';
import type { ListedLab } from '../listed';
import { beginPaused, LOOK, whilePaused } from '../paused';
import { abort, BETA, lab, patchOf, SET_BETA, SOON, strategyEdit, upTo, WAITING } from './lab';
import { STEPS, serviceOf } from './stack';

/** The whole Rollout pauses, or goes on. */
const pause = (paused: boolean) => patchOf('Rollout', 'argoproj.io/v1alpha1', { spec: { paused } });
const PAUSE: KubernetesObject = { pause: {} };
const BROKEN: StoryAction = { release: 'v2', ready: 'never' };

const fields = (canary: KubernetesObject) => strategyEdit('canary', canary);

const edit = (steps: readonly KubernetesObject[]) => fields({ steps });

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
    lab('services-paused-undo-late', { route: 'services', replicas: 4, steps: [{ setWeight: 100 }, PAUSE] }, [
      ...upTo(1),
      ...whilePaused(pause, { release: 'v1' }),
    ]),
    lab('alb-edit-no-steps', alb, [...upTo(1), edit([]), LOOK, 'finish']),
    lab('alb-edit-after-abort', alb, [...abort(2, 12), FEWER, LOOK, 'finish']),
    lab('alb-edit-after-end', alb, [{ release: 'v2' }, 'finish', FEWER, LOOK, { release: 'v3' }, 'finish']),
    lab('alb-edit-broken', alb, [BROKEN, LOOK, MORE, LOOK, { release: 'v1' }, LOOK]),
    lab('alb-edit-same-weights', alb, [...upTo(2), edit([...STEPS, PAUSE]), LOOK, 'finish']),
    ...blueGreen(),
    lab('alb-edit-min-pods', alb, [...upTo(1), fields({ minPodsPerReplicaSet: 3 }), LOOK, 'finish']),
    lab('alb-edit-dynamic-on', { ...alb, replicas: 8 }, [
      ...upTo(2),
      fields({ dynamicStableScale: true }),
      LOOK,
      'abort',
      LOOK,
    ]),
    lab('alb-edit-dynamic-off', dynamic, [
      ...upTo(2),
      fields({ dynamicStableScale: null }),
      LOOK,
      { release: 'v1' },
      LOOK,
    ]),
    lab('alb-edit-no-router', alb, [...upTo(2), fields({ trafficRouting: null }), LOOK, 'finish']),
    lab('alb-edit-max-weight', alb, [
      ...upTo(1),
      fields({ trafficRouting: { maxTrafficWeight: 200 } }),
      LOOK,
      'finish',
    ]),
    lab('none-edit-surge', { route: 'none', replicas: 8 }, [
      ...upTo(1),
      fields({ maxSurge: 0, maxUnavailable: 1 }),
      LOOK,
      'finish',
    ]),
    ...otherStrategies(),
    ...otherServices(),
    ...missing(),
  ];
}

/** The same of a blue-green Rollout, which waits before the switch. */
function blueGreen(): ListedLab[] {
  const stack = { route: 'blueGreen', replicas: 4, strategy: SOON } as const;
  const few = { ...stack, strategy: { ...SOON, previewReplicaCount: 1 } };
  const change = (fields: KubernetesObject) => strategyEdit('blueGreen', fields);
  return [
    lab('bg-edit-automatic', stack, [...WAITING, change({ autoPromotionEnabled: true }), LOOK]),
    lab('bg-edit-seconds', stack, [...WAITING, change({ autoPromotionEnabled: true, autoPromotionSeconds: 5 }), LOOK]),
    lab('bg-edit-previews', stack, [...WAITING, change({ previewReplicaCount: 2 }), LOOK, 'finish']),
    lab('bg-edit-no-previews', few, [...WAITING, change({ previewReplicaCount: null }), LOOK, 'finish']),
    lab('bg-edit-invalid', stack, [...WAITING, change({ antiAffinity: {} }), LOOK, 'promote', LOOK, 'abort', LOOK]),
    lab('bg-paused', stack, [...WAITING, ...beginPaused(pause), 'promote', LOOK, 'finish']),
    lab('bg-paused-undo', stack, [...WAITING, ...whilePaused(pause, { release: 'v1' })]),
    lab('bg-paused-third', stack, [...WAITING, ...whilePaused(pause, { release: 'v3' }), 'finish']),
    lab('bg-paused-abort', stack, [...WAITING, ...whilePaused(pause, 'abort')]),
    lab('bg-paused-scale', stack, [...WAITING, ...whilePaused(pause, { scale: 6 }), 'finish']),
    lab('bg-paused-before', stack, [...whilePaused(pause, { release: 'v2' }), 'finish']),
  ];
}

/** Another kind of strategy, with the same Services. */
function otherStrategies(): ListedLab[] {
  const rollout = (strategy: KubernetesObject) => patchOf('Rollout', 'argoproj.io/v1alpha1', { spec: { strategy } });
  const toBlueGreen = (fields: KubernetesObject = {}) =>
    rollout({
      canary: null,
      blueGreen: {
        ...SOON,
        activeService: 'shop-stable',
        previewService: 'shop-canary',
        autoPromotionEnabled: false,
        ...fields,
      },
    });
  const toCanary = (fields: KubernetesObject = {}) =>
    rollout({
      blueGreen: null,
      canary: { stableService: 'shop-active', canaryService: 'shop-preview', steps: STEPS, ...fields },
    });
  const alb = { route: 'alb', replicas: 4, strategy: SOON } as const;
  const plain = { route: 'services', replicas: 4 } as const;
  const previews = toBlueGreen({ previewReplicaCount: 2 });
  const green = { route: 'blueGreen', replicas: 4, strategy: SOON } as const;
  const third: StoryAction = { release: 'v3' };
  return [
    ...(['alb', 'istio', 'nginx'] as const).map((route) =>
      lab(`${route}-to-blue-green`, { ...alb, route }, [...upTo(1), toBlueGreen(), LOOK]),
    ),
    lab('services-to-blue-green', plain, [...upTo(1), toBlueGreen(), LOOK]),
    lab('alb-to-blue-green-previews', alb, [...upTo(2), previews, LOOK, 'promote', LOOK]),
    lab('alb-to-blue-green-all-previews', { ...alb, steps: [{ setCanaryScale: { replicas: 4 } }, ...STEPS] }, [
      { release: 'v2' },
      { until: { phase: 'Paused', step: 2 } },
      previews,
      LOOK,
      { release: 'v1' },
      LOOK,
    ]),
    lab('alb-to-blue-green-abort', alb, [...upTo(1), 'abort', LOOK, toBlueGreen(), LOOK, 'retry', LOOK]),
    lab('alb-to-blue-green-broken', alb, [BROKEN, LOOK, toBlueGreen(), LOOK, { release: 'v1' }, LOOK]),
    lab('alb-to-blue-green-third', alb, [...upTo(1), toBlueGreen(), LOOK, third, LOOK, 'finish']),
    lab('alb-to-blue-green-after', alb, [
      { release: 'v2' },
      'finish',
      LOOK,
      toBlueGreen(),
      LOOK,
      third,
      LOOK,
      'finish',
    ]),
    lab('alb-to-blue-green-back', alb, [
      ...upTo(1),
      toBlueGreen(),
      LOOK,
      rollout({
        blueGreen: null,
        canary: { stableService: 'shop-stable', canaryService: 'shop-canary', steps: STEPS },
      }),
      LOOK,
      third,
      LOOK,
    ]),
    lab('bg-to-canary', green, [...WAITING, toCanary(), LOOK, 'finish']),
    lab('bg-to-canary-abort', green, [...WAITING, toCanary(), LOOK, 'abort', LOOK]),
    lab('bg-abort-to-canary', green, [...WAITING, 'abort', LOOK, toCanary(), LOOK, 'retry', LOOK, 'finish']),
    lab('bg-abort-to-canary-undo', green, [...WAITING, 'abort', LOOK, toCanary(), LOOK, { release: 'v1' }, LOOK]),
    lab('bg-abort-to-canary-third', green, [...WAITING, 'abort', LOOK, toCanary(), LOOK, third, LOOK, 'finish']),
    lab('bg-to-canary-undo', green, [...WAITING, toCanary(), LOOK, { release: 'v1' }, LOOK]),
    lab('bg-to-canary-routed', green, [
      ...WAITING,
      toCanary({ trafficRouting: { alb: { ingress: 'shop', servicePort: 80, rootService: 'shop-active' } } }),
      LOOK,
    ]),
    lab('bg-to-canary-broken', green, [BROKEN, LOOK, toCanary(), LOOK, { release: 'v1' }, LOOK]),
    lab('bg-to-canary-after', green, [{ release: 'v2' }, 'finish', LOOK, toCanary(), LOOK, third, 'finish']),
  ];
}

/** Another Service in the place of one. */
function otherServices(): ListedLab[] {
  const more = [serviceOf('shop-next')];
  const canary = strategyEdit('canary', { canaryService: 'shop-next' });
  const stable = strategyEdit('canary', { stableService: 'shop-next' });
  const none = strategyEdit('canary', { canaryService: null, stableService: null });
  const active = strategyEdit('blueGreen', { activeService: 'shop-next' });
  const preview = strategyEdit('blueGreen', { previewService: 'shop-next' });
  const noPreview = strategyEdit('blueGreen', { previewService: null });
  const alb = { route: 'alb', replicas: 4, strategy: SOON, more } as const;
  const services = { route: 'services', replicas: 4, more } as const;
  const green = { route: 'blueGreen', replicas: 4, strategy: SOON, more } as const;
  return [
    lab('alb-edit-canary-service', alb, [...upTo(1), canary, LOOK, 'finish']),
    lab('alb-edit-canary-service-abort', alb, [...upTo(1), canary, LOOK, 'abort', LOOK]),
    lab('alb-edit-canary-service-after', alb, [
      { release: 'v2' },
      'finish',
      LOOK,
      canary,
      LOOK,
      { release: 'v3' },
      LOOK,
    ]),
    lab('alb-edit-stable-service', alb, [...upTo(1), stable, LOOK]),
    lab('nginx-edit-canary-service', { ...alb, route: 'nginx' }, [...upTo(1), canary, LOOK, 'finish']),
    lab('istio-edit-canary-service', { ...alb, route: 'istio' }, [...upTo(1), canary, LOOK]),
    lab('services-edit-canary-service', services, [...upTo(1), canary, LOOK, { release: 'v1' }, LOOK]),
    lab('services-edit-stable-service', services, [...upTo(1), stable, LOOK, 'finish']),
    lab('services-edit-no-services', services, [...upTo(1), none, LOOK, 'finish']),
    lab('bg-edit-active-service', green, [...WAITING, active, LOOK, 'finish']),
    lab('bg-edit-preview-service', green, [...WAITING, preview, LOOK, 'finish']),
    lab('bg-edit-no-preview', green, [...WAITING, noPreview, LOOK, { release: 'v1' }, LOOK]),
  ];
}

/** The name of an object that does not exist. */
function missing(): ListedLab[] {
  const canary = strategyEdit('canary', { canaryService: 'shop-next' });
  const stable = strategyEdit('canary', { stableService: 'shop-next' });
  const right = strategyEdit('canary', { canaryService: 'shop-canary' });
  const preview = strategyEdit('blueGreen', { previewService: 'shop-next' });
  const routing = (fields: KubernetesObject) => strategyEdit('canary', { trafficRouting: fields });
  const alb = { route: 'alb', replicas: 4, strategy: SOON } as const;
  const [istio, nginx] = (['istio', 'nginx'] as const).map((route) => ({ ...alb, route }));
  const services = { route: 'services', replicas: 4 } as const;
  const green = { ...alb, route: 'blueGreen' } as const;
  const name = (object: string) => `${object}-missing`;
  return [
    lab(name('alb-edit-canary-service'), alb, [...upTo(1), canary, LOOK, 'promote', LOOK, { release: 'v1' }, LOOK]),
    lab(name('alb-edit-canary-service-corrected'), alb, [...upTo(1), canary, LOOK, right, LOOK, 'finish']),
    lab(name('alb-edit-stable-service'), alb, [...upTo(1), stable, LOOK, 'abort', LOOK]),
    lab(name('alb-edit-canary-service-after'), alb, [
      { release: 'v2' },
      'finish',
      { watch: 12 },
      canary,
      LOOK,
      { release: 'v3' },
      LOOK,
    ]),
    lab(name('alb-edit-canary-service-abort'), alb, [...abort(2, 12), canary, LOOK, right, LOOK, 'retry', LOOK]),
    lab(name('alb-edit-ingress'), alb, [...upTo(1), routing({ alb: { ingress: 'shop-next' } }), LOOK, 'promote', LOOK]),
    lab(name('nginx-edit-ingress'), nginx!, [
      ...upTo(1),
      routing({ nginx: { stableIngress: 'shop-next' } }),
      LOOK,
      'promote',
      LOOK,
    ]),
    lab(name('istio-edit-service'), istio!, [...upTo(1), canary, LOOK, right, LOOK, 'finish']),
    lab(name('istio-edit-route'), istio!, [
      ...upTo(1),
      routing({ istio: { virtualService: { name: 'shop-next' } } }),
      LOOK,
      'promote',
      LOOK,
    ]),
    lab(name('services-edit-canary-service'), services, [...upTo(1), canary, LOOK, right, LOOK, 'finish']),
    lab(name('bg-edit-preview-service'), green, [...WAITING, preview, LOOK, 'promote', LOOK]),
    lab(name('bg-edit-active-service'), green, [
      ...WAITING,
      strategyEdit('blueGreen', { activeService: 'shop-next' }),
      LOOK,
      { release: 'v1' },
      LOOK,
    ]),
  ];
}
