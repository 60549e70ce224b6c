/** Random stacks and stories of Argo Rollouts. */
import * as fc from 'fast-check';
import type { StoryAction } from '../../../../src/release';
import type { KubernetesObject } from '../../cluster/api';
import { BETA, SET_BETA, STRAIGHT } from '../argo/lab';
import { ROUTES, type Route } from '../argo/routes';
import { type StackOptions, stackOf } from '../argo/stack';
import {
  appliedAgain,
  BACK,
  edited,
  editsOf,
  LOOK,
  paused,
  RELEASE,
  rarely,
  SHARES,
  THIRD,
  type Unnamed,
} from './chance';

const rollout = editsOf('argoproj.io/v1alpha1');
const pause = (paused: boolean) => rollout.edit({ paused });

const PAUSE: KubernetesObject = { pause: {} };
const isPause = (step: KubernetesObject) => 'pause' in step;

const canaryScale: fc.Arbitrary<KubernetesObject> = fc
  .oneof(
    fc.integer({ min: 0, max: 5 }).map((replicas) => ({ replicas })),
    fc.integer({ min: 0, max: 100 }).map((weight) => ({ weight })),
    fc.constant({ matchTrafficWeight: true }),
  )
  .map((setCanaryScale) => ({ setCanaryScale }));

function stepsOf(route: string): fc.Arbitrary<KubernetesObject[]> {
  const isRouted = route !== 'none' && route !== 'services';
  const hasHeaders = isRouted && route !== 'nginx' && route !== 'istio-subsets';
  return fc
    .record({
      shares: SHARES,
      scales: fc.array(rarely(canaryScale), { minLength: 5, maxLength: 5 }),
      header: rarely(fc.constant(true)),
      end: fc.constantFrom('pause', 'full', 'none'),
      pauses: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
    })
    .map(({ shares, scales, header, end, pauses }) => {
      const weights = shares.flatMap((setWeight, index) => [
        ...(isRouted && scales[index] ? [scales[index]] : []),
        { setWeight },
        ...(index === 0 || pauses[index] ? [PAUSE] : []),
      ]);
      const first = header && hasHeaders ? [{ setCanaryScale: { weight: shares[0]! } }, SET_BETA] : [];
      const last = end === 'full' ? [{ setWeight: 100 }, PAUSE] : [];
      return [...first, ...weights, ...last];
    });
}

interface Fields {
  readonly endDelay: number;
  readonly minPods?: number;
  /** `dynamicStableScale`, and whether new pods stay for a while after an abort. */
  readonly dynamic?: 'at once' | 'later';
  readonly surge?: KubernetesObject;
  readonly preview?: number;
  readonly automatic?: boolean;
}

const ANY_FIELDS: fc.Arbitrary<Fields> = fc
  .record({
    endDelay: fc.constantFrom(0, 5, 5),
    minPods: rarely(fc.integer({ min: 2, max: 3 })),
    dynamic: rarely(fc.constantFrom('at once', 'at once', 'later')),
    surge: rarely(
      fc.record({ maxSurge: fc.integer({ min: 1, max: 3 }), maxUnavailable: fc.integer({ min: 0, max: 2 }) }),
    ),
    preview: rarely(fc.integer({ min: 1, max: 3 })),
    automatic: rarely(fc.boolean()),
  })
  .map((fields) => fields as Fields);

const ANY_STACK: fc.Arbitrary<StackOptions> = fc
  .record({
    route: fc.constantFrom(...(Object.keys(ROUTES) as (keyof typeof ROUTES)[]), 'blueGreen' as const),
    replicas: fc.integer({ min: 1, max: 9 }),
    fields: ANY_FIELDS,
    workloadRef: rarely(fc.constant(true)),
  })
  .chain(({ route, replicas, workloadRef, fields }) =>
    stepsOf(route).map((steps) => ({
      route,
      replicas,
      steps,
      ...(workloadRef && { workloadRef }),
      ...(steps.includes(SET_BETA) && { routing: { managedRoutes: [BETA] } }),
      strategy: strategyOf(route, fields),
    })),
  );

