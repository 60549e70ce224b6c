import * as pulumi from '@pulumi/pulumi';
import {
  VIRTUAL_ENVIRONMENT_PROPS,
  type VirtualEnvironmentOptions,
  virtualEnvironmentObjects,
} from '../ktenv/manifests';
import { checkArgs } from './args';
import type { CheckArgs } from './checks';
import { KubernetesComponent, nameOfResource } from './component';
import { ComponentObjects } from './component-objects';
import type { Inputs } from './inputs';
import type { KtEnvInstall } from './ktenv-install';

/** Arguments of a `KtVirtualEnvironment`. */
export interface KtVirtualEnvironmentArgs extends Inputs<VirtualEnvironmentOptions>, CheckArgs {
  /** The namespace. It has at most one VirtualEnvironment, and its operator serves no other namespace. */
  readonly namespace: pulumi.Input<string>;
  /**
   * The name of the VirtualEnvironment, and of the EnvoyFilter with `autoInject`.
   * @default - the name of the component
   */
  readonly name?: pulumi.Input<string>;
  /**
   * The release of Istio, `1.24`. Without it what depends on the release is a warning.
   * @default - unknown
   */
  readonly istioVersion?: string;
  /**
   * The install with the CRD, if this program creates it.
   * @default - the CRD exists
   */
  readonly install?: KtEnvInstall;
}

interface Options extends VirtualEnvironmentOptions {
  readonly namespace: string;
  readonly name?: string;
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
    checkArgs('KtVirtualEnvironment', name, args);
    const objects = new ComponentObjects<Options>({
      type: 'KtVirtualEnvironment',
      name,
      args,
      props: { ...VIRTUAL_ENVIRONMENT_PROPS, namespace: true, name: true },
      describe: (plain) => virtualEnvironmentObjects(plain, { namespace: plain.namespace, name: plain.name ?? name }),
    });
    super({ objects, facts: args, after: [args.install] }, options);
    this.name = nameOfResource(this.resourceOf('VirtualEnvironment')!);
    this.namespace = pulumi.output(args.namespace);
    this.registerOutputs({ name: this.name, namespace: this.namespace });
  }
}
