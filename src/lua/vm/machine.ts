import { formatNumber, parseNumber } from '../text/number';
import { type ArithmeticEvent, calculate } from './arithmetic';
import { CallFrame } from './call-frame';
import { LuaError, MemoryExhausted } from './failure';
import { execute, WIDTH } from './interpreter';
import { LARGE_STRING, SLOT, TABLE, weigh } from './memory';
import type { Prototype } from './prototype';
import type { MachineSettings, TextAccount } from './settings';
import { LuaTable } from './table';
import { LuaFunction, typeOf, Userdata, type Value, type Values } from './value';

/** gopher-lua's call stack: the main chunk and 255 calls. */
export const MAX_CALLS = 256;

/** The size of gopher-lua's registry: the registers of all active functions and the values that library functions push. */
export const REGISTRY_SIZE = 5120;

/** How far `__index` and `__newindex` are followed. */
const MAX_INDEX_CHAIN = 100;

/**
 * Loops and calls between two checks of the clock: few at first, since each may compare or convert megabytes of text, then
 * more as long as they are quick.
 */
const FIRST_FUEL = 10;
const MOST_FUEL = 1000;
const QUICK_MILLISECONDS = 2;

/** Bytes that count as much as one loop, so that work on long strings is timed as well. */
const BYTES_PER_FUEL = 256;

/** How many bytes a script may use, and how many it may allocate between two measurements. */
const MEMORY_LIMIT = 256 * 1024 * 1024;
const WEIGH_EVERY = 64 * 1024 * 1024;

/** The state of one run. */
export class Machine {
  /** The environment of functions that are loaded from text. */
  env: LuaTable;
  frame: CallFrame | undefined;
  /** Loops and calls left until the next check of the clock. */
  fuel = FIRST_FUEL;
  /** True after the deadline: from then on every instruction raises the error. */
  expired = false;
  output = '';
  /** Called with every line that is run. */
  onLine: ((line: number) => void) | undefined;
  /** The state of `math.random`. */
  seed = 1;
  /** Metatables of whole types. */
  readonly typeMetatables: Map<string, LuaTable | undefined>;
  private made = 0;
  private madeInLarge = 0;
  /** The fuel used before the last check of the clock. */
  private burnt = 0;
  private fuelGiven = FIRST_FUEL;
  private lastLook = performance.now();
  private nextWeighing = MEMORY_LIMIT;
  private readonly identities = new Map<object, string>();

  constructor(
    readonly globals: LuaTable,
    /** What `require` and `module` find. */
    readonly loadedModules: LuaTable,
    stringMetatable: LuaTable,
    readonly settings: MachineSettings,
  ) {
    this.env = globals;
    this.typeMetatables = new Map([['string', stringMetatable]]);
    this.onLine = settings.onLine;
  }

  /** Raises an error that names the line of the innermost Lua function. */
  raise(message: string): never {
    throw new LuaError(this.positioned(message, 1));
  }

  /** An error message with the position that `error(message, level)` gives it. */
  positioned(message: string, level: number): string {
    return level > 0 ? `${this.where(level - 1)} ${message}` : message;
  }

  /** The position of a call, `<string>:3:`; empty if there is no such level. */
  where(level: number): string {
    let frame = this.frameAt(level);
    while (frame !== undefined && frame.fn.prototype === undefined) frame = this.frameAt(++level);
    return frame === undefined ? '' : `${frame.fn.prototype!.chunkName}:${lineOf(frame)}:`;
  }

  /** The name of the running library function, as the script calls it. */
  calledName(): string {
    const caller = this.frame?.parent;
    return caller?.fn.prototype?.callNames[caller.pc / WIDTH - 1] ?? '(anonymous)';
  }

  /** A function of a compiled chunk, in an environment. */
  mainFunction(prototype: Prototype): LuaFunction {
    return new LuaFunction(prototype, undefined, this.env, []);
  }

  /** Calls any callable value. */
  call(callee: Value, args: Values): Values {
    const { frame } = this;
    const base = frame === undefined ? 0 : frame.base + frame.size;
    if (callee instanceof LuaFunction) return this.callFunction(callee, args, base);
    const handler = this.metamethod(callee, '__call');
    if (!(handler instanceof LuaFunction)) this.raise('attempt to call a non-function object');
    return this.callFunction(handler, [callee, ...args], base);
  }

