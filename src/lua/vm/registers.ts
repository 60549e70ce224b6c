import { formatNumber } from '../text/number';
import type { Prototype } from './prototype';
import { LuaTable } from './table';
import { type LuaFunction, Upvalue, type Values } from './value';

/** No values. */
export const NOTHING: Values = [];

/** The registers of a function that is entered, with its parameters in place. */
export function enter(prototype: Prototype, source: Values, first: number, count: number, varargs: Values): Values {
  const registers: Values = new Array(prototype.registers);
  const given = Math.min(count, prototype.parameters);
  for (let at = 0; at < given; at++) registers[at] = source[first + at];
  if (prototype.needsArg) registers[prototype.parameters] = argTable(varargs);
  return registers;
}

/** The arguments of a vararg function beyond its parameters. */
export function furtherArguments({ parameters }: Prototype, source: Values, first: number, count: number): Values {
  return count > parameters ? source.slice(first + parameters, first + count) : NOTHING;
}

/** The local `arg` of Lua 5.1's vararg functions. */
function argTable(varargs: Values): LuaTable {
  const table = new LuaTable();
  for (let at = 0; at < varargs.length; at++) table.setInteger(at + 1, varargs[at]);
  table.setOther('n', varargs.length);
  return table;
}

/** Closes the variables from a register on; the others stay open. */
export function closeFrom(open: Upvalue[], register: number): Upvalue[] | undefined {
  const rest: Upvalue[] = [];
  for (const upvalue of open) {
    if (upvalue.index >= register) upvalue.close();
    else rest.push(upvalue);
  }
  return rest.length > 0 ? rest : undefined;
}

/** The variables that a new closure captures. Closures share the variables that are still in registers through `open`. */
export function captured(defined: Prototype, fn: LuaFunction, registers: Values, open: Upvalue[]): Upvalue[] {
  return defined.upvalues.map(({ inRegister, index }) => {
    if (!inRegister) return fn.upvalues[index]!;
    let upvalue = open.find((each) => each.index === index);
    if (upvalue === undefined) {
      upvalue = new Upvalue(registers, index);
      open.push(upvalue);
    }
    return upvalue;
  });
}

/** The concatenation of strings and numbers; undefined if another value is among them. */
export function plainText(values: Values, from: number, to: number): string | undefined {
  let text = '';
  for (let at = from; at <= to; at++) {
    const value = values[at];
    if (typeof value === 'string') text += value;
    else if (typeof value === 'number') text += formatNumber(value);
    else return undefined;
  }
  return text;
}
