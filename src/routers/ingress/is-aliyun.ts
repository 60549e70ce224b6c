import type { World } from '../../core';
import { nameOfKind, type ObjectKind } from '../kinds';
import type { RouterHints } from '../router';
import { valueIn } from '../values';
import { annotationKey } from './alb-annotations';
import { INGRESS, INGRESS_CLASS } from './kinds';

export const ALB_CONFIG: ObjectKind = {
  kind: 'AlbConfig',
  group: 'alibabacloud.com',
  plural: 'albconfigs',
  clusterScoped: true,
};

/** `spec.controller` of the IngressClasses of Alibaba Cloud's ALB. */
export const ALIYUN_CONTROLLER = 'ingress.k8s.alibabacloud/alb';

/** Annotations that the controller of AWS does not have. */
const ALIYUN_ANNOTATIONS = ['order', 'canary', 'canary-by-header', 'canary-by-cookie', 'canary-weight'].map(
  annotationKey,
);

/** Whether Ingresses of the class `alb` are for Alibaba Cloud. AWS has the same class and the same annotation prefix. */
export function isAliyun(world: World, { classTypes = [] }: RouterHints = {}): boolean {
  return (
    classTypes.includes('aliyun-alb') ||
    world.list(nameOfKind(ALB_CONFIG)).length > 0 ||
    world
      .list(nameOfKind(INGRESS_CLASS))
      .some(({ object }) => valueIn(object, 'spec', 'controller') === ALIYUN_CONTROLLER) ||
    world
      .list(nameOfKind(INGRESS))
      .some(({ annotations }) => ALIYUN_ANNOTATIONS.some((annotation) => annotation in annotations))
  );
}
