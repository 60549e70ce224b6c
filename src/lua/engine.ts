import { DataTooDeep, fromLuaString, shuffledOrder, toLuaString, toLuaValue } from './convert';
import { encodeJson, JsonFailure } from './library/json-encode';
import { globalsMade, openMachine } from './library/open';
import { loadLua } from './load';
import { shippedPrototype } from './shipped';
import { LuaSyntaxError } from './syntax';
import { latin1Bytes } from './text/bytes';
import { GoPanic } from './text/go-panic';
import { Patterns } from './text/pattern';
import type { LuaData, LuaFailure, LuaResult, LuaRunOptions, LuaScript } from './types';
import { LuaError, MemoryExhausted } from './vm/failure';
import type { Machine } from './vm/machine';
import type { Prototype } from './vm/prototype';
import type { TextAccount } from './vm/settings';
import { LuaTable } from './vm/table';
import { typeOf, type Value } from './vm/value';

const CHUNK_NAME = '<string>';
const TIME_LIMIT = 1000;

/** The most characters of JSON that a script may return. The controller has no limit, but no API server accepts more. */
const RESULT_LIMIT = 16 * 1024 * 1024;

/**
 * Compiles a script as Kruise's controller does; never throws. A script that does not parse is returned with its
 * `syntaxError`.
 *
 * @example
 * const script = compileLua('obj.annotations.weight = obj.weight return obj.annotations');
 * const result = script.run({ annotations: {}, weight: '20' });
 * if (result.ok) console.log(result.json); // {"weight":"20"}
 */
export function compileLua(source: string): LuaScript {
  return new CompiledScript(source);
}

/** Compiles and runs a script once. */
export function runLua(source: string, obj: LuaData, options: LuaRunOptions = {}): LuaResult {
  return compileLua(source).run(obj, options);
}

class CompiledScript implements LuaScript {
  readonly syntaxError?: LuaScript['syntaxError'];
  private readonly prototype: Prototype | undefined;
  private readonly patterns = new Patterns();

  constructor(readonly source: string) {
    try {
      this.prototype = compiledOnce(source);
    } catch (failure) {
      this.syntaxError = describeSyntaxError(failure);
    }
  }

  run(obj: LuaData, options: LuaRunOptions = {}): LuaResult {
    if (this.prototype === undefined) {
      const { error, line } = this.syntaxError!;
      return { ok: false, stage: 'parse', error, ...(line ? { line } : {}), stdout: '', globals: [], work: 0 };
    }
    const order = options.mapOrderSeed === undefined ? undefined : shuffledOrder(options.mapOrderSeed);
    const machine = openMachine({
      deadline: performance.now() + (options.timeLimit ?? TIME_LIMIT),
      onLine: options.onLine,
      emptyTable: options.emptyTable ?? 'null',
      order,
      patterns: this.patterns,
      load: compileForScript,
    });
    try {
      const given = toLuaValue(obj, order);
      machine.globals.setOther('obj', given);
      return new Run(machine, given).result(this.prototype);
    } catch (failure) {
      if (!(failure instanceof DataTooDeep)) throw failure;
      return { ok: false, stage: 'run', error: failure.message, stdout: '', globals: [], work: 0 };
    }
  }
}

/** One run, from its start to its result. */
class Run {
  constructor(
    private readonly machine: Machine,
    private readonly given: Value,
  ) {}

  result(prototype: Prototype): LuaResult {
    let values: Value[];
    try {
      values = this.machine.call(this.machine.mainFunction(prototype), []);
    } catch (failure) {
      return this.failed(failure);
    }
    return this.encoded(values[values.length - 1]);
  }

