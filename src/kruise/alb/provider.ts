/** Finds the cloud of an Ingress: two clouds share the class name `alb` and the prefix of the annotations. */

import { asText } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import type { World } from '../../core/world';
import { annotationKey } from '../../routers/ingress/alb-annotations';
import { namedClassOf } from '../../routers/ingress/class';
import { INGRESS, INGRESS_CLASS } from '../../routers/ingress/kinds';
import { nameOfKind } from '../../routers/kinds';
import type { RouteSubject } from '../subject';
import {
  ALB_CLASS_ANNOTATION,
  ALIYUN_CLASS_TYPE,
  AWS_CLASS_TYPE,
  CANARY_GROUP_ORDER_ANNOTATION,
  CANARY_ORDER_ANNOTATION,
} from './annotations';

/** A cloud whose load balancers are called ALB. */
export type AlbProvider = 'aws' | 'aliyun';

const CONTROLLERS: Readonly<Record<string, AlbProvider>> = {
  'ingress.k8s.aws/alb': 'aws',
  'ingress.k8s.alibabacloud/alb': 'aliyun',
};

const CLASS_TYPES: Readonly<Record<string, AlbProvider>> = { [AWS_CLASS_TYPE]: 'aws', [ALIYUN_CLASS_TYPE]: 'aliyun' };

const ALIYUN_ONLY = [
  'order',
  'canary',
  'canary-by-header',
  'canary-by-header-value',
  'canary-by-cookie',
  'canary-weight',
];
const AWS_ONLY = ['group.name', 'group.order', 'target-type', 'scheme', 'certificate-arn', 'subnets'];

/** The cloud that the Ingress and its class state; undefined if they state none. */
export function statedProvider(world: World, ingress: Manifest): AlbProvider | undefined {
  const className = namedClassOf(ingress);
  const ingressClass = className === undefined ? undefined : world.find(nameOfKind(INGRESS_CLASS), className);
  // If the class is known, it decides.
  if (ingressClass !== undefined) return CONTROLLERS[asText(ingressClass.get('spec.controller'))];
  const has = (key: string) => ingress.annotations[key] !== undefined;
  if (has(CANARY_ORDER_ANNOTATION) || ALIYUN_ONLY.some((key) => has(annotationKey(key)))) return 'aliyun';
  const isAws =
    has(CANARY_GROUP_ORDER_ANNOTATION) || has(ALB_CLASS_ANNOTATION) || AWS_ONLY.some((key) => has(annotationKey(key)));
  return isAws ? 'aws' : undefined;
}

/** The cloud of a class type; undefined for other class types. */
export function providerOfClassType(classType: string): AlbProvider | undefined {
  return Object.hasOwn(CLASS_TYPES, classType) ? CLASS_TYPES[classType] : undefined;
}

/** The cloud of an Ingress; undefined if another controller serves it. */
export function providerOf(world: World, ingress: Manifest, routes: readonly RouteSubject[]): AlbProvider | undefined {
  const own = statedProvider(world, ingress);
  if (own !== undefined) return own;
  const className = namedClassOf(ingress);
  if (className === undefined || world.find(nameOfKind(INGRESS_CLASS), className) !== undefined) return undefined;
  const byRoute = providerOfRoutes(world, ingress, routes);
  if (byRoute !== undefined) return byRoute;
  // A class belongs to one controller: what one of its Ingresses states applies to the others.
  return world.memo(providersOfClasses, routes).get(className) ?? (className === 'alb' ? 'aws' : undefined);
}

/** The cloud that the first Ingress of each class states, itself or by its routes. */
function providersOfClasses(world: World, routes: readonly RouteSubject[]): ReadonlyMap<string, AlbProvider> {
  const providers = new Map<string, AlbProvider>();
  for (const ingress of world.list(nameOfKind(INGRESS))) {
    const className = namedClassOf(ingress);
    if (className === undefined || providers.has(className)) continue;
    const provider = statedProvider(world, ingress) ?? providerOfRoutes(world, ingress, routes);
    if (provider !== undefined) providers.set(className, provider);
  }
  return providers;
}

/** The cloud that the class types of the routes of an Ingress state. */
function providerOfRoutes(world: World, ingress: Manifest, routes: readonly RouteSubject[]): AlbProvider | undefined {
  return world.memo(providersOfRoutes, routes).get(keyOf(world.namespaceOf(ingress), ingress.name));
}

/** The cloud that the first route of each Ingress with a class type of a cloud states. */
function providersOfRoutes(_: World, routes: readonly RouteSubject[]): ReadonlyMap<string, AlbProvider> {
  const providers = new Map<string, AlbProvider>();
  for (const { namespace, ingress } of routes) {
    if (ingress === undefined) continue;
    const provider = providerOfClassType(ingress.classType);
    const key = keyOf(namespace, ingress.name);
    if (provider !== undefined && !providers.has(key)) providers.set(key, provider);
  }
  return providers;
}

const keyOf = (namespace: string, name: string): string => `${namespace}/${name}`;
