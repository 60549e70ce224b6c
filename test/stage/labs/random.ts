/** Labs that nobody thought of: stacks and stories at random, the same ones for the same seed. */
import * as fc from 'fast-check';
import type { StoryAction } from '../../../src/release';
import type { KubernetesObject } from '../cluster/api';
import type { Lab } from '../play';
import { BETA, SET_BETA } from './argo/lab';
import { ROUTES as ARGO_ROUTES } from './argo/routes';
import { type StackOptions as ArgoOptions, stackOf as argoStackOf } from './argo/stack';
import { ROUTES_WITH_MATCHES } from './kruise';
import { HEADERS, STRAIGHT, upTo } from './kruise/lab';
import { ROUTES as KRUISE_ROUTES } from './kruise/routes';
import { type StackOptions as KruiseOptions, stackOf as kruiseStackOf, type Style } from './kruise/stack';

/** So many labs of a controller, which the seed alone decides. */
export function randomLabs(controller: string, release: string, seed: number, count: number): readonly Lab[] {
  const labs = controller === 'argo' ? ARGO : kruiseLabs(Number(release.split('.')[1]));
  return fc.sample(labs, { seed, numRuns: count }).map((lab, index) => ({ ...lab, name: `random-${seed}-${index}` }));
}

type Unnamed = Omit<Lab, 'name'>;

/** Most labs are plain: what makes one special is seldom there. */
const rarely = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

/** From one to four shares in their order. */
const SHARES = fc
  .uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 4 })
  .map((shares) => shares.sort((a, b) => a - b));

const RELEASE: StoryAction = { release: 'v2' };
const BACK: StoryAction = { release: 'v1' };
const SECONDS_TO_SEE = 15;
const LOOK: StoryAction = { watch: SECONDS_TO_SEE };

// ---- Kruise Rollouts ----

const HEADER = { matches: HEADERS('x-beta', '1') };
const WITH_MATCHES: readonly string[] = ROUTES_WITH_MATCHES;

const kruiseRoute = fc.constantFrom(...(Object.keys(KRUISE_ROUTES) as (keyof typeof KRUISE_ROUTES)[]), 'none' as const);

function kruiseSteps(style: Style, route: string, replicas: number): fc.Arbitrary<KubernetesObject[]> {
  const hasTraffic = route !== 'none';
  return fc
    .record({
      shares: SHARES,
      full: fc.boolean(),
      header: fc.integer({ min: 0, max: 3 }),
      counts: fc.boolean(),
      mixed: rarely(fc.array(fc.boolean(), { minLength: 5, maxLength: 5 })),
      bare: rarely(fc.integer({ min: 0, max: 3 })),
    })
    .map(({ shares, full, header, counts, mixed, bare }) => {
      const percentages = full ? [...shares, 100] : shares;
      const steps = percentages.map((share, index) => {
        const isHeader = header === 1 && index === 0 && WITH_MATCHES.includes(route);
        const limit = style === 'partition' && hasTraffic ? 50 : 100;
        const pods = Math.max(1, Math.ceil((replicas * Math.min(share, limit)) / 100));
        const isCount = mixed?.[index] ?? counts;
        const scaled = style === 'blueGreen' ? '100%' : isCount ? pods : `${Math.min(share, limit)}%`;
        const traffic = hasTraffic && index !== bare ? (isHeader ? HEADER : { traffic: `${share}%` }) : {};
        return { ...traffic, replicas: scaled, pause: {} };
      });
      return style === 'partition' ? [...steps, { replicas: '100%', pause: {} }] : steps;
    });
}

