import { isClusterScoped } from './cluster-scoped';
import type { Finding, ObjectRef } from './finding';
import { addTo } from './grouped';
import type { Json } from './json';
import { groupKindOf, Manifest } from './manifest';
import { worldRules } from './rules';

/** The options of a World. */
export interface WorldOptions {
  /**
   * The namespace of objects that do not name one.
   * @default 'default'
   */
  readonly defaultNamespace?: string | undefined;
}

/** An object that differs between two Worlds: as it was and as it is; undefined where it does not exist. */
export interface WorldChange {
  readonly before: Manifest | undefined;
  readonly after: Manifest | undefined;
}

/** Group, kind, namespace and name of an object. An object without a name (`generateName`) is its own key. */
export type Key = string | Manifest;

/** Notes what is read of a World. */
export interface WorldReader {
  /** The World, before anything of it is read. */
  begin(world: World): void;
  noteObject(key: Key, manifest: Manifest | undefined): void;
  noteList(name: string, list: readonly Manifest[]): void;
  /** `of` makes the part of the value that the reader depends on, also of another World. */
  noteDerived(name: string, of: (world: World) => Json | undefined, part: Json | undefined): void;
}

/**
 * All manifests of a stack. A World is immutable: `with` and `without` return a new one. Kinds are written as in kubectl:
 * `Service`, `Ingress.networking.k8s.io`. The order of lists depends on names only, not on files.
 * @example World.of(manifests).find('Ingress.networking.k8s.io', 'web', 'shop')
 */
export class World {
  /** A World of these manifests. If an object is declared twice, the later declaration counts, as with `kubectl apply`. */
  static of(manifests: Iterable<Manifest>, options: WorldOptions = {}): World {
    const defaultNamespace = options.defaultNamespace ?? 'default';
    const byKey = new Map<Key, Manifest>();
    const findings: Finding[] = [];
    const overwritten: Manifest[] = [];
    for (const manifest of manifests) {
      const key = keyOf(manifest, defaultNamespace);
      const earlier = byKey.get(key);
      if (earlier !== undefined) {
        findings.push(duplicateOf(earlier, manifest));
        overwritten.push(earlier);
      }
      byKey.set(key, manifest);
    }
    return new World(defaultNamespace, new Base(byKey, defaultNamespace), NO_CHANGES, findings, overwritten);
  }

  /**
   * The union of several Worlds. For Worlds of one base, the changes of all are combined. For other Worlds, the later
   * one wins if several have the same object.
   */
  static union(first: World, ...others: readonly World[]): World {
    const worlds = [first, ...others];
    const addUp = worlds.every(
      (world) => world.first === first.first && ![...world.changes.values()].includes(undefined),
    );
    if (!addUp) {
      const manifests = new Set(worlds.flatMap((world) => world.manifests));
      return World.of(manifests, { defaultNamespace: first.defaultNamespace });
    }
    return first.changed(new Map(worlds.flatMap((world) => [...world.changes])));
  }

  /** The results of `memo`, by function and key. It is a private name, so that a comparison of Worlds ignores it. */
  #memo: Map<unknown, WeakMap<object, unknown>> | undefined;
  private touched: ReadonlyMap<string, readonly Manifest[]> | undefined;
  private patched: Map<string, readonly Manifest[]> | undefined;

  private constructor(
    /** The namespace of objects that do not name one. */
    readonly defaultNamespace: string,
    private readonly first: Base,
    /** The differences from the base; undefined for a removed object. */
    private readonly changes: ReadonlyMap<Key, Manifest | undefined>,
    /** Findings about the stack as a whole: objects that are declared twice. */
    readonly findings: readonly Finding[],
    /** Declarations that a later one of the same object overwrites. */
    readonly overwritten: readonly Manifest[],
    /** Notes what is read, and the World that it is read from. */
    private readonly recorded?: { readonly reads: WorldReader; readonly world: World },
  ) {}

  /** All manifests, by kind, namespace and name. */
  get manifests(): readonly Manifest[] {
    return this.listed(EVERYTHING);
  }

  /** The same object for all Worlds that derive from each other by `with` and `without`. A cache may use it as key. */
  get base(): object {
    return this.first;
  }

