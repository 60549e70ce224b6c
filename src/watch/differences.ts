/** Where a cluster is not where the rehearsal says that it should be. */
import type { CheckupItem } from '../core/checkup';
import type { WatchedDifference } from '../core/watched-release';
import type { Progress } from '../doctor';

/** Questions that a person who follows a release does not ask at each moment. */
const NOT_ASKED = /-(permissions|status|progress|written|config-map|crds|controller)$/;

/** The problems that the questions about a Rollout show. */
export function differencesOf(
  items: readonly CheckupItem[],
  progress: Progress,
): readonly Omit<WatchedDifference, 'since'>[] {
  const all = items.filter(({ id, status }) => status === 'problem' && !NOT_ASKED.test(id));
  // What is missing explains all else.
  const missing = all.filter(({ id }) => id.endsWith('-objects'));
  const problems = missing.length > 0 ? missing : all;
  const found = problems.map(({ id, answer, details = [], fix }) => ({
    id,
    text: answer,
    // Requests are shown one by one.
    details: id.endsWith('requests') ? [] : details,
    ...(fix === undefined ? {} : { fix }),
  }));
  if (progress.state !== 'stuck') return found;
  return [troubleOf(progress), ...found.filter(({ text }) => !progress.answer.includes(text))];
}

/** Why it does not go on. What to do is what comes next. */
function troubleOf({ answer, details = [] }: Progress): Omit<WatchedDifference, 'since'> {
  return { id: 'progress', text: answer.replace(/^no: /, '').replace(/^no, as long as /, ''), details };
}

/** What is not known because it may not be read. */
export function unknownOf(items: readonly CheckupItem[]): readonly string[] {
  const missing = items.filter(({ id, permission }) => permission !== undefined && !NOT_ASKED.test(id));
  return [...new Set(missing.map(({ answer, permission }) => `${answer}; needs: ${permission}`))].sort();
}

/** A difference that is younger than this may be one watch ahead of another. */
const SETTLING_MS = 2000;

/** A controller that has not seen the newest objects writes what belongs to older ones, for as long as a few of its moves take. */
const SETTLING_BEHIND_MS = 15_000;

/** Remembers since when differences are there. */
export class Settling {
  private readonly firstSeen = new Map<string, Date>();

  /** Those that have been there for a while. */
  of(found: readonly Omit<WatchedDifference, 'since'>[], at: Date, isBehind: boolean): WatchedDifference[] {
    const ids = new Set(found.map(({ id }) => id));
    for (const id of [...this.firstSeen.keys()]) if (!ids.has(id)) this.firstSeen.delete(id);
    for (const id of ids) if (!this.firstSeen.has(id)) this.firstSeen.set(id, at);
    const least = isBehind ? SETTLING_BEHIND_MS : SETTLING_MS;
    return found
      .map((one): WatchedDifference => ({ ...one, since: this.firstSeen.get(one.id)!.toISOString() }))
      .filter(({ since }) => at.getTime() - Date.parse(since) >= least);
  }
}
