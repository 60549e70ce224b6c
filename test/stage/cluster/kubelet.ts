/**
 * The one node of the stage: binds every pod, reports it running and ready after a delay, and removes it when it is
 * deleted. No container runs.
 */
import type { Api, KubernetesObject, WatchEvent } from './api';
import { sleep } from './processes';

const NODE = 'stage';

/** On a pod: seconds until it is ready, or `never`. */
export const READY_AFTER = 'stage.rollout-constructs.io/ready-after';

/** Starts the node. */
export async function startKubelet(api: Api): Promise<{ stop(): void }> {
  await api.apply({ apiVersion: 'v1', kind: 'Node', metadata: { name: NODE } });
  await api.patch(`/api/v1/nodes/${NODE}/status`, {
    status: {
      capacity: { cpu: '1000', memory: '4000Gi', pods: '10000' },
      allocatable: { cpu: '1000', memory: '4000Gi', pods: '10000' },
      conditions: [{ type: 'Ready', status: 'True', reason: 'Stage', message: '' }],
    },
  });
  const seen = new Set<string>();
  let next = 1;
  const address = () => {
    next += 1;
    return `10.244.${next >> 8}.${next & 255}`;
  };
  const act = async ({ type, object: pod }: WatchEvent) => {
    const path = `/api/v1/namespaces/${pod.metadata.namespace}/pods/${pod.metadata.name}`;
    if (type === 'DELETED') return;
    if (pod.metadata.deletionTimestamp !== undefined) {
      await api.delete(`${path}?gracePeriodSeconds=0`).catch(() => {});
      return;
    }
    if (seen.has(pod.metadata.uid)) return;
    seen.add(pod.metadata.uid);
    await run(api, path, pod, address());
  };
  const { metadata, items } = await api.get('/api/v1/pods');
  for (const object of items) void act({ type: 'ADDED', object });
  return api.watch('/api/v1/pods', metadata.resourceVersion, (event) => void act(event).catch(() => {}));
}

async function run(api: Api, path: string, pod: KubernetesObject, podIP: string): Promise<void> {
  if (pod.spec.nodeName === undefined) {
    await api.post(`${path}/binding`, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: pod.metadata.name },
      target: { apiVersion: 'v1', kind: 'Node', name: NODE },
    });
  }
  const after = pod.metadata.annotations?.[READY_AFTER] ?? '1';
  const isReady = after !== 'never';
  if (isReady) await sleep(Number(after) * 1000);
  const now = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  const containers = pod.spec.containers.map(({ name, image }: KubernetesObject) => ({
    name,
    image,
    imageID: image,
    ready: isReady,
    started: true,
    restartCount: 0,
    state: { running: { startedAt: now } },
  }));
  const condition = (type: string, status: boolean) => ({
    type,
    status: status ? 'True' : 'False',
    lastTransitionTime: now,
  });
  await api.patch(`${path}/status`, {
    status: {
      phase: 'Running',
      podIP,
      podIPs: [{ ip: podIP }],
      hostIP: '10.244.0.1',
      startTime: now,
      containerStatuses: containers,
      conditions: [
        condition('PodScheduled', true),
        condition('Initialized', true),
        condition('ContainersReady', isReady),
        condition('Ready', isReady),
      ],
    },
  });
}
