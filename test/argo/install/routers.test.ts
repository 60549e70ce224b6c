import { expect, test } from 'vitest';
import { TRAFFIC_ROUTERS, upstreamRouterRules } from '../../../src/argo/install/router-rules';

/** What upstream's manifests grant for each router: groups, resources and verbs. */
const GRANTED: Readonly<Record<string, readonly string[]>> = {
  ambassador: ['getambassador.io,x.getambassador.io: ambassadormappings,mappings: create,delete,get,list,update,watch'],
  apisix: ['apisix.apache.org: apisixroutes: get,update,watch'],
  appMesh: [
    'appmesh.k8s.aws: virtualservices: get,list,watch',
    'appmesh.k8s.aws: virtualnodes,virtualrouters: get,list,patch,update,watch',
  ],
  contour: ['projectcontour.io: httpproxies: get,list,update,watch'],
  gatewayApi: [
    'gateway.networking.k8s.io: grpcroutes,httproutes,tcproutes,tlsroutes,udproutes: get,list,update,watch',
    ': configmaps: create,get,update',
  ],
  glooPlatform: ['networking.gloo.solo.io: routetables: get,list,patch,update,watch'],
  istio: ['networking.istio.io: destinationrules,virtualservices: get,list,patch,update,watch'],
  nginx: ['networking.k8s.io: ingresses: create,patch'],
  smi: ['split.smi-spec.io: trafficsplits: create,get,patch,update,watch'],
  traefik: ['traefik.containo.us,traefik.io: traefikservices: get,update,watch'],
};

test.each(Object.entries(GRANTED))('upstream grants for %s', (router, granted) => {
  const rules = upstreamRouterRules({ trafficRouters: [router, router] as never, aws: {} });
  const texts = rules.map(({ apiGroups, resources, verbs }) => [apiGroups, resources, verbs].join(': '));
  expect(texts).toEqual(granted);
  expect(TRAFFIC_ROUTERS).toEqual(['alb', ...Object.keys(GRANTED)].sort());
});
