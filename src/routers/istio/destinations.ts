import { type Json, type Manifest, ownValue, type World } from '../../core';
import { HostIndex } from '../hosts';
import { nameOfKind } from '../kinds';
import { once } from '../listener';
import type { Destination } from '../router';
import { type ServiceRef, Services, type Subset } from '../services';
import { byAge, entriesOf, listOf, nameOf, numberOf, textOf, valueIn } from '../values';
import { DESTINATION_RULE } from './kinds';
import { externalHosts, resolveHost, serviceOf } from './names';

const ROOT_NAMESPACE = 'istio-system';

/** Turns the destinations of rules into Services and the pods of their subsets. */
export class Destinations {
  readonly services: Services;
  private readonly rules = once(() => rulesByHost(this.world));

  constructor(private readonly world: World) {
    this.services = new Services(world);
  }

  /**
   * A destination of a rule.
   * @param namespace the namespace of the VirtualService, in which short names are looked up
   * @param listenerPort the port to use if neither the rule nor the Service determines one
   */
  of(
    destination: Json | undefined,
    weight: number,
    namespace: string,
    listenerPort: number,
  ): Omit<Destination, 'share'> {
    const host = resolveHost(textOf(ownValue(destination, 'host')) ?? '', namespace);
    const ref = serviceOf(host);
    const exists = ref !== undefined && this.services.find(ref) !== undefined;
    const asked = numberOf(valueIn(destination, 'port', 'number'));
    if (!exists) return this.outside(host, ref, asked, weight);
    const port = asked ?? this.services.onlyPort(ref) ?? listenerPort;
    const subsetName = nameOf(ownValue(destination, 'subset'));
    if (subsetName === undefined) return this.services.destination(ref, port, weight);
    const subset = this.subset(host, ref, namespace, subsetName);
    if (subset !== undefined) return this.services.destination(ref, port, weight, subset);
    const why = `no DestinationRule for ${host} has a subset "${subsetName}"`;
    return {
      service: ref,
      port,
      subset: { name: subsetName, labels: {} },
      weight,
      unavailable: this.services.withStatus({ reason: 'subset-not-found', why }),
    };
  }

  private outside(host: string, ref: ServiceRef | undefined, port: number | undefined, weight: number) {
    if (this.world.memo(externalHosts).has(host))
      return { target: host, ...(port === undefined ? {} : { port }), weight };
    const hint = ref === undefined && /^[^.]+\.[^.]+$/.test(host) ? `; did you mean ${host}.svc.cluster.local?` : '';
    const why = `the mesh knows no host ${host || '""'}${hint}`;
    const unavailable = this.services.withStatus({ reason: 'service-not-found', why });
    return {
      ...(ref === undefined ? { target: host } : { service: ref }),
      ...(port === undefined ? {} : { port }),
      weight,
      unavailable,
    };
  }

  /** The first subset of the name in the rules of the client's namespace, else of the Service's, else of the mesh. */
  private subset(host: string, ref: ServiceRef, client: string, name: string): Subset | undefined {
    const rules = this.rules().best(host);
    const namespace = [client, ref.namespace, ROOT_NAMESPACE].find((candidate) =>
      rules.some((rule) => this.world.namespaceOf(rule) === candidate),
    );
    const subsets = rules
      .filter((rule) => this.world.namespaceOf(rule) === namespace)
      .flatMap((rule) => listOf(valueIn(rule.object, 'spec', 'subsets')));
    const found = subsets.find((subset) => ownValue(subset, 'name') === name);
    if (found === undefined) return undefined;
    return { name, labels: Object.fromEntries(entriesOf(ownValue(found, 'labels'))) };
  }
}

function rulesByHost(world: World): HostIndex<Manifest> {
  const rules = new HostIndex<Manifest>();
  for (const rule of byAge(world, world.list(nameOfKind(DESTINATION_RULE)))) {
    const host = nameOf(valueIn(rule.object, 'spec', 'host'));
    if (host !== undefined) rules.add(resolveHost(host, world.namespaceOf(rule)), rule);
  }
  return rules;
}
