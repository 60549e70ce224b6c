import { isJsonObject, type Json, type JsonObject, type Manifest, ownValue, type Path, type World } from '../../core';
import { counted } from '../../core/counted';
import { groupedBy } from '../../core/grouped';
import { compileRegex, isRefusedByRe2 } from '../../core/regex';
import { remembered } from '../../core/remembered';
import { HostIndex } from '../hosts';
import { nameOfKind } from '../kinds';
import { type Candidate, fixedResponse, listenerOf, once, type RequestCondition } from '../listener';
import { allOf, dottedHostOf, envoyHeadersOf, mergedPathOf, type RequestTest, sentQueryOf } from '../request';
import { type Answer, type HttpRequest, type Ignored, NO_ROUTES, type Router, type RouteTable } from '../router';
import { Services, servicesAnswer } from '../services';
import { byAge, compareText, keyOf, listOf, nameOf, numberOf, placedItems, portOf, textOf, valueIn } from '../values';
import { comparisonOfHeader, comparisonsOfParameter } from './comparisons';
import { HTTP_PROXY } from './kinds';
import { CONTOUR_READS } from './reads';

/**
 * Contour with HTTPProxies.
 * @example contourRouter().routes(world).loadBalancers[0].listeners[0].route({ host: 'shop.example.com', path: '/' })
 */
export function contourRouter(): Router {
  return {
    name: 'contour',
    expressions: 'RE2',
    reads: CONTOUR_READS,
    shared: [],
    routes: (world) => (world.list(nameOfKind(HTTP_PROXY)).length === 0 ? NO_ROUTES : new Contour(world).routeTable()),
  };
}

interface ContourRoute {
  readonly manifest: Manifest;
  readonly at: Path;
  readonly path: PathCondition;
  readonly conditions: readonly ValueCondition[];
  readonly answer: Answer;
  /** Requests without TLS are served. Otherwise they are redirected to HTTPS. */
  readonly permitInsecure: boolean;
  /**
   * Routes of the same precedence, which Contour has in an order of chance.
   * @default - none
   */
  readonly rivals?: readonly ContourRoute[];
}

interface PathCondition {
  readonly kind: 'exact' | 'regex' | 'prefix';
  readonly value: string;
}

interface ValueCondition {
  readonly subject: 'header' | 'query parameter';
  readonly words: string;
  readonly test: RequestTest;
  /** Its precedence among the conditions of its subject: the name, then the comparison. */
  readonly rank: readonly (string | number)[];
  /** A request without the header counts as one with an empty value. */
  readonly missingIsEmpty: boolean;
  /** The case of letters does not matter. */
  readonly ignoreCase: boolean;
}

/** A host name of a root HTTPProxy. */
interface VirtualHost {
  readonly fqdn: string;
  readonly hasTls: boolean;
  readonly routes: readonly ContourRoute[];
}

class Contour {
  private readonly services: Services;
  private readonly manifests: readonly Manifest[];
  private readonly included = new Set<Manifest>();
  private readonly ignored: Ignored[] = [];

  constructor(private readonly world: World) {
    this.services = new Services(world);
    this.manifests = byAge(world, world.list(nameOfKind(HTTP_PROXY)));
  }

  routeTable(): RouteTable {
    const hosts = this.virtualHosts();
    const listeners = (['HTTP', 'HTTPS'] as const).map((protocol) => {
      const index = new HostIndex<() => readonly Candidate[]>();
      const served = hosts.filter(({ hasTls, routes }) => (protocol === 'HTTP' || hasTls) && routes.length > 0);
      // The candidates of a host are made at its first request.
      const candidatesOf = (host: VirtualHost) => host.routes.map((route) => this.candidate(host, route, protocol));
      const candidates = served.map((host) => once(() => candidatesOf(host)));
      for (const [at, { fqdn }] of served.entries()) index.add(fqdn, candidates[at]!);
      return listenerOf({
        port: protocol === 'HTTP' ? 80 : 443,
        protocol,
        candidates: () => candidates.flatMap((ofHost) => ofHost()),
        reachable: (request) => index.best(dottedHostOf(request))[0]?.() ?? [],
        otherwise: fixedResponse(404),
      });
    });
    const members = this.manifests.filter((manifest) => this.included.has(manifest));
    const loadBalancers = members.length === 0 ? [] : [{ name: 'contour', members, listeners }];
    const unserved = this.manifests.filter((manifest) => !this.included.has(manifest));
    return { loadBalancers, unserved, ignored: this.ignored };
  }

