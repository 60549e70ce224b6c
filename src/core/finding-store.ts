import type { Finding } from './finding';

/** A cache of findings, keyed by everything that they depend on. The shell decides how to store them. */
export interface FindingStore {
  /** The findings for this exact key; undefined if the cache has none. */
  get(key: string): readonly Finding[] | undefined;
  set(key: string, findings: readonly Finding[]): void;
}

/** The findings of this key from the cache; if there are none, makes them, and keeps them if `keeps` says so. */
export function findingsBy(
  store: FindingStore | undefined,
  key: string,
  make: () => readonly Finding[],
  keeps: (findings: readonly Finding[]) => boolean = () => true,
): readonly Finding[] {
  const known = store?.get(key);
  if (known !== undefined) return known;
  const findings = make();
  if (keeps(findings)) store?.set(key, findings);
  return findings;
}
