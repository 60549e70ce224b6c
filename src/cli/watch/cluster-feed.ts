/** What a release needs of a cluster, kept up to date by watches. */
import { type Manifest, World } from '../../core';
import { groupKindOfRead, LiveCluster, READ_KINDS, type Unread } from '../../doctor';
import { foreignPlaces, possibleKinds, systemOf, type WatchedKindPlace, watchedKinds } from '../../watch';
import { ApiError, type LongConnection } from '../cluster/client';
import { type Discovery, discover } from '../cluster/discovery';
import type { ListOptions } from '../cluster/list';
import { unreadOf } from '../cluster/unread';
import { findRollout } from './find-rollout';
import { type FeedListener, KindFeed } from './kind-feed';

/** Which release is followed. */
export interface FeedOptions extends ListOptions {
  /** @default - where the install usually is */
  readonly controllerNamespace?: string;
}

/** So many lists are asked for at a time. */
const AT_ONCE = 6;

/** The objects of a release, from the first list on. */
export class ClusterFeed {
  private readonly stopping = new AbortController();

  private constructor(
    private readonly connection: LongConnection,
    private readonly discovery: Discovery,
    /** As it was first read. */
    readonly rollout: Manifest,
    private readonly parts: readonly Part[],
  ) {}

  /** Finds the Rollout and reads what it needs. */
  static async open(
    connection: LongConnection,
    options: FeedOptions,
    listener: Omit<FeedListener, 'refresh'>,
  ): Promise<ClusterFeed> {
    const discovery = await discover(connection, [...new Set(READ_KINDS.map(({ group }) => group))]);
    const rollout = await findRollout(connection, discovery, options);
    const namespace = rollout.namespace ?? 'default';
    const usual = systemOf(rollout)?.controller === 'Argo Rollouts' ? 'argo-rollouts' : 'kruise-rollout';
    const heard: FeedListener = {
      onChange: () => listener.onChange(),
      onState: () => listener.onState(),
      refresh: () => connection.refresh(),
    };
    const read = (places: readonly WatchedKindPlace[]) => readAll(connection, discovery, places, heard);
    const first = await read(possibleKinds(rollout, namespace, options.controllerNamespace ?? usual));
    const foreign = await read(foreignPlaces(World.of(manifestsOf(first)), namespace));
    const parts = [...first, ...foreign];
    const known = World.of(manifestsOf(parts));
    const found = known.find(rollout.groupKind, rollout.name, namespace) ?? rollout;
    const needed = new Set(
      watchedKinds(
        known,
        found,
        parts.map(({ place }) => place),
      ),
    );
    return new ClusterFeed(
      connection,
      discovery,
      found,
      parts.map((part) => ({ ...part, isNeeded: needed.has(part.place) })),
    );
  }

  /** The release of Kubernetes that the server reports. */
  get release(): string | undefined {
    return this.discovery.release;
  }

  /** What is watched. */
  get places(): readonly WatchedKindPlace[] {
    return this.needed.map(({ place }) => place);
  }

  /** Begins to watch. */
  start(): void {
    for (const { feed } of this.needed) void feed.follow(this.stopping.signal);
  }

  stop(): void {
    this.stopping.abort();
  }

  /** The cluster as it is known now. */
  cluster(now: Date): LiveCluster {
    const unread = this.needed.flatMap(({ feed: { kind, where, trouble }, refused }) => {
      if (trouble === undefined) return refused ?? [];
      return trouble.isRefused ? [unreadOf(kind, where.namespace, new ApiError(403, trouble.why))] : [];
    });
    return new LiveCluster({
      from: this.connection.from,
      manifests: manifestsOf(this.parts),
      unread,
      served: new Set(this.discovery.kinds.keys()),
      now,
    });
  }

  /** Since when a watch gives no news; undefined while all are open. */
  get lost(): { readonly since: string; readonly why: string } | undefined {
    const troubles = this.needed.flatMap(({ feed: { trouble } }) =>
      trouble === undefined || trouble.isRefused ? [] : [trouble],
    );
    const [oldest] = troubles.sort((a, b) => a.since.getTime() - b.since.getTime());
    return oldest === undefined ? undefined : { since: oldest.since.toISOString(), why: oldest.why };
  }

  private get needed(): readonly Part[] {
    return this.parts.filter(({ isNeeded }) => isNeeded);
  }
}

/** A kind in a namespace. */
interface Part {
  readonly place: WatchedKindPlace;
  readonly feed: KindFeed;
  /** Why the first list failed. */
  readonly refused?: Unread;
  /** Whether the release needs it. */
  readonly isNeeded: boolean;
}

function manifestsOf(parts: readonly Part[]): readonly Manifest[] {
  return parts.flatMap(({ feed }) => feed.manifests);
}

/** Lists each kind that the server has. */
async function readAll(
  connection: LongConnection,
  { kinds }: Discovery,
  places: readonly WatchedKindPlace[],
  listener: FeedListener,
): Promise<readonly Part[]> {
  const jobs = places.flatMap((place): Part[] => {
    const served = kinds.get(groupKindOfRead(place));
    if (served === undefined) return [];
    const { namespace, name } = place;
    const where = { ...(namespace === undefined ? {} : { namespace }), ...(name === undefined ? {} : { name }) };
    return [{ place, feed: new KindFeed(connection, served, where, listener), isNeeded: false }];
  });
  const read: Part[] = [];
  const waiting = [...jobs.entries()];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, part] = next;
      const refused = await refusalOf(part);
      read[index] = refused === undefined ? part : { ...part, refused };
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, jobs.length) }, worker));
  return read;
}

async function refusalOf({ feed, place }: Part): Promise<Unread | undefined> {
  try {
    await feed.list();
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // The kind went away in between.
    return error.status === 404 ? undefined : unreadOf(feed.kind, place.namespace, error);
  }
}
