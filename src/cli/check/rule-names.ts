import { UserError } from '../user-error';

/** The ids, each of which has to be that of a rule. */
export function rulesNamed(ids: readonly string[], place: string): readonly string[] {
  if (ids.length === 0) return ids;
  const { wholeCatalogue } = require('../../check') as typeof import('../../check');
  const catalogue = wholeCatalogue();
  for (const id of ids) {
    if (catalogue.has(id)) continue;
    const meant = catalogue.closestTo(id);
    throw new UserError(
      `${place}: there is no rule "${id}"${meant === undefined ? '' : `; did you mean "${meant}"?`}`,
      'rollout-constructs rules lists them all',
    );
  }
  return ids;
}