  private candidate({ fqdn, hasTls }: VirtualHost, route: ContourRoute, protocol: 'HTTP' | 'HTTPS'): Candidate {
    const { manifest, at, path, conditions, answer, permitInsecure, rivals = [] } = route;
    const tested: readonly RequestCondition[] = [
      { words: `path ${path.kind} ${path.value}`, test: pathTest(path) },
      ...conditions,
    ];
    const words = tested.map((condition) => condition.words).join(' and ');
    const all = [...oneLabelUnder(fqdn), ...tested];
    const redirects = protocol === 'HTTP' && hasTls && !permitInsecure;
    return {
      rule: { description: `HTTPProxy ${keyOf(this.world, manifest)} for ${fqdn}: ${words}`, manifest, path: at },
      matches: allOf(all.map(({ test }) => test)),
      conditions: all,
      answer: redirects ? HTTPS_REDIRECT : answer,
      ...(rivals.length > 0 && { unknown: (request) => unknownAmong(rivals, route, request) }),
    };
  }

  /** HTTPProxies that claim the same name are all invalid. */
  private virtualHosts(): readonly VirtualHost[] {
    const roots = this.manifests.filter(({ object }) => isJsonObject(valueIn(object, 'spec', 'virtualhost')));
    const byName = groupedBy(roots, ({ object }) =>
      (nameOf(valueIn(object, 'spec', 'virtualhost', 'fqdn')) ?? '').toLowerCase(),
    );
    byName.delete('');
    return [...byName].flatMap(([fqdn, claimed]) => {
      if (claimed.length === 1) return this.virtualHost(fqdn, claimed[0]!);
      const why = `${claimed.map((each) => keyOf(this.world, each)).join(', ')} all have the fqdn ${fqdn}, so none is valid`;
      const path = ['spec', 'virtualhost', 'fqdn'];
      for (const manifest of claimed) this.ignored.push({ manifest, path, reason: 'host-taken', why });
      return [];
    });
  }

  private virtualHost(fqdn: string, root: Manifest): VirtualHost {
    const hasTls = isJsonObject(valueIn(root.object, 'spec', 'virtualhost', 'tls'));
    const tcpproxy = ownValue(ownValue(root.object, 'spec'), 'tcpproxy');
    this.included.add(root);
    if (hasTls && isJsonObject(tcpproxy)) {
      const at = ['spec', 'tcpproxy'];
      const answer = this.servicesOf(root, tcpproxy, at);
      const path = { kind: 'prefix', value: '/' } as const;
      return { fqdn, hasTls, routes: [{ manifest: root, at, path, conditions: [], answer, permitInsecure: false }] };
    }
    const routes = this.routesOf(root, [], []);
    return { fqdn, hasTls, routes: inOrder(withoutDuplicates(routes)) };
  }

