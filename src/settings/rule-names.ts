import type { RuleCatalogue } from '../core/rule';
import { UserError } from './user-error';

/** The ids, if each is the id of a rule; any other id is a `UserError` that names the place. */
export function rulesNamed(ids: readonly string[], place: string, catalogue: () => RuleCatalogue): readonly string[] {
  // Most calls name no rule, and the catalogue loads every rule of every system.
  if (ids.length === 0) return ids;
  const rules = catalogue();
  for (const id of ids) {
    if (rules.has(id)) continue;
    const meant = rules.closestTo(id);
    throw new UserError(
      `${place}: there is no rule "${id}"${meant === undefined ? '' : `; did you mean "${meant}"?`}`,
      'rollout-constructs rules lists them all',
    );
  }
  return ids;
}
