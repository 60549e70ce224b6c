import { isJsonObject, type Json, type JsonObject, type Manifest, ownValue, type Path, type World } from '../../core';
import { remembered } from '../../core/remembered';
import { HostIndex } from '../hosts';
import { parseCidr } from '../ip-address';
import { nameOfKind } from '../kinds';
import { type Candidate, fixedResponse, listenerOf } from '../listener';
import { compilePcre, notModelled, quoteRegex } from '../pcre';
import { allOf, cookieOf, headerOf, hostOf, methodOf, queryOf, type RequestTest } from '../request';
import {
  type Answer,
  type Destination,
  type HttpRequest,
  type Ignored,
  type Listener,
  NO_ROUTES,
  type Router,
  type RouteTable,
} from '../router';
import { Services, servicesAnswer } from '../services';
import {
  byAge,
  keyOf,
  listOf,
  nameOf,
  numberOf,
  objectOf,
  type Placed,
  placedItems,
  portOf,
  textOf,
  textsOf,
  valueIn,
} from '../values';
import { APISIX_ROUTE, APISIX_UPSTREAM } from './kinds';
import { APISIX_READS } from './reads';

const DEFAULT_WEIGHT = 100;

/**
 * Apache APISIX with ApisixRoutes.
 * @example apisixRouter().routes(world).loadBalancers[0].listeners[0].route({ host: 'shop.example.com', path: '/' })
 */
export function apisixRouter({ ingressClass = 'apisix' }: { readonly ingressClass?: string } = {}): Router {
  return {
    name: 'apisix',
    reads: APISIX_READS,
    shared: [],
    routes: (world) =>
      world.list(nameOfKind(APISIX_ROUTE)).length === 0 ? NO_ROUTES : new Apisix(world, ingressClass).routeTable(),
  };
}

/** A route in APISIX. */
interface ApisixRoute {
  readonly candidate: Candidate;
  readonly hosts: readonly string[];
  readonly paths: readonly string[];
  readonly priority: number;
  /** Requests without TLS are redirected to HTTPS. */
  readonly redirectsToHttps: boolean;
}

class Apisix {
  private readonly services: Services;
  private readonly manifests: readonly Manifest[];
  private readonly ignored: Ignored[] = [];
  private readonly unserved: Manifest[] = [];

  constructor(
    private readonly world: World,
    ingressClass: string,
  ) {
    this.services = new Services(world);
    this.manifests = byAge(world, world.list(nameOfKind(APISIX_ROUTE))).filter(
      ({ object }) => (nameOf(valueIn(object, 'spec', 'ingressClassName')) ?? ingressClass) === ingressClass,
    );
  }

  routeTable(): RouteTable {
    const routes = this.manifests.flatMap((manifest) => this.routesOf(manifest));
    const members = this.manifests.filter((manifest) => !this.unserved.includes(manifest));
    const listeners = [listener(80, 'HTTP', routes), listener(443, 'HTTPS', routes)];
    const loadBalancers = members.length === 0 ? [] : [{ name: 'apisix', members, listeners }];
    return { loadBalancers, unserved: this.unserved, ignored: this.ignored };
  }

  /** The controller applies nothing of an ApisixRoute with an expression that it cannot translate. */
  private routesOf(manifest: Manifest): readonly ApisixRoute[] {
    const rules = placedItems(valueIn(manifest.object, 'spec', 'http'), ['spec', 'http']);
    for (const { value, at } of rules) {
      const place = [...at, 'match', 'exprs'];
      for (const { value: expression, at: where } of placedItems(valueIn(value, 'match', 'exprs'), place)) {
        const fault = faultOf(expression);
        if (fault === undefined) continue;
        this.ignored.push({ manifest, path: where, reason: 'expression', why: fault });
        this.unserved.push(manifest);
        return [];
      }
    }
    return rules.map((rule) => this.routeOf(manifest, rule));
  }

