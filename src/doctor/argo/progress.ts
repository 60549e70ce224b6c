/** Whether a release of Argo Rollouts goes on by itself, who has to act, and the ways in which it never ends. */
import { pauseSeconds } from '../../argo/admission/go-values';
import { ARGO_REVISION_LABEL, analysesOfExperiment, isEndless, lacksTemplate } from '../../argo/controller';
import { strategyOf } from '../../argo/controller/blue-green-release';
import { waitsForPods } from '../../argo/controller/istio-waits';
import { hangsWithinWindow } from '../../argo/controller/rollback-window';
import type { ArgoRollout } from '../../argo/release';
import type { ArgoRolloutsVersion } from '../../argo/version';
import type { Finding, JsonObject, Manifest } from '../../core';
import type { CheckupItem } from '../../core/checkup';
import { asList, asObject, asText, numberOf } from '../../core/json';
import type { LiveCluster } from '../cluster';
import { PATIENCE_SECONDS, secondsSince } from '../elapsed';
import { endless } from '../endless';
import { podTroubles, unreadyPods } from '../pods';
import { firstOf, type Progress, podsStuck, progressItem, stuck, timed, type Way, waiting } from '../progress';
import { listed, Question } from '../question';
import { analysesOf, analysisLines } from './analyses';
import type { ArgoState } from './state';