function strategyOf(route: string, fields: Fields): KubernetesObject {
  const { endDelay, minPods, dynamic, surge, preview, automatic } = fields;
  // With 0, the canary Service may flip while the pods terminate: how often is chance.
  const delays = { abortScaleDownDelaySeconds: 5, scaleDownDelaySeconds: endDelay };
  if (route === 'blueGreen') {
    return {
      ...delays,
      ...(preview !== undefined && { previewReplicaCount: preview }),
      ...(automatic !== undefined && { autoPromotionEnabled: automatic }),
    };
  }
  if (route === 'none' || route === 'services') return { ...surge };
  const least = minPods !== undefined && { minPodsPerReplicaSet: minPods };
  const { abortScaleDownDelaySeconds } = delays;
  if (dynamic)
    return { dynamicStableScale: true, ...(dynamic === 'later' && { abortScaleDownDelaySeconds }), ...least };
  return { ...delays, ...least, ...surge };
}

/** The same Services, with a strategy of another kind, without a router, or with other fields. */
function othersThan(options: StackOptions): fc.Arbitrary<StackOptions> {
  const { route } = options;
  const changed = ANY_FIELDS.map((fields) => ({ ...options, strategy: strategyOf(route, fields) }));
  if (route === 'none') return changed;
  const canary = (services: KubernetesObject): fc.Arbitrary<StackOptions> =>
    stepsOf('services').map((steps) => ({ route: 'services', steps, strategy: services }));
  if (route === 'blueGreen') {
    return fc.oneof(changed, canary({ stableService: 'shop-active', canaryService: 'shop-preview' }));
  }
  const { stableService, canaryService }: Route['canary'] = ROUTES[route].canary;
  if (stableService === undefined) return changed;
  const blueGreen: fc.Arbitrary<StackOptions> = ANY_FIELDS.map((fields) => ({
    route: 'blueGreen',
    strategy: { ...strategyOf('blueGreen', fields), activeService: stableService, previewService: canaryService },
  }));
  return fc.oneof(changed, canary({ stableService, canaryService }), blueGreen);
}

