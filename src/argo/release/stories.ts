/** The stories that a canary of Argo can take. */
import { asObject, isJsonObject, isSet, numberOf, partOf } from '../../core/json';
import { type Story, type StoryAction, stepsToActAt } from '../../release';
import type { ArgoSubject } from './subject';

const RELEASE: StoryAction = { release: 'v2' };

/** All stories of a Rollout, the straight road first. A story that can happen at several steps is told at each of them. */
export function storiesOf({ manifest, steps }: ArgoSubject): readonly Story[] {
  const places = stepsToActAt(steps.map(({ pause }) => pause));
  const story = (name: string, ...actions: StoryAction[]): Story => ({ name, actions });
  const at = (step: number): StoryAction[] => [RELEASE, { until: { step } }];
  const everywhere = (name: string, ...actions: StoryAction[]) =>
    places.map((step) => story(`${name}@${step}`, ...at(step), ...actions));
  const spec = asObject(manifest.get('spec'));
  const replicas = numberOf(spec.replicas) ?? 1;
  const analysed = steps.flatMap(({ analysis }, index) => (isSet(analysis) ? [index] : []));
  const isInBackground = partOf(partOf(partOf(spec, 'strategy'), 'canary'), 'analysis') !== undefined;
  return [
    story('straight', RELEASE, 'finish'),
    ...everywhere('abort', 'abort'),
    ...everywhere('retry', 'abort', 'retry', 'finish'),
    ...everywhere('undo', { release: 'v1' }),
    ...everywhere('third-revision', { release: 'v3' }, 'finish'),
    ...everywhere('promote-full', 'promote-full'),
    ...everywhere('delete', 'delete'),
    ...places.slice(0, 1).map((step) => story(`scale@${step}`, ...at(step), { scale: replicas * 2 }, 'finish')),
    ...[...analysed, ...(isInBackground ? places : [])].flatMap((step) => [
      story(`analysis-failed@${step}`, ...at(step), { analysis: 'failed' }),
      story(`analysis-error@${step}`, ...at(step), { analysis: 'error' }),
    ]),
    ...analysed.map((step) =>
      story(`analysis-inconclusive@${step}`, ...at(step), { analysis: 'inconclusive' }, 'promote', 'finish'),
    ),
    ...(isJsonObject(spec.rollbackWindow)
      ? [story('rollback-window', RELEASE, 'finish', { release: 'v1' }, 'finish')]
      : []),
    story('never-ready', { release: 'v2', ready: 'never' }, { watch: 600 }, 'abort'),
  ];
}
