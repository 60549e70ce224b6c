import type { StackDiff } from '../../core/stack-diff';

/** What `--fail-on` may name. */
export const FAIL_ON = ['new-errors', 'new-warnings', 'merge', 'change'] as const;

export type FailOn = (typeof FAIL_ON)[number];

/** Why the command ends with 1: a sentence for each reason. */
export function failures(diff: StackDiff, failOn: readonly FailOn[]): string[] {
  return [...new Set(failOn)].flatMap((what) => {
    const count = COUNTS[what](diff);
    return count === 0 ? [] : [`--fail-on ${what}: ${count} ${WORDS[what][count === 1 ? 0 : 1]}`];
  });
}

const COUNTS: Readonly<Record<FailOn, (diff: StackDiff) => number>> = {
  'new-errors': ({ findings }) => findings.added.filter(({ severity }) => severity === 'error').length,
  'new-warnings': ({ findings }) => findings.added.filter(({ severity }) => severity !== 'note').length,
  merge: ({ effects }) => effects.filter(({ severity }) => severity === 'warning').length,
  change: ({ effects, releases, findings }) =>
    effects.length + releases.length + findings.added.length + findings.fixed.length + findings.accepted.length,
};

const WORDS: Readonly<Record<FailOn, readonly [one: string, many: string]>> = {
  'new-errors': ['new error', 'new errors'],
  'new-warnings': ['new error or warning', 'new errors and warnings'],
  merge: ['warning about the merge', 'warnings about the merge'],
  change: ['difference', 'differences'],
};