  /** The routes of a proxy and of the proxies that it includes, with the conditions of the includes. */
  private routesOf(
    manifest: Manifest,
    inherited: readonly Json[],
    above: readonly Manifest[],
  ): readonly ContourRoute[] {
    this.included.add(manifest);
    const invalid = this.invalidRoute(manifest, inherited);
    if (invalid !== undefined) {
      this.ignored.push(invalid);
      return [];
    }
    const includes = placedItems(valueIn(manifest.object, 'spec', 'includes'), ['spec', 'includes']);
    const seen = new Set<string>();
    const fromIncludes = includes.flatMap(({ value, at }) => {
      const ownConditions = listOf(ownValue(value, 'conditions'));
      const fault = faultOf(ownConditions);
      const key = keyOfConditions(ownConditions);
      if (fault !== undefined || (seen.has(key) && key !== keyOfConditions([]))) {
        const why = fault ?? 'an earlier include of this HTTPProxy has the same conditions';
        this.ignored.push({ manifest, path: at, reason: 'include', why });
        return [];
      }
      seen.add(key);
      const name = textOf(ownValue(value, 'name')) ?? '';
      const namespace = nameOf(ownValue(value, 'namespace')) ?? this.world.namespaceOf(manifest);
      const included = this.world.find(nameOfKind(HTTP_PROXY), name, namespace);
      const isRoot = isJsonObject(valueIn(included?.object, 'spec', 'virtualhost'));
      const conditions = [...inherited, ...ownConditions];
      if (included === undefined || isRoot || [...above, manifest].includes(included)) {
        const why = `there is no HTTPProxy ${namespace}/${name} without virtualhost to include, or it includes itself`;
        this.ignored.push({ manifest, path: at, reason: 'include', why });
        const isMissing = included === undefined || isRoot;
        return isMissing && ownConditions.length > 0 ? [missingInclude(manifest, at, conditions)] : [];
      }
      return this.routesOf(included, conditions, [...above, manifest]);
    });
    const own = placedItems(valueIn(manifest.object, 'spec', 'routes'), ['spec', 'routes']).map(({ value, at }) => {
      const conditions = [...inherited, ...listOf(ownValue(value, 'conditions'))];
      return {
        manifest,
        at,
        path: mergePaths(conditions),
        conditions: conditions.flatMap(valueConditions),
        answer: this.answerOf(manifest, value, at),
        permitInsecure: ownValue(value, 'permitInsecure') === true,
      };
    });
    return [...fromIncludes, ...own];
  }

  /** One wrong condition makes an HTTPProxy invalid, with all its routes. */
  private invalidRoute(manifest: Manifest, inherited: readonly Json[]): Ignored | undefined {
    for (const { value, at } of placedItems(valueIn(manifest.object, 'spec', 'routes'), ['spec', 'routes'])) {
      const own = listOf(ownValue(value, 'conditions'));
      const fault = faultOf(own) ?? repeatedExact([...inherited, ...own]);
      if (fault === undefined) continue;
      const why = `${fault}, so the whole HTTPProxy is invalid and none of its routes exists`;
      return { manifest, path: [...at, 'conditions'], reason: 'invalid-conditions', why };
    }
    return undefined;
  }

  private answerOf(manifest: Manifest, route: Json, at: Path): Answer {
    const redirect = ownValue(route, 'requestRedirectPolicy');
    if (isJsonObject(redirect)) return redirectAnswer(redirect);
    const direct = ownValue(route, 'directResponsePolicy');
    if (isJsonObject(direct)) return fixedResponse(numberOf(direct.statusCode) ?? 0, textOf(direct.body));
    return this.servicesOf(manifest, route, at);
  }

  /** Contour omits Services that do not exist; if none is left, clients get 503. */
  private servicesOf(manifest: Manifest, route: Json, at: Path): Answer {
    const namespace = this.world.namespaceOf(manifest);
    const all = placedItems(ownValue(route, 'services'), [...at, 'services']).filter(
      ({ value }) => ownValue(value, 'mirror') !== true,
    );
    const destinations = all.map(({ value, at: place }) => {
      const ref = { namespace, name: textOf(ownValue(value, 'name')) ?? '' };
      const weight = numberOf(ownValue(value, 'weight')) ?? 0;
      return { place, destination: this.services.destination(ref, portOf(ownValue(value, 'port')) ?? 0, weight) };
    });
    const valid = destinations.filter(({ destination, place }) => {
      const { unavailable } = destination;
      if (unavailable === undefined || unavailable.reason === 'no-pods') return true;
      const why = `${unavailable.why}, so the service is left out`;
      this.ignored.push({ manifest, path: place, reason: unavailable.reason, why });
      return false;
    });
    const kept = (valid.length > 0 ? valid : destinations.slice(0, 1)).map(({ destination }) => destination);
    // If no service has a weight, all get the same share.
    const hasWeights = kept.length > 1 && kept.some(({ weight }) => weight > 0);
    return servicesAnswer(hasWeights ? kept : kept.map((destination) => ({ ...destination, weight: 1 })));
  }
}

