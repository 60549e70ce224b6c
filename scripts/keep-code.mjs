// Writes what V8 makes of a bundle while it is used: of the command line that checks the stacks of the playground, or of the library
// that synthesises the examples.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);
const { keepCode } = require('../lib/bundle/load.js');

const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
const io = {
  stdin: process.stdin,
  stdout: nowhere,
  stderr: nowhere,
  env: {},
  cwd: root,
  isTTY: { stdin: false, stdout: false, stderr: false },
  onInterrupt: () => () => {},
};

const uses = {
  async main({ main }) {
    const stacks = join('src', 'playground', 'examples');
    for (const file of readdirSync(join(root, stacks))) await main(['check', join(stacks, file)], io);
  },
  async library({ constructs }) {
    const folder = join(root, 'examples');
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.ts'))) {
      const { code } = transformSync(readFileSync(join(folder, file), 'utf8'), { loader: 'ts', format: 'cjs' });
      const load = (id) => (id === '../src/constructs' ? constructs() : require(id));
      new Function('require', '__dirname', code)(load, folder);
    }
  },
};

const program = process.argv[2];
await keepCode(join(root, 'lib', 'bundle', `${program}.js`), uses[program]);
