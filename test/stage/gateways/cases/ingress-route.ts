/** IngressRoutes of Traefik at random. */
import fc from 'fast-check';
import type { KubernetesObject } from '../../cluster/api';
import { NAMESPACE } from '../backends';
import type { GatewayCase } from '../gateway';
import {
  HEADERS,
  PATH_PATTERNS,
  PATHS,
  QUERIES,
  type RoutesOf,
  rarely,
  routesFor,
  SERVICES,
  VALUE_PATTERNS,
} from './values';

const API = 'traefik.io/v1alpha1';

const quoted = (...texts: readonly string[]) => texts.map((text) => `\`${text}\``).join(', ');
const header = fc.constantFrom(...HEADERS);
const query = fc.constantFrom(...QUERIES);
const pattern = fc.constantFrom(...VALUE_PATTERNS);
const condition = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...PATHS).map((path) => `PathPrefix(${quoted(path)})`) },
  { weight: 2, arbitrary: fc.constantFrom(...PATHS).map((path) => `Path(${quoted(path)})`) },
  fc.constantFrom(...PATH_PATTERNS).map((path) => `PathRegexp(${quoted(path)})`),
  header.map(([name, value]) => `Header(${quoted(name, value)})`),
  fc.tuple(header, pattern).map(([[name], value]) => `HeaderRegexp(${quoted(name, value)})`),
  query.map(([name, value]) => `Query(${quoted(name, value)})`),
  query.map(([name]) => `Query(${quoted(name)})`),
  fc.tuple(query, pattern).map(([[name], value]) => `QueryRegexp(${quoted(name, value)})`),
  fc.constantFrom('GET', 'POST').map((method) => `Method(${quoted(method)})`),
);
const term = fc.tuple(condition, rarely(fc.constant('!'))).map(([text, not = '']) => `${not}${text}`);
const terms = fc.oneof(
  { weight: 3, arbitrary: term },
  { weight: 3, arbitrary: fc.tuple(term, term).map(([one, other]) => `${one} && ${other}`) },
  fc.tuple(term, term).map(([one, other]) => `(${one} || ${other})`),
  fc.tuple(term, term, term).map(([one, other, more]) => `${one} && (${other} || ${more})`),
);
const route = (host: string) =>
  fc
    .record({
      hosts: fc.oneof(
        { weight: 5, arbitrary: fc.constant(`Host(${quoted(host)})`) },
        fc.constant(`Host(${quoted(`*.${host}`)})`),
        fc.constant(`HostRegexp(${quoted(`^.+\\.${host.replaceAll('.', '\\.')}$`)})`),
      ),
      terms: fc.option(terms, { nil: undefined, freq: 5 }),
      services: SERVICES,
      priority: rarely(fc.constantFrom(1, 20, 60, 100)),
    })
    .map((drawn) => ({
      kind: 'Rule',
      match: drawn.terms === undefined ? drawn.hosts : `${drawn.hosts} && ${drawn.terms}`,
      services: drawn.services,
      ...(drawn.priority !== undefined && { priority: drawn.priority }),
    }));

/** How the matchers of hosts read a host. */
export function hostCases(gateway: string): GatewayCase[] {
  const host = `${gateway}-hosts.test`;
  const escaped = host.replaceAll('.', '\\.');
  const rules = [
    ['Host(`HOST`) && PathPrefix(`/exact`)'],
    ['Host(`*.HOST`) && PathPrefix(`/wildcard`)'],
    ['Host(`HOST.`) && PathPrefix(`/dotted`)'],
    ['HostRegexp(`^([a-z]\\.)?RE$`) && PathPrefix(`/whole`)'],
    ['HostRegexp(`RE`) && PathPrefix(`/part`)'],
    ['Host(`HOST`, `x.HOST`) && PathPrefix(`/exact-v2`)', 'v2'],
    ['Host(`HOST.`) && PathPrefix(`/dotted-v2`)', 'v2'],
    ['Host(`*.HOST`) && PathPrefix(`/wildcard-v2`)', 'v2'],
    ['HostRegexp(`{name:[a-z]}.HOST`) && PathPrefix(`/whole-v2`)', 'v2'],
  ].map(([match, syntax]) => ({
    kind: 'Rule',
    match: match!.replaceAll('HOST', host).replaceAll('RE', escaped),
    services: [{ name: 's1', port: 80 }],
    ...(syntax && { syntax }),
  }));
  const rest = { kind: 'Rule', match: `HostRegexp(\`${escaped}\`)`, services: [{ name: 's2', port: 80 }], priority: 1 };
  const hosts = [
    host,
    host.toUpperCase(),
    `${host}.`,
    `x.${host}`,
    `x.${host}.`,
    `x.y.${host}`,
    `xy.${host}`,
    `${host}:80`,
  ];
  const paths = rules.map(({ match }) => /PathPrefix\(`([^`]+)`/.exec(match)![1]!);
  return [
    {
      case: `${gateway}-hosts`,
      gateway,
      objects: [
        {
          apiVersion: API,
          kind: 'IngressRoute',
          metadata: { name: `${gateway}-hosts`, namespace: NAMESPACE },
          spec: { entryPoints: ['web'], routes: [...rules, rest] },
        },
      ],
      requests: hosts.flatMap((each) => paths.map((path) => `GET http://${each}${path}`)),
    },
  ];
}

/** An IngressRoute. Routes of one length and priority have no order of their own, so each has a match of its own. */
export const ingressRoutes: RoutesOf = (host, name) =>
  fc
    .uniqueArray(route(host), {
      minLength: 1,
      maxLength: 5,
      selector: ({ match, priority }) => priority ?? match.length,
    })
    .map((routes) =>
      routesFor(host, [
        {
          apiVersion: API,
          kind: 'IngressRoute',
          metadata: { name, namespace: NAMESPACE },
          spec: { entryPoints: ['web'], routes },
        } satisfies KubernetesObject,
      ]),
    );
