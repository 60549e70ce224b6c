import type { Rehearsal } from '../../../core/rehearsal-result';
import type { RehearsalContext } from '../reporter';
import { page } from './page';

/**
 * One file for a browser: the result and the route of each request at every moment, what the controller wrote, and the
 * findings. The file loads nothing, works without JavaScript, and depends only on its input.
 */
export function html(rehearsals: readonly Rehearsal[], context: RehearsalContext): string {
  return page(rehearsals, context).text;
}
