/** Random stacks and stories of Kruise Rollouts. */
import * as fc from 'fast-check';
import type { StoryAction } from '../../../../src/release';
import type { KubernetesObject } from '../../cluster/api';
import { ROUTES_WITH_MATCHES } from '../kruise';
import { BROKEN, HEADERS, STRAIGHT } from '../kruise/lab';
import { ROUTES } from '../kruise/routes';
import { alphaStep, type StackOptions, type Style, stackOf } from '../kruise/stack';
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

const HEADER = { matches: HEADERS('x-beta', '1') };
const WITH_MATCHES: readonly string[] = ROUTES_WITH_MATCHES;

const LATER_BROKEN: StoryAction = { release: 'v3', ready: 'never' };

const anyRoute = fc.constantFrom(...(Object.keys(ROUTES) as (keyof typeof ROUTES)[]), 'none' as const);

function stepsOf(style: Style, route: string, replicas: number): fc.Arbitrary<KubernetesObject[]> {
  const hasTraffic = route !== 'none';
  return fc
    .record({
      shares: SHARES,
      full: fc.boolean(),
      header: fc.integer({ min: 0, max: 3 }),
      counts: fc.boolean(),
      mixed: rarely(fc.array(fc.boolean(), { minLength: 5, maxLength: 5 })),
      bare: rarely(fc.integer({ min: 0, max: 3 })),
      none: rarely(fc.constant(true)),
      timed: rarely(fc.integer({ min: 1, max: 3 })),
    })
    .map(({ shares, full, header, counts, mixed, bare, none, timed }) => {
      const percentages = [...(none && hasTraffic ? [0] : []), ...shares, ...(full ? [100] : [])];
      const steps = percentages.map((share, index) => {
        const isHeader = header === 1 && index === 0 && WITH_MATCHES.includes(route);
        const limit = style === 'partition' && hasTraffic ? 50 : 100;
        const pods = Math.max(1, Math.ceil((replicas * Math.min(share, limit)) / 100));
        const isCount = share === 0 || (mixed?.[index] ?? counts);
        const scaled = style === 'blueGreen' ? '100%' : isCount ? pods : `${Math.min(share, limit)}%`;
        const traffic = hasTraffic && index !== bare ? (isHeader ? HEADER : { traffic: `${share}%` }) : {};
        return { ...traffic, replicas: scaled, pause: index === timed ? { duration: 3 } : {} };
      });
      return style === 'partition' ? [...steps, { replicas: '100%', pause: {} }] : steps;
    });
}

type Workload = StackOptions['workload'];
type Strategy = Pick<StackOptions, 'style' | 'steps' | 'strategy'>;

/** Only a Deployment can have canary pods of its own, and only it and a CloneSet a second set. */
const STYLES_OF: Readonly<Partial<Record<NonNullable<Workload>, readonly Style[]>>> = {
  Deployment: ['canary', 'partition', 'blueGreen'],
  CloneSet: ['partition', 'blueGreen'],
};

function stylesOf(minor: number, workload: Workload = 'Deployment'): readonly Style[] {
  const styles = STYLES_OF[workload] ?? ['partition'];
  return minor < 6 ? styles.filter((style) => style !== 'blueGreen') : styles;
}

const anyStrategy = (minor: number, workload: Workload, route: string, replicas: number): fc.Arbitrary<Strategy> =>
  fc
    .record({
      style: fc.constantFrom(...stylesOf(minor, workload)),
      oneService: rarely(fc.constant(minor >= 6)),
      patched: rarely(fc.constant(true)),
    })
    .chain(({ style, oneService, patched }) =>
      stepsOf(style, route, replicas).map((steps) => ({
        style,
        steps,
        strategy: {
          ...(oneService && { disableGenerateCanaryService: true }),
          ...(patched && style !== 'blueGreen' && { patchPodTemplateMetadata: { labels: { track: 'canary' } } }),
        },
      })),
    );

