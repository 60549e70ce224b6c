import type { Value } from './value';

/** gopher-lua's `MaxArrayIndex`: integer keys from here on live with the other keys. */
const MAX_ARRAY_INDEX = 67108864;

/** Up to this many keys a linear search is faster than a hash map. */
const LINEAR_KEYS = 8;

/** After this many empty slots the search enumerates the elements, so that sparse tables are cheap. */
const GAP = 4096;

/**
 * A table with gopher-lua's observable layout: an array part for the keys 1, 2, 3 and so on, which is walked first and in
 * order, and all other keys in the order of their first insertion. A key keeps its place when it is removed and set again.
 */
export class LuaTable {
  /** Element `i` holds the key `i + 1`. Its length is part of the behaviour: removed elements stay as empty slots. */
  array: Value[] = [];
  metatable: LuaTable | undefined = undefined;
  /** The other keys, each followed by its value. */
  private entries: Value[] = [];
  /** Where in `entries` the value of each key is. */
  private places: Map<Value, number> | undefined = undefined;
  /** True while `places` also belongs to a copy, so that it has to be copied before it is written. */
  private sharesPlaces = false;

  /** A cheap copy. Every run copies the library tables instead of building them. */
  copy(): LuaTable {
    const copy = new LuaTable();
    copy.array = this.array.slice();
    copy.entries = this.entries.slice();
    copy.places = this.places;
    copy.sharesPlaces = this.sharesPlaces = this.places !== undefined;
    return copy;
  }

  /** Reads without metamethods. */
  get(key: Value): Value {
    if (typeof key === 'string') return this.getString(key);
    if (typeof key === 'number' && isArrayKey(key)) return this.array[key - 1];
    const place = this.place(key);
    return place < 0 ? undefined : this.entries[place];
  }

  /** Reads a string key without metamethods. */
  getString(key: string): Value {
    const { entries } = this;
    if (this.places === undefined) {
      for (let at = 0; at < entries.length; at += 2) {
        if (entries[at] === key) return entries[at + 1];
      }
      return undefined;
    }
    const place = this.places.get(key);
    return place === undefined ? undefined : entries[place];
  }

  /** Writes without metamethods; the key is neither nil nor NaN. Returns how many slots the table grew by. */
  set(key: Value, value: Value): number {
    if (typeof key === 'number' && isArrayKey(key)) return this.setIndex(key, value);
    return this.setOther(key, value);
  }

  /** Writes an integer key, as gopher-lua's RawSetInt. Returns how many slots the table grew by. */
  setInteger(key: number, value: Value): number {
    return key < 1 || key >= MAX_ARRAY_INDEX ? this.setOther(key, value) : this.setIndex(key, value);
  }

  /** Writes a key that is no array index. Returns how many slots the table grew by. */
  setOther(key: Value, value: Value): number {
    const { entries } = this;
    const place = this.place(key);
    if (place >= 0) {
      entries[place] = value;
      return 0;
    }
    if (value === undefined) return 0;
    const at = entries.push(key, value) - 1;
    if (this.places !== undefined) this.ownPlaces().set(key, at);
    else if (at > 2 * LINEAR_KEYS) this.places = placesOf(entries);
    return 1;
  }

  /** `#table`: the highest key of the array part that is not nil. */
  length(): number {
    const { array } = this;
    let length = array.length;
    for (let gap = 0; length > 0 && array[length - 1] === undefined; length--) {
      if (++gap > GAP) return lastPresent(array);
    }
    return length;
  }

  /** Appends a value; nil is ignored. Returns how many slots the table grew by. */
  append(value: Value): number {
    if (value === undefined) return 0;
    const { array } = this;
    if (array.length === 0 || array[array.length - 1] !== undefined) {
      array.push(value);
      return 1;
    }
    array[this.length()] = value;
    return 0;
  }

  /** `table.insert` with a position, which may be anywhere. Returns how many slots the table grew by. */
  insert(position: number, value: Value): number {
    if (position > this.array.length) return this.setInteger(position, value);
    if (position <= 0) return this.setOther(position, value);
    this.array.splice(position - 1, 0, value);
    return 1;
  }

