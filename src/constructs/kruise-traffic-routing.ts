import { ApiObject, type ApiObjectMetadata, Yaml } from 'cdk8s';
import { Construct } from 'constructs';
import type { Finding } from '../core/finding';
import type { HttpHeaderFilter, HttpRouteMatch } from '../kruise/api';
import { kruiseTrafficRouting } from '../kruise/objects';
import type { TrafficRoutingOptions } from '../kruise/references';
import { addChecks, findingsFor, type KruiseCheckProps } from './checks';
import { stackOf } from './stack';
import { readWorld } from './world';

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
export class KruiseTrafficRouting extends Construct {
  /** The TrafficRouting itself. */
  readonly apiObject: ApiObject;

  constructor(scope: Construct, id: string, props: KruiseTrafficRoutingProps) {
    super(scope, id);
    this.apiObject = new ApiObject(this, 'Resource', kruiseTrafficRouting(props));
    addChecks(this, props);
  }

  /** Name of the TrafficRouting. */
  get name(): string {
    return this.apiObject.name;
  }

  /** API version of the TrafficRouting. */
  get apiVersion(): string {
    return this.apiObject.apiVersion;
  }

  /** Kind of the object: TrafficRouting. */
  get kind(): string {
    return this.apiObject.kind;
  }

  /** The TrafficRouting as YAML. */
  toYaml(): string {
    return Yaml.stringify(this.apiObject.toJson());
  }

  /** What the checks find in the TrafficRouting as the app is now, suppressed findings left out; errors first. */
  findings(): readonly Finding[] {
    return findingsFor(this, readWorld(stackOf(this)));
  }
}
