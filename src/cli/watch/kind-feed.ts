/**
 * The objects of one kind, kept up to date: a list, and a watch from there on. A watch that ends is opened again where it
 * ended; one whose place is no longer known (410 Gone) begins with a new list; a server that does not answer is asked again
 * after longer and longer pauses.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { isJsonObject, type JsonObject } from '../../core/json';
import { Manifest } from '../../core/manifest';
import { ApiError, type LongConnection } from '../cluster/client';
import type { ServedKind } from '../cluster/discovery';
import { type ListOptions, listWithVersion, pathOf } from '../cluster/list';

/** After so many seconds the server ends a watch, and it is opened again. */
const WATCH_SECONDS = 240;
/** A server may be late to end a watch. */
const SLACK_SECONDS = 30;

/** The pauses between tries. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;
const REFUSED_PAUSE_MS = 30_000;

/** A server that has just started refuses what it allowed, until it has read roles and CRDs again. */
const REFUSED_AFTER_MS = 20_000;

/** What a server may tell of one kind: far more than a large namespace has. */
const MAX_OBJECTS = 20_000;
const MAX_BYTES = 256 * 1024 * 1024;

/** A watch that ends this soon is opened again only after a pause. */
const SHORT_MS = 1000;

/** Who hears of it. */
export interface FeedListener {
  /** The objects have changed. */
  onChange(): void;
  /** The connection is lost, or is there again. */
  onState(): void;
  /** The server does not accept the credentials any more. */
  refresh(): Promise<void>;
}

/** Why a watch gives no news. */
interface Trouble {
  readonly since: Date;
  readonly why: string;
  /** Whether the server refuses the kind; other kinds may still be watched. */
  readonly isRefused: boolean;
}

/** One kind in one namespace. */
export class KindFeed {
  private readonly objects = new Map<string, Manifest>();
  /** The length of the event that told of an object. */
  private readonly sizes = new Map<string, number>();
  private bytes = 0;
  private resourceVersion = '';
  private failures = 0;
  /** How often the place of the watch was unknown to the server, one time after the other. */
  private expired = 0;
  private openSince: number | undefined;
  /** Since when the server refuses, without another answer in between. */
  private refusedSince: number | undefined;
  /** Whether the objects were listed at least once. */
  private wasRead = false;
  /** Why there is no news; undefined while the watch is open. */
  trouble: Trouble | undefined;

  constructor(
    private readonly connection: LongConnection,
    readonly kind: ServedKind,
    readonly where: ListOptions,
    private readonly listener: FeedListener,
  ) {}

  get manifests(): readonly Manifest[] {
    return [...this.objects.values()];
  }

  /** Lists the objects; what goes wrong is an `ApiError`. */
  async list(): Promise<void> {
    const { found, resourceVersion } = await listWithVersion(this.connection, this.kind, this.where);
    this.objects.clear();
    this.sizes.clear();
    this.bytes = 0;
    for (const one of found) this.objects.set(keyOf(one), one);
    this.resourceVersion = resourceVersion;
    this.wasRead = true;
  }

