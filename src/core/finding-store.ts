import type { Finding } from './finding';

/** A cache of findings, keyed by everything that they depend on. The shell decides how to store them. */
export interface FindingStore {
  /** The findings for this exact key; undefined if the cache has none. */
  get(key: string): readonly Finding[] | undefined;
  set(key: string, findings: readonly Finding[]): void;
}

/** The most keys in the memory, so that a program that generates scripts does not fill it. */
const MAX_REMEMBERED = 1_000;

const remembered = new Map<string, readonly Finding[]>();

/** The memory of this process. */
const memory: FindingStore = {
  get: (key) => remembered.get(key),
  set(key, findings) {
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(key, findings);
  },
};

/**
 * The findings of this key from the cache, or without one from the memory of this process; if there are none, makes them, and
 * keeps them if `keeps` says so.
 */
export function findingsBy(
  store: FindingStore | undefined,
  key: string,
  make: () => readonly Finding[],
  keeps: (findings: readonly Finding[]) => boolean = () => true,
): readonly Finding[] {
  const cache = store ?? memory;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const findings = make();
  if (keeps(findings)) cache.set(key, findings);
  return findings;
}