  /** Calls a function whose registers start at `base`. */
  callFunction(fn: LuaFunction, args: Values, base: number): Values {
    return fn.prototype === undefined ? this.callNative(fn, args, base) : execute(this, fn, args, 0, args.length, base);
  }

  /** Calls a library function. */
  callNative(fn: LuaFunction, args: Values, base: number): Values {
    const { frame } = this;
    this.frame = this.push(fn, base, args.length, args);
    const results = fn.native!(args, this);
    this.frame = frame;
    return results;
  }

  /** Creates the frame of a call. Fails if there are too many. */
  push(fn: LuaFunction, base: number, size: number, registers: Values): CallFrame {
    const { frame } = this;
    const depth = frame === undefined ? 1 : frame.depth + 1;
    if (depth > MAX_CALLS) this.raise('stack overflow');
    if (base + size > REGISTRY_SIZE) this.raise('registry overflow');
    return new CallFrame(frame, fn, depth, base, size, registers);
  }

  /** Fails because the start, the limit or the step of a numeric loop is not a number. */
  raiseLoopError(start: Value, limit: Value): never {
    const part = typeof start !== 'number' ? 'init' : typeof limit !== 'number' ? 'limit' : 'step';
    return this.raise(`for statement ${part} must be a number`);
  }

  /** Fails at an instruction that does not set the position of its frame itself. */
  overflowAt(frame: CallFrame, pc: number): never {
    frame.pc = pc;
    return this.raise('registry overflow');
  }

  /** Fails if a library function pushes more values than gopher-lua's stack has room for. */
  reserve(count: number): void {
    const { frame } = this;
    if (frame !== undefined && frame.base + frame.size + count > REGISTRY_SIZE) this.raise('registry overflow');
  }

  /** Charges for a loop or other work. */
  spend(work: number): void {
    this.fuel -= work;
    if (this.fuel < 0) this.tick();
  }

  /** The cost of this run so far: unlike time, the same on every machine. */
  get work(): number {
    return this.burnt + this.fuelGiven - this.fuel;
  }

  /** Checks the clock. */
  tick(): void {
    const now = performance.now();
    this.burnt = this.work;
    if (this.expired || now >= this.settings.deadline) this.expire();
    const wasQuick = now - this.lastLook < QUICK_MILLISECONDS;
    this.fuelGiven = wasQuick ? Math.min(this.fuelGiven * 2, MOST_FUEL) : FIRST_FUEL;
    this.fuel = this.fuelGiven;
    this.lastLook = now;
  }

  /** Fails the run because of the deadline. */
  expire(): never {
    this.expired = true;
    this.fuelGiven = -1;
    this.fuel = -1;
    return this.raise('context deadline exceeded');
  }

  /** Counts allocated memory. */
  charge(bytes: number): void {
    this.made += bytes;
    this.fuel -= Math.floor(bytes / BYTES_PER_FUEL);
    if (this.made > this.nextWeighing) this.weigh(bytes);
  }

  /** Creates a table and counts its memory. */
  newTable(): LuaTable {
    this.charge(TABLE);
    return new LuaTable();
  }

  /** Counts the memory of a new string and returns it. */
  newString(text: string): string {
    if (text.length >= LARGE_STRING) this.madeInLarge += text.length;
    this.charge(text.length);
    return text;
  }

  /** Fails if there is no memory for a string of this size. */
  reserveString(length: number): void {
    if (length > MEMORY_LIMIT) this.exhaust();
    if (this.made + length > this.nextWeighing) this.weigh(length);
  }

  /** Charges for the parts of a text that a library function writes: their time and their size are limited. */
  textAccount(): TextAccount {
    let written = 0;
    return (length) => {
      written += length;
      if (written > MEMORY_LIMIT) this.exhaust();
      this.spend(Math.ceil(length / BYTES_PER_FUEL));
    };
  }

  /** Ends the run: out of memory. */
  exhaust(): never {
    throw new MemoryExhausted(this.where(0));
  }

  /** The metatable of a value, whatever its type. */
  metatable(value: Value): LuaTable | undefined {
    if (value instanceof LuaTable || value instanceof Userdata) return value.metatable;
    return this.typeMetatables.get(typeOf(value));
  }

  /** Sets the metatable of a table or userdata, or that of a whole type. */
  setMetatable(value: Value, metatable: LuaTable | undefined): void {
    if (value instanceof LuaTable || value instanceof Userdata) value.metatable = metatable;
    else this.typeMetatables.set(typeOf(value), metatable);
  }

