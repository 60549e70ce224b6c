/** A cluster as a command reads it. */
import type { LiveCluster } from '../../doctor';
import { type Io, write } from '../io';
import type { ClusterAccess } from './options';

/** What is read of a cluster. */
export interface LiveOptions extends ClusterAccess {
  /** Only these namespaces, and those of the controllers; empty for all. */
  readonly namespaces: readonly string[];
  /** @default 'kruise-rollout' */
  readonly controllerNamespace?: string;
}

/** A cluster, and the release of Kubernetes that it reports. */
export interface Live {
  readonly cluster: LiveCluster;
  readonly release?: string;
}

/** Asks the API server; shows its progress on a terminal. */
export async function readLive(options: LiveOptions, io: Io): Promise<Live> {
  const { connect, loadClient } = await import('./client');
  const { readCluster } = await import('./read-cluster');
  const doctor = await import('../../doctor');
  const { namespaces, controllerNamespace = 'kruise-rollout' } = options;
  const connection = await connect(await loadClient(), options, io);
  const tell = io.isTTY.stderr;
  try {
    const { manifests, unread, served, release } = await readCluster(connection, {
      kinds: doctor.READ_KINDS,
      ...(namespaces.length === 0 ? {} : { namespaces }),
      controllerNamespaces: [controllerNamespace, 'argo-rollouts', 'kt-virtual-environment'],
      ...(tell ? { onProgress: (done, of) => void write(io.stderr, `reading ${done} of ${of} lists\u001b[K\r`) } : {}),
    });
    const { from } = connection;
    const cluster = new doctor.LiveCluster({
      from: namespaces.length === 0 ? from : `${from}, namespaces ${namespaces.join(', ')}`,
      manifests,
      unread,
      served,
      ...(namespaces.length === 0 ? {} : { namespaces }),
      now: new Date(),
    });
    return { cluster, ...(release === undefined ? {} : { release }) };
  } finally {
    if (tell) await write(io.stderr, '\u001b[K');
    connection.close();
  }
}
