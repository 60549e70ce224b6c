/** The part of a cluster that was read: its objects, and the kinds that could not be read. */

import { groupKindOf, isJsonObject, type JsonObject, Manifest, World } from '../core';
import { asText } from '../core/json';
import { CONTROLLER_KINDS } from './kinds';

/** A kind that could not be read, in all namespaces or in one. */
export interface Unread {
  /** `Ingress.networking.k8s.io` */
  readonly groupKind: string;
  /**
   * The namespace.
   * @default - in all namespaces
   */
  readonly namespace?: string;
  /** The reason: `forbidden`, `no answer within 30 s`. */
  readonly why: string;
  /**
   * The missing permission: `list ingresses.networking.k8s.io`.
   * @default - it is no matter of permissions
   */
  readonly permission?: string;
}

/** The content of a cluster. */
export interface LiveClusterOptions {
  /** The source of the objects, as text for reports. */
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
   * The namespaces that were read. In other namespaces, only the parts of controllers were read.
   * @default - all
   */
  readonly namespaces?: readonly string[];
  /**
   * The current time, to compute how long a release has been waiting.
   * @default - unknown, as with a dump of any age
   */
  readonly now?: Date;
}

const CRD = 'CustomResourceDefinition.apiextensions.k8s.io';

/** The objects of a live cluster, and the kinds that are unknown. */
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

  /** True if it was read from an API server, false for a dump. */
  get isLive(): boolean {
    return this.served !== undefined;
  }

  /** Whether the API server serves a kind; undefined if a dump does not contain the answer. */
  serves(groupKind: string): boolean | undefined {
    if (this.served !== undefined) return this.served.has(groupKind);
    if (this.world.list(groupKind).length > 0) return true;
    const crds = this.world.list(CRD);
    if (crds.length === 0) return undefined;
    return crds.some((crd) => groupKindOf(text(crd, 'spec.names.kind'), `${text(crd, 'spec.group')}/v1`) === groupKind);
  }

  /** Whether the whole namespace was read, or without a namespace the whole cluster. */
  isWhole(namespace?: string): boolean {
    return this.namespaces === undefined || (namespace !== undefined && this.namespaces.includes(namespace));
  }

  /** The reason why the objects of a kind are unknown; undefined if they were read. */
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

/** Drops `managedFields`, which is long and not part of what a user declares. */
function withoutManagedFields(manifest: Manifest): Manifest {
  const { metadata } = manifest.object;
  if (!isJsonObject(metadata) || metadata.managedFields === undefined) return manifest;
  const { managedFields: _fields, ...rest } = metadata;
  return rewrittenLike(manifest, { ...manifest.object, metadata: rest });
}

/** The object with other content. Its values keep their places in the user's dump. */
export function rewrittenLike(source: Manifest, object: JsonObject): Manifest {
  if (source.origin === undefined) return Manifest.of(object);
  return Manifest.of(object, { origin: { locate: (path) => source.sourceOf(path)! } });
}

function text(manifest: Manifest, path: string): string {
  return asText(manifest.get(path));
}
