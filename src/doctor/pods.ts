/** Why pods are not ready, in the words of the kubelet and the scheduler. */
import type { Manifest } from '../core';
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

/** A pod that does not become ready by itself. */
export interface FailingPod {
  readonly name: string;
  /** `CrashLoopBackOff: back-off 5m0s restarting failed container` */
  readonly why: string;
}

/** The pods of a version that do not become ready by themselves. */
export function failingPods(
  cluster: LiveCluster,
  namespace: string,
  isMeant: (pod: Manifest) => boolean,
): readonly FailingPod[] {
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