function storyOf(options: StackOptions): fc.Arbitrary<readonly StoryAction[]> {
  const { route, steps = [], replicas = 1, strategy, workloadRef } = options;
  const pauses = route === 'blueGreen' ? [undefined] : steps.flatMap((step, index) => (isPause(step) ? [index] : []));
  const upTo = (count: number): StoryAction[] =>
    pauses
      .slice(0, count)
      .flatMap((step, index): StoryAction[] => [
        index === 0 ? RELEASE : 'promote',
        { until: { phase: 'Paused', ...(step !== undefined && { step }) } },
      ]);
  const at = (...rest: readonly StoryAction[]) =>
    fc.integer({ min: 1, max: pauses.length }).map((count) => [...upTo(count), ...rest]);
  const soon: readonly StoryAction[] = ['abort', { until: { phase: 'Degraded' } }];
  const abort = [...soon, LOOK];
  const scale = (more: number): StoryAction => ({ scale: Math.max(1, replicas + more) });
  // A workload of its own has no replicas: they are in the Rollout.
  const scaledTo = (release: string, more: number): StoryAction =>
    workloadRef ? { release } : { release, replicas: Math.max(1, replicas + more) };
  const edit = edited(steps, stepsOf(route)).map((steps) => rollout.steps('canary', steps));
  const edits = [
    edit.chain((change) => at(change, LOOK, 'finish')),
    edit.chain((change) => at(change, LOOK, BACK, LOOK)),
    edit.chain((change) => at(...abort, change, LOOK, 'finish')),
  ];
  const again = appliedAgain(stackOf(options));
  const reapplied = [
    again.chain((change) => at(change, LOOK, 'finish')),
    again.chain((change) => at(change, LOOK, BACK, LOOK)),
    again.chain((change) => at(...abort, change, LOOK)),
  ];
  const migrated = othersThan(options).map((other) => rollout.strategy(stackOf(options), stackOf(other)));
  const migrations = [
    migrated.map((change): StoryAction[] => [RELEASE, 'finish', { watch: 8 }, change, LOOK, THIRD, 'finish']),
    migrated.chain((change) => at(change, LOOK, 'finish')),
    migrated.chain((change) => at(change, LOOK, BACK, LOOK)),
  ];
  const deed = fc.oneof(
    fc.constantFrom<StoryAction>('abort', 'promote', BACK, THIRD, scale(2), scale(-2)),
    ...(route === 'blueGreen' ? [] : [edit]),
  );
  const straight = fc.constant(STRAIGHT);
  if (strategy?.autoPromotionEnabled) return straight;
  // With dynamicStableScale the weights of a full promotion follow the new pods, which start as the cluster likes.
  const skipping = [
    at('promote-full', 'finish'),
    at({ release: 'v3', ready: 'never' }, LOOK, 'promote-full', LOOK, BACK, LOOK),
  ];
  // What a rehearsal shows of a canary after an abort are the pods that are left when the others have gone.
  const hurried = [
    at(...soon, 'retry', LOOK, 'finish'),
    at(...soon, BACK, LOOK),
    at(...soon, BACK, LOOK, RELEASE, LOOK, 'finish'),
    at(...soon, THIRD, LOOK, 'finish'),
    at(BACK, RELEASE, LOOK, 'finish'),
  ];
  const returning = [
    at(...abort),
    at(...abort, 'retry', 'finish'),
    at(...abort, THIRD, 'finish'),
    at(...abort, BACK, LOOK),
    at(THIRD, LOOK, 'finish'),
    at({ release: 'v3', ready: 'never' }, LOOK, ...abort),
    at(scale(-2), { watch: 6 }, ...abort),
    at(scale(-2), { watch: 6 }, 'finish'),
    at(...abort, scaledTo('v1', 2), LOOK, THIRD, 'finish'),
    at(...abort, scaledTo('v3', -2), LOOK, 'finish'),
    // More pods would come before or after those of the third version.
    at(scaledTo('v3', -2), LOOK, 'finish'),
    at(...abort, scale(2), { watch: 6 }),
    at(...abort, scale(2), { watch: 6 }, 'retry', 'finish'),
  ];
  return fc.oneof(
    straight,
    ...(route === 'blueGreen' ? hurried : edits),
    ...returning,
    ...(strategy?.dynamicStableScale ? [] : skipping),
    at(BACK, LOOK),
    at(THIRD, LOOK, BACK, LOOK),
    at(scaledTo('v1', 4), LOOK),
    at(scaledTo('v1', -2), LOOK),
    at('delete', LOOK),
    ...migrations,
    ...(strategy?.dynamicStableScale ? [] : reapplied),
    paused(pause, deed).chain((deeds) => at(...deeds)),
    at(scale(3), { watch: 6 }, 'finish'),
    at(scale(2), { watch: 6 }, BACK, LOOK),
    // The old pods go before the next release begins.
    fc.constant<readonly StoryAction[]>([RELEASE, 'finish', { watch: 8 }, THIRD, 'finish']),
    fc.constant<readonly StoryAction[]>([RELEASE, 'finish', { watch: 8 }, BACK, 'finish']),
    fc.constant<readonly StoryAction[]>([{ release: 'v2', ready: 'never' }, LOOK, BACK, LOOK]),
    fc.constant<readonly StoryAction[]>([{ release: 'v2', ready: 'never' }, LOOK, THIRD, LOOK, 'finish']),
    fc.constant<readonly StoryAction[]>([{ release: 'v2', ready: 'never' }, LOOK, scale(2), { watch: 6 }, BACK, LOOK]),
  );
}

export const ARGO: fc.Arbitrary<Unnamed> = ANY_STACK.chain((options) =>
  storyOf(options).map((story) => ({ manifests: stackOf(options), story })),
);
