import type { Value } from './value';

/** Where a closure finds a captured variable: in a register or a captured variable of the enclosing function. */
export interface UpvalueSource {
  readonly inRegister: boolean;
  readonly index: number;
}

/** A compiled function, which no run changes. */
export interface Prototype {
  readonly chunkName: string;
  readonly code: Int32Array;
  readonly constants: readonly Value[];
  readonly prototypes: readonly Prototype[];
  readonly upvalues: readonly UpvalueSource[];
  readonly parameters: number;
  readonly isVararg: boolean;
  /** True when the local `arg` is filled with the further arguments: the function does not use `...` itself. */
  readonly needsArg: boolean;
  readonly registers: number;
  /** The line of each instruction. */
  readonly lines: Int32Array;
  /** The name of the function that an instruction calls, as the script has it: `find` in `s:find()`. */
  readonly callNames: Readonly<Record<number, string>>;
}
