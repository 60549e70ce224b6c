import type * as pulumi from '@pulumi/pulumi';
import { admissionFindings } from '../kruise/admission';
import type { HttpHeaderFilter, HttpRouteMatch } from '../kruise/api';
import { type KruiseTrafficRoutingOptions, kruiseTrafficRouting } from '../kruise/objects';
import type { KruiseCheckArgs } from './checks';
import { KubernetesComponent, nameOfResource } from './component';
import { Drawing } from './drawing';
import type { Inputs, MetadataArgs } from './inputs';
import { type IKruiseRolloutInstall, madeBy } from './kruise-rollout-install';
import { References } from './references';
import { type TrafficRoutingArgs, trafficRoutingOf } from './traffic-routing';

/** Arguments of a `KruiseTrafficRouting`. */
export interface KruiseTrafficRoutingArgs extends KruiseCheckArgs {
  /**
   * Name, namespace, labels and annotations of the TrafficRouting.
   * @default - the name of the component, in the namespace of the provider
   */
  readonly metadata?: MetadataArgs;

  /** The Service, and what routes to it. */
  readonly trafficRouting: TrafficRoutingArgs;

  /**
   * Requests that are treated, by their headers; any of the matches is enough. A TrafficRouting knows no other conditions.
   * @default - all, or the share that `weight` says
   */
  readonly matches?: readonly Inputs<HttpRouteMatch>[];

  /**
   * Share of the requests that are treated, in percent.
   * @default - those that match
   */
  readonly weight?: number;

  /**
   * Changes to the headers of these requests, by which Services further back know them.
   * @default - none
   */
  readonly requestHeaderModifier?: Inputs<HttpHeaderFilter>;

  /**
   * The install whose controller reads the TrafficRouting. One of this program is made first.
   * @default - one that is there already
   */
  readonly install?: IKruiseRolloutInstall;
}

/**
 * A TrafficRouting of Kruise Rollouts: it marks requests at a Service in front of the one that is released, as long as
 * Rollouts that refer to it release. It makes no canary Service.
 *
 * @example
 * const routing = new KruiseTrafficRouting('frontend', {
 *   trafficRouting: { service: frontend, ingress, classType: 'mse' },
 *   matches: [HeaderMatch.exact('user-agent', 'pc')],
 *   requestHeaderModifier: { set: [{ name: 'x-canary', value: 'backend' }] },
 * });
 * new KruiseRollout('backend', { workload, strategy, trafficRoutingRef: routing });
 */
export class KruiseTrafficRouting extends KubernetesComponent {
  /** API version of the TrafficRouting. */
  readonly apiVersion = 'rollouts.kruise.io/v1alpha1';
  /** Kind of the object: TrafficRouting. */
  readonly kind = 'TrafficRouting';

  /** Name of the TrafficRouting. */
  readonly name: pulumi.Output<string>;

  /** The name as it was given: a plain string where it was one. */
  readonly objectName: pulumi.Input<string>;

  constructor(name: string, args: KruiseTrafficRoutingArgs, options?: pulumi.ComponentResourceOptions) {
    const references = new References();
    const { metadata, trafficRouting, matches, weight, requestHeaderModifier, install, suppressions } = args;
    const version = args.version ?? install?.version;
    const drawing = new Drawing<KruiseTrafficRoutingOptions>({
      type: 'KruiseTrafficRouting',
      name,
      options: {
        metadata: { name, ...metadata },
        trafficRouting: trafficRoutingOf(trafficRouting, references),
        ...(matches && { matches }),
        ...(weight === undefined ? {} : { weight }),
        ...(requestHeaderModifier && { requestHeaderModifier }),
      },
      draw: (plain) => [kruiseTrafficRouting(plain)],
      findings: (world) => admissionFindings(world, { ...(version && { version }) }),
      ...(suppressions && { suppressions }),
    });
    super({ drawing, facts: { ...args, ...(version && { version }) }, references, after: madeBy(install) }, options);
    this.name = nameOfResource(this.resources[0]!);
    this.objectName = metadata?.name ?? name;
    this.registerOutputs({ name: this.name });
  }
}
