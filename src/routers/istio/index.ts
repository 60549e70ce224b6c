import { type Json, type Manifest, ownValue, type World } from '../../core';
import { addTo } from '../../core/grouped';
import { remembered } from '../../core/remembered';
import { HostIndex, intersectHosts } from '../hosts';
import { type IstioFacts, LATEST_ISTIO_FACTS } from '../istio-version';
import { nameOfKind } from '../kinds';
import { type Candidate, fixedResponse, listenerOf, once } from '../listener';
import { dottedHostOf, envoyHeadersOf, hostOf, joinedHeadersOf } from '../request';
import { requestedService } from '../requested-service';
import type { Answer, HttpRequest, Ignored, Listener, LoadBalancer, Router, RouteTable } from '../router';
import { portsOf, type ServiceRef, servicesAnswer } from '../services';
import { byAge, compareText, keyOf, listOf, nameOf, numberOf, textOf, textsOf, valueIn } from '../values';
import { Destinations } from './destinations';
import { GATEWAY, SERVICE_ENTRY, VIRTUAL_SERVICE } from './kinds';
import type { RouteContext } from './match';
import { fqdnOf, resolveHost } from './names';
import { ISTIO_READS, virtualServicesByGateway } from './reads';
import { type CompiledRule, compileVirtualService, gatewaysOf, type RouteCandidate } from './virtual-service';

/** How Istio is set up. */
export interface IstioOptions {
  /**
   * What the release does.
   * @default - the facts of the newest release
   */
  readonly facts?: IstioFacts;
}

/**
 * Istio: `mesh`, which stands for the sidecars of clients, and every Gateway that exists or that a
 * VirtualService names.
 * @example
 * const mesh = istioRouter().routes(world).loadBalancers.find(({ name }) => name === 'mesh');
 * mesh?.listeners[0]?.route({ host: 'web', path: '/' });
 */
export function istioRouter({ facts = LATEST_ISTIO_FACTS }: IstioOptions = {}): Router {
  return {
    name: 'istio',
    expressions: 'RE2',
    reads: ISTIO_READS,
    shared: [GATEWAY, SERVICE_ENTRY],
    readTogether: virtualServicesByGateway,
    routes: (world) => new Istio(world, facts).routeTable(),
  };
}

/** A VirtualService at one port of one gateway; compiled when a request or a report first needs it. */
interface CompiledMember {
  readonly candidates: readonly RouteCandidate[];
  readonly ignored: readonly Ignored[];
}

class Istio {
  /** What is ignored at each load balancer, in the order of their names. */
  private readonly ignored: (() => readonly Ignored[])[] = [];
  private readonly headers: RouteContext['headers'];
  private readonly destinations: Destinations;
  private readonly virtualServices: readonly Manifest[];
  private readonly byGateway = new Map<string, Manifest[]>();

  constructor(
    private readonly world: World,
    { comparesEachHeader }: IstioFacts,
  ) {
    this.headers = comparesEachHeader ? envoyHeadersOf : joinedHeadersOf;
    this.destinations = new Destinations(world);
    this.virtualServices = byAge(world, world.list(nameOfKind(VIRTUAL_SERVICE)));
    for (const gateway of ['mesh', ...world.list(nameOfKind(GATEWAY)).map((manifest) => keyOf(world, manifest))]) {
      this.byGateway.set(gateway, []);
    }
    for (const virtualService of this.virtualServices) {
      // A VirtualService without hosts is a delegate of others.
      if (textsOf(valueIn(virtualService.object, 'spec', 'hosts')).length === 0) continue;
      for (const gateway of gatewaysOf(world, virtualService)) addTo(this.byGateway, gateway, virtualService);
    }
  }

  routeTable(): RouteTable {
    const loadBalancers = [...this.byGateway.keys()]
      .sort(compareText)
      .map((name) => (name === 'mesh' ? this.mesh() : this.gateway(name)));
    const unserved = once(() => this.unserved(loadBalancers));
    const ignored = once(() => withoutRepeated(this.ignored.flatMap((part) => part())));
    return {
      loadBalancers,
      get unserved() {
        return unserved();
      },
      get ignored() {
        return ignored();
      },
    };
  }

  private unserved(loadBalancers: readonly LoadBalancer[]): readonly Manifest[] {
    const used = new Set(loadBalancers.flatMap(({ members }) => members));
    const delegated = new Set(
      loadBalancers.flatMap(({ listeners }) => listeners.flatMap(({ rules }) => rules.map(({ manifest }) => manifest))),
    );
    return this.virtualServices.filter((each) => !used.has(each) && !delegated.has(each));
  }

