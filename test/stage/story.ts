/** Plays a story on the stage: what people do during a release, as data. */
import { isDeepStrictEqual } from 'node:util';
import { deedText, type StoryAction, type VersionWrite } from '../../src/release';
import { setState } from './aws/behaviour';
import { type Api, ApiError, type KubernetesObject } from './cluster/api';
import { READY_AFTER } from './cluster/nodes';
import { sleep } from './cluster/processes';
import type { ControllerOnStage, Told } from './controllers/controller';
import type { Recorder } from './recorder';
import type { Deed } from './recording';

/** What a story is played on. */
export interface Stage {
  readonly api: Api;
  readonly controller: ControllerOnStage;
  readonly recorder: Recorder;
  readonly rollout: KubernetesObject;
  readonly workload: KubernetesObject;
  /** How many seconds a wait may take: without any change, and in all. */
  readonly patience: { readonly quiet: number; readonly longest: number };
}

/** Plays a story, and returns what was done and when. A wait without success ends the story: the release hangs there. */
export async function playStory(stage: Stage, story: readonly StoryAction[]): Promise<{ deeds: Deed[]; hangs?: true }> {
  const deeds: Deed[] = [];
  const did = async (text: string, act: () => Promise<KubernetesObject>) => {
    const now = Math.max(0, ...stage.recorder.changes.map(({ revision }) => revision));
    const time = stage.recorder.elapsed();
    try {
      const { metadata } = await act();
      // What is done has a revision of its own, unless it deletes an object at once: it belongs before what it causes.
      // A patch that changes nothing answers with the revision of the change before.
      const revision = Math.max(now, Number(metadata?.resourceVersion ?? 0) - 1);
      deeds.push({ revision, time, did: text });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      deeds.push({ revision: now, time, did: text, refused: error.message });
    }
  };
  for (const [index, action] of story.entries()) {
    const hasBegun = hasWaited(story.slice(0, index));
    const isDone = action === 'finish' ? finish(stage, did, hasBegun) : play(stage, action, did);
    if (!(await isDone)) return { deeds, hangs: true };
  }
  return { deeds };
}

/** Whether somebody has waited for the last release, which so has begun, and may be over. */
function hasWaited(story: readonly StoryAction[]): boolean {
  const since = story.map((action) => typeof action === 'object' && 'release' in action).lastIndexOf(true);
  return story.slice(since).some((action) => typeof action === 'object' && ('until' in action || 'watch' in action));
}

type Did = (text: string, act: () => Promise<KubernetesObject>) => Promise<void>;

async function play(stage: Stage, action: Exclude<StoryAction, 'finish'>, did: Did): Promise<boolean> {
  const { api, rollout, workload } = stage;
  if (action === 'delete' || (typeof action === 'object' && isChange(action))) await quiet(stage);
  if (action === 'delete') {
    const path = await api.pathOf(rollout);
    await did(deedText(action), () => api.delete(path));
    return true;
  }
  if (typeof action === 'string' || 'jump' in action) {
    await tell(stage, action, did);
    return true;
  }
  if ('release' in action) {
    const path = await api.pathOf(workload);
    const live = await api.get(path);
    const { ready: _ready, ...done } = action;
    const { replicas } = action;
    const spec = { template: changeOf(live, action), ...(replicas !== undefined && { replicas }) };
    await did(deedText(done), () => api.patch(path, { spec }));
    if (isCreation(action)) await api.apply(rollout);
    return true;
  }
  if ('watch' in action) {
    await sleep(action.watch * 1000);
    return true;
  }
  if ('patch' in action || 'scale' in action) {
    const { apiVersion, kind, name, with: change } = 'patch' in action ? action.patch : scaled(stage, action.scale);
    const path = await api.pathOf({ apiVersion, kind, metadata: { name, namespace: rollout.metadata.namespace } });
    if (change === null) await did(`delete ${kind}/${name}`, () => api.delete(path));
    else await did(`patch ${kind}/${name} ${JSON.stringify(change)}`, () => api.patch(path, change));
    return true;
  }
  // The AnalysisTemplate of the lab ends so by itself.
  if ('analysis' in action) return true;
  if ('loadBalancer' in action) {
    const { namespace } = rollout.metadata;
    await did(deedText(action), () => setState(api, namespace, action.loadBalancer));
    return true;
  }
  return waitFor(stage, (live) => stage.controller.isAt(live, action.until));
}

/** Whether an action creates the Rollout, which does not exist before. */
export function isCreation(action: StoryAction): boolean {
  return typeof action === 'object' && 'release' in action && action.creates !== undefined;
}

