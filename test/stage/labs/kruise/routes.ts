/** One route per router of the library, to the Service `shop` at shop.example.com, and how a Rollout names it. */
import type { KubernetesObject } from '../../cluster/api';

/** What sends requests to the Service, and the `trafficRoutings` entry for it. */
export interface Route {
  readonly objects: readonly KubernetesObject[];
  /** The entry of `trafficRoutings`, without the Service. */
  readonly routing: KubernetesObject;
  /** The first minor release of Kruise Rollouts, times ten, that can use it. */
  readonly since: number;
}

/** The host of every route. */
export const HOST = 'shop.example.com';

function ingress(
  classType: string,
  className: string,
  annotations: KubernetesObject,
  since = 3,
  port: KubernetesObject = { name: 'http' },
): Route {
  return {
    objects: [ingressObject(className, annotations, port)],
    routing: { ingress: { name: 'shop', classType } },
    since,
  };
}

function ingressObject(
  ingressClassName: string,
  annotations: KubernetesObject | undefined,
  port: KubernetesObject,
): KubernetesObject {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'shop', ...(annotations && { annotations }) },
    spec: {
      ingressClassName,
      rules: [
        {
          host: HOST,
          http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'shop', port } } }] },
        },
      ],
    },
  };
}

/** Objects that a script rewrites in place. */
function custom(...objects: readonly KubernetesObject[]): Route {
  return {
    objects,
    routing: { customNetworkRefs: objects.map(({ apiVersion, kind }) => ({ apiVersion, kind, name: 'shop' })) },
    since: 5,
  };
}

function object(
  apiVersion: string,
  kind: string,
  spec: KubernetesObject,
  rest: KubernetesObject = {},
): KubernetesObject {
  return { apiVersion, kind, metadata: { name: 'shop' }, ...rest, spec };
}

const FORWARD = JSON.stringify({
  type: 'forward',
  forwardConfig: { targetGroups: [{ serviceName: 'shop', servicePort: 80 }] },
});

const ALB = {
  'alb.ingress.kubernetes.io/scheme': 'internet-facing',
  'alb.ingress.kubernetes.io/target-type': 'ip',
  'alb.ingress.kubernetes.io/actions.shop': FORWARD,
};

const VIRTUAL_SERVICE = object('networking.istio.io/v1', 'VirtualService', {
  hosts: ['shop'],
  http: [{ route: [{ destination: { host: 'shop' } }] }],
});

const TRAEFIK_SERVICE = object('traefik.io/v1alpha1', 'TraefikService', {
  weighted: { services: [{ name: 'shop', port: 80 }] },
});

function ingressRoute(service: KubernetesObject): KubernetesObject {
  return object('traefik.io/v1alpha1', 'IngressRoute', {
    entryPoints: ['web'],
    routes: [{ kind: 'Rule', match: `Host(\`${HOST}\`)`, services: [service] }],
  });
}

/** The routes by name. */
export const ROUTES = {
  nginx: ingress('nginx', 'nginx', { 'nginx.ingress.kubernetes.io/proxy-body-size': '8m' }),
  higress: ingress('higress', 'higress', { 'higress.io/timeout': '5' }),
  mse: ingress('mse', 'mse', { 'mse.ingress.kubernetes.io/timeout': '5' }, 4),
  'aliyun-alb': ingress('aliyun-alb', 'alb', { 'alb.ingress.kubernetes.io/order': '10' }),
  'aws-alb': ingress(
    'aws-alb',
    'alb',
    {
      ...ALB,
      'alb.ingress.kubernetes.io/group.name': 'shop',
      'alb.ingress.kubernetes.io/group.order': '10',
      'rollout-constructs.io/canary-group-order': '9',
    },
    3,
    { name: 'use-annotation' },
  ),
  'alb-in-place': custom(ingressObject('alb', ALB, { name: 'use-annotation' })),
  istio: custom(VIRTUAL_SERVICE),
  'istio-subsets': custom(
    VIRTUAL_SERVICE,
    object('networking.istio.io/v1', 'DestinationRule', {
      host: 'shop',
      subsets: [{ name: 'base', labels: { version: 'base' } }],
    }),
  ),
  contour: custom(
    object('projectcontour.io/v1', 'HTTPProxy', {
      virtualhost: { fqdn: HOST },
      routes: [{ services: [{ name: 'shop', port: 80 }] }],
    }),
  ),
  traefik: custom(ingressRoute({ name: 'shop', port: 80 })),
  'traefik-service': {
    ...custom(TRAEFIK_SERVICE),
    objects: [TRAEFIK_SERVICE, ingressRoute({ kind: 'TraefikService', name: 'shop' })],
  },
  apisix: custom(
    object('apisix.apache.org/v2', 'ApisixRoute', {
      ingressClassName: 'apisix',
      http: [
        { name: 'site', match: { hosts: [HOST], paths: ['/*'] }, backends: [{ serviceName: 'shop', servicePort: 80 }] },
      ],
    }),
  ),
  'kuma-http': custom(
    object('kuma.io/v1alpha1', 'MeshHTTPRoute', {
      targetRef: { kind: 'Mesh' },
      to: [
        {
          targetRef: { kind: 'MeshService', name: 'shop' },
          rules: [
            {
              matches: [{ path: { type: 'PathPrefix', value: '/' } }],
              default: { backendRefs: [{ kind: 'MeshService', name: 'shop', port: 80, weight: 1 }] },
            },
          ],
        },
      ],
    }),
  ),
  'gateway-api': {
    objects: [
      object('gateway.networking.k8s.io/v1', 'Gateway', {
        gatewayClassName: 'example',
        listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }],
      }),
      object('gateway.networking.k8s.io/v1', 'HTTPRoute', {
        parentRefs: [{ name: 'shop' }],
        hostnames: [HOST],
        rules: [{ backendRefs: [{ name: 'shop', port: 80 }] }],
      }),
    ],
    routing: { gateway: { httpRouteName: 'shop' } },
    since: 3,
  },
} satisfies Readonly<Record<string, Route>>;
