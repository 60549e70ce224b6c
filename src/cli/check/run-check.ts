import type { ShardResult } from '../../check';
import type { Finding, ReadResult } from '../../core';
import { scriptStore } from '../cache/script-store';
import type { Io } from '../io';
import { planOf } from '../parallel/plan';
import { rehearseParts } from '../parallel/rehearse-parts';
import { ProgressLine } from '../progress';
import type { CheckOptions } from './options';

/** What was found, and in how many objects. */
export interface CheckRun extends Omit<ShardResult, 'ifAll'> {
  readonly ifAll: readonly Finding[];
  readonly objects: number;
}

/** Checks what was read, in as many threads and for the shard that the options name. */
export async function runCheck(read: ReadResult, options: CheckOptions, io: Io): Promise<CheckRun> {
  const { checkObjects, concludeCheck, concludeShard, rehearseOptions } = await import('../../check');
  const { World } = await import('../../core');
  const { versions, config, probes, shard } = options;
  const world = World.of(read.manifests);
  const store = scriptStore(io, options.noCache);
  const checkOptions = {
    kruiseVersion: versions.kruise,
    argoVersion: versions.argo,
    awsLoadBalancerController: versions.awsLoadBalancerController,
    kubernetesVersion: versions.kubernetes,
    ...(versions.istio && { istioVersion: versions.istio }),
    ...(options.controllerNamespace && { controllerNamespace: options.controllerNamespace }),
    ...(config.external && { external: config.external }),
    ...(config.suppressions && { suppressions: config.suppressions }),
    ...(store && { scriptStore: store }),
    rehearsal: options.rehearsal && { probes },
    earlier: read.findings,
  };
  const { controllerNamespace } = rehearseOptions(world, checkOptions);
  const { cut, parts, jobs, rollouts } = planOf({ world, kruiseVersion: versions.kruise, shard, jobs: options.jobs });
  const progress = new ProgressLine(io);
  let checked: readonly Finding[] = [];
  const results = await rehearseParts({
    parts: options.rehearsal ? parts : [],
    options: {
      kruiseVersion: versions.kruise.version,
      awsLoadBalancerController: versions.awsLoadBalancerController.version,
      ...(controllerNamespace === undefined ? {} : { controllerNamespace }),
      probes,
      kept: 'findings',
    },
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
    return { ...concluded, ifAll: [], objects: read.manifests.length };
  }
  const own = read.manifests.filter(({ ref }) => (cut.partOf(ref) ?? 0) === shard.index - 1);
  return { ...concludeShard({ world, cut, shard, checked, rehearsed }, checkOptions), objects: own.length };
}
