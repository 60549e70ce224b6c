/** What to do about a verdict, where more can be said than the rule says. */
import { annotationKey, USE_ANNOTATION } from '../routers/alb-annotations';
import type { RehearsalRuleId } from './rules';
import type { Cell, Entry, Run } from './run';

/** What a fix may depend on. */
export interface FixContext {
  readonly entry: Entry;
  readonly cell: Cell;
  readonly run: Run;
  readonly moment: number;
}

const SCRIPT = 'the script trafficrouting_ingress/aws-alb.lua of this library';

/** The smallest change for this load balancer; undefined where the rule's own advice stands. */
export function fixFor(rule: RehearsalRuleId, context: FixContext): string | undefined {
  return context.entry.router === 'aws-alb' ? onAlb(rule, context) : undefined;
}

function onAlb(rule: RehearsalRuleId, { cell, run, moment }: FixContext): string | undefined {
  const { ingress } = run.route;
  if (ingress === undefined) return undefined;
  const canary = run.seen[moment]!.moment.world.find(
    'Ingress.networking.k8s.io',
    `${ingress.name}-canary`,
    run.route.namespace,
  );
  switch (rule) {
    case 'rehearsal-canary-gets-nothing': {
      const group = canary?.annotations[annotationKey('group.name')];
      if (group === undefined && canary?.annotations !== undefined && cell.rule?.object.name === ingress.name) {
        return (
          `put Ingress "${ingress.name}" into a group with an order (alb.ingress.kubernetes.io/group.name and group.order: "10"), ` +
          `and use ${SCRIPT}, which gives the canary a lower order`
        );
      }
      if (cell.rule?.object.name === ingress.name) {
        return (
          `give the canary Ingress a lower group.order than Ingress "${ingress.name}": set alb.ingress.kubernetes.io/group.order: "10" ` +
          `and rollout-constructs.io/canary-group-order: "9" on it, and use ${SCRIPT}`
        );
      }
      return undefined;
    }
    case 'rehearsal-canary-too-early':
    case 'rehearsal-canary-gets-everything':
      return usesAction(cell, run, moment)
        ? undefined
        : `give the backend of Ingress "${ingress.name}" the port name use-annotation and an action; with a port number the load balancer ignores what the script writes`;
    default:
      return undefined;
  }
}

/** Whether the rule that took the request gets its targets from an annotation. */
function usesAction({ manifest, rule }: Cell, _run: Run, _moment: number): boolean {
  if (manifest === undefined || rule === undefined) return true;
  return manifest.get(`${rule.path}.backend.service.port.name`) === USE_ANNOTATION;
}
