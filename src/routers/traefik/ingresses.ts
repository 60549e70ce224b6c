/** The routes that Traefik makes of Ingresses. */
import type { World } from '../../core';
import { type IngressClassOptions, servesIngress } from '../ingress/class';
import { type Annotations, type Backend, type Ingress, type IngressPath, readIngress } from '../ingress/ingress';
import { INGRESS } from '../ingress/kinds';
import { nameOfKind } from '../kinds';
import type { Ignored, RouteRule, ServicesAnswer } from '../router';
import { servicesAnswer } from '../services';
import { byAge } from '../values';
import type { Backends } from './backends';
import { redirectsOfNames } from './redirects';
import { RouteError, readRule, routeOf, type TraefikRoute, unlessDropped } from './route';
import type { RuleSyntax } from './rule';
import type { TraefikFacts } from './version';

/** Which Ingresses Traefik serves, and how it reads their paths. */
export interface IngressOptions extends IngressClassOptions {
  /**
   * Whether the prefix `/cart` takes `/cart/pay` and not `/cartoon`, as Kubernetes defines it.
   * @default false
   */
  readonly strictPrefixMatching?: boolean;
}

const CONTROLLER = { controllers: ['traefik.io/ingress-controller'], className: 'traefik' };

/** What annotations say of the routes of an Ingress. */
interface RouterAnnotations {
  readonly pathMatcher: string;
  readonly entryPoints: readonly string[];
  readonly middlewares: readonly string[];
  readonly priority: number;
  readonly syntax: RuleSyntax;
  readonly hasTls: boolean;
}

/** Behind every rule: a default backend takes what nothing else takes. */
const LAST = -(2 ** 31);

/** Reads Ingresses, and notes what makes no route. */
export class Ingresses {
  readonly served: readonly Ingress[];
  readonly ignored: Ignored[] = [];

  constructor(
    private readonly world: World,
    private readonly backends: Backends,
    private readonly facts: TraefikFacts,
    private readonly options: IngressOptions,
  ) {
    this.served = byAge(world, world.list(nameOfKind(INGRESS)))
      .map((manifest) => readIngress(world, manifest))
      .filter((ingress) => !ingress.deleted && servesIngress(world, ingress, CONTROLLER, options));
  }

  routes(): readonly TraefikRoute[] {
    const routes = this.served.flatMap((ingress) => this.routesOf(ingress));
    const defaults = routes.filter(({ candidate }) => candidate.isDefault);
    if (defaults.length < 2) return routes;
    // Traefik takes the default backend of the Ingress that it happens to read first.
    const names = defaults.map(({ candidate }) => candidate.rule.manifest.name).join(', ');
    const why = `Traefik takes one default backend, and these Ingresses have one each: ${names}`;
    return routes
      .filter((route) => !defaults.includes(route) || route === defaults[0])
      .map((route) =>
        route === defaults[0] ? { ...route, candidate: { ...route.candidate, unknown: () => why } } : route,
      );
  }

  private routesOf(ingress: Ingress): readonly TraefikRoute[] {
    const { rules, defaultBackend } = ingress;
    const ofPaths = () => {
      const said = routerAnnotations(ingress.annotations, this.facts);
      if (rules.length > 0 || defaultBackend === undefined) return this.pathRoutes(ingress, said);
      const place = { manifest: ingress.manifest, path: defaultBackend.at };
      return unlessDropped(this.ignored, place, () => this.defaultRoute(ingress, defaultBackend, said));
    };
    if (rules.length > 0 && defaultBackend !== undefined) {
      const why = 'Traefik takes the default backend of an Ingress without rules only';
      this.ignored.push({ manifest: ingress.manifest, path: defaultBackend.at, reason: 'route-dropped', why });
    }
    return unlessDropped(this.ignored, { manifest: ingress.manifest }, ofPaths);
  }

  private pathRoutes(ingress: Ingress, said: RouterAnnotations): readonly TraefikRoute[] {
    // The rule is a part of the router's name, so the last of equal paths replaces the earlier ones.
    const byRule = new Map<string, TraefikRoute>();
    for (const { host, paths } of ingress.rules) {
      for (const path of paths) {
        unlessDropped(this.ignored, { manifest: ingress.manifest, path: path.at }, () => {
          const rule = this.ruleOf(host, path, said);
          const route = this.pathRoute(ingress, rule, path, said);
          const replaced = byRule.get(rule)?.candidate.rule;
          if (replaced !== undefined) this.replace(replaced);
          byRule.set(rule, route);
          return [route];
        });
      }
    }
    return [...byRule.values()];
  }

  private replace({ manifest, path }: RouteRule): void {
    const why = 'another path of the Ingress makes the same rule and replaces it';
    this.ignored.push({ manifest, ...(path && { path }), reason: 'route-replaced', why });
  }

