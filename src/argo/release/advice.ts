/** What to do about a verdict, and why it came about, where Argo Rollouts is the controller. */
import { asObject, partOf } from '../../core/json';
import type { Advice, Situation } from '../../release';
import { USE_ANNOTATION } from '../../routers/ingress/alb-annotations';

const ARGO_WRITES = 'Argo Rollouts writes weights and header routes into annotations and paths of the Ingress';

const ADVICE: Readonly<Partial<Record<string, Advice>>> = {
  'rehearsal-canary-gets-everything': {
    because: 'all users get the new version at once',
    fix: 'let the Ingress lead to the Rollout through its action only, with the port name use-annotation',
  },
  'rehearsal-unmatched-reach-canary': {
    because: 'with a header route and no weight only the requests with the header belong to the new version',
    fix: 'let the Ingress lead to the Rollout through its action only, with the port name use-annotation',
  },
  'rehearsal-match-ignored': {
    because: 'every request with the header of a route is meant for the new version',
    fix: 'let nothing of the Ingress come before the path that Argo inserts for the header route',
  },
  'rehearsal-match-widened': {
    because: 'a load balancer of AWS takes * and ? in a header value for wildcards, and Argo writes them as they are',
    fix: 'choose a header value without * and ?',
  },
  'rehearsal-canary-too-early': {
    because: 'no pod of the new version is ready, so nobody is to reach it',
    fix: 'let the Ingress lead to the Rollout through its action only, with the port name use-annotation',
  },
  'rehearsal-requests-fail': {
    fix: 'correct what the message names',
  },
  'rehearsal-path-shadowed': {
    because:
      'Argo puts the path /* of a header route first into every rule of the Ingress, whatever its host and paths',
    fix: 'give the Rollout an Ingress of its own; alb.ingress.kubernetes.io/group.name keeps both on one load balancer',
  },
  'rehearsal-weight-differs': {
    because: `${ARGO_WRITES}, and the load balancer makes another share of it`,
    fix: 'correct what the Ingress has beside the action of the Rollout',
  },
  'rehearsal-cookie-alone': {
    because:
      'browsers send all cookies in one header, and a header route of Argo compares the whole header with its value',
    fix: 'choose another header than cookie, which the application or a proxy sets',
  },
  'rehearsal-stickiness-lost': { fix: 'set trafficRouting.alb.stickinessConfig' },
  'rehearsal-rollback-incomplete': {
    because: 'an abort takes back the weight and the managed routes of the Rollout, and nothing else',
    fix: 'let the Ingress lead to the Rollout through its action only, with the port name use-annotation',
  },
};

/** Verdicts that mean that requests for the canary do not get there. */
const LOST: readonly string[] = ['rehearsal-canary-gets-nothing', 'rehearsal-match-ignored', 'rehearsal-requests-fail'];

/** What a finding says instead of the texts of its rule. */
export function argoAdvice(situation: Situation): Advice {
  const { rule, isFrozen } = situation;
  if (isFrozen) {
    return {
      because: 'the load balancer is frozen and keeps the rules that it had before',
      fix: 'correct what freezes the load balancer',
    };
  }
  return { ...ADVICE[rule], ...(LOST.includes(rule) ? lostAdvice(situation) : undefined) };
}

/** Why requests do not reach the canary. */
function lostAdvice({ outcome, expectedCanary = 0, moment }: Situation): Advice | undefined {
  const { manifest, rule } = outcome;
  if (expectedCanary === 0) return undefined;
  const ready = moment.pods.some(({ revision, replicas }) => revision === 'canary' && replicas > 0);
  if (!ready) {
    return {
      because: 'while the canary has no pods Argo gives it no weight, and takes header routes away again',
      fix: 'give the canary pods first, by an earlier step with setCanaryScale or setWeight, and let no step take them away',
    };
  }
  const path = manifest === undefined || rule === undefined ? {} : asObject(manifest.get(rule.path));
  const port = partOf(partOf(partOf(path, 'backend'), 'service'), 'port');
  if (port !== undefined && port.name !== USE_ANNOTATION) {
    return {
      because: 'the load balancer controller reads the action of a path only where its port is called use-annotation',
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
    because: 'a header route is written at its own step only, and Argo takes it away whenever the canary has no pods',
    fix: 'let a step with setCanaryScale come before setHeaderRoute, and keep pods for the canary until the route is removed',
  };
}