const HTTPS_REDIRECT = { kind: 'redirect', statusCode: '301', protocol: 'HTTPS' } as const;

/** Clients get 502 where an include leads to no HTTPProxy. */
function missingInclude(manifest: Manifest, at: Path, conditions: readonly Json[]): ContourRoute {
  return {
    manifest,
    at,
    path: mergePaths(conditions),
    conditions: conditions.flatMap(valueConditions),
    answer: fixedResponse(502),
    permitInsecure: false,
  };
}

const PATH_FIELDS = ['prefix', 'exact', 'regex'] as const;

/** What is wrong with the conditions of one route or include. */
const faultOf = remembered((conditions: readonly Json[]): string | undefined => {
  const paths = conditions.flatMap((condition) =>
    PATH_FIELDS.flatMap((field) => {
      const value = nameOf(ownValue(condition, field));
      return value === undefined ? [] : [{ field, value }];
    }),
  );
  if (paths.length > 1)
    return `there are ${paths.length} conditions on the path (prefix, exact, regex), and one is allowed`;
  const [path] = paths;
  if (path !== undefined && path.field !== 'regex' && !path.value.startsWith('/')) {
    return `the ${path.field} "${path.value}" does not start with a slash`;
  }
  const expressions = conditions.flatMap((condition) => [
    nameOf(ownValue(condition, 'regex')),
    nameOf(valueIn(condition, 'header', 'regex')),
    nameOf(valueIn(condition, 'queryParameter', 'regex')),
  ]);
  const refused = expressions.find((expression) => expression !== undefined && isRefusedByRe2(expression));
  if (refused !== undefined) return `the regex "${refused}" is not valid`;
  return faultOfParameter(conditions) ?? repeatedExact(conditions);
});

/** A condition on a query parameter has one comparison; of several on a header the first counts. */
function faultOfParameter(conditions: readonly Json[]): string | undefined {
  const parameters = conditions.map((condition) => ownValue(condition, 'queryParameter')).filter(isJsonObject);
  const wrong = parameters.find((parameter) => comparisonsOfParameter(parameter).length !== 1);
  if (wrong === undefined) return undefined;
  const count = comparisonsOfParameter(wrong).length;
  return `the condition on the query parameter ${textOf(wrong.name) ?? ''} has ${counted(count, 'comparison')}, and it needs one`;
}

function repeatedExact(conditions: readonly Json[]): string | undefined {
  for (const [field, subject] of [
    ['header', 'header'],
    ['queryParameter', 'query parameter'],
  ] as const) {
    const names = conditions.flatMap((condition) => {
      const isExact = nameOf(valueIn(condition, field, 'exact')) !== undefined;
      return isExact ? [(textOf(valueIn(condition, field, 'name')) ?? '').toLowerCase()] : [];
    });
    const repeated = names.find((name, index) => names.indexOf(name) < index);
    if (repeated !== undefined) return `two exact conditions name the ${subject} ${repeated}`;
  }
  return undefined;
}

/** A text that is equal for conditions that match the same requests. */
function keyOfConditions(conditions: readonly Json[]): string {
  return identityOf({ path: mergePaths(conditions), conditions: conditions.flatMap(valueConditions) });
}

/** The wildcard of an fqdn stands for one label. */
function oneLabelUnder(fqdn: string): readonly RequestCondition[] {
  if (!fqdn.startsWith('*.')) return [];
  const labels = fqdn.split('.').length;
  return [
    {
      words: `host is one label under ${fqdn.slice(2)}`,
      test: (request) => dottedHostOf(request).split('.').length === labels,
    },
  ];
}

