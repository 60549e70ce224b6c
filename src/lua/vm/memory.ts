import { LuaTable } from './table';
import { LuaFunction, type Upvalue, Userdata, type Value } from './value';

/** The estimated size of a slot of a table, a table and a closure, in bytes. */
export const SLOT = 24;
export const TABLE = 120;
export const CLOSURE = 120;

/** Strings from this length on are counted at most as often as they were created, however often they are referenced. */
export const LARGE_STRING = 256;

/**
 * Estimates how much memory is reachable from some values. The machine counts allocations, and measures what is still
 * reachable only after many of them.
 *
 * @param madeInLarge the total length of large strings so far: equal strings may be one or several
 */
export function weigh(
  roots: readonly Value[],
  registers: readonly (readonly Value[])[],
  enough: number,
  madeInLarge: number,
): number {
  const seen = new Set<unknown>();
  const pending: Value[] = [...roots];
  let weight = 0;
  let repeated = 0;
  for (const each of registers) pushAll(pending, each);
  while (pending.length > 0 && weight + Math.min(repeated, madeInLarge) <= enough) {
    const value = pending.pop();
    if (typeof value === 'string') {
      if (value.length < LARGE_STRING) weight += value.length + SLOT;
      else if (seen.has(value)) repeated += value.length;
      else {
        seen.add(value);
        weight += value.length;
      }
      continue;
    }
    if (typeof value !== 'object' || seen.has(value)) continue;
    seen.add(value);
    if (value instanceof LuaTable) {
      weight += TABLE + value.size * SLOT;
      pushAll(pending, value.array);
      for (const [key, item] of value.others()) pending.push(key, item);
      pending.push(value.metatable);
    } else if (value instanceof LuaFunction) {
      weight += CLOSURE;
      pending.push(value.env);
      for (const upvalue of value.upvalues) pushCaptured(pending, upvalue, seen);
    } else if (value instanceof Userdata) {
      pending.push(value.metatable);
    }
  }
  return weight + Math.min(repeated, madeInLarge);
}

function pushCaptured(pending: Value[], { registers }: Upvalue, seen: Set<unknown>): void {
  if (seen.has(registers)) return;
  seen.add(registers);
  pushAll(pending, registers);
}

function pushAll(pending: Value[], values: readonly Value[]): void {
  // Enumerating skips the empty slots of a sparse array.
  if (values.length > 100_000) {
    for (const key in values) pending.push(values[Number(key)]);
  } else {
    for (const value of values) if (typeof value === 'object' || typeof value === 'string') pending.push(value);
  }
}
