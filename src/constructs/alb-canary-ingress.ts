import type { ApiObject, ApiObjectMetadata } from 'cdk8s';
import type { Construct } from 'constructs';
import { type DurationLike, secondsOf } from '../core/duration';
import type { AlbCanaryIngressOptions } from '../kruise/alb/canary-ingress';
import type { TrafficRoutingRef } from '../kruise/api';
import type { AwsLoadBalancerControllerVersion } from '../routers/aws-alb/version';
import { AlbIngressClass, type IAlbIngressClass } from './alb-ingress-class';
import { CheckedObject } from './checked-object';
import { addChecks, type KruiseCheckProps } from './checks';
import { checkNamespace, checkProps } from './construct-errors';
import { addMainObject } from './objects';

// Loaded on first use, because most programs need only a part of the library.
const ingressModule = () => require('../kruise/alb/canary-ingress') as typeof import('../kruise/alb/canary-ingress');

/** Properties of an `AlbCanaryIngress`. */
export interface AlbCanaryIngressProps extends AlbCanaryIngressOptions, KruiseCheckProps {
  /**
   * Name, namespace, labels and further annotations of the Ingress. Annotations that a prop covers come from it.
   * @default - a name made of the construct's path, in the namespace of the chart
   */
  readonly metadata?: ApiObjectMetadata;

  /**
   * The class of the Ingress: an `AlbIngressClass`, or the name of one that exists in the cluster.
   * @default 'alb', as the Helm chart of the AWS Load Balancer Controller installs it
   */
  readonly ingressClass?: IAlbIngressClass | string;

  /**
   * The release of the AWS Load Balancer Controller; before v2.14.1 it knows no regular expressions.
   * @default AwsLoadBalancerControllerVersion.LATEST
   */
  readonly awsLoadBalancerControllerVersion?: AwsLoadBalancerControllerVersion;
}

/**
 * An Ingress on an AWS load balancer, for canary releases of its Service by Kruise Rollouts.
 *
 * Its backends use actions, which hold the weights of a canary. Group, orders and everything else that a release needs
 * match the routing scripts of this library. The synth checks it together with the Rollouts that use it and with the other
 * Ingresses of its group, including those that are written by hand.
 *
 * @example
 * const ingress = new AlbCanaryIngress(this, 'Ingress', {
 *   service,
 *   rules: [{ host: 'shop.example.com' }],
 *   scheme: 'internet-facing',
 *   sslRedirect: true,
 *   stickiness: Duration.minutes(10),
 * });
 * new KruiseRollout(this, 'Rollout', { workload, strategy, trafficRouting: ingress.trafficRouting() });
 */
export class AlbCanaryIngress extends CheckedObject {
  /** The Ingress itself. */
  readonly apiObject: ApiObject;

  constructor(
    scope: Construct,
    id: string,
    private readonly props: AlbCanaryIngressProps,
  ) {
    super(scope, id);
    checkProps(this, props);
    const { metadata = {}, ingressClass = 'alb' } = props;
    const albClass = typeof ingressClass === 'string' ? AlbIngressClass.fromName(ingressClass) : ingressClass;
    const { name, group, targetType, scheme } = albClass;
    this.apiObject = addMainObject(this, () =>
      ingressModule().albCanaryIngress(props, { ...metadata }, { name, group, targetType, scheme }),
    );
    checkNamespace(this, this.apiObject, props.service);
    addChecks(this, props);
  }

  /**
   * The `trafficRouting` of a `KruiseRollout` for this Ingress.
   * @param gracePeriodSeconds the time that the load balancer gets to apply a change; 30 seconds by default
   */
  trafficRouting(gracePeriodSeconds?: number | DurationLike): TrafficRoutingRef {
    const seconds = gracePeriodSeconds === undefined ? undefined : secondsOf(gracePeriodSeconds);
    return ingressModule().albTrafficRouting(this.props, this.name, seconds);
  }
}
