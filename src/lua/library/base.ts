import { GoPanic } from '../text/go-panic';
import { toNumber, trimBlanks } from '../text/number';
import type { CallFrame } from '../vm/call-frame';
import { LuaError, MemoryExhausted } from '../vm/failure';
import { LARGE_ARRAY } from '../vm/iteration';
import type { Machine } from '../vm/machine';
import type { LuaTable } from '../vm/table';
import { LuaFunction, type Native, nativeFunction, typeOf, Userdata, type Value, type Values } from '../vm/value';
import {
  anyArgument,
  badArgument,
  checkTypes,
  functionArgument,
  integerArgument,
  isTrue,
  optionalInteger,
  optionalString,
  stringArgument,
  tableArgument,
  toInteger,
} from './arguments';
import { moduleLibrary } from './module';

/** How much printed text is kept. */
const MOST_OUTPUT = 1024 * 1024;

/** Longer text takes the controller's compiler more time than a script has. */
const LONGEST_SOURCE = 256 * 1024;

/** The global functions. `dofile` and `loadfile` behave as if there were no files, and standard input empty. */
export const baseLibrary: Readonly<Record<string, Native>> = {
  assert(args, machine: Machine) {
    if (!isTrue(args[0])) machine.raise(optionalString(machine, args, 2, 'assertion failed!'));
    return args;
  },
  collectgarbage: () => [],
  dofile(args, machine: Machine) {
    const name = args[0];
    if (typeof name !== 'string' && typeof name !== 'number') return [];
    const path = machine.text(name);
    if (path === '') return [];
    throw new LuaError(`open ${path}: no such file or directory`);
  },
  error(args, machine: Machine) {
    const value = anyArgument(machine, args, 1);
    const level = optionalInteger(machine, args, 2, 1);
    throw new LuaError(typeof value === 'string' ? machine.positioned(value, level) : value);
  },
  getfenv: (args, machine: Machine) => [environmentOf(args.length === 0 ? 1 : args[0], machine)],
  getmetatable(args, machine: Machine) {
    const metatable = machine.metatable(anyArgument(machine, args, 1));
    return [metatable?.getString('__metatable') ?? metatable];
  },
  load(args, machine: Machine) {
    const reader = functionArgument(machine, args, 1);
    const chunkName = optionalString(machine, args, 2, '?');
    const parts: string[] = [];
    for (;;) {
      const [part] = machine.call(reader, []);
      if (part === undefined) break;
      if (typeof part !== 'string' && typeof part !== 'number')
        return [undefined, 'reader function must return a string'];
      const text = machine.text(part);
      if (text === '') break;
      machine.charge(text.length);
      machine.spend(1);
      parts.push(text);
    }
    return compile(machine, parts.join(''), chunkName);
  },
  loadfile(args, machine: Machine) {
    if (args.length === 0) return compile(machine, '', '<stdin>');
    return [undefined, `can not open file: ${stringArgument(machine, args, 1)}`];
  },
  loadstring: (args, machine: Machine) =>
    compile(machine, stringArgument(machine, args, 1), optionalString(machine, args, 2, '<string>')),
  newproxy(args, machine: Machine) {
    const [source] = args;
    const proxy = new Userdata();
    machine.charge(64);
    if (source === true) proxy.metatable = machine.newTable();
    else if (source instanceof Userdata) proxy.metatable = source.metatable;
    return [source, proxy].slice(-1);
  },
  next(args, machine: Machine) {
    const entry = step(tableArgument(machine, args, 1), args[1], machine);
    return entry ?? [undefined];
  },
  pcall(args, machine: Machine) {
    const callee = anyArgument(machine, args, 1);
    if (!(callee instanceof LuaFunction) && !(machine.metamethod(callee, '__call') instanceof LuaFunction)) {
      return [false, `attempt to call a ${typeOf(callee)} value`];
    }
    const { frame } = machine;
    try {
      return [true, ...machine.call(callee, args.slice(1))];
    } catch (failure) {
      const value = caught(failure, machine);
      machine.frame = frame;
      return [false, value];
    }
  },
  print(args, machine: Machine) {
    const line = `${args.map((each) => machine.text(machine.toStringMeta(each))).join('\t')}\n`;
    machine.spend(1);
    machine.charge(line.length);
    if (machine.output.length < MOST_OUTPUT) machine.output += line.slice(0, MOST_OUTPUT);
    return [];
  },
  _printregs: () => [],
  rawequal(args, machine: Machine) {
    return [anyArgument(machine, args, 1) === anyArgument(machine, args, 2)];
  },
  rawget(args, machine: Machine) {
    const table = tableArgument(machine, args, 1);
    return [table.get(anyArgument(machine, args, 2))];
  },
  rawset(args, machine: Machine) {
    const table = tableArgument(machine, args, 1);
    const key = anyArgument(machine, args, 2);
    machine.rawSet(table, key, anyArgument(machine, args, 3));
    return [];
  },
  select(args, machine: Machine) {
    checkTypes(machine, args, 1, ['number', 'string']);
    const [which] = args;
    if (typeof which === 'string') {
      if (which !== '#') badArgument(machine, 1, `invalid string '${which}'`);
      return [args.length - 1];
    }
    const given = args.length;
    let index = toInteger(which as number);
    if (index < 0) index += given;
    else if (index > given) index = given;
    if (index < 1) badArgument(machine, 1, 'index out of range');
    return args.slice(index);
  },
  setfenv(args, machine: Machine) {
    const [target] = args.length === 0 ? [1] : args;
    const env = tableArgument(machine, args, 2);
    if (typeof target === 'number' && toInteger(target) <= 0) {
      machine.env = env;
      return [];
    }
    const fn = typeof target === 'number' ? callerAt(machine, toInteger(target))?.fn : target;
    if (!(fn instanceof LuaFunction) || fn.prototype === undefined) {
      return machine.raise('cannot change the environment of given object');
    }
    fn.env = env;
    return [fn];
  },
  setmetatable(args, machine: Machine) {
    checkTypes(machine, args, 2, ['nil', 'table']);
    const [object, metatable] = args;
    if (object === undefined) machine.raise('cannot set metatable to a nil object.');
    if (machine.metatable(object)?.getString('__metatable') !== undefined) {
      machine.raise('cannot change a protected metatable');
    }
    machine.setMetatable(object, metatable as LuaTable | undefined);
    return [object];
  },
  tonumber(args, machine: Machine) {
    const base = optionalInteger(machine, args, 2, 10);
    const value = anyArgument(machine, args, 1);
    if (typeof value === 'number') return [value];
    return [typeof value === 'string' ? numberOf(value, base, args[1] === undefined) : undefined];
  },
  tostring: (args, machine: Machine) => [machine.toStringMeta(anyArgument(machine, args, 1))],
  type: (args, machine: Machine) => [typeOf(anyArgument(machine, args, 1))],
  unpack(args, machine: Machine) {
    const table = tableArgument(machine, args, 1);
    const start = optionalInteger(machine, args, 2, 1);
    const end = optionalInteger(machine, args, 3, table.length());
    if (end < start) return [];
    machine.reserve(end - start + 1);
    const values: Values = [];
    for (let index = start; index <= end; index++) values.push(index > 0 ? table.array[index - 1] : undefined);
    return values;
  },
  xpcall(args, machine: Machine) {
    const callee = functionArgument(machine, args, 1);
    const handler = functionArgument(machine, args, 2);
    const { frame } = machine;
    try {
      return [true, ...machine.call(callee, [])];
    } catch (failure) {
      const value = caught(failure, machine);
      const answer = handled(machine, handler, value);
      machine.frame = frame;
      return [false, answer];
    }
  },
  ipairs: (args, machine: Machine) => [nextIndex, tableArgument(machine, args, 1), 0],
  pairs: (args, machine: Machine) => [nextEntry, tableArgument(machine, args, 1), undefined],
  ...moduleLibrary,
};

