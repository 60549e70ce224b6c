import type { Value } from './value';

/** Where a closure finds the variables it captures: registers of the enclosing function, or what that one captured. */
export interface UpvalueSource {
  readonly inRegister: boolean;
  readonly index: number;
}

/** A compiled function. It holds nothing that a run could change. */
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
  /** What the script calls the function that an instruction calls: `find` in `s:find()`. */
  readonly callNames: Readonly<Record<number, string>>;
}
