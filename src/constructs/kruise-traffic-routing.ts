import { ApiObject, type ApiObjectMetadata } from 'cdk8s';
import type { Construct } from 'constructs';
import type { HttpHeaderFilter, HttpRouteMatch } from '../kruise/api';
import { kruiseTrafficRouting } from '../kruise/objects';
import type { TrafficRoutingOptions } from '../kruise/references';
import { CheckedObject } from './checked-object';
import { addChecks, type KruiseCheckProps } from './checks';
import { requireProps } from './place';

/** Properties of a `KruiseTrafficRouting`. */
export interface KruiseTrafficRoutingProps extends KruiseCheckProps {
  /**
   * Name, namespace, labels and annotations of the TrafficRouting.
   * @default - a name made of the construct's path, in the namespace of the chart
   */
  readonly metadata?: ApiObjectMetadata;

  /** The Service, and what routes to it. */
  readonly trafficRouting: TrafficRoutingOptions;

  /**
   * Requests that are treated, by their headers; any of the matches is enough. A TrafficRouting knows no other conditions.
   * @default - all, or the share that `weight` says
   */
  readonly matches?: readonly HttpRouteMatch[];

  /**
   * Share of the requests that are treated, in percent.
   * @default - those that match
   */
  readonly weight?: number;

  /**
   * Changes to the headers of these requests, by which Services further back know them.
   * @default - none
   */
  readonly requestHeaderModifier?: HttpHeaderFilter;
}

/**
 * A TrafficRouting of Kruise Rollouts: it marks requests at a Service in front of the one that is released, as long as
 * Rollouts that refer to it release. It makes no canary Service.
 *
 * @example
 * const routing = new KruiseTrafficRouting(this, 'Routing', {
 *   trafficRouting: { service: frontend, ingress, classType: 'mse' },
 *   matches: [HeaderMatch.exact('user-agent', 'pc')],
 *   requestHeaderModifier: { set: [{ name: 'x-canary', value: 'backend' }] },
 * });
 * new KruiseRollout(this, 'Backend', { workload, strategy, trafficRoutingRef: routing });
 */
export class KruiseTrafficRouting extends CheckedObject {
  /** The TrafficRouting itself. */
  readonly apiObject: ApiObject;

  constructor(scope: Construct, id: string, props: KruiseTrafficRoutingProps) {
    super(scope, id);
    requireProps(this, props, 'trafficRouting');
    this.apiObject = new ApiObject(this, 'Resource', kruiseTrafficRouting(props));
    addChecks(this, props);
  }
}