  private routeOf(manifest: Manifest, { value, at }: Placed): ApisixRoute {
    const match = objectOf(ownValue(value, 'match')) ?? NO_MATCH;
    const { hosts, paths, words, matches, unread } = readMatch(match);
    const name = textOf(ownValue(value, 'name')) ?? String(at.at(-1));
    if (ownValue(match, 'filter_func') !== undefined) {
      const why = 'a filter_func is code and is not run here: the route is assumed to match without it';
      this.ignored.push({ manifest, path: [...at, 'match', 'filter_func'], reason: 'filter-func', why });
    }
    return {
      hosts,
      paths,
      priority: numberOf(ownValue(value, 'priority')) ?? 0,
      redirectsToHttps: ownValue(pluginConfig(value, 'redirect'), 'http_to_https') === true,
      candidate: {
        rule: { description: `ApisixRoute ${keyOf(this.world, manifest)} rule ${name}: ${words}`, manifest, path: at },
        matches,
        answer: this.answerOf(manifest, value, at),
        ...(unread !== undefined && { unknown: () => unread }),
      },
    };
  }

  private answerOf(manifest: Manifest, rule: Json, at: Path): Answer {
    const redirect = redirectOf(rule);
    if (redirect !== undefined) return redirect;
    const namespace = this.world.namespaceOf(manifest);
    const backends = placedItems(ownValue(rule, 'backends'), [...at, 'backends']);
    const upstreams = listOf(ownValue(rule, 'upstreams'));
    const destinations = [
      ...backends.flatMap((backend) => this.backend(manifest, namespace, backend) ?? []),
      ...upstreams.flatMap((upstream) => this.upstream(namespace, upstream) ?? []),
    ];
    const [first] = destinations;
    return servicesAnswer(destinations.length === 1 ? [{ ...first!, weight: 1 }] : destinations);
  }

  /** The controller omits a backend if its Service or port does not exist; the others share its part. */
  private backend(
    manifest: Manifest,
    namespace: string,
    { value, at }: Placed,
  ): Omit<Destination, 'share'> | undefined {
    const ref = { namespace, name: textOf(ownValue(value, 'serviceName')) ?? '' };
    const port = portOf(ownValue(value, 'servicePort'));
    const weight = numberOf(ownValue(value, 'weight')) ?? DEFAULT_WEIGHT;
    const destination = this.services.destination(ref, port, weight, this.subset(namespace, ref.name, value));
    const { unavailable } = destination;
    if (unavailable?.reason !== 'service-not-found' && unavailable?.reason !== 'port-not-found') return destination;
    this.ignored.push({
      manifest,
      path: at,
      reason: unavailable.reason,
      why: `${unavailable.why}, so the backend is left out`,
    });
    return undefined;
  }

  /** A subset is a set of labels in the ApisixUpstream of the Service's name. */
  private subset(namespace: string, service: string, backend: Json) {
    const name = nameOf(ownValue(backend, 'subset'));
    if (name === undefined) return undefined;
    const upstream = this.world.find(nameOfKind(APISIX_UPSTREAM), service, namespace);
    const found = listOf(valueIn(upstream?.object, 'spec', 'subsets')).find((each) => ownValue(each, 'name') === name);
    const labels = ownValue(found, 'labels');
    const entries = isJsonObject(labels) ? Object.entries(labels) : [];
    return {
      name,
      labels: Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
    };
  }

  private upstream(namespace: string, value: Json): Omit<Destination, 'share'> | undefined {
    const name = textOf(ownValue(value, 'name')) ?? '';
    if (this.world.find(nameOfKind(APISIX_UPSTREAM), name, namespace) === undefined) return undefined;
    const weight = numberOf(ownValue(value, 'weight')) ?? DEFAULT_WEIGHT;
    return { target: `ApisixUpstream ${namespace}/${name}`, weight };
  }
}

const NO_MATCH: JsonObject = {};

/** Which requests a rule takes. */
const readMatch = remembered((match: JsonObject) => {
  const paths = textsOf(ownValue(match, 'paths'));
  const expressions = listOf(ownValue(match, 'exprs'));
  return {
    hosts: textsOf(ownValue(match, 'hosts')),
    paths,
    words: [paths.join(' or ') || 'no path', ...expressions.map(describe)].join(' and '),
    matches: allOf([methodTest(match), addressTest(match), ...expressions.map(expressionTest)]),
    unread: expressions.flatMap((expression) => unreadPart(expression) ?? [])[0],
  };
});

const HTTPS_REDIRECT = { kind: 'redirect', statusCode: '301', protocol: 'HTTPS' } as const;

