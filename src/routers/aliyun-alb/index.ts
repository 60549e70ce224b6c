import { isJsonObject, type Manifest, ownValue, type Path, type World } from '../../core';
import { addTo } from '../../core/grouped';
import { lazy } from '../../core/lazy';
import { compileRegex } from '../../core/regex';
import { remembered } from '../../core/remembered';
import { HostIndex } from '../hosts';
import { ALB_PREFIX, USE_ANNOTATION } from '../ingress/alb-annotations';
import { ALB_INGRESS } from '../ingress/alb-reads';
import { classNameOf, type IngressClassOptions, servesIngress } from '../ingress/class';
import { type Ingress, type IngressPath, readIngress } from '../ingress/ingress';
import { ALB_CONFIG, ALIYUN_CONTROLLER, isAliyun } from '../ingress/is-aliyun';
import { INGRESS, INGRESS_CLASS } from '../ingress/kinds';
import { PrefixedAnnotations } from '../ingress/prefixed-annotations';
import { nameOfKind } from '../kinds';
import { type Candidate, fixedResponse, listenerOf } from '../listener';
import { allOf, cookieOf, headerOf, hostOf, isUnder, type RequestTest } from '../request';
import {
  type Answer,
  type Ignored,
  type Listener,
  type LoadBalancer,
  NO_ROUTES,
  type Router,
  type RouteTable,
} from '../router';
import { type ServiceRef, Services, servicesAnswer } from '../services';
import { compareText, listOf, nameOf, textsOf, valueIn } from '../values';

const CONTROLLER = { controllers: [ALIYUN_CONTROLLER], className: 'alb' };
const DEFAULT_ORDER = 10;
const MAX_ORDER = 1000;

/**
 * Alibaba Cloud's Application Load Balancer: one for each AlbConfig, or class that names none.
 * @example aliyunAlbRouter().routes(world).loadBalancers[0].listeners[0].route({ host: 'shop.example.com', path: '/' })
 */
export function aliyunAlbRouter(options: IngressClassOptions = {}): Router {
  return {
    name: 'aliyun-alb',
    reads: [ALB_INGRESS],
    shared: [INGRESS_CLASS, ALB_CONFIG],
    isUsed: isAliyun,
    routes(world): RouteTable {
      const ingresses = world.list(nameOfKind(INGRESS));
      if (ingresses.length === 0) return NO_ROUTES;
      const services = new Services(world);
      const groups = new Map<string, Ingress[]>();
      for (const manifest of ingresses) {
        const ingress = readIngress(world, manifest);
        if (servesIngress(world, ingress, CONTROLLER, options)) addTo(groups, albOf(world, ingress), ingress);
      }
      const albs = [...groups]
        .sort(([a], [b]) => compareText(a, b))
        .map(([name, ingresses]) => new Alb(name, ingresses, world, services));
      const loadBalancers = albs.map((alb) => alb.loadBalancer());
      // The rules have to be built first: building them collects what is ignored.
      const ignored = albs.flatMap((alb) => alb.ignored);
      return { loadBalancers, unserved: albs.flatMap((alb) => alb.unserved), ignored };
    },
  };
}

/** The AlbConfig that the class of an Ingress names. */
function albOf(world: World, ingress: Ingress): string {
  const className = classNameOf(world, ingress.manifest) ?? CONTROLLER.className;
  const declared = world.find(nameOfKind(INGRESS_CLASS), className);
  return nameOf(valueIn(declared?.object, 'spec', 'parameters', 'name')) ?? className;
}

const annotationsOf = PrefixedAnnotations.under(ALB_PREFIX);

interface Member {
  readonly ingress: Ingress;
  readonly annotations: PrefixedAnnotations;
  readonly order: number;
  /** True if the Ingress sets its order. Orders that are set must differ; default orders may be equal. */
  readonly isExplicit: boolean;
  readonly isCanary: boolean;
}

