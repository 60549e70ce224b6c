import { goJson, goMembers } from '../../core/go-json';
import { addTo } from '../../core/grouped';
import { asList, asObject, asText, isSet, type JsonObject, partOf } from '../../core/json';
import type { AlbRollout } from './alb-rollout';
import { nilPointer, Stopped } from './failure';

/** A Service of an experiment, with its share of the traffic. */
export interface WeightDestination {
  readonly serviceName: string;
  readonly weight: number;
}

/** The route of a `setHeaderRoute` step; without `match`, the controller removes the route. */
export interface HeaderRoute {
  readonly name: string;
  /** The entries of the manifest, with `headerName` and `headerValue`. @default - remove the route */
  readonly match?: readonly unknown[];
  /**
   * Whether a request needs to meet only one of the entries, as with Istio. On an ALB it needs all headers.
   * @default false
   */
  readonly isAnyOf?: boolean;
}

/** One target group of a forward action. */
export interface ForwardTarget {
  readonly service: string;
  readonly port: string;
  readonly weight: number;
}

/** `TargetGroupStickinessConfig` of a forward action. */
export interface ForwardStickiness {
  readonly enabled: boolean;
  readonly seconds: number | bigint;
}

/** The text between the prefix and the name of an action in an annotation key. */
export const ACTIONS = '/actions.';

/** A week, the maximum of an ALB. */
const MAX_STICKINESS_SECONDS = 604_800;

/** The annotation key of an action. */
export function actionKey(rollout: AlbRollout, name: string): string {
  return `${rollout.annotationPrefix}${ACTIONS}${name}`;
}

/** The annotation key of the conditions of a header route. */
export function conditionKey(rollout: AlbRollout, name: string): string {
  return `${rollout.annotationPrefix}/conditions.${name}`;
}

/** The action that splits traffic. Like the controller, it does not limit weights: experiments can make the stable weight negative. */
export function weightAction(rollout: AlbRollout, weight: number, experiments: readonly WeightDestination[]): string {
  const rest = experiments.reduce((left, experiment) => left - experiment.weight, 100 - weight);
  const port = String(rollout.servicePort);
  return forwardAction(
    [
      { service: rollout.canaryService, port, weight },
      ...experiments.map((experiment) => ({ service: experiment.serviceName, port, weight: experiment.weight })),
      { service: rollout.stableService, port, weight: rest },
    ],
    stickinessOf(rollout),
  );
}

/** The action of a header route: all requests go to the canary. */
export function headerAction(rollout: AlbRollout): string {
  const port = String(rollout.servicePort);
  return forwardAction([{ service: rollout.canaryService, port, weight: 100 }], stickinessOf(rollout));
}

/** The conditions of a header route: a request must have all names, with one value of each. */
export function headerConditions(match: readonly unknown[]): string {
  const valuesOf = new Map<string, string[]>();
  for (const [index, entry] of match.entries()) {
    const { headerName } = asObject(entry);
    const value = partOf(asObject(entry), 'headerValue');
    if (value === undefined) throw nilPointer(`match[${index}].headerValue`);
    addTo(valuesOf, asText(headerName), asText(value.exact));
  }
  return goJson(
    [...valuesOf].map(([httpHeaderName, values]) => ({
      field: 'http-header',
      httpHeaderConfig: { httpHeaderName, values },
    })),
  );
}

/** A forward action as the controller writes it: in Go's order of fields, with a string as port. */
export function forwardAction(targets: readonly ForwardTarget[], stickiness: ForwardStickiness | undefined): string {
  const groups = targets.map(({ service, port, weight }) =>
    goMembers([
      ['ServiceName', service || undefined],
      ['ServicePort', port || undefined],
      ['Weight', weight],
    ]),
  );
  const sticky =
    stickiness === undefined
      ? ''
      : `,"TargetGroupStickinessConfig":${goMembers([
          ['Enabled', stickiness.enabled],
          ['DurationSeconds', stickiness.seconds],
        ])}`;
  return `{"Type":"forward","ForwardConfig":{"TargetGroups":[${groups.join(',')}]${sticky}}}`;
}

function stickinessOf({ stickinessSeconds: seconds }: AlbRollout): ForwardStickiness | undefined {
  if (seconds === undefined) return undefined;
  if (seconds < 1 || seconds > MAX_STICKINESS_SECONDS) {
    throw new Stopped(
      'stickiness',
      `TargetGroupStickinessConfig's duration must be between 1 and ${MAX_STICKINESS_SECONDS} seconds (7 days)!`,
    );
  }
  return { enabled: true, seconds };
}

/** Reads a header route of a Rollout, without one as an ALB needs it; an empty `match` removes the route. */
export function readHeaderRoute(route: unknown, rollout: JsonObject = {}): HeaderRoute {
  const { name, match } = asObject(route);
  const entries = asList(match);
  const { alb, istio } = asObject(canaryOf(rollout)?.trafficRouting);
  const isAnyOf = isSet(istio) && !isSet(alb);
  return { name: asText(name), match: entries.length > 0 ? entries : undefined, ...(isAnyOf && { isAnyOf }) };
}

function canaryOf(rollout: JsonObject): JsonObject | undefined {
  return partOf(partOf(partOf(rollout, 'spec'), 'strategy'), 'canary');
}
