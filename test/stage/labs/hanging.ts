/** Releases that hang, each with the way out that doctor names: `npm run stage -- hang` plays both. */
import type { StoryAction } from '../../../src/release';
import type { KubernetesObject } from '../cluster/api';
import type { Lab } from '../play';
import { labsOf } from '.';
import { argoHangs } from './argo/hanging';
import { kruiseHangs } from './kruise/hanging';

/** What leads out of a hang: what people do to a release, an object that they apply, or a patch of a status that never rests. */
export type WayOut = StoryAction | { readonly apply: KubernetesObject } | { readonly status: KubernetesObject };

/** A lab that ends where its release hangs, and the way out. */
export interface Hang {
  readonly lab: Lab;
  /** None for a release that waits for a time only. */
  readonly wayOut: readonly WayOut[];
}

/** A hang, whose lab may be one of those that are recorded. */
export interface ListedHang {
  readonly lab: Lab | string;
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
