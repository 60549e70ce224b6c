import type { Manifest, World } from '../../core';
import { ownValue } from '../../core/json';
import { nameOfKind } from '../kinds';
import { textOf } from '../values';
import type { Ingress } from './ingress';
import { INGRESS_CLASS } from './kinds';

/** Which Ingresses a controller serves. */
export interface IngressClassOptions {
  /**
   * The class that Ingresses name.
   * @default - the class of the controller's default installation
   */
  readonly ingressClass?: string;
  /**
   * Whether the controller serves Ingresses without a class.
   * @default false
   */
  readonly withoutClass?: boolean;
}

/** A controller and the names that IngressClasses have for it. */
export interface IngressController {
  /** `spec.controller` of its IngressClasses. */
  readonly controllers: readonly string[];
  /** The class of its default installation. */
  readonly className: string;
}

/** The annotation by which an Ingress names its class; it wins over the field `ingressClassName`. */
export const CLASS_ANNOTATION = 'kubernetes.io/ingress.class';

/** The annotation that makes an IngressClass the default. */
export const DEFAULT_CLASS_ANNOTATION = 'ingressclass.kubernetes.io/is-default-class';

/**
 * Whether a controller serves an Ingress. The annotation wins over the field. A class that is not in the World belongs
 * to the controller if it has the name of the controller's default class.
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
  const declared = world.find(nameOfKind(INGRESS_CLASS), name);
  if (declared === undefined) return name === known;
  return controllers.includes(textOf(ownValue(ownValue(declared.object, 'spec'), 'controller')) ?? '');
}

/** The class that an Ingress itself names. */
export function namedClassOf(ingress: Manifest): string | undefined {
  return ingress.annotations[CLASS_ANNOTATION] ?? textOf(ingress.get(['spec', 'ingressClassName']));
}

/** The class of an Ingress, which may be the default class; undefined if it has none. */
export function classNameOf(world: World, ingress: Manifest): string | undefined {
  return namedClassOf(ingress) ?? defaultClassName(world);
}

/** The class that Kubernetes gives to Ingresses without one; undefined if two classes are the default. */
export function defaultClassName(world: World): string | undefined {
  const defaults = world
    .list(nameOfKind(INGRESS_CLASS))
    .filter(({ annotations }) => annotations[DEFAULT_CLASS_ANNOTATION] === 'true');
  return defaults.length === 1 ? defaults[0]!.name : undefined;
}