  private mesh(): LoadBalancer {
    const members = this.byGateway.get('mesh')!;
    const byHost = this.ownersByHost(members);
    const ports = new Set([80, ...this.world.list('Service').flatMap(httpPorts)]);
    const listeners = [...ports].sort((a, b) => a - b).map((port) => this.meshListener(port, byHost));
    return { name: 'mesh', members, listeners };
  }

  /** The mesh uses the oldest VirtualService of each host. */
  private ownersByHost(members: readonly Manifest[]): HostIndex<Manifest> {
    const byHost = new HostIndex<Manifest>();
    const ignored: Ignored[] = [];
    for (const member of members) {
      const namespace = this.world.namespaceOf(member);
      for (const [index, host] of textsOf(valueIn(member.object, 'spec', 'hosts')).entries()) {
        const resolved = resolveHost(host, namespace);
        if (!byHost.has(resolved)) {
          byHost.add(resolved, member);
          continue;
        }
        const why = `an older VirtualService has the host ${resolved} in the mesh already`;
        ignored.push({ manifest: member, path: ['spec', 'hosts', index], reason: HOST_TAKEN, why });
      }
    }
    this.ignored.push(() => ignored);
    return byHost;
  }

  private meshListener(port: number, byHost: HostIndex<Manifest>): Listener {
    const context = { gateway: 'mesh', port, scheme: 'http', headers: this.headers } as const;
    const compiled = this.compiled(this.byGateway.get('mesh')!, context);
    const candidatesFor = (request: HttpRequest): readonly RouteCandidate[] => {
      const service = this.serviceFor(request);
      const member = byHost.best(service === undefined ? hostOf(request) : fqdnOf(service))[0];
      return (member && compiled.get(member)?.().candidates) ?? [];
    };
    return listenerOf({
      port,
      protocol: 'HTTP',
      candidates: () => [...compiled.values()].flatMap((member) => member().candidates),
      reachable: candidatesFor,
      otherwise: (request) =>
        candidatesFor(request).length > 0 ? fixedResponse(404) : this.withoutVirtualService(request, port),
    });
  }

  private compiled(members: readonly Manifest[], context: RouteContext): ReadonlyMap<Manifest, () => CompiledMember> {
    const compiled = new Map(
      members.map((member) => [
        member,
        once(() => {
          const { rules, ignored } = compileVirtualService(member, context, this.world);
          return { candidates: rules.map((rule) => this.candidateOf(rule)), ignored };
        }),
      ]),
    );
    this.ignored.push(() => members.flatMap((member) => compiled.get(member)!().ignored));
    return compiled;
  }

  private candidateOf({ answer, ...rule }: CompiledRule): RouteCandidate {
    return { ...rule, answer: once(() => answer(this.destinations)) };
  }

  private serviceFor(request: HttpRequest): ServiceRef | undefined {
    return requestedService(this.world, hostOf(request), request.source?.namespace);
  }

  /** The Service itself; requests to unknown hosts leave the mesh. */
  private withoutVirtualService(request: HttpRequest, port: number): Answer {
    const service = this.serviceFor(request);
    if (service === undefined) return servicesAnswer([{ target: hostOf(request), port, weight: 1 }]);
    return servicesAnswer([this.destinations.services.destination(service, port, 1)]);
  }

  private gateway(name: string): LoadBalancer {
    const [namespace, ...rest] = name.split('/');
    const manifest = this.world.find(nameOfKind(GATEWAY), rest.join('/'), namespace);
    const members = this.byGateway.get(name)!;
    const servers = manifest === undefined ? ASSUMED_SERVERS : listOf(valueIn(manifest.object, 'spec', 'servers'));
    const byPort = new Map<number, Json[]>();
    for (const server of servers) {
      const port = numberOf(valueIn(server, 'port', 'number'));
      const isPassthrough = valueIn(server, 'tls', 'mode') === 'PASSTHROUGH';
      if (port === undefined || isPassthrough || !HTTP_PROTOCOLS.has(protocolOf(server))) continue;
      addTo(byPort, port, server);
    }
    const listeners = [...byPort]
      .sort(([a], [b]) => a - b)
      .map(([port, here]) => this.gatewayListener(name, namespace!, port, here, members));
    return { name, members, listeners };
  }

