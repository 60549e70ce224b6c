/** Whether a release of Kruise Rollouts goes on by itself, who has to act, and the ways in which it never ends. */
import type { Finding } from '../../core';
import type { CheckupItem } from '../../core/checkup';
import { asObject, asText, numberOf } from '../../core/json';
import type { RolloutSubject } from '../../kruise/subject';
import type { LiveCluster } from '../cluster';
import { endless } from '../endless';
import { podTroubles } from '../pods';
import { firstOf, type Progress, podsStuck, progressItem, stuck, timed, type Way, waiting } from '../progress';
import { Question } from '../question';
import type { ReleaseState } from './state';

/** What is known of a release. */
export interface KruiseProgressInput {
  readonly rollout: RolloutSubject;
  readonly state: ReleaseState;
  readonly cluster: LiveCluster;
  /** What `check` finds in the declared objects. */
  readonly findings: readonly Finding[];
  /** Whether the objects that it names are there. */
  readonly objects: CheckupItem;
}

/** Does the release go on? */
export function kruiseProgressItem(input: KruiseProgressInput): CheckupItem {
  const question = new Question('kruise-progress', 'does the release go on?', ['status', 'conditions']);
  return progressItem(question, kruiseProgress(input));
}

/** Whether the release goes on, and who has to act. */
export function kruiseProgress(input: KruiseProgressInput): Progress {
  if (input.state.isIdle) return { state: 'idle', answer: 'no release is in progress' };
  return firstOf(WAYS, input);
}

type KruiseWay = Way<KruiseProgressInput>;

/** Steps in which the controller writes routes, and what follows. */
const ROUTING = new Set(['StepTrafficRouting', 'StepMetricsAnalysis', 'StepPaused', 'StepReady']);

/** The controller has no hash of the old pods, which it needs for every route. */
const withoutStableRevision: KruiseWay = ({ rollout: { manifest, route, workload }, state }) => {
  const isThere = state.stableHash !== undefined || route === undefined || !ROUTING.has(state.stepState ?? '');
  if (isThere) return undefined;
  const cause =
    workload?.ref.kind === 'DaemonSet'
      ? 'it never has one for a DaemonSet'
      : 'this release began with no new version, as after a change of the annotation rollouts.kruise.io/rollout-id alone';
  return stuck(
    `no, for ever: status.${statusName(manifest.get('status'))}.stableRevision is empty, without which the controller writes no routes: ${cause}`,
    workload?.ref.kind === 'DaemonSet'
      ? 'set spec.disabled: true, remove trafficRoutings, and take spec.disabled back: a DaemonSet of OpenKruise can be released in batches only, and the webhook refuses the change during a release'
      : WAY_OUT_OF_ROLLOUT_ID,
    ['its log says: stableRevision or podTemplateHash can not be empty'],
  );
};

const WAY_OUT_OF_ROLLOUT_ID =
  'set spec.disabled: true, which lets the workload run its pod template with all pods, and take it back; begin releases by a change of the pod template only';

/** What the controller says of a version that comes into a blue-green release. */
const THIRD_VERSION = /please rollback first/;

const thirdVersion: KruiseWay = ({ rollout: { manifest, style, workload, namespace } }) => {
  if (style !== 'blueGreen' || !THIRD_VERSION.test(asText(manifest.get('status.message')))) return undefined;
  const name = `${workload?.ref.kind ?? 'workload'} ${namespace}/${workload?.ref.name ?? ''}`;
  return stuck(
    `no: another version came into the blue-green release, and it waits until ${name} is rolled back`,
    `set the pod template of ${name} back to the old version, wait until the Rollout is Healthy, and release the new version then`,
    ['requests stay as they are: the controller does neither the next step nor the new version'],
  );
};

/** Somebody has set `paused`, and the controller begins no other step. */
const pausedBySomebody: KruiseWay = ({ rollout: { manifest, namespace } }) => {
  if (manifest.get('spec.strategy.paused') !== true) return undefined;
  const patch = `'{"spec":{"strategy":{"paused":false}}}'`;
  return waiting(
    'when somebody sets spec.strategy.paused to false',
    `kubectl patch rollouts.rollouts.kruise.io ${manifest.name} -n ${namespace} --type merge -p ${patch}`,
  );
};

/** What is missing stops every step that routes, and what a step routes is taken back at the end of a release. */
const withoutObjects: KruiseWay = ({ objects, state }) => {
  if (objects.status !== 'problem' || UPGRADING.has(state.stepState ?? '')) return undefined;
  return stuck(`no, as long as ${objects.answer}`, objects.fix);
};

/** Where a kind could not be read, its objects may be missing. */
const withUnknownObjects: KruiseWay = ({ objects }) =>
  objects.status === 'unknown'
    ? { state: 'running', answer: `yes, if all objects that it names exist: ${objects.answer}` }
    : undefined;

const asRehearsed: KruiseWay = ({ rollout: { manifest }, state, findings }) => endless(manifest, findings, state.step);

/** Steps in which the controller waits for pods. */
const UPGRADING = new Set(['BeforeStepUpgrade', 'StepUpgrade']);

const waitsForPods: KruiseWay = ({ rollout: { manifest, namespace }, state, cluster }) => {
  if (!UPGRADING.has(state.stepState ?? '') || state.canaryHash === undefined) return undefined;
  const hash = state.canaryHash;
  const failing = podTroubles(cluster, namespace, (labels) =>
    REVISION_LABELS.some((label) => labels[label]?.endsWith(hash)),
  );
  const status = asObject(asObject(manifest.get('status'))[statusName(manifest.get('status'))]);
  const all = numberOf(status.canaryReplicas ?? status.updatedReplicas);
  const ready = numberOf(status.canaryReadyReplicas ?? status.updatedReadyReplicas);
  const count = all === undefined ? '' : `, ${ready ?? 0} of ${all} are`;
  if (failing.length === 0) {
    return {
      state: 'running',
      answer: `yes, when the pods of the new version are ready${count}`,
      details: ['it waits without a deadline'],
    };
  }
  return podsStuck(failing, count);
};

const REVISION_LABELS = ['pod-template-hash', 'controller-revision-hash'];

const waitsForSomebody: KruiseWay = ({ rollout: { manifest, steps, namespace }, state }) => {
  if (state.stepState !== 'StepPaused' || state.step === undefined) return undefined;
  const duration = numberOf(asObject(steps[state.step]?.object.pause).duration);
  if (duration !== undefined) {
    return timed(`yes, after the pause of ${duration} s`, state.since, duration);
  }
  const command = `kubectl-kruise rollout approve rollout/${manifest.name} -n ${namespace}`;
  return waiting(`when somebody approves steps[${state.step}]`, command);
};

/** The most certain first. */
const WAYS: readonly KruiseWay[] = [
  withoutStableRevision,
  thirdVersion,
  withoutObjects,
  asRehearsed,
  waitsForPods,
  pausedBySomebody,
  waitsForSomebody,
  withUnknownObjects,
];

function statusName(status: unknown): 'blueGreenStatus' | 'canaryStatus' {
  return asObject(status as never).blueGreenStatus === undefined ? 'canaryStatus' : 'blueGreenStatus';
}
