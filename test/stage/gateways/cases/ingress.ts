/** Ingresses of ingress-nginx and of Traefik. */
import fc from 'fast-check';
import type { KubernetesObject } from '../../cluster/api';
import { NAMESPACE } from '../backends';
import type { GatewayCase } from '../gateway';
import { PATHS, type RoutesOf, routesFor } from './values';

type Annotations = Readonly<Record<string, string>>;

/** What makes paths expressions. */
const EXPRESSIONS = {
  nginx: { 'nginx.ingress.kubernetes.io/use-regex': 'true' },
  traefik: { 'traefik.ingress.kubernetes.io/router.pathmatcher': 'PathRegexp' },
} as const satisfies Record<string, Annotations>;

/** The class of an Ingress. */
type ClassName = keyof typeof EXPRESSIONS;

const PATTERNS = ['/a/.*', '/a', '/[a-z]+', '/cart/[a-z]+$', '/(a|b)/[0-9]*', '/.*/pay', '/A/b'] as const;

const backend = fc.constantFrom('s1', 's2', 's3').map((name) => ({ service: { name, port: { number: 80 } } }));
const pathType = fc.constantFrom('Prefix', 'Prefix', 'Exact', 'ImplementationSpecific');
/** No two paths that make the same location: with `/a` beside `/a/` nginx refuses its configuration. */
const pathsOf = (values: readonly string[], types: fc.Arbitrary<string>) =>
  fc.uniqueArray(fc.record({ path: fc.constantFrom(...values), pathType: types, backend }), {
    minLength: 1,
    maxLength: 4,
    selector: ({ path }) => path.toLowerCase().replace(/\/$/, ''),
  });
const drawn = fc.oneof(
  { weight: 3, arbitrary: pathsOf(PATHS, pathType).map((paths) => ({ paths, areExpressions: false })) },
  pathsOf([...PATHS, ...PATTERNS], fc.constant('ImplementationSpecific')).map((paths) => ({
    paths,
    areExpressions: true,
  })),
);

/** An Ingress for a host, and one for its wildcard. */
export const ingressesOf =
  (className: ClassName): RoutesOf =>
  (host, name) =>
    fc.record({ own: drawn, wild: drawn }).map(({ own, wild }) => {
      const made = (suffix: string, of: string, { paths, areExpressions }: Drawn) =>
        ingress(className, `${name}${suffix}`, of, paths, areExpressions ? EXPRESSIONS[className] : {});
      return routesFor(host, [made('', host, own), made('-wild', `*.${host}`, wild)]);
    });

interface Drawn {
  readonly paths: readonly KubernetesObject[];
  readonly areExpressions: boolean;
}

function ingress(
  className: ClassName,
  name: string,
  host: string,
  paths: readonly KubernetesObject[],
  annotations: Annotations = {},
): KubernetesObject {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name, namespace: NAMESPACE, annotations },
    spec: { ingressClassName: className, rules: [{ host, http: { paths } }] },
  };
}

const to = (path: string, type: string, name: string) => ({
  path,
  pathType: type,
  backend: { service: { name, port: { number: 80 } } },
});

/** How a controller reads a path and a host. */
export function ingressCases(className: ClassName, gateway: string): GatewayCase[] {
  const paths = [
    to('/exact', 'Exact', 's1'),
    to('/pre', 'Prefix', 's2'),
    to('/ends/', 'Prefix', 's1'),
    to('/with/slash/', 'Exact', 's3'),
    to('/own', 'ImplementationSpecific', 's3'),
  ];
  const patterns = [to('/re/[0-9]+', 'ImplementationSpecific', 's1'), to('/pre', 'ImplementationSpecific', 's2')];
  const asked =
    `/exact /exact/ //exact /exact?x=1 /exact;x=1 /%65xact /x/../exact /./exact /x/..%2fexact /x/%2e%2e/exact /EXACT /with/slash/
    /with/slash /with//slash/ /pre /pre/ /prefix /pre//x //pre /pre%2Fx /pre%2fx /pre%5Cx /pre/x%20y /PRE /ends /ends/ /ends/x /endsx /a%20b /a+b
    /own /own/x /owner /re/12 /re/12/x /re/a /x/re/1 /RE/7 /re%2F1 / /..`.split(/\s+/);
  const hosts = `HOST/pre x.HOST/pre x.y.HOST/pre HOST./pre x.HOST./pre X.HOST/pre HOST:80/pre a_b.HOST/pre a-b.HOST/pre nothing.test/pre`;
  return (
    [
      ['paths', paths, {}],
      ['patterns', patterns, EXPRESSIONS[className]],
    ] as const
  ).map(([name, rules, annotations]) => {
    const named = `${gateway}-${name}`;
    const host = `${named}.test`;
    const objects = [
      ingress(className, named, host, rules, annotations),
      ingress(className, `${named}-wild`, `*.${host}`, [to('/pre', 'Prefix', 's3')]),
    ];
    const requests = [
      ...asked.map((path) => `${host}${path}`),
      ...hosts.split(' ').map((one) => one.replaceAll('HOST', host)),
    ];
    return { case: named, gateway, objects, requests: requests.map((one) => `GET http://${one}`) };
  });
}

