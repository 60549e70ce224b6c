import { lazy } from '../../core/lazy';
import { sha256Base64 } from '../../core/sha256';
import type { KruiseRolloutVersion } from '../version';
import { type RoutingScript, scriptName } from './library';

/** The text of each testdata file, or why it cannot be read. */
export type TestdataTexts = readonly (string | { readonly error: string })[];

/**
 * All that a proof depends on but the engine: one changed byte of script or testdata, or another release, is another proof.
 * Files have no part in it, because a proven script has no finding that could name one.
 */
export function proofKey(
  { target, source }: Pick<RoutingScript, 'target' | 'source'>,
  testdata: TestdataTexts | undefined,
  { version, facts }: KruiseRolloutVersion,
): string {
  return sha256Base64(JSON.stringify([target.provider, scriptName(target), source, testdata, version, facts]));
}

/** The keys of the proofs that were run when the package was built: `scripts/prove.mjs` writes them to lib, the sources have none. */
const proofs = lazy((): ReadonlySet<string> => {
  const { keys }: { readonly keys: readonly string[] } = require('./proofs.json') as typeof import('./proofs.json');
  return new Set(keys);
});

/** Whether the script of this key was run when the package was built, and nothing was found. */
export function isProven(key: string): boolean {
  return proofs().has(key);
}
