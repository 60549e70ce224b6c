/** The objects of one host, found by their paths. */
import type { Manifest } from '../core';
import { addTo } from '../core/grouped';
import type { Place } from '../routers';

/** So many objects with other paths stand for all that say the same besides. */
const STAND_INS = 4;

/**
 * The routing objects that share a host or a load balancer. An object with other paths than a release concerns its
 * requests only by what it says besides, as a certificate does, so that a few of those that say the same are enough.
 */
export class Neighbours {
  readonly all: Manifest[] = [];
  private readonly anywhere: Manifest[] = [];
  private readonly byPath = new Map<string, Manifest[]>();
  private readonly standIns = new Map<string, Manifest[]>();
  private paths: readonly string[] | undefined;

  add(manifest: Manifest, place: Place | undefined): void {
    this.all.push(manifest);
    if (place === undefined) {
      this.anywhere.push(manifest);
      return;
    }
    for (const path of place.paths) addTo(this.byPath, path, manifest);
    const alike = this.standIns.get(place.besides) ?? [];
    if (alike.length < STAND_INS) alike.push(manifest);
    this.standIns.set(place.besides, alike);
  }

  /** The objects that may take requests for these paths, and those that stand for the others. */
  near(paths: readonly string[]): readonly Manifest[] {
    const overlapping = paths.flatMap((path) => [...this.above(path), ...this.below(path)]);
    return [...this.anywhere, ...[...this.standIns.values()].flat(), ...overlapping];
  }

  /** Objects with a path that is the beginning of this one. */
  private above(path: string): readonly Manifest[] {
    return Array.from(path, (_character, end) => this.byPath.get(path.slice(0, end)) ?? []).flat();
  }

  /** Objects with a path that begins with this one. */
  private below(path: string): readonly Manifest[] {
    this.paths ??= [...this.byPath.keys()].sort();
    const found: Manifest[] = [];
    for (let at = firstFrom(this.paths, path); this.paths[at]?.startsWith(path); at += 1) {
      found.push(...this.byPath.get(this.paths[at]!)!);
    }
    return found;
  }
}

/** The index of the first of some sorted texts that is not before a text. */
function firstFrom(sorted: readonly string[], text: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < text) low = middle + 1;
    else high = middle;
  }
  return low;
}
