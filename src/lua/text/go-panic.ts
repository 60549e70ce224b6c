import type { LuaType } from '../types';

/**
 * A panic of the controller's Lua itself: Go's own text, without the position that Lua errors start with.
 */
export class GoPanic extends Error {
  override readonly name = 'GoPanic';

  /** `bytes[low:high]` of a Go slice, where the bounds do not fit. */
  static sliceBounds(low: number, high: number, length: number): GoPanic {
    const bounds = high > length ? `[:${high}] with capacity ${length}` : `[${low}:${high}]`;
    return new GoPanic(`runtime error: slice bounds out of range ${bounds}`);
  }

  /** A value that the VM expects to be a table and that is none, after a wrong jump. */
  static notTable(type: LuaType): GoPanic {
    return new GoPanic(`interface conversion: lua.LValue is ${GO_TYPES[type]}, not *lua.LTable`);
  }
}

const GO_TYPES: Readonly<Record<LuaType, string>> = {
  nil: '*lua.LNilType',
  boolean: 'lua.LBool',
  number: 'lua.LNumber',
  string: 'lua.LString',
  table: '*lua.LTable',
  function: '*lua.LFunction',
  userdata: '*lua.LUserData',
};
