import { parseIntOrString } from '../go-values';
import type { Annotations } from '../ingress/ingress';
import { annotationPath, jsonAnnotation } from './annotations';
import { BuildFailure, type ErrorClass } from './failure';
import { bool, type Decoded, int32, intOrString, list, optional, struct, text } from './go-json';
import type { FixedResponseAction, ForwardAction, RedirectAction } from './model';

/** What an `actions.*` annotation or a plain backend asks for, before Services are looked up. */
export type RequestedAction = FixedResponseAction | RedirectAction | RequestedForward;

export interface RequestedForward {
  readonly type: 'forward';
  readonly targets: readonly RequestedTarget[];
  readonly stickiness: ForwardAction['stickiness'];
}

export type RequestedTarget = (
  | { readonly service: string; readonly port: number | string }
  | { readonly targetGroupARN: string }
  | { readonly targetGroupName: string }
) & { readonly weight?: number };

const targetGroup = struct({
  targetGroupARN: optional(text),
  targetGroupName: optional(text),
  serviceName: optional(text),
  servicePort: optional(intOrString),
  weight: optional(int32),
});

const actionJson = struct({
  type: text,
  targetGroupARN: optional(text),
  targetGroupName: optional(text),
  fixedResponseConfig: optional(struct({ contentType: optional(text), messageBody: optional(text), statusCode: text })),
  redirectConfig: optional(
    struct({
      host: optional(text),
      path: optional(text),
      port: optional(text),
      protocol: optional(text),
      query: optional(text),
      statusCode: text,
    }),
  ),
  forwardConfig: optional(
    struct({
      targetGroups: list(targetGroup),
      targetGroupStickinessConfig: optional(struct({ enabled: optional(bool), durationSeconds: optional(int32) })),
    }),
  ),
});

type ActionJson = Decoded<typeof actionJson>;
type TargetGroupJson = Decoded<typeof targetGroup>;

/**
 * The action of the annotation `actions.<name>`. Without the annotation the action answers 503, as in the controller.
 * @throws BuildFailure
 */
export function annotatedAction(annotations: Annotations, name: string): RequestedAction {
  const suffix = `actions.${name}`;
  const json = jsonAnnotation(annotations, suffix, actionJson);
  if (json === undefined) return unavailable('Backend action does not exist');
  const fail = (errorClass: ErrorClass, message: string) =>
    new BuildFailure(errorClass, message, undefined, annotationPath(suffix));
  switch (json.type) {
    case 'fixed-response':
      return fixedResponse(json, fail);
    case 'redirect':
      return redirect(json, fail);
    case 'forward':
      return forward(json, fail);
    default:
      throw fail('action-type', `unknown action type: ${json.type}`);
  }
}

/** Forwards everything to one Service. */
export function forwardTo(service: string, port: number | string): RequestedForward {
  return { type: 'forward', targets: [{ service, port }], stickiness: undefined };
}

/** The answer if a Service or an action is missing. */
export function unavailable(messageBody: string): FixedResponseAction {
  return { type: 'fixed-response', fixedResponse: { statusCode: '503', contentType: 'text/plain', messageBody } };
}

type Fail = (errorClass: ErrorClass, message: string) => BuildFailure;

function fixedResponse({ fixedResponseConfig: config }: ActionJson, fail: Fail): FixedResponseAction {
  if (config === undefined) throw fail('action-config', 'missing FixedResponseConfig');
  const { statusCode, ...optionals } = config;
  if (statusCode === '') throw fail('action-config', 'invalid FixedResponseConfig: statusCode is required');
  return { type: 'fixed-response', fixedResponse: { statusCode, ...present(optionals) } };
}

function redirect({ redirectConfig: config }: ActionJson, fail: Fail): RedirectAction {
  if (config === undefined) throw fail('action-config', 'missing RedirectConfig');
  const { statusCode, ...optionals } = config;
  if (statusCode === '') throw fail('action-config', 'invalid RedirectConfig: statusCode is required');
  return { type: 'redirect', redirect: { ...present(optionals), statusCode } };
}

function forward(json: ActionJson, fail: Fail): RequestedForward {
  const { forwardConfig: config, targetGroupARN, targetGroupName } = json;
  const single = externalTarget({ targetGroupARN, targetGroupName });
  if (single !== undefined && config !== undefined) {
    throw fail('action-config', 'either ForwardConfig or TargetGroupARN/TargetGroupName can be specified');
  }
  if (single !== undefined) return { type: 'forward', targets: [single], stickiness: undefined };
  if (config === undefined) throw fail('action-config', 'missing ForwardConfig or TargetGroupARN/TargetGroupName');
  const targets = config.targetGroups.map((group) => target(group, fail));
  if (targets.length > 1 && targets.some(({ weight }) => weight === undefined)) {
    const message = 'invalid ForwardConfig: weight must be set when route to multiple target groups';
    throw fail('action-weight-missing', message);
  }
  const stickiness = config.targetGroupStickinessConfig;
  return { type: 'forward', targets, stickiness: stickiness === undefined ? undefined : present(stickiness) };
}

function target(group: TargetGroupJson, fail: Fail): RequestedTarget {
  const { serviceName, servicePort, weight } = group;
  const external = externalTarget(group);
  const invalid = (message: string) =>
    fail('action-config', `invalid ForwardConfig: invalid TargetGroupTuple: ${message}`);
  if (external === undefined && serviceName === undefined) {
    throw invalid('missing serviceName or targetGroupARN/targetGroupName');
  }
  if (external !== undefined && serviceName !== undefined) {
    throw invalid('either serviceName or targetGroupARN/targetGroupName can be specified');
  }
  if (external !== undefined) return { ...external, ...present({ weight }) };
  if (servicePort === undefined) throw invalid('missing servicePort');
  // A number in quotes is a number, so that a port named "80" cannot be referenced.
  return { service: serviceName!, port: parseIntOrString(String(servicePort)), ...present({ weight }) };
}

function externalTarget({
  targetGroupARN,
  targetGroupName,
}: Pick<TargetGroupJson, 'targetGroupARN' | 'targetGroupName'>): RequestedTarget | undefined {
  if (targetGroupARN !== undefined) return { targetGroupARN };
  return targetGroupName === undefined ? undefined : { targetGroupName };
}

/** Removes entries that are undefined. */
function present<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
