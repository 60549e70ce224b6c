/** Checks the Ingresses and HTTPRoutes that route to the stable Service. */
import type { Finding } from '../../core/finding';
import { asList, asObject, isJsonObject, type JsonObject } from '../../core/json';
import { keyedBy } from '../../core/keyed';
import type { Manifest } from '../../core/manifest';
import type { Path } from '../../core/path';
import { defineRules } from '../../core/rule';
import { type LostField, lostFields } from '../http-route-fields';
import type { RouteSubject } from '../subject';
import type { KruiseRolloutVersion } from '../version';
import { HTTP_ROUTE, INGRESS, ingressesOf, type RolloutCheck, type RolloutChecker } from './context';
import * as example from './examples';
import { edit, yaml } from './examples';
import { issue, source } from './sources';

const STACK = [example.ROLLOUT, example.DEPLOYMENT, example.SERVICE] as const;
const SECOND_INGRESS = edit(
  example.INGRESS,
  ['metadata: { name: web, ', 'metadata: { name: web-internal, '],
  ['ingressClassName: nginx', 'ingressClassName: nginx-internal'],
);
const GATEWAY_STACK = [example.GATEWAY_ROLLOUT, example.DEPLOYMENT, example.SERVICE] as const;

/** Rules for Ingresses and HTTPRoutes. */
export const ingressRules = defineRules({
  'kruise-ingress-without-path': {
    severity: 'error',
    title: 'the Ingress has no path to the Service of the release',
    because:
      'the controller copies only paths with the stable Service as their backend (it ignores a default backend). ' +
      'Without such a path, the canary Ingress has no rule and the API server refuses it, so the release hangs',
    fix: 'name the Ingress that routes to the Service, or add a path with the Service as its backend',
    basis: 'run',
    rehearsedAs: ['rehearsal-controller-stuck'],
    sources: [source.ingress],
    failing: yaml(...STACK, edit(example.INGRESS, ['service: { name: web,', 'service: { name: api,'])),
    corrected: yaml(...STACK, example.INGRESS),
  },

  'kruise-ingress-panics': {
    severity: 'error',
    title: 'a rule of the Ingress crashes the controller',
    because:
      'the controller reads http.paths[].backend.service of every rule without a nil check. If it is missing, ' +
      'the controller panics, one replica after the other, and every rollout in the cluster stops',
    fix: 'move rules without http, and paths to a resource, to a separate Ingress',
    basis: 'run',
    rehearsedAs: ['rehearsal-controller-panics'],
    sources: [source.ingress],
    failing: yaml(...STACK, edit(example.INGRESS, ['rules:\n', 'rules:\n    - host: old.example.com\n'])),
    corrected: yaml(...STACK, example.INGRESS),
  },

  'kruise-route-unreferenced': {
    severity: 'warning',
    title: 'another route to the Service bypasses the release',
    because:
      'the controller changes only the objects that the Rollout names. All requests through another Ingress or HTTPRoute ' +
      'still go to the stable Service, which selects only old pods during the release',
    fix: 'route through one Ingress, or name every Ingress in customNetworkRefs with a script for its kind',
    basis: 'read',
    sources: [source.ingress, issue(125)],
    failing: yaml(...STACK, example.INGRESS, SECOND_INGRESS),
    corrected: yaml(...STACK, example.INGRESS),
  },

  'kruise-http-route-without-backend': {
    severity: 'error',
    title: 'the HTTPRoute has no backend that the controller recognises as the Service',
    because:
      'the controller compares the name and kind of a backendRef, and ignores one of another kind or with a namespace, so ' +
      'it changes nothing and all requests go to the old version',
    fix: 'write the backendRef with kind: Service, the name of the Service, and no namespace',
    basis: 'read',
    sources: [source.gateway, issue(140)],
    failing: yaml(
      ...GATEWAY_STACK,
      edit(example.HTTP_ROUTE, ['name: web, port: 80', 'name: web, namespace: shop, port: 80']),
    ),
    corrected: yaml(...GATEWAY_STACK, example.HTTP_ROUTE),
  },

  'kruise-http-route-fields-dropped': {
    severity: 'warning',
    title: 'the controller drops unknown fields of the HTTPRoute',
    because:
      'the controller reads the HTTPRoute into the types of an old Gateway API (0.7 since Kruise Rollouts 0.6) and writes it ' +
      'back completely. It removes newer fields in the first step and never restores them: a mirror with a percentage ' +
      'becomes a mirror of all requests',
    fix: 'move the fields to another route or to a policy object, or route through customNetworkRefs with a script for HTTPRoute',
    basis: 'run',
    sources: [source.gateway],
    failing: yaml(
      ...GATEWAY_STACK,
      edit(example.HTTP_ROUTE, ['rules:\n    - ', 'rules:\n    - timeouts: { request: 10s }\n      ']),
    ),
    corrected: yaml(...GATEWAY_STACK, example.HTTP_ROUTE),
  },

  'kruise-http-route-refused': {
    severity: 'error',
    title: 'the API server refuses the HTTPRoute that the controller writes',
    because:
      'the controller reads the HTTPRoute into the types of an old Gateway API and writes it back completely. It keeps the ' +
      'type of a newer filter and removes its configuration. The API server refuses a filter without configuration ' +
      '("filter.cors must be specified for CORS filter.type"), so the release hangs in the first step that routes traffic',
    fix: 'move the filter to another route or to a policy object, or route through customNetworkRefs with a script for HTTPRoute',
    basis: 'run',
    rehearsedAs: ['rehearsal-controller-stuck'],
    sources: [source.gateway, 'https://gateway-api.sigs.k8s.io/reference/1.5/spec/#httproutefilter'],
    failing: yaml(
      ...GATEWAY_STACK,
      edit(example.HTTP_ROUTE, [
        'rules:\n    - ',
        'rules:\n    - filters: [{ type: CORS, cors: { allowOrigins: ["https://example.com"] } }]\n      ',
      ]),
    ),
    corrected: yaml(...GATEWAY_STACK, example.HTTP_ROUTE),
  },
});

