/** Builds the annotations of an Ingress. */

import { compact } from '../../core/json';
import { actionsOf } from '../../routers/aws-alb/ingress-options';
import {
  loadBalancerAnnotations,
  type MaybeAnnotations,
  prefixed,
  text,
} from '../../routers/aws-alb/load-balancer-annotations';
import { CLASS_ANNOTATION } from '../../routers/ingress/class';
import type { ArgoAlbIngressOptions } from './ingress-options';
import type { PlannedIngress } from './plan';

/** Annotations by their keys. */
export type Annotations = Readonly<Record<string, string>>;

/** The annotations for the props of an Ingress. */
export function settingsOf({ options, ingressClass, targetType }: PlannedIngress): Annotations {
  const { group = {} } = options;
  const { by, settings } = ingressClass;
  return compact({
    [CLASS_ANNOTATION]: by === 'annotation' ? settings.name : undefined,
    ...prefixed({
      'target-type': targetType,
      scheme: options.scheme,
      'group.name': group.name ?? settings.group,
      'group.order': text(group.order),
      ...loadBalancerAnnotations(options),
      ...otherActions(options),
    }),
  }) as Annotations;
}

function otherActions({ rules }: ArgoAlbIngressOptions): MaybeAnnotations {
  return Object.fromEntries(actionsOf(rules).map(([name, action]) => [`actions.${name}`, JSON.stringify(action)]));
}
