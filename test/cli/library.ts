/** A small library of scripts for tests of the command line: an ingress script and a custom one, with testdata. */

export const NGINX_LUA = `local annotations = obj.annotations or {}
annotations["example.com/weight"] = obj.weight
return annotations
`;

export const ROUTE_LUA = `local data = obj.data
if obj.canaryWeight > 90 then
  error("cannot send everything")
end
data.spec.weight = obj.canaryWeight
return data
`;

export const NGINX_CASE = `rollout:
  apiVersion: rollouts.kruise.io/v1beta1
  kind: Rollout
  metadata: {name: web}
  spec:
    strategy:
      canary:
        steps:
          - traffic: 20%
          - traffic: 100%
        trafficRoutings:
          - service: web
            ingress: {name: web, classType: nginx}
original:
  apiVersion: networking.k8s.io/v1
  kind: Ingress
  metadata: {name: web}
  spec:
    rules:
      - http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}
expected:
  - metadata: {annotations: {example.com/weight: "0"}}
  - metadata: {annotations: {example.com/weight: "20"}}
  - metadata: {annotations: {example.com/weight: "100"}}
`;

export const ROUTE_CASE = `# Half of it.
rollout:
  apiVersion: rollouts.kruise.io/v1beta1
  kind: Rollout
  metadata: {name: web}
  spec:
    strategy:
      canary:
        steps:
          - traffic: 50%
        trafficRoutings:
          - service: web
            customNetworkRefs: [{apiVersion: example.com/v1, kind: Route, name: web}]
original:
  apiVersion: example.com/v1
  kind: Route
  metadata: {name: web}
  spec: {host: a}
expected:
  - spec:
      host: a
      weight: 50 # percent
`;

/** The files of the library, with others put in, or taken away where the text is empty. */
export function library(change: Readonly<Record<string, string>> = {}): Record<string, string> {
  const files = {
    'trafficrouting_ingress/nginx.lua': NGINX_LUA,
    'trafficrouting_ingress/testdata/nginx/weight.yaml': NGINX_CASE,
    'example.com/Route/trafficRouting.lua': ROUTE_LUA,
    'example.com/Route/testdata/half.yaml': ROUTE_CASE,
    ...change,
  };
  return Object.fromEntries(
    Object.entries(files)
      .filter(([, text]) => text !== '')
      .map(([name, text]) => [`lua_configuration/${name}`, text]),
  );
}

export const CASE = 'lua_configuration/example.com/Route/testdata/half.yaml';
export const SCRIPT = 'lua_configuration/example.com/Route/trafficRouting.lua';
