/** What stands behind a route: Services, and TraefikServices that share requests among others. */
import { type Json, type Manifest, ownValue, type World } from '../../core';
import type { Answer, Destination } from '../router';
import { Services, servicesAnswer } from '../services';
import { nameOf, numberOf, type Placed, placedItems, portOf, textOf, valueIn } from '../values';
import { findIn } from './kinds';
import { RouteError } from './route';

/** Which backends Traefik accepts. */
export interface BackendOptions {
  /**
   * Whether Services without pods answer with 503. Otherwise Traefik drops the routes that name them.
   * @default true
   */
  readonly allowEmptyServices?: boolean;
  /**
   * Whether routes may name Services of other namespaces.
   * @default false
   */
  readonly allowCrossNamespace?: boolean;
}

type Weighted = Omit<Destination, 'share'>;

/** Looks up what routes name. A backend that does not exist drops its route. */
export class Backends {
  private readonly services: Services;

  constructor(
    private readonly world: World,
    private readonly options: BackendOptions,
  ) {
    this.services = new Services(world);
  }

  /** The answer of a route of an IngressRoute. */
  answerOf(services: readonly Placed[], namespace: string): Answer {
    if (services.length === 0) throw new RouteError('the route has no services');
    const destinations = this.weighted(services, namespace, [], { onlyGetsAll: true });
    return servicesAnswer(destinations, { sticky: services.some(({ value }) => this.isSticky(value, namespace)) });
  }

  /** A Service of Kubernetes. */
  service(name: string, namespace: string, port: number | string | undefined): Weighted {
    const ref = { namespace, name };
    if (port === undefined)
      throw new RouteError(`the service ${name} has no port, and Traefik takes none from the Service`);
    const destination = this.services.destination(ref, port, 1);
    const { unavailable } = destination;
    const isKept = unavailable?.reason === 'no-pods' && this.options.allowEmptyServices !== false;
    if (unavailable !== undefined && !isKept) throw new RouteError(unavailable.why, unavailable.reason);
    return destination;
  }

  /** Services with their weights, multiplied by the weights of TraefikServices. */
  private weighted(
    services: readonly Placed[],
    namespace: string,
    above: readonly Manifest[],
    { onlyGetsAll = false } = {},
  ): readonly Weighted[] {
    const parts = services.map(({ value }) => ({
      // The only service of an IngressRoute's route gets all requests, whatever its weight.
      weight: onlyGetsAll && services.length === 1 ? 1 : Math.max(numberOf(ownValue(value, 'weight')) ?? 1, 0),
      destinations: this.destinations(value, namespace, above),
    }));
    return parts.flatMap(({ weight, destinations }) => {
      const total = destinations.reduce((sum, destination) => sum + destination.weight, 0);
      return destinations.map((destination) => ({
        ...destination,
        weight: total === 0 ? 0 : (weight * destination.weight) / total,
      }));
    });
  }

  private destinations(service: Json, parent: string, above: readonly Manifest[]): readonly Weighted[] {
    const name = textOf(ownValue(service, 'name')) ?? '';
    const kind = nameOf(ownValue(service, 'kind')) ?? 'Service';
    // Services of other providers: `api@internal`, `noop@internal`.
    if (name.includes('@')) return [{ target: name, weight: 1 }];
    const namespace = nameOf(ownValue(service, 'namespace')) ?? parent;
    if (namespace !== parent && this.options.allowCrossNamespace !== true) {
      throw new RouteError(
        `service ${namespace}/${name} is in another namespace, which allowCrossNamespace would have to allow`,
      );
    }
    if (kind === 'TraefikService') return this.traefikService(name, namespace, above);
    if (kind !== 'Service') throw new RouteError(`services of kind ${kind} are not known`);
    return [this.service(name, namespace, portOf(ownValue(service, 'port')))];
  }

  private traefikService(name: string, namespace: string, above: readonly Manifest[]): readonly Weighted[] {
    const found = findIn(this.world, 'TraefikService', name, namespace);
    if (found === undefined) throw new RouteError(`TraefikService ${namespace}/${name} does not exist`);
    if (above.includes(found)) throw new RouteError(`TraefikService ${namespace}/${name} leads to itself`);
    const spec = ownValue(found.object, 'spec');
    const weighted = ownValue(spec, 'weighted');
    const chain = [...above, found];
    if (weighted !== undefined) {
      const services = placedItems(ownValue(weighted, 'services'), ['spec', 'weighted', 'services']);
      return this.weighted(services, namespace, chain);
    }
    const mirroring = ownValue(spec, 'mirroring');
    if (mirroring !== undefined) return this.destinations(mirroring, namespace, chain);
    throw new RouteError(`TraefikService ${namespace}/${name} has neither weighted nor mirroring`);
  }

  private isSticky(service: Json, namespace: string): boolean {
    if (valueIn(service, 'sticky', 'cookie') !== undefined) return true;
    if (ownValue(service, 'kind') !== 'TraefikService') return false;
    const home = nameOf(ownValue(service, 'namespace')) ?? namespace;
    const found = findIn(this.world, 'TraefikService', textOf(ownValue(service, 'name')) ?? '', home);
    return valueIn(found?.object, 'spec', 'weighted', 'sticky', 'cookie') !== undefined;
  }
}
