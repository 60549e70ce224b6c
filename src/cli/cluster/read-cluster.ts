/** Reads from an API server what the questions are about: only kinds that it has, some at a time, tolerating refusals. */
import type { Manifest } from '../../core/manifest';
import { CONTROLLER_KINDS, type ReadKind, type Unread } from '../../doctor';
import { UserError } from '../../settings/user-error';
import { ApiError, CONNECTIONS, type Connection } from './client';
import { type Discovery, discover, type ServedKind } from './discovery';
import { getObject, type ListOptions, listKind } from './list';
import { unreadOf } from './unread';

/** What was read. */
export interface ReadCluster {
  readonly manifests: readonly Manifest[];
  readonly unread: readonly Unread[];
  readonly served: ReadonlySet<string>;
  /** Of Kubernetes. */
  readonly release: string | undefined;
}

/** What is read. */
export interface ReadClusterOptions {
  readonly kinds: readonly ReadKind[];
  /**
   * Only these namespaces.
   * @default - all
   */
  readonly namespaces?: readonly string[];
  /** Namespaces of controllers: if only some namespaces are read, these are read in part. */
  readonly controllerNamespaces: readonly string[];
  /** Called before each kind. */
  readonly onProgress?: (done: number, of: number) => void;
}

/** A list that is asked for. */
interface Job extends ListOptions {
  readonly served: ServedKind;
  readonly read: Pick<ReadKind, 'group' | 'name'>;
}

/** Reads a cluster; a kind that is refused or does not answer is in `unread`. */
export async function readCluster(connection: Connection, options: ReadClusterOptions): Promise<ReadCluster> {
  const { kinds } = options;
  const discovery = await discover(connection, [...new Set(kinds.map(({ group }) => group))]);
  const first = kinds.filter(({ onlyWhereUsed }) => onlyWhereUsed !== true);
  const broken = kinds.filter(({ group }) => discovery.broken.has(group)).map((kind) => brokenKind(kind, discovery));
  const reading = new Reading(connection, options.onProgress);
  await reading.run(first.flatMap((kind) => jobsOf(kind, discovery, options)));
  reading.refuseWhenNothing(options);
  await reading.run(reading.takeRefusedNames(options.controllerNamespaces[0]));
  await reading.run(await laterJobs(reading.manifests, discovery, options));
  await reading.run(await namedJobs(connection, reading.manifests, discovery));
  return {
    manifests: reading.manifests,
    unread: [...broken, ...reading.unread],
    served: new Set([...discovery.kinds.keys(), ...reading.served]),
    release: discovery.release,
  };
}

function groupKind({ group, kind }: Pick<ReadKind, 'group' | 'kind'>): string {
  return group === '' ? kind : `${kind}.${group}`;
}

function brokenKind(kind: ReadKind, { broken }: Discovery): Unread {
  return { groupKind: groupKind(kind), why: `its API does not answer: ${broken.get(kind.group)}` };
}

function jobsOf(kind: ReadKind, discovery: Discovery, options: ReadClusterOptions): Job[] {
  const served = discovery.kinds.get(groupKind(kind));
  if (served === undefined) return [];
  const job = { served, read: kind, ...(kind.name === undefined ? {} : { name: kind.name }) };
  if (options.namespaces === undefined || !served.namespaced) return [job];
  const more = CONTROLLER_KINDS.has(groupKind(kind)) ? options.controllerNamespaces : [];
  return [...new Set([...options.namespaces, ...more])].map((namespace) => ({ ...job, namespace }));
}

/** Pods and the like, in the namespaces of what is asked about and of the controllers. */
async function laterJobs(manifests: readonly Manifest[], discovery: Discovery, options: ReadClusterOptions) {
  const asked = new Set(['Rollout', 'TrafficRouting', 'VirtualEnvironment']);
  const used = new Set(manifests.flatMap(({ kind, namespace }) => (asked.has(kind) && namespace ? [namespace] : [])));
  const controllers = manifests.flatMap(({ kind, namespace, object }) => {
    const isController =
      kind === 'Deployment' && /argo-rollouts|kruise-rollout|virtual-env/.test(JSON.stringify(object));
    return isController && namespace ? [namespace] : [];
  });
  return options.kinds
    .filter(({ onlyWhereUsed }) => onlyWhereUsed === true)
    .flatMap((kind): Job[] => {
      const served = discovery.kinds.get(groupKind(kind));
      if (served === undefined) return [];
      const namespaces = kind.kind === 'ServiceAccount' ? new Set(controllers) : used;
      return [...namespaces].map((namespace) => ({ served, read: kind, namespace }));
    });
}

