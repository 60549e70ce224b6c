/** A story: what people do during a release, as data. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Api, KubernetesObject } from './cluster/api';
import { sleep } from './cluster/processes';
import type { Recorder } from './recorder';
import type { Deed } from './recording';

/** One line of a story. */
export type Action =
  /** Write the image of this version into the workload. */
  | { readonly release: string }
  /** Wait until the Rollout is in this place. */
  | { readonly until: { readonly phase?: string; readonly step?: number; readonly state?: string } }
  /** Approve each step that waits, until the release is over. */
  | 'finish'
  /** Approve the step that waits. */
  | 'approve'
  /** Delete the Rollout. */
  | 'delete'
  /** Switch the Rollout off. */
  | 'disable'
  /** Let the cluster run on, for this many seconds, to see that nothing more happens. */
  | { readonly watch: number }
  /** Change any object, with a JSON merge patch. */
  | {
      readonly patch: {
        readonly apiVersion: string;
        readonly kind: string;
        readonly name: string;
        readonly with: KubernetesObject;
      };
    };

/** The actions of a story file. */
export function readStory(file: string): Action[] {
  return parse(readFileSync(file, 'utf8'));
}

/** What a story is played on. */
export interface Stage {
  readonly api: Api;
  readonly recorder: Recorder;
  readonly rollout: KubernetesObject;
  readonly workload: KubernetesObject;
  /** How long one wait may take, in seconds. */
  readonly patience: number;
}

/** Plays a story, and returns what was done and when. A wait without success ends the story: the release hangs there. */
export async function playStory(stage: Stage, story: readonly Action[]): Promise<{ deeds: Deed[]; hangs?: true }> {
  const deeds: Deed[] = [];
  const did = async (text: string, act: () => Promise<KubernetesObject>) => {
    const { metadata } = await act();
    // What is done has a revision of its own: it belongs before what it causes.
    deeds.push({ revision: Number(metadata?.resourceVersion ?? 0) - 1, did: text });
  };
  for (const action of story) {
    if (!(await play(stage, action, did))) return { deeds, hangs: true };
  }
  return { deeds };
}

type Did = (text: string, act: () => Promise<KubernetesObject>) => Promise<void>;

async function play(stage: Stage, action: Action, did: Did): Promise<boolean> {
  const { api, rollout, workload } = stage;
  if (action === 'approve') {
    await approve(stage, did);
    return true;
  }
  if (action === 'finish') return finish(stage, did);
  if (action === 'delete') {
    const path = await api.pathOf(rollout);
    await did('delete the Rollout', () => api.delete(path));
    return true;
  }
  if (action === 'disable') {
    const path = await api.pathOf(rollout);
    await did('disable the Rollout', () => api.patch(path, { spec: { disabled: true } }));
    return true;
  }
  if ('release' in action) {
    const [container] = workload.spec.template.spec.containers;
    const image = container.image.replace(/:[^:]*$/, `:${action.release}`);
    const path = await api.pathOf(workload);
    await did(`release ${action.release}`, () =>
      api
        .apply({ ...workload, spec: { ...workload.spec, template: withImage(workload.spec.template, image) } })
        .then(() => api.get(path)),
    );
    return true;
  }
  if ('watch' in action) {
    await sleep(action.watch * 1000);
    return true;
  }
  if ('patch' in action) {
    const { apiVersion, kind, name, with: change } = action.patch;
    const path = await api.pathOf({ apiVersion, kind, metadata: { name, namespace: rollout.metadata.namespace } });
    await did(`patch ${kind}/${name} ${JSON.stringify(change)}`, () => api.patch(path, change));
    return true;
  }
  return waitFor(stage, (status) => isAt(status, action.until));
}

function withImage(template: KubernetesObject, image: string): KubernetesObject {
  const [first, ...rest] = template.spec.containers;
  return { ...template, spec: { ...template.spec, containers: [{ ...first, image }, ...rest] } };
}

async function approve({ api, rollout }: Stage, did: Did): Promise<void> {
  const path = await api.pathOf(rollout);
  const live = await api.get(path);
  const field = live.status.blueGreenStatus === undefined ? 'canaryStatus' : 'blueGreenStatus';
  await did('approve', () => api.patch(`${path}/status`, { status: { [field]: { currentStepState: 'StepReady' } } }));
}

async function finish(stage: Stage, did: Did): Promise<boolean> {
  // The status is that of the release before until the controller sees the new one.
  if (!(await waitFor(stage, (status) => !isOver(status)))) return false;
  for (;;) {
    const reached = await waitFor(stage, (status) => isOver(status) || isAt(status, { state: 'StepPaused' }));
    if (!reached) return false;
    const status = stage.recorder.current('Rollout', stage.rollout.metadata.name)?.status;
    if (isOver(status)) return true;
    await sleep(1000);
    const now = stage.recorder.current('Rollout', stage.rollout.metadata.name)?.status;
    if (isAt(now, { state: 'StepPaused' })) await approve(stage, did);
    await sleep(1000);
  }
}

async function waitFor(
  { recorder, rollout, patience }: Stage,
  holds: (status: KubernetesObject) => boolean,
): Promise<boolean> {
  const end = Date.now() + patience * 1000;
  while (Date.now() < end) {
    const status = recorder.current('Rollout', rollout.metadata.name)?.status;
    if (status !== undefined && holds(status)) return true;
    await sleep(100);
  }
  return false;
}

function isAt(
  status: KubernetesObject,
  { phase, step, state }: { phase?: string; step?: number; state?: string },
): boolean {
  const at = status.canaryStatus ?? status.blueGreenStatus ?? {};
  return (
    (phase === undefined || status.phase === phase) &&
    (step === undefined || at.currentStepIndex === step) &&
    (state === undefined || at.currentStepState === state)
  );
}

function isOver(status: KubernetesObject): boolean {
  const at = status.canaryStatus ?? status.blueGreenStatus ?? {};
  return status.phase === 'Healthy' && at.currentStepState === 'Completed';
}
