import * as pulumi from '@pulumi/pulumi';
import type { EnvHeader, EnvLabel } from '../ktenv/api';
import { ktenvOperator } from '../ktenv/install';
import { virtualEnvironmentManifest } from '../ktenv/manifests';
import type { CheckArgs } from './checks';
import { KubernetesComponent, nameOfResource } from './component';
import { Drawing } from './drawing';
import type { Inputs } from './inputs';
import type { KtEnvInstall } from './ktenv-install';

/** Arguments of a `KtVirtualEnvironment`. */
export interface KtVirtualEnvironmentArgs extends CheckArgs {
  /** The namespace; there can be one VirtualEnvironment in it, and its operator serves no other. */
  readonly namespace: pulumi.Input<string>;
  /**
   * The name of the VirtualEnvironment, and of the EnvoyFilter with `autoInject`.
   * @default - the name of the component
   */
  readonly name?: pulumi.Input<string>;
  /**
   * The header by which requests name their environment.
   * @default - X-Virtual-Env
   */
  readonly envHeader?: Inputs<EnvHeader>;
  /**
   * The label by which pods name their environment, and the environment that answers the rest.
   * @default - virtual-env, levels separated by dots, and no default environment
   */
  readonly envLabel?: Inputs<EnvLabel>;
  /**
   * The operator of the namespace: made too, or installed by other means.
   * @default true
   */
  readonly operator?: boolean;
  /**
   * The image of the operator.
   * @default - the release 0.6.0 of upstream
   */
  readonly operatorImage?: pulumi.Input<string>;
  /**
   * The release of Istio, `1.24`. Without it what depends on the release is a warning.
   * @default - unknown
   */
  readonly istioVersion?: string;
  /**
   * The install with the CRD, when this program makes it.
   * @default - the CRD is there already
   */
  readonly install?: KtEnvInstall;
}

interface Options {
  readonly namespace: string;
  readonly name: string;
  readonly envHeader?: EnvHeader;
  readonly envLabel?: EnvLabel;
  readonly operatorImage?: string;
}

/**
 * The virtual environments of one namespace, and the operator that routes them.
 *
 * @example
 * new KtVirtualEnvironment('shop', { install, namespace: 'shop', envLabel: { defaultSubset: 'dev' }, istioVersion: '1.24' });
 */
export class KtVirtualEnvironment extends KubernetesComponent {
  /** The name of the VirtualEnvironment. */
  readonly name: pulumi.Output<string>;

  /** Its namespace. */
  readonly namespace: pulumi.Output<string>;

  constructor(name: string, args: KtVirtualEnvironmentArgs, options?: pulumi.ComponentResourceOptions) {
    const { namespace, envHeader, envLabel, operator = true, operatorImage, install } = args;
    const drawing = new Drawing<Options>({
      type: 'KtVirtualEnvironment',
      name,
      options: {
        namespace,
        name: args.name ?? name,
        ...(envHeader && { envHeader }),
        ...(envLabel && { envLabel }),
        ...(operatorImage === undefined ? {} : { operatorImage }),
      },
      draw: (plain) => [
        virtualEnvironmentManifest(plain, { namespace: plain.namespace, name: plain.name }),
        ...(operator ? ktenvOperator({ namespace: plain.namespace, image: plain.operatorImage }) : []),
      ],
    });
    super({ drawing, facts: args, after: install === undefined ? [] : [install] }, options);
    this.name = nameOfResource(this.resources[0]!);
    this.namespace = pulumi.output(namespace);
    this.registerOutputs({ name: this.name, namespace: this.namespace });
  }
}
