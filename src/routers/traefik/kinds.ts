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
