/** Whether a release of Argo Rollouts goes on by itself, who has to act, and the ways in which it never ends. */
import { pauseSeconds } from '../../argo/admission/go-values';
import { ARGO_REVISION_LABEL } from '../../argo/controller';
import type { ArgoRollout } from '../../argo/release';
import type { Finding, JsonObject, Manifest } from '../../core';
import type { CheckupItem } from '../../core/checkup';
import { asList, asObject, asText, numberOf } from '../../core/json';
import type { LiveCluster } from '../cluster';
import { PATIENCE_SECONDS, secondsSince } from '../elapsed';
import { endless } from '../endless';
import { podTroubles } from '../pods';
import { firstOf, type Progress, progressItem, stuck, timed, type Way, waiting } from '../progress';
import { listed, Question } from '../question';
import { analysesOf, analysisLines } from './analyses';
import type { ArgoState } from './state';

/** What is known of a release. */
export interface ArgoProgressInput {
  readonly rollout: ArgoRollout;
  readonly state: ArgoState;
  readonly cluster: LiveCluster;
  /** What `check` finds in the declared objects. */
  readonly findings: readonly Finding[];
}

/** Does the release go on? */
export function argoProgressItem(input: ArgoProgressInput): CheckupItem {
  const question = new Question('argo-progress', 'does the release go on?', ['status', 'conditions']);
  return progressItem(question, argoProgress(input));
}

/** Whether the release goes on, and who has to act. */
export function argoProgress(input: ArgoProgressInput): Progress {
  return firstOf(WAYS, input);
}

type ArgoWay = Way<ArgoProgressInput>;

/** The controller writes the generation that it has read as text. */
const notSeen: ArgoWay = ({ rollout: { manifest } }) => {
  const [read, written] = [manifest.get('status.observedGeneration'), manifest.get('metadata.generation')];
  if (read === undefined || written === undefined || String(read) === String(written)) return undefined;
  return {
    state: 'running',
    answer: `when the controller has read the last change of the Rollout: it has read generation ${read} of ${written}`,
  };
};

/** A Rollout that the controller refuses stays as it is, whatever else its status says. */
const invalid: ArgoWay = ({ rollout: { manifest } }) => {
  const message = conditionOf(manifest, 'InvalidSpec')?.message;
  if (message === undefined) return undefined;
  return stuck(
    `no: the controller refuses the Rollout: ${message}`,
    `${/not found/.test(message) ? 'create the object again, or correct its name in the Rollout' : 'correct the field that the message names'}; the release then goes on where it stopped`,
    ['requests stay as they are until then'],
  );
};

const idle: ArgoWay = ({ state }) =>
  state.isIdle ? { state: 'idle', answer: 'no release is in progress' } : undefined;

const aborted: ArgoWay = ({ rollout, cluster }) => {
  const { manifest, namespace } = rollout;
  if (manifest.get('status.abort') !== true) return undefined;
  const failed = analysesOf(manifest).filter(({ phase }) => phase === 'Failed' || phase === 'Error');
  return stuck(
    `no: ${conditionOf(manifest, 'Progressing')?.message || 'the release is aborted'}`,
    `release a corrected version, or try this one again: ${commandOf(rollout, 'retry rollout')}`,
    failed.flatMap((one) => analysisLines(one, namespace, cluster)),
  );
};

const TIMED_OUT = 'ProgressDeadlineExceeded';

/** Weights or targets that the load balancer does not take over. */
const unverified: ArgoWay = ({ rollout: { manifest }, cluster }) => {
  const isWeight = manifest.get('status.canary.weights.verified') === false;
  if (!isWeight && !asText(manifest.get('status.message')).includes('verification to complete')) return undefined;
  const what = isWeight ? 'the weights of the target groups' : 'the new pods in the target group';
  const progressing = conditionOf(manifest, 'Progressing');
  const waited = secondsSince(progressing?.lastUpdateTime, cluster.now);
  if (progressing?.reason !== TIMED_OUT && waited !== undefined && waited <= PATIENCE_SECONDS) {
    return { state: 'running', answer: `yes, when the load balancer has ${what}` };
  }
  return stuck(
    `no, as long as the controller does not see ${what} at the load balancer`,
    'read the events TargetGroupUnverified of the Rollout and those of the Ingress: a load balancer that takes no changes, or missing permissions in AWS; the release then goes on by itself',
  );
};

/** An analysis that is neither good nor bad; the same one would be so again. */
const inconclusive: ArgoWay = ({ rollout, cluster }) => {
  if (pauseOf(rollout.manifest, 'InconclusiveAnalysisRun') === undefined) return undefined;
  const { manifest, namespace } = rollout;
  const found = analysesOf(manifest).find(({ phase }) => phase === 'Inconclusive');
  const details = found === undefined ? [] : analysisLines(found, namespace, cluster);
  const name = found === undefined ? 'an analysis' : `AnalysisRun ${namespace}/${found.name}`;
  const go = commandOf(rollout, 'promote');
  const stop = commandOf(rollout, 'abort');
  return stuck(
    `no: ${name} is inconclusive`,
    found === undefined || found.place === 'step'
      ? `decide: ${go}, or ${stop}`
      : `correct the AnalysisTemplate, since the same analysis would be inconclusive again, and then ${go}; or ${stop}`,
    details,
  );
};

