import type { Histories } from '../../core/release-history';
import { knownRelease } from '../known-release';
import type { RuleSyntax } from './rule';

/** The differences between releases of Traefik. */
export interface TraefikFacts {
  /** The syntax of rules that name none. */
  readonly ruleSyntax: RuleSyntax;
  /** Whether `Host` takes a wildcard of one label, `*.example.com`. Older releases compare it with the host as it is, and write an expression for an Ingress. */
  readonly hostWildcards: boolean;
  /**
   * What becomes of a path with escapes, dots or double slashes. `routed`: escapes that stand for themselves are decoded, then dots and
   * slashes are taken out. `refused`: the same, and an escape of a separator such as `%2F` is answered with 400. `unknown`: another way.
   */
  readonly unusualPaths: 'routed' | 'refused' | 'unknown';
}

/** What each fact is, by release. */
export const TRAEFIK_HISTORY: Histories<TraefikFacts> = {
  ruleSyntax: [
    { from: '2.0.0', is: 'v2', source: 'pkg/muxer/http/mux.go' },
    { from: '3.0.0', is: 'v3', source: 'pkg/muxer/http/mux.go' },
  ],
  hostWildcards: [
    { from: '2.0.0', is: false, source: 'pkg/muxer/http/matcher.go' },
    { from: '3.7.0', is: true, source: 'pkg/muxer/http/matcher.go' },
  ],
  unusualPaths: [
    { from: '2.0.0', is: 'unknown', source: 'pkg/server/server_entrypoint_tcp.go' },
    { from: '2.11.25', is: 'routed', source: 'pkg/server/server_entrypoint_tcp.go' },
    { from: '2.11.32', is: 'refused', source: 'pkg/config/static/entrypoints.go' },
    { from: '2.11.35', is: 'routed', source: 'pkg/config/static/entrypoints.go' },
    { from: '3.0.0', is: 'unknown', source: 'pkg/server/server_entrypoint_tcp.go' },
    { from: '3.4.1', is: 'routed', source: 'pkg/server/server_entrypoint_tcp.go' },
    { from: '3.6.3', is: 'refused', source: 'pkg/config/static/entrypoints.go' },
    { from: '3.6.7', is: 'routed', source: 'pkg/config/static/entrypoints.go' },
  ],
};

/**
 * A release of Traefik and its behaviour.
 *
 * @example
 * TraefikVersion.of('3.6.12').facts.hostWildcards; // false
 */
export class TraefikVersion {
  /** Release 2.11.53. */
  static readonly V2_11_53 = TraefikVersion.of('2.11.53');
  /** Release 3.6.12. */
  static readonly V3_6_12 = TraefikVersion.of('3.6.12');
  /** Release 3.7.13. */
  static readonly V3_7_13 = TraefikVersion.of('3.7.13');

  /** The newest release that this library knows: the default everywhere. */
  static readonly LATEST = TraefikVersion.V3_7_13;

  /**
   * Any release, with or without a leading `v`.
   * @param facts the differences of a custom build from the release of that number
   */
  static of(version: string, facts: Partial<TraefikFacts> = {}): TraefikVersion {
    const known = { title: 'Traefik', example: '3.6.12', history: TRAEFIK_HISTORY };
    const release = knownRelease(known, version, facts);
    return new TraefikVersion(release.version, release.facts);
  }

  private constructor(
    /** The number of the release, without `v`: `3.6.12`. */
    readonly version: string,
    /** The behaviour of this release. */
    readonly facts: TraefikFacts,
  ) {}

  /** The tag of the release: `v3.6.12`. */
  toString(): string {
    return `v${this.version}`;
  }
}
