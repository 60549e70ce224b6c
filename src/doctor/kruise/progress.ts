/** Whether a release of Kruise Rollouts goes on by itself, who has to act, and the ways in which it never ends. */
import type { Finding } from '../../core';
import type { CheckupItem } from '../../core/checkup';
import { asObject, asText, numberOf } from '../../core/json';
import type { RolloutSubject } from '../../kruise/subject';
import type { LiveCluster } from '../cluster';
import { failingPods } from '../pods';
import { listed, Question } from '../question';
import type { ReleaseState } from './state';

/** What is known of a release. */
export interface ProgressInput {
  readonly rollout: RolloutSubject;
  readonly state: ReleaseState;
  readonly cluster: LiveCluster;
  /** What `check` finds in the declared objects. */
  readonly findings: readonly Finding[];
  /** Whether the objects that it names are there. */
  readonly objects: CheckupItem;
}

/** An answer; undefined where the release does not hang in this way. */
type Way = (input: ProgressInput, question: Question) => CheckupItem | undefined;

/** Does the release go on? */
export function progressItem(input: ProgressInput): CheckupItem {
  const question = new Question('kruise-progress', 'does the release go on?', ['status', 'conditions']);
  if (input.state.isIdle) return question.notApplicable('no release is in progress');
  for (const way of WAYS) {
    const answer = way(input, question);
    if (answer !== undefined) return answer;
  }
  return question.ok('yes, the controller is at work');
}

/** Steps in which the controller writes routes, and what follows. */
const ROUTING = new Set(['StepTrafficRouting', 'StepMetricsAnalysis', 'StepPaused', 'StepReady']);

/** The controller has no hash of the old pods, which it needs for every route. */
const withoutStableRevision: Way = ({ rollout: { manifest, route, workload }, state }, question) => {
  const isThere = state.stableHash !== undefined || route === undefined || !ROUTING.has(state.stepState ?? '');
  if (isThere) return undefined;
  const cause =
    workload?.ref.kind === 'DaemonSet'
      ? 'it never has one for a DaemonSet'
      : 'this release began with no new version, as after a change of the annotation rollouts.kruise.io/rollout-id alone';
  return question.problem(
    `no, for ever: status.${statusName(manifest.get('status'))}.stableRevision is empty, without which the controller writes no routes: ${cause}`,
    {
      details: ['its log says: stableRevision or podTemplateHash can not be empty'],
      fix:
        workload?.ref.kind === 'DaemonSet'
          ? 'remove trafficRoutings from the Rollout: a DaemonSet of OpenKruise can be released in batches only'
          : WAY_OUT_OF_ROLLOUT_ID,
    },
  );
};

const WAY_OUT_OF_ROLLOUT_ID =
  'set spec.disabled: true, which lets the workload run its pod template with all pods, and take it back; begin releases by a change of the pod template only';

/** What the controller says of a version that comes into a blue-green release. */
const THIRD_VERSION = /please rollback first/;

const thirdVersion: Way = ({ rollout: { manifest, style, workload, namespace } }, question) => {
  if (style !== 'blueGreen' || !THIRD_VERSION.test(asText(manifest.get('status.message')))) return undefined;
  const name = `${workload?.ref.kind ?? 'workload'} ${namespace}/${workload?.ref.name ?? ''}`;
  return question.problem(
    `no: another version came into the blue-green release, and it waits until ${name} is rolled back`,
    {
      details: ['requests stay as they are: the controller does neither the next step nor the new version'],
      fix: `set the pod template of ${name} back to the old version, wait until the Rollout is Healthy, and release the new version then`,
    },
  );
};

/** What is missing stops every step that routes, and what a step routes is taken back at the end of a release. */
const withoutObjects: Way = ({ objects, state }, question) => {
  if (objects.status !== 'problem' || UPGRADING.has(state.stepState ?? '')) return undefined;
  return question.problem(`no, as long as ${objects.answer}`, objects.fix === undefined ? {} : { fix: objects.fix });
};

/** Rules of a rehearsal about releases without an end. */
const ENDLESS = new Set(['rehearsal-controller-stuck', 'rehearsal-never-settles']);

const asRehearsed: Way = ({ rollout: { manifest }, state, findings }, question) => {
  const own = findings.filter(
    ({ rule, object, severity }) =>
      severity === 'error' &&
      ENDLESS.has(rule) &&
      object?.kind === manifest.kind &&
      object.name === manifest.name &&
      object.namespace === manifest.namespace,
  );
  const reached = own.find(({ step }) => step === undefined || step <= (state.step ?? 0));
  if (reached !== undefined) {
    const { message, because, fix } = reached;
    return question.problem(`no: ${message}`, { details: [because], fix });
  }
  const [later] = own;
  if (later === undefined) return undefined;
  const { message, because, fix } = later;
  return question.problem(`not to its end: ${message}`, { details: [because], fix });
};

/** Steps in which the controller waits for pods. */
const UPGRADING = new Set(['BeforeStepUpgrade', 'StepUpgrade']);

const waitsForPods: Way = ({ rollout: { manifest, namespace }, state, cluster }, question) => {
  if (!UPGRADING.has(state.stepState ?? '') || state.canaryHash === undefined) return undefined;
  const hash = state.canaryHash;
  const failing = failingPods(cluster, namespace, (pod) =>
    REVISION_LABELS.some((label) => pod.labels[label]?.endsWith(hash)),
  );
  const status = asObject(asObject(manifest.get('status'))[statusName(manifest.get('status'))]);
  const all = numberOf(status.canaryReplicas ?? status.updatedReplicas);
  const ready = numberOf(status.canaryReadyReplicas ?? status.updatedReadyReplicas);
  const count = all === undefined ? '' : `, ${ready ?? 0} of ${all} are`;
  if (failing.length === 0) {
    return question.ok(`yes, when the pods of the new version are ready${count}`);
  }
  const names = listed(failing.map(({ name }) => name));
  return question.problem(`no: pods of the new version do not become ready${count}: ${names}`, {
    details: failing.map(({ name, why }) => `${name}: ${why}`),
    fix: 'roll back, or release a version whose pods become ready; requests stay as they are until then',
  });
};

const REVISION_LABELS = ['pod-template-hash', 'controller-revision-hash'];

const waitsForSomebody: Way = ({ rollout: { manifest, steps, namespace }, state }, question) => {
  if (state.stepState !== 'StepPaused' || state.step === undefined) return undefined;
  const duration = numberOf(asObject(steps[state.step]?.object.pause).duration);
  if (duration !== undefined) {
    const since = Date.parse(state.since ?? '');
    const end = Number.isNaN(since) ? '' : `, at ${new Date(since + duration * 1000).toISOString()}`;
    return question.ok(`yes, after the pause of ${duration} s${end}`);
  }
  const command = `kubectl-kruise rollout approve rollout/${manifest.name} -n ${namespace}`;
  return question.ok(`when somebody approves steps[${state.step}]: ${command}`);
};

/** The most certain first. */
const WAYS: readonly Way[] = [
  withoutStableRevision,
  thirdVersion,
  withoutObjects,
  asRehearsed,
  waitsForPods,
  waitsForSomebody,
];

function statusName(status: unknown): 'blueGreenStatus' | 'canaryStatus' {
  return asObject(status as never).blueGreenStatus === undefined ? 'canaryStatus' : 'blueGreenStatus';
}
