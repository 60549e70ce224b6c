/** Pods of a new version never become ready, and people act on the release that waits for them. */
import type { StoryAction } from '../../../../src/release';
import type { KubernetesObject } from '../../cluster/api';
import { LOOK } from '../paused';
import { BROKEN, type KruiseLab, lab, patchOf, upTo } from './lab';
import type { StackOptions } from './stack';

const WAITING: readonly StoryAction[] = [BROKEN, LOOK];
const THIRD: readonly StoryAction[] = [...upTo(2), { release: 'v3', ready: 'never' }, LOOK];
const BACK: readonly StoryAction[] = [{ release: 'v1' }, { watch: 25 }];

const ANYWHERE: Readonly<Record<string, readonly StoryAction[]>> = {
  delete: [...WAITING, 'delete', LOOK],
  disable: [...WAITING, 'disable', LOOK],
  'scaled-up': [...WAITING, { scale: 12 }, LOOK, ...BACK],
  'scaled-down': [...WAITING, { scale: 4 }, LOOK, ...BACK],
};

/** In blue-green style a third version waits for a roll-back. */
const OVERTAKEN: Readonly<Record<string, readonly StoryAction[]>> = {
  'third-back': [...THIRD, ...BACK],
  'third-fourth': [...THIRD, { release: 'v4' }, LOOK, 'finish'],
  'third-delete': [...THIRD, 'delete', LOOK],
};

/** After a release that ends without its pods. */
const AFTERWARDS: Readonly<Record<string, readonly StoryAction[]>> = {
  back: BACK,
  third: [{ release: 'v3' }, LOOK],
};

const STACKS: Readonly<Record<string, Pick<StackOptions, 'style' | 'workload'>>> = {
  canary: { style: 'canary' },
  partition: { style: 'partition' },
  blueGreen: { style: 'blueGreen' },
  statefulset: { style: 'partition', workload: 'StatefulSet' },
  cloneset: { style: 'partition', workload: 'CloneSet' },
};

const step = (traffic: string, replicas: number): KubernetesObject => ({ traffic, replicas, pause: {} });
const STEPS = [step('10%', 2), step('20%', 2), step('30%', 2), step('50%', 4)] as const;

/** People change the steps, or jump to another one. */
function withOtherSteps(): KruiseLab[] {
  return Object.entries(STACKS).flatMap(([name, stack]) => {
    const strategy = stack.style === 'blueGreen' ? 'blueGreen' : 'canary';
    const first = (changed: KubernetesObject) =>
      patchOf('Rollout', 'rollouts.kruise.io/v1beta1', {
        spec: { strategy: { [strategy]: { steps: [changed, ...STEPS.slice(1)] } } },
      });
    const stories: Readonly<Record<string, readonly StoryAction[]>> = {
      'edit-traffic': [...WAITING, first(step('15%', 2)), LOOK, 'approve', LOOK, ...BACK],
      'edit-fewer-pods': [...WAITING, first(step('10%', 1)), LOOK, ...BACK],
      'jump-same-pods': [...WAITING, { jump: 3 }, LOOK, 'approve', LOOK, 'delete', LOOK],
      'jump-more-pods': [...WAITING, { jump: 4 }, LOOK, ...BACK],
    };
    const options = { ...stack, route: 'nginx', replicas: 8, steps: STEPS } as const;
    return Object.entries(stories).map(([story, actions]) => lab(`${name}-broken-${story}`, options, actions));
  });
}

/** The release ends while the workload waits for its pods. */
function ended(): KruiseLab[] {
  const { statefulset: _waits, ...stacks } = STACKS;
  return Object.entries(stacks).flatMap(([name, stack]) => {
    const options = { ...stack, route: 'nginx', replicas: 8, steps: STEPS.slice(0, 3) } as const;
    const ended = [...WAITING, { jump: 3 }, LOOK, 'approve', { watch: 30 }] as const;
    const enabled = [...WAITING, 'disable', { watch: 30 }, 'enable', LOOK] as const;
    return [
      lab(`${name}-broken-ended`, options, ended),
      ...Object.entries(AFTERWARDS).flatMap(([story, actions]) => [
        lab(`${name}-broken-enabled-${story}`, options, [...enabled, ...actions]),
        // In canary style, the controller still waits for the workload.
        ...(stack.style === 'canary' ? [] : [lab(`${name}-broken-ended-${story}`, options, [...ended, ...actions])]),
      ]),
    ];
  });
}

export function broken(): KruiseLab[] {
  return [
    ...ended(),
    ...withOtherSteps(),
    ...Object.entries(STACKS).flatMap(([name, stack]) => {
      const stories = { ...ANYWHERE, ...(stack.style === 'blueGreen' ? {} : OVERTAKEN) };
      return Object.entries(stories).map(([story, actions]) =>
        lab(`${name}-broken-${story}`, { ...stack, route: 'nginx', replicas: 8 }, actions),
      );
    }),
    lab('blueGreen-cloneset-broken', { style: 'blueGreen', workload: 'CloneSet', route: 'nginx' }, [
      ...WAITING,
      ...BACK,
    ]),
  ];
}
