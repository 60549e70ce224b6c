/** The stories that a Rollout of Kruise can take. */
import type { ObjectRef } from '../../core/finding';
import { asObject, isSet, type JsonObject } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import type { World } from '../../core/world';
import {
  appliedAgain,
  boundsOf,
  isFromCluster,
  type Story,
  type StoryAction,
  type StoryPatch,
  stepsToActAt,
} from '../../release';
import { workloadOf } from '../controller';
import { heldPointers } from '../held-fields';
import { honoursPause, type RolloutSubject } from '../subject';
import type { KruiseRolloutVersion } from '../version';

const RELEASE: StoryAction = { release: 'v2' };

/** The objects beside a Rollout. */
interface Beside {
  /** They determine the number of pods. */
  readonly workload: Manifest | undefined;
  readonly autoscaler: Manifest | undefined;
  readonly world: World;
}

/** All stories of a Rollout. The straight road comes first. Each step where a story can happen has its own. */
export function storiesOf(rollout: RolloutSubject, beside: Beside, { facts }: KruiseRolloutVersion): readonly Story[] {
  const { workload, autoscaler } = beside;
  const patches = synced(rollout, beside).map((patch) => ({ patch }));
  const pauses = stepsToActAt(
    rollout.steps.map(({ object }, index) => (honoursPause(rollout, index) ? object.pause : undefined)),
  );
  const [first] = pauses;
  const last = rollout.steps.length - 1;
  const { replicas } = workloadOf(rollout.workload?.ref, workload, autoscaler);
  const story = (name: string, ...actions: StoryAction[]): Story => ({ name, actions });
  const at = (step: number): StoryAction[] => [RELEASE, { until: { step: step + 1 } }];
  const everywhere = (name: string, ...actions: StoryAction[]) =>
    pauses.map((step) => story(`${name}@${step}`, ...at(step), ...actions));
  if (first === undefined) return [story('straight', RELEASE, 'finish')];
  const isDaemonSet = rollout.workload?.ref.kind === 'DaemonSet';
  return [
    story('straight', RELEASE, 'finish'),
    // Without an old pod the way back is a release of its own.
    ...everywhere('roll-back', { release: 'v1' }, 'finish'),
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
    // A blue-green release takes the workload away from its autoscaler until the end.
    ...(autoscaler === undefined || rollout.style === 'blueGreen'
      ? []
      : [story(`hpa@${first}`, ...at(first), { scale: boundsOf(autoscaler).max }, 'finish')]),
    ...editedStep(rollout, first).map((patch) => story(`edit-step@${first}`, ...at(first), { patch }, 'finish')),
    ...editedRoute(rollout).map((patch) => story(`edit-route@${first}`, ...at(first), { patch }, 'finish')),
    ...(patches.length === 0 ? [] : [story(`sync@${first}`, ...at(first), ...patches, 'finish')]),
    story('never-ready', { release: 'v2', ready: 'never' }, { watch: 600 }, { release: 'v1' }),
  ];
}

/** Somebody halves the traffic of the step at which the release is. */
function editedStep({ manifest, strategy, steps }: RolloutSubject, at: number): StoryPatch[] {
  const { traffic } = steps[at]!.object;
  const percent = typeof traffic === 'string' ? Number.parseInt(traffic, 10) : 0;
  if (!(percent > 1)) return [];
  const half = `${Math.floor(percent / 2)}%`;
  const edited = steps.map(({ object }, index) => (index === at ? { ...object, traffic: half } : object));
  const spec = strategy.path.reduceRight<JsonObject>((value, key) => ({ [key]: value }), { steps: edited });
  const { apiVersion, kind, name } = manifest;
  return [{ apiVersion, kind, name, with: spec }];
}

/** A GitOps tool applies again what the controller rewrites in place. The stable Ingress is not part of that. */
function synced(rollout: RolloutSubject, { workload, world }: Beside): StoryPatch[] {
  const { route, namespace, style } = rollout;
  const refs = route?.customNetworkRefs.map(({ ref }) => ref) ?? [];
  const gateway = route?.gateway && httpRouteRef(route.gateway.httpRouteName);
  return [
    ...appliedAgain(world, [...refs, ...(gateway ? [gateway] : [])], namespace),
    ...(workload === undefined ? [] : heldFields(workload, style)),
  ];
}

/** The fields of the workload that the manifest declares and the controller holds. The webhook pauses the workload again by itself. */
function heldFields(workload: Manifest, style: RolloutSubject['style']): StoryPatch[] {
  if (isFromCluster(workload)) return [];
  const { apiVersion, kind, name, object } = workload;
  const declared = asObject(object.spec);
  const fields = new Set((heldPointers(workload, style) ?? []).map((pointer) => pointer.split('/')[2]!));
  const held = [...fields].filter((field) => field !== 'paused' && isSet(declared[field]));
  if (held.length === 0) return [];
  return [
    { apiVersion, kind, name, with: { spec: Object.fromEntries(held.map((field) => [field, declared[field]!])) } },
  ];
}

function httpRouteRef(name: string): ObjectRef {
  return { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'HTTPRoute', name };
}

/** Somebody adds an annotation to a route in the middle: what becomes of it? */
function editedRoute({ route }: RolloutSubject): StoryPatch[] {
  if (route === undefined) return [];
  const { ingress, gateway, customNetworkRefs } = route;
  const object =
    customNetworkRefs[0]?.ref ??
    (ingress && { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', name: ingress.name }) ??
    (gateway && httpRouteRef(gateway.httpRouteName));
  if (object === undefined) return [];
  const { apiVersion, kind, name } = object;
  return [{ apiVersion, kind, name, with: { metadata: { annotations: { 'example.com/edited': 'in the middle' } } } }];
}
