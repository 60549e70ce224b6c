/** Plays one lab: applies its manifests in a namespace, plays the story, and gives the recording. */
import { createHash } from 'node:crypto';
import type { StoryAction } from '../../src/release';
import { type LoadBalancer, namespaceWith } from './aws/behaviour';
import type { Api, KubernetesObject } from './cluster/api';
import { applyAll } from './cluster/apply';
import { sleep } from './cluster/processes';
import type { ControllerOnStage } from './controllers/controller';
import { KUBERNETES_VERSION } from './programs';
import { type Recorder, record } from './recorder';
import { eventsOf, type Play } from './recording';
import { isCreation, playStory } from './story';

/** A lab: what is applied, and what happens then. */
export interface Lab {
  readonly name: string;
  readonly manifests: readonly KubernetesObject[];
  readonly story: readonly StoryAction[];
  /**
   * Objects that stand in for those of the same name in the controller's install: other routing scripts.
   * @default - none
   */
  readonly install?: readonly KubernetesObject[];
  /**
   * The load balancer whose weights and targets the controller verifies.
   * @default - the controller verifies nothing
   */
  readonly loadBalancer?: LoadBalancer;
}

/** Kinds of objects that a play watches, besides those of the lab. */
export const CORE_KINDS = [
  ['v1', 'Service'],
  ['v1', 'Pod'],
  ['apps/v1', 'Deployment'],
  ['apps/v1', 'ReplicaSet'],
  ['apps/v1', 'ControllerRevision'],
] as const;

/** How many seconds a wait may take: without any change, and in all. */
export const PATIENCE = { quiet: 60, longest: 400 };

/** The digest of a lab, by which its recordings know it. */
export function digestOf({ manifests, story, install, loadBalancer }: Lab): string {
  return createHash('sha256')
    .update(JSON.stringify({ manifests, story, install, loadBalancer }))
    .digest('hex')
    .slice(0, 16);
}

/** Plays a lab in a namespace of its own. */
export async function playLab(api: Api, lab: Lab, controller: ControllerOnStage, release: string): Promise<Play> {
  const recorded = new Date().toISOString().slice(0, 10);
  const about = { controller: controller.name, release, kubernetes: KUBERNETES_VERSION, recorded, lab: digestOf(lab) };
  const namespace = lab.name.toLowerCase();
  const objects: KubernetesObject[] = lab.manifests.map((object) => ({
    ...object,
    metadata: { ...object.metadata, namespace },
  }));
  await api.apply(namespaceWith(namespace, lab.loadBalancer));
  const kinds = new Map(
    [...CORE_KINDS, ...objects.map(({ apiVersion, kind }) => [apiVersion, kind] as const)].map((each) => [
      each[1],
      each,
    ]),
  );
  const recorder = await record(api, namespace, [...kinds.values()]);
  try {
    const isLate = lab.story.some((action) => isCreation(action));
    const first = objects.filter(({ kind }) => !isLate || kind !== 'Rollout');
    const refused = await applyAll(api, first).then(
      () => undefined,
      (error: Error) => error.message,
    );
    if (refused !== undefined)
      return {
        recording: { ...about, events: [{ did: 'apply', refused: withoutAddresses(refused) }], end: {} },
        times: [0],
        objects: recorder.all(),
      };
    const rollout = objects.find(({ kind }) => kind === 'Rollout')!;
    const workload = controller.workloadOf(rollout, objects);
    await settle(recorder, rollout, () => {
      const now = recorder.current('Rollout', rollout.metadata.name);
      const live = recorder.current(workload.kind, workload.metadata.name);
      if (isLate) return live !== undefined && live.status?.readyReplicas === live.spec.replicas;
      return now !== undefined && live !== undefined && controller.isSettled(now, live);
    });
    const begin = Math.max(0, ...recorder.changes.map(({ revision }) => revision));
    const started = recorder.elapsed();
    const { deeds, hangs } = await playStory(
      { api, controller, recorder, rollout, workload, patience: PATIENCE },
      lab.story,
    );
    await untilStill(recorder);
    const { events, times, status, end } = eventsOf(
      recorder.changes,
      [{ revision: begin, time: started, did: 'start' }, ...deeds],
      controller.placeOf,
    );
    const start = events.findIndex((event) => 'did' in event && event.did === 'start');
    const after = events.slice(start + 1);
    const warnings = lab.loadBalancer && { warnings: await warningsIn(api, namespace) };
    return {
      recording: { ...about, ...(hangs && { hangs }), status, ...warnings, events: after, end },
      times: times.slice(start + 1).map((time) => time - started),
      objects: recorder.all(),
    };
  } finally {
    recorder.stop();
  }
}

/** Seconds without a change, and in all, after which a play is over: longer than the delays of the labs. */
const STILL = { quiet: 12, longest: 60 };

/** Waits until nothing changes any more; a controller that never rests is not waited for. */
async function untilStill({ changes }: { readonly changes: readonly unknown[] }): Promise<void> {
  const begin = Date.now();
  for (let seen = begin, count = changes.length; Date.now() - seen < STILL.quiet * 1000; await sleep(200)) {
    if (Date.now() - begin > STILL.longest * 1000) return;
    if (changes.length > count) seen = Date.now();
    count = changes.length;
  }
}

/** The warnings of the controller about Rollouts, each once. */
async function warningsIn(api: Api, namespace: string): Promise<string[]> {
  const { items } = await api.get(`/api/v1/namespaces/${namespace}/events`);
  const about = items.filter(
    ({ type, involvedObject }: KubernetesObject) => type === 'Warning' && involvedObject.kind === 'Rollout',
  );
  const texts = about.map(({ reason, message }: KubernetesObject) => `${reason}: ${withoutArns(message)}`);
  return [...new Set<string>(texts)].sort();
}

function withoutArns(text: string): string {
  return text.replace(/arn:aws:[^\s)]+/g, 'arn:…');
}

/** Messages of webhooks print pointers. */
function withoutAddresses(text: string): string {
  return text.replace(/0x[0-9a-f]+/g, '0x…');
}

async function settle(recorder: Recorder, { metadata }: KubernetesObject, isSettled: () => boolean): Promise<void> {
  const end = Date.now() + 300_000;
  while (!isSettled()) {
    if (Date.now() > end) {
      const { status } = recorder.current('Rollout', metadata.name) ?? {};
      throw new Error(`the stack did not become healthy within 300 s: ${status?.message ?? status?.phase}`);
    }
    await sleep(200);
  }
  await sleep(2000);
}
