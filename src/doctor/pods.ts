/** Why pods are not ready or not there, in the words of the kubelet, the scheduler and the API server. */
import type { Json, Manifest } from '../core';
import { asList, asObject, asText } from '../core/json';
import type { LiveCluster } from './cluster';

/** What a kubelet retries without an end that time alone would bring. */
const FAILING = new Set([
  'CrashLoopBackOff',
  'ImagePullBackOff',
  'ErrImagePull',
  'InvalidImageName',
  'ErrImageNeverPull',
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
]);

/** A pod that does not become ready by itself, or a ReplicaSet that gets no pods. */
export interface PodTrouble {
  readonly name: string;
  /** `CrashLoopBackOff: back-off 5m0s restarting failed container` */
  readonly why: string;
}

/** Why the pods of a version do not come or do not become ready by themselves: a pod or ReplicaSet each. */
export function podTroubles(
  cluster: LiveCluster,
  namespace: string,
  isMeant: (labels: Readonly<Record<string, string>>) => boolean,
): readonly PodTrouble[] {
  const refused = cluster.world
    .list('ReplicaSet.apps', namespace)
    .filter(({ labels }) => isMeant(labels))
    .flatMap(({ kind, name, object }) => {
      const why = refusalOf(object.status);
      return why === undefined ? [] : [{ name: `${kind} ${name}`, why }];
    });
  return [...refused, ...failingPods(cluster, namespace, ({ labels }) => isMeant(labels))];
}

/** The names of the pods of a version that are not ready, for whatever reason. */
export function unreadyPods(
  cluster: LiveCluster,
  namespace: string,
  isMeant: (labels: Readonly<Record<string, string>>) => boolean,
): readonly string[] {
  const isReady = (pod: Manifest) =>
    asList(pod.get('status.conditions'))
      .map(asObject)
      .some(({ type, status }) => type === 'Ready' && status === 'True');
  return cluster.world
    .list('Pod', namespace)
    .filter((pod) => isMeant(pod.labels) && pod.get('status') !== undefined && !isReady(pod))
    .map(({ name }) => name);
}

/** The API server refuses pods for a quota, a policy or an invalid template. */
function refusalOf(status: Json | undefined): string | undefined {
  const conditions = asList(asObject(status).conditions).map(asObject);
  const failure = conditions.find(({ type, status: is }) => type === 'ReplicaFailure' && is === 'True');
  return failure && said(failure.reason, failure.message);
}

/** The pods of a version that do not become ready by themselves. */
function failingPods(
  cluster: LiveCluster,
  namespace: string,
  isMeant: (pod: Manifest) => boolean,
): readonly PodTrouble[] {
  return cluster.world
    .list('Pod', namespace)
    .filter(isMeant)
    .flatMap((pod) => {
      const why = reasonOf(pod);
      return why === undefined ? [] : [{ name: pod.name, why }];
    });
}

function reasonOf(pod: Manifest): string | undefined {
  const statuses = ['initContainerStatuses', 'containerStatuses'].flatMap((list) => asList(pod.get(['status', list])));
  const waiting = statuses.map((each) => asObject(asObject(asObject(each).state).waiting));
  const failing = waiting.find(({ reason }) => FAILING.has(asText(reason)));
  if (failing !== undefined) return said(failing.reason, failing.message);
  const conditions = asList(pod.get('status.conditions')).map(asObject);
  const unscheduled = conditions.find(({ type, status }) => type === 'PodScheduled' && status === 'False');
  return unscheduled && said(unscheduled.reason, unscheduled.message);
}

function said(reason: unknown, message: unknown): string {
  return [reason, message]
    .map(asText)
    .filter((text) => text !== '')
    .join(': ');
}