  /**
   * Whether another World of the same base has the same objects. `isSame` compares objects that are not identical, or
   * that only one World has. The cost depends on the number of changes only.
   */
  isLike(other: World, isSame: (a: Manifest | undefined, b: Manifest | undefined) => boolean): boolean {
    if (this === other) return true;
    this.recordAll();
    if (this.first !== other.first) return false;
    const differ = (a: Manifest | undefined, b: Manifest | undefined) => a !== b && !isSame(a, b);
    for (const [key, manifest] of this.changes) if (differ(manifest, other.at(key))) return false;
    for (const [key, manifest] of other.changes) {
      if (!this.changes.has(key) && differ(this.first.byKey.get(key), manifest)) return false;
    }
    return true;
  }

  /**
   * What `with` and `without` have changed since the base, as a text: equal for Worlds of one base with equal objects. `idOf`
   * gives equal objects the same number. The cost depends on the number of changes only.
   */
  changedBy(idOf: (manifest: Manifest) => number): string {
    const changed: string[] = [];
    for (const [key, manifest] of this.changes) {
      const before = this.first.byKey.get(key);
      const [was, is] = [before && idOf(before), manifest && idOf(manifest)];
      if (was !== is) changed.push(`${was}>${is}`);
    }
    return changed.sort().join();
  }

  /** The objects that are new or changed since an earlier World. */
  since(earlier: World): readonly Manifest[] {
    return this.changesSince(earlier).flatMap(({ after }) => after ?? []);
  }

  /**
   * The objects that are not those of an earlier World, by kind, namespace and name. For Worlds of one base, the cost depends
   * on the number of changes only.
   */
  changesSince(earlier: World): readonly WorldChange[] {
    const changes = this.differingFrom(earlier).map((key) => ({ before: earlier.at(key), after: this.at(key) }));
    const sortKey = ({ before, after }: WorldChange) => sortKeyOf((after ?? before)!, this.defaultNamespace);
    return changes.sort((a, b) => compareTexts(sortKey(a), sortKey(b)));
  }

  /** The keys of the objects that are not those of an earlier World, and the names of the lists that have or had them. */
  touchedSince(earlier: World): { readonly keys: readonly Key[]; readonly lists: ReadonlySet<string> } {
    const keys = this.differingFrom(earlier);
    const touched = keys.map((key) => (this.at(key) ?? earlier.at(key))!);
    return { keys, lists: new Set(touched.flatMap((manifest) => listsOf(manifest, this.defaultNamespace))) };
  }

  private differingFrom(earlier: World): Key[] {
    const keys =
      this.first === earlier.first
        ? new Set([...this.changes.keys(), ...earlier.changes.keys()])
        : new Set([...this.keys(), ...earlier.keys()]);
    return [...keys].filter((key) => earlier.at(key) !== this.at(key));
  }

  private keys(): Key[] {
    return this.manifests.map((manifest) => keyOf(manifest, this.defaultNamespace));
  }

  /** The object of this kind and name, by default in the default namespace. */
  find(groupKind: string, name: string, namespace: string = this.defaultNamespace): Manifest | undefined {
    return this.at(textKey(groupKind, isClusterScoped(groupKind) ? '' : namespace, name));
  }

  /** The object of a reference. Without `apiVersion`, the first object of the kind in any group. */
  get(ref: ObjectRef): Manifest | undefined {
    if (ref.apiVersion !== undefined) return this.find(groupKindOf(ref.kind, ref.apiVersion), ref.name, ref.namespace);
    const isNamed = ({ kind, name }: Manifest) => kind === ref.kind && name === ref.name;
    return this.inNamespace(ref.namespace ?? this.defaultNamespace).find(isNamed) ?? this.inNamespace('').find(isNamed);
  }

  /** All objects of a kind, in one namespace or in all. */
  list(groupKind: string, namespace?: string): readonly Manifest[] {
    return this.listed(namespace === undefined ? kindList(groupKind) : kindList(groupKind, namespace));
  }

  /** All objects of a namespace; for the empty namespace, the cluster-scoped objects. */
  inNamespace(namespace: string): readonly Manifest[] {
    return this.listed(namespaceList(namespace));
  }

  /** The namespace of an object; empty for a cluster-scoped kind. */
  namespaceOf(manifest: Manifest): string {
    return namespaceOf(manifest, this.defaultNamespace);
  }

