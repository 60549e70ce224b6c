// Bundles the command line and the library: from one file they start faster than from hundreds. Then keeps what V8 makes of them
// while they are used, so that nothing is compiled at all.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const at = (...parts) => join(root, 'lib', ...parts);
const require = createRequire(import.meta.url);
const { tableText } = require('../lib/bundle/table.js');

/** The entry points of package.json. */
const ENTRIES = ['constructs', 'lua', 'policy', 'pulumi', 'validation'];

/** A table is a file of its own, which both bundles read where they use it: V8 would keep its text with the code. */
const tables = {
  name: 'tables',
  setup({ onLoad }) {
    onLoad({ filter: /\.json$/ }, ({ path }) => {
      const [, ...parts] = relative(root, path).split(sep);
      const name = parts.join('-').replace('.json', '.table');
      // Of what the compiled library has written, such as proofs, the sources have nothing.
      writeFileSync(at('bundle', name), tableText(JSON.parse(readFileSync(at(...parts), 'utf8'))));
      const file = `require('node:path').join(__dirname, ${JSON.stringify(name)})`;
      return {
        contents: `module.exports = require(${JSON.stringify(at('bundle', 'table.js'))}).readTable(${file})`,
        loader: 'js',
      };
    });
  },
};

/** Node has a digest of its own. */
const digests = {
  name: 'digests',
  setup({ onResolve }) {
    onResolve({ filter: /\/sha256$/ }, () => ({ path: at('bundle', 'sha256.js') }));
  },
};

/** Classes at the top of a file would get other names, which messages and checks of properties read. */
const names = {
  name: 'names',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]lib[\\/].*\.js$/ }, ({ path }) => {
      return { contents: `(() => {${readFileSync(path, 'utf8')}\n})();`, loader: 'js' };
    });
  },
};

/** What the package does not depend on, such as the compiler of the user's project, stays outside. */
const options = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  external: ['@kubernetes/client-node', '@pulumi/*', 'cdk8s', 'constructs'],
  // Code that is kept has no `import()`.
  supported: { 'dynamic-import': false },
  plugins: [tables, digests],
  logLevel: 'warning',
};

await build({ ...options, entryPoints: ['src/cli/main.ts'], outfile: at('bundle', 'main.js'), minify: true });

// The compiled files as they are, with the names of their classes and functions. `yaml` is among them: cdk8s brings its own, which
// no other package can load.
const loaders = ENTRIES.map((entry) => `exports.${entry} = () => require('./${entry}/index.js');`);
await build({
  ...options,
  stdin: { contents: loaders.join('\n'), resolveDir: at() },
  outfile: at('bundle', 'library.js'),
  plugins: [tables, digests, names],
  minifyWhitespace: true,
  minifySyntax: true,
  // Node prints the line that throws above the message.
  lineLimit: 100,
});
for (const program of ['main.js', 'library.js']) {
  const text = readFileSync(at('bundle', program), 'utf8');
  writeFileSync(at('bundle', program), text.replace(/[^\x00-\x7f]/g, escaped));
}
for (const entry of ENTRIES) writeFileSync(at('bundle', `${entry}.js`), entryText(entry));

/** The bundler leaves such characters in regular expressions and tagged templates only, where the escape means the same. */
function escaped(character) {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Loads an entry point from the bundle. The last line is never run: from it, Node reads the names that modules can import. */
function entryText(entry) {
  const names = Object.keys(require(at(entry))).filter((name) => name !== '__esModule');
  return [
    `'use strict';`,
    `module.exports = require('./load.js').load(require.resolve('./library.js')).${entry}();`,
    `0 && (module.exports = { ${names.join(', ')} });\n`,
  ].join('\n');
}

// Options of this process would be options of V8, whose code serves no process without them.
const { NODE_OPTIONS: _, ...env } = process.env;
for (const program of ['main', 'library']) {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'keep-code.mjs'), program], {
    env: { ...env, XDG_CACHE_HOME: undefined, HOME: undefined },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) process.exitCode = 1;
}