/** Whether people write to the Rollout or to another object. */
function isChange(action: Exclude<StoryAction, string>): boolean {
  return ('release' in action && !isCreation(action)) || 'scale' in action || 'patch' in action;
}

/** A Rollout that has pods of its own is scaled itself. */
function scaled({ rollout, workload }: Stage, replicas: number) {
  const { apiVersion, kind, metadata } = rollout.spec.replicas === undefined ? workload : rollout;
  const { name } = metadata;
  return { apiVersion, kind, name, with: { spec: { replicas } } };
}

/** What `kubectl set image` changes, and whether new pods become ready. */
function changeOf({ spec: { template } }: KubernetesObject, { release, ready }: VersionWrite): KubernetesObject {
  const [first, ...rest] = template.spec.containers;
  const image = first.image.replace(/:[^:]*$/, `:${release}`);
  const isMarked = template.metadata.annotations?.[READY_AFTER] !== undefined;
  return {
    ...(ready !== undefined || isMarked ? { metadata: { annotations: { [READY_AFTER]: ready ?? null } } } : {}),
    spec: { containers: [{ ...first, image }, ...rest] },
  };
}

/**
 * How long people look before they act: a controller can overwrite what is changed while it writes. Argo puts what it has
 * written into its own cache, over what people wrote a moment after it, and does not see that for minutes.
 */
const SECONDS_TO_LOOK = 3;
const LONGEST_LOOK_SECONDS = 15;

async function tell(stage: Stage, action: Told, did: Did): Promise<void> {
  const { api, controller, rollout } = stage;
  await quiet(stage);
  const path = await api.pathOf(rollout);
  const { spec, status } = controller.told(action, await api.get(path));
  const patch = async (): Promise<KubernetesObject> => {
    const edited = spec && (await api.patch(path, { spec }));
    return status === undefined ? edited! : api.patch(`${path}/status`, { status });
  };
  if (spec !== undefined || status !== undefined) await did(deedText(action), patch);
}

/** Waits until the Rollout has not changed for a while; a controller that never rests is not waited for. */
async function quiet(stage: Stage): Promise<void> {
  const end = Date.now() + LONGEST_LOOK_SECONDS * 1000;
  let version: string | undefined;
  for (let since = Date.now(); Date.now() - since < SECONDS_TO_LOOK * 1000 && Date.now() < end; await sleep(100)) {
    const live = currentRollout(stage)?.metadata.resourceVersion;
    if (live !== version) since = Date.now();
    version = live;
  }
}

async function finish(stage: Stage, did: Did, hasBegun: boolean): Promise<boolean> {
  const { isOver, isPaused, waitsForPeople, approval, placeOf } = stage.controller;
  // The status is that of the release before until the controller sees the new one.
  if (!hasBegun && !(await waitFor(stage, (rollout) => !isOver(rollout)))) return false;
  const current = () => currentRollout(stage) ?? {};
  for (;;) {
    if (!(await waitFor(stage, (rollout) => isOver(rollout) || isPaused(rollout)))) return false;
    if (isOver(current())) {
      // Between two statuses of a new release, a Rollout can look as if nothing went on.
      await sleep(1000);
      if (isOver(current())) return true;
      continue;
    }
    const place = placeOf(current());
    if (await waitsForPeople(current)) {
      await tell(stage, approval, did);
      await sleep(1000);
      // It can pause at the next step before anybody has seen it go on.
    } else if (!(await waitFor(stage, (rollout) => !isDeepStrictEqual(placeOf(rollout), place)))) return false;
  }
}

/** Seconds without any change after which the controller is nudged, in one wait. */
const NUDGES = [10, 30];

/** Waits until the Rollout is as asked. Gives up when nothing has changed for so long that nothing more will. */
async function waitFor(stage: Stage, holds: (rollout: KubernetesObject) => boolean): Promise<boolean> {
  const { api, controller, recorder, rollout, patience } = stage;
  const nudges = controller.nudge === undefined ? [] : [...NUDGES];
  const begin = Date.now();
  for (let seen = begin, count = 0; ; await sleep(100)) {
    const live = currentRollout(stage);
    if (live?.status !== undefined && holds(live)) return true;
    const { length } = recorder.changes;
    if (length > count) seen = Date.now();
    count = length;
    const seconds = (Date.now() - seen) / 1000;
    if (seconds > patience.quiet || Date.now() - begin > patience.longest * 1000) return false;
    if (seconds > (nudges[0] ?? Number.POSITIVE_INFINITY)) {
      nudges.shift();
      await api.patch(await api.pathOf(rollout), controller.nudge!()).catch(() => {});
    }
  }
}

function currentRollout({ recorder, rollout }: Stage): KubernetesObject | undefined {
  return recorder.current('Rollout', rollout.metadata.name);
}