const kruiseStack = (minor: number): fc.Arbitrary<KruiseOptions> =>
  fc
    .record({
      style: fc.constantFrom<Style>('canary', 'partition', ...(minor < 6 ? [] : ['blueGreen' as const])),
      route: kruiseRoute,
      and: rarely(fc.constantFrom('nginx' as const, 'istio' as const, 'gateway-api' as const)),
      replicas: fc.integer({ min: 1, max: 9 }),
      workload: fc.constantFrom(undefined, 'StatefulSet' as const, 'CloneSet' as const, 'AdvancedStatefulSet' as const),
      oneService: rarely(fc.constant(minor >= 6)),
      patched: rarely(fc.constant(true)),
      inBatch: rarely(fc.constant(true)),
    })
    .chain(({ oneService, patched, inBatch, and, workload, ...stack }) =>
      kruiseSteps(stack.style, stack.route, stack.replicas).map((steps) => ({
        ...stack,
        steps,
        ...(and !== undefined && stack.route !== 'none' && and !== stack.route && { and }),
        ...(workload !== undefined && stack.style === 'partition' && { workload }),
        ...(patched && stack.style !== 'blueGreen' && { podLabels: { track: 'stable' } }),
        strategy: {
          ...(oneService && { disableGenerateCanaryService: true }),
          ...(patched && stack.style !== 'blueGreen' && { patchPodTemplateMetadata: { labels: { track: 'canary' } } }),
        },
        ...(inBatch &&
          stack.style === 'partition' && { annotations: { 'rollouts.kruise.io/rollback-in-batch': 'true' } }),
      })),
    );

/** What people make of a list of steps in the middle of a release: one step changed, added or left out, or another list. */
const edited = (steps: readonly KubernetesObject[], others: fc.Arbitrary<KubernetesObject[]>) =>
  fc
    .record({
      at: fc.nat({ max: steps.length - 1 }),
      others,
      other: fc.nat({ max: 4 }),
      by: fc.integer({ min: 0, max: 4 }),
    })
    .map(({ at, others, other, by }) => {
      const step = others[Math.min(other, others.length - 1)]!;
      if (by === 0) return others;
      if (by === 1) return [...steps.slice(0, at), step, ...steps.slice(at)];
      if (by === 2 && steps.length > 1) return [...steps.slice(0, at), ...steps.slice(at + 1)];
      return [...steps.slice(0, at), step, ...steps.slice(at + 1)];
    });

const editOf = (apiVersion: string, strategy: string, steps: readonly KubernetesObject[]): StoryAction => ({
  patch: { apiVersion, kind: 'Rollout', name: 'shop', with: { spec: { strategy: { [strategy]: { steps } } } } },
});

function kruiseStory(options: KruiseOptions): fc.Arbitrary<readonly StoryAction[]> {
  const { style, route = 'nginx', steps = [], replicas = 1 } = options;
  // Nobody approves a last step with all pods: it is over as soon as they are ready.
  const waiting = steps.at(-1)?.replicas === '100%' ? steps.length - 1 : steps.length;
  const step = fc.integer({ min: 1, max: Math.max(1, waiting) });
  const at = (...rest: readonly StoryAction[]) => step.map((last) => [...upTo(last), ...rest]);
  const scales = fc.integer({ min: 1, max: replicas + 6 }).filter((scaled) => scaled !== replicas);
  const jump = fc.tuple(step, step).map(([from, to]) => [...upTo(from), { jump: to }, { watch: 12 }]);
  const scaled = scales.map((replicas): StoryAction[] => [{ scale: replicas }, { watch: 8 }]);
  const third: StoryAction = { release: 'v3' };
  const again: StoryAction[] = [third, LOOK, { until: { step: 1, state: 'StepPaused' } }];
  const edit = edited(steps, kruiseSteps(style, route, replicas)).map((steps) =>
    editOf('rollouts.kruise.io/v1beta1', style === 'blueGreen' ? 'blueGreen' : 'canary', steps),
  );
  // In blue-green style a third version waits for a roll-back.
  const afterThird = [
    at(...again, { release: 'v4' }, LOOK, 'finish'),
    at(...again, RELEASE, LOOK, 'finish'),
    at(...again, BACK, LOOK, 'finish'),
    scaled.chain((scale) => at(...again, ...scale, 'finish')),
    at(...again, 'delete', LOOK),
  ];
  return fc.oneof(
    ...(style === 'blueGreen' ? [] : afterThird),
    scaled.chain((scale) => at(...scale, third, LOOK, 'finish')),
    scaled.chain((scale) => scales.chain((replicas) => at(...scale, { release: 'v3', replicas }, LOOK, 'finish'))),
    scaled.chain((scale) => scales.chain((replicas) => at(...scale, { release: 'v1', replicas }, LOOK, 'finish'))),
    scaled.chain((scale) => at(...scale, 'delete', LOOK)),
    jump.map((actions): StoryAction[] => [...actions, third, LOOK, 'finish']),
    fc.constant(STRAIGHT),
    at(BACK, 'finish'),
    at(third, LOOK, 'finish'),
    at(third, { watch: 25 }, BACK, LOOK),
    scales.chain((replicas) => at({ release: 'v1', replicas }, LOOK, 'finish')),
    scales.chain((replicas) => at({ release: 'v3', replicas }, LOOK, 'finish')),
    at('delete', LOOK),
    at('disable', LOOK),
    edit.chain((change) => at(change, LOOK, 'finish')),
    edit.chain((change) => at(change, LOOK, BACK, LOOK)),
    scaled.chain((scale) => at(...scale, 'finish')),
    scaled.chain((scale) => at(...scale, BACK, 'finish')),
    fc.tuple(scaled, scaled).chain(([first, then]) => at(...first, ...then, 'finish')),
    jump.map((actions): StoryAction[] => [...actions, 'finish']),
    jump.map((actions): StoryAction[] => [...actions, BACK, 'finish']),
    fc.constant<readonly StoryAction[]>([{ release: 'v2', ready: 'never' }, LOOK, BACK, 'finish']),
    fc.constant<readonly StoryAction[]>([RELEASE, 'finish', { release: 'v3' }, 'finish']),
  );
}

