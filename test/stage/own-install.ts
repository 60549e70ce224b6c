/** What a lab changes in the install of its controller. */
import { isDeepStrictEqual } from 'node:util';
import type { KubernetesObject } from './cluster/api';
import type { Lab } from './play';

/** The objects of a lab's install that say something else than those of the stage. */
export function ownInstall({ install = [] }: Lab, ofStage: readonly KubernetesObject[]): readonly KubernetesObject[] {
  return install.filter((own) => !isCovered(own, insteadOf(own, ofStage)));
}

/** The object of an install in whose place another one stands. */
export function insteadOf(own: KubernetesObject, install: readonly KubernetesObject[]): KubernetesObject | undefined {
  return install.find((object) => nameOf(object) === nameOf(own));
}

function nameOf({ kind, metadata }: KubernetesObject): string {
  return `${kind} ${metadata.namespace}/${metadata.name}`;
}

/** A controller finds a routing script by its key: more scripts change nothing. */
function isCovered({ data }: KubernetesObject, known: KubernetesObject | undefined): boolean {
  return known !== undefined && Object.entries(data).every(([key, text]) => isDeepStrictEqual(known.data[key], text));
}
