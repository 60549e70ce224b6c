import { compareBytes } from '../../core/bytes';
import { USE_ANNOTATION } from '../ingress/alb-annotations';
import type { Backend } from '../ingress/ingress';
import { annotatedAction, forwardTo, type RequestedAction, unavailable } from './actions';
import type { BuiltParts } from './built-parts';
import type { Member } from './class';
import { annotatedConditions, type RequestedConditions } from './conditions';
import { BuildFailure } from './failure';
import type { Action, Transform } from './model';
import type { TargetGroups } from './target-group';
import { annotatedTransforms } from './transforms';
import type { AwsLoadBalancerControllerFacts } from './version';

/** The context that all rules of a group share. */
export interface BuildContext {
  readonly targetGroups: TargetGroups;
  readonly facts: AwsLoadBalancerControllerFacts;
  readonly built: BuiltParts;
}

/** A backend with its annotations. */
export interface EnhancedBackend {
  readonly conditions: RequestedConditions;
  readonly transforms: readonly Transform[];
  readonly action: RequestedAction;
}

/**
 * Reads a backend and the annotations with its name. The controller never reads annotations without a backend.
 * @throws BuildFailure
 */
export function enhanceBackend(member: Member, backend: Backend, context: BuildContext): EnhancedBackend {
  const { service } = backend;
  if (service === undefined) {
    throw new BuildFailure('resource-backend', 'missing required "service" field', undefined, backend.at);
  }
  const { annotations } = member.ingress;
  const conditions = annotatedConditions(annotations, service.name, context.facts.regexValues);
  const transforms = context.facts.transforms ? annotatedTransforms(annotations, service.name) : [];
  const action =
    service.port === USE_ANNOTATION
      ? annotatedAction(annotations, service.name)
      : forwardTo(service.name, service.port);
  return { conditions, transforms, action: withServices(action, member, context) };
}

/**
 * The action in the form of the load balancer.
 * @throws BuildFailure
 */
export function buildAction(action: RequestedAction, member: Member, context: BuildContext): Action {
  if (action.type !== 'forward') return action;
  const weighted = action.targets.map((target) => {
    if (!('service' in target)) return target;
    const service = context.targetGroups.findService(member, target.service)!;
    const group = context.targetGroups.get(member, service, target.port);
    return target.weight === undefined ? group : { ...group, weight: target.weight };
  });
  const { stickiness } = action;
  return { type: 'forward', targetGroups: weighted, ...(stickiness === undefined ? {} : { stickiness }) };
}

/** A single missing Service answers 503; a missing Service among several is an error. */
function withServices(action: RequestedAction, member: Member, context: BuildContext): RequestedAction {
  if (action.type !== 'forward') return action;
  const names = action.targets.flatMap((target) => ('service' in target ? [target.service] : []));
  const missing = names
    .filter((name) => context.targetGroups.findService(member, name) === undefined)
    .sort(compareBytes)[0];
  if (missing === undefined) return action;
  if (action.targets.length === 1) return unavailable('Backend service does not exist');
  throw new BuildFailure('service-not-found', `Service "${missing}" not found`);
}
