// Runs every script of lua_configuration against its checks and testdata with the compiled library, and writes which of them
// have no finding to lib, so that a synth does not run them again. --all: for every release of the controller, as in the
// published package; otherwise for the latest.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { proofsOfPackage } = require('../lib/files/scripts/proof.js');
const { KruiseRolloutVersion } = require('../lib/kruise/version.js');

const versions = process.argv.includes('--all') ? KruiseRolloutVersion.ALL : [KruiseRolloutVersion.LATEST];
writeFileSync(
  new URL('../lib/kruise/scripts/proofs.json', import.meta.url),
  JSON.stringify(versions.flatMap(proofsOfPackage)),
);
