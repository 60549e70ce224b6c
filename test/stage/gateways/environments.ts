/** Asks a real sidecar what `env preview` shows: the objects of the operator are applied, and every cell is a request. */
import { writeFileSync } from 'node:fs';
import { applyAll } from '../cluster/apply';
import { sleep } from '../cluster/processes';
import { ask } from './ask';
import { podsByAddress } from './backends';
import { type EnvironmentCase, PORTS } from './cases/environments';
import { type GatewayCluster, withCluster } from './cluster';
import { istio } from './istio';
import { FEW, MANY } from './play';
import { type AnsweredEnvironments, differencesOfPreview, previewedRequests, writtenFor } from './previewed';
import { ASKING_POD, localPort, startSidecar } from './sidecar';

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

function answersOf(cases: readonly EnvironmentCase[]): Promise<AnsweredEnvironments[]> {
  return withCluster(istio.crds(), (cluster) => answersIn(cluster, cases));
}

async function answersIn(
  { plane, folder, started }: GatewayCluster,
  cases: readonly EnvironmentCase[],
): Promise<AnsweredEnvironments[]> {
  const { api } = plane;
  await applyAll(api, ASKING_POD);
  for (const one of cases) {
    // The operator is not on the stage: what it writes is.
    const read = one.objects.filter(({ kind }) => kind !== 'VirtualEnvironment');
    await applyAll(api, [...read, ...writtenFor(one)]);
  }
  const pods = await podsByAddress(
    api,
    cases.flatMap(({ objects }) => objects),
  );
  started.push(...(await startSidecar(plane, folder, PORTS)));
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
  return answered;
}