  private encoded(value: Value): LuaResult {
    const type = typeOf(value);
    try {
      return {
        ok: true,
        type,
        json: fromLuaString(encodeJson(value, this.machine.settings.emptyTable, resultAccount())),
        returnedObj: value instanceof LuaTable && value === this.given,
        ...this.traces(),
      };
    } catch (failure) {
      if (failure instanceof ResultTooLong) {
        const error = 'not enough memory: the JSON of what the script returns is longer than 16 MiB';
        return { ok: false, stage: 'encode', type, error, limit: 'memory', ...this.traces() };
      }
      if (!(failure instanceof JsonFailure)) throw failure;
      return { ok: false, stage: 'encode', type, error: failure.message, ...this.traces() };
    }
  }

  private failed(failure: unknown): LuaFailure {
    const { machine } = this;
    if (failure instanceof LuaError) return this.failure(machine.text(failure.value), limitOf(machine, failure));
    if (failure instanceof GoPanic) return this.failure(failure.message);
    if (failure instanceof MemoryExhausted) {
      return this.failure(`${failure.place} not enough memory: the script holds more than 256 MiB`, 'memory');
    }
    if (!(failure instanceof RangeError)) throw failure;
    // JavaScript's own limits: its stack, and the length of a string or an array.
    if (failure.message.includes('call stack')) return this.failure(machine.positioned('stack overflow', 1), 'stack');
    return this.failure(`${machine.where(0)} not enough memory: ${failure.message}`, 'memory');
  }

  private failure(text: string, limit?: LuaFailure['limit']): LuaFailure {
    const error = fromLuaString(text);
    const line = lineIn(error);
    return {
      ok: false,
      stage: 'run',
      error,
      ...(line === undefined ? {} : { line }),
      ...(limit === undefined ? {} : { limit }),
      ...this.traces(),
    };
  }

  private traces(): { stdout: string; globals: string[]; work: number } {
    const { machine } = this;
    const globals = globalsMade(machine).map(fromLuaString).sort();
    return { stdout: fromLuaString(machine.output), globals, work: Math.round(machine.work) };
  }
}

class ResultTooLong {}

function resultAccount(): TextAccount {
  let written = 0;
  return (length) => {
    written += length;
    if (written > RESULT_LIMIT) throw new ResultTooLong();
  };
}

function limitOf(machine: Machine, { value }: LuaError): LuaFailure['limit'] {
  if (machine.expired) return 'time';
  const overflow = typeof value === 'string' && /^\S+:\d+: (?:stack|registry) overflow$/.test(value);
  return overflow ? 'stack' : undefined;
}

function lineIn(error: string): number | undefined {
  const line = /^<string>:(\d+):/.exec(error)?.[1];
  return line === undefined ? undefined : Number(line);
}

/** How many compiled scripts a process keeps. */
const MAX_KEPT = 100;

const kept = new Map<string, Prototype>();

/**
 * Compiles a script, unless this process or the build of this package has done so: the same few scripts run for every Rollout of
 * every stack.
 */
function compiledOnce(source: string): Prototype {
  const known = kept.get(source);
  if (known !== undefined) return known;
  const prototype = shippedPrototype(source) ?? compile(toLuaString(source), CHUNK_NAME);
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(source, prototype);
  return prototype;
}

/** Compiles text given as a Lua string. */
function compile(source: string, chunkName: string): Prototype {
  return loadLua(latin1Bytes(source), chunkName).prototype;
}

/** Compiles text for `loadstring` and similar functions, which return the message to the script. */
function compileForScript(source: string, chunkName: string): Prototype {
  try {
    return compile(source, chunkName);
  } catch (failure) {
    throw new LuaError(toLuaString(describeSyntaxError(failure).error));
  }
}

function describeSyntaxError(failure: unknown): NonNullable<LuaScript['syntaxError']> {
  if (failure instanceof LuaSyntaxError) {
    const { message, line, column } = failure;
    return { error: message, ...(line ? { line } : {}), ...(column ? { column } : {}) };
  }
  if (failure instanceof RangeError) return { error: `${CHUNK_NAME}: the script nests too deeply` };
  throw failure;
}