  /** Follows the objects until the signal. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (this.resourceVersion === '') await this.listAgain();
        await this.watch(signal);
        if (!this.wasLong()) await pause(FIRST_PAUSE_MS, signal);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        await this.failed(error, signal);
      }
    }
  }

  private async listAgain(): Promise<void> {
    await this.list();
    this.listener.onChange();
  }

  private watch(signal: AbortSignal): Promise<void> {
    const { kind, where } = this;
    const query = new URLSearchParams({
      watch: 'true',
      allowWatchBookmarks: 'true',
      resourceVersion: this.resourceVersion,
      timeoutSeconds: String(WATCH_SECONDS),
      ...(where.name === undefined ? {} : { fieldSelector: `metadata.name=${where.name}` }),
    });
    return this.connection.lines(`${pathOf(kind, where.namespace)}?${query}`, {
      onOpen: () => this.opened(),
      onLine: (line) => this.take(line),
      longestSeconds: WATCH_SECONDS + SLACK_SECONDS,
      signal,
    });
  }

  private take(line: string): void {
    const { type, object } = eventOf(line);
    if (type === 'ERROR') throw new ApiError(Number(object.code) || 500, String(object.message ?? 'the watch failed'));
    [this.failures, this.expired] = [0, 0];
    const version = isJsonObject(object.metadata) ? object.metadata.resourceVersion : undefined;
    if (typeof version === 'string') this.resourceVersion = version;
    if (type === 'BOOKMARK') return;
    const manifest = Manifest.of({ ...object, apiVersion: this.kind.apiVersion, kind: this.kind.kind });
    this.keep(manifest, type === 'DELETED' ? 0 : line.length);
    this.listener.onChange();
  }

  private keep(manifest: Manifest, size: number): void {
    const key = keyOf(manifest);
    this.bytes += size - (this.sizes.get(key) ?? 0);
    if (size === 0) {
      this.objects.delete(key);
      this.sizes.delete(key);
      return;
    }
    this.objects.set(key, manifest);
    this.sizes.set(key, size);
    if (this.objects.size <= MAX_OBJECTS && this.bytes <= MAX_BYTES) return;
    this.resourceVersion = '';
    throw new ApiError(0, `there are more ${this.kind.plural} than can be watched`);
  }

  private opened(): void {
    this.refusedSince = undefined;
    this.openSince = performance.now();
    if (this.trouble === undefined) return;
    this.trouble = undefined;
    this.listener.onState();
  }

  /** Whether the watch that has ended was open for a while; then nothing is held against the server any more. */
  private wasLong(): boolean {
    const isLong = this.openSince !== undefined && performance.now() - this.openSince >= SHORT_MS;
    this.openSince = undefined;
    if (isLong) [this.failures, this.expired] = [0, 0];
    return isLong;
  }

  private isRefusal({ status }: ApiError): boolean {
    const isForbidden = status === 403 || status === 404;
    this.refusedSince = isForbidden ? (this.refusedSince ?? performance.now()) : undefined;
    if (this.refusedSince === undefined) return false;
    return !this.wasRead || performance.now() - this.refusedSince >= REFUSED_AFTER_MS;
  }

  private async failed(error: ApiError, signal: AbortSignal): Promise<void> {
    this.wasLong();
    if (error.status === 410) {
      // No trouble, unless it comes again and again.
      this.resourceVersion = '';
      if (this.expired++ === 0) return;
    }
    const tries = this.failures++;
    const isNew = this.trouble === undefined;
    const since = this.trouble?.since ?? new Date();
    const isRefused = this.isRefusal(error);
    // Rights may come back with other objects than before.
    if (isRefused) this.resourceVersion = '';
    this.trouble = { since, why: error.message, isRefused };
    if (isNew || isRefused) this.listener.onState();
    if (error.status === 401) await this.listener.refresh().catch(() => {});
    const usual = isRefused ? REFUSED_PAUSE_MS : Math.min(FIRST_PAUSE_MS * 2 ** Math.min(tries, 10), LONGEST_PAUSE_MS);
    await pause(Math.max(usual, Math.min(error.retryAfter ?? 0, 30) * 1000), signal);
  }
}

function keyOf({ namespace = '', name }: Manifest): string {
  return `${namespace}/${name}`;
}

function eventOf(line: string): { readonly type: string; readonly object: JsonObject } {
  let event: unknown;
  try {
    event = JSON.parse(line);
  } catch {
    throw new ApiError(0, 'an event is no JSON');
  }
  if (!isJsonObject(event) || typeof event.type !== 'string' || !isJsonObject(event.object)) {
    throw new ApiError(0, 'an event has no object');
  }
  return { type: event.type, object: event.object };
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, { signal }).catch(() => {});
}
