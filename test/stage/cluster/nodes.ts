/**
 * The nodes of the stage. kube-scheduler gives every pod a node, and KWOK plays the kubelets: it reports pods running and
 * ready after a delay, and removes those that are deleted. No container runs.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { binaryOf, programNamed } from '../programs';
import { adminKubeconfig, type ControlPlane, startControlPlane } from './control-plane';
import { type Running, ready, start } from './processes';

/** On a pod: how long it takes to become ready, such as `8s`, or `never`. One second without it. */
export const READY_AFTER = 'stage.rollout-constructs.io/ready-after';

const NODES = ['node-1', 'node-2', 'node-3', 'node-4'];

/** Apart from the addresses of the API server and of the nodes. */
const POD_ADDRESSES = '10.244.128.0/17';
const NODE_ADDRESS = '10.244.0.1';

/** Starts a cluster with nodes. */
export async function startCluster(folder: string): Promise<ControlPlane> {
  const plane = await startControlPlane(folder);
  return { ...plane, processes: [...plane.processes, ...(await startNodes(plane, folder))] };
}

/** Starts the nodes, and waits until pods can run on them. */
async function startNodes(plane: ControlPlane, folder: string): Promise<readonly Running[]> {
  const kubeconfig = adminKubeconfig(folder, plane.certificates);
  const scheduler = startScheduler(folder, kubeconfig);
  const kwok = startKwok(folder, kubeconfig);
  for (const name of NODES) await plane.api.apply({ apiVersion: 'v1', kind: 'Node', metadata: { name } });
  // New nodes have a taint that the node lifecycle controller takes away; it would also declare nodes of a busy machine lost.
  for (const name of NODES) await plane.api.patch(`/api/v1/nodes/${name}`, { spec: { taints: null } });
  await ready(kwok, async () => (await Promise.all(NODES.map((name) => isReady(plane, name)))).every(Boolean));
  return [scheduler, kwok];
}

async function isReady({ api }: ControlPlane, name: string): Promise<boolean> {
  const { status } = await api.get(`/api/v1/nodes/${name}`);
  return status?.conditions?.some(
    ({ type, status }: { type: string; status: string }) => `${type}=${status}` === READY,
  );
}

const READY = 'Ready=True';

function startScheduler(folder: string, kubeconfig: string): Running {
  // biome-ignore format: a flag and its value stay on one line
  return start('kube-scheduler', binaryOf(programNamed('kube-scheduler')), [
    '--kubeconfig', kubeconfig,
    '--leader-elect=false',
    '--secure-port', '0',
    '--kube-api-qps', '500',
    '--kube-api-burst', '1000',
  ], { folder });
}

function startKwok(folder: string, kubeconfig: string): Running {
  const config = join(folder, 'kwok.yaml');
  writeFileSync(config, STAGES.map((stage) => JSON.stringify(stage)).join('\n---\n'));
  // biome-ignore format: a flag and its value stay on one line
  return start('kwok', binaryOf(programNamed('kwok')), [
    '--config', config,
    '--kubeconfig', kubeconfig,
    '--manage-all-nodes',
    '--node-ip', NODE_ADDRESS,
    '--cidr', POD_ADDRESSES,
    '--node-lease-duration-seconds', '0',
    '--server-address', '',
  ], { folder });
}

const IS_NOT_DELETED = { key: '.metadata.deletionTimestamp', operator: 'DoesNotExist' };
const IS_NEW = { key: '.status.podIP', operator: 'DoesNotExist' };
const DELAY = `.metadata.annotations["${READY_AFTER}"]`;
const IS_READY_ONCE = { key: DELAY, operator: 'NotIn', values: ['never'] };
const IS_RUNNING = { key: '.status.phase', operator: 'In', values: ['Running'] };
const IS_OF_JOB = { key: '.metadata.ownerReferences.[].kind', operator: 'In', values: ['Job'] };
const SUCCEEDED = 'phase: Succeeded';

/** What KWOK does with nodes and pods, one stage of a life each. */
const STAGES = [
  stage('node', 'Node', [{ key: '.status.allocatable', operator: 'DoesNotExist' }], { statusTemplate: node() }),
  stage('pod-ready', 'Pod', [IS_NOT_DELETED, IS_NEW, IS_READY_ONCE], {
    delay: { durationMilliseconds: 1000, durationFrom: { expressionFrom: DELAY } },
    statusTemplate: running('True'),
  }),
  stage('pod-never-ready', 'Pod', [IS_NOT_DELETED, IS_NEW, { key: DELAY, operator: 'In', values: ['never'] }], {
    statusTemplate: running('False'),
  }),
  // Nobody starts the container of a Job again: it has done its work.
  stage('pod-succeeded', 'Pod', [IS_NOT_DELETED, IS_RUNNING, IS_OF_JOB, IS_READY_ONCE], { statusTemplate: SUCCEEDED }),
  stage('pod-deleted', 'Pod', [{ key: '.metadata.deletionTimestamp', operator: 'Exists' }], {
    delete: true,
    finalizers: { empty: true },
  }),
];

interface Life {
  readonly delay?: object;
  readonly statusTemplate?: string;
  readonly delete?: boolean;
  readonly finalizers?: object;
}

function stage(name: string, kind: string, matchExpressions: readonly object[], { delay, ...next }: Life): object {
  return {
    apiVersion: 'kwok.x-k8s.io/v1alpha1',
    kind: 'Stage',
    metadata: { name },
    spec: { resourceRef: { apiGroup: 'v1', kind }, selector: { matchExpressions }, ...(delay && { delay }), next },
  };
}

function node(): string {
  const capacity = { cpu: '1k', memory: '1Ti', pods: '10k' };
  return `
conditions:
- {type: Ready, status: "True", reason: Stage, message: "", lastHeartbeatTime: {{ Now | Quote }}, lastTransitionTime: {{ Now | Quote }}}
addresses:
- {type: InternalIP, address: {{ NodeIP | Quote }}}
allocatable: ${JSON.stringify(capacity)}
capacity: ${JSON.stringify(capacity)}
`;
}

function running(isReady: 'True' | 'False'): string {
  const conditions = ['Initialized', 'ContainersReady', 'Ready'].map(
    (type) =>
      `- {type: ${type}, status: "${type === 'Initialized' ? 'True' : isReady}", lastTransitionTime: {{ $now | Quote }}}`,
  );
  return `
{{ $now := Now }}
conditions:
${conditions.join('\n')}
containerStatuses:
{{ range .spec.containers }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  imageID: {{ .image | Quote }}
  ready: ${isReady === 'True'}
  started: true
  restartCount: 0
  state: {running: {startedAt: {{ $now | Quote }}}}
{{ end }}
hostIP: {{ NodeIPWith .spec.nodeName | Quote }}
podIP: {{ PodIPWith .spec.nodeName ( or .spec.hostNetwork false ) ( or .metadata.uid "" ) ( or .metadata.name "" ) ( or .metadata.namespace "" ) | Quote }}
phase: Running
startTime: {{ $now | Quote }}
`;
}