/** A rule and its host. An empty host stands for all hosts. */
interface HostRule {
  readonly host: string;
  readonly candidate: Candidate;
}

function candidateOf({ candidate }: HostRule): Candidate {
  return candidate;
}

class Alb {
  readonly ignored: Ignored[] = [];
  readonly unserved: Manifest[] = [];
  private readonly ignoredPaths = new Map<Manifest, Set<string>>();
  private readonly members: readonly Member[];

  constructor(
    private readonly name: string,
    ingresses: readonly Ingress[],
    private readonly world: World,
    private readonly services: Services,
  ) {
    const read = ingresses.flatMap((ingress) => this.read(ingress) ?? []);
    const sorted = read.sort((a, b) => a.order - b.order || compareText(a.ingress.key, b.ingress.key));
    this.members = this.withoutCollisions(sorted);
  }

  loadBalancer(): LoadBalancer {
    const ports = new Map<string, { readonly port: number; readonly protocol: 'HTTP' | 'HTTPS' }>();
    for (const member of this.members)
      for (const listen of portsOf(member.ingress)) ports.set(String(listen.port), listen);
    const listeners = [...ports.values()].sort((a, b) => a.port - b.port).map((listen) => this.listener(listen));
    return { name: this.name, members: this.members.map(({ ingress }) => ingress.manifest), listeners };
  }

  private listener({ port, protocol }: { readonly port: number; readonly protocol: 'HTTP' | 'HTTPS' }): Listener {
    const here = this.members.filter((member) => portsOf(member.ingress).some((listen) => listen.port === port));
    const rules = here.flatMap((member) => this.candidatesOf(member, protocol));
    const numbered = rules.map(({ host, candidate }, index) => ({
      host,
      index,
      candidate: withNumber(candidate, index + 1, protocol, port),
    }));
    const byHost = new HostIndex<(typeof numbered)[number]>();
    for (const rule of numbered) byHost.add(rule.host, rule);
    return listenerOf({
      port,
      protocol,
      candidates: numbered.map(({ candidate }) => candidate),
      // Rules are tried in their order, whatever the precision of their hosts.
      reachable: (request) => [...byHost.all(hostOf(request))].sort((a, b) => a.index - b.index).map(candidateOf),
      otherwise: fixedResponse(503),
    });
  }

  private read(ingress: Ingress): Member | undefined {
    const annotations = annotationsOf(ingress);
    const text = annotations.text('order');
    const order = text === undefined ? DEFAULT_ORDER : annotations.integer('order');
    const isCanary = annotations.bool('canary') === true;
    if (order === undefined || order < 1 || order > MAX_ORDER) {
      const why = `${ALB_PREFIX}/order is "${text}", and must be an integer from 1 to ${MAX_ORDER}`;
      return this.refuse(ingress, 'order', 'order', why);
    }
    const byCondition = annotations.text('canary-by-header') ?? annotations.text('canary-by-cookie');
    if (isCanary && byCondition !== undefined && annotations.text('canary-weight') !== undefined) {
      const why =
        'canary-weight and canary-by-header or canary-by-cookie are not allowed on one Ingress: use two Ingresses';
      return this.refuse(ingress, 'canary-weight', 'canary-combination', why);
    }
    return { ingress, annotations, order, isExplicit: text !== undefined, isCanary };
  }

  /** Removes the later one of two Ingresses with the same order: it gets no rules. */
  private withoutCollisions(members: readonly Member[]): readonly Member[] {
    const byOrder = new Map<number, Member>();
    return members.filter((member) => {
      if (!member.isExplicit) return true;
      const first = byOrder.get(member.order);
      if (first === undefined) {
        byOrder.set(member.order, member);
        return true;
      }
      const why = `${first.ingress.key} has the order ${member.order} already, and orders of one ALB must differ`;
      this.refuse(member.ingress, 'order', 'duplicate-order', why);
      return false;
    });
  }

