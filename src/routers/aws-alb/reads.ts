import type { Manifest, World } from '../../core';
import { ALB_INGRESS } from '../ingress/alb-reads';
import { namedClassOf } from '../ingress/class';
import { INGRESS_CLASS } from '../ingress/kinds';
import { nameOfKind, type RouteKind } from '../kinds';
import { textOf, valueIn } from '../values';
import { textAnnotation } from './annotations';
import { INGRESS_CLASS_PARAMS } from './kinds';

/** Ingresses of AWS: those of one IngressGroup share a load balancer. */
export const AWS_ALB_INGRESS: RouteKind = {
  ...ALB_INGRESS,
  loadBalancerOf: (manifest, world) =>
    textAnnotation(manifest.annotations, 'group.name') ?? groupOfClass(manifest, world),
};

function groupOfClass(manifest: Manifest, world: World): string | undefined {
  const className = namedClassOf(manifest);
  const ingressClass = className === undefined ? undefined : world.find(nameOfKind(INGRESS_CLASS), className);
  const reference = textOf(valueIn(ingressClass?.object, 'spec', 'parameters', 'name'));
  const params = reference === undefined ? undefined : world.find(nameOfKind(INGRESS_CLASS_PARAMS), reference);
  return textOf(valueIn(params?.object, 'spec', 'group', 'name'));
}