/** Routes of the host come before routes of all hosts; then the exact path, the longest prefix, the priority. */
function listener(port: number, protocol: 'HTTP' | 'HTTPS', all: readonly ApisixRoute[]): Listener {
  const routes = all.map((route) =>
    route.redirectsToHttps && protocol === 'HTTP'
      ? { ...route, candidate: { ...route.candidate, answer: HTTPS_REDIRECT } }
      : route,
  );
  const byHost = new HostIndex<ApisixRoute>();
  for (const route of routes)
    for (const host of route.hosts.length === 0 ? ['*'] : route.hosts) byHost.add(host, route);
  return listenerOf({
    port,
    protocol,
    candidates: routes.map(({ candidate }) => candidate),
    reachable: (request) => byHost.matching(hostOf(request)).flatMap((here) => candidatesFor(here, request.path)),
    otherwise: fixedResponse(404),
  });
}

function candidatesFor(routes: readonly ApisixRoute[], path: string): readonly Candidate[] {
  return routes
    .flatMap((route) => {
      const specificity = Math.max(...route.paths.map((pattern) => pathSpecificity(pattern, path)), -1);
      return specificity < 0 ? [] : [{ route, specificity }];
    })
    .sort((a, b) => b.specificity - a.specificity || b.route.priority - a.route.priority)
    .map(({ route }) => route.candidate);
}

/** How exactly a pattern matches a path; negative if it does not match. */
function pathSpecificity(pattern: string, path: string): number {
  const star = pattern.indexOf('*');
  if (star < 0) return pattern === path ? Number.MAX_SAFE_INTEGER : -1;
  const prefix = pattern.slice(0, star);
  if (!path.startsWith(prefix)) return -1;
  if (star === pattern.length - 1) return prefix.length;
  // A star within the path stands for anything up to what follows it.
  const whole = pattern.split('*').map(quoteRegex).join('.*');
  return compilePcre(whole, { whole: true })?.(path) === true ? prefix.length : -1;
}

function methodTest(match: Json | undefined): RequestTest {
  const methods = textsOf(ownValue(match, 'methods'));
  return (request) => methods.length === 0 || methods.includes(methodOf(request));
}

function addressTest(match: Json | undefined): RequestTest {
  const addresses = textsOf(ownValue(match, 'remoteAddrs'));
  const ranges = addresses.map((address) => parseCidr(address.includes('/') ? address : hostRange(address)));
  return ({ sourceIp }) =>
    addresses.length === 0 || (sourceIp !== undefined && ranges.some((range) => range?.contains(sourceIp)));
}

function hostRange(address: string): string {
  return `${address}/${address.includes(':') ? 128 : 32}`;
}

/** Requests of a rehearsal have no body, so that nothing in it is equal to anything. */
const SCOPES = ['Header', 'Query', 'Cookie', 'Path', 'Variable', 'Body'];
const SET_OPERATORS = ['In', 'NotIn'];

/** Makes the test of a value from an expression. */
type Operator = (expression: Json) => (left: string | undefined) => boolean;

const OPERATORS: Readonly<Record<string, Operator>> = Object.assign(Object.create(null), {
  Equal: (expression) => (left) => left === wantedOf(expression),
  NotEqual: (expression) => (left) => left !== wantedOf(expression),
  GreaterThan: numbers((left, right) => left > right),
  GreaterThanEqual: numbers((left, right) => left >= right),
  LessThan: numbers((left, right) => left < right),
  LessThanEqual: numbers((left, right) => left <= right),
  RegexMatch: regex(false),
  RegexMatchCaseInsensitive: regex(true),
  RegexNotMatch: not(regex(false)),
  RegexNotMatchCaseInsensitive: not(regex(true)),
  In: among,
  NotIn: not(among),
} satisfies Record<string, Operator>);

function wantedOf(expression: Json): string | undefined {
  return textOf(ownValue(expression, 'value'));
}

function numbers(compare: (left: number, right: number) => boolean): Operator {
  return (expression) => (left) => {
    const [a, b] = [left, wantedOf(expression)].map((text) => (text?.trim() ? Number(text) : Number.NaN));
    return !Number.isNaN(a!) && !Number.isNaN(b!) && compare(a!, b!);
  };
}

function regex(ignoreCase: boolean): Operator {
  return (expression) => {
    const test = compilePcre(wantedOf(expression) ?? '', { ignoreCase });
    return (left) => left !== undefined && (test?.(left) ?? false);
  };
}