/** Checks the Ingresses and HTTPRoutes of every route. */
export const checkIngresses: RolloutChecker = (check) =>
  check.routes.flatMap((route) => [
    ...ingressFindings(check, route),
    ...httpRouteFindings(check, route),
    ...unreferenced(check, route),
  ]);

function ingressFindings(check: RolloutCheck, route: RouteSubject): Finding[] {
  const { world } = check;
  if (route.ingress === undefined || route.service === '') return [];
  const ingress = world.find(INGRESS, route.ingress.name, route.namespace);
  if (ingress === undefined) return [];
  const panics = crashingPlaces(ingress);
  if (panics.length > 0) {
    return panics.map(({ path, what }) =>
      ingress.finding(ingressRules['kruise-ingress-panics'], {
        message: `${what}, and the ${route.manifest.kind} "${route.manifest.name}" clones this Ingress`,
        path,
      }),
    );
  }
  if (ingressBackends(ingress).includes(route.service) || isMisnamed(check, route)) return [];
  return [
    route.manifest.finding(ingressRules['kruise-ingress-without-path'], {
      message: `the Ingress "${ingress.name}" has no path to the Service "${route.service}"; ${backendsText(ingress)}`,
      path: [...route.ingress.path, 'name'],
      related: { message: `the Ingress "${ingress.name}" is declared here`, object: ingress.ref, ...placeOf(ingress) },
    }),
  ];
}

/** Whether the Service is missing although the namespace has others: its name is probably wrong, not the Ingress. */
function isMisnamed({ world, isExternal }: RolloutCheck, { service, namespace }: RouteSubject): boolean {
  if (world.find('Service', service, namespace) !== undefined) return false;
  return world.list('Service', namespace).length > 0 && !isExternal({ kind: 'Service', name: service, namespace });
}

function crashingPlaces(ingress: Manifest): { readonly path: Path; readonly what: string }[] {
  return asList(ingress.get('spec.rules')).flatMap((rule, index) => {
    const { http, host } = asObject(rule);
    const path: Path = ['spec', 'rules', index];
    if (!isJsonObject(http))
      return [{ path, what: `rule ${index + 1} (host ${JSON.stringify(host ?? '*')}) has no http` }];
    return asList(http.paths).flatMap((item, at) => {
      const backend = asObject(asObject(item).backend);
      if (isJsonObject(backend.service)) return [];
      return [{ path: [...path, 'http', 'paths', at, 'backend'], what: 'the backend of a path is not a Service' }];
    });
  });
}

function backendsText(ingress: Manifest): string {
  const names = [...new Set(ingressBackends(ingress))].sort();
  const onlyDefault = names.length === 0 && ingress.get('spec.defaultBackend') !== undefined;
  if (onlyDefault) return 'it has only a default backend';
  return names.length === 0 ? 'it has no path' : `its paths lead to ${names.map((name) => `"${name}"`).join(', ')}`;
}

function ingressBackends(ingress: Manifest): string[] {
  return asList(ingress.get('spec.rules')).flatMap((rule) =>
    asList(asObject(asObject(rule).http).paths).flatMap((path) => {
      const { name } = asObject(asObject(asObject(path).backend).service);
      return typeof name === 'string' ? [name] : [];
    }),
  );
}

