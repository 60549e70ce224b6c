/** Random stacks and stories of Argo Rollouts. */
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import type { StoryAction } from '../../../../src/release';
import type { KubernetesObject } from '../../cluster/api';
import { analysisTemplate, unanswered } from '../argo/analysis';
import { BETA, DEGRADED, PAUSED, patchOf, SET_BETA, STRAIGHT } from '../argo/lab';
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
const isPause = (step: KubernetesObject) => isDeepStrictEqual(step, PAUSE);
const SHORT_PAUSE: KubernetesObject = { pause: { duration: '3s' } };
const NO_BETA: KubernetesObject = { setHeaderRoute: BETA };
const SUCCEEDS = analysisTemplate('result == "1"');
/** Its template is in each stack. */
const ANALYSIS: KubernetesObject = { analysis: { templates: [{ templateName: 'shop' }] } };

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
      managed: fc.array(rarely(fc.constantFrom(SET_BETA, NO_BETA)), { minLength: 5, maxLength: 5 }),
      between: fc.array(rarely(fc.constantFrom(SHORT_PAUSE, ANALYSIS)), { minLength: 5, maxLength: 5 }),
      end: fc.constantFrom('pause', 'full', 'none'),
      pauses: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
    })
    .map(({ shares, scales, header, managed, between, end, pauses }) => {
      const weights = shares.flatMap((setWeight, index) => [
        ...(isRouted && scales[index] ? [scales[index]] : []),
        { setWeight },
        ...(hasHeaders && managed[index] ? [managed[index]] : []),
        ...(between[index] ? [between[index]] : []),
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
  readonly automatic?: boolean | 'later';
  readonly threshold?: KubernetesObject;
  /** The step with which an analysis in the background starts, which succeeds. */
  readonly background?: number;
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
    automatic: rarely(fc.constantFrom(true, true, false, 'later')),
    background: rarely(fc.nat({ max: 3 })),
    threshold: rarely(
      fc.oneof(
        fc.record({ type: fc.constant('Percent'), value: fc.constantFrom(0, 1, 50, 100, 150) }),
        fc.record({ type: fc.constantFrom('Pods', 'pods'), value: fc.integer({ min: -1, max: 4 }) }),
      ),
    ),
  })
  .map((fields) => fields as Fields);

const ANY_STACK: fc.Arbitrary<StackOptions> = fc
  .record({
    route: fc.constantFrom(...(Object.keys(ROUTES) as (keyof typeof ROUTES)[]), 'blueGreen' as const),
    replicas: fc.integer({ min: 1, max: 9 }),
    fields: ANY_FIELDS,
    workloadRef: rarely(fc.constant(true)),
    revisions: rarely(fc.integer({ min: 1, max: 2 })),
    deadline: rarely(fc.boolean()),
  })
  .chain(({ route, replicas, workloadRef, fields, revisions, deadline }) =>
    stepsOf(route).map((steps) => ({
      route,
      replicas,
      steps,
      ...(workloadRef && { workloadRef }),
      spec: {
        ...(revisions !== undefined && { rollbackWindow: { revisions } }),
        ...(deadline !== undefined && { progressDeadlineSeconds: 8, progressDeadlineAbort: deadline }),
      },
      ...(steps.some((step) => 'setHeaderRoute' in step) && { routing: { managedRoutes: [BETA] } }),
      more: [SUCCEEDS],
      strategy: strategyOf(route, fields),
    })),
  );

function strategyOf(route: string, fields: Fields): KubernetesObject {
  const { endDelay, minPods, dynamic, surge, preview, automatic, threshold, background } = fields;
  const more = {
    ...(threshold !== undefined && { replicaProgressThreshold: threshold }),
    ...(background !== undefined && { analysis: { ...ANALYSIS.analysis, startingStep: background } }),
  };
  // With 0, the canary Service may flip while the pods terminate: how often is chance.
  const delays = { abortScaleDownDelaySeconds: 5, scaleDownDelaySeconds: endDelay };
  if (route === 'blueGreen') {
    return {
      ...delays,
      ...(preview !== undefined && { previewReplicaCount: preview }),
      ...(automatic === 'later' && { autoPromotionSeconds: 4 }),
      ...(typeof automatic === 'boolean' && { autoPromotionEnabled: automatic }),
    };
  }
  if (route === 'none' || route === 'services') return { ...surge, ...more };
  const least = minPods !== undefined && { minPodsPerReplicaSet: minPods };
  const { abortScaleDownDelaySeconds } = delays;
  if (dynamic)
    return {
      dynamicStableScale: true,
      ...(dynamic === 'later' && { abortScaleDownDelaySeconds }),
      ...least,
      ...more,
    };
  return { ...delays, ...least, ...surge, ...more };
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

/** Blue-green releases that nobody promotes. */
function promotedBySelf(scale: StoryAction): fc.Arbitrary<readonly StoryAction[]> {
  const deed = fc.constantFrom<StoryAction>(BACK, THIRD, 'abort', 'promote-full', scale);
  return fc.oneof(
    fc.constantFrom(BACK, THIRD).map((next): StoryAction[] => [RELEASE, 'finish', { watch: 8 }, next, 'finish']),
    fc.constantFrom(BACK, THIRD).map((next): StoryAction[] => [RELEASE, 'finish', next, 'finish']),
    deed.map((next): StoryAction[] => [{ release: 'v2', ready: 'never' }, LOOK, next, LOOK]),
    deed.map((next): StoryAction[] => [
      RELEASE,
      'finish',
      { watch: 8 },
      { release: 'v3', ready: 'never' },
      LOOK,
      next,
      LOOK,
    ]),
    fc
      .constantFrom<StoryAction>('abort', 'delete', scale)
      .map((next): StoryAction[] => [RELEASE, 'finish', { watch: 8 }, next, LOOK]),
  );
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
  const released: readonly StoryAction[] = [RELEASE, 'finish', { watch: 8 }, THIRD, 'finish', { watch: 8 }];
  const isDeadly = options.spec?.progressDeadlineAbort !== undefined;
  const late = [
    ...(options.spec?.rollbackWindow === undefined
      ? []
      : [BACK, RELEASE].map((back) =>
          fc.constant<readonly StoryAction[]>([...released, back, LOOK, 'promote-full', LOOK]),
        )),
    ...(isDeadly
      ? [BACK, THIRD].map((next) =>
          fc.constant<readonly StoryAction[]>([{ release: 'v2', ready: 'never' }, { watch: 25 }, next, LOOK]),
        )
      : []),
  ];
  if (strategy?.autoPromotionEnabled || strategy?.autoPromotionSeconds)
    return fc.oneof(straight, promotedBySelf(scale(2)));
  // With dynamicStableScale the weights of a full promotion follow the new pods, which start as the cluster likes.
  const skipping = [
    at('promote-full', 'finish'),
    at(...abort, 'promote-full', 'finish'),
    at(...soon, 'promote-full', 'finish'),
    at({ release: 'v3', ready: 'never' }, LOOK, 'promote-full', LOOK, BACK, LOOK),
  ];
  const skipped: readonly StoryAction[] = [
    { release: 'v2', ready: 'never' },
    LOOK,
    'promote',
    { watch: 6 },
    'promote',
    LOOK,
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
  if (late.length > 0) return fc.oneof(straight, ...late);
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
    fc.constantFrom<StoryAction>('abort', BACK, THIRD, 'promote', scale(2)).map((deed) => [...skipped, deed, LOOK]),
    at({ release: 'v3', ready: 'never' }, LOOK, 'promote', { watch: 6 }, 'promote', LOOK, BACK, LOOK),
  );
}

const OUTCOMES = {
  failed: analysisTemplate('result == "2"'),
  error: unanswered(),
  inconclusive: analysisTemplate('result == "2"', 'result == "3"'),
} as const;
type Outcome = keyof typeof OUTCOMES;

/** What people do about an analysis that did not succeed, after the deeds that lead to it. */
function storiesAfter(
  outcome: Outcome,
  approvals: readonly StoryAction[],
  isDynamic: boolean,
): fc.Arbitrary<readonly StoryAction[]> {
  const end: StoryAction = outcome === 'inconclusive' ? PAUSED : DEGRADED;
  const analysed: readonly StoryAction[] = [...approvals, { analysis: outcome }, end, LOOK];
  const seen: readonly StoryAction[] = [RELEASE, ...analysed];
  const corrected = patchOf('AnalysisTemplate', 'argoproj.io/v1alpha1', { spec: SUCCEEDS.spec });
  const again: StoryAction = outcome === 'inconclusive' ? 'promote' : 'retry';
  return fc.constantFrom<readonly StoryAction[]>(
    seen,
    [...seen, BACK, LOOK],
    [...seen, corrected, again, LOOK, 'finish'],
    [...seen, corrected, THIRD, LOOK, 'finish'],
    [...seen, THIRD, ...analysed, corrected, again, LOOK, 'finish'],
    ...(isDynamic ? [] : [[...seen, 'promote-full', LOOK] as const]),
    outcome === 'inconclusive'
      ? [...seen, 'abort', DEGRADED, LOOK, corrected, 'retry', 'finish']
      : [...seen, 'retry', ...analysed],
  );
}

/** A release whose analysis does not succeed, in a step of a canary, or before or after the switch of blue-green. */
function analysed(stack: StackOptions, outcome: Outcome, place: number): fc.Arbitrary<Unnamed> {
  // One in the background would have the same template.
  const { analysis: _background, ...fields } = stack.strategy ?? {};
  const options = { ...stack, strategy: fields };
  const more = [OUTCOMES[outcome]];
  const labOf = (own: StackOptions, approvals: readonly StoryAction[]) =>
    storiesAfter(outcome, approvals, own.strategy?.dynamicStableScale === true).map((story) => ({
      manifests: stackOf({ ...own, more }),
      story,
    }));
  if (options.route === 'blueGreen') {
    const isBefore = place % 2 === 0;
    const strategy = {
      ...options.strategy,
      autoPromotionEnabled: false,
      [isBefore ? 'prePromotionAnalysis' : 'postPromotionAnalysis']: ANALYSIS.analysis,
    };
    return labOf({ ...options, strategy }, isBefore ? [] : [PAUSED, 'promote']);
  }
  const plain = options.steps!.filter((step) => step !== ANALYSIS);
  const at = Math.min(place, plain.length);
  const pauses = plain.flatMap((step, index) => (index < at && isPause(step) ? [index] : []));
  const approvals = pauses.flatMap((step): StoryAction[] => [{ until: { phase: 'Paused', step } }, 'promote']);
  return labOf({ ...options, steps: [...plain.slice(0, at), ANALYSIS, ...plain.slice(at)] }, approvals);
}

const ANALYSED: fc.Arbitrary<Unnamed> = fc
  .record({
    options: ANY_STACK,
    outcome: fc.constantFrom<Outcome>('failed', 'error', 'inconclusive'),
    place: fc.integer({ min: 1, max: 8 }),
  })
  .chain(({ options, outcome, place }) => analysed(options, outcome, place));

const SUCCESSFUL: fc.Arbitrary<Unnamed> = ANY_STACK.chain((options) =>
  storyOf(options).map((story) => ({ manifests: stackOf(options), story })),
);

export const ARGO: fc.Arbitrary<Unnamed> = fc.oneof(
  { weight: 4, arbitrary: SUCCESSFUL },
  { weight: 1, arbitrary: ANALYSED },
);
