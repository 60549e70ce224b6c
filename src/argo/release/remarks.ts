/** Remarks on releases of Argo Rollouts. */
import type { Manifest } from '../../core';
import { type Moment, percent, type Remark, type SeenRelease, type Unreachable, whenOf } from '../../release';
import { USE_ANNOTATION } from '../../routers/ingress/alb-annotations';
import { playArgoDeletion } from '../controller';
import { argoReleaseRules } from './rules';
import { trafficPathOf } from './steps';
import type { ArgoSubject } from './subject';

/** The remark on a Rollout with a traffic router that is not played. */
export function otherRouterRemark({ traffic }: ArgoSubject, router: string): Remark {
  return {
    rule: 'rehearsal-incomplete',
    message: `not rehearsed: trafficRouting.${router} is not among the traffic routers of Argo Rollouts that are played`,
    path: [...traffic.path, router],
    because: 'alb is the only traffic router of Argo Rollouts that a rehearsal can play',
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
  if (subject.style !== 'argo-canary') return [];
  const { traffic, ingresses } = subject;
  const found = new Map<Manifest, Remark>();
  for (const [index, { manifest, answer, rule }] of moments[0]!.outcomes.entries()) {
    if (manifest === undefined || ingresses.includes(manifest.name) || found.has(manifest)) continue;
    if (answer.kind !== 'services') continue;
    const stable = `${traffic.namespace}/${traffic.stableService}`;
    if (!answer.destinations.some(({ name, share }) => share > 0 && name === stable)) continue;
    found.set(manifest, {
      rule: argoReleaseRules['rehearsal-ingress-unmanaged'],
      message: `Ingress "${manifest.name}" leads to Service "${traffic.stableService}", and the Rollout does not name it`,
      path: [...traffic.path, 'alb'],
      request: requestText(index),
      ...(rule?.source === undefined
        ? {}
        : { related: { message: 'the Ingress is here', object: manifest.ref, source: rule.source } }),
    });
  }
  return [...found.values()];
}

/** Remarks on a Service that starts to select other pods: its target group follows some seconds later. */
export function newTargetRemarks(subject: ArgoSubject, { moments, isReached }: SeenRelease): Remark[] {
  if (!isReached || subject.isPingPong) return [];
  const isBlueGreen = subject.style === 'argo-blue-green';
  const at = isBlueGreen
    ? moments.find(({ moment }) => moment.phase === 'finish')
    : moments.find(
        ({ moment, outcomes }) => moment.phase === 'step' && outcomes.some(({ shares }) => shares.canary > 0),
      );
  if (at === undefined) return [];
  const service = isBlueGreen ? subject.traffic.stableService : subject.traffic.canaryService;
  const { step } = at.moment;
  return [
    {
      rule: 'rehearsal-target-group-empty',
      message: `the target group of Service ${service} changes to new pods ${whenOf(at.moment)}, while it already receives requests`,
      path: step === undefined ? subject.path : trafficPathOf(subject, step),
      ...(step === undefined ? {} : { step }),
      because:
        'Argo changes the selector of the Service and the load balancer registers the pods some seconds later, so its share probably gets errors until then (inferred from the order of both changes)',
      fix: isBlueGreen
        ? 'enable pod readiness gates, and verification with the flag --aws-verify-target-group'
        : 'use ping-pong Services with pod readiness gates, or start with a small weight',
    },
  ];
}

/** Remarks on weights that stay if the Rollout is deleted during a release. */
export function weightsStayRemarks(subject: ArgoSubject, { isReached, moments }: SeenRelease): Remark[] {
  if (subject.style !== 'argo-canary' || !isReached) return [];
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
