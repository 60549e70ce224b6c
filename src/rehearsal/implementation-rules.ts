/** The rule about Gateways of an implementation that is not known. */
import { defineRules } from '../core';
import { httpRoute } from './examples';

/** Implementations try expressions of paths before prefixes, or after them. */
const EXPRESSION_STEPS = `        - replicas: 20%
          matches:
            - path: { type: RegularExpression, value: "/cart/[a-z]+" }`;

export const implementationRules = defineRules({
  'rehearsal-implementation-unknown': {
    severity: 'warning',
    title: 'where a request goes depends on the implementation of the Gateway API',
    because:
      'implementations read expressions, precedence and hostnames differently, and the manifests do not say which one serves the Gateway',
    fix: 'add the GatewayClass of the Gateway, with its controllerName, to the manifests, or write the route so that all implementations agree: exact values in place of expressions',
    basis: 'run',
    sources: ['https://gateway-api.sigs.k8s.io/reference/spec/#httppathmatch'],
    failing: httpRoute(80, 'internal', EXPRESSION_STEPS),
    corrected: httpRoute(80, 'eg', EXPRESSION_STEPS),
  },
});
