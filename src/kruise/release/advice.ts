/** What to do about a wrong outcome that the release of the controller causes, or the canary Ingress on an AWS load balancer. */
import { type Advice, type SeenOutcome, type Situation, selectorOf } from '../../release';
import { NGINX_PREFIX, refusedAnnotation } from '../../routers/canary-ingress/nginx-annotations';
import { annotationKey, USE_ANNOTATION } from '../../routers/ingress/alb-annotations';
import type { RouteSubject } from '../subject';
import type { KruiseRolloutVersion } from '../version';

const SCRIPT = 'the script trafficrouting_ingress/aws-alb.lua of this library';

/** What a finding says instead of the texts of its rule. */
export function kruiseAdvice(situation: Situation, route: RouteSubject, version: KruiseRolloutVersion): Advice {
  return adviceOnRelease(situation, route, version) ?? adviceOnNginx(situation, route) ?? adviceOnAlb(situation, route);
}

const UPGRADE = 'install Kruise Rollouts 0.6.0 or later';

/** Outcomes that follow from the order in which old releases write, whatever the manifests say. */
function adviceOnRelease(
  { rule, moment }: Situation,
  route: RouteSubject,
  version: KruiseRolloutVersion,
): Advice | undefined {
  const { pinsStableServiceFirst, skipsRoutingWithoutOldPods } = version.facts;
  const isRollback = moment.phase === 'abort';
  switch (rule) {
    case 'rehearsal-canary-too-early':
      if (pinsStableServiceFirst || !selectsAllPods(moment, route)) return undefined;
      return {
        because:
          `release ${version} waits for the new pods before it lets the stable Service select only the old ones, so ` +
          'requests reach both versions for some seconds',
        fix: `${UPGRADE}, which changes the Service first`,
      };
    case 'rehearsal-rollback-incomplete':
      if (pinsStableServiceFirst || !selectsAllPods(moment, route)) return undefined;
      return {
        severity: 'warning',
        because: `release ${version} begins a rollback with the Service: it selects all pods while new ones still run`,
        fix: `${UPGRADE}, which restores the routes first`,
      };
    case 'rehearsal-requests-fail':
      if (!pinsStableServiceFirst && isRollback) {
        return {
          severity: 'warning',
          because: `release ${version} replaces the new pods before it takes the requests away from them`,
          fix: `${UPGRADE}, which restores the routes first, or use canary style`,
        };
      }
      if (skipsRoutingWithoutOldPods || hasOldPods(moment)) return undefined;
      return {
        because: `the step leaves no old pod, and release ${version} lets the stable Service select only old pods`,
        fix: 'let the step replace fewer pods than the workload has, or use canary style (enableExtraWorkloadForCanary: true)',
      };
    default:
      return undefined;
  }
}

/** Whether the stable Service does not tell versions apart. */
function selectsAllPods({ world }: Situation['moment'], { service, namespace }: RouteSubject): boolean {
  const stable = world.find('Service', service, namespace);
  const labels = stable === undefined ? [] : Object.keys(selectorOf(stable.object));
  return !labels.some((label) => REVISION_LABELS.has(label));
}

const REVISION_LABELS = new Set(['pod-template-hash', 'controller-revision-hash']);

function hasOldPods({ pods }: Situation['moment']): boolean {
  return pods.some(({ revision, replicas }) => revision === 'stable' && replicas > 0);
}

/** What ingress-nginx and nginx do to the conditions of a canary Ingress. */
function adviceOnNginx({ rule, router, moment }: Situation, { ingress, namespace }: RouteSubject): Advice | undefined {
  if (router !== 'nginx' || ingress === undefined || !LOST_REQUESTS.has(rule)) return undefined;
  const canary = moment.world.find('Ingress.networking.k8s.io', `${ingress.name}-canary`, namespace);
  if (canary === undefined) return undefined;
  const because = refusedAnnotation(canary);
  if (because !== undefined)
    return { because, fix: 'match a value without other characters: a header that names a group of users' };
  const header = canary.annotations[`${NGINX_PREFIX}/canary-by-header`];
  if (header === undefined || !header.includes('_')) return undefined;
  return {
    because: `nginx drops headers with an underscore in their name, such as ${header}`,
    fix: 'use a name with hyphens, or set enable-underscores-in-headers: "true" in the ConfigMap of ingress-nginx',
  };
}

const LOST_REQUESTS = new Set(['rehearsal-canary-gets-nothing', 'rehearsal-match-ignored']);

function adviceOnAlb(situation: Situation, { ingress, namespace }: RouteSubject): Advice {
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
