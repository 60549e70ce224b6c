/** The stories that a Rollout of Kruise can take. */
import { isJsonObject } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import type { Story, StoryAction } from '../../release';
import { workloadOf } from '../controller';
import type { RolloutSubject } from '../subject';
import type { KruiseRolloutVersion } from '../version';

const RELEASE: StoryAction = { release: 'v2' };

/** All stories of a Rollout, the straight road first. Those that can come at several steps are told at each of them. */
export function storiesOf(
  rollout: RolloutSubject,
  workload: Manifest | undefined,
  { facts }: KruiseRolloutVersion,
): readonly Story[] {
  const pauses = pausesOf(rollout);
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

/** The steps at which people can act: those that wait for them, or the first one. */
function pausesOf({ steps }: RolloutSubject): readonly number[] {
  const waiting = steps.flatMap(({ object: { pause } }, index) =>
    isJsonObject(pause) && pause.duration === undefined ? [index] : [],
  );
  return waiting.length > 0 ? waiting : steps.slice(0, 1).map(() => 0);
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