  /**
   * The result of a pure function of this World, computed once per function and key.
   * @param make a function at the top level of a module; a closure would be computed each time
   * @param key another input of the function
   * @example world.memo(readRollouts, version)
   */
  memo<Key extends object, T>(make: (world: World, key: Key) => T, key: Key): T;
  memo<T>(make: (world: World) => T): T;
  memo<T>(make: (world: World, key: object) => T, key: object = this): T {
    this.#memo ??= new Map();
    const known = this.#memo.get(make) ?? new WeakMap<object, unknown>();
    this.#memo.set(make, known);
    if (!known.has(key)) known.set(key, make(this, key));
    return known.get(key) as T;
  }

  /** The same World, which notes what is read of it. */
  recordedBy(reads: WorldReader): World {
    const { defaultNamespace, first, changes, findings, overwritten } = this;
    reads.begin(this);
    return new World(defaultNamespace, first, changes, findings, overwritten, { reads, world: this });
  }

  /**
   * A value that is made of this World. Its reader depends on one part of the value alone, whatever else was read to make it.
   * @param name another name for each function and its inputs
   */
  derive<T>(name: string, make: (world: World) => T, part: (value: T) => Json | undefined): T {
    if (this.recorded === undefined) return make(this);
    const { reads, world } = this.recorded;
    const value = make(world);
    reads.noteDerived(name, (other) => part(make(other)), part(value));
    return value;
  }

  /** A World with these objects added or replaced. */
  with(...manifests: readonly Manifest[]): World {
    const changes = new Map(this.changes);
    for (const manifest of manifests) {
      const key = keyOf(manifest, this.defaultNamespace);
      if (this.first.byKey.get(key) === manifest) changes.delete(key);
      else changes.set(key, manifest);
    }
    return this.changed(changes);
  }

  /** A World without these objects. */
  without(...objects: readonly (Manifest | ObjectRef)[]): World {
    const changes = new Map(this.changes);
    for (const object of objects) {
      const manifest = object instanceof Manifest ? object : this.get(object);
      if (manifest === undefined) continue;
      const key = keyOf(manifest, this.defaultNamespace);
      if (this.first.byKey.has(key)) changes.set(key, undefined);
      else changes.delete(key);
    }
    return this.changed(changes);
  }

  private changed(changes: ReadonlyMap<Key, Manifest | undefined>): World {
    this.recordAll();
    const { defaultNamespace, first, findings, overwritten } = this;
    // With more changes a new base is cheaper.
    if (changes.size <= MAX_CHANGES) return new World(defaultNamespace, first, changes, findings, overwritten);
    const byKey = new Map(first.byKey);
    for (const [key, manifest] of changes) {
      if (manifest === undefined) byKey.delete(key);
      else byKey.set(key, manifest);
    }
    return new World(defaultNamespace, new Base(byKey, defaultNamespace), NO_CHANGES, findings, overwritten);
  }

  /** The object of a key. For a `WorldReader`; others ask by kind and name. */
  at(key: Key): Manifest | undefined {
    const found = this.changes.size > 0 && this.changes.has(key) ? this.changes.get(key) : this.first.byKey.get(key);
    this.recorded?.reads.noteObject(key, found);
    return found;
  }

  /** A list by its name. For a `WorldReader`; others ask by kind and namespace. */
  listed(name: string): readonly Manifest[] {
    if (this.recorded !== undefined) {
      const { reads, world } = this.recorded;
      const list = world.listed(name);
      reads.noteList(name, list);
      return list;
    }
    if (this.changes.size === 0) return this.first.list(name);
    this.touched ??= this.touchedLists();
    const added = this.touched.get(name);
    // Without a change, the list of the base is still right.
    if (added === undefined) return this.first.list(name);
    const known = this.patched?.get(name);
    if (known !== undefined) return known;
    const list = this.first.list(name).filter((manifest) => !this.isChanged(manifest));
    for (const manifest of added) list.splice(placeFor(manifest, list, this.defaultNamespace), 0, manifest);
    this.patched ??= new Map();
    this.patched.set(name, list);
    return list;
  }

  private recordAll(): void {
    if (this.recorded !== undefined) this.listed(EVERYTHING);
  }

  private isChanged(manifest: Manifest): boolean {
    return this.changes.has(keyOf(manifest, this.defaultNamespace));
  }

  /** The changed lists, each with its added objects. */
  private touchedLists(): ReadonlyMap<string, readonly Manifest[]> {
    const lists = new Map<string, Manifest[]>();
    for (const [key, manifest] of this.changes) {
      const touched = manifest ?? this.first.byKey.get(key)!;
      for (const name of listsOf(touched, this.defaultNamespace)) {
        const added = lists.get(name) ?? [];
        lists.set(name, added);
        if (manifest !== undefined) added.push(manifest);
      }
    }
    return lists;
  }
}

