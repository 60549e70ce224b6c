/** Pods of a new version never become ready, and people act on the release that waits for them. */
import type { StoryAction } from '../../../../src/release';
import { LOOK } from '../paused';
import { BROKEN, type KruiseLab, lab, upTo } from './lab';
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

const STACKS: Readonly<Record<string, Pick<StackOptions, 'style' | 'workload'>>> = {
  canary: { style: 'canary' },
  partition: { style: 'partition' },
  blueGreen: { style: 'blueGreen' },
  statefulset: { style: 'partition', workload: 'StatefulSet' },
  cloneset: { style: 'partition', workload: 'CloneSet' },
};

export function broken(): KruiseLab[] {
  return [
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
