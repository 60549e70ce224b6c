/** Why a verdict occurs with Argo Rollouts, and how to fix it. */
import { asObject, partOf } from '../../core/json';
import type { Advice, Situation } from '../../release';
import { USE_ANNOTATION } from '../../routers/ingress/alb-annotations';
import type { ArgoSubject } from './subject';

const ARGO_WRITES = 'Argo Rollouts writes weights and header routes into annotations and paths of the Ingress';

const ADVICE: Readonly<Partial<Record<string, Advice>>> = {
  'rehearsal-canary-gets-everything': {
    because: 'all users get the new version at once',
    fix: 'route to the Rollout only through its action, with the port name use-annotation',
  },
  'rehearsal-unmatched-reach-canary': {
    because: 'with a header route and no weight, only requests with the header belong to the new version',
    fix: 'route to the Rollout only through its action, with the port name use-annotation',
  },
  'rehearsal-match-ignored': {
    because: 'every request with the header of a route belongs to the new version',
    fix: 'put no path of the Ingress before the path that Argo inserts for the header route',
  },
  'rehearsal-match-widened': {
    because: 'an AWS load balancer treats * and ? in a header value as wildcards, and Argo does not escape them',
    fix: 'use a header value without * and ?',
  },
  'rehearsal-canary-too-early': {
    because: 'no pod of the new version is ready, so no request may reach it',
    fix: 'route to the Rollout only through its action, with the port name use-annotation',
  },
  'rehearsal-requests-fail': {
    fix: 'fix the problem in the message',
  },
  'rehearsal-path-shadowed': {
    because:
      'Argo inserts the path /* of a header route at the start of every rule of the Ingress, for any host and path',
    fix: 'give the Rollout its own Ingress; alb.ingress.kubernetes.io/group.name keeps both on one load balancer',
  },
  'rehearsal-weight-differs': {
    because: `${ARGO_WRITES}, and the load balancer computes a different share`,
    fix: 'correct the other backends of the Ingress, next to the action of the Rollout',
  },
  'rehearsal-cookie-alone': {
    because:
      'browsers send all cookies in one header, and a header route of Argo compares the whole header with its value',
    fix: 'use a header other than cookie, set by the application or a proxy',
  },
  'rehearsal-stickiness-lost': { fix: 'set trafficRouting.alb.stickinessConfig' },
  'rehearsal-rollback-incomplete': {
    because: 'an abort only resets the weight and the managed routes of the Rollout',
    fix: 'route to the Rollout only through its action, with the port name use-annotation',
  },
};

/** Verdicts on requests of the canary that do not reach it. */
const LOST: readonly string[] = ['rehearsal-canary-gets-nothing', 'rehearsal-match-ignored', 'rehearsal-requests-fail'];

/** At the end, when nothing writes routes. */
const WITHOUT_ROUTER: Advice = {
  because: 'without trafficRouting, Argo removes the last old pods before it points the stable Service at the new ones',
  fix: 'send the requests to a Service that selects the pods of both versions, or give the Rollout a trafficRouting',
};

/** What a finding says instead of the texts of its rule. */
export function argoAdvice(situation: Situation, { hasRouting }: Pick<ArgoSubject, 'hasRouting'>): Advice {
  const { rule, isFrozen, moment } = situation;
  if (isFrozen) {
    return {
      because: 'the load balancer is frozen and keeps its earlier rules',
      fix: 'fix the mistake that freezes the load balancer',
    };
  }
  if (rule === 'rehearsal-requests-fail' && !hasRouting && moment.phase === 'finish') return WITHOUT_ROUTER;
  return { ...ADVICE[rule], ...(LOST.includes(rule) ? lostAdvice(situation) : undefined) };
}

/** Why requests do not reach the canary. */
function lostAdvice({ outcome, expectedCanary = 0, moment }: Situation): Advice | undefined {
  const { manifest, rule } = outcome;
  if (expectedCanary === 0) return undefined;
  const ready = moment.pods.some(({ revision, replicas }) => revision === 'canary' && replicas > 0);
  if (!ready) {
    return {
      because: 'while the canary has no pods, Argo gives it no weight and removes header routes',
      fix: 'scale the canary up in an earlier step with setCanaryScale or setWeight, and keep its pods in later steps',
    };
  }
  const path = manifest === undefined || rule === undefined ? {} : asObject(manifest.get(rule.path));
  const port = partOf(partOf(partOf(path, 'backend'), 'service'), 'port');
  if (port !== undefined && port.name !== USE_ANNOTATION) {
    return {
      because: 'the load balancer controller reads the action of a path only if its port is named use-annotation',
      fix: `give the backend at ${rule?.path} of Ingress "${manifest?.name}" the port name use-annotation`,
    };
  }
  if (path.pathType !== undefined && path.pathType !== 'ImplementationSpecific') {
    return {
      because:
        'Argo inserts the header route as ImplementationSpecific /*, and the load balancer controller puts Exact and Prefix paths before it',
      fix: `write path: /* with pathType: ImplementationSpecific at ${rule?.path} of Ingress "${manifest?.name}"`,
    };
  }
  if ((moment.declared?.matches ?? []).length === 0) return undefined;
  return {
    because: 'Argo writes a header route only at its own step, and removes it whenever the canary has no pods',
    fix: 'put a step with setCanaryScale before setHeaderRoute, and keep pods of the canary until the route is removed',
  };
}
