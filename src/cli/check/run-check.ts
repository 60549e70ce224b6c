import type { ShardResult } from '../../check';
import type { Finding, ReadResult } from '../../core';
import { scriptStore } from '../../files/cache/script-store';
import type { Cluster } from '../../settings/cluster';
import { worldOf } from '../inputs';
import type { Io } from '../io';
import { plainOptions } from '../parallel/job';
import { planOf } from '../parallel/plan';
import { rehearseParts } from '../parallel/rehearse-parts';
import { ProgressLine } from '../progress';
import type { CheckCommandOptions } from './options';

/** What was found, in how many objects, and for which cluster. */
export interface CheckRun extends ShardResult {
  readonly objects: number;
  readonly cluster: Cluster;
}

/** Checks what was read, in as many threads and for the shard that the options name. */
export async function runCheck(read: ReadResult, options: CheckCommandOptions, io: Io): Promise<CheckRun> {
  const { checkObjects, concludeCheck, concludeShard } = await import('../../check');
  const { clusterOf } = await import('../../settings/cluster');
  const { shard } = options;
  const world = await worldOf(read, options.namespace);
  const store = scriptStore(io, options.noCache);
  const checkOptions = { ...options.check, ...(store && { scriptStore: store }), earlier: read.findings };
  const cluster = clusterOf(world, checkOptions);
  const { cut, parts, jobs, rollouts } = planOf({ world, cluster, shard, jobs: options.jobs });
  const progress = new ProgressLine(io);
  let checked: readonly Finding[] = [];
  const results = await rehearseParts({
    parts: checkOptions.rehearsal === false ? [] : parts,
    options: plainOptions(cluster, checkOptions, { kept: 'findings' }),
    jobs,
    first: () => {
      checked = checkObjects(world, checkOptions);
    },
    onProgress: (done) => progress.show(`rehearsed ${done} of ${rollouts} Rollouts`),
  });
  await progress.end();
  const rehearsed = results.flatMap(({ findings }) => findings);
  if (cut === undefined || shard === undefined) {
    const concluded = concludeCheck(world, checked, rehearsed, checkOptions);
    return { ...concluded, ifAll: [], objects: read.manifests.length, cluster };
  }
  const own = read.manifests.filter(({ ref }) => (cut.partOf(ref) ?? 0) === shard.index - 1);
  return { ...concludeShard({ world, cut, shard, checked, rehearsed }, checkOptions), objects: own.length, cluster };
}
