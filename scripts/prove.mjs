// What the package carries of the scripts of lua_configuration, so that a synth does not prove or compile them again: writes to lib
// which of them have no finding in their checks and testdata, run with the compiled library, and their compiled code.
// --all: the proofs for every release of the controller, as in the published package; otherwise for the latest.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { proofsOfPackage } = require('../lib/files/scripts/proof.js');
const packaged = require('../lib/kruise/scripts/packaged.json');
const { KruiseRolloutVersion } = require('../lib/kruise/version.js');
const { compiledToShip } = require('../lib/lua/shipped.js');

const write = (file, content) => writeFileSync(new URL(`../lib/${file}`, import.meta.url), JSON.stringify(content));

const versions = process.argv.includes('--all') ? KruiseRolloutVersion.ALL : [KruiseRolloutVersion.LATEST];
write('kruise/scripts/proofs.json', { keys: versions.flatMap(proofsOfPackage) });
write('lua/shipped.json', compiledToShip(Object.values(packaged).filter((text) => text !== null)));