/**
 * Concatenates paths. The result is an expression if any part is one. It is exact only if the last one of all conditions
 * is: after `exact`, a condition on a header or a query parameter makes a prefix of it.
 */
function mergePaths(conditions: readonly Json[]): PathCondition {
  const parts = conditions.flatMap((condition): PathCondition[] => {
    const prefix = nameOf(ownValue(condition, 'prefix'));
    if (prefix !== undefined) return [{ kind: 'prefix', value: prefix }];
    const exact = nameOf(ownValue(condition, 'exact'));
    if (exact !== undefined) return [{ kind: 'exact', value: exact }];
    const regex = nameOf(ownValue(condition, 'regex'));
    return regex === undefined ? [] : [{ kind: 'regex', value: regex }];
  });
  const value = parts
    .map((part) => part.value)
    .join('')
    .replace(/\/\/+/g, '/');
  if (value === '') return { kind: 'prefix', value: '/' };
  if (parts.some(({ kind }) => kind === 'regex')) return { kind: 'regex', value };
  return { kind: nameOf(ownValue(conditions.at(-1), 'exact')) === undefined ? 'prefix' : 'exact', value };
}

/** A prefix may end within a path segment: `/cart` also matches `/cartoons`. */
function pathTest({ kind, value }: PathCondition): RequestTest {
  if (kind === 'exact') return (request) => mergedPathOf(request) === value;
  if (kind === 'prefix') return (request) => mergedPathOf(request).startsWith(value);
  const test = compileRegex(value, { whole: true });
  return (request) => test?.(mergedPathOf(request)) ?? false;
}

function valueConditions(condition: Json): readonly ValueCondition[] {
  return isJsonObject(condition) ? conditionsOn(condition) : [];
}

const conditionsOn = remembered((condition: JsonObject): readonly ValueCondition[] => {
  const header = ownValue(condition, 'header');
  const query = ownValue(condition, 'queryParameter');
  return [
    ...(isJsonObject(header) ? headerConditions(header) : []),
    ...(isJsonObject(query) ? queryConditions(query) : []),
  ];
});

function headerConditions(condition: Json): readonly ValueCondition[] {
  const name = textOf(ownValue(condition, 'name')) ?? '';
  const wanted = ownValue(condition, 'treatMissingAsEmpty') === true;
  return comparisonOfHeader(condition).map(({ words, test, negated, isAbsence = false, ignoreCase = false, rank }) => {
    // Contour reads it for negated comparisons only.
    const missingIsEmpty = wanted && negated && !isAbsence;
    return {
      subject: 'header',
      words: `header ${name} ${words}`,
      rank: [name, ...rank],
      missingIsEmpty,
      ignoreCase,
      test: (request) => {
        const sent = envoyHeadersOf(request, name);
        if (isAbsence) return sent.length === 0;
        const values = sent.length === 0 && missingIsEmpty ? [''] : sent;
        // Without the header no comparison matches, negated or not.
        return values.length > 0 && values.some(test) !== negated;
      },
    };
  });
}

function queryConditions(condition: Json): readonly ValueCondition[] {
  const name = textOf(ownValue(condition, 'name')) ?? '';
  return comparisonsOfParameter(condition).map(({ words, test, negated, ignoreCase = false, rank }) => ({
    subject: 'query parameter',
    words: `query parameter ${name} ${words}`,
    // Among headers the case is no part of the precedence.
    rank: [name, ...rank, Number(ignoreCase)],
    missingIsEmpty: false,
    ignoreCase,
    test: (request) => {
      const value = sentQueryOf(request, name);
      return value !== undefined && test(value) !== negated;
    },
  }));
}