const nextIndex = nativeFunction((args, machine: Machine) => {
  const table = tableArgument(machine, args, 1);
  const index = integerArgument(machine, args, 2) + 1;
  const value = index > 0 ? table.array[index - 1] : undefined;
  return value === undefined ? [] : [index, value];
}, 'list');

const nextEntry = nativeFunction(
  (args, machine: Machine) => step(tableArgument(machine, args, 1), args[1], machine) ?? [],
  'entries',
);

function step(table: LuaTable, key: Value, machine: Machine): Values | undefined {
  if (table.array.length > LARGE_ARRAY) machine.spend(1);
  return table.next(key);
}

/** The error value that a protected call returns. Throws failures that a script must not catch. */
function caught(failure: unknown, machine: Machine): Value {
  if (failure instanceof LuaError) return failure.value;
  if (failure instanceof GoPanic) return failure.message;
  if (isStackExhausted(failure)) return machine.positioned('stack overflow', 1);
  if (failure instanceof RangeError) throw new MemoryExhausted(machine.where(0));
  throw failure;
}

/** True if JavaScript's own stack overflowed, which may happen before gopher-lua's stack is full. */
function isStackExhausted(failure: unknown): boolean {
  return failure instanceof RangeError && failure.message.includes('call stack');
}

function handled(machine: Machine, handler: LuaFunction, value: Value): Value {
  try {
    return machine.call(handler, [value])[0];
  } catch (failure) {
    return caught(failure, machine);
  }
}

function environmentOf(target: Value, machine: Machine): LuaTable {
  if (target instanceof LuaFunction) return target.prototype === undefined ? machine.globals : target.env!;
  if (typeof target !== 'number') return machine.globals;
  const level = toInteger(target);
  if (level <= 0) return machine.env;
  const fn = callerAt(machine, level)?.fn;
  return fn?.prototype === undefined ? machine.globals : fn.env!;
}

/** The frame `level` calls above the running library function. */
function callerAt(machine: Machine, level: number): CallFrame | undefined {
  let { frame } = machine;
  for (let rest = level; rest > 0 && frame !== undefined; rest--) frame = frame.parent;
  return frame;
}

function compile(machine: Machine, source: string, chunkName: string): Values {
  if (source.length > LONGEST_SOURCE) machine.expire();
  try {
    const prototype = machine.settings.load(source, chunkName);
    machine.spend(source.length / 16);
    return [machine.mainFunction(prototype)];
  } catch (failure) {
    if (failure instanceof LuaError) return [undefined, failure.value];
    throw failure;
  }
}

function numberOf(text: string, base: number, anyBase: boolean): number | undefined {
  const trimmed = trimBlanks(text);
  const isHexadecimal = anyBase && trimmed[0] === '0' && (trimmed[1] === 'x' || trimmed[1] === 'X');
  return isHexadecimal && !trimmed.includes('.') ? toNumber(trimmed.slice(2), 16) : toNumber(trimmed, base);
}
