/** A route of Traefik, from whichever object it comes. */
import type { Manifest, Path, World } from '../../core';
import { utf8Length } from '../../core/bytes';
import type { Answer, Ignored } from '../router';
import { keyOf } from '../values';
import { parseRule, type RuleOptions, type RuleSyntax } from './rule';
import { placeOf, type TiedRoute } from './ties';

/** A middleware that redirects requests, or some of them. */
export interface Redirect {
  readonly permanent: boolean;
  /** The scheme that requests of another scheme are sent to. */
  readonly scheme?: string;
  readonly port?: string;
  /** The URLs that are redirected, with their scheme. */
  readonly urls?: (url: string) => boolean;
  /** What an expression makes of these URLs. */
  readonly location?: string;
}

/** A route with what decides on which entry points it takes requests. */
export interface TraefikRoute extends TiedRoute {
  /** Empty for all of them. */
  readonly entryPoints: readonly string[];
  /** A route with TLS takes no requests without TLS. */
  readonly hasTls: boolean;
  /** The middlewares that redirect, in the order in which they see a request. */
  readonly redirects: readonly Redirect[];
}

/** What an object says of a route. */
export interface WrittenRoute extends Pick<TraefikRoute, 'entryPoints' | 'hasTls' | 'redirects'> {
  readonly manifest: Manifest;
  readonly at: Path;
  readonly rule: ReadRule;
  /** Zero takes the length of the rule. */
  readonly priority: number;
  readonly answer: Answer;
  /** @default false */
  readonly isDefault?: boolean;
}

/** A mistake for which Traefik drops a route. */
export class RouteError extends Error {
  constructor(
    message: string,
    readonly reason: string = 'route-dropped',
  ) {
    super(message);
  }
}

/** What an object makes, or nothing, with the reason among what is ignored, where Traefik drops it. */
export function unlessDropped<Made>(
  ignored: Ignored[],
  { manifest, path }: Pick<Ignored, 'manifest' | 'path'>,
  make: () => readonly Made[],
): readonly Made[] {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof RouteError)) throw error;
    ignored.push({ manifest, ...(path && { path }), reason: error.reason, why: error.message });
    return [];
  }
}

/** A rule that can be read, and its text. */
export type ReadRule = Exclude<ReturnType<typeof parseRule>, { readonly fault: string }> & { readonly text: string };

/** Reads a rule; what cannot be read drops its route. */
export function readRule(text: string, syntax: RuleSyntax, options: RuleOptions): ReadRule {
  const parsed = parseRule(text, syntax, options);
  if ('fault' in parsed) throw new RouteError(`the rule ${text} cannot be read: ${parsed.fault}`);
  return { ...parsed, text };
}

const NO_ADDRESS = 'ClientIP depends on the address of the client, and the request has none: add "from 10.0.0.1"';

/** The route of what an object says. */
export function routeOf(world: World, written: WrittenRoute): TraefikRoute {
  const { manifest, at, rule, entryPoints, hasTls, redirects, answer, isDefault } = written;
  const priority = written.priority || utf8Length(rule.text);
  const whose = isDefault === true ? 'default backend' : `priority ${priority}: ${rule.text}`;
  return {
    place: placeOf(rule, written.priority !== 0),
    priority,
    entryPoints,
    hasTls,
    redirects,
    candidate: {
      rule: { description: `${manifest.kind} ${keyOf(world, manifest)}, ${whose}`, manifest, path: at },
      matches: (request) => rule.test(request) || rule.needsAddress(request),
      unknown: (request) => (rule.needsAddress(request) ? NO_ADDRESS : undefined),
      answer,
      ...(isDefault === true ? { isDefault } : {}),
    },
  };
}
