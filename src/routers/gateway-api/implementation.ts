/** What implementations of the Gateway API do differently. */
import { ownValue, type World } from '../../core';
import type { MatchDialect } from '../http-route/matches';
import { nameOfKind } from '../kinds';
import { textOf, valueIn } from '../values';
import { GATEWAY, GATEWAY_CLASS } from './kinds';

/** The behaviour of one implementation where implementations differ. */
export interface Implementation {
  readonly dialect: MatchDialect;
  /** A request that no route of the most specific hostname takes goes on to less specific hostnames. */
  readonly fallsThrough: boolean;
  /** Every match of every hostname has one priority, to which the length of the longest hostname of its route is added. */
  readonly addsHostToRank: boolean;
  /** A request goes to the listener with the most specific hostname only. */
  readonly isolatesListeners: boolean;
  /** Rules with `RequestMirror` work; otherwise they answer 500. */
  readonly mirrors: boolean;
  /** The status code of a rule whose backends all have the weight 0. */
  readonly withoutWeight: number;
  /** A host name with a trailing dot is another name. */
  readonly keepsDot: boolean;
}

/** Where nothing else is known: the behaviour that the API describes. */
const UNKNOWN: Implementation = {
  dialect: 'envoy',
  fallsThrough: true,
  addsHostToRank: false,
  isolatesListeners: true,
  mirrors: true,
  withoutWeight: 500,
  keepsDot: false,
};

const ISTIO: Implementation = { ...UNKNOWN, fallsThrough: false, keepsDot: true };

const TRAEFIK: Implementation = {
  ...UNKNOWN,
  dialect: 'traefik',
  addsHostToRank: true,
  isolatesListeners: false,
  mirrors: false,
  withoutWeight: 503,
};

/** By the controllerName of the GatewayClass. */
const BY_CONTROLLER: Readonly<Record<string, Implementation>> = {
  'istio.io/gateway-controller': ISTIO,
  'traefik.io/gateway-controller': TRAEFIK,
};

/** By the name that installs give to their GatewayClass. */
const BY_CLASS: Readonly<Record<string, Implementation>> = { istio: ISTIO, traefik: TRAEFIK };

/** The implementation of a parent, `Gateway shop/edge`, by its GatewayClass or by the name of it. */
export function implementationOf(world: World, parent: string): Implementation {
  const [kind, key = ''] = parent.split(' ');
  const [namespace, name = ''] = key.split('/');
  if (kind !== GATEWAY.kind) return UNKNOWN;
  const gateway = world.find(nameOfKind(GATEWAY), name, namespace);
  const className = textOf(valueIn(gateway?.object, 'spec', 'gatewayClassName')) ?? '';
  const gatewayClass = world.list(nameOfKind(GATEWAY_CLASS)).find((each) => each.name === className);
  const controller = textOf(valueIn(gatewayClass?.object, 'spec', 'controllerName'));
  if (controller !== undefined) return (ownValue(BY_CONTROLLER, controller) as Implementation | undefined) ?? UNKNOWN;
  return (ownValue(BY_CLASS, className) as Implementation | undefined) ?? UNKNOWN;
}