  private gatewayListener(
    gateway: string,
    gatewayNamespace: string,
    port: number,
    servers: readonly Json[],
    members: readonly Manifest[],
  ): Listener {
    const isSecure = servers.some((server) => SECURE_PROTOCOLS.has(protocolOf(server)));
    const protocol = isSecure ? 'HTTPS' : 'HTTP';
    const context = { gateway, port, scheme: isSecure ? 'https' : 'http', headers: this.headers } as const;
    const compiled = this.compiled(members, context);
    const candidatesOf = (member: Manifest) => compiled.get(member)!().candidates;
    const byHost = once(() => {
      const index = new HostIndex<RouteCandidate>();
      for (const member of members) {
        for (const host of this.servedHosts(member, servers, gatewayNamespace)) {
          for (const candidate of candidatesOf(member)) index.add(host, candidate);
        }
      }
      return index;
    });
    const redirected = new HostIndex<true>();
    for (const server of servers) {
      if (valueIn(server, 'tls', 'httpsRedirect') !== true) continue;
      for (const host of textsOf(ownValue(server, 'hosts'))) redirected.add(splitHost(host).host, true);
    }
    const isRedirected = (request: HttpRequest) => redirected.best(dottedHostOf(request)).length > 0;
    return listenerOf({
      port,
      protocol,
      candidates: () => members.flatMap(candidatesOf),
      reachable: (request) => (isRedirected(request) ? [] : catchAllLast(byHost().best(dottedHostOf(request)))),
      otherwise: (request) => (isRedirected(request) ? HTTPS_REDIRECT : fixedResponse(404)),
    });
  }

  /** The hosts of a VirtualService that the servers accept. */
  private servedHosts(member: Manifest, servers: readonly Json[], gatewayNamespace: string): ReadonlySet<string> {
    const namespace = this.world.namespaceOf(member);
    const hosts = textsOf(valueIn(member.object, 'spec', 'hosts')).map((host) => resolveHost(host, namespace));
    const served = servers
      .flatMap((server) => textsOf(ownValue(server, 'hosts')))
      .flatMap((text) => {
        const { from, host } = splitHost(text);
        const isAllowed = from === '*' || from === namespace || (from === '.' && namespace === gatewayNamespace);
        return isAllowed ? hosts.flatMap((own) => intersectHosts(own, host) ?? []) : [];
      });
    return new Set(served);
  }
}

/** A VirtualService delegates to the same at each port. */
function withoutRepeated(ignored: readonly Ignored[]): readonly Ignored[] {
  const isFirst = ({ manifest, why }: Ignored, index: number) =>
    ignored.findIndex((other) => other.manifest === manifest && other.why === why) === index;
  return ignored.filter((each, index) => each.reason === HOST_TAKEN || isFirst(each, index));
}

const HOST_TAKEN = 'host-taken';

const HTTPS_REDIRECT = { kind: 'redirect', statusCode: '301', protocol: 'HTTPS' } as const;

const SECURE_PROTOCOLS = new Set(['HTTPS']);
const HTTP_PROTOCOLS = new Set(['HTTP', 'HTTP2', 'GRPC', ...SECURE_PROTOCOLS]);

/** The servers of a Gateway that is not in the manifests: the operators of the cluster own it. */
const ASSUMED_SERVERS: readonly Json[] = [
  { port: { number: 80, protocol: 'HTTP' }, hosts: ['*'] },
  { port: { number: 443, protocol: 'HTTPS' }, hosts: ['*'] },
];

function protocolOf(server: Json): string {
  return (textOf(valueIn(server, 'port', 'protocol')) ?? '').toUpperCase();
}

/** Splits `namespace/host` of a server: VirtualServices of the namespace may use the host. */
function splitHost(text: string): { readonly from: string; readonly host: string } {
  const slash = text.indexOf('/');
  return slash < 0 ? { from: '*', host: text } : { from: text.slice(0, slash), host: text.slice(slash + 1) };
}

/** Where several VirtualServices share a host, rules that take every request come last. */
const catchAllLast = remembered((candidates: readonly RouteCandidate[]): readonly Candidate[] => [
  ...candidates.filter(({ isCatchAll }) => !isCatchAll),
  ...candidates.filter(({ isCatchAll }) => isCatchAll),
]);

const OTHER_PROTOCOLS = /^(tcp|udp|tls|https|mongo|mysql|redis)(-|$)/;

/** The HTTP ports of a Service, by protocol or name. A port with neither counts as HTTP. */
const httpPorts = remembered((service: Manifest): readonly number[] =>
  portsOf(service).flatMap((port) => {
    const protocol = nameOf(port.appProtocol) ?? nameOf(port.name) ?? '';
    const number = numberOf(port.port);
    const isHttp = !OTHER_PROTOCOLS.test(protocol) && (port.protocol ?? 'TCP') === 'TCP';
    return isHttp && number !== undefined ? [number] : [];
  }),
);
