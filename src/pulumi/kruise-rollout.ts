import type * as pulumi from '@pulumi/pulumi';
import { compact } from '../core/json';
import { admissionFindings } from '../kruise/admission';
import { KRUISE_ROLLOUT_PROPS, type KruiseRolloutOptions, kruiseRollout } from '../kruise/objects';
import { checkArgs } from './args';
import type { KruiseCheckArgs } from './checks';
import { KubernetesComponent, nameOfResource } from './component';
import { ComponentObjects } from './component-objects';
import type { Inputs, MetadataArgs } from './inputs';
import type { IKruiseRolloutInstall } from './kruise-rollout-install';

/** Arguments of a `KruiseRollout`. */
export interface KruiseRolloutArgs extends Inputs<KruiseRolloutOptions>, KruiseCheckArgs {
  /**
   * Name, namespace, labels and annotations of the Rollout. Its namespace is that of every object that it names.
   * @default - the name of the component, in the namespace of the provider
   */
  readonly metadata?: MetadataArgs;

  /**
   * The install of the controller for the Rollout. An install of this program is created first, for its CRDs and its
   * webhooks.
   * @default - an existing install
   */
  readonly install?: IKruiseRolloutInstall;
}

/**
 * A Rollout of Kruise Rollouts: releases of a workload, step by step, each with its share of pods and traffic.
 *
 * What the API server or the webhook would refuse stops the program before any resource is created. When all components
 * exist, the Rollout is rehearsed with the whole stack, and the log has what would fail during a release.
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

  /** The name as given: a plain string stays one. */
  readonly objectName: pulumi.Input<string>;

  /** The Rollout itself. */
  readonly rollout: pulumi.CustomResource;

  constructor(name: string, args: KruiseRolloutArgs, options?: pulumi.ComponentResourceOptions) {
    checkArgs('KruiseRollout', name, args);
    const { metadata, install, suppressions, kruiseVersion: version = install?.version } = args;
    const objects = new ComponentObjects<KruiseRolloutOptions>({
      type: 'KruiseRollout',
      name,
      args,
      props: KRUISE_ROLLOUT_PROPS,
      describe: (plain, given) => [kruiseRollout(plain, given, version)],
      findings: (world) => admissionFindings(world, compact({ version })),
      suppressions,
    });
    super({ objects, facts: compact({ ...args, kruiseVersion: version }), after: [install] }, options);
    this.rollout = this.resources[0]!;
    this.name = nameOfResource(this.rollout);
    this.objectName = metadata?.name ?? name;
    this.registerOutputs({ name: this.name });
  }
}
