import { type IngressClassOptions, servesIngress } from '../ingress/class';
import { INGRESS_CLASS } from '../ingress/kinds';
import { INGRESS_READ } from '../ingress/reads';
import { type Candidate, fixedResponse, listenerOf, once } from '../listener';
import { hostOf, nginxPathOf } from '../request';
import { type Answer, type Listener, NO_ROUTES, type Router, type RouteTable } from '../router';
import { portsOf, type ServiceRef, Services, servicesAnswer } from '../services';
import { numberOf } from '../values';
import { type Location, type Server, servedIngresses, type Upstream } from './nginx-configuration';
import { type Plan, type Site, sitesOf } from './nginx-site';
import { type IngressNginxFacts, IngressNginxVersion } from './nginx-version';

/** How ingress-nginx is set up. */
export interface NginxOptions extends IngressClassOptions {
  /**
   * What the release does.
   * @default IngressNginxVersion.LATEST.facts
   */
  readonly facts?: IngressNginxFacts;
}

const CONTROLLER = { controllers: ['k8s.io/ingress-nginx'], className: 'nginx' };

/**
 * ingress-nginx with its canary annotations.
 * @example nginxRouter().routes(world).loadBalancers[0].listeners[0].route({ host: 'shop.example.com', path: '/' })
 */
export function nginxRouter(options: NginxOptions = {}): Router {
  const { facts = IngressNginxVersion.LATEST.facts } = options;
  return {
    name: 'nginx',
    reads: [INGRESS_READ],
    shared: [INGRESS_CLASS],
    routes(world): RouteTable {
      const served = servedIngresses(world, (ingress) => servesIngress(world, ingress, CONTROLLER, options));
      return served.length === 0 ? NO_ROUTES : new Nginx(sitesOf(facts)(served), new Services(world)).routeTable();
    },
  };
}

class Nginx {
  constructor(
    private readonly site: Site,
    private readonly services: Services,
  ) {}

  routeTable(): RouteTable {
    const { members, unserved, ignored } = this.site;
    const listeners = [this.listener(80, 'HTTP'), this.listener(443, 'HTTPS')];
    return { loadBalancers: [{ name: 'nginx', members, listeners }], unserved, ignored };
  }

  private listener(port: number, protocol: 'HTTP' | 'HTTPS'): Listener {
    const known = new Map<Location, readonly Candidate[]>();
    const candidatesOf = (server: Server, location: Location): readonly Candidate[] => {
      const candidates = known.get(location) ?? this.candidates(this.site.planOf(server, location, protocol));
      known.set(location, candidates);
      return candidates;
    };
    return listenerOf({
      port,
      protocol,
      candidates: () =>
        this.site
          .servers()
          .ordered.flatMap((server) => server.locations.flatMap((location) => candidatesOf(server, location))),
      reachable: (request) => {
        const path = nginxPathOf(request);
        const found = path === undefined ? undefined : this.site.servers().of(hostOf(request));
        const location = found?.locate()(path!);
        return location === undefined ? [] : candidatesOf(found!.server, location);
      },
      otherwise: (request) => fixedResponse(nginxPathOf(request) === undefined ? 400 : 404),
    });
  }

  private candidates(plan: Plan | undefined): readonly Candidate[] {
    if (plan === undefined) return [];
    const { fixed, upstream, main, canary, policy } = plan;
    if (upstream === undefined) return fixed;
    const stable = once(() => this.answerOf([[upstream, 1]], upstream));
    if (canary === undefined || !this.takesPart(canary, upstream)) return [...fixed, { ...main, answer: stable }];
    const toCanary = once(() => this.answerOf([[canary, 1]], upstream));
    const rules = policy.map(({ takes, ...planned }) => ({ ...planned, answer: takes ? toCanary : stable }));
    return [...fixed, ...rules, { ...main, answer: once(() => this.weighted(upstream, canary)) }];
  }

  /** A canary without pods is ignored, and so is the canary of a main backend without pods. */
  private takesPart(canary: Upstream, upstream: Upstream): boolean {
    return [upstream, canary].every((each) => this.destination(each, 1).unavailable === undefined);
  }

  private weighted(upstream: Upstream, canary: Upstream): Answer {
    const { weight, weightTotal } = canary.policy!;
    const total = Math.max(weightTotal, 100);
    const share = Math.min(Math.max(weight, 0), total);
    const targets: (readonly [Upstream, number])[] = [[upstream, total - share]];
    return this.answerOf(share === 0 ? targets : [...targets, [canary, share]], upstream);
  }

  private answerOf(targets: readonly (readonly [Upstream, number])[], main: Upstream): Answer {
    const destinations = targets.map(([upstream, weight]) => this.destination(upstream, weight));
    return servicesAnswer(destinations, { sticky: main.isSticky });
  }

  private destination({ service, port }: Upstream, weight: number) {
    const destination = this.services.destination(service, port, weight);
    if (destination.unavailable?.reason !== 'port-not-found') return destination;
    const number = this.portNumber(service, port);
    return number === undefined ? destination : this.services.destination(service, number, weight);
  }

  /** A port that the Service does not have may be a port of its pods, which ingress-nginx accepts as well. */
  private portNumber(service: ServiceRef, port: number | string): number | undefined {
    const found = portsOf(this.services.find(service)).find((candidate) =>
      [candidate.port, candidate.targetPort, candidate.name].some((value) => String(value) === String(port)),
    );
    return numberOf(found?.port);
  }
}
