/** A story: what people do during a release, as data. */
import { type Api, ApiError, type KubernetesObject } from './cluster/api';
import { READY_AFTER } from './cluster/kubelet';
import { sleep } from './cluster/processes';
import type { Recorder } from './recorder';
import type { Deed } from './recording';

/** One line of a story. */
export type Action =
  /** Write the image of this version into the workload, whose new pods become ready or never do. */
  | { readonly release: string; readonly ready?: 'never' }
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
        /** Whether the status is changed. */
        readonly status?: true;
      };
    };

/** What a story is played on. */
export interface Stage {
  readonly api: Api;
  readonly recorder: Recorder;
  readonly rollout: KubernetesObject;
  readonly workload: KubernetesObject;
  /** How many seconds a wait may take: without any change, and in all. */
  readonly patience: { readonly quiet: number; readonly longest: number };
}

/** Plays a story, and returns what was done and when. A wait without success ends the story: the release hangs there. */
export async function playStory(stage: Stage, story: readonly Action[]): Promise<{ deeds: Deed[]; hangs?: true }> {
  const deeds: Deed[] = [];
  const did = async (text: string, act: () => Promise<KubernetesObject>) => {
    try {
      const { metadata } = await act();
      // What is done has a revision of its own: it belongs before what it causes.
      deeds.push({ revision: Number(metadata?.resourceVersion ?? 0) - 1, did: text });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const now = Math.max(0, ...stage.recorder.changes.map(({ revision }) => revision));
      deeds.push({ revision: now, did: text, refused: error.message });
    }
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
    const path = await api.pathOf(workload);
    const live = await api.get(path);
    await did(`release ${action.release}`, () => api.patch(path, { spec: { template: changeOf(live, action) } }));
    return true;
  }
  if ('watch' in action) {
    await sleep(action.watch * 1000);
    return true;
  }
  if ('patch' in action) {
    const { apiVersion, kind, name, with: change, status } = action.patch;
    const path = await api.pathOf({ apiVersion, kind, metadata: { name, namespace: rollout.metadata.namespace } });
    await did(`patch ${kind}/${name} ${JSON.stringify(change)}`, () =>
      api.patch(status ? `${path}/status` : path, change),
    );
    return true;
  }
  return waitFor(stage, (status) => isAt(status, action.until));
}

/** What `kubectl set image` changes, and whether new pods become ready. */
function changeOf(
  { spec: { template } }: KubernetesObject,
  { release, ready }: Extract<Action, { release: string }>,
): KubernetesObject {
  const [first, ...rest] = template.spec.containers;
  const image = first.image.replace(/:[^:]*$/, `:${release}`);
  const isMarked = template.metadata.annotations?.[READY_AFTER] !== undefined;
  return {
    ...(ready !== undefined || isMarked ? { metadata: { annotations: { [READY_AFTER]: ready ?? null } } } : {}),
    spec: { containers: [{ ...first, image }, ...rest] },
  };
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
  const status = () => stage.recorder.current('Rollout', stage.rollout.metadata.name)?.status ?? {};
  for (;;) {
    const reached = await waitFor(stage, (now) => isOver(now) || isAt(now, { state: 'StepPaused' }));
    if (!reached) return false;
    if (isOver(status())) return true;
    if (await waits(status)) await approve(stage, did);
    await sleep(1000);
  }
}

/** Longer than any pause that ends by itself, and than a pause that the controller passes through. */
const SECONDS_OF_A_PAUSE = 6;

/** True when a pause waits for people. */
async function waits(status: () => KubernetesObject): Promise<boolean> {
  const begin = JSON.stringify(status().canaryStatus?.currentStepIndex ?? status().blueGreenStatus?.currentStepIndex);
  for (const end = Date.now() + SECONDS_OF_A_PAUSE * 1000; Date.now() < end; await sleep(200)) {
    const now = status();
    const step = now.canaryStatus ?? now.blueGreenStatus ?? {};
    if (!isAt(now, { state: 'StepPaused' }) || JSON.stringify(step.currentStepIndex) !== begin) return false;
    if (/manually confirm/.test(now.message ?? '')) return true;
  }
  return true;
}

/** Waits until the status is as asked. Gives up when nothing has changed for so long that nothing more will. */
async function waitFor(
  { recorder, rollout, patience }: Stage,
  holds: (status: KubernetesObject) => boolean,
): Promise<boolean> {
  const begin = Date.now();
  for (let seen = begin, count = 0; ; await sleep(100)) {
    const status = recorder.current('Rollout', rollout.metadata.name)?.status;
    if (status !== undefined && holds(status)) return true;
    const { length } = recorder.changes;
    if (length > count) seen = Date.now();
    count = length;
    if (Date.now() - seen > patience.quiet * 1000 || Date.now() - begin > patience.longest * 1000) return false;
  }
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
  return status.phase === 'Healthy';
}
