// Bundles the command line: from one file it starts faster than from hundreds. What the package does not depend on, such as the
// compiler of the user's project, stays outside.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

await build({
  absWorkingDir: join(dirname(fileURLToPath(import.meta.url)), '..'),
  entryPoints: ['src/cli/main.ts'],
  outfile: 'lib/bundle/main.js',
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node20',
  external: ['@kubernetes/client-node', '@pulumi/*', 'cdk8s', 'constructs'],
  logLevel: 'warning',
});
