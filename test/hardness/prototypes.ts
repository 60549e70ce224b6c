import { expect } from 'vitest';

/** What is left of the prototypes that everything shares. */
export function prototypes(): string {
  return [Object, Array, String, Function].map(({ prototype }) => Object.getOwnPropertyNames(prototype).sort()).join();
}

/** Nobody has added anything to them since. */
export function expectUnpolluted(before: string): void {
  expect(prototypes()).toBe(before);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
}
