/** The Envoy routes that Higress, and the MSE gateway that is built on it, make of canary Ingresses. */
import type { Manifest, Path, World } from '../../core';
import { addTo } from '../../core/grouped';
import { compileRegex } from '../../core/regex';
import { remembered } from '../../core/remembered';
import { HostIndex } from '../hosts';
import { type IngressClassOptions, type IngressController, servesIngress } from '../ingress/class';
import { type Ingress, type IngressPath, readIngress } from '../ingress/ingress';
import { INGRESS, INGRESS_CLASS } from '../ingress/kinds';
import { PrefixedAnnotations } from '../ingress/prefixed-annotations';
import { INGRESS_READ } from '../ingress/reads';
import { nameOfKind } from '../kinds';
import { type Candidate, fixedResponse, listenerOf, once } from '../listener';
import { allOf, headerOf, hostOf, isUnder, queryOf, type RequestTest } from '../request';
import { type Answer, type Ignored, NO_ROUTES, type Router, type RouteTable } from '../router';
import { portsOf, type ServiceRef, Services, type Subset, servicesAnswer } from '../services';
import { byAge, listOf, numberOf, textsOf, valueIn } from '../values';

/** The differences between gateways of this kind. */
export interface GatewayDialect extends IngressController {
  readonly name: string;
  /** Prefixes of annotations; the first prefix that has an annotation wins. */
  readonly prefixes: readonly string[];
  /** The condition on a header for the canary. */
  headerTest(annotations: PrefixedAnnotations): ConditionTest | undefined;
  /** The condition on a query parameter for the canary. */
  queryTest(annotations: PrefixedAnnotations): ConditionTest | undefined;
  /** The pods of the Service that an Ingress selects. */
  subset(annotations: PrefixedAnnotations): Subset | undefined;
}

/** A condition of a canary Ingress. */
export interface ConditionTest {
  readonly words: string;
  readonly name: string;
  readonly test: (value: string) => boolean;
}

/** A router of that kind. */
export function gatewayRouter(dialect: GatewayDialect, options: IngressClassOptions = {}): Router {
  return {
    name: dialect.name,
    reads: [INGRESS_READ],
    shared: [INGRESS_CLASS],
    routes(world) {
      const served = byAge(world, world.list(nameOfKind(INGRESS)))
        .map((manifest) => readIngress(world, manifest))
        .filter((ingress) => servesIngress(world, ingress, dialect, options));
      return served.length === 0 ? NO_ROUTES : new Gateway(world, dialect, served).routeTable();
    },
  };
}

const annotationsFor = remembered(({ prefixes }: GatewayDialect) => PrefixedAnnotations.under(...prefixes));

const conditionsFor = remembered((dialect: GatewayDialect) =>
  remembered((ingress: Ingress) => conditionOf(annotationsFor(dialect)(ingress), dialect)),
);

interface Target {
  readonly service: ServiceRef;
  readonly port: number | string;
  readonly weight: number;
  readonly subset: Subset | undefined;
}

interface GatewayRoute {
  readonly ingress: Ingress;
  readonly at: Path;
  readonly type: 'Exact' | 'Prefix' | 'Regex';
  readonly path: string;
  readonly isDefault: boolean;
  /** Conditions of a canary; undefined for a main route. */
  readonly condition: { readonly words: string; readonly test: RequestTest } | undefined;
  /** The main destination first, then those of canaries by weight. */
  targets: readonly Target[];
  weightTotal: number;
  /** Where requests go when the destination has no pods. */
  readonly fallback: Target | undefined;
}

class Gateway {
  private readonly services: Services;
  private readonly routes = new Map<string, GatewayRoute[]>();
  private readonly tlsHosts = new Set<string>();
  private readonly ignored: Ignored[] = [];

  constructor(
    world: World,
    private readonly dialect: GatewayDialect,
    private readonly ingresses: readonly Ingress[],
  ) {
    this.services = new Services(world);
    const canaries = this.ingresses.filter((ingress) => this.isCanary(ingress));
    const mains = this.ingresses.filter((ingress) => !this.isCanary(ingress));
    this.addMains(mains);
    for (const ingress of mains) this.addDefaultBackend(ingress);
    for (const ingress of canaries) this.addCanary(ingress);
  }

