/** The VirtualServices and DestinationRules that Rollouts of Argo name. */
import { describe, expect, it } from 'vitest';
import { admissionFindings } from '../../../src/argo/admission';
import { parseManifests, World } from '../../../src/core';
import { canary, service } from '../../rehearsal/argo/stack';

const SERVICES = [service('web-stable'), service('web-canary')];
const virtualService = (http: string, namespace = 'shop') => `apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: { name: web, namespace: ${namespace} }
spec: { hosts: [shop.example.com], http: ${http} }
`;
const HOSTS = '[{ destination: { host: web-stable } }, { destination: { host: web-canary.shop.svc.cluster.local } }]';

function found(istio: string, ...objects: readonly string[]): string[] {
  const text = canary({ more: [...SERVICES, ...objects] }).replace(
    'alb: { ingress: web, servicePort: 80 }',
    `istio: ${istio}`,
  );
  const { manifests } = parseManifests(text, 'a.yaml');
  return admissionFindings(World.of(manifests), { external: [{ kind: 'VirtualService', name: 'elsewhere' }] }).map(
    ({ rule, message }) => `${rule} ${message.replace('spec.strategy.canary.trafficRouting.istio.', '')}`,
  );
}

describe('what a Rollout names of Istio', () => {
  it('is accepted: the stable and canary Services beside those of ping-pong', () => {
    const text = canary({ more: [...SERVICES, virtualService(`[{ route: ${HOSTS} }]`)] }).replace(
      'alb: { ingress: web, servicePort: 80 }',
      'istio: { virtualService: { name: web } }',
    );
    const pingPong = text.replace(
      'stableService: web-stable',
      'pingPong: { pingService: web-ping, pongService: web-pong }\n      stableService: web-stable',
    );
    expect(pingPong).not.toBe(text);
    const { manifests } = parseManifests(pingPong, 'a.yaml');
    const rules = admissionFindings(World.of(manifests), {}).map(({ rule }) => rule);
    expect(rules).not.toContain('argo-istio-route-invalid');
  });

  it('is, of ping-pong alone, both of its Services', () => {
    const rules = (http: string) => {
      const text = canary({ more: [service('web-ping'), service('web-pong'), virtualService(http)] })
        .replace('alb: { ingress: web, servicePort: 80 }', 'istio: { virtualService: { name: web } }')
        .replace(
          /canaryService: \S+\s+stableService: \S+/,
          'pingPong: { pingService: web-ping, pongService: web-pong }',
        )
        .replace(
          /stableService: \S+\s+canaryService: \S+/,
          'pingPong: { pingService: web-ping, pongService: web-pong }',
        );
      expect(text).toContain('pingPong');
      const { manifests } = parseManifests(text, 'a.yaml');
      return admissionFindings(World.of(manifests), {})
        .filter(({ rule }) => rule === 'argo-istio-route-invalid')
        .map(({ message }) => /"web-p[a-z]+"/.exec(message)?.[0]);
    };
    const to = (...hosts: string[]) =>
      `[{ route: [${hosts.map((host) => `{ destination: { host: ${host} } }`).join(', ')}] }]`;
    expect(rules(to('web-ping', 'web-pong'))).toEqual([]);
    expect(rules(to('web-ping', 'web-stable'))).toEqual(['"web-pong"']);
  });

  it.each([
    [
      'a VirtualService',
      '{ virtualService: { name: web, routes: [primary] } }',
      [virtualService(`[{ name: primary, route: ${HOSTS} }]`)],
    ],
    ['the only route', '{ virtualService: { name: web } }', [virtualService(`[{ route: ${HOSTS} }]`)]],
    ['another namespace', '{ virtualService: { name: web.mesh } }', [virtualService(`[{ route: ${HOSTS} }]`, 'mesh')]],
    ['an external object', '{ virtualService: { name: elsewhere } }', []],
    ['several', '{ virtualServices: [{ name: web }] }', [virtualService(`[{ route: ${HOSTS} }]`)]],
    ['routes of TCP', '{ virtualService: { name: web } }', [virtualService('[], tcp: [{ route: [] }]')]],
  ])('is accepted: %s', (_, istio, objects) => {
    expect(found(istio, ...objects)).toEqual([]);
  });

  it.each([
    [
      'a missing VirtualService',
      '{ virtualService: { name: web } }',
      [],
      'argo-istio-object-not-found virtualService.name: there is no VirtualService "web"',
    ],
    [
      'a VirtualService of another namespace',
      '{ virtualService: { name: web } }',
      [virtualService(`[{ route: ${HOSTS} }]`, 'mesh')],
      'argo-istio-object-not-found virtualService.name: there is no VirtualService "web"',
    ],
    [
      'a route that is not there',
      '{ virtualService: { name: web, routes: [other] } }',
      [virtualService(`[{ name: primary, route: ${HOSTS} }]`)],
      'argo-istio-route-invalid virtualService.routes: VirtualService "web" has no route with the name "other"',
    ],
    [
      'no name of a route where there are two',
      '{ virtualService: { name: web } }',
      [virtualService(`[{ name: a, route: ${HOSTS} }, { name: b, route: ${HOSTS} }]`)],
      'argo-istio-route-invalid virtualService.name: VirtualService "web" has 2 routes, and the Rollout names none of them',
    ],
    [
      'no destination for the canary',
      '{ virtualServices: [{ name: web }] }',
      [virtualService('[{ route: [{ destination: { host: web-stable } }] }]')],
      'argo-istio-route-invalid virtualServices[0].name: the route of VirtualService "web" has no destination with the host "web-canary"',
    ],
    [
      'a missing DestinationRule',
      '{ virtualService: { name: web }, destinationRule: { name: web, stableSubsetName: a, canarySubsetName: b } }',
      [
        virtualService(
          '[{ route: [{ destination: { host: web, subset: a } }, { destination: { host: web, subset: b } }] }]',
        ),
      ],
      'argo-istio-object-not-found destinationRule.name: there is no DestinationRule "web"',
    ],
    [
      'no subset for the canary',
      '{ virtualService: { name: web }, destinationRule: { name: web, stableSubsetName: a, canarySubsetName: b } }',
      [
        virtualService('[{ route: [{ destination: { host: web, subset: a } }] }]'),
        'apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: { name: web, namespace: shop }\nspec: { host: web }\n',
      ],
      'argo-istio-route-invalid virtualService.name: the route of VirtualService "web" has no destination with the subset "b"',
    ],
  ])('is refused: %s', (_, istio, objects, expected) => {
    expect(found(istio, ...objects)).toEqual([expected]);
  });
});
