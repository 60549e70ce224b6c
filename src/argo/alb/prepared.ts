/** Suppresses the findings that the first step of a migration causes. */
import { formatIgnore, IGNORE_ANNOTATION, parseIgnore } from '../../core/suppression';
import { type AlbPlan, canaryOptionsOf } from './plan';

type Annotations = Readonly<Record<string, string>>;

/** The annotations of an Ingress, whose backend still has its port number. */
export function preparedIngress(plan: AlbPlan, annotations: Annotations): Annotations {
  return accepting(
    plan,
    annotations,
    'argo-alb-backend-not-use-annotation',
    'Argo writes the action before the Ingress uses it',
  );
}

/** The annotations of a Rollout, whose weights have no effect yet. */
export function preparedRollout(plan: AlbPlan, annotations: Annotations): Annotations {
  // Without steps a rehearsal has no findings.
  if ((canaryOptionsOf(plan.options)?.steps ?? []).length === 0) return annotations;
  return accepting(plan, annotations, 'rehearsal-canary-gets-nothing', 'there is no release before the second step');
}

function accepting({ options, action }: AlbPlan, annotations: Annotations, rule: string, reason: string): Annotations {
  if (options.migration !== 'prepare' || action === undefined) return annotations;
  const entry = { rule, reason: `the first step of the change to actions: ${reason}` };
  return {
    ...annotations,
    [IGNORE_ANNOTATION]: formatIgnore([...parseIgnore(annotations[IGNORE_ANNOTATION] ?? ''), entry]),
  };
}
