/** The labs of every controller. */
import type { Lab } from '../play';
import { argoLabs } from './argo';
import { kruiseLabs } from './kruise';

/** The labs that a release of a controller can play, by name. */
export function labsOf(controller: string, release: string): readonly Lab[] {
  const labs: Readonly<Record<string, (release: string) => readonly Lab[]>> = { kruise: kruiseLabs, argo: argoLabs };
  return labs[controller]?.(release) ?? [];
}
