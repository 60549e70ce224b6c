import { formatNumber } from '../text/number';
import type { CallFrame } from './call-frame';
import type { Machine } from './machine';
import type { Prototype } from './prototype';
import { LuaTable } from './table';
import { type LuaFunction, NOTHING, Upvalue, type Values } from './value';

/** Enters a function: its frame becomes the current one. */
export function enter(
  machine: Machine,
  fn: LuaFunction,
  source: Values,
  first: number,
  count: number,
  position: number,
): CallFrame {
  const prototype = fn.prototype!;
  const varargs = furtherArguments(prototype, source, first, count);
  const registers = registersOf(prototype, source, first, count, varargs);
  const base = prototype.isVararg ? position + count : position;
  const frame = machine.push(fn, base, prototype.registers, registers);
  frame.position = position;
  frame.varargs = varargs;
  machine.frame = frame;
  return frame;
}

/** Enters a function in the frame of the one that ends with its call. */
export function enterInstead(frame: CallFrame, fn: LuaFunction, first: number, count: number): void {
  const { registers, position } = frame;
  const prototype = fn.prototype!;
  frame.varargs = furtherArguments(prototype, registers, first, count);
  frame.registers = registersOf(prototype, registers, first, count, frame.varargs);
  frame.fn = fn;
  frame.base = prototype.isVararg ? position + count : position;
  frame.size = prototype.registers;
  frame.open = undefined;
  frame.tailCalls++;
}

/** Some of the values, from the given one on. */
export function valuesFrom(values: Values, first: number, count: number): Values {
  // A literal is several times as fast as a slice.
  if (first + count <= values.length) {
    if (count === 0) return [];
    if (count === 1) return [values[first]];
    if (count === 2) return [values[first], values[first + 1]];
  }
  return values.slice(first, first + count);
}

function registersOf(prototype: Prototype, source: Values, first: number, count: number, varargs: Values): Values {
  const registers: Values = new Array(prototype.registers);
  const given = Math.min(count, prototype.parameters);
  for (let at = 0; at < given; at++) registers[at] = source[first + at];
  if (prototype.needsArg) registers[prototype.parameters] = argTable(varargs);
  return registers;
}

/** The arguments of a vararg function beyond its parameters. */
function furtherArguments({ isVararg, parameters }: Prototype, source: Values, first: number, count: number): Values {
  return isVararg && count > parameters ? source.slice(first + parameters, first + count) : NOTHING;
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

/** The variables that a new closure captures. Closures share the variables that are still in registers. */
export function captured({ upvalues }: Prototype, frame: CallFrame): Upvalue[] {
  const variables: Upvalue[] = [];
  for (const { inRegister, index } of upvalues) {
    variables.push(inRegister ? openUpvalue(frame, index) : frame.fn.upvalues[index]!);
  }
  return variables;
}

function openUpvalue(frame: CallFrame, register: number): Upvalue {
  frame.open ??= [];
  for (const upvalue of frame.open) if (upvalue.index === register) return upvalue;
  const upvalue = new Upvalue(frame.registers, register);
  frame.open.push(upvalue);
  return upvalue;
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
