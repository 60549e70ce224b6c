import type { Shard, WorldCut, WorldPart } from '../../check';
import type { World } from '../../core';
import type { Cluster } from '../../settings/cluster';
import { defaultJobs } from './options';

/** How the work is divided. */
export interface Plan {
  /** How all shards divide the work; undefined without shards. */
  readonly cut?: WorldCut;
  /** The parts that are rehearsed here, one after the other or at the same time. */
  readonly parts: readonly WorldPart[];
  readonly jobs: number;
  /** How many Rollouts and TrafficRoutings are rehearsed here. */
  readonly rollouts: number;
}

/** How a stack is to be rehearsed. */
export interface PlanRequest {
  readonly world: World;
  readonly cluster: Cluster;
  readonly shard?: Shard;
  readonly jobs?: number;
}

/** Below this many Rollouts, cutting is not worth it. */
const FEW = 20;
/** More parts let all threads end at about the same time. */
const PARTS_PER_JOB = 6;
/** Enough parts to show progress. */
const LEAST_PARTS = 20;

/** Cuts the work of this shard into parts for its threads. */
export function planOf({ world, cluster: { kruiseVersion }, shard, jobs }: PlanRequest): Plan {
  const { WorldCut } = require('../../check') as typeof import('../../check');
  const options = { kruiseVersion };
  const cut = shard === undefined || shard.total === 1 ? undefined : WorldCut.of(world, shard.total, options);
  const own = cut === undefined ? world : cut.parts[shard!.index - 1]!.world;
  const subjects = ['Rollout.rollouts.kruise.io', 'TrafficRouting.rollouts.kruise.io', 'Rollout.argoproj.io'];
  const rollouts = subjects.reduce((sum, kind) => sum + own.list(kind).length, 0);
  const threads = jobs ?? defaultJobs(rollouts);
  const isFew = rollouts < FEW && threads === 1;
  const count = Math.min(Math.max(threads * PARTS_PER_JOB, LEAST_PARTS), Math.max(rollouts, 1));
  const parts = isFew ? [{ world: own, rollouts }] : WorldCut.of(own, count, options).parts;
  return {
    ...(cut === undefined ? {} : { cut }),
    parts: parts.filter((part) => part.rollouts > 0),
    jobs: threads,
    rollouts,
  };
}
