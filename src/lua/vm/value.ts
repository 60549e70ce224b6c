import type { LuaType } from '../types';
import type { Prototype } from './prototype';
import { LuaTable } from './table';

/**
 * A Lua value in the interpreter. `nil` is `undefined`. A Lua string is a JavaScript string with one
 * character per byte, so that concatenation, comparison and table lookup are the JavaScript engine's own.
 */
export type Value = undefined | boolean | number | string | LuaTable | LuaFunction | Userdata;

/** The results of a library function, in order. */
export type Values = Value[];

/** No values. */
export const NOTHING: Values = [];

/** The opaque value that `newproxy` and `string.gmatch` make. */
export class Userdata {
  metatable: LuaTable | undefined;
  data: unknown;
}

/** A captured local variable: in a register of its function, or by itself once its block has ended. */
export class Upvalue {
  constructor(
    public registers: Value[],
    public index: number,
  ) {}

  /** Moves the variable out of the registers when its block ends. */
  close(): void {
    this.registers = [this.registers[this.index]];
    this.index = 0;
  }
}

/** A library function: takes all arguments, returns all results. */
// biome-ignore lint/suspicious/noExplicitAny: the machine imports this file
export type Native = (args: Values, machine: any) => Values;

/** A function: a closure of a compiled prototype, or a library function when `native` is set. */
export class LuaFunction {
  constructor(
    readonly prototype: Prototype | undefined,
    readonly native: Native | undefined,
    /** Where a Lua function finds its globals; library functions have none. */
    public env: LuaTable | undefined,
    readonly upvalues: Upvalue[],
    /** What a library function walks as the iterator of a loop, which then need not call it. */
    readonly walks?: 'list' | 'entries',
  ) {}
}

/** A library function as a value. It has no state of a run, so that all runs share it. */
export function nativeFunction(native: Native, walks?: LuaFunction['walks']): LuaFunction {
  return new LuaFunction(undefined, native, undefined, [], walks);
}

/** The name that `type` gives. */
export function typeOf(value: Value): LuaType {
  switch (typeof value) {
    case 'undefined':
      return 'nil';
    case 'string':
      return 'string';
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    default:
      if (value instanceof LuaTable) return 'table';
      return value instanceof LuaFunction ? 'function' : 'userdata';
  }
}