const anyStack = (minor: number): fc.Arbitrary<StackOptions> =>
  fc
    .record({
      route: anyRoute,
      and: rarely(fc.constantFrom('nginx' as const, 'istio' as const, 'gateway-api' as const)),
      replicas: fc.integer({ min: 1, max: 9 }),
      workload: fc.oneof(
        { weight: 2, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.constantFrom<Workload>('StatefulSet', 'CloneSet', 'AdvancedStatefulSet') },
      ),
      inBatch: rarely(fc.constant(true)),
      isOld: rarely(fc.constant(true)),
      separateRouting: rarely(fc.constant(true)),
    })
    .chain(({ and, workload, inBatch, isOld, separateRouting, ...stack }) =>
      // In v1alpha1 there is no blue-green style, and each Rollout has both Services.
      anyStrategy(isOld ? 5 : minor, workload, stack.route, stack.replicas).map(({ style, steps, strategy }) => ({
        ...stack,
        style,
        steps,
        strategy,
        ...(isOld && { api: 'v1alpha1' }),
        ...(separateRouting && style !== 'blueGreen' && stack.route !== 'none' && { separateRouting }),
        ...(and !== undefined && stack.route !== 'none' && and !== stack.route && { and }),
        ...(workload !== undefined && { workload }),
        ...('patchPodTemplateMetadata' in strategy! && { podLabels: { track: 'stable' } }),
        ...(inBatch && style === 'partition' && { annotations: { 'rollouts.kruise.io/rollback-in-batch': 'true' } }),
      })),
    );

