/** Labs that nobody thought of: stacks and stories at random, the same ones for the same seed. */
import * as fc from 'fast-check';
import type { Lab } from '../../play';
import { ARGO } from './argo';
import { kruiseLabs } from './kruise';

/** So many labs of a controller, which the seed alone decides. */
export function randomLabs(controller: string, release: string, seed: number, count: number): readonly Lab[] {
  const labs = controller === 'argo' ? ARGO : kruiseLabs(Number(release.split('.')[1]));
  return fc.sample(labs, { seed, numRuns: count }).map((lab, index) => ({ ...lab, name: `random-${seed}-${index}` }));
}
