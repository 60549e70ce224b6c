/** The flags that say whose suppressions count: those of the change, or only those of the owner. */
import { resolve } from 'node:path';
import { counted } from '../core/counted';
import type { SuppressedFinding, Trust } from '../core/suppression';
import { baseOf, OwnerFiles } from '../files/owner';
import { UserError } from '../settings/user-error';
import { oneOf } from './command';
import type { Io } from './io';

export const TRUST_OPTIONS = {
  trust: { type: 'string', default: 'all' },
  base: { type: 'string' },
  'no-suppressions': { type: 'boolean', default: false },
  'max-suppressions': { type: 'string' },
} as const;

export const TRUST_HELP = `  --trust <all|owner>      owner: configuration, baseline and suppressions count as they are in the base branch, or in a file
                           outside of the checkout; for pull requests (default all)
  --base <commit>          the base of --trust owner (default what GitHub and GitLab name: origin/main)
  --no-suppressions        report what annotations, comments, the configuration and the baseline accept, too
  --max-suppressions <n>   exit with 1 when more findings than that are suppressed`;

/** The values of these flags. */
export interface TrustValues {
  readonly trust: string;
  readonly base?: string | undefined;
  readonly 'no-suppressions': boolean;
  readonly 'max-suppressions'?: string | undefined;
}

/** Whose word counts in one run. */
export interface TrustSettings {
  /** The files of the owner; undefined if everybody's word counts. */
  readonly owner?: OwnerFiles;
  /** Whether nothing is suppressed. */
  readonly noSuppressions: boolean;
  readonly maxSuppressions: number;
  /** Undefined if everybody's suppressions count. */
  readonly trusts?: Trust;
}

export function readTrust(values: TrustValues, { cwd, env }: Pick<Io, 'cwd' | 'env'>): TrustSettings {
  const trust = oneOf('--trust', values.trust, ['all', 'owner'] as const);
  const noSuppressions = values['no-suppressions'];
  if (values.base !== undefined && trust !== 'owner') {
    throw new UserError('--base names the base of --trust owner, which is not given', 'add --trust owner');
  }
  const owner = trust === 'owner' ? new OwnerFiles(cwd, values.base ?? knownBase(env)) : undefined;
  const trusts = noSuppressions ? () => false : owner && trustsOf(owner, cwd);
  return {
    ...(owner && { owner }),
    ...(trusts && { trusts }),
    noSuppressions,
    maxSuppressions: readCount(values['max-suppressions']),
  };
}

/** Whether more is suppressed than allowed; says so. */
export function tooManySuppressed(
  suppressed: readonly SuppressedFinding[],
  { maxSuppressions }: TrustSettings,
): string {
  if (suppressed.length <= maxSuppressions) return '';
  const most = `--max-suppressions allows ${maxSuppressions}`;
  return `rollout-constructs: ${counted(suppressed.length, 'finding')} ${suppressed.length === 1 ? 'is' : 'are'} suppressed, and ${most}\n`;
}

/** What the owner states in files of the change counts as far as the base has it; the rest was read from the base already. */
function trustsOf(owner: OwnerFiles, cwd: string): Trust {
  return ({ by, source, reason }, rule) => {
    if (by !== 'annotation' && by !== 'comment') return true;
    const isFile = source !== undefined && !/^<.*>$/.test(source.file);
    return owner.accepts(isFile ? resolve(cwd, source.file) : undefined, rule, reason);
  };
}

function knownBase(env: Io['env']): string {
  const base = baseOf(env);
  if (base !== undefined) return base;
  throw new UserError('--trust owner does not know the base of this change', 'name it: --base origin/main');
}

function readCount(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UserError(`--max-suppressions is "${text}"`, 'it must be a number, 0 or more');
}
