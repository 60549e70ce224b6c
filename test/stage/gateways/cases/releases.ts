/** Stacks of Kruise Rollouts and Argo Rollouts behind the gateways of the stage. */
import type { KubernetesObject } from '../../cluster/api';
import * as argo from '../../labs/argo/stack';
import { HOST, type ROUTES } from '../../labs/kruise/routes';
import { type StackOptions, type Style, stackOf } from '../../labs/kruise/stack';
import { HTTP_ROUTES } from './http-route';
import { istioGateway } from './values';

/** A stack for a namespace and a host of its own. */
export interface ReleaseStack {
  readonly name: string;
  readonly controller: 'kruise' | 'argo';
  /** The stories that leave the straight road are played where the routes follow the weights alone. */
  readonly hasManyStories: boolean;
  objects(namespace: string, host: string): readonly KubernetesObject[];
}

const PAUSE = { pause: {} };
const header = (type: string, value: string) => ({ headers: [{ type, name: 'x-user', value }] });
const first = (...matches: readonly KubernetesObject[]) => [
  { matches, replicas: '25%', ...PAUSE },
  { traffic: '50%', replicas: '50%', ...PAUSE },
  { traffic: '100%', replicas: '100%', ...PAUSE },
];

/** What the steps of a stack match. */
const STEPS: Readonly<Record<string, readonly KubernetesObject[]>> = {
  header: first(header('Exact', '42')),
  expression: first(header('RegularExpression', '4[0-9]+')),
  'two-headers': first({
    headers: [...header('Exact', '42').headers, { type: 'Exact', name: 'x-beta', value: 'true' }],
  }),
  'two-matches': first(header('Exact', '42'), header('Exact', '43')),
  path: first({ path: { type: 'Exact', value: '/cart' } }),
  prefix: first({ path: { type: 'PathPrefix', value: '/cart' } }),
  parameter: first({ queryParams: [{ type: 'Exact', name: 'v', value: '2' }] }),
  'path-and-header': first({ path: { type: 'Exact', value: '/cart' }, ...header('Exact', '42') }),
};

interface Behind {
  readonly route: keyof typeof ROUTES;
  /** Conditions that its script knows. */
  readonly steps: readonly (keyof typeof STEPS)[];
}

const HEADERS = ['header', 'expression', 'two-headers', 'two-matches'];
const ALL = Object.keys(STEPS);

const BEHIND: Readonly<Record<string, readonly Behind[]>> = {
  contour: [{ route: 'contour', steps: ALL }],
  'envoy-gw': [{ route: 'gateway-api', steps: HEADERS }],
  istio: [{ route: 'istio', steps: HEADERS }],
  'istio-gw': [{ route: 'gateway-api', steps: HEADERS }],
  traefik: [
    { route: 'traefik', steps: ALL },
    { route: 'traefik-service', steps: [] },
  ],
  'traefik-gw': [{ route: 'gateway-api', steps: HEADERS }],
};

const STYLES: readonly Style[] = ['canary', 'partition', 'blueGreen'];

const HEADER_ROUTE = {
  steps: [
    { setCanaryScale: { weight: 25 } },
    { setHeaderRoute: { name: 'beta', match: [{ headerName: 'x-user', headerValue: { exact: '42' } }] } },
    { pause: {} },
    { setWeight: 50 },
    { pause: {} },
    { setHeaderRoute: { name: 'beta' } },
  ],
  routing: { managedRoutes: [{ name: 'beta' }] },
};

/** Argo Rollouts writes routes of Istio; what it writes for others has no gateway on the stage. */
const OF_ARGO: Readonly<Record<string, Readonly<Record<string, argo.StackOptions>>>> = {
  istio: {
    'argo-weights': { route: 'istio' },
    'argo-ping-pong': { route: 'istio-ping-pong' },
    'argo-header': { route: 'istio', ...HEADER_ROUTE },
  },
};

/** The stacks that are played on a gateway: each style with weights, and each kind of match. */
export function releaseStacks(gateway: string): ReleaseStack[] {
  const ofKruise = (BEHIND[gateway] ?? []).flatMap(({ route, steps }) => [
    ...STYLES.map((style) => kruiseStack(`${route}-${style.toLowerCase()}`, gateway, { route, style })),
    ...steps.map((name) => kruiseStack(`${route}-${name}`, gateway, { route, style: 'canary', steps: STEPS[name]! })),
  ]);
  const ofArgo = Object.entries(OF_ARGO[gateway] ?? {}).map(([name, options]) =>
    stack({ name, controller: 'argo', hasManyStories: true }, gateway, argo.stackOf(options)),
  );
  return [...ofKruise, ...ofArgo];
}

function kruiseStack(name: string, gateway: string, options: StackOptions): ReleaseStack {
  const hasManyStories = options.steps === undefined;
  return stack({ name, controller: 'kruise', hasManyStories }, gateway, stackOf(options));
}

function stack(what: Omit<ReleaseStack, 'objects'>, gateway: string, all: readonly KubernetesObject[]): ReleaseStack {
  return {
    ...what,
    objects(namespace, host) {
      const text = JSON.stringify(all).replaceAll(HOST, host);
      const objects: KubernetesObject[] = JSON.parse(text);
      return objects.flatMap((object) =>
        behind(gateway, { ...object, metadata: { ...object.metadata, namespace } }, host),
      );
    },
  };
}

/** A route of a lab as the gateway of the stage takes it: at its ingress. */
function behind(gateway: string, object: KubernetesObject, host: string): KubernetesObject[] {
  if (object.kind === 'VirtualService') {
    const { name, namespace } = object.metadata;
    return [
      istioGateway(name, namespace, [host]),
      { ...object, spec: { ...object.spec, hosts: [host], gateways: [name] } },
    ];
  }
  const className = HTTP_ROUTES[gateway]?.className ?? '';
  // Istio takes a Gateway with the address of a Service only beside this Service.
  const home = className === 'istio' ? 'istio-system' : object.metadata.namespace;
  const parent = { name: object.metadata.namespace, namespace: home };
  if (object.kind === 'HTTPRoute') return [{ ...object, spec: { ...object.spec, parentRefs: [parent] } }];
  if (object.kind !== 'Gateway') return [object];
  const address = { type: 'Hostname', value: 'istio-ingressgateway.istio-system.svc.cluster.local' };
  const listener = { name: 'http', port: 80, protocol: 'HTTP', allowedRoutes: { namespaces: { from: 'All' } } };
  const addresses = className === 'istio' ? { addresses: [address] } : {};
  // All Gateways of Envoy Gateway share an Envoy on the stage, where each listener needs a host of its own.
  const listeners = [{ ...listener, ...(className === 'eg' && { hostname: host }) }];
  return [{ ...object, metadata: parent, spec: { gatewayClassName: className, ...addresses, listeners } }];
}
