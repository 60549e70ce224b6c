/** Watches a namespace and keeps every change, in the order in which etcd has it. */
import { type Api, ApiError, type KubernetesObject, type WatchEvent } from './cluster/api';
import { sleep } from './cluster/processes';

/** A change of one object; `object` is undefined when it is deleted. */
export interface Change {
  /** The revision of etcd, which orders changes of all kinds. */
  readonly revision: number;
  readonly kind: string;
  readonly name: string;
  readonly object: KubernetesObject | undefined;
  /** Milliseconds since the recording began. */
  readonly time: number;
}

/** A recording that goes on. */
export interface Recorder {
  readonly changes: readonly Change[];
  /** The object as it is now, as far as the watch has seen. */
  current(kind: string, name: string): KubernetesObject | undefined;
  /** All objects as they are now. */
  all(): readonly KubernetesObject[];
  /** Milliseconds since the recording began. */
  elapsed(): number;
  stop(): void;
}

/** Starts to record the kinds of a new namespace; kinds that the API server does not serve are left out. */
export async function record(
  api: Api,
  namespace: string,
  kinds: readonly (readonly [apiVersion: string, kind: string])[],
): Promise<Recorder> {
  const changes: Change[] = [];
  const now = new Map<string, KubernetesObject>();
  const begin = Date.now();
  const ends: (() => void)[] = [];
  for (const [apiVersion, kind] of kinds) {
    if (!(await api.serves(apiVersion, kind))) continue;
    const watch = await watchOf(api, apiVersion, kind);
    watch.listeners.set(namespace, ({ type, object }) => {
      const { name, resourceVersion } = object.metadata;
      const key = `${kind}/${name}`;
      const isGone = type === 'DELETED';
      if (isGone) now.delete(key);
      else now.set(key, object);
      const revision = Number(resourceVersion);
      changes.push({ revision, kind, name, object: isGone ? undefined : object, time: Date.now() - begin });
    });
    ends.push(() => watch.listeners.delete(namespace));
  }
  return {
    changes,
    current: (kind, name) => now.get(`${kind}/${name}`),
    all: () => [...now.values()],
    elapsed: () => Date.now() - begin,
    stop: () => {
      for (const end of ends) end();
    },
  };
}

/** One watch of a kind for all namespaces: a stage plays more labs at once than a server likes to have watches. */
interface SharedWatch {
  readonly listeners: Map<string, (event: WatchEvent) => void>;
}

const WATCHES = new WeakMap<Api, Map<string, Promise<SharedWatch>>>();

function watchOf(api: Api, apiVersion: string, kind: string): Promise<SharedWatch> {
  const watches = WATCHES.get(api) ?? new Map<string, Promise<SharedWatch>>();
  WATCHES.set(api, watches);
  const key = `${apiVersion} ${kind}`;
  const watch = watches.get(key) ?? startWatch(api, apiVersion, kind);
  watches.set(key, watch);
  return watch;
}

/** The list of a collection; the storage of a new CRD takes a moment to start. */
async function listed(api: Api, path: string): Promise<KubernetesObject> {
  for (const end = Date.now() + 30_000; ; ) {
    try {
      return await api.get(path);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 429) || Date.now() > end) throw error;
      await sleep(200);
    }
  }
}

async function startWatch(api: Api, apiVersion: string, kind: string): Promise<SharedWatch> {
  const listeners: SharedWatch['listeners'] = new Map();
  const path = await api.collection(apiVersion, kind);
  const { metadata } = await listed(api, path);
  api.watch(path, metadata.resourceVersion, (event) => {
    if (event.type !== 'BOOKMARK') listeners.get(event.object.metadata.namespace)?.(event);
  });
  return { listeners };
}
