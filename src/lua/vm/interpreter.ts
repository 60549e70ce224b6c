import { GoPanic } from '../text/go-panic';
import type { ArithmeticEvent } from './arithmetic';
import type { CallFrame } from './call-frame';
import { nextValues } from './iteration';
import { type Machine, REGISTRY_SIZE } from './machine';
import { CLOSURE, TABLE } from './memory';
import { captured, closeFrom, enter, enterInstead, plainText, valuesFrom } from './registers';
import { LuaTable } from './table';
import { LuaFunction, typeOf, type Values } from './value';

/**
 * The instructions. The first part is gopher-lua's instruction set, which is Lua 5.1's; the compiler emits only these. `R` is a register, `RK` a register or, from `CONSTANT` on, a constant, `K` a constant.
 */
// biome-ignore lint/suspicious/noConstEnum: in the same file every compiler writes the numbers into the switch, which is many times as fast
export const enum Op {
  Move, // R(A) = R(B)
  LoadK, // R(A) = K(B)
  LoadBool, // R(A) = B ~= 0; skips the next instruction if C ~= 0
  LoadNil, // R(A), …, R(B) = nil
  GetUpvalue, // R(A) = upvalue B
  GetGlobal, // R(A) = global K(B)
  GetField, // R(A) = R(B)[K(C)], a string
  GetTable, // R(A) = R(B)[RK(C)]
  SetGlobal, // global K(A) = R(B)
  SetUpvalue, // upvalue B = R(A)
  SetField, // R(A)[K(B)] = RK(C), the key a string
  SetTable, // R(A)[RK(B)] = RK(C)
  NewTable, // R(A) = {}
  Self, // R(A + 1), R(A) = R(B), R(B)[RK(C)]
  Add, // R(A) = RK(B) + RK(C), and so on
  Sub,
  Mul,
  Div,
  Mod,
  Pow,
  Unm, // R(A) = -R(B), and so on
  Not,
  Len,
  Concat, // R(A) = R(B) .. … .. R(C)
  Jump, // Jumps by C, as all jumps do.
  Call, // R(A), …, R(A + C - 2) = R(A)(R(A + 1), …, R(A + B - 1)); 0 for B or C means any number
  TailCall, // return R(A)(R(A + 1), …, R(A + B - 1))
  Return, // return R(A), …, R(A + B - 2)
  ForLoop, // R(A) += R(A + 2); jumps back and sets R(A + 3) while the limit R(A + 1) is not passed
  ForPrep, // R(A) -= R(A + 2); jumps to ForLoop
  TForLoop, // R(A + 3), …, R(A + 2 + B) = R(A)(R(A + 1), R(A + 2)); jumps back unless R(A + 3) is nil
  SetList, // R(A)[C + i] = R(A + i), i from 1 to B
  Close, // Closes captured variables from R(A) on.
  Closure, // R(A) = closure of function B
  VarArg, // R(A), …, R(A + B - 2) = ...

  JumpIfEq, // Jumps if RK(A) == RK(B), and so on
  JumpUnlessEq,
  JumpIfLt,
  JumpUnlessLt,
  JumpIfLe,
  JumpUnlessLe,
  JumpIf, // Jumps if R(A) is true
  JumpUnless,
  SetAndJumpIf, // R(A) = R(B) and jumps if R(B) is true
  SetAndJumpUnless,

  Eq, // Only while compiling: a test, which is followed by its jump.
  Lt,
  Le,
  Test,
  TestSet,
  Nop, // Only while compiling: takes up room, as the controller's instruction does.
}

/** Instructions take this many elements of `code`: the operation and its operands A, B and C. */
export const WIDTH = 4;

/** What the instructions from `Add` on do. */
const ARITHMETIC: readonly ArithmeticEvent[] = ['add', 'sub', 'mul', 'div', 'mod', 'pow'];

/** An operand from here on means a constant instead of a register. */
export const CONSTANT = 256;

/**
 * Runs a compiled function until it returns. The arguments are `count` values of `source` from `first` on.
 *
 * The functions that it calls run in the same loop, each with a frame on the machine, which has the position in the
 * function. An error leaves it there, so that a handler can see where the error happened; the code that catches the error
 * restores its own frame.
 */
