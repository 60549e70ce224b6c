import type { ApiObject, ApiObjectMetadata } from 'cdk8s';
import type { Construct } from 'constructs';
import { type KruiseTrafficRoutingOptions, kruiseTrafficRouting } from '../kruise/objects';
import { CheckedObject } from './checked-object';
import { addChecks, type KruiseCheckProps } from './checks';
import { checkProps } from './construct-errors';
import { addMainObject } from './objects';

/** Properties of a `KruiseTrafficRouting`. */
export interface KruiseTrafficRoutingProps extends KruiseTrafficRoutingOptions, KruiseCheckProps {
  /**
   * Name, namespace, labels and annotations of the TrafficRouting.
   * @default - a name made of the construct's path, in the namespace of the chart
   */
  readonly metadata?: ApiObjectMetadata;
}

/**
 * A TrafficRouting of Kruise Rollouts: it marks requests at a Service in front of the released one, while a Rollout that
 * refers to it is releasing. It creates no canary Service.
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
    checkProps(this, props);
    this.apiObject = addMainObject(this, () => kruiseTrafficRouting(props, props.metadata));
    addChecks(this, props);
  }
}
