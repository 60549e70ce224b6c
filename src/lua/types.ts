/** The input of a script: plain JSON data. `null` in an object is an absent key, as in the controllers. */
export type LuaData = null | boolean | number | string | readonly LuaData[] | { readonly [key: string]: LuaData };

/** The Lua type of the value that a script returned last. */
export type LuaType = 'nil' | 'boolean' | 'number' | 'string' | 'table' | 'function' | 'userdata';

/** Options of one run. */
export interface LuaRunOptions {
  /**
   * How `json.encode` writes an empty table: `null` from Kruise Rollouts 0.6 on, `[]` before.
   * @default 'null'
   */
  readonly emptyTable?: 'null' | '[]';
  /**
   * The controller's deadline in milliseconds.
   * @default 1000
   */
  readonly timeLimit?: number;
  /**
   * Called with every line that the VM executes, for coverage. Costs a hook per line.
   * @default - lines are not traced
   */
  readonly onLine?: (line: number) => void;
  /**
   * Shuffles the order in which `pairs` walks the maps of `obj` and of `json.decode`. The controller's order is random.
   * @default - as given
   */
  readonly mapOrderSeed?: number;
}

/** A script ran to its end, and its last value could be written as JSON. */
export interface LuaSuccess {
  /** The run succeeded. */
  readonly ok: true;
  /** The type of the last value. */
  readonly type: LuaType;
  /** The controller's own text: keys sorted bytewise, Go's number format and HTML escapes. */
  readonly json: string;
  /** True when the script returned the very table it was given as `obj`. */
  readonly returnedObj: boolean;
  /** The text that the script printed, at most the first MiB. */
  readonly stdout: string;
  /** Names of the globals that the script created, sorted. */
  readonly globals: readonly string[];
  /** The cost of the run in loops, calls and work of similar cost: the same on every machine. */
  readonly work: number;
}

/** A script did not parse, raised an error, exceeded a limit, or returned a value that JSON cannot represent. */
export interface LuaFailure {
  /** The run failed. */
  readonly ok: false;
  /** Where it failed: when it was parsed, when it ran, or when its last value was written as JSON. */
  readonly stage: 'parse' | 'run' | 'encode';
  /** The controller's own text, without the stack traceback: `<string>:3: attempt to …`. */
  readonly error: string;
  /** The line that the error names, if it names one. */
  readonly line?: number;
  /** Which limit was reached. `memory` is this library's own: the controller would be killed by the kernel. */
  readonly limit?: 'time' | 'memory' | 'stack';
  /** The type of the last value, if JSON cannot represent it. */
  readonly type?: LuaType;
  /** The text that the script printed before it failed. */
  readonly stdout: string;
  /** Names of the globals that the script created, sorted. */
  readonly globals: readonly string[];
  /** The cost of the run in loops, calls and work of similar cost. */
  readonly work: number;
}

/** The result of one run of a script. */
export type LuaResult = LuaSuccess | LuaFailure;

/** A compiled script. Runs do not affect each other. */
export interface LuaScript {
  /** The text of the script. */
  readonly source: string;
  /** Set when the script does not parse; `run` then fails with the same error. */
  readonly syntaxError?: { readonly error: string; readonly line?: number; readonly column?: number };
  /** Runs the script with this `obj`; never throws. */
  run(obj: LuaData, options?: LuaRunOptions): LuaResult;
}