export function execute(
  machine: Machine,
  callee: LuaFunction,
  source: Values,
  first: number,
  count: number,
  position: number,
): Values {
  const entry = enter(machine, callee, source, first, count, position);
  const { onLine } = machine;
  if (--machine.fuel < 0) tickAtStart(machine, entry);
  let frame = entry;
  let fn = callee;
  let { code, constants } = fn.prototype!;
  let { registers } = frame;
  let top = 0;
  let pc = 0;

  for (;;) {
    const op = code[pc];
    const a = code[pc + 1]!;
    const b = code[pc + 2]!;
    const c = code[pc + 3]!;
    pc += WIDTH;
    if (onLine !== undefined) trace(frame, pc, onLine);
    switch (op) {
      case Op.Move:
        registers[a] = registers[b];
        break;
      case Op.LoadK:
        registers[a] = constants[b];
        break;
      case Op.LoadBool:
        registers[a] = b !== 0;
        if (c !== 0) pc += WIDTH;
        break;
      case Op.LoadNil:
        for (let at = a; at <= b; at++) registers[at] = undefined;
        break;
      case Op.GetUpvalue: {
        const upvalue = fn.upvalues[b]!;
        registers[a] = upvalue.registers[upvalue.index];
        break;
      }
      case Op.SetUpvalue: {
        const upvalue = fn.upvalues[b]!;
        upvalue.registers[upvalue.index] = registers[a];
        break;
      }
      case Op.GetGlobal: {
        const env = fn.env!;
        const value = env.getString(constants[b] as string);
        frame.pc = pc;
        registers[a] = value !== undefined || env.metatable === undefined ? value : machine.index(env, constants[b]);
        break;
      }
      case Op.SetGlobal: {
        const env = fn.env!;
        frame.pc = pc;
        if (env.metatable === undefined) machine.grow(env.setOther(constants[a], registers[b]));
        else machine.setIndex(env, constants[a], registers[b]);
        break;
      }
      case Op.GetField: {
        const object = registers[b];
        if (object instanceof LuaTable) {
          const value = object.getString(constants[c - CONSTANT] as string);
          if (value !== undefined || object.metatable === undefined) {
            registers[a] = value;
            break;
          }
        }
        frame.pc = pc;
        registers[a] = machine.index(object, constants[c - CONSTANT]);
        break;
      }
      case Op.GetTable: {
        const object = registers[b];
        const key = c >= CONSTANT ? constants[c - CONSTANT] : registers[c];
        if (object instanceof LuaTable) {
          const value = object.get(key);
          if (value !== undefined || object.metatable === undefined) {
            registers[a] = value;
            break;
          }
        }
        frame.pc = pc;
        registers[a] = machine.index(object, key);
        break;
      }
      case Op.SetField: {
        const object = registers[a];
        const value = c >= CONSTANT ? constants[c - CONSTANT] : registers[c];
        frame.pc = pc;
        if (object instanceof LuaTable && object.metatable === undefined) {
          machine.grow(object.setOther(constants[b - CONSTANT], value));
        } else {
          machine.setIndex(object, constants[b - CONSTANT], value);
        }
        break;
      }
      case Op.SetTable: {
        const object = registers[a];
        const key = b >= CONSTANT ? constants[b - CONSTANT] : registers[b];
        const value = c >= CONSTANT ? constants[c - CONSTANT] : registers[c];
        frame.pc = pc;
        if (object instanceof LuaTable && object.metatable === undefined) machine.rawSet(object, key, value);
        else machine.setIndex(object, key, value);
        break;
      }
      case Op.NewTable:
        machine.charge(TABLE);
        registers[a] = new LuaTable();
        break;
      case Op.Self: {
        const object = registers[b];
        const key = c >= CONSTANT ? constants[c - CONSTANT] : registers[c];
        frame.pc = pc;
        registers[a + 1] = object;
        registers[a] = machine.index(object, key);
        break;
      }
      case Op.Add:
      case Op.Sub:
      case Op.Mul:
      case Op.Div:
      case Op.Mod:
      case Op.Pow: {
        const left = b >= CONSTANT ? constants[b - CONSTANT] : registers[b];
        const right = c >= CONSTANT ? constants[c - CONSTANT] : registers[c];
        frame.pc = pc;
        if (op === Op.Add && typeof left === 'number' && typeof right === 'number') registers[a] = left + right;
        else registers[a] = machine.arithmetic(ARITHMETIC[op - Op.Add]!, left, right);
        break;
      }
      case Op.Unm: {
        const value = registers[b];
        frame.pc = pc;
        registers[a] = typeof value === 'number' ? -value : machine.negate(value);
        break;
      }
      case Op.Not: {
        const value = registers[b];
        registers[a] = value === undefined || value === false;
        break;
      }
      case Op.Len: {
        const value = registers[b];
        frame.pc = pc;
        registers[a] = typeof value === 'string' ? value.length : machine.length(value);
        break;
      }
      case Op.Concat: {
        frame.pc = pc;
        const text = plainText(registers, b, c);
        registers[a] = text === undefined ? machine.concat(registers, b, c) : machine.newString(text);
        break;
      }
      case Op.Jump:
        pc += c;
        if (c < 0 && --machine.fuel < 0) {
          frame.pc = pc + WIDTH;
          machine.tick();
        }
        break;
      case Op.JumpIfEq:
      case Op.JumpUnlessEq: {
        const left = a >= CONSTANT ? constants[a - CONSTANT] : registers[a];
        const right = b >= CONSTANT ? constants[b - CONSTANT] : registers[b];
        let holds = left === right;
        if (!holds && typeof left === 'object' && typeof right === 'object') {
          frame.pc = pc;
          holds = machine.equals(left, right);
        }
        if (holds === (op === Op.JumpIfEq)) pc += c;
        break;
      }
      case Op.JumpIfLt:
      case Op.JumpUnlessLt: {
        const left = a >= CONSTANT ? constants[a - CONSTANT] : registers[a];
        const right = b >= CONSTANT ? constants[b - CONSTANT] : registers[b];
        frame.pc = pc;
        const plain = typeof left === 'number' && typeof right === 'number';
        const holds = plain ? left < right : machine.lessThan(left, right);
        if (holds === (op === Op.JumpIfLt)) pc += c;
        break;
      }
      case Op.JumpIfLe:
      case Op.JumpUnlessLe: {
        const left = a >= CONSTANT ? constants[a - CONSTANT] : registers[a];
        const right = b >= CONSTANT ? constants[b - CONSTANT] : registers[b];
        frame.pc = pc;
        const plain = typeof left === 'number' && typeof right === 'number';
        const holds = plain ? left <= right : machine.lessEqual(left, right);
        if (holds === (op === Op.JumpIfLe)) pc += c;
        break;
      }
      case Op.JumpIf:
      case Op.JumpUnless: {
        const value = registers[a];
        const holds = value !== undefined && value !== false;
        if (holds === (op === Op.JumpIf)) pc += c;
        break;
      }
      case Op.SetAndJumpIf:
      case Op.SetAndJumpUnless: {
        const value = registers[b];
        const holds = value !== undefined && value !== false;
        if (holds !== (op === Op.SetAndJumpIf)) break;
        registers[a] = value;
        pc += c;
        break;
      }
      case Op.Call: {
        const given = b === 0 ? top - a - 1 : b - 1;
        const called = registers[a];
        frame.pc = pc;
        if (called instanceof LuaFunction && called.prototype !== undefined) {
          frame.top = top;
          frame = enter(machine, called, registers, a + 1, given, frame.base + a + 1);
          fn = called;
          ({ code, constants } = called.prototype);
          ({ registers } = frame);
          pc = 0;
          if (--machine.fuel < 0) tickAtStart(machine, frame);
          break;
        }
        const args = valuesFrom(registers, a + 1, given);
        let results: Values;
        if (called instanceof LuaFunction) {
          results = machine.callNative(called, args, frame.base + a + 1);
          // A `pcall` may have caught the deadline, which still stops the next instruction.
          if (machine.expired) {
            frame.pc = pc + WIDTH;
            machine.tick();
          }
        } else {
          results = machine.call(called, args);
        }
        if (c === 2) registers[a] = results[0];
        else top = deliver(machine, frame, a, c, results, 0, results.length) ?? top;
        break;
      }
      case Op.TailCall: {
        const given = b === 0 ? top - a - 1 : b - 1;
        const called = registers[a];
        frame.pc = pc;
        if (called instanceof LuaFunction && called.prototype !== undefined) {
          enterInstead(frame, called, a + 1, given);
          fn = called;
          ({ code, constants } = called.prototype);
          ({ registers } = frame);
          pc = 0;
          if (--machine.fuel < 0) tickAtStart(machine, frame);
          break;
        }
        const args = valuesFrom(registers, a + 1, given);
        const results =
          called instanceof LuaFunction
            ? machine.callNative(called, args, frame.base + a + 1)
            : machine.call(called, args);
        if (machine.expired) machine.tick();
        machine.frame = frame.parent;
        if (frame === entry) return results;
        frame = frame.parent!;
        ({ fn, pc, registers } = frame);
        ({ code, constants } = fn.prototype!);
        top = deliver(machine, frame, code[pc - 3]!, code[pc - 1]!, results, 0, results.length) ?? frame.top;
        break;
      }
      case Op.Return: {
        const end = b === 0 ? top : a + b - 1;
        machine.frame = frame.parent;
        const returned = registers;
        const count = b === 2 ? 1 : Math.max(Math.min(end, returned.length) - a, 0);
        if (frame === entry) return valuesFrom(returned, a, count);
        frame = frame.parent!;
        ({ fn, pc, registers } = frame);
        ({ code, constants } = fn.prototype!);
        const to = code[pc - 3]!;
        const wanted = code[pc - 1]!;
        top = deliver(machine, frame, to, wanted, returned, a, count) ?? frame.top;
        break;
      }
      case Op.ForPrep: {
        frame.pc = pc;
        const start = registers[a];
        const step = registers[a + 2];
        if (typeof start !== 'number' || typeof step !== 'number') return machine.raiseLoopError(start, 0);
        registers[a] = start - step;
        pc += c;
        break;
      }
      case Op.ForLoop: {
        const start = registers[a];
        const limit = registers[a + 1];
        const step = registers[a + 2];
        if (typeof start !== 'number' || typeof limit !== 'number' || typeof step !== 'number') {
          frame.pc = pc;
          return machine.raiseLoopError(start, limit);
        }
        const index = start + step;
        registers[a] = index;
        if (step > 0 ? index <= limit : step <= 0 && index >= limit) {
          registers[a + 3] = index;
          pc += c;
          if (--machine.fuel < 0) {
            frame.pc = pc + WIDTH;
            machine.tick();
          }
        }
        break;
      }
      case Op.TForLoop: {
        frame.pc = pc;
        const results = nextValues(machine, frame, a);
        if (machine.expired) {
          frame.pc = pc + WIDTH;
          machine.tick();
        }
        for (let at = 0; at < b; at++) registers[a + 3 + at] = results[at];
        if (results[0] === undefined) break;
        registers[a + 2] = results[0];
        pc += c;
        if (--machine.fuel < 0) {
          frame.pc = pc + WIDTH;
          machine.tick();
        }
        break;
      }
      case Op.SetList: {
        const table = registers[a];
        if (!(table instanceof LuaTable)) throw GoPanic.notTable(typeOf(table));
        const items = b === 0 ? top - a - 1 : b;
        let grown = 0;
        for (let at = 1; at <= items; at++) grown += table.setInteger(c + at, registers[a + at]);
        machine.grow(grown);
        break;
      }
      case Op.Close:
        if (frame.open !== undefined) frame.open = closeFrom(frame.open, a);
        break;
      case Op.Closure: {
        const defined = fn.prototype!.prototypes[b]!;
        machine.charge(CLOSURE);
        registers[a] = new LuaFunction(defined, undefined, fn.env, captured(defined, frame));
        break;
      }
      case Op.VarArg: {
        const { varargs } = frame;
        const wanted = b === 0 ? varargs.length : b - 1;
        for (let at = 0; at < wanted; at++) registers[a + at] = varargs[at];
        if (b === 0) {
          top = a + wanted;
          if (frame.base + top > REGISTRY_SIZE) machine.overflowAt(frame, pc);
        }
        break;
      }
    }
  }
}

function tickAtStart(machine: Machine, frame: CallFrame): void {
  frame.pc = WIDTH;
  machine.tick();
}

function trace(frame: CallFrame, pc: number, onLine: (line: number) => void): void {
  const line = frame.fn.prototype!.lines[pc / WIDTH - 1]!;
  if (line === frame.line) return;
  frame.line = line;
  onLine(line);
}

/** Puts the results of a call in the registers from `to` on; returns the new top if the call has any number of results. */
function deliver(
  machine: Machine,
  frame: CallFrame,
  to: number,
  wanted: number,
  values: Values,
  first: number,
  given: number,
): number | undefined {
  const { registers } = frame;
  const count = wanted === 0 ? given : wanted - 1;
  const top = to + count;
  if (wanted === 0 && frame.base + top > REGISTRY_SIZE) machine.raise('registry overflow');
  for (let at = 0; at < count; at++) registers[to + at] = at < given ? values[first + at] : undefined;
  return wanted === 0 ? top : undefined;
}