function httpRouteFindings({ world, version }: RolloutCheck, route: RouteSubject): Finding[] {
  if (route.gateway === undefined || route.service === '') return [];
  const httpRoute = world.find(HTTP_ROUTE, route.gateway.httpRouteName, route.namespace);
  if (httpRoute === undefined) return [];
  const dropped = lostFields(httpRoute.get('spec'), version.facts.gatewayApiTypes).map((lost) =>
    lostFieldFinding(httpRoute, route, lost, version),
  );
  const rules = asList(httpRoute.get('spec.rules')).map(asObject);
  if (rules.some((rule) => servicesReached(rule).includes(route.service))) return dropped;
  return [
    ...dropped,
    route.manifest.finding(ingressRules['kruise-http-route-without-backend'], {
      message: `no rule of the HTTPRoute "${httpRoute.name}" has a backendRef for the Service "${route.service}" that the controller recognises${almost(rules, route.service)}`,
      path: [...route.gateway.path, 'httpRouteName'],
      related: {
        message: `the HTTPRoute "${httpRoute.name}" is declared here`,
        object: httpRoute.ref,
        ...placeOf(httpRoute),
      },
    }),
  ];
}

function lostFieldFinding(
  httpRoute: Manifest,
  { manifest }: RouteSubject,
  { path, filter }: LostField,
  version: KruiseRolloutVersion,
): Finding {
  const field = `"${path.at(-1)}"`;
  const cause = `Kruise Rollouts ${version} does not know the field ${field} of an HTTPRoute`;
  if (filter === undefined)
    return httpRoute.finding(ingressRules['kruise-http-route-fields-dropped'], {
      message: `${cause}, and removes it in the first step of "${manifest.name}"`,
      path,
    });
  return httpRoute.finding(ingressRules['kruise-http-route-refused'], {
    message: `${cause}, and writes the ${filter} filter without it, which the API server refuses: "${manifest.name}" hangs in its first step`,
    path,
  });
}

// The API server adds `kind: Service` where a backendRef has none.
/** The Services that the controller sees in a rule. */
function servicesReached(rule: JsonObject): string[] {
  return backendRefs(rule).flatMap(({ kind = 'Service', group = '', name, namespace }) =>
    kind === 'Service' && group === '' && typeof name === 'string' && namespace === undefined ? [name] : [],
  );
}

function backendRefs(rule: JsonObject): JsonObject[] {
  return asList(rule.backendRefs).map(asObject);
}

function almost(rules: readonly JsonObject[], service: string): string {
  const named = rules.flatMap(backendRefs).find(({ name }) => name === service);
  if (named === undefined) return '';
  const { namespace, kind = 'Service', group } = named;
  if (namespace !== undefined) return ': the backendRef with that name has a namespace';
  const what = kind === 'Service' ? `the group ${JSON.stringify(group)}` : `kind ${JSON.stringify(kind)}`;
  return `: the backendRef with that name has ${what}`;
}

const ingressesTo = keyedBy<Manifest>(ingressBackends);
const httpRoutesTo = keyedBy<Manifest>((httpRoute) =>
  asList(httpRoute.get('spec.rules')).flatMap((rule) => servicesReached(asObject(rule))),
);

function unreferenced({ world, isExternal }: RolloutCheck, route: RouteSubject): Finding[] {
  if (route.service === '') return [];
  const referenced = new Set(
    [
      ...ingressesOf(world, route),
      route.gateway && world.find(HTTP_ROUTE, route.gateway.httpRouteName, route.namespace),
    ].filter((manifest) => manifest !== undefined),
  );
  // If another kind routes, for example a mesh, an Ingress may correctly lead to it.
  if (referenced.size === 0) return [];
  const others = [
    ...ingressesTo(world.list(INGRESS, route.namespace), route.service),
    ...httpRoutesTo(world.list(HTTP_ROUTE, route.namespace), route.service),
  ].filter((manifest) => !referenced.has(manifest) && !isExternal(manifest.ref));
  return others.map((other) =>
    route.manifest.finding(ingressRules['kruise-route-unreferenced'], {
      message: `the ${other.kind} "${other.name}" also routes to the Service "${route.service}", but "${route.manifest.name}" does not name it`,
      path: route.path,
      related: { message: `the ${other.kind} "${other.name}" is declared here`, object: other.ref, ...placeOf(other) },
    }),
  );
}

function placeOf(manifest: Manifest) {
  const place = manifest.sourceOf();
  return place === undefined ? {} : { source: place };
}
