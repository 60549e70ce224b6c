import proofs from './proofs.json';

/** The keys of the proofs that were run when the package was built: `scripts/prove.mjs` writes them to lib. */
export const PROOFS: ReadonlySet<string> = new Set<string>(proofs);
