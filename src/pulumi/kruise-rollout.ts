import type * as pulumi from '@pulumi/pulumi';
import { admissionFindings } from '../kruise/admission';
import { type KruiseRolloutOptions, kruiseRollout } from '../kruise/objects';
import type { KruiseRolloutStrategy } from '../kruise/strategy';
import type { KruiseCheckArgs } from './checks';
import { KubernetesComponent, nameOfResource } from './component';
import { Drawing } from './drawing';
import type { MetadataArgs } from './inputs';
import { type IKruiseRolloutInstall, madeBy } from './kruise-rollout-install';
import { type NameInput, type ObjectInput, References } from './references';
import { type TrafficRoutingArgs, trafficRoutingOf } from './traffic-routing';

/** Arguments of a `KruiseRollout`. */
export interface KruiseRolloutArgs extends KruiseCheckArgs {
  /**
   * Name, namespace, labels and annotations of the Rollout. It has to be in the namespace of everything it names.
   * @default - the name of the component, in the namespace of the provider
   */
  readonly metadata?: MetadataArgs;

  /** The workload whose releases go step by step: a Deployment, or another kind that the controller knows. */
  readonly workload: ObjectInput;

  /** How a release happens, with its steps. */
  readonly strategy: KruiseRolloutStrategy;

  /**
   * Where the traffic of the steps is split: the Service, and what routes to it.
   * @default - traffic is not routed: requests reach the new version in proportion to its pods
   */
  readonly trafficRouting?: TrafficRoutingArgs;

  /**
   * A TrafficRouting that is in force during the release, for a Service in front of the one that is released.
   * @default - none
   */
  readonly trafficRoutingRef?: NameInput;

  /**
   * Holds a release where it is.
   * @default false
   */
  readonly paused?: boolean;

  /**
   * Lets releases pass as if there were no Rollout.
   * @default false
   */
  readonly disabled?: boolean;

  /**
   * The install whose controller reads the Rollout. One of this program is made first, as the Rollout needs its CRDs and
   * its webhooks.
   * @default - one that is there already
   */
  readonly install?: IKruiseRolloutInstall;
}

/**
 * A Rollout of Kruise Rollouts: releases of a workload, step by step, each with its share of pods and traffic.
 *
 * What the API server or the webhook would refuse ends the program before anything is made. When all components are
 * there, the Rollout is rehearsed with the others, and what would fail later is logged.
 *
 * @example
 * new KruiseRollout('web', {
 *   install,
 *   workload: deployment,
 *   strategy: KruiseRolloutStrategy.canary({
 *     steps: [KruiseRolloutStep.traffic('20%', { pause: { duration: 600 } }), KruiseRolloutStep.traffic('100%')],
 *   }),
 *   trafficRouting: { service, ingress, classType: 'nginx' },
 * });
 */
export class KruiseRollout extends KubernetesComponent {
  /** API version of the Rollout. */
  readonly apiVersion = 'rollouts.kruise.io/v1beta1';
  /** Kind of the object: Rollout. */
  readonly kind = 'Rollout';

  /** Name of the Rollout. */
  readonly name: pulumi.Output<string>;

  /** The name as it was given: a plain string where it was one. */
  readonly objectName: pulumi.Input<string>;

  /** The Rollout itself. */
  readonly rollout: pulumi.CustomResource;

  constructor(name: string, args: KruiseRolloutArgs, options?: pulumi.ComponentResourceOptions) {
    const references = new References();
    const { metadata, workload, strategy, trafficRouting, trafficRoutingRef, install, paused, disabled } = args;
    const { suppressions, version = install?.version } = args;
    const drawing = new Drawing<KruiseRolloutOptions>({
      type: 'KruiseRollout',
      name,
      options: {
        metadata: { name, ...metadata },
        workload: references.object(workload),
        strategy,
        ...(trafficRouting && { trafficRouting: trafficRoutingOf(trafficRouting, references) }),
        ...(trafficRoutingRef === undefined ? {} : { trafficRoutingRef: references.name(trafficRoutingRef) }),
        ...(paused === undefined ? {} : { paused }),
        ...(disabled === undefined ? {} : { disabled }),
        ...(version && { version }),
      },
      draw: (plain) => [kruiseRollout(plain)],
      findings: (world) => admissionFindings(world, { ...(version && { version }) }),
      ...(suppressions && { suppressions }),
    });
    super({ drawing, facts: { ...args, ...(version && { version }) }, references, after: madeBy(install) }, options);
    this.rollout = this.resources[0]!;
    this.name = nameOfResource(this.rollout);
    this.objectName = metadata?.name ?? name;
    this.registerOutputs({ name: this.name });
  }
}
