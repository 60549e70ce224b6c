/** Plays releases that hang, writes what their namespaces have then, and plays the way out. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { groupOf } from '../../src/core';
import { READ_KINDS } from '../../src/doctor';
import type { Api, KubernetesObject } from './cluster/api';
import { controllerNamed } from './controllers';
import { VERIFIES } from './controllers/argo';
import type { Hang } from './labs/hanging';
import { CORE_KINDS, PATIENCE, playLab } from './play';
import { record } from './recorder';
import { startStage } from './stage';
import { playStory } from './story';

/** Plays hangs; those with a load balancer on a stage whose controller verifies in AWS. Returns how many have no way out. */
export async function playHangs(program: string, hangs: readonly Hang[], folder: string): Promise<number> {
  const verified = hangs.filter(({ lab }) => lab.loadBalancer !== undefined);
  const others = hangs.filter(({ lab }) => lab.loadBalancer === undefined);
  let failed = 0;
  for (const [stage, some] of [
    [program, others],
    [`${program}+${VERIFIES}`, verified],
  ] as const) {
    if (some.length > 0) failed += await playOn(stage, some, folder);
  }
  return failed;
}

async function playOn(program: string, hangs: readonly Hang[], folder: string): Promise<number> {
  const [name = '', release = ''] = program.split(/[@+]/);
  const controller = controllerNamed(name);
  const stage = await startStage(
    program,
    hangs.flatMap(({ lab }) => lab.manifests),
  );
  const { api } = stage.plane;
  let failed = 0;
  await Promise.all(
    hangs.map(async ({ lab, wayOut }) => {
      try {
        const { objects } = await playLab(api, lab, controller, release);
        const all = [...objects, ...(await analysisRuns(api, namespaceOf(lab.name)))];
        const file = join(folder, name, release, `${lab.name}.yaml`);
        mkdirSync(join(folder, name, release), { recursive: true });
        writeFileSync(file, dumpOf(all));
        const ends = await goOut(api, { lab, wayOut }, controller);
        if (ends !== undefined) failed += 1;
        process.stderr.write(
          `${lab.name}: ${ends === undefined ? 'the way out ends' : `hangs on the way out: ${ends}`}\n`,
        );
      } catch (error) {
        failed += 1;
        process.stderr.write(`${lab.name}: ${(error as Error).message}\n`);
      }
    }),
  );
  await stage.stop();
  return failed;
}

function namespaceOf(lab: string): string {
  return lab.toLowerCase();
}

/** Plays the way out; says where the release hangs on it. */
async function goOut(
  api: Api,
  { lab, wayOut }: Hang,
  controller: ReturnType<typeof controllerNamed>,
): Promise<string | undefined> {
  const namespace = namespaceOf(lab.name);
  const objects = lab.manifests.map(
    (object): KubernetesObject => ({ ...object, metadata: { ...object.metadata, namespace } }),
  );
  const rollout = objects.find(({ kind }) => kind === 'Rollout')!;
  const recorder = await record(api, namespace, [...CORE_KINDS, [rollout.apiVersion, rollout.kind]]);
  try {
    // A watch tells only what changes from now on.
    await api.patch(await api.pathOf(rollout), {
      metadata: { annotations: { 'stage.rollout-constructs.io/seen': '1' } },
    });
    for (const action of wayOut) {
      if (typeof action === 'object' && 'apply' in action) {
        const { apply } = action;
        await api.apply({ ...apply, metadata: { ...apply.metadata, namespace } });
        continue;
      }
      if (typeof action === 'object' && 'status' in action) {
        await api.patch(`${await api.pathOf(rollout)}/status`, { status: action.status });
        continue;
      }
      const workload = controller.workloadOf(rollout, objects);
      const { deeds, hangs } = await playStory({ api, controller, recorder, rollout, workload, patience: PATIENCE }, [
        action,
      ]);
      const refused = deeds.find((deed) => deed.refused !== undefined);
      if (refused !== undefined) process.stderr.write(`${lab.name}: ${refused.did}: ${refused.refused}\n`);
      if (hangs)
        return `${JSON.stringify(action)}: ${JSON.stringify(recorder.current('Rollout', rollout.metadata.name)?.status)}`;
    }
    return undefined;
  } finally {
    recorder.stop();
  }
}

/** What doctor reads of a namespace, as `kubectl get -o yaml` shows it. */
function dumpOf(objects: readonly KubernetesObject[]): string {
  const keyOf = ({ kind, metadata }: KubernetesObject) => `${kind} ${metadata.name}`;
  const items = objects
    .filter(isRead)
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .map(withoutNoise);
  return stringify({ apiVersion: 'v1', kind: 'List', items });
}

/** Kinds that doctor reads. */
function isRead({ apiVersion, kind }: KubernetesObject): boolean {
  const group = groupOf(apiVersion);
  return READ_KINDS.some((one) => one.kind === kind && one.group === group);
}

/** Without what the API server and kubelets add, and no question is about. */
export function withoutNoise({ apiVersion, kind, metadata, spec, status }: KubernetesObject): KubernetesObject {
  const { managedFields: _fields, resourceVersion: _version, annotations, ...kept } = metadata;
  const { [LAST_APPLIED]: _applied, ...own } = annotations ?? {};
  const about = { apiVersion, kind, metadata: { ...kept, ...(annotations && { annotations: own }) } };
  const { name, namespace, labels, ownerReferences = [] } = metadata;
  const owners = ownerReferences.map((owner: KubernetesObject) => only(owner, ['apiVersion', 'kind', 'name']));
  const short = { apiVersion, kind, metadata: { name, namespace, labels, ownerReferences: owners } };
  // Their specs are copies of a pod template, which is in the workload.
  if (kind === 'Pod') return { ...short, status: podStatus(status) };
  if (kind === 'ReplicaSet') return { ...short, status };
  return { ...about, spec, ...(status === undefined ? {} : { status }) };
}

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

function podStatus({ phase, conditions = [], containerStatuses = [] }: KubernetesObject): KubernetesObject {
  return {
    phase,
    conditions: conditions.map((one: KubernetesObject) => only(one, ['type', 'status', 'reason', 'message'])),
    containerStatuses: containerStatuses.map((one: KubernetesObject) => only(one, ['name', 'ready', 'state'])),
  };
}

function only(object: KubernetesObject, keys: readonly string[]): KubernetesObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => keys.includes(key)));
}

const ANALYSIS_RUN = ['argoproj.io/v1alpha1', 'AnalysisRun'] as const;

/** The AnalysisRuns of a namespace, which no recording has. */
async function analysisRuns(api: Api, namespace: string): Promise<KubernetesObject[]> {
  const [apiVersion, kind] = ANALYSIS_RUN;
  if (!(await api.serves(apiVersion, kind))) return [];
  const { items } = await api.get(await api.collection(apiVersion, kind, namespace));
  return items.map((each: KubernetesObject) => ({ apiVersion, kind, ...each }));
}
