/** Asks a real sidecar what `env preview` shows: the objects of the operator are applied, and every cell is a request. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Api, KubernetesObject } from '../cluster/api';
import { applyAll } from '../cluster/apply';
import { gatewayCrds } from '../cluster/crds';
import { startCluster } from '../cluster/nodes';
import { sleep } from '../cluster/processes';
import { ask } from './ask';
import { startBackend } from './backends';
import { type EnvironmentCase, PORTS } from './cases/environments';
import { istio } from './istio';
import { type AnsweredEnvironments, differencesOfPreview, previewedRequests, writtenFor } from './previewed';
import { ASKING_POD, localPort, startSidecar } from './sidecar';

const [FEW, MANY] = [5, 400];

/** Asks, prints what differs, and writes all answers to a file. Gives the exit code. */
export async function holdPreviews(cases: readonly EnvironmentCase[], file: string): Promise<number> {
  const answered = await answersOf(cases);
  writeFileSync(file, answered.map((each) => `${JSON.stringify(each)}\n`).join(''));
  const differing = answered.flatMap(differencesOfPreview);
  const cells = answered.flatMap(({ requests }) => requests).length;
  process.stdout.write(differing.map((line) => `${line}\n`).join(''));
  process.stderr.write(
    `${cases.length} previews, ${cells} cells, ${differing.length} of them not as previewed; ${file}\n`,
  );
  return differing.length > 0 ? 1 : 0;
}

async function answersOf(cases: readonly EnvironmentCase[]): Promise<AnsweredEnvironments[]> {
  const folder = mkdtempSync(join(tmpdir(), 'stage-'));
  const plane = await startCluster(folder);
  const { api } = plane;
  await applyAll(api, [...gatewayCrds(), ...istio.crds()]);
  await applyAll(api, ASKING_POD);
  const backend = await startBackend();
  for (const one of cases) {
    // The operator is not on the stage: what it writes is.
    const read = one.objects.filter(({ kind }) => kind !== 'VirtualEnvironment');
    await applyAll(api, [...read, ...writtenFor(one)]);
  }
  const pods = await podsByAddress(api, cases);
  const started = await startSidecar(plane, folder, PORTS);
  await sleep(10_000);
  const answered: AnsweredEnvironments[] = [];
  for (const [index, one] of cases.entries()) {
    process.stderr.write(`[${index + 1}/${cases.length}] ${one.case}\n`);
    const requests = [];
    for (const { request, expected } of previewedRequests(one)) {
      const sent = Object.keys(expected).length > 1 ? MANY : FEW;
      const port = localPort(Number(/:(\d+)\//.exec(request)![1]));
      requests.push({ request, real: await ask(request, sent, port, pods), sent });
    }
    answered.push({ ...one, requests });
  }
  backend.close();
  for (const running of [...plane.processes, ...started].reverse()) await running.stop();
  rmSync(folder, { recursive: true, force: true });
  return answered;
}

/** The Deployment of each address, once every pod has one. */
async function podsByAddress(api: Api, cases: readonly EnvironmentCase[]): Promise<ReadonlyMap<string, string>> {
  const namespaces = new Set(cases.map((one) => one.case));
  const wanted = cases.flatMap(({ objects }) => objects).filter(({ kind }) => kind === 'Deployment').length;
  for (const end = Date.now() + 120_000; Date.now() < end; await sleep(500)) {
    const { items } = await api.get('/api/v1/pods');
    const found = items.flatMap(({ metadata, status }: KubernetesObject) =>
      status.podIP === undefined || !namespaces.has(metadata.namespace)
        ? []
        : // The names of a ReplicaSet and of a pod each add a part.
          [[status.podIP, metadata.name.split('-').slice(0, -2).join('-')] as const],
    );
    if (found.length === wanted) return new Map(found);
  }
  throw new Error('the pods of the environments are not ready after 120 s');
}
