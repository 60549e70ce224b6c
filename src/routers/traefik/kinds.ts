import type { Manifest, World } from '../../core';
import type { ObjectKind } from '../kinds';

const kindsOf = (group: string) =>
  ({
    ingressRoute: { kind: 'IngressRoute', group, plural: 'ingressroutes' },
    traefikService: { kind: 'TraefikService', group, plural: 'traefikservices' },
    middleware: { kind: 'Middleware', group, plural: 'middlewares' },
  }) as const satisfies Record<string, ObjectKind>;

/** The kinds of Traefik since 2.10. */
export const TRAEFIK_KINDS = kindsOf('traefik.io');
/** The kinds of Traefik before 2.10. */
export const OLD_TRAEFIK_KINDS = kindsOf('traefik.containo.us');

/** The API groups of Traefik, the newer one first. */
export const GROUPS = [TRAEFIK_KINDS, OLD_TRAEFIK_KINDS].map(({ ingressRoute }) => ingressRoute.group);

/** An object of Traefik, of either group. */
export function findIn(world: World, kind: string, name: string, namespace: string): Manifest | undefined {
  return GROUPS.map((group) => world.find(`${kind}.${group}`, name, namespace)).find((found) => found !== undefined);
}