/** Why nobody can tell what an expression matches. */
function unreadPart(expression: Json): string | undefined {
  const op = textOf(ownValue(expression, 'op')) ?? '';
  return op.startsWith('Regex') ? notModelled(wantedOf(expression) ?? '') : undefined;
}

function among(expression: Json): (left: string | undefined) => boolean {
  const set = textsOf(ownValue(expression, 'set'));
  return (left) => left !== undefined && set.includes(left);
}

function not(operator: Operator): Operator {
  return (expression) => {
    const test = operator(expression);
    return (left) => !test(left);
  };
}

/** Why the controller cannot translate an expression. */
function faultOf(expression: Json): string | undefined {
  const scope = textOf(valueIn(expression, 'subject', 'scope')) ?? '';
  const op = textOf(ownValue(expression, 'op')) ?? '';
  if (!SCOPES.includes(scope)) return `subject.scope is "${scope}", and must be one of ${SCOPES.join(', ')}`;
  if (scope !== 'Path' && nameOf(valueIn(expression, 'subject', 'name')) === undefined) return 'subject.name is empty';
  if (!Object.hasOwn(OPERATORS, op)) return `op is "${op}", and must be one of ${Object.keys(OPERATORS).join(', ')}`;
  const field = SET_OPERATORS.includes(op) ? 'set' : 'value';
  if ((ownValue(expression, field) ?? null) === null) return `${field} is missing, which ${op} needs`;
  return undefined;
}

function expressionTest(expression: Json): RequestTest {
  const scope = textOf(valueIn(expression, 'subject', 'scope')) ?? '';
  const name = textOf(valueIn(expression, 'subject', 'name')) ?? '';
  const test = OPERATORS[textOf(ownValue(expression, 'op')) ?? '']!(expression);
  // Where it cannot be told, the route takes the request, and says that this is not known.
  if (unreadPart(expression) !== undefined) return () => true;
  return (request) => test(subjectOf(request, scope, name));
}

function subjectOf(request: HttpRequest, scope: string, name: string): string | undefined {
  switch (scope) {
    case 'Header':
      return nginxHeader(request, name);
    case 'Query':
      return queryOf(request, name);
    case 'Cookie':
      return cookieOf(request, name);
    case 'Path':
      return request.path;
    case 'Body':
      return undefined;
    default:
      return variableOf(request, name);
  }
}

/** Hyphens become underscores in names of variables; nginx drops headers with underscores in their names. */
function nginxHeader(request: HttpRequest, name: string): string | undefined {
  const wanted = name.toLowerCase().replace(/_/g, '-');
  return headerOf(request, wanted);
}

function variableOf(request: HttpRequest, name: string): string | undefined {
  if (name.startsWith('arg_')) return queryOf(request, name.slice(4));
  if (name.startsWith('http_')) return nginxHeader(request, name.slice(5));
  if (name.startsWith('cookie_')) return cookieOf(request, name.slice(7));
  if (name === 'uri') return request.path;
  if (name === 'host') return hostOf(request);
  if (name === 'request_method') return methodOf(request);
  return name === 'remote_addr' ? request.sourceIp : undefined;
}

function describe(expression: Json): string {
  const scope = (textOf(valueIn(expression, 'subject', 'scope')) ?? '').toLowerCase();
  const subject = [scope, nameOf(valueIn(expression, 'subject', 'name'))].filter(Boolean).join(' ');
  const set = textsOf(ownValue(expression, 'set'));
  const value = set.length > 0 ? set.join(', ') : wantedOf(expression);
  return `${subject} ${textOf(ownValue(expression, 'op'))} "${value}"`;
}

function redirectOf(rule: Json): Answer | undefined {
  const config = pluginConfig(rule, 'redirect');
  const uri = nameOf(ownValue(config, 'uri'));
  if (uri === undefined) return undefined;
  return { kind: 'redirect', statusCode: String(numberOf(ownValue(config, 'ret_code')) ?? 302), path: uri };
}

function pluginConfig(rule: Json, name: string): Json | undefined {
  const plugin = listOf(ownValue(rule, 'plugins')).find(
    (each) => ownValue(each, 'name') === name && ownValue(each, 'enable') !== false,
  );
  return ownValue(plugin, 'config');
}
