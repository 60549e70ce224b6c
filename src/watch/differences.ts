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