/** What is known of a release. */
export interface ArgoProgressInput {
  readonly rollout: ArgoRollout;
  readonly state: ArgoState;
  readonly cluster: LiveCluster;
  /** The release of the controller. */
  readonly version: ArgoRolloutsVersion;
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
const notSeen: ArgoWay = ({ rollout: { manifest, namespace } }) => {
  const [read, written] = [manifest.get('status.observedGeneration'), manifest.get('metadata.generation')];
  if (read === undefined || written === undefined || String(read) === String(written)) return undefined;
  return {
    state: 'running',
    answer: `when the controller has read the last change of the Rollout: it has read generation ${read} of ${written}`,
    details: [
      `if that lasts: a change can be lost that comes while the controller writes the status, and any other change makes it read again: kubectl annotate rollouts.argoproj.io ${manifest.name} -n ${namespace} again=1`,
    ],
  };
};

/** A Rollout that the controller refuses stays as it is, whatever else its status says. */
const invalid: ArgoWay = ({ rollout: { manifest } }) => {
  const message = conditionOf(manifest, 'InvalidSpec')?.message;
  if (message === undefined) return undefined;
  return stuck(
    `no: the controller refuses the Rollout: ${message}`,
    `${/not found/.test(message) ? 'create the object again, or correct its name in the Rollout' : 'correct the field that the message names'}; the controller then goes on by itself`,
    ['the controller writes nothing until then'],
  );
};

const idle: ArgoWay = ({ state }) =>
  state.isIdle ? { state: 'idle', answer: 'no release is in progress' } : undefined;

const aborted: ArgoWay = ({ rollout, state, cluster }) => {
  const { manifest, namespace } = rollout;
  if (manifest.get('status.abort') !== true) return undefined;
  const failed = analysesOf(manifest).filter(({ phase }) => phase === 'Failed' || phase === 'Error');
  const isKept = failed.some(({ place }) => place === 'after the promotion');
  return stuck(
    `no: ${conditionOf(manifest, 'Progressing')?.message || 'the release is aborted'}`,
    isKept
      ? 'release a corrected version; a retry is aborted at once, since the failed AnalysisRun stays'
      : `release a corrected version, or try this one again: ${commandOf(rollout, 'retry rollout')}`,
    [
      ...failed.flatMap((one) => analysisLines(one, namespace, cluster)),
      ...(failed.length === 0 && manifest.get('spec.progressDeadlineAbort') === true
        ? [`progressDeadlineAbort is set: the controller aborts after ${deadlineOf(manifest)} s without progress`]
        : []),
      ...podsOfNewVersion(cluster, namespace, state).troubles.map(({ name, why }) => `${name}: ${why}`),
    ],
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

/** An experiment that is neither good nor bad: a promotion runs it again. */
const inconclusiveExperiment: ArgoWay = ({ rollout }) => {
  if (pauseOf(rollout.manifest, 'InconclusiveExperiment') === undefined) return undefined;
  return stuck(
    'no: its experiment is inconclusive, and a promotion runs it again',
    `skip it: ${commandOf(rollout, 'promote --skip-current-step')}; or correct the AnalysisTemplate, and then ${commandOf(rollout, 'promote')}; ` +
      `or ${commandOf(rollout, 'abort')}`,
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
const podsMissing: ArgoWay = ({ rollout: { manifest, namespace }, state, cluster, version }) => {
  const waits = waitsForPods(manifest.object, version);
  const { troubles, unready } = podsOfNewVersion(cluster, namespace, state);
  const isLate = conditionOf(manifest, 'Progressing')?.reason === TIMED_OUT;
  if (troubles.length > 0 || isLate) {
    const late = isLate ? `, for longer than progressDeadlineSeconds (${deadlineOf(manifest)})` : '';
    return podsStuck(troubles.length > 0 ? troubles : unready.map((name) => ({ name, why: 'it is not ready' })), late);
  }
  if (unready.length === 0) return undefined;
  return {
    state: 'running',
    answer: `yes, when the pods of the new version are ready; not ready: ${listed(unready)}`,
    details: [
      waits !== 'no'
        ? 'until then the controller reads no deadline and no analysis, because the Rollout names no canaryService and no stableService'
        : `after ${deadlineOf(manifest)} s without progress (progressDeadlineSeconds), the controller ${deadlineDeed(manifest)}`,
    ],
  };
};

function podsOfNewVersion(cluster: LiveCluster, namespace: string, { canaryHash, stableHash }: ArgoState) {
  const isMeant = (labels: Readonly<Record<string, string>>) =>
    canaryHash !== undefined && canaryHash !== stableHash && labels[ARGO_REVISION_LABEL] === canaryHash;
  return { troubles: podTroubles(cluster, namespace, isMeant), unready: unreadyPods(cluster, namespace, isMeant) };
}

function deadlineDeed(manifest: Manifest): string {
  return manifest.get('spec.progressDeadlineAbort') === true ? 'aborts the release' : 'reports it as Degraded';
}

const analysed: ArgoWay = ({ rollout, cluster }) => {
  const { manifest, namespace } = rollout;
  const running = analysesOf(manifest).filter(
    ({ place, phase }) => place !== 'background' && (phase === 'Running' || phase === 'Pending'),
  );
  if (running.length === 0) return undefined;
  return {
    state: 'running',
    answer: `yes, when ${listed(running.map(({ name }) => `AnalysisRun ${namespace}/${name}`))} ends`,
    details: [
      ...running.flatMap((one) => analysisLines(one, namespace, cluster)),
      `nobody has to wait for it: ${commandOf(rollout, 'promote')} skips it, ${commandOf(rollout, 'abort')} goes back`,
    ],
  };
};

const experiments: ArgoWay = ({ rollout, rollout: { manifest, namespace, steps }, state }) => {
  const name = asText(manifest.get('status.canary.currentExperiment'));
  if (name === '') return undefined;
  const step = steps[state.step ?? 0];
  if (!isEndless(step)) {
    return { state: 'running', answer: `yes, when Experiment ${namespace}/${name} ends` };
  }
  const lacks =
    analysesOfExperiment(step).length === 0
      ? 'has neither a duration nor an analysis'
      : 'has no duration, and no analysis with requiredForCompletion';
  return stuck(
    `no: Experiment ${namespace}/${name} ${lacks}, so it never ends`,
    `skip it: ${commandOf(rollout, 'promote')}; and give the step a duration, or an analysis with requiredForCompletion`,
  );
};

/** An analysis that the controller waits for, and does not run. */
const withoutTemplate: ArgoWay = ({ rollout, state }) => {
  const step = state.step ?? 0;
  if (lacksTemplate(rollout.steps[step]?.analysis)) {
    return stuck(
      `no: the analysis of steps[${step}] names no template, and the controller waits for its result`,
      `skip it: ${commandOf(rollout, 'promote')}; and name a template`,
    );
  }
  const strategy = strategyOf(rollout.manifest.object);
  const field = state.isSwitched ? 'postPromotionAnalysis' : 'prePromotionAnalysis';
  if (!lacksTemplate(strategy[field])) return undefined;
  return stuck(
    `no: ${field} names no template, and the controller waits for its result`,
    `promote the release without it: ${commandOf(rollout, 'promote --full')}; and name a template`,
  );
};

/** With `rollbackWindow`, the controller ends each pause of a blue-green roll-back, and waits for it. */
const withinItsWindow: ArgoWay = ({ rollout, rollout: { manifest }, state, version }) => {
  const why = hangsWithinWindow(manifest.object, version);
  const isPaused = asList(manifest.get('status.pauseConditions')).length > 0;
  if (why === undefined || isPaused || state.isSwitched) return undefined;
  return stuck(
    `not if it goes back to a version within rollbackWindow: ${why}`,
    `promote it fully: ${commandOf(rollout, 'promote --full')}; and remove rollbackWindow`,
  );
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
  inconclusiveExperiment,
  unverified,
  podsMissing,
  asRehearsed,
  pausedByStep,
  pausedBeforePromotion,
  analysed,
  experiments,
  withoutTemplate,
  withinItsWindow,
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
