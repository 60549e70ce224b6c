import type { PolicyRule } from '../../kubernetes/api';
import type { ArgoTrafficRouter } from './options';
import type { Settings } from './settings';

const DEFAULT_TARGET_GROUP_BINDING = 'elbv2.k8s.aws/v1beta1';

type OtherRouter = Exclude<ArgoTrafficRouter, 'alb'>;

/** The permissions that the code of each traffic router uses, in addition to reading Ingresses. */
const RULES: { readonly [router in OtherRouter]: readonly PolicyRule[] } = {
  ambassador: [
    {
      apiGroups: ['getambassador.io', 'x.getambassador.io'],
      resources: ['ambassadormappings', 'mappings'],
      verbs: ['create', 'delete', 'get', 'update'],
    },
  ],
  // Header routes are ApisixRoutes of their own.
  apisix: [
    { apiGroups: ['apisix.apache.org'], resources: ['apisixroutes'], verbs: ['create', 'delete', 'get', 'update'] },
  ],
  appMesh: [
    { apiGroups: ['appmesh.k8s.aws'], resources: ['virtualservices'], verbs: ['get'] },
    { apiGroups: ['appmesh.k8s.aws'], resources: ['virtualnodes', 'virtualrouters'], verbs: ['get', 'update'] },
  ],
  contour: [
    { apiGroups: ['projectcontour.io'], resources: ['httpproxies'], verbs: ['get', 'list', 'update', 'watch'] },
  ],
  gatewayApi: [
    {
      apiGroups: ['gateway.networking.k8s.io'],
      resources: ['grpcroutes', 'httproutes', 'tcproutes', 'tlsroutes', 'udproutes'],
      verbs: ['get', 'list', 'update', 'watch'],
    },
    // The plugin stores its header routes in a ConfigMap, in a namespace that the Rollout sets.
    { apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'get', 'update'] },
  ],
  glooPlatform: [
    {
      apiGroups: ['networking.gloo.solo.io'],
      resources: ['routetables'],
      verbs: ['get', 'list', 'patch', 'update', 'watch'],
    },
  ],
  istio: [
    {
      apiGroups: ['networking.istio.io'],
      resources: ['destinationrules', 'virtualservices'],
      verbs: ['get', 'list', 'update', 'watch'],
    },
  ],
  // The nginx router creates a canary Ingress.
  nginx: [{ apiGroups: ['networking.k8s.io'], resources: ['ingresses'], verbs: ['create', 'patch'] }],
  smi: [{ apiGroups: ['split.smi-spec.io'], resources: ['trafficsplits'], verbs: ['create', 'get', 'patch'] }],
  traefik: [
    { apiGroups: ['traefik.containo.us', 'traefik.io'], resources: ['traefikservices'], verbs: ['get', 'update'] },
  ],
};

/** What upstream's manifests grant for routers, where that is other verbs. */
const UPSTREAM: { readonly [router in OtherRouter]?: readonly PolicyRule[] } = {
  ambassador: [
    {
      apiGroups: ['getambassador.io', 'x.getambassador.io'],
      resources: ['ambassadormappings', 'mappings'],
      verbs: ['create', 'delete', 'get', 'list', 'update', 'watch'],
    },
  ],
  apisix: [{ apiGroups: ['apisix.apache.org'], resources: ['apisixroutes'], verbs: ['get', 'update', 'watch'] }],
  appMesh: [
    { apiGroups: ['appmesh.k8s.aws'], resources: ['virtualservices'], verbs: ['get', 'list', 'watch'] },
    {
      apiGroups: ['appmesh.k8s.aws'],
      resources: ['virtualnodes', 'virtualrouters'],
      verbs: ['get', 'list', 'patch', 'update', 'watch'],
    },
  ],
  istio: [
    {
      apiGroups: ['networking.istio.io'],
      resources: ['destinationrules', 'virtualservices'],
      verbs: ['get', 'list', 'patch', 'update', 'watch'],
    },
  ],
  smi: [
    {
      apiGroups: ['split.smi-spec.io'],
      resources: ['trafficsplits'],
      verbs: ['create', 'get', 'patch', 'update', 'watch'],
    },
  ],
  traefik: [
    {
      apiGroups: ['traefik.containo.us', 'traefik.io'],
      resources: ['traefikservices'],
      verbs: ['get', 'update', 'watch'],
    },
  ],
};

/** All traffic routers. */
export const TRAFFIC_ROUTERS: readonly string[] = ['alb', ...Object.keys(RULES)].sort();

type RouterSettings = Pick<Settings, 'trafficRouters' | 'aws'>;

/** The permissions for the traffic routers of an install. */
export function routerRules(settings: RouterSettings): PolicyRule[] {
  return rulesOf(settings, RULES);
}

/** What upstream's manifests grant for these routers. */
export function upstreamRouterRules(settings: RouterSettings): PolicyRule[] {
  return rulesOf(settings, { ...RULES, ...UPSTREAM });
}

function rulesOf({ trafficRouters, aws }: RouterSettings, rules: typeof RULES): PolicyRule[] {
  return [...new Set(trafficRouters)].sort().flatMap((router) => (router === 'alb' ? albRules(aws) : rules[router]));
}

function albRules(aws: Settings['aws']): PolicyRule[] {
  const verified = aws.verifyTargetGroup === true;
  const [group = ''] = (aws.targetGroupBindingApiVersion ?? DEFAULT_TARGET_GROUP_BINDING).split('/');
  return [
    // Weights are patches; the reset after a deletion updates the whole Ingress.
    { apiGroups: ['networking.k8s.io'], resources: ['ingresses'], verbs: ['patch', 'update'] },
    ...(verified
      ? [
          { apiGroups: [''], resources: ['endpoints'], verbs: ['get'] },
          { apiGroups: [group], resources: ['targetgroupbindings'], verbs: ['get', 'list'] },
        ]
      : []),
  ];
}
