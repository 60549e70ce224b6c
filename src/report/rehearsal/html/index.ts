import type { Rehearsal } from '../../../core/rehearsal-result';
import type { RehearsalContext } from '../reporter';
import { page } from './page';

/**
 * One file for a browser: what each request gets at every moment, the way it takes, what the controller wrote, and the
 * findings. It asks for nothing else, works without JavaScript, and holds no byte that is not of its input.
 */
export function html(rehearsals: readonly Rehearsal[], context: RehearsalContext): string {
  return page(rehearsals, context).text;
}
