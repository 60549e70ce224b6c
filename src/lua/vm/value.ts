import type { LuaType } from '../types';
import type { Prototype } from './prototype';
import { LuaTable } from './table';

/**
 * A Lua value as the interpreter holds it. `nil` is `undefined`. A Lua string is a JavaScript string with one
 * character per byte, so that concatenation, comparison and table lookup are the JavaScript engine's own.
 */
export type Value = undefined | boolean | number | string | LuaTable | LuaFunction | Userdata;

/** What a library function gives back: all of its results, in order. */
export type Values = Value[];

/** The opaque value that `newproxy` and `string.gmatch` make. */
export class Userdata {
  metatable: LuaTable | undefined;
  data: unknown;
}

/** Where a captured local variable lives: in the registers of its function, or on its own once its block ended. */
export class Upvalue {
  constructor(
    public registers: Value[],
    public index: number,
  ) {}

  /** Takes the variable out of the registers, as the block that declared it is left. */
  close(): void {
    this.registers = [this.registers[this.index]];
    this.index = 0;
  }
}

/** A library function. It is given all arguments and returns all results. */
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
  ) {}
}

/** A library function as a value. It holds nothing of a run, so that all runs may share it. */
export function nativeFunction(native: Native): LuaFunction {
  return new LuaFunction(undefined, native, undefined, []);
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
