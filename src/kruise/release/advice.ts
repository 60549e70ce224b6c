/** How to fix a canary Ingress on an AWS load balancer. */
import type { Advice, SeenOutcome, Situation } from '../../release';
import { annotationKey, USE_ANNOTATION } from '../../routers/ingress/alb-annotations';
import type { RouteSubject } from '../subject';

const SCRIPT = 'the script trafficrouting_ingress/aws-alb.lua of this library';

/** What a finding says instead of the texts of its rule. */
export function kruiseAdvice(situation: Situation, { ingress, namespace }: RouteSubject): Advice {
  if (situation.router !== 'aws-alb' || ingress === undefined) return {};
  const { rule, moment, outcome } = situation;
  switch (rule) {
    case 'rehearsal-canary-gets-nothing': {
      if (outcome.rule?.object.name !== ingress.name) return {};
      const canary = moment.world.find('Ingress.networking.k8s.io', `${ingress.name}-canary`, namespace);
      const hasNoGroup = canary !== undefined && canary.annotations[annotationKey('group.name')] === undefined;
      return {
        fix: hasNoGroup
          ? `put Ingress "${ingress.name}" into a group with an order (alb.ingress.kubernetes.io/group.name and group.order: "10"), ` +
            `and use ${SCRIPT}, which gives the canary a lower order`
          : `give the canary Ingress a lower group.order than Ingress "${ingress.name}": set alb.ingress.kubernetes.io/group.order: "10" ` +
            `and rollout-constructs.io/canary-group-order: "9" on it, and use ${SCRIPT}`,
      };
    }
    case 'rehearsal-canary-too-early':
    case 'rehearsal-canary-gets-everything':
      return usesAction(outcome)
        ? {}
        : {
            fix: `give the backend of Ingress "${ingress.name}" the port name use-annotation and an action; with a port number the load balancer ignores what the script writes`,
          };
    default:
      return {};
  }
}

/** Whether the rule that took the request gets its targets from an annotation. */
function usesAction({ manifest, rule }: SeenOutcome): boolean {
  if (manifest === undefined || rule === undefined) return true;
  return manifest.get(`${rule.path}.backend.service.port.name`) === USE_ANNOTATION;
}
