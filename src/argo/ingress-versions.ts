import type { Json, JsonObject } from '../core/json';
import { asList, asObject, asText, isSet } from '../core/json';

/** The API version of Ingresses before v1, which Kubernetes 1.22 removed. */
export const OLD_INGRESS_API = 'networking.k8s.io/v1beta1';

/** An Ingress as the API server returns it in v1; backends have other fields in v1beta1. */
export function currentIngress(ingress: JsonObject): JsonObject {
  if (ingress.apiVersion !== OLD_INGRESS_API) return ingress;
  const spec = asObject(ingress.spec);
  if (!isSet(spec.rules)) return ingress;
  return { ...ingress, spec: { ...spec, rules: asList(spec.rules).map(currentRule) } };
}

function currentRule(rule: Json): JsonObject {
  const { http, ...rest } = asObject(rule);
  if (!isSet(http)) return rest;
  return { ...rest, http: { ...asObject(http), paths: asList(asObject(http).paths).map(currentPath) } };
}

function currentPath(path: Json): JsonObject {
  const { backend, pathType, ...rest } = asObject(path);
  const { serviceName, servicePort, ...others } = asObject(backend);
  const port: JsonObject = typeof servicePort === 'number' ? { number: servicePort } : { name: asText(servicePort) };
  return {
    ...rest,
    pathType: pathType ?? 'ImplementationSpecific',
    backend: { ...others, ...(isSet(serviceName) && { service: { name: serviceName, port } }) },
  };
}
