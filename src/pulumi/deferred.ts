import type { Finding } from '../core/finding';
import type { World } from '../core/world';
import { mentionsPlaceholder } from './output-placeholders';

/**
 * Whether a finding is about a value that is not known yet: it says so, or it is about a field that holds such a value.
 * What it really is, is found when the value is known.
 */
export function isDeferred(finding: Finding, world: World): boolean {
  if (mentionsPlaceholder(JSON.stringify(finding))) return true;
  const { object, path } = finding;
  if (object === undefined || path === undefined) return false;
  const value = world.get(object)?.get(path);
  return value !== undefined && mentionsPlaceholder(JSON.stringify(value));
}
