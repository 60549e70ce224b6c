/** Remarks on releases of Argo Rollouts. */
import type { Manifest } from '../../core';
import { asObject, numberOf } from '../../core/json';
import { type Moment, percent, type Remark, type SeenRelease, type Unreachable, whenOf } from '../../release';
import { USE_ANNOTATION } from '../../routers/ingress/alb-annotations';
import { flapsAfterAbort, playArgoDeletion } from '../controller';
import { entranceOf } from './play';
import { argoReleaseRules } from './rules';
import { trafficPathOf } from './steps';
import type { ArgoSubject } from './subject';

/** The remark on a Rollout with a traffic router that is not played. */
export function otherRouterRemark({ traffic }: ArgoSubject, router: string): Remark {
  return {
    rule: 'rehearsal-incomplete',
    message: `not rehearsed: trafficRouting.${router} is not among the traffic routers of Argo Rollouts that are played`,
    path: [...traffic.path, router],
    because: 'alb, nginx and istio are the traffic routers of Argo Rollouts that a rehearsal can play',
    fix: 'nothing; all other checks of the Rollout still run',
  };
}

/** How to make an Ingress answer that leads to a Rollout and answers with errors. */
export function fixUnreachable(subject: ArgoSubject, { ingress, path, service }: Unreachable): string {
  const isAction = ingress.get(`${path}.backend.service.port.name`) === USE_ANNOTATION;
  if (subject.style === 'argo-blue-green' && isAction) {
    return `give the backend "${service}" the port of that Service; blue-green writes no action`;
  }
  if (subject.otherPrefix !== undefined && isAction) {
    return `remove annotationPrefix: Argo writes the action with ${subject.otherPrefix}, and the load balancer controller reads alb.ingress.kubernetes.io only`;
  }
  if (isAction && subject.style === 'argo-canary' && !subject.ingresses.includes(ingress.name)) {
    return 'name the Ingress in trafficRouting.alb.ingresses';
  }
  return 'fix the problem in the message';
}

/** Ingresses that lead to the stable Service and that Argo does not write. */
export function unmanagedRemarks(subject: ArgoSubject, { moments, requestText }: SeenRelease): Remark[] {
  if (subject.style !== 'argo-canary' || !subject.hasRouting) return [];
  const { traffic, routed } = subject;
  const found = new Map<Manifest, Remark>();
  for (const [index, { manifest, answer, rule }] of moments[0]!.outcomes.entries()) {
    if (manifest === undefined || found.has(manifest)) continue;
    if (routed.includes(`${manifest.kind}/${manifest.name}`)) continue;
    if (answer.kind !== 'services') continue;
    const stable = `${traffic.namespace}/${traffic.stableService}`;
    if (!answer.destinations.some(({ name, share }) => share > 0 && name === stable)) continue;
    found.set(manifest, {
      rule: argoReleaseRules['rehearsal-ingress-unmanaged'],
      message: `${manifest.kind} "${manifest.name}" leads to Service "${traffic.stableService}", and the Rollout does not name it`,
      path: traffic.path,
      ...(subject.ingresses.length > 0 ? {} : { fix: `name the ${manifest.kind} in trafficRouting` }),
      request: requestText(index),
      ...(rule?.source === undefined
        ? {}
        : { related: { message: 'the Ingress is here', object: manifest.ref, source: rule.source } }),
    });
  }
  return [...found.values()];
}

/** Remarks on Services that start to select other pods: their target groups follow some seconds later. */
export function newTargetRemarks(subject: ArgoSubject, seen: SeenRelease): Remark[] {
  const { moments, isReached } = seen;
  const isAlb = subject.style === 'argo-blue-green' || subject.ingresses.length > 0;
  if (!isReached || subject.isPingPong || !isAlb) return [];
  const { stableService, canaryService } = subject.traffic;
  const end = moments.filter(({ moment }) => moment.phase === 'finish').at(-1)?.moment;
  if (subject.style === 'argo-blue-green') {
    const switched = moments.find(({ moment }) => moment.phase === 'finish')?.moment;
    return switched === undefined ? [] : [newTargets(subject, stableService, switched, READINESS_DOES_NOT_HELP)];
  }
  const first = moments.find(
    ({ moment, outcomes }) => moment.phase === 'step' && outcomes.some(({ shares }) => shares.canary > 0),
  )?.moment;
  return [
    ...(first === undefined ? [] : [newTargets(subject, canaryService, first, PING_PONG_OR_LESS)]),
    ...(end === undefined || first === undefined ? [] : [newTargets(subject, stableService, end, PING_PONG)]),
  ];
}

const READINESS_DOES_NOT_HELP = 'enable pod readiness gates, and verification with the flag --aws-verify-target-group';
const PING_PONG = 'use ping-pong Services with pod readiness gates';
const PING_PONG_OR_LESS = `${PING_PONG}, or start with a small weight`;