/** Objects of kinds that only this cluster has, by their names in Rollouts. */
async function namedJobs(connection: Connection, manifests: readonly Manifest[], discovery: Discovery): Promise<Job[]> {
  const refs = manifests.flatMap((manifest) => {
    if (!['Rollout', 'TrafficRouting'].includes(manifest.kind)) return [];
    return refsIn(manifest.object.spec).map((ref) => ({ ...ref, namespace: manifest.namespace ?? 'default' }));
  });
  const unknown = refs.filter(({ group, kind }) => !discovery.kinds.has(groupKind({ group, kind })));
  const groups = [...new Set(unknown.map(({ group }) => group))].filter((group) => group !== '');
  if (groups.length === 0) return [];
  const more = await discover(connection, groups);
  const jobs = unknown.flatMap((ref): Job[] => {
    const served = more.kinds.get(groupKind(ref));
    return served === undefined
      ? []
      : [{ served, read: { group: ref.group, name: ref.name }, name: ref.name, namespace: ref.namespace }];
  });
  return [...new Map(jobs.map((job) => [JSON.stringify(job), job])).values()];
}

/** Whatever has an apiVersion, a kind and a name. */
function refsIn(value: unknown): { readonly group: string; readonly kind: string; readonly name: string }[] {
  if (Array.isArray(value)) return value.flatMap(refsIn);
  if (typeof value !== 'object' || value === null) return [];
  const { apiVersion, kind, name } = value as Record<string, unknown>;
  const nested = Object.values(value).flatMap(refsIn);
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || typeof name !== 'string') return nested;
  const [group = '', version] = apiVersion.split('/');
  return [{ group: version === undefined ? '' : group, kind, name }, ...nested];
}

/** Lists in work, and what came of them. */
class Reading {
  readonly manifests: Manifest[] = [];
  readonly unread: Unread[] = [];
  readonly served = new Set<string>();
  private readonly refusedNames: Job[] = [];
  private done = 0;
  private all = 0;

  constructor(
    private readonly connection: Connection,
    private readonly onProgress: NonNullable<ReadClusterOptions['onProgress']> = () => {},
  ) {}

  /** In the order of the jobs, whichever answers first. */
  async run(jobs: readonly Job[]): Promise<void> {
    this.all += jobs.length;
    const results: (readonly Manifest[])[] = [];
    const failures: (Unread | undefined)[] = [];
    const waiting = [...jobs.entries()];
    const worker = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [index, job] = next;
        this.onProgress(this.done, this.all);
        const outcome = await this.read(job);
        if ('why' in outcome) failures[index] = outcome;
        else results[index] = outcome.found;
        this.done++;
      }
    };
    await Promise.all(Array.from({ length: Math.min(CONNECTIONS, jobs.length) }, worker));
    for (const { served } of jobs) this.served.add(served.groupKind);
    for (const found of results) for (const manifest of found ?? []) this.manifests.push(manifest);
    this.unread.push(...failures.filter((one): one is Unread => one !== undefined));
  }

  /** Who may not look for a name in all namespaces may still look where it has to be. */
  takeRefusedNames(namespace: string | undefined): Job[] {
    const again = this.refusedNames.splice(0);
    if (namespace === undefined) return [];
    for (const { served } of again) {
      const at = this.unread.findIndex((one) => one.groupKind === served.groupKind && one.namespace === undefined);
      if (at >= 0) this.unread.splice(at, 1);
    }
    return again.map((job) => ({ ...job, namespace }));
  }

  /** Without any right, or any answer, there is nothing to be told. */
  refuseWhenNothing({ namespaces }: ReadClusterOptions): void {
    if (this.unread.length < this.done || this.done === 0) return;
    const failed = this.unread.find(({ permission }) => permission === undefined);
    if (failed !== undefined) {
      throw new UserError(
        `nothing could be read of ${this.connection.from}: ${failed.why}`,
        'try kubectl get namespaces, and try again',
      );
    }
    throw new UserError(
      `${this.connection.from} allows nothing to be read: ${this.unread[0]?.why}`,
      namespaces === undefined
        ? 'with rights in a namespace only, name it: --namespace <name>'
        : 'ask for the right to list what is there, as the role "view" has it',
    );
  }

  private async read(job: Job): Promise<{ readonly found: readonly Manifest[] } | Unread> {
    const { served, namespace, name } = job;
    const where = { ...(namespace === undefined ? {} : { namespace }), ...(name === undefined ? {} : { name }) };
    try {
      return { found: await listKind(this.connection, served, where) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // The kind went away in between.
      if (error.status === 404) return { found: [] };
      if (error.status === 403) {
        const one = await this.single(served, namespace, name);
        if (one !== undefined) return one;
        if (name !== undefined && namespace === undefined) this.refusedNames.push(job);
      }
      return unreadOf(served, namespace, error);
    }
  }

  /** Who may not list may still read the one object by its name. */
  private async single(served: ServedKind, namespace: string | undefined, name: string | undefined) {
    if (namespace === undefined || name === undefined) return undefined;
    try {
      const found = await getObject(this.connection, served, namespace, name);
      return { found: found === undefined ? [] : [found] };
    } catch (error) {
      if (error instanceof ApiError) return undefined;
      throw error;
    }
  }
}
