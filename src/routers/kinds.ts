/** The kinds of objects that routers read. */
import type { Json, JsonObject, Manifest, World } from '../core';
import type { RequestCandidate } from './request-candidates';

/** A kind of Kubernetes objects. */
export interface ObjectKind {
  /** `HTTPProxy` */
  readonly kind: string;
  /** The API group without its version: `projectcontour.io`. */
  readonly group: string;
  /** The plural, as the CRD has it under `spec.names.plural`: `httpproxies`. */
  readonly plural: string;
  /**
   * Objects of the kind have no namespace.
   * @default false
   */
  readonly clusterScoped?: boolean;
}

/** A kind of objects that a router reads routes from. */
export interface RouteKind extends ObjectKind {
  /**
   * The host names that an object serves, wildcards included. An empty list stands for any host.
   * @default - an object serves any host
   */
  hostsOf?(manifest: Manifest): readonly string[];
  /**
   * Where an object takes requests within its hosts. A rehearsal leaves out objects that take none of a release's requests.
   * @default - anywhere
   */
  placeOf?(manifest: Manifest): Place | undefined;
  /**
   * Requests that are likely to match different rules of an object: the hosts, paths and conditions that it names.
   * @default - `/` of each host
   */
  candidatesOf?(manifest: Manifest): readonly RequestCandidate[];
  /**
   * The load balancer that an object names. All objects that name it share it, whatever their hosts.
   * No other router serves such an object.
   * @default - objects share a load balancer with the objects of the same hosts
   */
  loadBalancerOf?(manifest: Manifest, world: World): string | undefined;
  /**
   * Texts outside of `spec` that name Services or other objects.
   * @default - only `spec` names other objects
   */
  namesIn?(manifest: Manifest): readonly string[];
  /**
   * JSON pointers of the fields that a routing script rewrites. A Rollout can name kinds with this function in its
   * `customNetworkRefs`, and the controller needs permission to change them.
   * @default - no script rewrites objects of the kind
   */
  rewrittenFields?(manifest: Manifest | undefined, service: string): readonly string[];
  /**
   * Sample objects for trying routing scripts.
   * @default - none
   */
  samplesFor?(service: string, port: number): readonly ObjectSample[];
  /**
   * Objects of the kind declare something that other objects route to, and hold no routes of their own.
   * @default false
   */
  readonly isDeclaration?: boolean;
}

/** The part of its hosts in which an object takes requests. */
export interface Place {
  /** Every path that the object takes begins with one of these, in lower case. */
  readonly paths: readonly string[];
  /**
   * All that the object says besides its paths and what is behind them: annotations, certificates, parents. It may concern
   * every path of its hosts, in the same way for all objects that say the same.
   */
  readonly besides: string;
}

/** The place of an object; undefined if one of its paths is not literal: only that is compared, and not what it means. */
export function placeAt(paths: readonly (string | undefined)[], besides: Json): Place | undefined {
  const known = paths.filter((path) => path !== undefined && LITERAL_PATH.test(path)) as readonly string[];
  if (paths.length === 0 || known.length < paths.length) return undefined;
  return { paths: known.map((path) => path.toLowerCase()), besides: JSON.stringify(besides) };
}

/** What kubectl notes of an object; it differs from object to object and says nothing. */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

const LITERAL_PATH = /^\/(?!\/)(?:[\w.~:@!&,;=-]|\/(?!\/))*$/;

/** A sample object for trying routing scripts. */
export interface ObjectSample {
  /** `a VirtualService with one route` */
  readonly name: string;
  readonly spec: JsonObject;
  /**
   * @default - an annotation of the user
   */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Kind and group as kubectl writes them: `HTTPProxy.projectcontour.io`. */
export function nameOfKind({ kind, group }: Pick<ObjectKind, 'kind' | 'group'>): string {
  return `${kind}.${group}`;
}

/** The fields that an unknown script may rewrite. */
export const ANY_FIELD = ['/metadata/annotations', '/metadata/labels', '/spec'];

/** `rewrittenFields` of a kind: those of these fields of `spec` that an object has, or else the first one. */
export function fieldsOfSpec(...names: readonly string[]): NonNullable<RouteKind['rewrittenFields']> {
  return (manifest) => {
    const present = names.filter((name) => manifest?.get(['spec', name]) !== undefined);
    return (present.length > 0 ? present : names.slice(0, 1)).map((name) => `/spec/${name}`);
  };
}

/** `rewrittenFields` of a kind for which this library has no script. */
export const anyField: NonNullable<RouteKind['rewrittenFields']> = () => ANY_FIELD;
