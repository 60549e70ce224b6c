/** Host names as Istio resolves them. */
import type { World } from '../../core';
import { nameOfKind } from '../kinds';
import type { ServiceRef } from '../services';
import { textsOf, valueIn } from '../values';
import { SERVICE_ENTRY } from './kinds';

/** The domain of the cluster's Services. */
const CLUSTER_DOMAIN = 'svc.cluster.local';

/** A name without dots means the Service in the object's namespace; a name with a dot is used as it is. */
export function resolveHost(host: string, namespace: string): string {
  const lower = host.toLowerCase();
  return lower === '*' || lower.includes('.') ? lower : `${lower}.${namespace}.${CLUSTER_DOMAIN}`;
}

/** The host name of a Service. */
export function fqdnOf({ namespace, name }: ServiceRef): string {
  return `${name}.${namespace}.${CLUSTER_DOMAIN}`;
}

/** The Service of a fully qualified host name; undefined for other names. */
export function serviceOf(fqdn: string): ServiceRef | undefined {
  if (!fqdn.endsWith(`.${CLUSTER_DOMAIN}`)) return undefined;
  const [name, namespace, ...rest] = fqdn.slice(0, -CLUSTER_DOMAIN.length - 1).split('.');
  return name && namespace && rest.length === 0 ? { namespace, name } : undefined;
}

/** Hosts outside of the cluster that ServiceEntries declare. */
export function externalHosts(world: World): ReadonlySet<string> {
  const entries = world.list(nameOfKind(SERVICE_ENTRY));
  return new Set(entries.flatMap(({ object }) => textsOf(valueIn(object, 'spec', 'hosts'))));
}