function newTargets(subject: ArgoSubject, service: string, moment: Moment, fix: string): Remark {
  const { step } = moment;
  return {
    rule: 'rehearsal-target-group-empty',
    message: `the target group of Service ${service} changes to new pods ${whenOf(moment)}, while it already receives requests`,
    path: step === undefined ? subject.path : trafficPathOf(subject, step),
    ...(step === undefined ? {} : { step }),
    because:
      moment.phase === 'finish' && subject.style === 'argo-canary'
        ? 'Argo changes the selector of the Service and then gives it all requests, and the load balancer registers the pods some seconds later: until then requests go to the old pods, or fail once these are gone'
        : 'Argo changes the selector of the Service and the load balancer registers the pods some seconds later, so its share probably gets errors until then (inferred from the order of both changes)',
    fix,
  };
}

/** The remark on a canary Service that does not come to rest after an abort. */
export function abortRemarks(subject: ArgoSubject, { moments, isReached }: SeenRelease): Remark[] {
  if (subject.style !== 'argo-canary' || !isReached || !flapsAfterAbort(subject.manifest.object)) return [];
  const aborted = moments.find(({ moment }) => moment.phase === 'abort')?.moment;
  if (aborted === undefined) return [];
  const seconds = numberOf(asObject(subject.manifest.get(subject.path)).abortScaleDownDelaySeconds) ?? 30;
  return [
    {
      rule: argoReleaseRules['rehearsal-abort-flaps'],
      message: `after an abort, Argo moves Service ${subject.traffic.canaryService} to the new pods and back at each reconcile, for ${seconds} seconds`,
      path: subject.path,
    },
  ];
}

/** Remarks on weights that the pods of a canary without a traffic router cannot make. */
export function weightByPodsRemarks(subject: ArgoSubject, { moments, isReached }: SeenRelease): Remark[] {
  if (subject.style !== 'argo-canary' || subject.hasRouting || !isReached) return [];
  return moments.flatMap(({ moment: { phase, step, declared, pods } }): Remark[] => {
    const weight = step === undefined || phase !== 'step' ? undefined : numberOf(subject.steps[step]?.setWeight);
    if (step === undefined || weight === undefined || declared === undefined) return [];
    if (Math.abs(declared.share * 100 - weight) < 1) return [];
    const all = pods.reduce((sum, { replicas }) => sum + replicas, 0);
    const canary = pods.reduce((sum, { replicas, revision }) => sum + (revision === 'canary' ? replicas : 0), 0);
    return [
      {
        rule: argoReleaseRules['rehearsal-weight-by-pods'],
        message: `setWeight: ${weight} gives the canary ${percent(declared.share)} at steps[${step}]: ${canary} of ${all} pods`,
        path: trafficPathOf(subject, step),
        step,
      },
    ];
  });
}

/** The remark on a preview that answers with errors while its Service has no pods. */
export function previewRemarks(subject: ArgoSubject, { moments, requestText }: SeenRelease): Remark[] {
  if (subject.style !== 'argo-blue-green') return [];
  const isPreview = moments[0]!.outcomes.map((before) => entranceOf(before, subject) === 'preview');
  for (const { moment, outcomes } of moments) {
    const failed = outcomes.findIndex(({ shares }, index) => isPreview[index] && shares.failed > 0);
    if (failed < 0) continue;
    return [
      {
        rule: argoReleaseRules['rehearsal-preview-empty'],
        message: `requests through Service ${subject.traffic.canaryService} fail ${whenOf(moment)}, because it already selects them`,
        path: [...subject.path, 'previewService'],
        request: requestText(failed),
      },
    ];
  }
  return [];
}

/** Remarks on weights that stay if the Rollout is deleted during a release. */
export function weightsStayRemarks(subject: ArgoSubject, { isReached, moments }: SeenRelease): Remark[] {
  if (subject.ingresses.length === 0 || !isReached) return [];
  const shareOf = ({ declared }: Moment) => declared?.share ?? 0;
  const seen = moments.find(({ moment }) => moment.phase === 'step' && shareOf(moment) > 0 && shareOf(moment) < 1);
  if (seen === undefined) return [];
  const { moment } = seen;
  const { givenUp } = playArgoDeletion(moment, subject.manifest);
  const [first] = givenUp;
  if (first === undefined) return [];
  const { step } = moment;
  const share = percent(shareOf(moment));
  return [
    {
      rule: argoReleaseRules['rehearsal-weights-stay'],
      message: `deleted ${whenOf(moment)}, the Rollout leaves ${share} of the requests of Ingress "${first.ingress}" with the canary: ${first.message}`,
      path: step === undefined ? subject.path : trafficPathOf(subject, step),
      ...(step === undefined ? {} : { step }),
    },
  ];
}
