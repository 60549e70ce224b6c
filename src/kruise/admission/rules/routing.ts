import { defineRules } from '../../../core/rule';
import { REFUSED, routed, WEBHOOKS } from './examples';

const corrected = routed('{service: web, ingress: {name: web}}');

/** The webhook's rules for trafficRoutings. */
export const routingRules = defineRules({
  'rollout-several-traffic-routings': {
    severity: 'error',
    title: 'a Rollout has several trafficRoutings',
    because: REFUSED,
    fix:
      'keep one item; since 0.6 one item may have ingress, gateway and customNetworkRefs together, and ' +
      'customNetworkRefs may list several objects',
    basis: 'run',
    sources: WEBHOOKS,
    failing: routed('{service: web, ingress: {name: web}}\n        - {service: web, ingress: {name: internal}}'),
    corrected,
  },
  'rollout-grace-period-negative': {
    severity: 'error',
    title: 'gracePeriodSeconds is negative',
    because: REFUSED,
    fix: 'write the seconds that the load balancer needs to apply a change, or remove the field for the default of 3',
    basis: 'run',
    sources: WEBHOOKS,
    failing: routed('{service: web, gracePeriodSeconds: -1, ingress: {name: web}}'),
    corrected,
  },
  'rollout-service-empty': {
    severity: 'error',
    title: 'a traffic routing names no Service',
    because: REFUSED,
    fix: 'write the name of the stable Service',
    basis: 'run',
    sources: WEBHOOKS,
    failing: routed('{service: "", ingress: {name: web}}'),
    corrected,
  },
  'rollout-no-provider': {
    severity: 'error',
    title: 'a traffic routing has no ingress, gateway or customNetworkRefs',
    because: REFUSED,
    fix: 'add ingress, gateway or customNetworkRefs',
    basis: 'run',
    sources: WEBHOOKS,
    failing: routed('{service: web}'),
    corrected,
  },
  'rollout-ingress-name-empty': {
    severity: 'error',
    title: 'a traffic routing names no Ingress',
    because: REFUSED,
    fix: 'write the name of the Ingress that routes to the stable Service',
    basis: 'run',
    sources: WEBHOOKS,
    failing: routed('{service: web, ingress: {name: ""}}'),
    corrected,
  },
  'rollout-http-route-name-empty': {
    severity: 'error',
    title: 'a traffic routing names no HTTPRoute',
    because: REFUSED,
    fix: 'write the name of the HTTPRoute that routes to the stable Service',
    basis: 'run',
    sources: WEBHOOKS,
    failing: routed('{service: web, gateway: {}}'),
    corrected: routed('{service: web, gateway: {httpRouteName: web}}'),
  },
});
