/** An Ingress on an AWS load balancer that Kruise Rollouts can give a canary, as plain data. */

import { type DurationLike, secondsOf } from '../../core/duration';
import { compact } from '../../core/json';
import type { PropTable } from '../../core/props';
import type {
  AlbClassSettings,
  AlbIngressPath,
  AlbIngressRule,
  ServiceReference,
} from '../../routers/aws-alb/ingress-options';
import {
  loadBalancerAnnotations,
  type MaybeAnnotations,
  prefixed,
  redirectPortOf,
  text,
} from '../../routers/aws-alb/load-balancer-annotations';
import type { AlbListenPort, AlbLoadBalancerOptions } from '../../routers/aws-alb/load-balancer-options';
import { annotationKey, USE_ANNOTATION } from '../../routers/ingress/alb-annotations';
import type { ObjectMeta, TrafficRoutingRef } from '../api';
import { ALB_CLASS_ANNOTATION, AWS_CLASS_TYPE, CANARY_GROUP_ORDER_ANNOTATION } from './annotations';
import { AlbCanaryMode } from './canary-mode';

/** Options of an Ingress whose releases get a canary. */
export interface AlbCanaryIngressOptions extends AlbLoadBalancerOptions {
  /**
   * The stable Service, whose releases get a canary. Every path of the Ingress without a `backend` leads to it through the
   * action `actions.<service>`.
   */
  readonly service: ServiceReference;

  /**
   * Hosts and paths.
   * @default - every path of every host leads to the Service
   */
  readonly rules?: readonly AlbIngressRule[];

  /**
   * How a canary gets its share of the traffic.
   * @default AlbCanaryMode.customNetworkRefs()
   */
  readonly mode?: AlbCanaryMode;

  /**
   * How long a client stays with its first version, from 1 second to 7 days. The scripts keep the setting for the canary, so
   * that clients do not switch versions with every request.
   * @default - no stickiness
   */
  readonly stickiness?: number | DurationLike;
}

/** The same at run time. */
export const ALB_CANARY_INGRESS_PROPS: PropTable<AlbCanaryIngressOptions> = {
  service: true,
  rules: true,
  mode: true,
  targetType: true,
  scheme: true,
  listenPorts: true,
  certificates: true,
  sslPolicy: true,
  sslRedirect: true,
  healthCheck: true,
  wafAclArn: true,
  stickiness: true,
  auth: true,
};

/** An Ingress; its metadata has only what the caller gives. */
export interface IngressManifest {
  readonly apiVersion: 'networking.k8s.io/v1';
  readonly kind: 'Ingress';
  readonly metadata: Partial<ObjectMeta>;
  readonly spec: {
    readonly ingressClassName: string;
    readonly rules: readonly object[];
  };
}

/** The class that the Helm chart of the load balancer controller installs. */
const DEFAULT_ALB_CLASS: AlbClassSettings = { name: 'alb' };

/**
 * The Ingress. Throws if options contradict each other.
 * @example albCanaryIngress({ service: { name: 'web', port: 80 } }, { name: 'web', namespace: 'shop' })
 */
export function albCanaryIngress(
  options: AlbCanaryIngressOptions,
  metadata: Partial<ObjectMeta> = {},
  albClass: AlbClassSettings = DEFAULT_ALB_CLASS,
): IngressManifest {
  const { service, rules = [{}] } = options;
  if (service.name === '') throw new Error('service has no name');
  if (rules.length === 0) throw new Error('rules is empty: leave it out to send everything to the service');
  const annotations = withoutUndefined({
    ...groupAnnotations(options.mode ?? AlbCanaryMode.customNetworkRefs(), albClass),
    ...settings(options, albClass),
    ...actionAnnotations(options, rules),
  });
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { ...metadata, annotations: merged(annotations, metadata.annotations ?? {}) },
    spec: { ingressClassName: albClass.name, rules: rules.map((rule) => ruleOf(rule, service)) },
  };
}

/** Seconds that the controller waits for an AWS load balancer to apply a change. */
const GRACE_PERIOD_SECONDS = 30;