  routeTable(): RouteTable {
    const members = this.ingresses.map(({ manifest }) => manifest);
    const { ignored } = this;
    const listeners = [this.listener(80, 'HTTP'), this.listener(443, 'HTTPS')];
    return { loadBalancers: [{ name: this.dialect.name, members, listeners }], unserved: [], ignored };
  }

  private listener(port: number, protocol: 'HTTP' | 'HTTPS') {
    const hosts = [...this.routes].filter(([host]) => protocol === 'HTTP' || this.tlsHosts.has(host));
    const index = new HostIndex<() => readonly Candidate[]>();
    // The candidates of a host are made at its first request.
    const candidates = hosts.map(([host, routes]) => {
      const ofHost = once(() => routes.map((route) => this.candidate(host, route, protocol)));
      index.add(host, ofHost);
      return ofHost;
    });
    return listenerOf({
      port,
      protocol,
      candidates: () => candidates.flatMap((ofHost) => ofHost()),
      reachable: (request) => index.best(hostOf(request))[0]?.() ?? [],
      otherwise: fixedResponse(404),
    });
  }

  private candidate(host: string, route: GatewayRoute, protocol: 'HTTP' | 'HTTPS'): Candidate {
    const { ingress, at, type, path, condition, isDefault } = route;
    const words = condition === undefined ? '' : `, ${condition.words}`;
    const where = `${host === '*' ? 'all hosts' : host}, path ${type === 'Exact' ? '= ' : type === 'Regex' ? '~ ' : ''}${path}`;
    return {
      rule: { description: `${protocol} ${where}${words}`, manifest: ingress.manifest, path: at },
      matches: allOf([this.pathTest(route), ...(condition === undefined ? [] : [condition.test])]),
      answer: this.redirect(ingress, protocol) ?? once(() => this.answer(route)),
      ...(isDefault ? { isDefault } : {}),
    };
  }

  private pathTest({ type, path, ingress }: GatewayRoute): RequestTest {
    if (type === 'Exact') return (request) => request.path === path;
    if (type === 'Prefix') return (request) => isUnder(request.path, path);
    const isWhole = this.annotations(ingress).bool('full-path-regex') === true;
    const test = compileRegex(isWhole ? path : `${path}.*`, { whole: true });
    return (request) => test?.(request.path) ?? false;
  }

  private redirect(ingress: Ingress, protocol: 'HTTP' | 'HTTPS'): Answer | undefined {
    const annotations = this.annotations(ingress);
    const wanted = annotations.bool('ssl-redirect') === true || annotations.bool('force-ssl-redirect') === true;
    if (!wanted || protocol === 'HTTPS') return undefined;
    return { kind: 'redirect', statusCode: '308', protocol: 'HTTPS' };
  }

  private answer({ targets, weightTotal, fallback }: GatewayRoute): Answer {
    return servicesAnswer(
      percentages(targets, weightTotal).map((target, index) => {
        const destination = this.destination(target);
        const other = fallback ?? (index > 0 ? targets[0] : undefined);
        if (destination.unavailable === undefined || other === undefined) return destination;
        return this.destination({ ...other, weight: target.weight });
      }),
    );
  }

  private destination({ service, port, weight, subset }: Target) {
    return this.services.destination(service, port, weight, subset);
  }

  private addMains(mains: readonly Ingress[]): void {
    const owners = new Map<string, Ingress>();
    for (const ingress of mains) {
      this.addTlsHosts(ingress.manifest);
      const own = new Map<string, Set<GatewayRoute['type']>>();
      for (const rule of ingress.rules) {
        const host = rule.host.toLowerCase() || '*';
        for (const path of rule.paths) this.addMain(ingress, host, path, owners, own);
      }
      for (const key of own.keys()) owners.set(key, ingress);
    }
    for (const routes of this.routes.values()) sortRoutes(routes);
  }

