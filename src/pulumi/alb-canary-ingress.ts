import * as pulumi from '@pulumi/pulumi';
import { type DurationLike, secondsOf } from '../core/duration';
import { compact } from '../core/json';
import {
  ALB_CANARY_INGRESS_PROPS,
  type AlbCanaryIngressOptions,
  albCanaryIngress,
  albTrafficRouting,
} from '../kruise/alb/canary-ingress';
import type { AlbClassSettings } from '../routers/aws-alb/ingress-options';
import type { AwsLoadBalancerControllerVersion } from '../routers/aws-alb/version';
import { AlbIngressClass, type IAlbIngressClass } from './alb-ingress-class';
import { checkArgs } from './args';
import type { KruiseCheckArgs } from './checks';
import { KubernetesComponent, nameOfResource } from './component';
import { ComponentObjects } from './component-objects';
import { rewrittenByRoute } from './git-ops';
import type { Inputs, MetadataArgs, TrafficRoutingArgs } from './inputs';

/** Arguments of an `AlbCanaryIngress`. */
export interface AlbCanaryIngressArgs extends Inputs<AlbCanaryIngressOptions>, KruiseCheckArgs {
  /**
   * Name, namespace, labels and further annotations of the Ingress. Annotations that an argument covers come from it.
   * @default - the name of the component, in the namespace of the provider
   */
  readonly metadata?: MetadataArgs;

  /**
   * The class of the Ingress: an `AlbIngressClass`, or the name of one that exists in the cluster.
   * @default 'alb', as the Helm chart of the AWS Load Balancer Controller installs it
   */
  readonly ingressClass?: IAlbIngressClass | pulumi.Input<string>;

  /**
   * The release of the AWS Load Balancer Controller; before v2.14.1 it knows no regular expressions.
   * @default AwsLoadBalancerControllerVersion.LATEST
   */
  readonly awsLoadBalancerControllerVersion?: AwsLoadBalancerControllerVersion;

  /**
   * Whether Pulumi ignores changes of the fields that the controller rewrites during a release. To change the rules or the
   * stickiness, turn it off for one update while no release is in progress.
   * @default true
   */
  readonly ignoreRewrittenFields?: boolean;
}

/** The options, with the settings of the class. */
interface Options extends AlbCanaryIngressOptions {
  readonly ingressClass: AlbClassSettings;
}

/**
 * An Ingress on an AWS load balancer, for canary releases of its Service by Kruise Rollouts.
 *
 * @example
 * const ingress = new AlbCanaryIngress('web', {
 *   service: { name: service, port: 80 },
 *   rules: [{ host: pulumi.interpolate`shop.${zone.name}` }],
 *   certificates: [certificate.arn],
 *   scheme: 'internet-facing',
 *   sslRedirect: true,
 * });
 * new KruiseRollout('web', { workload, strategy, trafficRouting: ingress.trafficRouting() });
 */
export class AlbCanaryIngress extends KubernetesComponent {
  /** API version of the Ingress. */
  readonly apiVersion = 'networking.k8s.io/v1';
  /** Kind of the object: Ingress. */
  readonly kind = 'Ingress';

  /** Name of the Ingress. */
  readonly name: pulumi.Output<string>;

  /** The name as given: a plain string stays one. */
  readonly objectName: pulumi.Input<string>;

  /** The Ingress itself. */
  readonly ingress: pulumi.CustomResource;

  constructor(
    name: string,
    private readonly args: AlbCanaryIngressArgs,
    options?: pulumi.ComponentResourceOptions,
  ) {
    checkArgs('AlbCanaryIngress', name, args);
    const { metadata, ingressClass = 'alb', ignoreRewrittenFields = true } = args;
    const albClass = isClass(ingressClass) ? ingressClass : AlbIngressClass.fromName(ingressClass);
    const { objectName, group, targetType, scheme } = albClass;
    const objects = new ComponentObjects<Options>({
      type: 'AlbCanaryIngress',
      name,
      args: { ...args, ingressClass: compact({ name: objectName, group, targetType, scheme }) },
      props: { ...ALB_CANARY_INGRESS_PROPS, ingressClass: true },
      describe: ({ ingressClass: known, ...plain }, given) => [albCanaryIngress(plain, given, known)],
    });
    const { metadata: named, ...plain } = objects.options;
    super(
      {
        objects,
        facts: args,
        rewritten: ignoreRewrittenFields
          ? rewrittenByRoute(objects.objects, named, albTrafficRouting(plain, named.name))
          : [],
        after: [albClass],
      },
      options,
    );
    this.ingress = this.resources[0]!;
    this.name = nameOfResource(this.ingress);
    this.objectName = metadata?.name ?? name;
    this.registerOutputs({ name: this.name });
  }

  /**
   * The `trafficRouting` of a `KruiseRollout` for this Ingress.
   * @param gracePeriodSeconds the time that the load balancer gets to apply a change; 30 seconds by default
   */
  trafficRouting(gracePeriodSeconds?: number | DurationLike): TrafficRoutingArgs {
    const { mode, service } = this.args;
    const seconds = gracePeriodSeconds === undefined ? undefined : secondsOf(gracePeriodSeconds);
    // The function decides the fields; the names stay as given, with their Outputs.
    const named = compact({ service: { name: '', port: '' }, mode });
    const { ingress, customNetworkRefs, ...common } = albTrafficRouting(named, '', seconds);
    return {
      ...common,
      service: service.name,
      ...(ingress && { ingress: this, ...(ingress.classType && { classType: ingress.classType }) }),
      ...(customNetworkRefs && { customNetworkRefs: [this] }),
    };
  }
}

function isClass(ingressClass: IAlbIngressClass | pulumi.Input<string>): ingressClass is IAlbIngressClass {
  return (
    typeof ingressClass === 'object' && !pulumi.Output.isInstance(ingressClass) && !(ingressClass instanceof Promise)
  );
}