  /** A metamethod of a value. */
  metamethod(value: Value, event: string): Value {
    return this.metatable(value)?.getString(event);
  }

  /** `object[key]`. */
  index(object: Value, key: Value): Value {
    let current = object;
    for (let step = 0; step < MAX_INDEX_CHAIN; step++) {
      const isTable = current instanceof LuaTable;
      if (isTable) {
        const value = (current as LuaTable).get(key);
        if (value !== undefined) return value;
      }
      const handler = this.metamethod(current, '__index');
      if (handler === undefined) {
        if (!isTable) this.raiseNotIndexable(current, key);
        return undefined;
      }
      if (handler instanceof LuaFunction) return this.call(handler, [current, key])[0];
      current = handler;
    }
    return this.raise('too many recursions in gettable');
  }

  /** `object[key] = value`. */
  setIndex(object: Value, key: Value, value: Value): void {
    let current = object;
    for (let step = 0; step < MAX_INDEX_CHAIN; step++) {
      const isTable = current instanceof LuaTable;
      if (isTable && (current as LuaTable).get(key) !== undefined) {
        this.rawSet(current as LuaTable, key, value);
        return;
      }
      const handler = this.metamethod(current, '__newindex');
      if (handler === undefined) {
        if (!isTable) this.raiseNotIndexable(current, key);
        this.rawSet(current as LuaTable, key, value);
        return;
      }
      if (handler instanceof LuaFunction) {
        this.call(handler, [current, key, value]);
        return;
      }
      current = handler;
    }
    this.raise('too many recursions in settable');
  }

  /** Writes without metamethods. */
  rawSet(table: LuaTable, key: Value, value: Value): void {
    if (key === undefined) this.raise('table index is nil');
    if (typeof key === 'number' && Number.isNaN(key)) this.raise('table index is NaN');
    this.grow(table.set(key, value));
  }

  /** Counts slots that a table grew by. */
  grow(slots: number): void {
    if (slots > 0) this.charge(slots * SLOT);
  }

  /** An arithmetic operator. */
  arithmetic(event: ArithmeticEvent, left: Value, right: Value): Value {
    if (typeof left === 'number' && typeof right === 'number') return calculate(event, left, right);
    const handler = this.binaryHandler(left, right, `__${event}`);
    if (handler instanceof LuaFunction) return this.call(handler, [left, right])[0];
    const first = toOperand(left);
    const second = toOperand(right);
    if (typeof first === 'number' && typeof second === 'number') return calculate(event, first, second);
    return this.raise(`cannot perform ${event} operation between ${typeOf(first)} and ${typeOf(second)}`);
  }

  /** `-value` of a value that is not a number. */
  negate(value: Value): Value {
    const handler = this.metamethod(value, '__unm');
    if (handler instanceof LuaFunction) return this.call(handler, [value])[0];
    const number = toOperand(value);
    return typeof number === 'number' ? -number : this.raise('__unm undefined');
  }

  /** `#value` of a value that is no string. */
  length(value: Value): Value {
    const handler = this.metamethod(value, '__len');
    if (handler instanceof LuaFunction) return this.call(handler, [value])[0];
    return value instanceof LuaTable ? value.length() : this.raise('__len undefined');
  }

  /** `values[from] .. values[from + 1] .. (up to) values[to]`. */
  concat(values: Values, from: number, to: number): Value {
    let right: Value = values[to];
    for (let at = to - 1; at >= from; ) {
      const left = values[at];
      if (isConcatenable(left) && isConcatenable(right)) {
        const parts = [concatenated(right)];
        for (; at >= from && isConcatenable(values[at]); at--) parts.push(concatenated(values[at]));
        right = this.newString(parts.reverse().join(''));
        continue;
      }
      const handler = this.binaryHandler(left, right, '__concat');
      if (!(handler instanceof LuaFunction)) {
        return this.raise(`cannot perform concat operation between ${typeOf(left)} and ${typeOf(right)}`);
      }
      right = this.call(handler, [left, right])[0];
      at--;
    }
    return right;
  }

  /** `left == right` for two tables or userdata that are not the same. */
  equals(left: Value, right: Value): boolean {
    if (left === right) return true;
    const comparable =
      (left instanceof LuaTable && right instanceof LuaTable) ||
      (left instanceof Userdata && right instanceof Userdata);
    return comparable && this.compareByHandler(left, right, '__eq') === true;
  }