  private addTlsHosts(manifest: Manifest): void {
    for (const entry of listOf(valueIn(manifest.object, 'spec', 'tls'))) {
      const hosts = textsOf(valueIn(entry, 'hosts'));
      for (const host of hosts.length === 0 ? ['*'] : hosts) this.tlsHosts.add(host.toLowerCase());
    }
  }

  private addMain(
    ingress: Ingress,
    host: string,
    path: IngressPath,
    owners: ReadonlyMap<string, Ingress>,
    own: Map<string, Set<GatewayRoute['type']>>,
  ): void {
    const route = this.routeOf(ingress, path);
    if (route === undefined) return;
    const key = `${host} ${route.path}`;
    const owner = owners.get(key);
    const types = own.get(key) ?? new Set();
    if (owner !== undefined || types.has(route.type)) {
      const why = `${(owner ?? ingress).key} has the path ${route.path} of ${host} already`;
      this.ignored.push({ manifest: ingress.manifest, path: path.at, reason: 'path-taken', why });
      return;
    }
    own.set(key, types.add(route.type));
    addTo(this.routes, host, route);
  }

  /** Routes of a default backend: `/` of the hosts of the Ingress, and of all hosts. */
  private addDefaultBackend(ingress: Ingress): void {
    const { defaultBackend } = ingress;
    if (defaultBackend?.service === undefined) return;
    const path = { path: '/', pathType: 'Prefix', backend: defaultBackend, at: defaultBackend.at };
    const route = this.routeOf(ingress, path, true);
    if (route === undefined) return;
    const hosts = new Set(['*', ...ingress.rules.map(({ host }) => host.toLowerCase() || '*')]);
    for (const host of hosts) {
      if (!this.routes.get(host)?.some(isCatchAll)) addTo(this.routes, host, { ...route });
    }
  }

  private routeOf(ingress: Ingress, path: IngressPath, isDefault = false): GatewayRoute | undefined {
    const target = this.targetOf(ingress, path);
    if (target === undefined) return undefined;
    const text = path.path || '/';
    const type = this.isRegex(ingress, text) ? 'Regex' : path.pathType === 'Exact' ? 'Exact' : 'Prefix';
    const trimmed = type === 'Prefix' && text !== '/' ? text.replace(/\/$/, '') : text;
    return {
      ingress,
      at: path.at,
      type,
      path: trimmed,
      isDefault,
      condition: undefined,
      targets: [target],
      weightTotal: 0,
      fallback: undefined,
    };
  }

  private targetOf(ingress: Ingress, { backend, at }: IngressPath): Target | undefined {
    if (backend.service === undefined) {
      this.ignore(ingress, at, 'backend-without-service', 'only backends that are Services make routes');
      return undefined;
    }
    const service = { namespace: ingress.namespace, name: backend.service.name };
    const { port } = backend.service;
    const ports = portsOf(this.services.find(service));
    const named = ports.find(({ name }) => name === port);
    if (typeof port === 'string' && numberOf(named?.port) === undefined) {
      this.ignore(ingress, at, 'port-not-found', `Service ${service.name} has no port named ${port}`);
      return undefined;
    }
    return { service, port, weight: 100, subset: this.dialect.subset(this.annotations(ingress)) };
  }

  private addCanary(ingress: Ingress): void {
    for (const rule of ingress.rules) {
      const host = rule.host.toLowerCase() || '*';
      for (const path of rule.paths) this.addCanaryPath(ingress, host, path);
    }
  }

