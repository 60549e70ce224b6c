/** Plays cases on a real gateway: all of them at once, since each has hosts of its own, and then those that take all hosts. */
import { connect } from 'node:net';
import { applyAll } from '../cluster/apply';
import { sleep } from '../cluster/processes';
import { gatewayNamed } from '.';
import { ask } from './ask';
import { BACKENDS, NAMESPACE, podsByAddress } from './backends';
import { type GatewayCluster, withCluster } from './cluster';
import type { AnsweredCase, GatewayCase, GatewayOnStage, Shares } from './gateway';

/** One answer tells who answers; where weights decide, shares are counted. */
export const [FEW, MANY] = [5, 400];

/** The answers of a gateway to the requests of each case. */
export function answersOf(gateway: string, cases: readonly GatewayCase[]): Promise<AnsweredCase[]> {
  const onStage = gatewayNamed(gateway);
  return withCluster(onStage.crds(), (cluster) => answersIn(cluster, onStage, cases));
}

/** Starts a gateway in front of the backends of the cases. */
export async function startBeforeBackends({ plane, folder, started }: GatewayCluster, onStage: GatewayOnStage) {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } };
  await applyAll(plane.api, [namespace, ...BACKENDS, ...onStage.objects]);
  const pods = await podsByAddress(plane.api, BACKENDS);
  const { port, processes } = await onStage.start(plane, folder);
  started.push(...processes);
  return { port, pods };
}

async function answersIn(
  cluster: GatewayCluster,
  onStage: GatewayOnStage,
  cases: readonly GatewayCase[],
): Promise<AnsweredCase[]> {
  const { plane, folder } = cluster;
  const { api } = plane;
  const { port, pods } = await startBeforeBackends(cluster, onStage);
  const answered: AnsweredCase[] = [];
  const together = cases.filter(({ takesAll }) => takesAll !== true);
  const apart = cases.filter(({ takesAll }) => takesAll === true).map((each) => [each]);
  for (const some of [together, ...apart]) {
    for (const { case: name, objects } of some) {
      await applyAll(api, objects).catch((error: Error) => {
        throw new Error(`case ${name}: ${error.message}`);
      });
    }
    await onStage.applied?.(api, folder);
    await listening(port);
    await settled(some, (request) => ask(request, 1, port, pods));
    for (const each of some) {
      answered.push(await answersTo(each, (request, times) => ask(request, times, port, pods)));
      process.stderr.write(`[${answered.length}/${cases.length}] ${each.case}\n`);
    }
    const isApart = apart.includes(some);
    for (const { objects } of isApart ? some : []) {
      for (const object of objects) await api.delete(await api.pathOf(object));
    }
  }
  return answered;
}

async function answersTo(
  each: GatewayCase,
  answer: (request: string, times: number) => Promise<Shares>,
): Promise<AnsweredCase> {
  const requests = [];
  for (const request of each.requests) {
    const first = await answer(request, FEW);
    const isShared = Object.keys(first).length > 1 || isWeighted(each.objects);
    const sent = isShared ? MANY : FEW;
    const real = isShared ? await answer(request, MANY) : first;
    requests.push({ request, real, sent });
  }
  return { ...each, requests };
}

function isWeighted(objects: readonly object[]): boolean {
  return JSON.stringify(objects).includes('"weight"');
}

/** Waits until the gateway takes connections: some do so only once they have a route. */
async function listening(port: number): Promise<void> {
  const isOpen = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true));
      socket.on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(200)) if (await isOpen()) return;
  throw new Error(`nothing listens at port ${port} after 60 s`);
}

/** Waits until the gateway has taken all routes: its answers no longer change. */
async function settled(cases: readonly GatewayCase[], answer: (request: string) => Promise<unknown>): Promise<void> {
  const all = async () => {
    const answers = [];
    for (const { requests, objects } of cases) if (!isWeighted(objects)) answers.push(await answer(requests[0]!));
    return JSON.stringify(answers);
  };
  await sleep(3000);
  let before = await all();
  for (const end = Date.now() + 60_000; Date.now() < end; ) {
    await sleep(2000);
    const now = await all();
    if (now === before) return;
    before = now;
  }
}
