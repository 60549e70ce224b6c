import { type LuaFunction, NOTHING, type Upvalue, type Values } from './value';

/** An active call. */
export class CallFrame {
  /** The instruction after the current one; library functions have none. */
  pc = 0;
  /** How many tail calls this frame was reused for. */
  tailCalls = 0;
  /** Where the arguments were, counted as `base`: those of a vararg function come before its registers. */
  position = 0;
  /** The arguments of a vararg function beyond its parameters. */
  varargs = NOTHING;
  /** The captured variables that are still in registers. */
  open: Upvalue[] | undefined = undefined;
  /** While the function waits for a call, the register behind the last of any number of values. */
  top = 0;
  /** The line that was traced last. */
  line = 0;

  constructor(
    readonly parent: CallFrame | undefined,
    public fn: LuaFunction,
    readonly depth: number,
    /** The first register, counted over all active calls. */
    public base: number,
    /** How many registers the call uses. */
    public size: number,
    /** The registers, or the arguments of a library function. */
    public registers: Values,
  ) {}
}
