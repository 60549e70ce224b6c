import type { World } from '../core';
import type { ServiceRef } from './services';

/**
 * The Service that a client in the mesh means by a host: `web.shop.svc.cluster.local`, `web.shop.svc`, `web.shop`, or
 * just `web` for a client of its namespace. If the namespace of the client is unknown, it means the Service of the default
 * namespace, or else the only Service of that name.
 */
export function requestedService(world: World, host: string, clientNamespace?: string): ServiceRef | undefined {
  const parts = host.replace(/\.svc(\.cluster\.local)?$/, '').split('.');
  const [name, namespace] = parts as [string, string | undefined];
  if (parts.length > 2) return undefined;
  if (namespace !== undefined) return existing(world, { namespace, name });
  if (clientNamespace !== undefined) return existing(world, { namespace: clientNamespace, name });
  const own = existing(world, { namespace: world.defaultNamespace, name });
  if (own !== undefined) return own;
  const all = world.list('Service').filter((service) => service.name === name);
  return all.length === 1 ? { namespace: world.namespaceOf(all[0]!), name } : undefined;
}

function existing(world: World, ref: ServiceRef): ServiceRef | undefined {
  return world.find('Service', ref.name, ref.namespace) === undefined ? undefined : ref;
}
