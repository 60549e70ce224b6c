import type * as pulumi from '@pulumi/pulumi';
import {
  ALB_INGRESS_CLASS_PROPS,
  type AlbIngressClassOptions,
  albIngressClass,
  albIngressClassParams,
} from '../kruise/alb/ingress-class';
import { KubernetesComponent, nameOfResource } from './component';
import { ComponentObjects } from './component-objects';
import type { Inputs, MetadataArgs } from './inputs';

/** The class of Ingresses on AWS load balancers, made here or by somebody else. */
export interface IAlbIngressClass {
  /** The name that an Ingress names as its class. */
  readonly objectName: pulumi.Input<string>;
  /**
   * The group that the class puts all of its Ingresses into.
   * @default - each Ingress says so itself
   */
  readonly group?: pulumi.Input<string>;
  /**
   * What the class makes the targets of all of its Ingresses.
   * @default - each Ingress says so itself
   */
  readonly targetType?: 'ip' | 'instance';
  /**
   * Where the load balancers of all of its Ingresses can be reached from.
   * @default - each Ingress says so itself
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
 * A class for Ingresses on AWS load balancers, with the parameters (IngressClassParams) that hold for all of them and win
 * over their annotations.
 *
 * @example
 * const ingressClass = new AlbIngressClass('shop', { group: 'shop', scheme: 'internet-facing', targetType: 'ip' });
 * new AlbCanaryIngress('web', { service, ingressClass, mode: AlbCanaryMode.ingress({ order: 10 }) });
 */
export class AlbIngressClass extends KubernetesComponent implements IAlbIngressClass {
  /**
   * A class that is in the cluster already, with what its parameters say of all Ingresses.
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

  /** The name as it was given: a plain string where it was one. */
  readonly objectName: pulumi.Input<string>;

  readonly group?: pulumi.Input<string>;
  readonly targetType?: 'ip' | 'instance';
  readonly scheme?: 'internal' | 'internet-facing';

  constructor(name: string, args: AlbIngressClassArgs = {}, options?: pulumi.ComponentResourceOptions) {
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
