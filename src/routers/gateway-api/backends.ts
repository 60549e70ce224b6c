/** The answers of HTTPRoute rules. */
import { isJsonObject, type Json, type JsonObject, type Manifest, ownValue, type World } from '../../core';
import { remembered } from '../../core/remembered';
import { redirectAnswer } from '../http-route/redirect';
import { nameOfKind } from '../kinds';
import { fixedResponse } from '../listener';
import type { Answer, Destination, Unavailable } from '../router';
import { Services, servicesAnswer } from '../services';
import { listOf, nameOf, numberOf, objectOf, textOf, valueIn } from '../values';
import type { Implementation } from './implementation';
import { REFERENCE_GRANT } from './kinds';

/** Backends that implementations of the API serve, each its own. Others answer 500. */
const SERVED_KINDS = new Set([
  'Hostname.networking.istio.io',
  'ServiceImport.multicluster.x-k8s.io',
  'TraefikService.traefik.io',
  'Backend.gateway.envoyproxy.io',
  'InferencePool.inference.networking.k8s.io',
  'InferencePool.inference.networking.x-k8s.io',
]);

/** Turns backends into destinations. Clients get 500 from an invalid backend and 503 from one without pods. */
export class Backends {
  private readonly services: Services;
  /** What several implementations make of one Gateway's routes. */
  private readonly destinationsOf = remembered((route: Manifest) =>
    remembered((ref: JsonObject) => this.destination(route, ref)),
  );

  constructor(private readonly world: World) {
    this.services = new Services(world, (reason) => (reason === 'no-pods' ? 503 : 500));
  }

  /** The answer of a rule. */
  answerOf(route: Manifest, rule: Json, implementation: Implementation): Answer {
    const filters = listOf(ownValue(rule, 'filters'));
    const mirrors = filters.filter((filter) => ownValue(filter, 'type') === 'RequestMirror');
    if (mirrors.length > 0 && !implementation.mirrors) return failed('the gateway does not support RequestMirror');
    if (implementation.unknownFilter === 'rule fails') {
      const unknown = unknownFilterOf(rule, implementation);
      if (unknown !== undefined) return failed(unknown);
      const lost = mirrors.map((filter) => this.mirrorOf(route, filter)).find((one) => isInvalid(one.unavailable));
      if (lost !== undefined) return failed(`the filter RequestMirror has no backend: ${lost.unavailable?.why}`);
    }
    const redirect = filters.find((filter) => ownValue(filter, 'type') === 'RequestRedirect');
    if (redirect !== undefined) return redirectAnswer(ownValue(redirect, 'requestRedirect'));
    const refs = listOf(ownValue(rule, 'backendRefs')).filter(isJsonObject);
    const all = refs.map(this.destinationsOf(route));
    const destinations = implementation.countsBackendsOnce ? firstOfEach(all) : all;
    if (refs.length === 0) return failed();
    if (destinations.every(({ weight }) => weight <= 0)) return fixedResponse(implementation.withoutWeight);
    const isServed = destinations.some(({ weight, unavailable }) => weight > 0 && unavailable === undefined);
    const invalid = all.find(({ unavailable }) => isInvalid(unavailable));
    if (implementation.failsAsWhole && !isServed && invalid !== undefined) return failed(invalid.unavailable?.why);
    return servicesAnswer(destinations, { countsPodsOnce: implementation.countsPodsOnce });
  }

  private mirrorOf(route: Manifest, filter: Json): Omit<Destination, 'share'> {
    return this.destinationsOf(route)(objectOf(valueIn(filter, 'requestMirror', 'backendRef')) ?? {});
  }

  /** The Service itself, for requests within a mesh that match no rule. */
  serviceAnswer(namespace: string, name: string, port: number): Answer {
    return servicesAnswer([this.services.destination({ namespace, name }, port, 1)]);
  }

  private destination(route: Manifest, ref: JsonObject): Omit<Destination, 'share'> {
    const home = this.world.namespaceOf(route);
    const weight = numberOf(ownValue(ref, 'weight')) ?? 1;
    const name = textOf(ownValue(ref, 'name')) ?? '';
    const namespace = nameOf(ownValue(ref, 'namespace')) ?? home;
    const kind = nameOf(ownValue(ref, 'kind')) ?? 'Service';
    const group = textOf(ownValue(ref, 'group')) ?? '';
    if (kind !== 'Service' || group !== '') {
      const target = `${kind} ${namespace}/${name}`;
      return SERVED_KINDS.has(`${kind}.${group}`)
        ? { target, weight }
        : { target, weight, unavailable: unknownKind(target) };
    }
    const port = numberOf(ownValue(ref, 'port'));
    const service = { namespace, name };
    if (namespace !== home && !this.isGranted(home, namespace, name)) {
      const why = `no ReferenceGrant in ${namespace} lets HTTPRoutes of ${home} refer to Service ${name}`;
      const unavailable = this.services.withStatus({ reason: 'not-permitted', why });
      return { service, ...(port === undefined ? {} : { port }), weight, unavailable };
    }
    if (port !== undefined) return this.services.destination(service, port, weight);
    const why = `the backend ${name} has no port, which a Service needs`;
    return { service, weight, unavailable: this.services.withStatus({ reason: 'port-not-found', why }) };
  }

  private isGranted(from: string, to: string, name: string): boolean {
    return this.world.list(nameOfKind(REFERENCE_GRANT), to).some(({ object }) => {
      const isFrom = listOf(valueIn(object, 'spec', 'from')).some(
        (entry) => ownValue(entry, 'kind') === 'HTTPRoute' && ownValue(entry, 'namespace') === from,
      );
      const isTo = listOf(valueIn(object, 'spec', 'to')).some(
        (entry) =>
          ownValue(entry, 'kind') === 'Service' &&
          (textOf(ownValue(entry, 'group')) ?? '') === '' &&
          (nameOf(ownValue(entry, 'name')) ?? name) === name,
      );
      return isFrom && isTo;
    });
  }
}

/** Why a filter of a rule is none that the implementation knows. */
export function unknownFilterOf(rule: Json, { extensions }: Implementation): string | undefined {
  const unknown = listOf(ownValue(rule, 'filters')).find(
    (filter) =>
      ownValue(filter, 'type') === 'ExtensionRef' &&
      !extensions.includes(textOf(valueIn(filter, 'extensionRef', 'group')) ?? ''),
  );
  if (unknown === undefined) return undefined;
  const [kind, name] = ['kind', 'name'].map((key) => textOf(valueIn(unknown, 'extensionRef', key)) ?? '');
  return `the gateway does not know the filter ${kind} ${name}`;
}

function failed(why?: string): Answer {
  return fixedResponse(500, why);
}

/** A Service without pods is a valid backend. */
function isInvalid(unavailable: Unavailable | undefined): boolean {
  return unavailable !== undefined && unavailable.reason !== 'no-pods';
}

/** Backends that are named twice keep the first weight. */
function firstOfEach(destinations: readonly Omit<Destination, 'share'>[]): readonly Omit<Destination, 'share'>[] {
  const byBackend = destinations.map((one) => [JSON.stringify([one.service, one.port, one.target]), one] as const);
  return [...new Map(byBackend.reverse()).values()].reverse();
}

function unknownKind(target: string): Unavailable {
  return {
    reason: 'not-permitted',
    statusCode: '500',
    why: `${target} is of a kind that no gateway sends requests to`,
  };
}
