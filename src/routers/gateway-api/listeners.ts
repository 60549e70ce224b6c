/** The listeners of Gateways: their own and those of ListenerSets. */
import { type Json, type Manifest, ownValue, type World } from '../../core';
import { nameOfKind } from '../kinds';
import { byAge, entriesOf, keyOf, listOf, nameOf, numberOf, textOf, valueIn } from '../values';
import { GATEWAY, LISTENER_SET, X_LISTENER_SET } from './kinds';

/** A listener of a Gateway. */
export interface GatewayListener {
  /** The object that declares it, which routes name as their parent. */
  readonly parent: string;
  readonly name: string;
  readonly port: number;
  readonly protocol: 'HTTP' | 'HTTPS';
  readonly hostname: string;
  readonly allows: (namespace: string) => boolean;
  /** The Gateway or ListenerSet is not in the manifests, so the names of its listeners are unknown. */
  readonly isAssumed?: boolean;
}

/** The kinds whose listeners a route can name as its parent. */
export const LISTENER_KINDS: readonly string[] = [GATEWAY, LISTENER_SET, X_LISTENER_SET].map(({ kind }) => kind);

/** A parent of routes: `Gateway shop/edge`. */
export function parentKey(kind: string, key: string): string {
  return `${kind} ${key}`;
}

/** The Gateway that serves the listeners of a parent: itself, or the one that a ListenerSet names. */
export function gatewayOfParent(world: World, kind: string, namespace: string, name: string): string {
  const set = [LISTENER_SET, X_LISTENER_SET].find((known) => known.kind === kind);
  const manifest = set && world.find(nameOfKind(set), name, namespace);
  return manifest === undefined ? parentKey(kind, `${namespace}/${name}`) : gatewayOfSet(world, manifest);
}

function gatewayOfSet(world: World, set: Manifest): string {
  const ref = valueIn(set.object, 'spec', 'parentRef');
  const namespace = nameOf(ownValue(ref, 'namespace')) ?? world.namespaceOf(set);
  return parentKey(GATEWAY.kind, `${namespace}/${textOf(ownValue(ref, 'name')) ?? ''}`);
}

/** The listeners behind the address of a Gateway, `Gateway shop/edge`, or of a ListenerSet without its manifest. */
export function listenersBehind(world: World, parent: string): readonly GatewayListener[] {
  const [kind, key] = parent.split(' ') as [string, string];
  const [namespace, name] = key.split('/') as [string, string];
  const gateway = kind === GATEWAY.kind ? world.find(nameOfKind(GATEWAY), name, namespace) : undefined;
  const own = gateway === undefined ? assumedListeners(parent) : listenersOf(world, gateway);
  const sets = [LISTENER_SET, X_LISTENER_SET]
    .flatMap((set) => byAge(world, world.list(nameOfKind(set))))
    .filter((set) => gatewayOfSet(world, set) === parent && (gateway === undefined || takes(world, gateway, set)));
  return withoutConflicts([...own, ...sets.flatMap((set) => listenersOf(world, set))]);
}

/** Whether a Gateway allows a ListenerSet; without `allowedListeners` it allows none. */
function takes(world: World, gateway: Manifest, set: Manifest): boolean {
  const namespaces = valueIn(gateway.object, 'spec', 'allowedListeners', 'namespaces');
  return namespacesFrom(world, gateway, namespaces, 'None')(world.namespaceOf(set));
}

function listenersOf(world: World, owner: Manifest): readonly GatewayListener[] {
  return listOf(valueIn(owner.object, 'spec', 'listeners')).flatMap((listener) => {
    const protocol = textOf(ownValue(listener, 'protocol'));
    const port = numberOf(ownValue(listener, 'port'));
    if (port === undefined || (protocol !== 'HTTP' && protocol !== 'HTTPS')) return [];
    return [
      {
        parent: parentKey(owner.kind, keyOf(world, owner)),
        name: textOf(ownValue(listener, 'name')) ?? '',
        port,
        protocol,
        hostname: nameOf(ownValue(listener, 'hostname')) ?? '*',
        allows: namespacesFrom(world, owner, valueIn(listener, 'allowedRoutes', 'namespaces'), 'Same'),
      },
    ];
  });
}

/** The listeners of a parent that is not in the manifests: the operators of the cluster own it. */
function assumedListeners(parent: string): readonly GatewayListener[] {
  const any = { parent, hostname: '*', allows: () => true, isAssumed: true };
  return [
    { ...any, name: 'http', port: 80, protocol: 'HTTP' },
    { ...any, name: 'https', port: 443, protocol: 'HTTPS' },
  ];
}

/** Of listeners of several objects with the same port and hostname, only those of the first object are programmed. */
function withoutConflicts(listeners: readonly GatewayListener[]): readonly GatewayListener[] {
  const known = listeners.filter(({ isAssumed }) => !isAssumed);
  return listeners.filter((listener) => {
    const first = known.find(({ port, hostname }) => port === listener.port && hostname === listener.hostname);
    return listener.isAssumed || first?.parent === listener.parent;
  });
}

/** The namespaces that a field with `from` and `selector` allows. */
function namespacesFrom(
  world: World,
  owner: Manifest,
  namespaces: Json | undefined,
  otherwise: 'Same' | 'None',
): (namespace: string) => boolean {
  const from = textOf(ownValue(namespaces, 'from')) ?? otherwise;
  if (from === 'All') return () => true;
  if (from === 'None') return () => false;
  if (from !== 'Selector') return (namespace) => namespace === world.namespaceOf(owner);
  const labels = entriesOf(valueIn(namespaces, 'selector', 'matchLabels'));
  return (namespace) => {
    const own = { ...world.find('Namespace', namespace)?.labels, 'kubernetes.io/metadata.name': namespace };
    return labels.every(([key, value]) => ownValue(own, key) === value);
  };
}
