/**
 * Names in Ingresses of load balancers that are called ALB. The controllers of AWS and of Alibaba Cloud share them, and
 * Kruise and Argo write them.
 */

/** The prefix of every annotation that these controllers read. It cannot be configured. */
export const ALB_PREFIX = 'alb.ingress.kubernetes.io';

/** The key of an annotation: `annotationKey('actions.web')` is `alb.ingress.kubernetes.io/actions.web`. */
export function annotationKey(suffix: string): string {
  return `${ALB_PREFIX}/${suffix}`;
}

/** The name of a Service port that makes the controller read the action of that Service from an annotation. */
export const USE_ANNOTATION = 'use-annotation';
