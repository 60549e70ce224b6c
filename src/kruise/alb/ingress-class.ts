/** A class for Ingresses on AWS load balancers, as plain data. */

import { compact } from '../../core/json';
import type { PropTable } from '../../core/props';
import { DEFAULT_CLASS_ANNOTATION } from '../../routers/ingress/class';
import type { ObjectMeta } from '../api';

/** Options of an ingress class and its parameters. */
export interface AlbIngressClassOptions {
  /**
   * The group of all Ingresses of the class, which then share one load balancer.
   * @default - each Ingress sets its own
   */
  readonly group?: string;

  /**
   * Whether the load balancers can be reached from the internet.
   * @default - each Ingress sets its own
   */
  readonly scheme?: 'internal' | 'internet-facing';

  /**
   * The targets of the load balancers: pods, or node ports.
   * @default - each Ingress sets its own
   */
  readonly targetType?: 'ip' | 'instance';

  /**
   * The type of the addresses of the load balancers.
   * @default 'ipv4'
   */
  readonly ipAddressType?: 'ipv4' | 'dualstack' | 'dualstack-without-public-ipv4';

  /**
   * ARNs of certificates for HTTPS.
   * @default - each Ingress sets its own
   */
  readonly certificates?: readonly string[];

  /**
   * The security policy of HTTPS.
   * @default - each Ingress sets its own
   */
  readonly sslPolicy?: string;

  /**
   * Source addresses that may send requests.
   * @default - all addresses
   */
  readonly inboundCidrs?: readonly string[];

  /**
   * Attributes of the load balancers: `idle_timeout.timeout_seconds`.
   * @default - the defaults of AWS
   */
  readonly loadBalancerAttributes?: { readonly [key: string]: string };

  /**
   * Tags of all AWS resources of the load balancers.
   * @default - none
   */
  readonly tags?: { readonly [key: string]: string };

  /**
   * Labels of the namespaces whose Ingresses may use the class.
   * @default - every namespace
   */
  readonly namespaceSelector?: { readonly [label: string]: string };

  /**
   * Whether this is the class of Ingresses that name none.
   * @default false
   */
  readonly isDefault?: boolean;
}

/** The same at run time. */
export const ALB_INGRESS_CLASS_PROPS: PropTable<AlbIngressClassOptions> = {
  group: true,
  scheme: true,
  targetType: true,
  ipAddressType: true,
  certificates: true,
  sslPolicy: true,
  inboundCidrs: true,
  loadBalancerAttributes: true,
  tags: true,
  namespaceSelector: true,
  isDefault: true,
};

/** An object of the class; its metadata has only what the caller gives. */
export interface AlbIngressClassManifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Partial<ObjectMeta>;
  readonly spec: object;
}

/** The IngressClassParams, which apply to all Ingresses of the class and win over their annotations. */
export function albIngressClassParams(
  options: AlbIngressClassOptions,
  { name, labels }: Partial<ObjectMeta> = {},
): AlbIngressClassManifest {
  return {
    apiVersion: 'elbv2.k8s.aws/v1beta1',
    kind: 'IngressClassParams',
    metadata: compact({ name, labels }),
    spec: paramsOf(options),
  };
}

/** The IngressClass, which refers to the parameters by name. */
export function albIngressClass(
  { isDefault }: AlbIngressClassOptions,
  metadata: Partial<ObjectMeta>,
  paramsName: string,
): AlbIngressClassManifest {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    metadata: {
      ...metadata,
      ...(isDefault === true && { annotations: { ...metadata.annotations, ...DEFAULT_CLASS } }),
    },
    spec: {
      controller: 'ingress.k8s.aws/alb',
      parameters: { apiGroup: 'elbv2.k8s.aws', kind: 'IngressClassParams', name: paramsName },
    },
  };
}

const DEFAULT_CLASS = { [DEFAULT_CLASS_ANNOTATION]: 'true' };

function paramsOf(props: AlbIngressClassOptions): object {
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