function storyOf(minor: number, options: StackOptions): fc.Arbitrary<readonly StoryAction[]> {
  const { style, route, steps = [], replicas = 1, api = 'v1beta1' } = options;
  const rollout = editsOf(`rollouts.kruise.io/${api}`);
  const pause = (paused: boolean) => rollout.edit({ strategy: { paused } });
  // Nobody approves a last step with all pods: it is over as soon as they are ready.
  const waiting = steps.at(-1)?.replicas === '100%' ? steps.length - 1 : steps.length;
  const isTimed = ({ pause }: KubernetesObject) => pause.duration !== undefined;
  const pauses = steps.flatMap((each, index) => (index < Math.max(1, waiting) && !isTimed(each) ? [index + 1] : []));
  const step = fc.constantFrom(...pauses);
  /** Up to the pause of a step, past those that end by themselves. */
  const upTo = (last: number): StoryAction[] =>
    pauses
      .filter((each) => each <= last)
      .flatMap((each, index): StoryAction[] => [
        index === 0 ? RELEASE : 'approve',
        { until: { step: each, state: 'StepPaused' } },
      ]);
  const at = (...rest: readonly StoryAction[]) => step.map((last) => [...upTo(last), ...rest]);
  const scales = fc.integer({ min: 1, max: replicas + 6 }).filter((scaled) => scaled !== replicas);
  const jump = fc.tuple(step, step).map(([from, to]) => [...upTo(from), { jump: to }, { watch: 12 }]);
  const scaled = scales.map((replicas): StoryAction[] => [{ scale: replicas }, { watch: 8 }]);
  const thirdAt1: StoryAction[] = [THIRD, LOOK, { until: { step: 1, state: 'StepPaused' } }];
  const edit = edited(steps, stepsOf(style, route, replicas)).map((steps) =>
    rollout.steps(style === 'blueGreen' ? 'blueGreen' : 'canary', api === 'v1alpha1' ? steps.map(alphaStep) : steps),
  );
  // The same workload and routes, with another strategy: a StatefulSet has but one style. In v1alpha1 it is an annotation.
  const migrated = anyStrategy(minor, options.workload, route, replicas).map((other) =>
    rollout.strategy(stackOf(options), stackOf({ ...options, ...other, ...(api === 'v1alpha1' && { style }) })),
  );
  const again = appliedAgain(stackOf(options));
  const deed = fc.oneof(
    fc.constantFrom<StoryAction>('approve', BACK, THIRD),
    scales.map((scale) => ({ scale })),
    edit,
  );
  // In blue-green style a third version waits for a roll-back.
  const afterThird = [
    at(...thirdAt1, { release: 'v4' }, LOOK, 'finish'),
    at(...thirdAt1, RELEASE, LOOK, 'finish'),
    at(...thirdAt1, BACK, LOOK, 'finish'),
    scaled.chain((scale) => at(...thirdAt1, ...scale, 'finish')),
    at(...thirdAt1, 'delete', LOOK),
  ];
  return fc.oneof(
    ...(style === 'blueGreen' ? [] : afterThird),
    scaled.chain((scale) => at(...scale, THIRD, LOOK, 'finish')),
    scaled.chain((scale) => scales.chain((replicas) => at(...scale, { release: 'v3', replicas }, LOOK, 'finish'))),
    scaled.chain((scale) => scales.chain((replicas) => at(...scale, { release: 'v1', replicas }, LOOK, 'finish'))),
    scaled.chain((scale) => at(...scale, 'delete', LOOK)),
    jump.map((actions): StoryAction[] => [...actions, THIRD, LOOK, 'finish']),
    fc.constant(STRAIGHT),
    at(BACK, 'finish'),
    at(THIRD, LOOK, 'finish'),
    at(THIRD, { watch: 25 }, BACK, LOOK),
    scales.chain((replicas) => at({ release: 'v1', replicas }, LOOK, 'finish')),
    scales.chain((replicas) => at({ release: 'v3', replicas }, LOOK, 'finish')),
    at('delete', LOOK),
    at('disable', LOOK),
    at('disable', LOOK, 'enable', LOOK, 'finish'),
    at('disable', LOOK, THIRD, LOOK),
    at('disable', LOOK, THIRD, LOOK, 'enable', LOOK, RELEASE, 'finish'),
    at('disable', LOOK, BACK, LOOK, 'enable', LOOK),
    paused(pause, deed).chain((deeds) => at(...deeds)),
    migrated.map((change): StoryAction[] => [RELEASE, 'finish', change, LOOK, THIRD, 'finish']),
    migrated.chain((change) => at(BACK, 'finish', change, LOOK, RELEASE, 'finish')),
    migrated.chain((change) => at(change, LOOK, 'finish')),
    again.chain((change) => at(change, LOOK, 'finish')),
    again.chain((change) => at(change, LOOK, BACK, LOOK)),
    edit.chain((change) => at(change, LOOK, 'finish')),
    edit.chain((change) => at(change, LOOK, BACK, LOOK)),
    scaled.chain((scale) => at(...scale, 'finish')),
    scaled.chain((scale) => at(...scale, BACK, 'finish')),
    fc.tuple(scaled, scaled).chain(([first, then]) => at(...first, ...then, 'finish')),
    jump.map((actions): StoryAction[] => [...actions, 'finish']),
    jump.map((actions): StoryAction[] => [...actions, BACK, 'finish']),
    fc.constant<readonly StoryAction[]>([BROKEN, LOOK, BACK, 'finish']),
    fc.constant<readonly StoryAction[]>([BROKEN, LOOK, THIRD, LOOK, 'finish']),
    fc.constant<readonly StoryAction[]>([BROKEN, LOOK, 'delete', LOOK]),
    fc.constant<readonly StoryAction[]>([BROKEN, LOOK, 'disable', LOOK]),
    scaled.map((scale): StoryAction[] => [BROKEN, LOOK, ...scale, BACK, 'finish']),
    edit.map((change): StoryAction[] => [BROKEN, LOOK, change, LOOK, BACK, 'finish']),
    step.map((to): StoryAction[] => [BROKEN, LOOK, { jump: to }, LOOK, BACK, LOOK]),
    edit.map((change): StoryAction[] => [BROKEN, LOOK, change, LOOK, THIRD, LOOK, 'finish']),
    fc.tuple(edit, scaled).map(([change, scale]): StoryAction[] => [BROKEN, LOOK, change, LOOK, ...scale, BACK, LOOK]),
    fc.constant<readonly StoryAction[]>([BROKEN, LOOK, 'disable', { watch: 30 }, 'enable', LOOK, THIRD, LOOK]),
    step.chain((to) => at(LATER_BROKEN, LOOK, { jump: to }, LOOK, BACK, LOOK)),
    edit.chain((change) => at(LATER_BROKEN, LOOK, change, LOOK, BACK, LOOK)),
    at(LATER_BROKEN, LOOK, BACK, LOOK),
    at(LATER_BROKEN, LOOK, { release: 'v4' }, LOOK, 'finish'),
    scaled.map((scale): StoryAction[] => [RELEASE, 'finish', ...scale, THIRD, 'finish']),
    scales.map((replicas): StoryAction[] => [{ release: 'v2', replicas }, LOOK, 'finish']),
    scaled.chain((scale) => at('disable', LOOK, ...scale, 'enable', LOOK)),
    jump.chain((actions) => edit.map((change): StoryAction[] => [...actions, change, LOOK, 'finish'])),
    fc.constant<readonly StoryAction[]>([RELEASE, 'finish', { release: 'v3' }, 'finish']),
  );
}

export const kruiseLabs = (minor: number): fc.Arbitrary<Unnamed> =>
  anyStack(minor).chain((options) => storyOf(minor, options).map((story) => ({ manifests: stackOf(options), story })));
