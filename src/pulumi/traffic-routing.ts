import type { Input } from '@pulumi/pulumi';
import type { TrafficRoutingOptions } from '../kruise/references';
import type { NameInput, ObjectInput, References } from './references';

/** Where the traffic of a Service is split. */
export interface TrafficRoutingArgs extends Pick<TrafficRoutingOptions, 'gracePeriodSeconds'> {
  /** The Service whose traffic is split: the stable one. The controller makes the canary Service of it. */
  readonly service: NameInput;

  /**
   * The Ingress that routes to the Service. The controller clones it for the canary.
   * @default - no Ingress
   */
  readonly ingress?: NameInput | { readonly name: Input<string>; readonly classType?: string };

  /**
   * Which script writes the annotations of the cloned Ingress: `nginx`, `higress`, `mse`, `aliyun-alb`, or one of the
   * ConfigMap of scripts. It has nothing to do with the `ingressClassName`.
   * @default - that of `ingress`, or 'nginx'
   */
  readonly classType?: string;

  /**
   * The HTTPRoute that routes to the Service.
   * @default - no HTTPRoute
   */
  readonly gateway?: NameInput | { readonly httpRouteName: Input<string> };

  /**
   * Objects that a script of their kind rewrites in place: VirtualServices, ApisixRoutes, an Ingress.
   * @default - none
   */
  readonly customNetworkRefs?: readonly ObjectInput[];
}

/** What the functions that describe manifests take, with Outputs for names. */
export function trafficRoutingOf(args: TrafficRoutingArgs, references: References): object {
  const { service, ingress, gateway, customNetworkRefs, ...rest } = args;
  return {
    ...rest,
    service: references.name(service),
    ...(ingress === undefined ? {} : { ingress: ingressOf(ingress, references) }),
    ...(gateway === undefined ? {} : { gateway: gatewayOf(gateway, references) }),
    ...(customNetworkRefs === undefined
      ? {}
      : { customNetworkRefs: customNetworkRefs.map((reference) => references.object(reference)) }),
  };
}

function ingressOf(ingress: NonNullable<TrafficRoutingArgs['ingress']>, references: References) {
  const name = references.name(ingress as NameInput);
  const classType = isObject(ingress) && 'classType' in ingress ? ingress.classType : undefined;
  return classType === undefined || !isObject(name) || !('name' in name) ? name : { ...name, classType };
}

function gatewayOf(gateway: NonNullable<TrafficRoutingArgs['gateway']>, references: References) {
  return isObject(gateway) && 'httpRouteName' in gateway ? gateway : references.name(gateway as NameInput);
}

/** An object with entries of its own; an Output answers to every key. */
function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !('__pulumiOutput' in value) && !('__pulumiResource' in value);
}
