/** Cases at random: routes of a few rules for a host of their own, and requests that they nearly match. */
import fc from 'fast-check';
import type { GatewayCase } from '../gateway';
import { httpProxies } from './http-proxy';
import { HTTP_ROUTES, httpRoutes } from './http-route';
import { ingressesOf } from './ingress';
import { ingressRoutes } from './ingress-route';
import type { Routes, RoutesOf } from './values';
import { virtualServices } from './virtual-service';

const KINDS: Readonly<Record<string, RoutesOf>> = {
  contour: httpProxies,
  istio: virtualServices,
  nginx: ingressesOf('nginx'),
  traefik: ingressRoutes,
  'traefik-ing': ingressesOf('traefik'),
  ...Object.fromEntries(Object.entries(HTTP_ROUTES).map(([name, options]) => [name, httpRoutes(options)])),
};

/** The same cases for the same seed. */
export function randomCases(gateway: string, seed: number, count: number): GatewayCase[] {
  const routesOf = KINDS[gateway.split('@')[0]!];
  if (routesOf === undefined) throw new Error(`there are no cases at random of ${gateway}`);
  return Array.from({ length: count }, (_, index) => {
    const name = `random-${seed}-${index}`;
    const drawn = routesOf(`${name}.test`, name).chain((routes) =>
      requestsOf(routes).map((requests) => ({ case: name, gateway, objects: routes.objects, requests })),
    );
    return fc.sample(drawn, { seed: seed * 1000 + index, numRuns: 1 })[0]!;
  });
}

const REQUESTS = 24;

function requestsOf(routes: Routes): fc.Arbitrary<string[]> {
  const host = fc.oneof({ weight: 4, arbitrary: fc.constant(routes.hosts[0]!) }, fc.constantFrom(...routes.hosts));
  const path = fc
    .tuple(fc.constantFrom(...routes.paths, '/'), fc.constantFrom('', '', '', '/', '/x', 'x', '/..', '/%2e', '//x'))
    .map(([base, more]) => `${base}${more}`)
    .map((text) => (text.startsWith('/') ? text : `/${text}`));
  const pairs = (known: Routes['headers']) =>
    fc.oneof(
      { weight: 2, arbitrary: fc.constant([] as (readonly [string, string])[]) },
      ...(known.length === 0
        ? []
        : [
            { weight: 4, arbitrary: fc.array(fc.constantFrom(...known), { minLength: 1, maxLength: 2 }) },
            {
              weight: 2,
              arbitrary: fc
                .tuple(fc.constantFrom(...known), fc.constantFrom('', '0', 'x', '12', 'abc'))
                .map(([[name], value]) => [[name, value] as const]),
            },
          ]),
    );
  const method = fc.oneof({ weight: 4, arbitrary: fc.constant('GET') }, fc.constantFrom('POST', 'DELETE'));
  const request = fc
    .record({ method, host, path, headers: pairs(routes.headers), queries: pairs(routes.queries) })
    .map(({ method: verb, host: to, path: place, headers, queries }) => {
      const search = queries.map(([name, value]) => `${name}=${value}`).join('&');
      const options = headers.map(([name, value]) => ` -H "${name}: ${value}"`).join('');
      return `${verb} http://${to}${place}${search === '' ? '' : `?${search}`}${options}`;
    });
  return fc.uniqueArray(request, { minLength: REQUESTS, maxLength: REQUESTS });
}
