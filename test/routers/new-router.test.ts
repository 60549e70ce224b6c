/** A router for a CRD of an invented API group, added in one file. No other code needs to know the kind. */
import { describe, expect, it } from 'vitest';
import { checkStack, WorldCut } from '../../src/check';
import { Manifest, World } from '../../src/core';
import { groupKindOfRead, readKinds } from '../../src/doctor';
import { GatewayKind } from '../../src/kruise/gateway-kinds';
import { checkGatewayPermissions } from '../../src/kruise/gateway-permissions';
import { gatewayGrant } from '../../src/kruise/gateway-rbac';
import { rewrittenIn } from '../../src/kruise/gitops';
import { KruiseRolloutVersion } from '../../src/kruise/version';
import { rehearse } from '../../src/rehearsal';
import { Scopes } from '../../src/rehearsal/scope';
import { allRouters, nameOfKind, scriptableKinds } from '../../src/routers';
import { configMap, objectsOf, rulesOf, service, sharesOf } from '../rehearsal/stack';
import { SOLO, soloRouter } from './solo';

const routers = [...allRouters(), soloRouter()];
const apiVersion = 'gateway.solo.example/v1';

/** Splits the first route, or puts a route for the first match of a step before it. */
const SCRIPT = `
local spec = obj.data.spec
local function to(name, weight) return {service = name, port = 80, weight = weight} end
local first = {matchers = {{prefix = "/"}}, routeAction = {multi = {destinations = {
  to(obj.stableService, obj.stableWeight), to(obj.canaryService, obj.canaryWeight)}}}}
spec.virtualHost.routes = {first}
if obj.matches then
  local header = obj.matches[1].headers[1]
  first.routeAction.multi.destinations = {to(obj.stableService, 100)}
  table.insert(spec.virtualHost.routes, 1, {matchers = {{prefix = "/", headers = {{name = header.name, value = header.value}}}},
    routeAction = {multi = {destinations = {to(obj.canaryService, 100)}}}})
end
return obj.data`;

const virtualService = (name: string, host: string, namespace = 'shop') => ({
  apiVersion,
  kind: 'VirtualService',
  metadata: { name, namespace },
  spec: {
    virtualHost: {
      domains: [host],
      routes: [
        {
          matchers: [{ prefix: '/cart' }],
          routeAction: { multi: { destinations: [{ service: name, port: 80, weight: 1 }] } },
        },
      ],
    },
  },
});

/** An application behind the gateway. */
const application = (name: string, namespace = 'shop') => [
  ...objectsOf({
    name,
    namespace,
    steps: [
      { replicas: '20%', matches: [{ headers: [{ type: 'Exact', name: 'x-user', value: 'tester' }] }] },
      { traffic: '20%', replicas: '20%' },
      { traffic: '100%', replicas: '100%' },
    ],
    route: { customNetworkRefs: [{ apiVersion, kind: 'VirtualService', name }] },
  }).filter((object) => (object as { kind: string }).kind !== 'Ingress'),
  virtualService(name, `${name}.example.com`, namespace),
];

const worldOf = (objects: readonly object[]) => World.of(objects.map((object) => Manifest.of(object)));

const scripts = configMap({ 'lua.traffic.routing.VirtualService.gateway.solo.example': SCRIPT });
const istio = {
  apiVersion: 'networking.istio.io/v1',
  kind: 'VirtualService',
  metadata: { name: 'other', namespace: 'shop' },
  spec: { hosts: ['other.example.com'], http: [{ route: [{ destination: { host: 'other' } }] }] },
};
const world = worldOf([...application('web'), scripts, istio, service('other')]);

describe('the kinds that a Rollout can name', () => {
  it('are those that the routers let scripts rewrite', () => {
    expect(GatewayKind.ALL.map(String).sort()).toEqual(scriptableKinds(allRouters()).map(nameOfKind).sort());
  });
});

describe('a router in one file', () => {
  it('rehearses a canary: hosts and paths come from its objects, and the canary gets what is declared', () => {
    const [rehearsal] = rehearse(world, { routers });

    expect(rehearsal!.loadBalancers).toEqual([{ router: 'solo', name: 'solo', port: 80, protocol: 'HTTP' }]);
    expect(rehearsal!.requests.map(({ text }) => text)).toContain('GET http://web.example.com/cart');
    expect(rulesOf(rehearsal!)).toEqual([]);
    expect(sharesOf(rehearsal!)).toMatchObject({
      'steps[0]: x-user: tester': { any: 0, 'x-user: tester': 100 },
      'steps[1]: 20%': { any: 20 },
    });
  });

  it('is unknown without it: the group decides, not the kind', () => {
    const [rehearsal] = rehearse(world);

    expect(rehearsal!.loadBalancers).toEqual([]);
    expect(rehearsal!.findings).toMatchObject([{ rule: 'rehearsal-incomplete' }]);
  });

  it('adds its objects to the scope of a Rollout only if they share a host', () => {
    const same = Manifest.of(virtualService('neighbour', 'web.example.com', 'elsewhere'));
    const other = Manifest.of(virtualService('stranger', 'stranger.example.com', 'elsewhere'));
    const wide = world.with(same, other);
    const ref = { apiVersion, kind: 'VirtualService', name: 'web' };
    const traffic = {
      namespace: 'shop',
      stableService: 'web',
      canaryService: 'web-canary',
      objects: [ref],
      names: ['web'],
    };
    const scope = new Scopes(wide, routers).of(traffic);

    expect(scope.manifests).toContain(same);
    expect(scope.manifests).not.toContain(other);
    expect(scope.list('VirtualService.networking.istio.io')).toEqual([]);
  });

  it('keeps its objects together when a World is cut', () => {
    const stack = worldOf([...application('web'), ...application('cart', 'carts'), scripts]);
    const holding = (cut: WorldCut) => cut.parts.filter((part) => part.rollouts > 0).length;

    expect(holding(WorldCut.of(stack, 2))).toBe(2);
    expect(holding(WorldCut.of(stack, 2, { routers }))).toBe(1);
  });

  it('has its permissions checked and granted', () => {
    const install = { namespace: 'kruise-rollout', serviceAccountName: 'kruise', grantedKinds: [] };
    const missing = checkGatewayPermissions(world, { routers, install });
    expect(missing.map(({ message }) => message)).toEqual([
      expect.stringContaining('virtualservices of the group "gateway.solo.example"'),
    ]);

    const grant = gatewayGrant([GatewayKind.of({ group: SOLO.group, kind: SOLO.kind, plural: SOLO.plural })], {
      ...install,
      version: KruiseRolloutVersion.LATEST,
    });
    const granted = world.with(...grant.map((object) => Manifest.of(object)));
    expect(checkGatewayPermissions(granted, { routers, install })).toEqual([]);
  });

  it('is read by the doctor', () => {
    const kinds = readKinds(routers).map(groupKindOfRead);
    expect(kinds).toContain('VirtualService.gateway.solo.example');
    expect(kinds).toContain('VirtualService.networking.istio.io');
  });

  it('names the fields that GitOps tools have to ignore', () => {
    const fields = rewrittenIn(world, KruiseRolloutVersion.LATEST, () => true, routers);
    expect(fields.find(({ object }) => object.kind === 'VirtualService')).toMatchObject({
      object: { apiVersion },
      pointers: ['/spec/virtualHost'],
    });
  });

  it('takes part in the check of a whole stack', () => {
    const rules = (options: object) => checkStack(world, options).findings.map(({ rule }) => rule);
    expect(rules({})).toContain('rehearsal-incomplete');
    expect(rules({ routers })).not.toContain('rehearsal-incomplete');
  });
});
