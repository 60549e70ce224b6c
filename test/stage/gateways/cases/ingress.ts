/** Ingresses of ingress-nginx at random. */
import fc from 'fast-check';
import type { KubernetesObject } from '../../cluster/api';
import { NAMESPACE } from '../backends';
import type { GatewayCase } from '../gateway';
import { PATHS, type RoutesOf, routesFor } from './values';

const USE_REGEX = 'nginx.ingress.kubernetes.io/use-regex';
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
  { weight: 3, arbitrary: pathsOf(PATHS, pathType).map((paths) => ({ paths, useRegex: false })) },
  pathsOf([...PATHS, ...PATTERNS], fc.constant('ImplementationSpecific')).map((paths) => ({ paths, useRegex: true })),
);

/** An Ingress for a host, and one for its wildcard. */
export const ingresses: RoutesOf = (host, name) =>
  fc
    .record({ own: drawn, wild: drawn })
    .map(({ own, wild }) => routesFor(host, [ingress(name, host, own), ingress(`${name}-wild`, `*.${host}`, wild)]));

interface Drawn {
  readonly paths: readonly KubernetesObject[];
  readonly useRegex: boolean;
}

function ingress(name: string, host: string, { paths, useRegex }: Drawn): KubernetesObject {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name, namespace: NAMESPACE, ...(useRegex && { annotations: { [USE_REGEX]: 'true' } }) },
    spec: { ingressClassName: 'nginx', rules: [{ host, http: { paths } }] },
  };
}

/** How nginx reads a path and a host. */
export function ingressCases(): GatewayCase[] {
  const to = (path: string, type: string, name: string) => ({
    path,
    pathType: type,
    backend: { service: { name, port: { number: 80 } } },
  });
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
      ['paths', paths, false],
      ['patterns', patterns, true],
    ] as const
  ).map(([name, rules, useRegex]) => {
    const host = `nginx-${name}.test`;
    const objects = [
      ingress(`nginx-${name}`, host, { paths: rules, useRegex }),
      ingress(`nginx-${name}-wild`, `*.${host}`, { paths: [to('/pre', 'Prefix', 's3')], useRegex: false }),
    ];
    const requests = [
      ...asked.map((path) => `${host}${path}`),
      ...hosts.split(' ').map((one) => one.replaceAll('HOST', host)),
    ];
    return { case: `nginx-${name}`, gateway: 'nginx', objects, requests: requests.map((one) => `GET http://${one}`) };
  });
}