  private refuse({ manifest }: Ingress, annotation: string, reason: string, why: string): undefined {
    this.unserved.push(manifest);
    this.ignore(manifest, annotationPath(annotation), reason, why);
    return undefined;
  }

  private ignore(manifest: Manifest, path: Path, reason: string, why: string): void {
    const known = this.ignoredPaths.get(manifest) ?? new Set();
    if (known.has(path.join())) return;
    this.ignoredPaths.set(manifest, known.add(path.join()));
    this.ignored.push({ manifest, path, reason, why });
  }

  private candidatesOf(member: Member, protocol: 'HTTP' | 'HTTPS'): readonly HostRule[] {
    const { ingress } = member;
    const paths = ingress.rules.flatMap(({ host, paths }) => paths.map((path) => ({ host, path })));
    const rules = paths.flatMap(({ host, path }) =>
      this.candidatesOfPath(member, host, path, protocol).map((candidate) => ({ host, candidate })),
    );
    const { defaultBackend } = ingress;
    if (defaultBackend === undefined || member.isCanary) return rules;
    const answer = this.forward(ingress, {
      path: '/',
      pathType: 'Prefix',
      backend: defaultBackend,
      at: defaultBackend.at,
    });
    const rule = { description: 'all requests', manifest: ingress.manifest, path: defaultBackend.at };
    if (answer === undefined) return rules;
    return [...rules, { host: '', candidate: { rule, matches: () => true, answer, isDefault: true } }];
  }

  private candidatesOfPath(
    member: Member,
    host: string,
    path: IngressPath,
    protocol: 'HTTP' | 'HTTPS',
  ): readonly Candidate[] {
    const { ingress, annotations } = member;
    const forward = this.forward(ingress, path);
    if (forward === undefined) return [];
    const isHere = pathTest(annotations, path);
    const where = `host is ${host || '*'} and path is ${path.path || '/'}${path.pathType === 'Prefix' ? '*' : ''}`;
    const candidate = (answer: Answer, words = '', test?: RequestTest): Candidate => ({
      rule: { description: `${where}${words}`, manifest: ingress.manifest, path: path.at },
      matches: test === undefined ? isHere : allOf([isHere, test]),
      answer,
    });
    if (protocol === 'HTTP' && annotations.bool('ssl-redirect') === true) {
      return [candidate({ kind: 'redirect', statusCode: '308', protocol: 'HTTPS', port: '443' })];
    }
    if (!member.isCanary) return [candidate(forward)];
    const conditions = canaryConditions(annotations);
    if (conditions.length > 0) return conditions.map(({ words, test }) => candidate(forward, ` and ${words}`, test));
    const weighted = this.weighted(member, host, path);
    return weighted === undefined ? [] : [candidate(weighted)];
  }

  private forward({ namespace, manifest }: Ingress, { backend, at }: IngressPath): Answer | undefined {
    if (backend.service !== undefined && backend.service.port !== USE_ANNOTATION) {
      const ref = { namespace, name: backend.service.name };
      return servicesAnswer([this.services.destination(ref, backend.service.port, 100)]);
    }
    const why = 'custom actions (use-annotation) and backends other than Services are not modelled';
    this.ignore(manifest, at, 'backend-without-service', why);
    return undefined;
  }

  /** Splits requests between the canary and the Ingress with the same host and path. */
  private weighted({ ingress, annotations }: Member, host: string, path: IngressPath): Answer | undefined {
    const main = this.mains().get(placeKey(host, path));
    if (main === undefined) {
      const why = `no other Ingress of this ALB has the host ${host || '*'} and the path ${path.path || '/'}`;
      this.ignore(ingress.manifest, path.at, 'canary-without-main', why);
      return undefined;
    }
    const weight = Math.min(Math.max(annotations.integer('canary-weight') ?? 0, 0), 100);
    const { name, port } = path.backend.service!;
    return servicesAnswer([
      this.services.destination(main.ref, main.port, 100 - weight),
      this.services.destination({ namespace: ingress.namespace, name }, port, weight),
    ]);
  }

