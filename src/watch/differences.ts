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
  const problems = items.filter(({ id, status }) => status === 'problem' && !NOT_ASKED.test(id));
  const found = problems.map(({ id, answer, details = [], fix }) => ({
    id,
    text: answer,
    details,
    ...(fix === undefined ? {} : { fix }),
  }));
  return progress.state === 'stuck' ? [troubleOf(progress), ...found] : found;
}

/** Why it does not go on. What to do is what comes next. */
function troubleOf({ answer, details = [] }: Progress): Omit<WatchedDifference, 'since'> {
  return { id: 'progress', text: answer.replace(/^no: /, ''), details };
}

/** What is not known because it may not be read. */
export function unknownOf(items: readonly CheckupItem[]): readonly string[] {
  const missing = items.filter(({ id, permission }) => permission !== undefined && !NOT_ASKED.test(id));
  return [...new Set(missing.map(({ answer, permission }) => `${answer}; needs: ${permission}`))].sort();
}
