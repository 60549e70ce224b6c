import { availableParallelism } from 'node:os';
import type { Shard } from '../../check';
import { UserError } from '../../settings/user-error';

/** The flag of commands that rehearse in several threads. */
export const JOBS_OPTIONS = { jobs: { type: 'string' } } as const;

/** The help text of this flag. */
export const JOBS_HELP =
  '  --jobs <n>               rehearse in this many threads (default 1; more for several hundred Rollouts)';

/** The flags of commands that can divide their work. */
export const PARALLEL_OPTIONS = {
  ...JOBS_OPTIONS,
  shard: { type: 'string' },
} as const;

/** The help text of these flags. */
export const PARALLEL_HELP = `${JOBS_HELP}
  --shard <i/n>            only the i-th of n equal parts of the work; report merge joins the JSON reports of all parts`;

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

/** Above this many Rollouts, starting a thread costs less than it saves. */
const MANY_ROLLOUTS = 500;
/** More threads than this wait for memory more than they work. */
const MOST_BY_DEFAULT = 8;

/** The number of threads if no option states it. */
export function defaultJobs(rollouts: number): number {
  return rollouts < MANY_ROLLOUTS ? 1 : Math.min(availableParallelism(), MOST_BY_DEFAULT);
}
