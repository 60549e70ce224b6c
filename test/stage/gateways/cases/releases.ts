/** Stacks of Kruise Rollouts behind the gateways of the stage. */
import type { KubernetesObject } from '../../cluster/api';
import { HOST, type ROUTES } from '../../labs/kruise/routes';
import { type StackOptions, type Style, stackOf } from '../../labs/kruise/stack';
import { istioGateway } from './values';

/** A stack for a namespace and a host of its own. */
export interface ReleaseStack {
  readonly name: string;
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
  istio: [{ route: 'istio', steps: HEADERS }],
  'istio-gw': [{ route: 'gateway-api', steps: HEADERS }],
  traefik: [
    { route: 'traefik', steps: ALL },
    { route: 'traefik-service', steps: [] },
  ],
  'traefik-gw': [{ route: 'gateway-api', steps: HEADERS }],
};

const STYLES: readonly Style[] = ['canary', 'partition', 'blueGreen'];

/** The stacks that are played on a gateway: each style with weights, and each kind of match. */
export function releaseStacks(gateway: string): ReleaseStack[] {
  return (BEHIND[gateway] ?? []).flatMap(({ route, steps }) => [
    ...STYLES.map((style) => stack(`${route}-${style.toLowerCase()}`, gateway, { route, style })),
    ...steps.map((name) => stack(`${route}-${name}`, gateway, { route, style: 'canary', steps: STEPS[name]! })),
  ]);
}

function stack(name: string, gateway: string, options: StackOptions): ReleaseStack {
  return {
    name,
    objects(namespace, host) {
      const text = JSON.stringify(stackOf(options)).replaceAll(HOST, host);
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
  const className = gateway === 'istio-gw' ? 'istio' : 'traefik';
  // Istio takes a Gateway with the address of a Service only beside this Service.
  const home = className === 'istio' ? 'istio-system' : object.metadata.namespace;
  const parent = { name: object.metadata.namespace, namespace: home };
  if (object.kind === 'HTTPRoute') return [{ ...object, spec: { ...object.spec, parentRefs: [parent] } }];
  if (object.kind !== 'Gateway') return [object];
  const address = { type: 'Hostname', value: 'istio-ingressgateway.istio-system.svc.cluster.local' };
  const listener = { name: 'http', port: 80, protocol: 'HTTP', allowedRoutes: { namespaces: { from: 'All' } } };
  const addresses = className === 'istio' ? { addresses: [address] } : {};
  return [{ ...object, metadata: parent, spec: { gatewayClassName: className, ...addresses, listeners: [listener] } }];
}
