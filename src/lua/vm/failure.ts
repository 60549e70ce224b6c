import type { Value } from './value';

/** A Lua error, thrown to the next `pcall` or to the end of the script. */
export class LuaError {
  constructor(readonly value: Value) {}
}

/**
 * The script uses more memory than allowed. The script cannot catch this: the kernel would kill the controller.
 */
export class MemoryExhausted {
  constructor(readonly place: string) {}
}
