/** Checks TrafficRoutings, which no webhook validates. */
import type { Finding } from '../../core/finding';
import { asList } from '../../core/json';
import { defineRules } from '../../core/rule';
import { type RouteSubject, TRAFFIC_ROUTING as TRAFFIC_ROUTING_KIND } from '../subject';
import type { RolloutCheck, RolloutChecker } from './context';
import { edit, TRAFFIC_ROUTING, yaml } from './examples';
import { source } from './sources';

const INGRESS = '      ingress: { name: web, classType: mse }\n';
const MODIFIER = '    requestHeaderModifier:\n      set: [{ name: x-canary, value: web }]\n';

/** Rules for TrafficRoutings. */
export const trafficRoutingRules = defineRules({
  'kruise-traffic-routing-panics': {
    severity: 'error',
    title: 'a gateway without httpRouteName crashes the controller',
    because:
      'no webhook validates a TrafficRouting, and the controller reads the name without a nil check: it panics, and every rollout in the cluster stops',
    fix: 'add httpRouteName',
    basis: 'read',
    rehearsedAs: ['rehearsal-controller-panics'],
    sources: [source.manager, source.gateway],
    failing: yaml(edit(TRAFFIC_ROUTING, [INGRESS, `${INGRESS}      gateway: {}\n`])),
    corrected: yaml(TRAFFIC_ROUTING),
  },

  'kruise-traffic-routing-extra-ref': {
    severity: 'error',
    title: 'the controller uses only the first objectRef of a TrafficRouting',
    because: 'the controller reads objectRef[0] and silently ignores the others',
    fix: 'create a separate TrafficRouting for each Service',
    basis: 'read',
    sources: [source.manager],
    failing: yaml(
      edit(TRAFFIC_ROUTING, [INGRESS, `${INGRESS}    - service: api\n      ingress: { name: api, classType: mse }\n`]),
    ),
    corrected: yaml(TRAFFIC_ROUTING),
  },

  'kruise-traffic-routing-splits-nothing': {
    severity: 'warning',
    title: 'a TrafficRouting has no canary Service, so its Ingress or HTTPRoute splits no traffic',
    because:
      'a TrafficRouting is for Services in front of the released one: it routes to the stable Service, ' +
      'and through an Ingress it can only mark requests with requestHeaderModifier',
    fix: 'add a requestHeaderModifier, or add trafficRoutings to the Rollout of the Service',
    basis: 'read',
    sources: [source.manager],
    failing: yaml(edit(TRAFFIC_ROUTING, [MODIFIER, ''])),
    corrected: yaml(TRAFFIC_ROUTING),
  },
});

/** Checks every TrafficRouting. */
export const checkTrafficRoutings: RolloutChecker = (check) => [
  ...check.routes.filter(({ manifest }) => manifest.groupKind === TRAFFIC_ROUTING_KIND).flatMap(routeFindings),
  ...extraRefs(check),
];

function routeFindings({ manifest, gateway, ingress, service }: RouteSubject): Finding[] {
  const crashes =
    gateway !== undefined && gateway.httpRouteName === ''
      ? [
          manifest.finding(trafficRoutingRules['kruise-traffic-routing-panics'], {
            message: 'gateway has no httpRouteName',
            path: gateway.path,
          }),
        ]
      : [];
  const by = ingress ?? gateway;
  const marks = manifest.get('spec.strategy.requestHeaderModifier') !== undefined;
  // The gateway provider ignores the modifier.
  if (crashes.length > 0 || by === undefined || (marks && gateway === undefined)) return crashes;
  return [
    manifest.finding(trafficRoutingRules['kruise-traffic-routing-splits-nothing'], {
      message: `the ${gateway === undefined ? 'Ingress' : 'HTTPRoute'} would split traffic between the Service "${service}" and itself`,
      path: by.path,
    }),
  ];
}

function extraRefs({ world }: RolloutCheck): Finding[] {
  return world.list(TRAFFIC_ROUTING_KIND).flatMap((manifest) => {
    const refs = asList(manifest.get('spec.objectRef'));
    if (refs.length < 2) return [];
    return [
      manifest.finding(trafficRoutingRules['kruise-traffic-routing-extra-ref'], {
        message: `objectRef has ${refs.length} entries, but the controller uses only the first`,
        path: ['spec', 'objectRef', 1],
      }),
    ];
  });
}
