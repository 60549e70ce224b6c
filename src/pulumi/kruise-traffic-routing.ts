import type * as pulumi from '@pulumi/pulumi';
import { compact } from '../core/json';
import { admissionFindings } from '../kruise/admission';
import {
  KRUISE_TRAFFIC_ROUTING_PROPS,
  type KruiseTrafficRoutingOptions,
  kruiseTrafficRouting,
} from '../kruise/objects';
import { checkArgs } from './args';
import type { KruiseCheckArgs } from './checks';
import { KubernetesComponent, nameOfResource } from './component';
import { ComponentObjects } from './component-objects';
import type { Inputs, MetadataArgs } from './inputs';
import type { IKruiseRolloutInstall } from './kruise-rollout-install';

/** Arguments of a `KruiseTrafficRouting`. */
export interface KruiseTrafficRoutingArgs extends Inputs<KruiseTrafficRoutingOptions>, KruiseCheckArgs {
  /**
   * Name, namespace, labels and annotations of the TrafficRouting.
   * @default - the name of the component, in the namespace of the provider
   */
  readonly metadata?: MetadataArgs;

  /**
   * The install of the controller for the TrafficRouting. An install of this program is created first.
   * @default - an existing install
   */
  readonly install?: IKruiseRolloutInstall;
}

/**
 * A TrafficRouting of Kruise Rollouts: it marks requests at a Service in front of the released one, while a Rollout that
 * refers to it is releasing. It creates no canary Service.
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

  /** The name as given: a plain string stays one. */
  readonly objectName: pulumi.Input<string>;

  constructor(name: string, args: KruiseTrafficRoutingArgs, options?: pulumi.ComponentResourceOptions) {
    checkArgs('KruiseTrafficRouting', name, args);
    const { metadata, install, suppressions, kruiseVersion: version = install?.version } = args;
    const objects = new ComponentObjects<KruiseTrafficRoutingOptions>({
      type: 'KruiseTrafficRouting',
      name,
      args,
      props: KRUISE_TRAFFIC_ROUTING_PROPS,
      describe: (plain, given) => [kruiseTrafficRouting(plain, given)],
      findings: (world) => admissionFindings(world, compact({ version })),
      suppressions,
    });
    super({ objects, facts: compact({ ...args, kruiseVersion: version }), after: [install] }, options);
    this.name = nameOfResource(this.resources[0]!);
    this.objectName = metadata?.name ?? name;
    this.registerOutputs({ name: this.name });
  }
}
