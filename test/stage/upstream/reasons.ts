/** Why a rehearsal differs from what happened, and why `check` reports an error, where that is known. */
import type { Result } from './result';

interface Reason {
  /** `argo@1.9.1`. */
  readonly releases: RegExp;
  readonly stacks: RegExp;
  /** @default - every story */
  readonly stories?: RegExp;
  readonly reason: string;
}

const REASONS: readonly Reason[] = [];

/** Reasons that no result needs. */
export function unusedReasons(results: readonly Result[]): readonly { readonly reason: string }[] {
  const used = new Set(results.map(({ reason }) => reason));
  return REASONS.filter(({ reason }) => !used.has(reason));
}

/** The reason of a result; undefined if nobody knows one. */
export function reasonOf({ release, stack, story = '' }: Result): string | undefined {
  return REASONS.find(
    ({ releases, stacks, stories }) =>
      releases.test(release) && stacks.test(stack) && (stories === undefined || stories.test(story)),
  )?.reason;
}
