/** An Ingress on an ALB of Alibaba Cloud whose releases get a canary from Kruise Rollouts, as plain data. */

import { compact } from '../../core/json';
import type { PropTable } from '../../core/props';
import type { ServiceReference } from '../../routers/aws-alb/ingress-options';
import { annotationKey } from '../../routers/ingress/alb-annotations';
import type { ObjectMeta, TrafficRoutingRef } from '../api';
import type { AliyunOrder } from './aliyun-order';
import { ALIYUN_CLASS_TYPE, CANARY_ORDER_ANNOTATION } from './annotations';
import type { IngressManifest } from './canary-ingress';

/** A host and its paths. */
export interface AliyunAlbIngressRule {
  /**
   * The host name.
   * @default - any host
   */
  readonly host?: string;
  /**
   * The paths.
   * @default - all paths lead to the released Service
   */
  readonly paths?: readonly AliyunAlbIngressPath[];
}

/** A path and its backend. */
export interface AliyunAlbIngressPath {
  /** The path, which starts with a slash. */
  readonly path: string;
  /**
   * How the path is compared.
   * @default 'Prefix'
   */
  readonly pathType?: 'Exact' | 'Prefix';
  /**
   * The Service that the path leads to.
   * @default - the released Service
   */
  readonly service?: ServiceReference;
}

/** Options of an Ingress on an ALB of Alibaba Cloud. */
export interface AliyunAlbCanaryIngressOptions {
  /** The Service whose releases get a canary. */
  readonly service: ServiceReference;

  /**
   * Hosts and paths.
   * @default - every path of every host leads to the Service
   */
  readonly rules?: readonly AliyunAlbIngressRule[];

  /**
   * The class of the Ingress.
   * @default 'alb'
   */
  readonly ingressClassName?: string;
}

/** The same at run time. */
export const ALIYUN_ALB_CANARY_INGRESS_PROPS: PropTable<AliyunAlbCanaryIngressOptions> = {
  service: true,
  rules: true,
  ingressClassName: true,
};

/** The annotations that hold orders. */
export const ALIYUN_ORDER_ANNOTATIONS: readonly string[] = [annotationKey('order'), CANARY_ORDER_ANNOTATION];

/** The annotations that hold the orders of a stable Ingress and of its canary Ingress. */
export function aliyunOrderAnnotations({ stable, canary }: AliyunOrder): Readonly<Record<string, string>> {
  return { [annotationKey('order')]: String(stable), [CANARY_ORDER_ANNOTATION]: String(canary) };
}

/** The Ingress without its orders, which depend on the other Ingresses of the ALB. */
export function aliyunAlbCanaryIngress(
  { service, rules = [{}], ingressClassName = 'alb' }: AliyunAlbCanaryIngressOptions,
  metadata: Partial<ObjectMeta> = {},
): IngressManifest {
  if (service.name === '') throw new Error('service has no name');
  if (rules.length === 0) throw new Error('rules is empty: leave it out to send everything to the service');
  const written = [annotationKey('order'), CANARY_ORDER_ANNOTATION].find(
    (key) => metadata.annotations?.[key] !== undefined,
  );
  if (written !== undefined) throw new Error(`the annotation ${written} belongs to the construct: set the prop order`);
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata,
    spec: { ingressClassName, rules: rules.map((rule) => ruleOf(rule, service)) },
  };
}

/** Seconds that the controller waits for the load balancer to apply a change. */
const GRACE_PERIOD_SECONDS = 30;

/** The `trafficRouting` of a Rollout that uses the Ingress. */
export function aliyunAlbTrafficRouting(
  service: ServiceReference,
  ingressName: string,
  gracePeriodSeconds: number = GRACE_PERIOD_SECONDS,
): TrafficRoutingRef {
  return { service: service.name, gracePeriodSeconds, ingress: { name: ingressName, classType: ALIYUN_CLASS_TYPE } };
}

const MAX_ORDER = 1000;

/** A pair from a user. Throws if it cannot work. */
export function checkedAliyunOrder({ stable, canary }: AliyunOrder): AliyunOrder {
  for (const [name, value] of [
    ['order.stable', stable],
    ['order.canary', canary],
  ] as const) {
    if (Number.isInteger(value) && value >= 1 && value <= MAX_ORDER) continue;
    throw new Error(`${name} is ${value}: give an integer from 1 to ${MAX_ORDER}`);
  }
  if (canary < stable) return { stable, canary };
  throw new Error(
    `order.canary is ${canary} and order.stable is ${stable}: the smaller order is evaluated first, so the canary needs the smaller one`,
  );
}

function ruleOf({ host, paths = [{ path: '/' }] }: AliyunAlbIngressRule, released: ServiceReference): object {
  if (paths.length === 0)
    throw new Error(`paths of the host "${host ?? '*'}" is empty: leave it out to send everything to the service`);
  return compact({ host, http: { paths: paths.map((path) => pathOf(path, released)) } });
}

function pathOf({ path, pathType = 'Prefix', service }: AliyunAlbIngressPath, released: ServiceReference): object {
  if (!path.startsWith('/')) throw new Error(`path is "${path}": it must start with a slash`);
  const { name, port } = service ?? released;
  return {
    path,
    pathType,
    backend: { service: { name, port: typeof port === 'number' ? { number: port } : { name: port } } },
  };
}
