import type { Finding } from '../core/finding';
import type { World } from '../core/world';
import { mentionsPlaceholder } from './output-placeholders';

/**
 * Whether a finding is about a value that is not known yet: it mentions a placeholder, or its field holds one. The check
 * runs again when the value is known.
 */
export function isDeferred(finding: Finding, world: World): boolean {
  if (mentionsPlaceholder(JSON.stringify(finding))) return true;
  const { object, path } = finding;
  if (object === undefined || path === undefined) return false;
  const value = world.get(object)?.get(path);
  return value !== undefined && mentionsPlaceholder(JSON.stringify(value));
}