  private addCanaryPath(ingress: Ingress, host: string, path: IngressPath): void {
    const canary = this.routeOf(ingress, path);
    if (canary === undefined) return;
    const routes = this.routes.get(host) ?? [];
    const position = routes.findIndex((route) => route.condition === undefined && isSamePath(route, canary));
    const main = routes[position];
    if (main === undefined) {
      const why = `no other Ingress has the path ${canary.path}, with the same pathType, for ${host}`;
      this.ignore(ingress, path.at, 'canary-without-main', why);
      return;
    }
    const condition = conditionsFor(this.dialect)(ingress);
    if (condition !== undefined) {
      routes.splice(position, 0, { ...canary, condition, fallback: main.targets[0] });
      return;
    }
    const annotations = this.annotations(ingress);
    const weight = Math.max(annotations.integer('canary-weight') ?? 0, 0);
    const total = annotations.integer('canary-weight-total') ?? 100;
    if (main.weightTotal === 0) main.weightTotal = total > 0 ? total : 100;
    main.targets = [...main.targets, { ...canary.targets[0]!, weight }];
  }

  private isCanary(ingress: Ingress): boolean {
    return this.annotations(ingress).bool('canary') === true;
  }

  private isRegex(ingress: Ingress, path: string): boolean {
    const annotations = this.annotations(ingress);
    const target = annotations.text('rewrite-target') ?? '';
    if (target !== '' && /[\\.+*?()|[\]{}^$]/.test(path)) return true;
    if (/[$\\]/.test(target)) return true;
    return annotations.bool('use-regex') === true || annotations.bool('full-path-regex') === true;
  }

  private annotations(ingress: Ingress): PrefixedAnnotations {
    return annotationsFor(this.dialect)(ingress);
  }

  private ignore({ manifest }: Ingress, path: Path, reason: string, why: string): void {
    this.ignored.push({ manifest, path, reason, why });
  }
}

/** Header and query parameter come before the cookie; without any of them the weight decides. */
function conditionOf(annotations: PrefixedAnnotations, dialect: GatewayDialect): GatewayRoute['condition'] {
  const header = dialect.headerTest(annotations);
  const query = dialect.queryTest(annotations);
  if (header !== undefined || query !== undefined) {
    return {
      words: [header?.words, query?.words].filter((words) => words !== undefined).join(' and '),
      test: (request) =>
        (header === undefined || passes(header, headerOf(request, header.name))) &&
        (query === undefined || passes(query, queryOf(request, query.name))),
    };
  }
  const cookie = annotations.text('canary-by-cookie');
  if (cookie === undefined) return undefined;
  const test = compileRegex(`^(.*?;\\s*)?(${cookie}=always)(;.*)?$`, { whole: true });
  return {
    words: `cookie ${cookie} is "always"`,
    test: (request) => test?.(headerOf(request, 'cookie') ?? '') ?? false,
  };
}

function passes({ test }: ConditionTest, value: string | undefined): boolean {
  return value !== undefined && test(value);
}

function isSamePath(a: GatewayRoute, b: GatewayRoute): boolean {
  return a.path === b.path && a.type === b.type;
}

function isCatchAll({ type, path }: GatewayRoute): boolean {
  return type === 'Prefix' && path === '/';
}

const TYPE_ORDER = { Exact: 0, Prefix: 1, Regex: 2 } as const;

/** Exact paths come first, then prefixes, then expressions, the longest first in each group; `/` comes last. */
function sortRoutes(routes: GatewayRoute[]): void {
  routes.sort(
    (a, b) =>
      Number(isCatchAll(a)) - Number(isCatchAll(b)) ||
      TYPE_ORDER[a.type] - TYPE_ORDER[b.type] ||
      b.path.length - a.path.length,
  );
}

/** Percentages are rounded down to integers; the rest goes to the main destination. */
function percentages(targets: readonly Target[], weightTotal: number): readonly Target[] {
  const [main, ...canaries] = targets;
  if (main === undefined || canaries.length === 0) return targets;
  const total = Math.max(
    weightTotal,
    canaries.reduce((sum, { weight }) => sum + weight, 0),
  );
  // The gateway divides in single precision.
  const scaled = canaries.map((target) => ({
    ...target,
    weight: Math.trunc(Math.fround(Math.fround(target.weight / total) * 100)),
  }));
  return [{ ...main, weight: 100 - scaled.reduce((sum, { weight }) => sum + weight, 0) }, ...scaled];
}
