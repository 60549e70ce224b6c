/** What a function has read of a World. */
import type { Json } from './json';
import type { Manifest } from './manifest';
import type { Key, World, WorldReader } from './world';

/** Whether another object of the same name says the same to the reader. */
export type SameForReader = (a: Manifest | undefined, b: Manifest | undefined) => boolean;

/** A value that was made of a World, and the part of it that its reader depends on. */
interface Derived {
  readonly make: (world: World) => Json | undefined;
  readonly text: string | undefined;
}

/**
 * What a function has read of a World: objects, lists, and values that are made of it. It gives the same for every World in
 * which all of this is the same.
 * @example
 * const reads = new Reads();
 * const table = router.routes(world.recordedBy(reads));
 * const isStillRight = reads.areSameIn(later);
 */
export class Reads implements WorldReader {
  private readonly objects = new Map<Key, Manifest | undefined>();
  private readonly lists = new Map<string, readonly Manifest[]>();
  private readonly derived = new Map<string, Derived>();
  private from: World | undefined;

  /** @param isSame objects that are identical are always the same */
  constructor(private readonly isSame: SameForReader = Object.is) {}

  /** How many different things were read so far. */
  get count(): number {
    return this.objects.size + this.lists.size + this.derived.size;
  }

  /** Whether a reader of another World would read the same. */
  areSameIn(world: World): boolean {
    const { keys, lists } = this.comparable(world);
    for (const key of keys) {
      if (this.objects.has(key) && !this.isLike(world.at(key), this.objects.get(key))) return false;
    }
    for (const name of lists) {
      const list = this.lists.get(name);
      if (list !== undefined && !this.areLike(world.listed(name), list)) return false;
    }
    for (const { make, text } of this.derived.values()) if (jsonTextOf(make(world)) !== text) return false;
    return true;
  }

  begin(world: World): void {
    this.from = world;
  }

  noteObject(key: Key, manifest: Manifest | undefined): void {
    this.objects.set(key, manifest);
  }

  noteList(name: string, list: readonly Manifest[]): void {
    this.lists.set(name, list);
  }

  noteDerived(name: string, make: Derived['make'], value: Json | undefined): void {
    this.derived.set(name, { make, text: jsonTextOf(value) });
  }

  /** What has to be compared: in Worlds of one base, only what one of them has changed. */
  private comparable(world: World): { readonly keys: Iterable<Key>; readonly lists: Iterable<string> } {
    if (this.from?.base === world.base) return world.touchedSince(this.from);
    return { keys: this.objects.keys(), lists: this.lists.keys() };
  }

  private isLike(a: Manifest | undefined, b: Manifest | undefined): boolean {
    return a === b || this.isSame(a, b);
  }

  private areLike(a: readonly Manifest[], b: readonly Manifest[]): boolean {
    return a === b || (a.length === b.length && a.every((manifest, index) => this.isLike(manifest, b[index])));
  }
}

function jsonTextOf(value: Json | undefined): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}
