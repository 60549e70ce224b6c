/** What implementations of the Gateway API do differently. */
import { ownValue, type World } from '../../core';
import type { MatchDialect } from '../http-route/matches';
import type { IstioFacts } from '../istio-version';
import { nameOfKind } from '../kinds';
import { textOf, valueIn } from '../values';
import { GATEWAY, GATEWAY_CLASS } from './kinds';

/** The behaviour of one implementation where implementations differ. */
export interface Implementation {
  readonly dialect: MatchDialect;
  /** A request that no route of the most specific hostname takes goes on to less specific hostnames. */
  readonly fallsThrough: boolean;
  /** Every match has one priority, to which the length of the longest hostname of its route and the number of rules left are added. */
  readonly addsHostToRank: boolean;
  /** A request goes to the listener with the most specific hostname only. */
  readonly isolatesListeners: boolean;
  /** Rules with `RequestMirror` work; otherwise they answer 500. */
  readonly mirrors: boolean;
  /** The status code of a rule whose backends all have the weight 0. */
  readonly withoutWeight: number;
  /** A host name with a trailing dot is another name. */
  readonly keepsDot: boolean;
  /** A path with an escaped slash is redirected to the one with slashes. */
  readonly redirectsEscapedSlashes: boolean;
  /** Of backends of a rule that are the same, the first one counts. */
  readonly countsBackendsOnce: boolean;
  /** A pod behind several backends of a rule gets the requests of the first one only. */
  readonly countsPodsOnce: boolean;
  /** A rule without any pods answers 500 as a whole if one of its backends is invalid. */
  readonly failsAsWhole: boolean;
  /** What a filter that is not known makes of its rule, or of the whole route. */
  readonly unknownFilter: 'ignored' | 'rule fails' | 'route is dropped';
  /** The API groups of filters of its own. */
  readonly extensions: readonly string[];
}

/** The behaviour that the API describes. */
export const DESCRIBED: Implementation = {
  dialect: 'envoy',
  fallsThrough: true,
  addsHostToRank: false,
  isolatesListeners: true,
  mirrors: true,
  withoutWeight: 500,
  keepsDot: false,
  redirectsEscapedSlashes: false,
  countsBackendsOnce: false,
  countsPodsOnce: false,
  failsAsWhole: false,
  unknownFilter: 'ignored',
  extensions: [],
};

const ISTIO: Implementation = {
  ...DESCRIBED,
  dialect: 'istio',
  fallsThrough: false,
  keepsDot: true,
  unknownFilter: 'route is dropped',
};

const ISTIO_1_30: Implementation = { ...ISTIO, dialect: 'istio-1.30' };

const ENVOY_GATEWAY: Implementation = {
  ...DESCRIBED,
  dialect: 'envoy-gateway',
  fallsThrough: false,
  keepsDot: true,
  redirectsEscapedSlashes: true,
  countsBackendsOnce: true,
  countsPodsOnce: true,
  failsAsWhole: true,
  unknownFilter: 'rule fails',
  extensions: ['gateway.envoyproxy.io'],
};

const TRAEFIK: Implementation = {
  ...DESCRIBED,
  dialect: 'traefik',
  addsHostToRank: true,
  isolatesListeners: false,
  mirrors: false,
  withoutWeight: 503,
  unknownFilter: 'rule fails',
  extensions: ['traefik.io'],
};

/** By the controllerName of the GatewayClass. */
const BY_CONTROLLER: Readonly<Record<string, Implementation>> = {
  'gateway.envoyproxy.io/gatewayclass-controller': ENVOY_GATEWAY,
  'istio.io/gateway-controller': ISTIO,
  'traefik.io/gateway-controller': TRAEFIK,
};

/** By the name that installs give to their GatewayClass. */
const BY_CLASS: Readonly<Record<string, Implementation>> = { eg: ENVOY_GATEWAY, istio: ISTIO, traefik: TRAEFIK };

/**
 * Those that were asked, for a Gateway whose implementation nobody knows. What one of them does not have at all says nothing of
 * another one, so such differences are left out.
 */
export const OTHERS: Readonly<Record<string, Implementation>> = Object.fromEntries(
  Object.entries({ Istio: ISTIO, 'Envoy Gateway': ENVOY_GATEWAY, Traefik: TRAEFIK }).map(([name, implementation]) => {
    const { mirrors, unknownFilter, countsPodsOnce, failsAsWhole } = DESCRIBED;
    return [name, { ...implementation, mirrors, unknownFilter, countsPodsOnce, failsAsWhole }];
  }),
);

/**
 * The implementation of a parent, `Gateway shop/edge`, by its GatewayClass or by the name of it. Undefined for a Gateway of one that
 * was not asked.
 */
export function implementationOf(world: World, parent: string, istio: IstioFacts): Implementation | undefined {
  const implementation = newestOf(world, parent);
  return implementation === ISTIO && !istio.comparesEachHeader ? ISTIO_1_30 : implementation;
}

function newestOf(world: World, parent: string): Implementation | undefined {
  const [kind, key = ''] = parent.split(' ');
  const [namespace, name = ''] = key.split('/');
  if (kind !== GATEWAY.kind) return DESCRIBED;
  const gateway = world.find(nameOfKind(GATEWAY), name, namespace);
  const className = textOf(valueIn(gateway?.object, 'spec', 'gatewayClassName')) ?? '';
  const gatewayClass = world.list(nameOfKind(GATEWAY_CLASS)).find((each) => each.name === className);
  const controller = textOf(valueIn(gatewayClass?.object, 'spec', 'controllerName'));
  return controller === undefined
    ? (ownValue(BY_CLASS, className) as Implementation | undefined)
    : (ownValue(BY_CONTROLLER, controller) as Implementation | undefined);
}
