import { availableParallelism } from 'node:os';
import type { Shard } from '../../check';
import { UserError } from '../../settings/user-error';

/** The options of commands that can share their work. */
export const PARALLEL_OPTIONS = {
  jobs: { type: 'string' },
  shard: { type: 'string' },
} as const;

/** What help says of them. */
export const PARALLEL_HELP = `  --jobs <n>               rehearse in so many threads (default 1, and more for some hundreds of Rollouts)
  --shard <i/n>            only the i-th of n parts of the work, each as much as the others; report merge puts the
                           JSON reports of all of them together`;

const MOST_JOBS = 64;
const MOST_SHARDS = 1000;

/** Reads `--jobs`; undefined leaves it to the size of the stack. */
export function readJobs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const jobs = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (jobs >= 1 && jobs <= MOST_JOBS) return jobs;
  throw new UserError(`--jobs is "${text}"`, `it must be a number from 1 to ${MOST_JOBS}`);
}

/** Reads `--shard`, as in `2/4`. */
export function readShard(text: string | undefined): Shard | undefined {
  if (text === undefined) return undefined;
  const [, index = 0, total = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (index >= 1 && index <= total && total <= MOST_SHARDS) return { index, total };
  throw new UserError(`--shard is "${text}"`, 'write it as 2/4: the second of four, from 1/4 to 4/4');
}

/** From so many Rollouts on, the start of a thread costs less than it saves. */
const MANY_ROLLOUTS = 500;
/** More threads than these wait for memory more than they work. */
const MOST_BY_DEFAULT = 8;

/** How many threads there are when nobody said it. */
export function defaultJobs(rollouts: number): number {
  return rollouts < MANY_ROLLOUTS ? 1 : Math.min(availableParallelism(), MOST_BY_DEFAULT);
}
