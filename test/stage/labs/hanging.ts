/** Releases that hang, each with the way out that doctor names: `npm run stage -- hang` plays both. */
import type { Lab } from '../play';
import { labsOf } from '.';
import { argoHangs } from './argo/hanging';
import type { ListedHang, WayOut } from './hang';
import { kruiseHangs } from './kruise/hanging';

/** A lab that ends where its release hangs, and the way out. */
export interface Hang {
  readonly lab: Lab;
  /** None for a release that waits for a time only. */
  readonly wayOut: readonly WayOut[];
}

/** The hangs of a release of a controller. */
export function hangsOf(controller: string, release: string): readonly Hang[] {
  const recorded = labsOf(controller, release);
  const listed: Readonly<Record<string, () => readonly ListedHang[]>> = { argo: argoHangs, kruise: kruiseHangs };
  return (listed[controller]?.() ?? []).map(({ lab, wayOut }) => {
    if (typeof lab !== 'string') return { lab, wayOut };
    const found = recorded.find(({ name }) => name === lab);
    if (found === undefined) throw new Error(`there is no lab ${lab}`);
    return { lab: found, wayOut };
  });
}
