import { formatNumber } from '../text/number';
import type { Machine } from '../vm/machine';
import { LuaTable } from '../vm/table';
import { LuaFunction, typeOf, type Value, type Values } from '../vm/value';

/** Fails with `bad argument #position to name (message)`. */
export function badArgument(machine: Machine, position: number, message: string): never {
  return machine.raise(`bad argument #${position} to ${machine.calledName()} (${message})`);
}

/** An argument that must be given, though it may be nil. */
export function anyArgument(machine: Machine, args: Values, position: number): Value {
  if (position > args.length) badArgument(machine, position, 'value expected');
  return args[position - 1];
}

/** A number; text is not converted. */
export function numberArgument(machine: Machine, args: Values, position: number): number {
  const value = args[position - 1];
  return typeof value === 'number' ? value : expected(machine, position, 'number', value);
}

/** A number without its fraction. */
export function integerArgument(machine: Machine, args: Values, position: number): number {
  return toInteger(numberArgument(machine, args, position));
}

/** A number without its fraction; `otherwise` if it is nil or missing. */
export function optionalInteger(machine: Machine, args: Values, position: number, otherwise: number): number {
  return args[position - 1] === undefined ? otherwise : integerArgument(machine, args, position);
}

/** A string, or a number as text. */
export function stringArgument(machine: Machine, args: Values, position: number): string {
  const value = args[position - 1];
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? formatNumber(value) : expected(machine, position, 'string', value);
}

/** A string and, unlike elsewhere, no number; `otherwise` if it is nil or missing. */
export function optionalString(machine: Machine, args: Values, position: number, otherwise: string): string {
  const value = args[position - 1];
  if (value === undefined) return otherwise;
  return typeof value === 'string' ? value : expected(machine, position, 'string', value);
}

/** A table. */
export function tableArgument(machine: Machine, args: Values, position: number): LuaTable {
  const value = args[position - 1];
  return value instanceof LuaTable ? value : expected(machine, position, 'table', value);
}

/** A function. */
export function functionArgument(machine: Machine, args: Values, position: number): LuaFunction {
  const value = args[position - 1];
  return value instanceof LuaFunction ? value : expected(machine, position, 'function', value);
}

/** Checks that an argument is of one of some types. */
export function checkTypes(machine: Machine, args: Values, position: number, types: readonly string[]): void {
  const type = typeOf(args[position - 1]);
  if (!types.includes(type)) badArgument(machine, position, `${types.join(' or ')} expected, got ${type}`);
}

/** Fails because an argument has the wrong type. */
export function expected(machine: Machine, position: number, type: string, value: Value): never {
  return badArgument(machine, position, `${type} expected, got ${typeOf(value)}`);
}

/** Go's conversion of a float to an int: truncated; a value out of range becomes the smallest integer. */
export function toInteger(value: number): number {
  const whole = Math.trunc(value);
  return whole >= -TWO_TO_63 && whole < TWO_TO_63 ? whole : -TWO_TO_63;
}

const TWO_TO_63 = 2 ** 63;

/** False and nil are false, everything else is true. */
export function isTrue(value: Value): boolean {
  return value !== undefined && value !== false;
}