const kruiseLabs = (minor: number): fc.Arbitrary<Unnamed> =>
  kruiseStack(minor).chain((options) =>
    kruiseStory(options).map((story) => ({ manifests: kruiseStackOf(options), story })),
  );

// ---- Argo Rollouts ----

const PAUSE: KubernetesObject = { pause: {} };
const isPause = (step: KubernetesObject) => 'pause' in step;

const canaryScale: fc.Arbitrary<KubernetesObject> = fc
  .oneof(
    fc.integer({ min: 0, max: 5 }).map((replicas) => ({ replicas })),
    fc.integer({ min: 0, max: 100 }).map((weight) => ({ weight })),
    fc.constant({ matchTrafficWeight: true }),
  )
  .map((setCanaryScale) => ({ setCanaryScale }));

function argoSteps(route: string): fc.Arbitrary<KubernetesObject[]> {
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

const argoStack: fc.Arbitrary<ArgoOptions> = fc
  .record({
    route: fc.constantFrom(...(Object.keys(ARGO_ROUTES) as (keyof typeof ARGO_ROUTES)[]), 'blueGreen' as const),
    replicas: fc.integer({ min: 1, max: 9 }),
    endDelay: fc.constantFrom(0, 5, 5),
    minPods: rarely(fc.integer({ min: 2, max: 3 })),
    dynamic: rarely(fc.constant(true)),
    surge: rarely(
      fc.record({ maxSurge: fc.integer({ min: 1, max: 3 }), maxUnavailable: fc.integer({ min: 0, max: 2 }) }),
    ),
    preview: rarely(fc.integer({ min: 1, max: 3 })),
    automatic: rarely(fc.boolean()),
    workloadRef: rarely(fc.constant(true)),
  })
  .chain(({ route, replicas, workloadRef, ...fields }) =>
    argoSteps(route).map((steps) => ({
      route,
      replicas,
      steps,
      ...(workloadRef && { workloadRef }),
      ...(steps.includes(SET_BETA) && { routing: { managedRoutes: [BETA] } }),
      strategy: argoStrategy(route, fields),
    })),
  );

interface ArgoFields {
  readonly endDelay: number;
  readonly minPods?: number;
  readonly dynamic?: true;
  readonly surge?: KubernetesObject;
  readonly preview?: number;
  readonly automatic?: boolean;
}

function argoStrategy(route: string, fields: ArgoFields): KubernetesObject {
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
  if (dynamic) return { dynamicStableScale: true };
  return { ...delays, ...(minPods !== undefined && { minPodsPerReplicaSet: minPods }), ...surge };
}

function argoStory({
  route,
  steps = [],
  replicas = 1,
  strategy,
  workloadRef,
}: ArgoOptions): fc.Arbitrary<readonly StoryAction[]> {
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
  const abort: readonly StoryAction[] = ['abort', { until: { phase: 'Degraded' } }, LOOK];
  const scale = (more: number): StoryAction => ({ scale: Math.max(1, replicas + more) });
  // A workload of its own has no replicas: they are in the Rollout.
  const scaledTo = (release: string, more: number): StoryAction =>
    workloadRef ? { release } : { release, replicas: Math.max(1, replicas + more) };
  const edit = edited(steps, argoSteps(route)).map((steps) => editOf('argoproj.io/v1alpha1', 'canary', steps));
  const edits = [
    edit.chain((change) => at(change, LOOK, 'finish')),
    edit.chain((change) => at(change, LOOK, BACK, LOOK)),
    edit.chain((change) => at(...abort, change, LOOK, 'finish')),
  ];
  const straight = fc.constant(STRAIGHT);
  if (strategy?.autoPromotionEnabled) return straight;
  // With dynamicStableScale the weights follow the pods of the old version, which come back as the cluster likes.
  const returning = [
    at(...abort),
    at(...abort, 'retry', 'finish'),
    at(...abort, { release: 'v3' }, 'finish'),
    at(...abort, BACK, LOOK),
    at({ release: 'v3' }, LOOK, 'finish'),
    at('promote-full', 'finish'),
    at({ release: 'v3', ready: 'never' }, LOOK, 'promote-full', LOOK, BACK, LOOK),
    at({ release: 'v3', ready: 'never' }, LOOK, ...abort),
    at(scale(-2), { watch: 6 }, ...abort),
    at(scale(-2), { watch: 6 }, 'finish'),
    at(...abort, scaledTo('v1', 2), LOOK, { release: 'v3' }, 'finish'),
    at(...abort, scaledTo('v3', -2), LOOK, 'finish'),
    // More pods would come before or after those of the third version.
    at(scaledTo('v3', -2), LOOK, 'finish'),
    at(...abort, scale(2), { watch: 6 }),
    at(...abort, scale(2), { watch: 6 }, 'retry', 'finish'),
  ];
  return fc.oneof(
    straight,
    ...(route === 'blueGreen' ? [] : edits),
    ...(strategy?.dynamicStableScale ? [] : returning),
    at(BACK, LOOK),
    at({ release: 'v3' }, LOOK, BACK, LOOK),
    at(scaledTo('v1', 4), LOOK),
    at(scaledTo('v1', -2), LOOK),
    at('delete', LOOK),
    at(scale(3), { watch: 6 }, 'finish'),
    at(scale(2), { watch: 6 }, BACK, LOOK),
    // The old pods go before the next release begins.
    fc.constant<readonly StoryAction[]>([RELEASE, 'finish', { watch: 8 }, { release: 'v3' }, 'finish']),
    fc.constant<readonly StoryAction[]>([RELEASE, 'finish', { watch: 8 }, BACK, 'finish']),
    fc.constant<readonly StoryAction[]>([{ release: 'v2', ready: 'never' }, LOOK, BACK, LOOK]),
    fc.constant<readonly StoryAction[]>([{ release: 'v2', ready: 'never' }, LOOK, { release: 'v3' }, LOOK, 'finish']),
    fc.constant<readonly StoryAction[]>([{ release: 'v2', ready: 'never' }, LOOK, scale(2), { watch: 6 }, BACK, LOOK]),
  );
}

const ARGO: fc.Arbitrary<Unnamed> = argoStack.chain((options) =>
  argoStory(options).map((story) => ({ manifests: argoStackOf(options), story })),
);
