/** Watches a namespace and keeps every change, in the order in which etcd has it. */
import type { Api, KubernetesObject } from './cluster/api';

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
  stop(): void;
}

/** Starts to record the kinds of a namespace; kinds that the API server does not serve are left out. */
export async function record(
  api: Api,
  namespace: string,
  kinds: readonly (readonly [apiVersion: string, kind: string])[],
): Promise<Recorder> {
  const changes: Change[] = [];
  const now = new Map<string, KubernetesObject>();
  const begin = Date.now();
  const watches: { stop(): void }[] = [];
  for (const [apiVersion, kind] of kinds) {
    if (!(await api.serves(apiVersion, kind))) continue;
    const path = await api.collection(apiVersion, kind, namespace);
    const { metadata } = await api.get(path);
    watches.push(
      api.watch(path, metadata.resourceVersion, ({ type, object }) => {
        if (type === 'BOOKMARK') return;
        const { name, resourceVersion } = object.metadata;
        const key = `${kind}/${name}`;
        if (type === 'DELETED') now.delete(key);
        else now.set(key, object);
        changes.push({
          revision: Number(resourceVersion),
          kind,
          name,
          object: type === 'DELETED' ? undefined : object,
          time: Date.now() - begin,
        });
      }),
    );
  }
  return {
    changes,
    current: (kind, name) => now.get(`${kind}/${name}`),
    stop: () => {
      for (const watch of watches) watch.stop();
    },
  };
}
