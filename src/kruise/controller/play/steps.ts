/** What the controller does in one step: the states BeforeStepUpgrade, StepUpgrade and StepTrafficRouting; and after the last one. */
import type { TrafficRoutingStrategy } from '../../api';
import { readStrategy, routesTraffic } from '../../routing';
import { type Divided, dividerOf } from './division';
import { endRelease, finalise } from './finalising';
import { shareOfStep } from './plan';
import { type Play, type Routing, Stopped } from './play';
import { ensureRoutes } from './routes';
import { makeCanaryService, pinStableService, unpinStableService } from './services';
import { podsDivided, podsIn, type Share, waitsForPodHash } from './workload';

/** A step as the controller reads it. */
export interface Step {
  /** Counted from 0, as in `steps[0]`. */
  readonly index: number;
  readonly strategy: TrafficRoutingStrategy;
  /** How many pods the step wants to be new. */
  readonly share: Share;
  /** The same in pods, of those that the workload has now. */
  readonly replicas: number;
}

/**
 * Plays a step until it has settled. Returns the strategy of the routes that it has written; undefined if it wrote none.
 * @param routesOnly whether the controller takes the pods as they are
 */
export function runStep(play: Play, index: number, routesOnly = false): TrafficRoutingStrategy | undefined {
  const { journal, routing } = play;
  const step = readStep(play, index);
  const { strategy } = step;
  if (routing === undefined || !routesTraffic(strategy)) {
    if (routing !== undefined) leaveRoutes(play, routing, step);
    if (!routesOnly) upgrade(play, step);
    journal.record('step', index, 'no traffic is routed');
    return undefined;
  }
  if (!routesOnly) {
    beforeUpgrade(play, routing, step);
    upgrade(play, step);
    if (skipsRouting(play, step)) {
      journal.record('step', index, 'all pods are replaced, routing stays as it was', { strategy });
      return undefined;
    }
  }
  if (index === 0 && routing.route.makesCanaryService && !play.version.facts.pinsStableServiceFirst) {
    journal.record('prepare', index, 'canary pods ready');
  }
  routeTraffic(play, routing, step);
  return strategy;
}

/** A step without traffic takes the routes away that those before it have. */
export function leaveRoutes(play: Play, routing: Routing, { index, strategy }: Step): void {
  finalise(play, routing, 'unroutedStep', { phase: 'prepare', step: index, strategy });
}

/** Reads a step of the Rollout. */
export function readStep({ rollout, version, workload }: Play, index: number): Step {
  const { steps, v1alpha1 } = rollout;
  const { object } = steps[index]!;
  const share = shareOfStep(rollout, index);
  return {
    index,
    strategy: readStrategy(object, { version, v1alpha1 }),
    share,
    replicas: podsIn(share, workload.replicas),
  };
}

/** Whether a step leaves no old pod. The stable Service then selects the new pods, and the routes stay as they are. */
function skipsRouting({ rollout, version, workload }: Play, { replicas }: Step): boolean {
  const isPartition = rollout.style === 'partition' && rollout.workload !== undefined;
  return version.facts.skipsRoutingWithoutOldPods && isPartition && replicas >= workload.replicas;
}

/** The state BeforeStepUpgrade: the stable Service gets ready for pods of two versions. */
export function beforeUpgrade(play: Play, { route }: Routing, step: Step): void {
  const { version, workload, rollout, journal } = play;
  if (!version.facts.pinsStableServiceFirst || rollout.workload === undefined) return;
  const skips = skipsRouting(play, step);
  if (skips) unpinStableService(play, route);
  if (step.index > 0) return;
  if (!route.makesCanaryService) {
    if (rollout.style === 'blueGreen') throw new Stopped(WAITS_WITHOUT_CANARY_SERVICE);
    return;
  }
  pinStableService(play, route);
  const { service } = route;
  if (workload.releasesOldVersion === true) {
    const event = `Service ${service} selects only pods of the old version, and there is none yet`;
    journal.record('prepare', step.index, event, { isMixed: true });
  }
  if (!skips || workload.lacksStableRevision !== undefined) return;
  journal.record('prepare', step.index, `Service ${service} selects only the old pods`);
  unpinStableService(play, route);
  journal.record('prepare', step.index, `Service ${service} selects all pods again`);
  throw new Stopped(livelockOf(service));
}

/** The state StepUpgrade: the workload gets as many pods of the new version as the step says. */
export function upgrade(play: Play, { share }: Step): void {
  const { rollout, workload, journal, version } = play;
  if (rollout.workload === undefined) return;
  if (workload.isLoose === true) throw new Stopped(HOLDS_NO_PODS);
  const divider = dividerOf(rollout.style, workload);
  const divided = divider.upgrade(journal.divided, share, workload);
  divide(play, divided);
  if (waitsForPodHash(rollout.style, workload, version.facts)) throw new Stopped(WAITS_FOR_POD_LABELS);
  // Nobody knows how many pods a workload has that is not among the manifests.
  const isKnown = workload.labels !== undefined;
  if (isKnown && divided.division.canary < divider.awaits(share, workload))
    throw new Stopped(rollout.style === 'blueGreen' ? waitsForSurge(share) : waitsForPods(share, divided.written));
}

