import type * as pulumi from '@pulumi/pulumi';
import {
  ALB_INGRESS_CLASS_PROPS,
  type AlbIngressClassOptions,
  albIngressClass,
  albIngressClassParams,
} from '../kruise/alb/ingress-class';
import { checkArgs } from './args';
import { KubernetesComponent, nameOfResource } from './component';
import { ComponentObjects } from './component-objects';
import type { Inputs, MetadataArgs } from './inputs';

/** A class of Ingresses on AWS load balancers, created by this program or existing. */
export interface IAlbIngressClass {
  /** The name of the class. */
  readonly objectName: pulumi.Input<string>;
  /**
   * The group of all Ingresses of the class.
   * @default - each Ingress sets its own
   */
  readonly group?: pulumi.Input<string>;
  /**
   * The target type of all Ingresses of the class.
   * @default - each Ingress sets its own
   */
  readonly targetType?: 'ip' | 'instance';
  /**
   * The scheme of the load balancers of all Ingresses of the class.
   * @default - each Ingress sets its own
   */
  readonly scheme?: 'internal' | 'internet-facing';
}

/** Arguments of an `AlbIngressClass`. */
export interface AlbIngressClassArgs extends Inputs<AlbIngressClassOptions> {
  /**
   * Name, labels and annotations of the IngressClass. Its IngressClassParams get the same name and labels.
   * @default - the name of the component
   */
  readonly metadata?: Omit<MetadataArgs, 'namespace'>;
}

/**
 * A class for Ingresses on AWS load balancers, and its IngressClassParams, which apply to all of its Ingresses and override
 * their annotations.
 *
 * @example
 * const ingressClass = new AlbIngressClass('shop', { group: 'shop', scheme: 'internet-facing', targetType: 'ip' });
 * new AlbCanaryIngress('web', { service, ingressClass, mode: AlbCanaryMode.ingress({ order: 10 }) });
 */
export class AlbIngressClass extends KubernetesComponent implements IAlbIngressClass {
  /**
   * A class that exists in the cluster, with the settings of its IngressClassParams.
   * @example AlbIngressClass.fromName('alb-public', { group: 'public' })
   */
  static fromName(name: pulumi.Input<string>, params: Omit<IAlbIngressClass, 'objectName'> = {}): IAlbIngressClass {
    return { objectName: name, ...params };
  }

  /** API version of the IngressClass. */
  readonly apiVersion = 'networking.k8s.io/v1';
  /** Kind of the object: IngressClass. */
  readonly kind = 'IngressClass';

  /** Name of the IngressClass. */
  readonly name: pulumi.Output<string>;

  /** The name as given: a plain string stays one. */
  readonly objectName: pulumi.Input<string>;

  readonly group?: pulumi.Input<string>;
  readonly targetType?: 'ip' | 'instance';
  readonly scheme?: 'internal' | 'internet-facing';

  constructor(name: string, args: AlbIngressClassArgs = {}, options?: pulumi.ComponentResourceOptions) {
    checkArgs('AlbIngressClass', name, args);
    const objects = new ComponentObjects<AlbIngressClassOptions>({
      type: 'AlbIngressClass',
      name,
      args,
      props: ALB_INGRESS_CLASS_PROPS,
      describe: (plain, metadata) => [
        albIngressClassParams(plain, metadata),
        albIngressClass(plain, metadata, metadata.name),
      ],
    });
    super({ objects, facts: {} }, options);
    this.name = nameOfResource(this.resources[1]!);
    this.objectName = args.metadata?.name ?? name;
    this.group = args.group;
    this.targetType = args.targetType;
    this.scheme = args.scheme;
    this.registerOutputs({ name: this.name });
  }
}