  /** `table.remove`: closes the gap. Any position below one means the last slot. */
  remove(position: number): Value {
    const { array } = this;
    if (position > array.length) return undefined;
    if (position === array.length || position < 1) return array.pop();
    return array.splice(position - 1, 1)[0];
  }

  /**
   * The entry after a key, or nil at the end. A key that is not in the table counts as the first of the other keys:
   * gopher-lua looks up its place in a map, which answers zero for an unknown key.
   */
  next(key: Value): [key: Value, value: Value] | undefined {
    const start = key === undefined ? 0 : key;
    if (typeof start === 'number' && (key === undefined || start !== 0) && isWalked(start)) {
      const index = this.nextIndex(start);
      if (index >= 0) return [index + 1, this.array[index]];
      // gopher-lua has no array part while it has no element.
      if (start <= this.array.length || this.array.length === 0) return this.nextOther(0);
    }
    return this.nextOther(Math.max(this.place(start), 1) + 1);
  }

  /** The number of slots, to estimate the memory. */
  get size(): number {
    return this.array.length + this.keyCount;
  }

  /** All entries outside the array part, in order. */
  others(): [key: Value, value: Value][] {
    return this.keysFrom(0).map((key) => [key, this.get(key)]);
  }

  /** The number of present and removed keys outside the array part. */
  get keyCount(): number {
    return this.entries.length / 2;
  }

  /** The keys outside the array part from the given number on, without removed ones. */
  keysFrom(first: number): Value[] {
    const { entries } = this;
    const present: Value[] = [];
    for (let at = first * 2; at < entries.length; at += 2) {
      if (entries[at + 1] !== undefined) present.push(entries[at]);
    }
    return present;
  }

  /** The index of the first element of the array part from `start` on that is not nil, or -1. */
  nextIndex(start: number): number {
    const { array } = this;
    const end = array.length;
    for (let index = start; index < end; index++) {
      if (array[index] !== undefined) return index;
      if (index - start > GAP) return firstPresent(array, index);
    }
    return -1;
  }

  private nextOther(from: number): [Value, Value] | undefined {
    const { entries } = this;
    for (let at = from; at < entries.length; at += 2) {
      const value = entries[at + 1];
      if (value !== undefined) return [entries[at], value];
    }
    return undefined;
  }

  private setIndex(key: number, value: Value): number {
    const { array } = this;
    const grown = key - array.length;
    if (grown === 1) array.push(value);
    else array[key - 1] = value;
    return grown === 1 ? 1 : 0;
  }

  private ownPlaces(): Map<Value, number> {
    if (this.sharesPlaces) {
      this.places = new Map(this.places);
      this.sharesPlaces = false;
    }
    return this.places!;
  }

  /** Where in `entries` the value of a key is, or -1. */
  private place(key: Value): number {
    if (this.places !== undefined) return this.places.get(key) ?? -1;
    const { entries } = this;
    for (let at = 0; at < entries.length; at += 2) {
      if (entries[at] === key) return at + 1;
    }
    return -1;
  }
}

function placesOf(entries: readonly Value[]): Map<Value, number> {
  const places = new Map<Value, number>();
  for (let at = 0; at < entries.length; at += 2) places.set(entries[at], at + 1);
  return places;
}

function isArrayKey(key: number): boolean {
  return key > 0 && key < MAX_ARRAY_INDEX && Number.isInteger(key);
}

function isWalked(key: number): boolean {
  return key >= 0 && key < MAX_ARRAY_INDEX && Number.isInteger(key);
}

function firstPresent(array: Value[], from: number): number {
  for (const key in array) {
    if (Number(key) >= from && array[Number(key)] !== undefined) return Number(key);
  }
  return -1;
}

function lastPresent(array: Value[]): number {
  let last = 0;
  for (const key in array) {
    if (array[Number(key)] !== undefined) last = Number(key) + 1;
  }
  return last;
}
