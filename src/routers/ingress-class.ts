import type { World } from '../core';
import { ownValue } from '../core';
import type { Ingress } from './aws-alb/ingress';
import { textOf } from './values';

/** Which Ingresses a controller serves. */
export interface IngressClassOptions {
  /**
   * The class that Ingresses name.
   * @default - the one that the controller's installation makes
   */
  readonly ingressClass?: string;
  /**
   * Ingresses without any class are served as well.
   * @default false
   */
  readonly withoutClass?: boolean;
}

/** A controller, as IngressClasses name it. */
export interface IngressController {
  /** `spec.controller` of its IngressClasses. */
  readonly controllers: readonly string[];
  /** The class that its installation makes. */
  readonly className: string;
}

const CLASS_ANNOTATION = 'kubernetes.io/ingress.class';
const DEFAULT_CLASS_ANNOTATION = 'ingressclass.kubernetes.io/is-default-class';
const INGRESS_CLASS = 'IngressClass.networking.k8s.io';

/**
 * Whether a controller serves an Ingress. The annotation beats the field; a class that the World does not declare is the
 * controller's when it has the name that its installation gives it.
 */
export function servesIngress(
  world: World,
  ingress: Ingress,
  { controllers, className }: IngressController,
  options: IngressClassOptions = {},
): boolean {
  const known = options.ingressClass ?? className;
  if (ingress.annotations[CLASS_ANNOTATION] !== undefined) return ingress.annotations[CLASS_ANNOTATION] === known;
  const name = ingress.className ?? defaultClassName(world);
  if (name === undefined) return options.withoutClass ?? false;
  const declared = world.find(INGRESS_CLASS, name);
  if (declared === undefined) return name === known;
  return controllers.includes(textOf(ownValue(ownValue(declared.object, 'spec'), 'controller')) ?? '');
}

/** The class of an Ingress; undefined when it has none. */
export function classNameOf(world: World, ingress: Ingress): string | undefined {
  return ingress.annotations[CLASS_ANNOTATION] ?? ingress.className ?? defaultClassName(world);
}

/** Kubernetes gives this class to Ingresses without one; two default classes are none. */
function defaultClassName(world: World): string | undefined {
  const defaults = world
    .list(INGRESS_CLASS)
    .filter(({ annotations }) => annotations[DEFAULT_CLASS_ANNOTATION] === 'true');
  return defaults.length === 1 ? defaults[0]!.name : undefined;
}
