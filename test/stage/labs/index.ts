/** The labs of every controller. */
import { argoLabs } from './argo';
import { exampleLabs } from './examples';
import { kruiseLabs } from './kruise';
import type { ListedLab } from './listed';

/** The labs that a release of a controller can play, by name. */
export function labsOf(controller: string, release: string): readonly ListedLab[] {
  const labs: Readonly<Record<string, (release: string) => readonly ListedLab[]>> = {
    kruise: kruiseLabs,
    argo: argoLabs,
  };
  return [...(labs[controller]?.(release) ?? []), ...exampleLabs(controller)];
}
