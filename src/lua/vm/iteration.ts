import type { CallFrame } from './call-frame';
import { MAX_CALLS, type Machine, REGISTRY_SIZE } from './machine';
import { LuaTable } from './table';
import { LuaFunction, type Value, type Values } from './value';

/** From this size of the array part on, a step of `pairs` counts as work. */
export const LARGE_ARRAY = 100_000;

/** Asks the iterator of a generic loop, which is in register `a`, for the next values. */
export function nextValues(machine: Machine, frame: CallFrame, a: number): Values {
  const { registers } = frame;
  const iterator = registers[a];
  const walked = registers[a + 1];
  const control = registers[a + 2];
  const base = frame.base + a + 4;
  if (!(iterator instanceof LuaFunction)) return machine.call(iterator, [walked, control]);
  if (walked instanceof LuaTable && frame.depth < MAX_CALLS && base + 2 <= REGISTRY_SIZE) {
    const values = withoutCall(iterator, walked, control);
    if (values !== undefined) return values;
  }
  return machine.callFunction(iterator, [walked, control], base);
}

/** What the functions of `ipairs` and `pairs` return, except where they fail or cost more. */
function withoutCall({ walks }: LuaFunction, table: LuaTable, control: Value): Values | undefined {
  const { length } = table.array;
  if (walks === 'list' && typeof control === 'number' && control >= 0 && control <= length) {
    if (!Number.isInteger(control)) return undefined;
    const value = table.array[control];
    return value === undefined ? [] : [control + 1, value];
  }
  if (walks === 'entries' && length <= LARGE_ARRAY) return table.next(control) ?? [];
  return undefined;
}