const MAX_CHANGES = 100;
const NO_CHANGES: ReadonlyMap<Key, Manifest | undefined> = new Map();
const NONE: readonly Manifest[] = [];

/** The objects of a World before `with` and `without`. */
class Base {
  private lists: ReadonlyMap<string, readonly Manifest[]> | undefined;

  constructor(
    readonly byKey: ReadonlyMap<Key, Manifest>,
    private readonly defaultNamespace: string,
  ) {}

  list(name: string): readonly Manifest[] {
    // Built at the first use, because some Worlds are only asked for single objects.
    this.lists ??= this.sortIntoLists();
    return this.lists.get(name) ?? NONE;
  }

  private sortIntoLists(): ReadonlyMap<string, readonly Manifest[]> {
    const lists = new Map<string, Manifest[]>();
    for (const manifest of inOrder([...this.byKey.values()], this.defaultNamespace)) {
      for (const name of listsOf(manifest, this.defaultNamespace)) addTo(lists, name, manifest);
    }
    return lists;
  }
}

/** Sorts by kind, namespace and name. Objects without a name keep their order. */
function inOrder(manifests: readonly Manifest[], defaultNamespace: string): Manifest[] {
  return manifests
    .map((manifest) => ({ manifest, key: sortKeyOf(manifest, defaultNamespace) }))
    .sort((a, b) => compareTexts(a.key, b.key))
    .map(({ manifest }) => manifest);
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** The index for an object in a sorted list, after the objects with an equal key. */
function placeFor(manifest: Manifest, list: readonly Manifest[], defaultNamespace: string): number {
  const key = sortKeyOf(manifest, defaultNamespace);
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sortKeyOf(list[middle]!, defaultNamespace) <= key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function sortKeyOf(manifest: Manifest, defaultNamespace: string): string {
  return placeOf(manifest, defaultNamespace).sortKey;
}

/** The names of the lists that contain an object. */
function listsOf(manifest: Manifest, defaultNamespace: string): readonly string[] {
  return placeOf(manifest, defaultNamespace).lists;
}

/** Where an object is in Worlds. */
interface PlaceInWorld {
  readonly defaultNamespace: string;
  readonly namespace: string;
  readonly sortKey: string;
  readonly lists: readonly string[];
}

/** Kept, as Worlds that derive from each other ask about the same objects again and again. */
const places = new WeakMap<Manifest, PlaceInWorld>();

function placeOf(manifest: Manifest, defaultNamespace: string): PlaceInWorld {
  const known = places.get(manifest);
  if (known?.defaultNamespace === defaultNamespace) return known;
  const { groupKind } = manifest;
  const namespace = isClusterScoped(groupKind) ? '' : (manifest.namespace ?? defaultNamespace);
  const place = {
    defaultNamespace,
    namespace,
    sortKey: textKey(groupKind, namespace, manifest.name),
    lists: [EVERYTHING, kindList(groupKind), kindList(groupKind, namespace), namespaceList(namespace)],
  };
  places.set(manifest, place);
  return place;
}

const EVERYTHING = '';

function kindList(groupKind: string, namespace?: string): string {
  return namespace === undefined ? `kind\n${groupKind}` : `kind\n${groupKind}\n${namespace}`;
}

function namespaceList(namespace: string): string {
  return `namespace\n${namespace}`;
}

function duplicateOf(earlier: Manifest, later: Manifest): Finding {
  const source = earlier.sourceOf();
  return later.finding(worldRules['manifest-duplicate'], {
    message: `${later.kind} "${later.name}" is declared twice, and only this declaration counts`,
    related: {
      message: `${earlier.kind} "${earlier.name}" is declared here first`,
      object: earlier.ref,
      ...(source === undefined ? {} : { source }),
    },
  });
}

function namespaceOf(manifest: Manifest, defaultNamespace: string): string {
  return placeOf(manifest, defaultNamespace).namespace;
}

function keyOf(manifest: Manifest, defaultNamespace: string): Key {
  return manifest.name === '' ? manifest : placeOf(manifest, defaultNamespace).sortKey;
}

// A line feed sorts before every character of a name, so that `a-b` sorts after `a`.
function textKey(groupKind: string, namespace: string, name: string): string {
  return `${groupKind}\n${namespace}\n${name}`;
}
