/** The stories that a Rollout of Kruise can take. */
import type { Manifest } from '../../core/manifest';
import { type Story, type StoryAction, stepsToActAt } from '../../release';
import { workloadOf } from '../controller';
import type { RolloutSubject } from '../subject';
import type { KruiseRolloutVersion } from '../version';

const RELEASE: StoryAction = { release: 'v2' };

/** All stories of a Rollout, the straight road first. A story that can happen at several steps is told at each of them. */
export function storiesOf(
  rollout: RolloutSubject,
  workload: Manifest | undefined,
  { facts }: KruiseRolloutVersion,
): readonly Story[] {
  const pauses = stepsToActAt(rollout.steps.map(({ object }) => object.pause));
  const [first] = pauses;
  const last = rollout.steps.length - 1;
  const { replicas } = workloadOf(rollout.workload?.ref, workload);
  const story = (name: string, ...actions: StoryAction[]): Story => ({ name, actions });
  const at = (step: number): StoryAction[] => [RELEASE, { until: { step: step + 1 } }];
  const everywhere = (name: string, ...actions: StoryAction[]) =>
    pauses.map((step) => story(`${name}@${step}`, ...at(step), ...actions));
  if (first === undefined) return [story('straight', RELEASE, 'finish')];
  const isDaemonSet = rollout.workload?.ref.kind === 'DaemonSet';
  return [
    story('straight', RELEASE, 'finish'),
    ...everywhere('roll-back', { release: 'v1' }),
    ...everywhere('third-revision', { release: 'v3' }, 'finish'),
    ...everywhere('delete', 'delete'),
    ...everywhere('disable', 'disable'),
    ...(facts.jumps && last > first + 1
      ? [story(`jump-forward@${first}`, ...at(first), { jump: last + 1 }, 'finish')]
      : []),
    ...(facts.jumps ? pauses.filter((step) => step > first).slice(0, 1) : []).map((step) =>
      story(`jump-back@${step}`, ...at(step), { jump: first + 1 }, 'finish'),
    ),
    ...(isDaemonSet ? [] : [story(`scale@${first}`, ...at(first), { scale: replicas * 2 }, 'finish')]),
    ...editedRoute(rollout).map((patch) => story(`edit-route@${first}`, ...at(first), { patch }, 'finish')),
    story('never-ready', { release: 'v2', ready: 'never' }, { watch: 600 }, { release: 'v1' }),
  ];
}

/** Somebody adds an annotation to a route in the middle: what becomes of it? */
function editedRoute({ route }: RolloutSubject): Extract<StoryAction, { patch: object }>['patch'][] {
  if (route === undefined) return [];
  const { ingress, gateway, customNetworkRefs } = route;
  const object =
    customNetworkRefs[0]?.ref ??
    (ingress && { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', name: ingress.name }) ??
    (gateway && { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'HTTPRoute', name: gateway.httpRouteName });
  if (object === undefined) return [];
  const { apiVersion, kind, name } = object;
  return [{ apiVersion, kind, name, with: { metadata: { annotations: { 'example.com/edited': 'in the middle' } } } }];
}
