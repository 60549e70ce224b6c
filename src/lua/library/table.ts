import type { Machine } from '../vm/machine';
import type { LuaTable } from '../vm/table';
import type { Native, Value } from '../vm/value';
import { typeOf } from '../vm/value';
import {
  anyArgument,
  functionArgument,
  integerArgument,
  isTrue,
  optionalInteger,
  optionalString,
  tableArgument,
} from './arguments';
import { sort } from './sort';

/** The table library. */
export const tableLibrary: Readonly<Record<string, Native>> = {
  concat(args, machine: Machine) {
    const table = tableArgument(machine, args, 1);
    const separator = optionalString(machine, args, 2, '');
    const length = table.length();
    const from = optionalInteger(machine, args, 3, 1);
    const to = Math.min(optionalInteger(machine, args, 4, length), length);
    if (args.length === 3 && (from > length || from < 1)) return [''];
    const first = Math.max(Math.min(from, length), 1);
    return [first > to ? '' : concatenated(machine, table, separator, first, to)];
  },
  getn: (args, machine: Machine) => [tableArgument(machine, args, 1).length()],
  insert(args, machine: Machine) {
    const table = tableArgument(machine, args, 1);
    if (args.length === 1) machine.raise('wrong number of arguments');
    if (args.length === 2) {
      machine.grow(table.append(args[1]));
      return [];
    }
    const position = integerArgument(machine, args, 2);
    const value = anyArgument(machine, args, 3);
    machine.spend((table.array.length - position) >> 8);
    machine.grow(table.insert(position, value));
    return [];
  },
  maxn: (args, machine: Machine) => [tableArgument(machine, args, 1).length()],
  remove(args, machine: Machine) {
    const table = tableArgument(machine, args, 1);
    const position = args.length === 1 ? -1 : integerArgument(machine, args, 2);
    machine.spend((table.array.length - Math.max(position, 0)) >> 8);
    return [table.remove(position)];
  },
  sort(args, machine: Machine) {
    const table = tableArgument(machine, args, 1);
    const values = table.array;
    if (args.length === 1) {
      sort(values, (left, right) => {
        machine.spend(1);
        return machine.lessThan(left, right);
      });
    } else {
      const before = functionArgument(machine, args, 2);
      sort(values, (left, right) => isTrue(machine.call(before, [left, right])[0]));
    }
    return [];
  },
};

function concatenated(machine: Machine, table: LuaTable, separator: string, first: number, to: number): Value {
  // gopher-lua pushes every value and every separator, so that long lists overflow the registry.
  machine.reserve(2 * (to - first) + 1);
  const parts: Value[] = [];
  for (let index = first; index <= to; index++) {
    const value = table.array[index - 1];
    if (typeof value !== 'string' && typeof value !== 'number') {
      machine.raise(`invalid value (${typeOf(value)}) at index ${index} in table for concat`);
    }
    parts.push(value);
    if (index !== to) parts.push(separator);
  }
  return machine.concat(parts, 0, parts.length - 1);
}
