import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gatewayApiRouter, type HttpRequest } from '../../../src/routers';
import { app, worldOf } from '../stack';

const gatewayOf = (controller: string) => `
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: {name: edge}
spec: {controllerName: ${controller}}
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: edge}
spec: {gatewayClassName: edge, listeners: [{name: http, port: 80, protocol: HTTP}]}`;

const segment = fc.constantFrom('a', 'b', 'B', 'a.b', '%61', '', '..', 'a%2Fb');
const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => `/${segments.join('/')}`);
const match = fc.record({ type: fc.constantFrom('PathPrefix', 'Exact', 'RegularExpression'), value: path });
const rule = fc.record(
  {
    matches: fc.array(fc.record({ path: match }), { minLength: 1, maxLength: 2 }),
    backendRefs: fc.constant([{ name: 'a', port: 80 }]),
  },
  { requiredKeys: ['backendRefs'] },
);

describe('an HTTPRoute with many paths', () => {
  it.each([
    'istio.io/gateway-controller',
    'gateway.envoyproxy.io/gatewayclass-controller',
    'traefik.io/gateway-controller',
  ])('answers as if every rule were tried: %s', (controller) => {
    const routes = fc.array(fc.array(rule, { minLength: 9, maxLength: 15 }), { minLength: 2, maxLength: 3 });
    fc.assert(
      fc.property(routes, fc.array(path, { minLength: 1, maxLength: 8 }), (all, paths) => {
        const texts = all.map((rules, index) =>
          JSON.stringify({
            apiVersion: 'gateway.networking.k8s.io/v1',
            kind: 'HTTPRoute',
            metadata: { name: `route-${index}` },
            spec: { parentRefs: [{ name: 'edge' }], hostnames: ['shop.example.com'], rules },
          }),
        );
        const world = worldOf(gatewayOf(controller), app('a'), ...texts);
        const [listener] = gatewayApiRouter().routes(world).loadBalancers[0]!.listeners;
        for (const each of paths) {
          const request: HttpRequest = { host: 'shop.example.com', path: each };
          const { rule: taken, answer } = listener!.route(request);
          // Envoy Gateway redirects to the path without escapes, and tries no rule.
          if (answer.kind === 'fixed-response' && answer.statusCode === '307') continue;
          expect(taken).toBe(listener!.rules[listener!.passedOver!(request).length]);
        }
      }),
    );
  });
});