/** The `trafficRouting` of a Rollout that uses the Ingress. */
export function albTrafficRouting(
  { service, mode = AlbCanaryMode.customNetworkRefs() }: AlbCanaryIngressOptions,
  ingressName: string,
  gracePeriodSeconds: number = GRACE_PERIOD_SECONDS,
): TrafficRoutingRef {
  const common = { service: service.name, gracePeriodSeconds };
  if (mode.kind === 'ingress') return { ...common, ingress: { name: ingressName, classType: AWS_CLASS_TYPE } };
  return {
    ...common,
    customNetworkRefs: [{ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', name: ingressName }],
  };
}

function groupAnnotations(mode: AlbCanaryMode, albClass: AlbClassSettings): MaybeAnnotations {
  const group = mode.group ?? albClass.group;
  if (mode.group !== undefined && albClass.group !== undefined && mode.group !== albClass.group) {
    throw new Error(
      `group is "${mode.group}", but the ingress class "${albClass.name}" puts all of its Ingresses into the group "${albClass.group}"`,
    );
  }
  if (mode.kind === 'ingress' && group === undefined) {
    throw new Error('a canary Ingress without a group gets its own load balancer: give group');
  }
  const isOwnClass = mode.kind === 'customNetworkRefs' && albClass.name !== DEFAULT_ALB_CLASS.name;
  return {
    [annotationKey('group.name')]: group,
    [annotationKey('group.order')]: text(mode.order),
    [CANARY_GROUP_ORDER_ANNOTATION]: text(mode.canaryOrder),
    [ALB_CLASS_ANNOTATION]: isOwnClass ? albClass.name : undefined,
  };
}

function settings(options: AlbCanaryIngressOptions, albClass: AlbClassSettings): MaybeAnnotations {
  checkListenPorts(options.listenPorts);
  return prefixed({
    'target-type':
      chosen('targetType', options.targetType, albClass.targetType, albClass) ??
      (albClass.targetType === undefined ? 'ip' : undefined),
    scheme: chosen('scheme', options.scheme, albClass.scheme, albClass),
    ...loadBalancerAnnotations(withRedirect(options)),
  });
}

/** The IngressClassParams always win, so a different value would be ignored. */
function chosen<T extends string>(
  prop: string,
  own: T | undefined,
  ofClass: T | undefined,
  { name }: AlbClassSettings,
): T | undefined {
  if (own !== undefined && ofClass !== undefined && own !== ofClass) {
    throw new Error(
      `${prop} is "${own}", but the ingress class "${name}" sets it to "${ofClass}", which wins: leave ${prop} out`,
    );
  }
  return own;
}

function checkListenPorts(listenPorts: readonly AlbListenPort[] | undefined): void {
  if (listenPorts === undefined) return;
  if (listenPorts.length === 0) throw new Error('listenPorts is empty: leave it out, or name a port');
  const ports = listenPorts.map(({ port }) => port);
  const repeated = ports.find((port, index) => ports.indexOf(port) < index);
  if (repeated !== undefined) throw new Error(`listenPorts has the port ${repeated} twice`);
}

function withRedirect(options: AlbCanaryIngressOptions): AlbCanaryIngressOptions {
  if (options.sslRedirect !== true || redirectPortOf(options) !== undefined) return options;
  throw new Error('sslRedirect needs an HTTPS port to lead to: add AlbListenPort.https() to listenPorts');
}

const MAX_STICKINESS = 604_800;

function actionAnnotations(
  { service, stickiness }: AlbCanaryIngressOptions,
  rules: readonly AlbIngressRule[],
): MaybeAnnotations {
  const stable = {
    type: 'forward',
    forwardConfig: {
      targetGroups: [{ serviceName: service.name, servicePort: service.port }],
      targetGroupStickinessConfig:
        stickiness === undefined ? undefined : { enabled: true, durationSeconds: stickySeconds(stickiness) },
    },
  };
  const actions = new Map<string, string>([[service.name, JSON.stringify(stable)]]);
  for (const { backend } of rules.flatMap(({ paths = [] }) => paths)) {
    if (backend === undefined) continue;
    if (backend.name === service.name) {
      throw new Error(
        `backend is the service "${service.name}", which gets the canary: leave backend out, or give the action another name`,
      );
    }
    if (backend.action === undefined) continue;
    const action = JSON.stringify(backend.action);
    const other = actions.get(backend.name);
    if (other !== undefined && other !== action) throw new Error(`two different actions are called "${backend.name}"`);
    actions.set(backend.name, action);
  }
  return prefixed(Object.fromEntries([...actions].map(([name, action]) => [`actions.${name}`, action])));
}

function stickySeconds(stickiness: number | DurationLike): number {
  const duration = secondsOf(stickiness);
  if (Number.isInteger(duration) && duration >= 1 && duration <= MAX_STICKINESS) return duration;
  throw new Error(`stickiness is ${duration} seconds: give 1 to ${MAX_STICKINESS} (7 days)`);
}

function ruleOf({ host, paths = [{ path: '/' }] }: AlbIngressRule, service: ServiceReference): object {
  if (paths.length === 0)
    throw new Error(`paths of the host "${host ?? '*'}" is empty: leave it out to send everything to the service`);
  return compact({ host, http: { paths: paths.map((path) => pathOf(path, service)) } });
}

function pathOf({ path, pathType = 'Prefix', backend }: AlbIngressPath, service: ServiceReference): object {
  if (!path.startsWith('/')) throw new Error(`path is "${path}": it must start with a slash`);
  const { name, port } = backend ?? { name: service.name, port: { name: USE_ANNOTATION } };
  return { path, pathType, backend: { service: { name, port } } };
}

function merged(own: Readonly<Record<string, string>>, given: Readonly<Record<string, string>>) {
  const both = Object.keys(given).find((key) => own[key] !== undefined && own[key] !== given[key]);
  if (both !== undefined) {
    throw new Error(
      `the annotation ${both} belongs to the construct: set the prop for it, and remove it from metadata`,
    );
  }
  return { ...own, ...given };
}

function withoutUndefined(annotations: MaybeAnnotations): Readonly<Record<string, string>> {
  return compact(annotations) as Readonly<Record<string, string>>;
}
