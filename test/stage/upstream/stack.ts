/** The stacks that upstream's own end-to-end tests apply: read from the archive of a release, and never kept. */
import type { KubernetesObject } from '../cluster/api';

/** What a test applies before its release begins. */
export interface UpstreamStack {
  /** The name of the first test that applies it, in kebab case. */
  readonly name: string;
  readonly objects: readonly KubernetesObject[];
  /**
   * What of the test could not be read.
   * @default - it was read as a whole
   */
  readonly unread?: string;
}

/** `TestCanaryScale` as `test-canary-scale`; what a name may not have becomes a dash. */
export function kebab(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

/** Each stack once, under the name of the first test that applies it. Names are told apart by a number. */
export function distinct(stacks: readonly UpstreamStack[]): UpstreamStack[] {
  const known = new Set<string>();
  const names = new Map<string, number>();
  return stacks.flatMap((stack) => {
    const text = JSON.stringify([stack.objects, stack.unread]);
    if (known.has(text)) return [];
    known.add(text);
    const times = (names.get(stack.name) ?? 0) + 1;
    names.set(stack.name, times);
    return [times === 1 ? stack : { ...stack, name: `${stack.name}-${times}` }];
  });
}