/** Gives each version its number of pods. */
export function divide({ rollout, workload, canaryLabels, journal }: Play, divided: Divided): void {
  // Only a separate canary workload can have additional labels.
  const labels = rollout.style === 'canary' ? canaryLabels : {};
  journal.replacePods(podsDivided(workload, divided.division, labels), divided);
}

/** The state StepTrafficRouting. */
function routeTraffic(play: Play, routing: Routing, { index, strategy }: Step): void {
  const { route } = routing;
  if (route.makesCanaryService) {
    const { lacksStableRevision } = play.workload;
    if (lacksStableRevision !== undefined) throw new Stopped(WAITS_FOR_REVISION[lacksStableRevision]);
    makeCanaryService(play, route);
    pinStableService(play, route);
  }
  ensureRoutes(play, routing, strategy, { phase: 'prepare', step: index });
  play.journal.record('step', index, 'settled', { strategy });
}

/** Ends a release after its last step: all users have the new version. */
export function finish(play: Play): void {
  const { rollout, routing } = play;
  const { steps, style } = rollout;
  if (routing !== undefined) {
    const { strategy } = readStep(play, steps.length - 1);
    finalise(play, routing, style === 'blueGreen' ? 'blueGreenSuccess' : 'success', { phase: 'finish', strategy });
  }
  endRelease(play, 'released');
}

const WAITS_WITHOUT_CANARY_SERVICE = {
  class: 'waits',
  state: 'BeforeStepUpgrade',
  message: 'it waits for a write to the stable Service that disableGenerateCanaryService forbids',
  says: 'Rollout is in Progressing',
  log: 'Before the first batch, rollout',
  fix: 'remove disableGenerateCanaryService, or use canary style',
} as const;

/** The wait for new pods that a CloneSet never adds, as it has enough pods of both versions together. */
function waitsForSurge(share: Share) {
  return {
    class: 'waits',
    state: 'StepUpgrade',
    message: `the step wants ${share} pods to be new, but the CloneSet adds none: it deletes no pod during the release, and has as many as its surge allows`,
    says: 'Rollout is in step, and upgrade workload to new version',
    log: 'current batch not ready: updated replicas not satisfied',
    fix: 'scale it back to the number of pods that it had, or roll back',
  } as const;
}

/** The wait for new pods that never come, as the partition that is written stays. */
function waitsForPods(share: Share, written: Share | undefined) {
  return {
    class: 'waits',
    state: 'StepUpgrade',
    message:
      `the step wants ${share} pods to be new, but the controller keeps the partition ${written} of an earlier step, ` +
      'as it takes any percentage for more than any number',
    says: 'Rollout is in step, and upgrade workload to new version',
    log: 'current batch not ready: updated replicas not satisfied',
    fix: 'write the replicas of all steps as percentages, or of all steps as numbers',
  } as const;
}

/** The wait for a label on pods that the controller does not recognize. */
const WAITS_FOR_POD_LABELS = {
  class: 'waits',
  state: 'StepUpgrade',
  message:
    'it waits until the new pods have its labels, and recognizes none of them, as the pod template has a label pod-template-hash of its own',
  says: 'Rollout is in step, and upgrade workload to new version',
  log: 'current batch not ready: pods with batch label not satisfied',
  fix: 'roll back, and remove the label pod-template-hash from the pod template',
} as const;

/** The wait for fields that let a Deployment keep the pods of both versions. */
const HOLDS_NO_PODS = {
  class: 'waits',
  state: 'StepUpgrade',
  message:
    'somebody has written minReadySeconds of the workload, which the controller holds in blue-green style: all pods are new, and no step begins',
  says: 'Rollout is in step, and upgrade workload to new version',
  log: 'minReadySeconds or progressDeadlineSeconds is not MaxReadySeconds or MaxProgressSeconds',
  fix: 'have the GitOps tool ignore the fields that KruiseGitOps lists',
} as const;

const WAITS_WITHOUT_REVISION = {
  class: 'waits',
  state: 'StepTrafficRouting',
  says: 'Rollout is in step, and upgrade workload to new version',
  log: 'stableRevision or podTemplateHash can not be empty, and wait a moment',
} as const;

/** A wait for the revision of the old pods, by the reason why it never comes. */
export const WAITS_FOR_REVISION = {
  'by its kind': {
    ...WAITS_WITHOUT_REVISION,
    message: 'it waits for the revision of the old pods, which a DaemonSet of OpenKruise does not have in its status',
    fix: 'release the DaemonSet without trafficRoutings, or use another kind of workload',
  },
  'by the release id alone': {
    ...WAITS_WITHOUT_REVISION,
    message:
      'it waits for the revision of the old pods, which it does not know, as the annotation rollouts.kruise.io/rollout-id ' +
      'has changed without the image',
    fix: 'delete the Rollout and create it again, and change the annotation together with the image',
  },
} as const;

function livelockOf(service: string) {
  return {
    class: 'livelock',
    state: 'BeforeStepUpgrade',
    message:
      `the step replaces all pods, so the controller makes Service "${service}" select all pods, and as it is the first ` +
      'step, it makes the Service select only the old pods: the two writes undo each other every few seconds',
    says: 'Rollout is in Progressing',
    log: 'Bypass the ingress-nginx bug for partition-style',
    fix:
      'let the first step replace fewer pods than the workload has; with a single pod, use canary style ' +
      '(enableExtraWorkloadForCanary: true), or leave out traffic and matches',
  } as const;
}