  private pathRoute(ingress: Ingress, rule: string, path: IngressPath, said: RouterAnnotations): TraefikRoute {
    const { entryPoints, hasTls, priority, syntax, middlewares } = said;
    return routeOf(this.world, {
      manifest: ingress.manifest,
      at: path.at,
      rule: readRule(rule, syntax, this.facts),
      priority,
      entryPoints,
      hasTls,
      redirects: redirectsOfNames(this.world, middlewares),
      answer: this.answerOf(ingress, path.backend),
    });
  }

  private defaultRoute(ingress: Ingress, backend: Backend, said: RouterAnnotations): readonly TraefikRoute[] {
    const route = routeOf(this.world, {
      manifest: ingress.manifest,
      at: backend.at,
      rule: readRule('PathPrefix("/")', 'v3', this.facts),
      priority: LAST,
      entryPoints: said.entryPoints,
      hasTls: said.hasTls,
      redirects: redirectsOfNames(this.world, said.middlewares),
      answer: this.answerOf(ingress, backend),
      isDefault: true,
    });
    return [route];
  }

  private answerOf({ namespace }: Ingress, { service }: Backend): ServicesAnswer {
    if (service === undefined) throw new RouteError('Traefik takes no backends but Services');
    const destination = this.backends.service(service.name, namespace, service.port);
    return servicesAnswer([destination], { sticky: this.isSticky(service.name, namespace) });
  }

  private isSticky(name: string, namespace: string): boolean {
    const service = this.world.find('Service', name, namespace);
    return Object.keys(service?.annotations ?? {}).some((key) => key.startsWith(`${PREFIX}service.sticky`));
  }

  private ruleOf(host: string, { path, pathType }: IngressPath, said: RouterAnnotations): string {
    const parts = [...(host === '' ? [] : [hostRule(host, said.syntax, this.facts)])];
    if (path !== '') parts.push(this.pathRule(path, pathType, said.pathMatcher));
    return parts.join(' && ');
  }

  private pathRule(path: string, pathType: string | undefined, pathMatcher: string): string {
    if (pathType === 'Exact') return `Path(${quoted(path)})`;
    const matcher = pathType === 'Prefix' ? 'PathPrefix' : pathMatcher;
    if (!MATCHERS.includes(matcher)) {
      throw new RouteError(
        `the annotation ${ROUTER}pathmatcher is ${matcher}, and Traefik takes ${MATCHERS.join(', ')}`,
      );
    }
    if (matcher !== 'PathPrefix' || this.options.strictPrefixMatching !== true) return `${matcher}(${quoted(path)})`;
    const segments = path.replace(/\/$/, '');
    return segments === '' ? 'PathPrefix("/")' : `(Path(${quoted(segments)}) || PathPrefix(${quoted(`${segments}/`)}))`;
  }
}

function hostRule(host: string, syntax: RuleSyntax, { hostWildcards }: TraefikFacts): string {
  if (!host.startsWith('*.') || (syntax === 'v3' && hostWildcards)) return `Host(${quoted(host)})`;
  const label = '[a-zA-Z0-9-]+';
  if (syntax === 'v2') return `HostRegexp(${quoted(host.replace('*', `{subdomain:${label}}`))})`;
  return `HostRegexp(${quoted(`^${label}${host.slice(1).replaceAll('.', '\\.')}$`)})`;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

const PREFIX = 'traefik.ingress.kubernetes.io/';
const ROUTER = `${PREFIX}router.`;

/** One that Traefik does not know makes it skip the whole Ingress. */
const KNOWN = /^(?:pathmatcher|entrypoints|middlewares|priority|rulesyntax|tls(?:\..+)?|observability(?:\..+)?)$/;
const MATCHERS = ['Path', 'PathPrefix', 'PathRegexp'];

function routerAnnotations(annotations: Annotations, { ruleSyntax }: TraefikFacts): RouterAnnotations {
  // Traefik reads them in any case.
  const said = new Map(
    Object.entries(annotations)
      .filter(([key]) => key.startsWith(ROUTER))
      .map(([key, value]) => [key.slice(ROUTER.length).toLowerCase(), value]),
  );
  const unknown = [...said.keys()].find((key) => !KNOWN.test(key));
  if (unknown !== undefined) {
    throw new RouteError(`Traefik skips the Ingress, because it knows no annotation ${ROUTER}${unknown}`);
  }
  const priority = said.get('priority') ?? '0';
  if (!/^[+-]?\d+$/.test(priority)) {
    throw new RouteError(`Traefik skips the Ingress, because the priority ${JSON.stringify(priority)} is no number`);
  }
  const pathMatcher = said.get('pathmatcher') || 'PathPrefix';
  return {
    pathMatcher,
    entryPoints: listIn(said.get('entrypoints')),
    middlewares: listIn(said.get('middlewares')),
    priority: Number(priority),
    syntax: said.get('rulesyntax') === 'v2' ? 'v2' : ruleSyntax,
    hasTls: said.get('tls') === 'true' || [...said.keys()].some((key) => key.startsWith('tls.')),
  };
}

function listIn(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
