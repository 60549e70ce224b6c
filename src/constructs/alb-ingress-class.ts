import type { ApiObject, ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { withPrototypes } from '../core/props';
import { type AlbIngressClassOptions, albIngressClass, albIngressClassParams } from '../kruise/alb/ingress-class';
import { checkProps } from './construct-errors';
import { addObject } from './objects';

/** A class of Ingresses on AWS load balancers. */
export interface IAlbIngressClass {
  /** The name of the class. */
  readonly name: string;
  /**
   * The group of all Ingresses of the class.
   * @default - each Ingress sets its own
   */
  readonly group?: string;
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

/** Properties of an `AlbIngressClass`. */
export interface AlbIngressClassProps extends AlbIngressClassOptions {
  /**
   * Name, labels and annotations of the IngressClass. Its IngressClassParams get the same name and labels.
   * @default - a name made of the construct's path
   */
  readonly metadata?: ApiObjectMetadata;
}

/**
 * A class for Ingresses on AWS load balancers, and its IngressClassParams, which apply to all of its Ingresses and override
 * their annotations.
 *
 * @example
 * const ingressClass = new AlbIngressClass(this, 'Class', { group: 'shop', scheme: 'internet-facing', targetType: 'ip' });
 * new AlbCanaryIngress(this, 'Web', { service, ingressClass, mode: AlbCanaryMode.ingress({ order: 10 }) });
 */
export class AlbIngressClass extends Construct implements IAlbIngressClass {
  /**
   * A class that exists in the cluster, with the settings of its IngressClassParams.
   * @example AlbIngressClass.fromName('alb-public', { group: 'public' })
   */
  static fromName(name: string, params: Omit<IAlbIngressClass, 'name'> = {}): IAlbIngressClass {
    return { name, ...params };
  }

  /** The IngressClass itself. */
  readonly apiObject: ApiObject;

  readonly group?: string;
  readonly targetType?: 'ip' | 'instance';
  readonly scheme?: 'internal' | 'internet-facing';

  constructor(scope: Construct, id: string, props: AlbIngressClassProps = {}) {
    super(scope, id);
    checkProps(this, props);
    this.group = props.group;
    this.targetType = props.targetType;
    this.scheme = props.scheme;
    const metadata = withPrototypes(props.metadata ?? {});
    const params = addObject(this, 'Params', albIngressClassParams(props, metadata));
    this.apiObject = addObject(this, 'Resource', albIngressClass(props, { ...metadata }, params.name));
  }

  /** Name of the IngressClass. */
  get name(): string {
    return this.apiObject.name;
  }
}
