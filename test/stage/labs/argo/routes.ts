/** One route per router of Argo Rollouts, to the stable Service at shop.example.com, and how a canary names it. */
import type { KubernetesObject } from '../../cluster/api';

/** What sends requests to the Services, and the fields of `strategy.canary` for it. */
export interface Route {
  /** The names of Services that are created, besides those of the strategy. */
  readonly services?: readonly string[];
  readonly objects: readonly KubernetesObject[];
  readonly canary: KubernetesObject;
}

const TWO_SERVICES = { stableService: 'shop-stable', canaryService: 'shop-canary' };
const PREFIX = 'alb.ingress.kubernetes.io';

interface IngressOptions {
  readonly name?: string;
  readonly annotations?: KubernetesObject;
  /** The host of a second rule, which leads to the canary Service. */
  readonly canaryHost?: string;
}

/** An Ingress of an ALB whose first rule leads to an action. */
export function albIngress(service: string, options: IngressOptions = {}): KubernetesObject {
  const { annotations = { [`${PREFIX}/scheme`]: 'internet-facing', [`${PREFIX}/target-type`]: 'ip' } } = options;
  return ingress('alb', options.name ?? 'shop', annotations, [
    rule('shop.example.com', service, { name: 'use-annotation' }),
    ...(options.canaryHost ? [rule(options.canaryHost, 'shop-canary', { number: 80 })] : []),
  ]);
}

/** An Ingress with one rule per host. */
export function ingress(
  ingressClassName: string,
  name: string,
  annotations: KubernetesObject | undefined,
  rules: readonly KubernetesObject[],
): KubernetesObject {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name, ...(annotations && { annotations }) },
    spec: { ingressClassName, rules },
  };
}

export function rule(host: string, name: string, port: KubernetesObject): KubernetesObject {
  return { host, http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name, port } } }] } };
}

function alb(fields: KubernetesObject, objects: readonly KubernetesObject[], services?: readonly string[]): Route {
  return {
    ...(services && { services }),
    objects,
    canary: { ...TWO_SERVICES, trafficRouting: { alb: { servicePort: 80, ...fields } } },
  };
}

function istio(
  spec: KubernetesObject,
  fields: KubernetesObject,
  more: readonly KubernetesObject[] = [],
): KubernetesObject {
  const virtualService = {
    apiVersion: 'networking.istio.io/v1',
    kind: 'VirtualService',
    metadata: { name: 'shop' },
    spec: { hosts: ['shop.example.com'], gateways: ['shop'], ...spec },
  };
  const routing = { istio: { virtualService: { name: 'shop', routes: ['primary'] }, ...fields } };
  return { objects: [virtualService, ...more], trafficRouting: routing };
}

const DESTINATION_RULE: KubernetesObject = {
  apiVersion: 'networking.istio.io/v1',
  kind: 'DestinationRule',
  metadata: { name: 'shop' },
  spec: {
    host: 'shop',
    subsets: [
      { name: 'stable', labels: { app: 'shop' } },
      { name: 'canary', labels: { app: 'shop' } },
    ],
  },
};

const primary = (...destinations: readonly KubernetesObject[]) => ({
  http: [
    {
      name: 'primary',
      route: destinations.map((destination, index) => ({ destination, weight: index === 0 ? 100 : 0 })),
    },
  ],
});

const both = [
  { destination: { host: 'shop-stable' }, weight: 100 },
  { destination: { host: 'shop-canary' }, weight: 0 },
];

/** Routes for HTTP, TLS and TCP in one VirtualService. A Rollout has to name one of several for TLS, and for TCP. */
const STREAMS = istio(
  {
    ...primary({ host: 'shop-stable' }, { host: 'shop-canary' }),
    tls: [443, 8443].map((port) => ({ match: [{ port, sniHosts: ['shop.example.com'] }], route: both })),
    tcp: [3306, 5432].map((port) => ({ match: [{ port }], route: both })),
  },
  {},
);

/** The second of the routes for TLS, and the second for TCP. */
const NAMED_STREAMS = {
  istio: {
    virtualService: {
      name: 'shop',
      routes: ['primary'],
      tlsRoutes: [{ port: 8443, sniHosts: ['shop.example.com'] }],
      tcpRoutes: [{ port: 5432 }],
    },
  },
};

const PING_PONG = istio(primary({ host: 'shop-ping' }, { host: 'shop-pong' }), {});

const HOSTS = istio(primary({ host: 'shop-stable' }, { host: 'shop-canary' }), {});
const SUBSETS = istio(
  primary({ host: 'shop', subset: 'stable' }, { host: 'shop', subset: 'canary' }),
  { destinationRule: { name: 'shop', stableSubsetName: 'stable', canarySubsetName: 'canary' } },
  [DESTINATION_RULE],
);

/** The routes by name. */
export const ROUTES = {
  alb: alb({ ingress: 'shop' }, [albIngress('shop-stable')]),
  'alb-canary-host': alb({ ingress: 'shop' }, [albIngress('shop-stable', { canaryHost: 'canary.example.com' })]),
  'alb-root': alb({ ingress: 'shop', rootService: 'shop-root' }, [albIngress('shop-root')], ['shop-root']),
  'alb-sticky': alb({ ingress: 'shop', stickinessConfig: { enabled: true, durationSeconds: 60 } }, [
    albIngress('shop-stable'),
  ]),
  'alb-prefix': alb({ ingress: 'shop', annotationPrefix: 'alb.example.com' }, [
    albIngress('shop-stable', { annotations: { 'alb.example.com/scheme': 'internal' } }),
  ]),
  'alb-two-ingresses': alb({ ingresses: ['shop', 'shop-internal'] }, [
    albIngress('shop-stable'),
    albIngress('shop-stable', { name: 'shop-internal', annotations: { [`${PREFIX}/scheme`]: 'internal' } }),
  ]),
  'alb-ping-pong': {
    services: ['shop-root', 'shop-ping', 'shop-pong'],
    objects: [albIngress('shop-root')],
    canary: {
      pingPong: { pingService: 'shop-ping', pongService: 'shop-pong' },
      trafficRouting: { alb: { ingress: 'shop', servicePort: 80, rootService: 'shop-root' } },
    },
  },
  nginx: {
    objects: [ingress('nginx', 'shop', undefined, [rule('shop.example.com', 'shop-stable', { number: 80 })])],
    canary: { ...TWO_SERVICES, trafficRouting: { nginx: { stableIngress: 'shop' } } },
  },
  istio: { objects: HOSTS.objects, canary: { ...TWO_SERVICES, trafficRouting: HOSTS.trafficRouting } },
  'istio-named-streams': { objects: STREAMS.objects, canary: { ...TWO_SERVICES, trafficRouting: NAMED_STREAMS } },
  'istio-ping-pong': {
    services: ['shop-ping', 'shop-pong'],
    objects: PING_PONG.objects,
    canary: {
      pingPong: { pingService: 'shop-ping', pongService: 'shop-pong' },
      trafficRouting: PING_PONG.trafficRouting,
    },
  },
  'istio-subsets': {
    services: ['shop'],
    objects: SUBSETS.objects,
    canary: { trafficRouting: SUBSETS.trafficRouting },
  },
  // The Rollout does not name the only route, which has a name.
  'istio-unnamed': {
    objects: HOSTS.objects,
    canary: { ...TWO_SERVICES, trafficRouting: { istio: { virtualService: { name: 'shop' } } } },
  },
  services: { objects: [], canary: TWO_SERVICES },
  none: { services: ['shop'], objects: [], canary: {} },
} satisfies Readonly<Record<string, Route>>;