const pausedBySomebody: ArgoWay = ({ rollout }) =>
  rollout.manifest.get('spec.paused') === true
    ? waiting('when somebody sets spec.paused to false', commandOf(rollout, 'promote'))
    : undefined;

const pausedByStep: ArgoWay = ({ rollout, rollout: { manifest, steps }, state }) => {
  const since = pauseOf(manifest, 'CanaryPauseStep');
  if (since === undefined) return undefined;
  const at = state.step ?? 0;
  const seconds = durationOf(steps[at]);
  if (seconds !== undefined) return timed(`yes, after the pause of ${seconds} s`, since, seconds);
  return waiting(`when somebody promotes steps[${at}]`, commandOf(rollout, 'promote'));
};

/** `autoPromotionSeconds` counts only with `autoPromotionEnabled`. */
const pausedBeforePromotion: ArgoWay = ({ rollout, rollout: { manifest } }) => {
  const since = pauseOf(manifest, 'BlueGreenPause');
  if (since === undefined) return undefined;
  const { autoPromotionEnabled, autoPromotionSeconds } = asObject(manifest.get('spec.strategy.blueGreen'));
  const seconds = numberOf(autoPromotionSeconds) ?? 0;
  if (autoPromotionEnabled !== false && seconds > 0) {
    return timed(`yes, autoPromotionSeconds is ${seconds}`, since, seconds);
  }
  return waiting('when somebody promotes the new version', commandOf(rollout, 'promote'));
};

const asRehearsed: ArgoWay = ({ rollout: { manifest }, state, findings }) => endless(manifest, findings, state.step);

/** The pods of the new version, which every step needs. */
const waitsForPods: ArgoWay = ({ rollout: { manifest, namespace }, state, cluster }) => {
  const hash = state.canaryHash;
  const troubles = podTroubles(
    cluster,
    namespace,
    (labels) => hash !== undefined && labels[ARGO_REVISION_LABEL] === hash,
  );
  const isLate = conditionOf(manifest, 'Progressing')?.reason === TIMED_OUT;
  if (troubles.length === 0 && !isLate) return undefined;
  const late = isLate ? `, for longer than progressDeadlineSeconds (${deadlineOf(manifest)})` : '';
  const names = troubles.length === 0 ? '' : `: ${listed(troubles.map(({ name }) => name))}`;
  return stuck(
    `no: pods of the new version do not become ready${late}${names}`,
    'release the old version, or one whose pods become ready; requests stay as they are until then',
    troubles.map(({ name, why }) => `${name}: ${why}`),
  );
};

const analysed: ArgoWay = ({ rollout: { manifest, namespace }, cluster }) => {
  const running = analysesOf(manifest).filter(
    ({ place, phase }) => place !== 'background' && (phase === 'Running' || phase === 'Pending'),
  );
  if (running.length === 0) return undefined;
  return {
    state: 'running',
    answer: `yes, when ${listed(running.map(({ name }) => `AnalysisRun ${namespace}/${name}`))} ends`,
    details: running.flatMap((one) => analysisLines(one, namespace, cluster)),
  };
};

const experiments: ArgoWay = ({ rollout: { manifest, namespace } }) => {
  const name = asText(manifest.get('status.canary.currentExperiment'));
  return name === '' ? undefined : { state: 'running', answer: `yes, when Experiment ${namespace}/${name} ends` };
};

/** The controller says what it waits for. */
const atWork: ArgoWay = ({ state: { message } }) => ({
  state: 'running',
  answer: `yes, the controller is at work${message === undefined ? '' : `: ${message}`}`,
});

/** The most certain first. */
const WAYS: readonly ArgoWay[] = [
  notSeen,
  invalid,
  idle,
  aborted,
  pausedBySomebody,
  inconclusive,
  unverified,
  waitsForPods,
  asRehearsed,
  pausedByStep,
  pausedBeforePromotion,
  analysed,
  experiments,
  atWork,
];

interface Condition {
  readonly reason: string;
  readonly message: string;
  readonly lastUpdateTime: string;
}

/** A condition of the Rollout. */
function conditionOf(manifest: Manifest, wanted: string): Condition | undefined {
  const found = asList(manifest.get('status.conditions'))
    .map(asObject)
    .find(({ type }) => type === wanted);
  if (found === undefined) return undefined;
  const { reason, message, lastUpdateTime } = found;
  return { reason: asText(reason), message: asText(message), lastUpdateTime: asText(lastUpdateTime) };
}

/** The time since which the release is paused for a reason. */
function pauseOf(manifest: Manifest, wanted: string): string | undefined {
  const found = asList(manifest.get('status.pauseConditions'))
    .map(asObject)
    .find(({ reason }) => reason === wanted);
  return found && asText(found.startTime);
}

function durationOf(step: JsonObject | undefined): number | undefined {
  const { duration } = asObject(step?.pause);
  if (duration === undefined) return undefined;
  const seconds = pauseSeconds(duration);
  return seconds > 0 ? seconds : undefined;
}

function deadlineOf(manifest: Manifest): number {
  return numberOf(manifest.get('spec.progressDeadlineSeconds')) ?? DEFAULT_DEADLINE;
}

const DEFAULT_DEADLINE = 600;

function commandOf({ manifest, namespace }: ArgoProgressInput['rollout'], verb: string): string {
  return `kubectl argo rollouts ${verb} ${manifest.name} -n ${namespace}`;
}
