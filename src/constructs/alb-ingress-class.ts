import type { ApiObject, ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { compact } from '../kruise/json';
import { addObject } from './objects';

/** The class of Ingresses on AWS load balancers. */
export interface IAlbIngressClass {
  /** The name that an Ingress names as its class. */
  readonly name: string;
  /** The group that the class puts all of its Ingresses into. */
  readonly group?: string;
  /** What the class makes the targets of all of its Ingresses. */
  readonly targetType?: 'ip' | 'instance';
  /** Where the load balancers of all of its Ingresses can be reached from. */
  readonly scheme?: 'internal' | 'internet-facing';
}

/** Properties of an `AlbIngressClass`. */
export interface AlbIngressClassProps {
  /**
   * Name, labels and annotations of the IngressClass. Its IngressClassParams get the same name and labels.
   * @default - a name made of the construct's path
   */
  readonly metadata?: ApiObjectMetadata;

  /**
   * Puts all Ingresses of the class into one group, and so on one load balancer.
   * @default - each Ingress says so itself
   */
  readonly group?: string;

  /**
   * Where the load balancers can be reached from.
   * @default - each Ingress says so itself
   */
  readonly scheme?: 'internal' | 'internet-facing';

  /**
   * What the targets are: pods, or node ports.
   * @default - each Ingress says so itself
   */
  readonly targetType?: 'ip' | 'instance';

  /**
   * @default 'ipv4'
   */
  readonly ipAddressType?: 'ipv4' | 'dualstack' | 'dualstack-without-public-ipv4';

  /**
   * ARNs of certificates for HTTPS.
   * @default - each Ingress says so itself
   */
  readonly certificates?: readonly string[];

  /**
   * The security policy of HTTPS.
   * @default - each Ingress says so itself
   */
  readonly sslPolicy?: string;

  /**
   * Addresses from which requests are let in.
   * @default - from everywhere
   */
  readonly inboundCidrs?: readonly string[];

  /**
   * Attributes of the load balancers: `idle_timeout.timeout_seconds`.
   * @default - as AWS has them
   */
  readonly loadBalancerAttributes?: { readonly [key: string]: string };

  /**
   * Tags of everything that is made in AWS.
   * @default - none
   */
  readonly tags?: { readonly [key: string]: string };

  /**
   * Labels of the namespaces whose Ingresses may use the class.
   * @default - every namespace
   */
  readonly namespaceSelector?: { readonly [label: string]: string };

  /**
   * Whether Ingresses without a class get this one.
   * @default false
   */
  readonly isDefault?: boolean;
}

/**
 * A class for Ingresses on AWS load balancers, with the parameters (IngressClassParams) that hold for all of them and win
 * over their annotations.
 *
 * @example
 * const ingressClass = new AlbIngressClass(this, 'Class', { group: 'shop', scheme: 'internet-facing', targetType: 'ip' });
 * new AlbCanaryIngress(this, 'Web', { service, ingressClass, mode: AlbCanaryMode.ingress({ order: 10 }) });
 */
export class AlbIngressClass extends Construct implements IAlbIngressClass {
  /**
   * A class that exists in the cluster although this app does not make it, with what its parameters say of all Ingresses.
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
    this.group = props.group;
    this.targetType = props.targetType;
    this.scheme = props.scheme;
    const { metadata = {}, isDefault } = props;
    const params = addObject(this, 'Params', {
      apiVersion: 'elbv2.k8s.aws/v1beta1',
      kind: 'IngressClassParams',
      metadata: compact({ name: metadata.name, labels: metadata.labels }),
      spec: paramsOf(props),
    });
    this.apiObject = addObject(this, 'Resource', {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'IngressClass',
      metadata: {
        ...metadata,
        ...(isDefault === true && { annotations: { ...metadata.annotations, ...DEFAULT_CLASS } }),
      },
      spec: {
        controller: 'ingress.k8s.aws/alb',
        parameters: { apiGroup: 'elbv2.k8s.aws', kind: 'IngressClassParams', name: params.name },
      },
    });
  }

  /** Name of the IngressClass. */
  get name(): string {
    return this.apiObject.name;
  }
}

const DEFAULT_CLASS = { 'ingressclass.kubernetes.io/is-default-class': 'true' };

function paramsOf(props: AlbIngressClassProps): object {
  const { group, namespaceSelector, loadBalancerAttributes, tags } = props;
  return compact({
    namespaceSelector: namespaceSelector && { matchLabels: namespaceSelector },
    group: group === undefined ? undefined : { name: group },
    scheme: props.scheme,
    targetType: props.targetType,
    ipAddressType: props.ipAddressType,
    certificateArn: props.certificates,
    sslPolicy: props.sslPolicy,
    inboundCIDRs: props.inboundCidrs,
    loadBalancerAttributes: loadBalancerAttributes && keyValues(loadBalancerAttributes),
    tags: tags && keyValues(tags),
  });
}

function keyValues(entries: Readonly<Record<string, string>>): object[] {
  return Object.entries(entries).map(([key, value]) => ({ key, value }));
}