/** What Traefik reads of Ingresses beside hosts and paths. */
export function traefikIngressCases(gateway: string): GatewayCase[] {
  const router = (name: string) => `traefik.ingress.kubernetes.io/router.${name}`;
  const prefix = (path: string, name: string) => to(path, 'ImplementationSpecific', name);
  const withBackend = (object: KubernetesObject, name: string) => {
    const { rules: _rules, ...spec } = object.spec as KubernetesObject;
    return { ...object, spec: { ...spec, defaultBackend: { service: { name, port: { number: 80 } } } } };
  };
  const middleware = (name: string, spec: object): KubernetesObject => ({
    apiVersion: 'traefik.io/v1alpha1',
    kind: 'Middleware',
    metadata: { name, namespace: NAMESPACE },
    spec,
  });
  const annotated = (name: string, annotations: Annotations): readonly [string, KubernetesObject[]] => {
    const host = `${gateway}-${name}.test`;
    return [
      name,
      [
        ingress('traefik', `${gateway}-${name}`, host, [prefix('/a', 's1'), prefix('/a/b', 's2')], annotations),
        ingress('traefik', `${gateway}-${name}-all`, host, [prefix('/', 's3')], { [router('priority')]: '1' }),
      ],
    ];
  };
  const cases: readonly (readonly [string, readonly KubernetesObject[]])[] = [
    annotated('none', {}),
    [
      'priority',
      [
        ingress('traefik', `${gateway}-low`, `${gateway}-priority.test`, [prefix('/a/b', 's1')]),
        ingress('traefik', `${gateway}-high`, `${gateway}-priority.test`, [prefix('/a', 's2')], {
          [router('priority')]: '500',
        }),
      ],
    ],
    annotated('bad-priority', { [router('priority')]: 'high' }),
    annotated('unknown', { [router('weight')]: '5' }),
    annotated('any-case', { [router('PathMatcher')]: 'Path' }),
    annotated('path', { [router('pathmatcher')]: 'Path' }),
    annotated('bad-matcher', { [router('pathmatcher')]: 'Header' }),
    annotated('entry-point', { [router('entrypoints')]: 'other' }),
    annotated('tls', { [router('tls')]: 'true' }),
    annotated('no-tls', { [router('tls')]: 'false' }),
    annotated('v2', { [router('rulesyntax')]: 'v2' }),
    annotated('bare-middleware', { [router('middlewares')]: 'to-https' }),
    [
      'missing-middleware',
      [
        middleware('unused', { redirectScheme: { scheme: 'https' } }),
        ...annotated('missing-middleware', { [router('middlewares')]: `${NAMESPACE}-absent@kubernetescrd` })[1],
      ],
    ],
    [
      'redirects',
      [
        middleware('to-https', { redirectScheme: { scheme: 'https', permanent: true } }),
        ...annotated('redirects', { [router('middlewares')]: `${NAMESPACE}-to-https@kubernetescrd` })[1],
      ],
    ],
    [
      'twice',
      [ingress('traefik', `${gateway}-twice`, `${gateway}-twice.test`, [prefix('/a', 's1'), prefix('/a', 's2')])],
    ],
    [
      'backends',
      [
        ingress('traefik', `${gateway}-backends`, `${gateway}-backends.test`, [
          prefix('/', 's3'),
          prefix('/a', 'missing'),
          prefix('/a/b', 'empty'),
          { ...prefix('/cart', 's1'), backend: { service: { name: 's1', port: { number: 81 } } } },
          { ...prefix('/ab', 's1'), backend: { service: { name: 's1', port: { name: 'http' } } } },
          { ...prefix('', 's2') },
        ]),
      ],
    ],
    [
      'default',
      [
        withBackend(ingress('traefik', `${gateway}-default`, '', []), 's2'),
        {
          ...ingress('traefik', `${gateway}-both`, '', []),
          spec: {
            ingressClassName: 'traefik',
            defaultBackend: { service: { name: 's1', port: { number: 80 } } },
            rules: [{ host: `${gateway}-default.test`, http: { paths: [prefix('/a', 's3')] } }],
          },
        },
      ],
    ],
    [
      'wildcard',
      [
        ingress('traefik', `${gateway}-wildcard`, `*.${gateway}-wildcard.test`, [prefix('/', 's1')]),
        ingress('traefik', `${gateway}-wildcard-v2`, `*.v2.${gateway}-wildcard.test`, [prefix('/', 's2')], {
          [router('rulesyntax')]: 'v2',
        }),
      ],
    ],
  ];
  const asked = ['/a', '/a/', '/ab', '/a/b', '/a/bc', '/a/b/c', '/', '/cart', '/other'];
  return cases.map(([name, objects]) => {
    const host = `${gateway}-${name}.test`;
    const requests = [
      ...asked.map((path) => `GET http://${host}${path}`),
      ...['x', 'x.y', 'x.v2', 'x.y.v2', 'v2'].map((label) => `GET http://${label}.${host}/a`),
      `POST http://${host}/a/b`,
    ];
    return { case: `${gateway}-${name}`, gateway, objects, requests, ...(name === 'default' && { takesAll: true }) };
  });
}