  /** The Services that main Ingresses send requests to, by host and path: the first Ingress counts, and its first path. */
  private readonly mains = lazy(() => {
    const mains = new Map<string, { readonly ref: ServiceRef; readonly port: number | string }>();
    for (const { ingress, isCanary } of this.members) {
      if (isCanary) continue;
      const own = new Map<string, IngressPath>();
      for (const { host, paths } of [...ingress.rules].reverse())
        for (const path of [...paths].reverse()) own.set(placeKey(host, path), path);
      const namespace = this.world.namespaceOf(ingress.manifest);
      for (const [key, { backend }] of own) {
        const { service } = backend;
        if (service === undefined || mains.has(key)) continue;
        mains.set(key, { ref: { namespace, name: service.name }, port: service.port });
      }
    }
    return mains;
  });
}

function placeKey(host: string, { path, pathType }: IngressPath): string {
  return JSON.stringify([host, path, pathType]);
}

/** The header condition comes before the cookie condition. */
function canaryConditions(
  annotations: PrefixedAnnotations,
): readonly { readonly words: string; readonly test: RequestTest }[] {
  const header = annotations.text('canary-by-header');
  const value = annotations.text('canary-by-header-value');
  const cookie = annotations.text('canary-by-cookie');
  const byHeader = header !== undefined && {
    words: `header ${header} is ${value === undefined ? 'there' : `"${value}"`}`,
    test: (request: Parameters<RequestTest>[0]) => {
      const found = headerOf(request, header);
      return found !== undefined && (value === undefined || found === value);
    },
  };
  const byCookie = cookie !== undefined && {
    words: `cookie ${cookie} is "always"`,
    test: (request: Parameters<RequestTest>[0]) => cookieOf(request, cookie) === 'always',
  };
  return [byHeader, byCookie].filter((condition) => condition !== false);
}

function pathTest(annotations: PrefixedAnnotations, { path, pathType }: IngressPath): RequestTest {
  if (annotations.bool('use-regex') === true) {
    const test = compileRegex(path);
    return (request) => test?.(request.path) ?? false;
  }
  if (pathType === 'Prefix' || path === '') return (request) => isUnder(request.path, path);
  return (request) => request.path === path;
}

interface ListenPort {
  readonly port: number;
  readonly protocol: 'HTTP' | 'HTTPS';
}

/** `[{"HTTP": 80}, {"HTTPS": 443}]`; without the annotation, HTTPS if `spec.tls` names hosts. */
const portsOf = remembered((ingress: Ingress): readonly ListenPort[] => {
  const annotations = annotationsOf(ingress);
  const listed = listOf(parseJson(annotations.text('listen-ports')) as never).flatMap((entry) =>
    isJsonObject(entry) ? Object.entries(entry) : [],
  );
  const ports = listed.flatMap(([protocol, port]) =>
    (protocol === 'HTTP' || protocol === 'HTTPS') && typeof port === 'number' ? [{ port, protocol } as const] : [],
  );
  if (ports.length > 0) return ports;
  const tls = listOf(valueIn(ingress.manifest.object, 'spec', 'tls'));
  const hasHosts = tls.some((entry) => textsOf(ownValue(entry, 'hosts')).length > 0);
  if (!hasHosts) return [{ port: 80, protocol: 'HTTP' }];
  const redirects = annotations.bool('ssl-redirect') === true;
  return [...(redirects ? [{ port: 80, protocol: 'HTTP' } as const] : []), { port: 443, protocol: 'HTTPS' }];
});

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

function withNumber(candidate: Candidate, number: number, protocol: string, port: number): Candidate {
  const description = `rule ${number} of ${protocol}:${port}: ${candidate.rule.description}`;
  return { ...candidate, rule: { ...candidate.rule, description } };
}

function annotationPath(name: string): Path {
  return ['metadata', 'annotations', `${ALB_PREFIX}/${name}`];
}
