/** The parts of a list of releases that hang. */
import type { StoryAction } from '../../../src/release';
import type { KubernetesObject } from '../cluster/api';
import type { Lab } from '../play';

/** What leads out of a hang: what people do to a release, an object that they apply, or a patch of a status that never rests. */
export type WayOut = StoryAction | { readonly apply: KubernetesObject } | { readonly status: KubernetesObject };

/** A hang, whose lab may be one of those that are recorded. */
export interface ListedHang {
  readonly lab: Lab | string;
  readonly wayOut: readonly WayOut[];
}

/** A release that hangs in a lab that is recorded. */
export const known = (lab: string, ...wayOut: readonly WayOut[]): ListedHang => ({ lab, wayOut });

/** Releases that hang in stacks of a controller. */
export function hangsIn<Options>(stackOf: (options: Options) => KubernetesObject[]) {
  return {
    hang: (name: string, options: Options, story: readonly StoryAction[], wayOut: readonly WayOut[]): ListedHang => ({
      lab: { name: `hang-${name}`, manifests: stackOf(options), story },
      wayOut,
    }),
    /** The object of a stack again, after somebody has deleted it. */
    again(options: Options, kind: string, name = 'shop'): WayOut {
      const found = stackOf(options).find((object) => object.kind === kind && object.metadata.name === name);
      if (found === undefined) throw new Error(`the stack has no ${kind} ${name}`);
      return { apply: found };
    },
  };
}
