/** The labs of every controller. */
import type { Lab } from '../play';
import { kruiseLabs } from './kruise';

/** The labs that a release of a controller can play, by name. */
export function labsOf(controller: string, release: string): readonly Lab[] {
  const labs: Readonly<Record<string, (release: string) => readonly Lab[]>> = { kruise: kruiseLabs };
  return labs[controller]?.(release) ?? [];
}