function redirectAnswer(redirect: Json): Answer {
  const scheme = nameOf(ownValue(redirect, 'scheme'));
  const host = nameOf(ownValue(redirect, 'hostname'));
  const port = numberOf(ownValue(redirect, 'port'));
  const path = nameOf(ownValue(redirect, 'path')) ?? nameOf(ownValue(redirect, 'prefix'));
  return {
    kind: 'redirect',
    statusCode: String(numberOf(ownValue(redirect, 'statusCode')) ?? 302),
    ...(scheme === undefined ? {} : { protocol: scheme.toUpperCase() }),
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port: String(port) }),
    ...(path === undefined ? {} : { path }),
  };
}

const KIND_ORDER = { exact: 0, regex: 1, prefix: 2 } as const;

/**
 * Sorts by type (exact paths, expressions, prefixes), then by length of the path, then by number of conditions, then condition
 * by condition.
 */
function inOrder(routes: readonly ContourRoute[]): readonly ContourRoute[] {
  if (routes.length < 2) return routes;
  const sorted = routes.map((route) => ({
    route,
    headers: ranksOf(route, 'header'),
    parameters: ranksOf(route, 'query parameter'),
  }));
  type Sorted = (typeof sorted)[number];
  const compare = (a: Sorted, b: Sorted) =>
    KIND_ORDER[a.route.path.kind] - KIND_ORDER[b.route.path.kind] ||
    b.route.path.value.length - a.route.path.value.length ||
    compareText(b.route.path.value, a.route.path.value) ||
    b.headers.length - a.headers.length ||
    b.parameters.length - a.parameters.length ||
    firstDifference(a.headers, b.headers, compareRanks) ||
    firstDifference(a.parameters, b.parameters, compareRanks);
  sorted.sort((a, b) => compare(a, b) || compareText(identityOf(a.route), identityOf(b.route)));
  return sorted.map((one, index) => {
    const isTied = (at: number) => sorted[at] !== undefined && compare(one, sorted[at]) === 0;
    if (!isTied(index - 1) && !isTied(index + 1)) return one.route;
    const rivals = sorted.filter((other) => other !== one && compare(one, other) === 0).map(({ route }) => route);
    return { ...one.route, rivals };
  });
}

/** Why nobody can tell which of two routes takes a request. */
function unknownAmong(rivals: readonly ContourRoute[], route: ContourRoute, request: HttpRequest): string | undefined {
  const rival = rivals.find(
    ({ conditions, answer }) =>
      conditions.every(({ test }) => test(request)) && JSON.stringify(answer) !== JSON.stringify(route.answer),
  );
  if (rival === undefined) return undefined;
  const words = rival.conditions.map((condition) => condition.words).join(' and ');
  return `Contour has no order for conditions that differ only in ignoreCase or treatMissingAsEmpty, and the route with ${words} takes the request too`;
}

/** The ranks of the conditions of a subject, themselves in order. */
function ranksOf({ conditions }: ContourRoute, subject: ValueCondition['subject']): ValueCondition['rank'][] {
  const own = conditions.filter((condition) => condition.subject === subject);
  return own.map(({ rank }) => rank).sort(compareRanks);
}

function compareRanks(a: ValueCondition['rank'], b: ValueCondition['rank']): number {
  return firstDifference(a, b, (one, other) =>
    typeof one === 'number' ? one - Number(other) : compareText(one, String(other)),
  );
}

function firstDifference<Item>(a: readonly Item[], b: readonly Item[], compare: (a: Item, b: Item) => number): number {
  for (const [index, item] of a.entries()) {
    const difference = compare(item, b[index]!);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Keeps the last one of routes with the same conditions. */
function withoutDuplicates(routes: readonly ContourRoute[]): readonly ContourRoute[] {
  const byConditions = new Map(routes.map((route) => [identityOf(route), route]));
  return [...byConditions.values()];
}

/** A text that is equal for routes with the same conditions. */
function identityOf({ path, conditions }: Pick<ContourRoute, 'path' | 'conditions'>): string {
  const keys = conditions.map(({ subject, rank, missingIsEmpty, ignoreCase }) =>
    JSON.stringify([subject, rank, missingIsEmpty, ignoreCase]),
  );
  return JSON.stringify([path.kind, path.value, ...keys.sort(compareText)]);
}