  /** `left < right`. */
  lessThan(left: Value, right: Value): boolean {
    if (typeof left === 'number' && typeof right === 'number') return left < right;
    if (typeof left === 'string' && typeof right === 'string') return left < right;
    return this.ordered(left, right, '__lt') ?? this.raiseNotComparable(left, right);
  }

  /** `left <= right`. */
  lessEqual(left: Value, right: Value): boolean {
    if (typeof left === 'number' && typeof right === 'number') return left <= right;
    if (typeof left === 'string' && typeof right === 'string') return left <= right;
    const answer = this.ordered(left, right, '__le');
    if (answer !== undefined) return answer;
    return !(this.compareByHandler(right, left, '__lt') ?? this.raiseNotComparable(right, left));
  }

  /** The result of `tostring`: usually text, but a metamethod may return anything. */
  toStringMeta(value: Value): Value {
    const handler = this.metamethod(value, '__tostring');
    return handler instanceof LuaFunction ? this.call(handler, [value])[0] : this.text(value);
  }

  /** A value as text, without metamethods. */
  text(value: Value): string {
    switch (typeof value) {
      case 'string':
        return value;
      case 'number':
        return formatNumber(value);
      case 'undefined':
        return 'nil';
      case 'boolean':
        return String(value);
      default:
        return `${typeOf(value)}: ${this.identity(value)}`;
    }
  }

  private identity(value: object): string {
    let identity = this.identities.get(value);
    if (identity === undefined) {
      identity = `0xc${(0x10000 + this.identities.size * 64).toString(16).padStart(9, '0')}`;
      this.identities.set(value, identity);
    }
    return identity;
  }

  private frameAt(level: number): CallFrame | undefined {
    let frame = this.frame;
    let rest = level;
    for (; rest > 0 && frame !== undefined; frame = frame.parent) {
      rest--;
      if (frame.fn.prototype !== undefined) rest -= frame.tailCalls;
    }
    if (rest >= 0) return frame;
    // The frames of tail calls are gone: gopher-lua takes the outermost frame instead.
    let outermost = this.frame;
    while (outermost?.parent !== undefined) outermost = outermost.parent;
    return outermost;
  }

  private binaryHandler(left: Value, right: Value, event: string): Value {
    return this.metamethod(left, event) ?? this.metamethod(right, event);
  }

  private ordered(left: Value, right: Value, event: '__lt' | '__le'): boolean | undefined {
    if (typeof left === 'number' || typeOf(left) !== typeOf(right)) return this.raiseNotComparable(left, right);
    return this.compareByHandler(left, right, event);
  }

  /** A comparison handler counts only if both sides have the same one. */
  private compareByHandler(left: Value, right: Value, event: string): boolean | undefined {
    const handler = this.metamethod(left, event);
    if (!(handler instanceof LuaFunction) || handler !== this.metamethod(right, event)) return undefined;
    const [answer] = this.call(handler, [left, right]);
    return answer !== undefined && answer !== false;
  }

  private raiseNotComparable(left: Value, right: Value): never {
    return this.raise(`attempt to compare ${typeOf(left)} with ${typeOf(right)}`);
  }

  private raiseNotIndexable(object: Value, key: Value): never {
    return this.raise(`attempt to index a non-table object(${typeOf(object)}) with key '${this.text(key)}'`);
  }

  private weigh(coming: number): void {
    const roots = [this.globals, this.env, this.loadedModules, this.output, ...this.typeMetatables.values()];
    const registers: Values[] = [];
    for (let frame = this.frame; frame !== undefined; frame = frame.parent) registers.push(frame.registers);
    const held = weigh(roots, registers, MEMORY_LIMIT, this.madeInLarge) + coming;
    if (held > MEMORY_LIMIT) this.exhaust();
    this.nextWeighing = this.made + Math.max(WEIGH_EVERY, MEMORY_LIMIT - held);
  }
}

/** The current line of a frame. */
export function lineOf(frame: CallFrame): number {
  return frame.fn.prototype!.lines[frame.pc / WIDTH - 1] ?? 0;
}

function toOperand(value: Value): Value {
  return typeof value === 'string' ? (parseNumber(value) ?? value) : value;
}

function isConcatenable(value: Value): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function concatenated(value: Value): string {
  return typeof value === 'number' ? formatNumber(value) : (value as string);
}
