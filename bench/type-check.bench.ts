import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Measured } from './harness';

const ROOT = resolve(__dirname, '..');
const FOLDER = join(ROOT, '.bench', 'type-check');

/** The compiler's settings of Pulumi's own template for TypeScript. */
const COMPILER_OPTIONS = {
  strict: true,
  target: 'es2020',
  module: 'commonjs',
  moduleResolution: 'node',
  skipLibCheck: true,
  noEmit: true,
  types: ['node'],
  typeRoots: [join(ROOT, 'node_modules', '@types')],
  baseUrl: ROOT,
  paths: {
    'rollout-constructs/pulumi': [join(ROOT, 'lib', 'pulumi', 'index.d.ts')],
    '@pulumi/*': [join(ROOT, 'node_modules', '@pulumi', '*')],
  },
};

/** Writes a program, and measures what the compiler takes to check it. */
function memoryOf(name: string, program: () => string): () => number {
  return () => {
    mkdirSync(FOLDER, { recursive: true });
    const project = join(FOLDER, `${name}.json`);
    writeFileSync(join(FOLDER, `${name}.ts`), program());
    writeFileSync(project, JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files: [`${name}.ts`] }));
    const tsc = require.resolve('typescript/bin/tsc');
    const output = execFileSync(process.execPath, [tsc, '-p', project, '--extendedDiagnostics'], { encoding: 'utf8' });
    return Number(/Memory used:\s*(\d+)K/.exec(output)![1]);
  };
}

function example(name: string): string {
  const text = readFileSync(join(ROOT, 'examples', 'pulumi', `${name}.ts`), 'utf8');
  return text.replace("'../../src/pulumi'", "'rollout-constructs/pulumi'");
}

/** What it costs the compiler that a program of Pulumi uses the library. */
export function typeCheckBenchmarks(): Measured[] {
  const common = { unit: 'KB', goal: { kind: 'cost', than: 1.5 }, rounds: 3 } as const;
  return [
    {
      name: 'type-check: a program of Pulumi',
      ours: {
        label: "with 'rollout-constructs/pulumi'",
        measure: memoryOf('ours', () => example('existing-cluster')),
      },
      alternative: {
        label: "'@pulumi/pulumi' alone",
        measure: memoryOf(
          'alone',
          () => "import * as pulumi from '@pulumi/pulumi';\nexport const x = pulumi.output(1);\n",
        ),
      },
      ...common,
    },
  ];
}
