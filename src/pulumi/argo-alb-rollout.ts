import type * as pulumi from '@pulumi/pulumi';
import { ARGO_ALB_ROLLOUT_PROPS, type ArgoAlbObjects, type ArgoAlbRolloutOptions, drawArgoAlb } from '../argo/alb';
import { assumptionFindings } from '../argo/alb/assumptions';
import { rewrittenByArgo } from '../argo/gitops';
import type { ArgoRolloutsVersion } from '../argo/version';
import type { AwsLoadBalancerControllerVersion } from '../routers/aws-alb/version';
import type { IArgoRolloutsInstall } from './argo-rollouts-install';
import { checkArgs } from './args';
import type { CheckArgs } from './checks';
import { KubernetesComponent, nameOfResource } from './component';
import { ComponentObjects } from './component-objects';
import type { Inputs, MetadataArgs } from './inputs';

/** Arguments of an `ArgoAlbRollout`. */
export interface ArgoAlbRolloutArgs extends Inputs<ArgoAlbRolloutOptions>, CheckArgs {
  /**
   * Name, namespace, labels and annotations of the Rollout. The names of Services and Ingresses begin with its name, which
   * is therefore a plain string.
   * @default - the name of the component, in the namespace of the provider
   */
  readonly metadata?: Omit<MetadataArgs, 'name'> & { readonly name?: string };

  /**
   * The release of the AWS Load Balancer Controller.
   * @default AwsLoadBalancerControllerVersion.LATEST
   */
  readonly awsLoadBalancerControllerVersion?: AwsLoadBalancerControllerVersion;

  /**
   * The version of Argo Rollouts.
   * @default - the version of the install in this stack, or ArgoRolloutsVersion.LATEST
   */
  readonly argoVersion?: ArgoRolloutsVersion;

  /**
   * The install of the controller for the Rollout. An install of this program is created first, for its CRDs.
   * @default - an existing install
   */
  readonly install?: IArgoRolloutsInstall;
}

/**
 * A Rollout of Argo Rollouts behind an AWS load balancer: the Rollout, its Services, and the Ingress in which Argo writes
 * weights. Pulumi ignores changes of the fields that Argo rewrites.
 *
 * @example
 * new ArgoAlbRollout('web', {
 *   install,
 *   template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image, ports: [{ containerPort: 8080 }] }] } },
 *   strategy: ArgoAlbStrategy.canary({ steps: [ArgoStep.setWeight(20), ArgoStep.pause()] }),
 *   ingress: { rules: [{ host: 'shop.example.com' }], certificates: [certificate.arn] },
 * });
 */
export class ArgoAlbRollout extends KubernetesComponent {
  /** API version of the Rollout. */
  readonly apiVersion = 'argoproj.io/v1alpha1';
  /** Kind of the object: Rollout. */
  readonly kind = 'Rollout';

  /** Name of the Rollout. */
  readonly name: pulumi.Output<string>;

  /** The Rollout itself. */
  readonly rollout: pulumi.CustomResource;

  /** The Services that are created with it. */
  readonly services: readonly pulumi.CustomResource[];

  /** The Ingresses: those that Argo writes to, in its order, then the preview Ingress. */
  readonly ingresses: readonly pulumi.CustomResource[];

  constructor(name: string, args: ArgoAlbRolloutArgs, options?: pulumi.ComponentResourceOptions) {
    checkArgs('ArgoAlbRollout', name, args);
    const objects = new ComponentObjects<ArgoAlbRolloutOptions>({
      type: 'ArgoAlbRollout',
      name,
      args,
      props: ARGO_ALB_ROLLOUT_PROPS,
      several: ['Ingress', 'Service'],
      suppressions: args.suppressions,
      findings: (world, plain) => world.list('Rollout.argoproj.io').flatMap((one) => assumptionFindings(one, plain)),
      problems: (plain, metadata) => drawArgoAlb(plain, metadata).problems,
      describe: (plain, metadata) => listed(drawArgoAlb(plain, metadata).objects),
    });
    super(
      {
        objects,
        // Until the Ingress uses the action, no release splits traffic, and every rehearsal would report that.
        facts: args.migration === 'prepare' ? { ...args, rehearsal: { ...args.rehearsal, enabled: false } } : args,
        rewritten: rewrittenByArgo(objects.world),
        after: [args.install],
      },
      options,
    );
    this.rollout = this.resourceOf('Rollout')!;
    this.services = this.resourcesOf('Service');
    this.ingresses = this.resourcesOf('Ingress');
    this.name = nameOfResource(this.rollout);
    this.registerOutputs({ name: this.name });
  }
}

/** Services first, because Argo looks for them, then the Ingresses that route to them. */
function listed({ rollout, services, ingresses }: ArgoAlbObjects): object[] {
  return [...services, ...ingresses, rollout];
}
