/** Services by their names in Kuma. */
import { type Json, type Manifest, ownValue, type World } from '../../core';
import { remembered } from '../../core/remembered';
import { hostOf } from '../request';
import { requestedService } from '../requested-service';
import type { Destination, HttpRequest } from '../router';
import { portsOf, type ServiceRef, type Services } from '../services';
import { entriesOf, numberOf, textOf } from '../values';

/** The tag with the service of a proxy. */
export const SERVICE_TAG = 'kuma.io/service';

/** A service of Kuma: a port of a Kubernetes Service. */
export interface MeshService {
  readonly ref: ServiceRef;
  /** Undefined if the name has no port. */
  readonly port: number | undefined;
}

/** The service of a name: `web`, or `web_shop_svc_80` as in the tag. */
export function meshService(name: string, namespace: string): MeshService {
  const tag = /^(.+)_([^_]+)_svc_(\d+)$/.exec(name);
  if (tag === null) return { ref: { namespace, name }, port: undefined };
  return { ref: { namespace: tag[2]!, name: tag[1]! }, port: Number(tag[3]) };
}

/** The tag of a port of a Service. */
export function tagOf({ namespace, name }: ServiceRef, port: number): string {
  return `${name}_${namespace}_svc_${port}`;
}

/** The service that a client requests; names that end in `.mesh` include the port. */
export function requestedMeshService(world: World, request: HttpRequest, port: number): MeshService | undefined {
  const host = hostOf(request);
  const name = host.endsWith('.mesh') ? host.slice(0, -'.mesh'.length) : undefined;
  const tagged = name === undefined ? undefined : meshService(name.replace(/\./g, '_'), world.defaultNamespace);
  if (tagged?.port !== undefined) return tagged;
  const ref = requestedService(world, name ?? host, request.source?.namespace);
  return ref === undefined ? undefined : { ref, port };
}

/** The destination for a service, with the tags that select its proxies. */
export function destinationOf(
  services: Services,
  { ref, port }: MeshService,
  weight: number,
  tags: Json | undefined,
): Omit<Destination, 'share'> {
  const labels = Object.fromEntries(entriesOf(tags).filter(([key]) => !key.startsWith('kuma.io/')));
  const name = Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
  const known = port ?? services.onlyPort(ref);
  return services.destination(ref, known, weight, name === '' ? undefined : { name, labels });
}

/** The ports of all Services, and the port of `.mesh` names. */
export function meshPorts(world: World): readonly number[] {
  const ports = world.list('Service').flatMap(numbersOf);
  return [...new Set([80, ...ports])].sort((a, b) => a - b);
}

const numbersOf = remembered((service: Manifest): readonly number[] =>
  portsOf(service).flatMap(({ port }) => numberOf(port) ?? []),
);

/** The service of a destination's tags; `*` is the requested service. */
export function taggedService(destination: Json | undefined, asked: MeshService, namespace: string): MeshService {
  const tag = textOf(ownValue(destination, SERVICE_TAG)) ?? '*';
  return tag === '*' ? asked : meshService(tag, namespace);
}
