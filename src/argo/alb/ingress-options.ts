/** An Ingress whose traffic an Argo Rollout splits. */
import type { AlbClassSettings, AlbIngressRule } from '../../routers/aws-alb/ingress-options';
import type { AlbLoadBalancerOptions } from '../../routers/aws-alb/load-balancer-options';
import type { ArgoObjectMetadata } from './options';

/** How an Ingress names its controller. */
export class ArgoAlbClass {
  /**
   * By the field `ingressClassName`.
   * @param ingressClass an `AlbIngressClass`, or the name
   */
  static field(ingressClass: string | AlbClassSettings): ArgoAlbClass {
    const settings = typeof ingressClass === 'string' ? { name: ingressClass } : ingressClass;
    return new ArgoAlbClass('field', settings);
  }

  /** By the annotation `kubernetes.io/ingress.class`. Such a class has no IngressClassParams. */
  static annotation(name: string): ArgoAlbClass {
    return new ArgoAlbClass('annotation', { name });
  }

  /** By nothing: the cluster's default class applies. Argo watches such an Ingress only with `--alb-ingress-classes=''`. */
  static none(): ArgoAlbClass {
    return new ArgoAlbClass('none', { name: '' });
  }

  private constructor(
    /** Where the Ingress names the class: in the field, in the annotation, or nowhere. */
    readonly by: 'field' | 'annotation' | 'none',
    /** The class, with what it sets for all of its Ingresses. */
    readonly settings: AlbClassSettings,
  ) {}
}

/**
 * An Ingress whose traffic a Rollout splits. All Ingresses of a Rollout need the same `targetType`, and ping-pong needs `ip`.
 */
export interface ArgoAlbIngressOptions extends AlbLoadBalancerOptions {
  /**
   * Name, labels and further annotations. Set an annotation by its prop if there is one.
   * @default - the name of the Rollout, followed by a number from the second Ingress on
   */
  readonly metadata?: ArgoObjectMetadata;

  /**
   * Hosts and paths.
   * @default - every path of every host leads to the Rollout
   */
  readonly rules?: readonly AlbIngressRule[];

  /**
   * The class of the Ingress, and how the Ingress names it.
   * @default ArgoAlbClass.field('alb')
   */
  readonly ingressClass?: ArgoAlbClass;

  /**
   * The group and the order in it. Ingresses of one group share a load balancer, which evaluates the rules of a lower order
   * first.
   * @default - a load balancer of its own, or the group of the class
   */
  readonly group?: { readonly name?: string; readonly order?: number };
}
