import type { Value } from './value';

/** A Lua error on its way to the next `pcall`, or to the end of the script. */
export class LuaError {
  constructor(readonly value: Value) {}
}

/**
 * The script holds more memory than it is allowed. Nothing in the script can catch this: the controller would have been
 * killed.
 */
export class MemoryExhausted {
  constructor(readonly place: string) {}
}
