/** A cluster as far as it was read: its objects, and what could not be looked at. */

import { groupKindOf, isJsonObject, type JsonObject, Manifest, World } from '../core';
import { asText } from '../core/json';
import { CONTROLLER_KINDS } from './kinds';

/** A kind, or a part of it, that could not be read. */
export interface Unread {
  /** `Ingress.networking.k8s.io` */
  readonly groupKind: string;
  /**
   * Where.
   * @default - in all namespaces
   */
  readonly namespace?: string;
  /** In words: `forbidden`, `no answer within 30 s`. */
  readonly why: string;
  /**
   * What the person who asks would have to be allowed: `list ingresses.networking.k8s.io`.
   * @default - it is no matter of permissions
   */
  readonly permission?: string;
}

/** What a cluster is made of. */
export interface LiveClusterOptions {
  /** Where it was read from, in words. */
  readonly from: string;
  readonly manifests: readonly Manifest[];
  /** @default - everything was read */
  readonly unread?: readonly Unread[];
  /**
   * The kinds that the API server serves, as `<Kind>.<group>`.
   * @default - unknown, as in a dump: a kind was read when an object of it is there
   */
  readonly served?: ReadonlySet<string>;
  /**
   * The only namespaces that were read; of others only what controllers are made of.
   * @default - all
   */
  readonly namespaces?: readonly string[];
  /**
   * The time, to tell how long a release has been waiting.
   * @default - unknown, as with a dump of any age
   */
  readonly now?: Date;
}

const CRD = 'CustomResourceDefinition.apiextensions.k8s.io';

/** The objects of a cluster as they are, and what is not known of it. */
export class LiveCluster {
  readonly from: string;
  readonly world: World;
  readonly now: Date | undefined;
  readonly unreadKinds: readonly Unread[];
  private readonly served: ReadonlySet<string> | undefined;
  private readonly namespaces: readonly string[] | undefined;

  constructor({ from, manifests, unread = [], served, namespaces, now }: LiveClusterOptions) {
    this.from = from;
    this.world = World.of(manifests.map(withoutManagedFields));
    this.unreadKinds = unread;
    this.served = served;
    this.namespaces = namespaces;
    this.now = now;
  }

  /** Whether it was read from an API server, not from a dump. */
  get isLive(): boolean {
    return this.served !== undefined;
  }

  /** Whether the API server knows a kind; undefined where a dump does not tell. */
  serves(groupKind: string): boolean | undefined {
    if (this.served !== undefined) return this.served.has(groupKind);
    if (this.world.list(groupKind).length > 0) return true;
    const crds = this.world.list(CRD);
    if (crds.length === 0) return undefined;
    return crds.some((crd) => groupKindOf(text(crd, 'spec.names.kind'), `${text(crd, 'spec.group')}/v1`) === groupKind);
  }

  /** Whether all of a namespace was to be read; without one, all of the cluster. */
  isWhole(namespace?: string): boolean {
    return this.namespaces === undefined || (namespace !== undefined && this.namespaces.includes(namespace));
  }

  /** Why the objects of a kind are not known; undefined when they are. */
  unread(groupKind: string, namespace?: string): Unread | undefined {
    const failed = this.unreadKinds.find(
      (one) =>
        one.groupKind === groupKind &&
        (one.namespace === undefined || namespace === undefined || one.namespace === namespace),
    );
    if (failed !== undefined) return failed;
    if (namespace !== undefined && !CONTROLLER_KINDS.has(groupKind) && !this.isWhole(namespace)) {
      return { groupKind, namespace, why: `the namespace "${namespace}" was not read` };
    }
    if (this.isLive || this.world.list(groupKind).length > 0) return undefined;
    return { groupKind, why: `the dump holds no ${groupKind.split('.')[0]}` };
  }
}

/** What the API server notes about who wrote which field is long, and nothing that anybody declared. */
function withoutManagedFields(manifest: Manifest): Manifest {
  const { metadata } = manifest.object;
  if (!isJsonObject(metadata) || metadata.managedFields === undefined) return manifest;
  const { managedFields: _fields, ...rest } = metadata;
  return rewrittenLike(manifest, { ...manifest.object, metadata: rest });
}

/** The same object with other content, whose values are still found in the user's dump. */
export function rewrittenLike(source: Manifest, object: JsonObject): Manifest {
  if (source.sourceOf() === undefined) return Manifest.of(object);
  return Manifest.of(object, { origin: { locate: (path) => source.sourceOf(path)! } });
}

function text(manifest: Manifest, path: string): string {
  return asText(manifest.get(path));
}
