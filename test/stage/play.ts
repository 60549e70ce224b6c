/** Plays one lab: applies its manifests in a namespace, plays the story, and gives the recording. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Api, KubernetesObject } from './cluster/api';
import { applyAll } from './cluster/apply';
import { sleep } from './cluster/processes';
import { KUBERNETES_VERSION } from './programs';
import { record } from './recorder';
import { eventsOf, type Recording } from './recording';
import { playStory, readStory } from './story';

/** A lab: what is applied, and what happens then. */
export interface Lab {
  readonly name: string;
  readonly manifests: readonly KubernetesObject[];
  readonly story: ReturnType<typeof readStory>;
}

/** Reads the lab of a folder. */
export function readLab(folder: string, name: string): Lab {
  const text = readFileSync(join(folder, name, 'manifests.yaml'), 'utf8');
  return {
    name,
    manifests: parseAllDocuments(text).map((document) => document.toJS()),
    story: readStory(join(folder, name, 'story.yaml')),
  };
}

const CORE_KINDS = [
  ['v1', 'Service'],
  ['v1', 'Pod'],
  ['apps/v1', 'Deployment'],
  ['apps/v1', 'ReplicaSet'],
] as const;

/** Plays a lab in a namespace of its own. */
export async function playLab(
  api: Api,
  lab: Lab,
  controller: string,
  release: string,
  namespace: string,
): Promise<Recording> {
  const objects: KubernetesObject[] = lab.manifests.map((object) => ({
    ...object,
    metadata: { ...object.metadata, namespace },
  }));
  await api.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const kinds = new Map(
    [...CORE_KINDS, ...objects.map(({ apiVersion, kind }) => [apiVersion, kind] as const)].map((each) => [
      each[1],
      each,
    ]),
  );
  const recorder = await record(api, namespace, [...kinds.values()]);
  try {
    await applyAll(api, objects);
    const rollout = objects.find(({ kind }) => kind === 'Rollout')!;
    const { name } = rollout.spec.workloadRef;
    const workload = objects.find(
      (object) => object.kind === rollout.spec.workloadRef.kind && object.metadata.name === name,
    )!;
    await settle(() => {
      const { status } = recorder.current('Rollout', rollout.metadata.name) ?? {};
      const live = recorder.current(workload.kind, name);
      return status?.phase === 'Healthy' && live?.status?.readyReplicas === live?.spec.replicas;
    });
    const begin = Math.max(0, ...recorder.changes.map(({ revision }) => revision));
    const { deeds, hangs } = await playStory({ api, recorder, rollout, workload, patience: 90 }, lab.story);
    await sleep(2000);
    const { events, end } = eventsOf(recorder.changes, [{ revision: begin, did: 'start' }, ...deeds]);
    const start = events.findIndex((event) => 'did' in event && event.did === 'start');
    const after = events.slice(start + 1);
    return { controller, release, kubernetes: KUBERNETES_VERSION, ...(hangs && { hangs }), events: after, end };
  } finally {
    recorder.stop();
  }
}

async function settle(isSettled: () => boolean): Promise<void> {
  const end = Date.now() + 60_000;
  while (!isSettled()) {
    if (Date.now() > end) throw new Error('the stack did not become healthy within 60 s');
    await sleep(200);
  }
  await sleep(2000);
}
