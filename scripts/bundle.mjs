// Bundles the command line: from one file it starts faster than from hundreds. What the package does not depend on, such as the
// compiler of the user's project, stays outside.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** The proofs are run with the compiled library, so that the sources have none. */
const proofs = {
  name: 'proofs',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]proofs\.json$/ }, () => ({
      contents: readFileSync(join(root, 'lib', 'kruise', 'scripts', 'proofs.json'), 'utf8'),
      loader: 'json',
    }));
  },
};

await build({
  absWorkingDir: root,
  entryPoints: ['src/cli/main.ts'],
  outfile: 'lib/bundle/main.js',
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node20',
  external: ['@kubernetes/client-node', '@pulumi/*', 'cdk8s', 'constructs'],
  plugins: [proofs],
  logLevel: 'warning',
});
