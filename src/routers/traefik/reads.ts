import { type Manifest, ownValue } from '../../core';
import { INGRESS_READ } from '../ingress/reads';
import { anyField, fieldsOfSpec, placeAt, type RouteKind } from '../kinds';
import { candidatesAt } from '../request-candidates';
import { listOf, objectOf, textOf, valueIn } from '../values';
import { OLD_TRAEFIK_KINDS, TRAEFIK_KINDS } from './kinds';

const INGRESS_ROUTE = {
  hostsOf: (manifest) => rulesOf(manifest).flatMap((rule) => argumentsOf(rule, 'Host')),
  placeOf: (manifest) => {
    const { routes: _routes, ...besides } = objectOf(valueIn(manifest.object, 'spec')) ?? {};
    return placeAt(
      rulesOf(manifest).map((rule) => PLACED.exec(rule)?.[1]),
      besides,
    );
  },
  candidatesOf: (manifest) =>
    rulesOf(manifest).flatMap((rule) => {
      const paths = [...argumentsOf(rule, 'Path'), ...argumentsOf(rule, 'PathPrefix')];
      return candidatesAt(argumentsOf(rule, 'Host'), paths.length > 0 ? paths : ['/']);
    }),
} satisfies Partial<RouteKind>;

/** A rule of conditions that must all be met, one of them on the path. */
const PLACED = /^(?:[^|!]*&&)?\s*Path(?:Prefix)?\(`([^`]*)`\)\s*(?:&&[^|!]*)?$/;

/** The kinds that make routes of Traefik: those of both of its API groups, and Ingresses. */
export const TRAEFIK_READS: readonly RouteKind[] = [
  {
    ...TRAEFIK_KINDS.ingressRoute,
    ...INGRESS_ROUTE,
    rewrittenFields: fieldsOfSpec('routes'),
    samplesFor: (service, port) => [
      {
        name: 'an IngressRoute with one route',
        spec: {
          entryPoints: ['websecure'],
          routes: [{ match: 'Host(`shop.example.com`)', kind: 'Rule', services: [{ name: service, port }] }],
        },
      },
    ],
  },
  {
    ...TRAEFIK_KINDS.traefikService,
    rewrittenFields: fieldsOfSpec('weighted'),
    samplesFor: (service, port) => [
      { name: 'a weighted TraefikService', spec: { weighted: { services: [{ name: service, port, weight: 1 }] } } },
    ],
  },
  TRAEFIK_KINDS.middleware,
  { ...OLD_TRAEFIK_KINDS.ingressRoute, ...INGRESS_ROUTE, rewrittenFields: anyField },
  { ...OLD_TRAEFIK_KINDS.traefikService, rewrittenFields: anyField },
  OLD_TRAEFIK_KINDS.middleware,
  INGRESS_READ,
];

function rulesOf({ object }: Manifest): readonly string[] {
  return listOf(valueIn(object, 'spec', 'routes')).map((route) => textOf(ownValue(route, 'match')) ?? '');
}

/** The arguments of a function in a rule: Host(`shop.example.com`). */
function argumentsOf(rule: string, name: string): string[] {
  return [...rule.matchAll(new RegExp(`\\b${name}\\(([^()]*)\\)`, 'g'))].flatMap(([, args]) =>
    [...args!.matchAll(/[`"']([^`"']*)[`"']/g)].map(([, argument]) => argument!),
  );
}
